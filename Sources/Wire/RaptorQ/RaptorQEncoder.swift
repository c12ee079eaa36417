/// Makes the encoding packets of a payload: its source symbols, and repair symbols from which any missing
/// ones are recovered.
///
/// Source: RFC 6330, section 5.3.
public struct RaptorQEncoder: Sendable {
    public let information: ObjectTransmissionInformation
    public let numbering: RepairNumbering
    private let payload: [UInt8]

    /// - `payload`: 1 byte or more
    /// - `symbolLength`: bytes of a symbol, a multiple of 8 from 64 up; see
    ///   ``symbolLength(forPayloadOf:atMost:)``
    public init(payload: [UInt8], symbolLength: Int, numbering: RepairNumbering = .rfc6330)
        throws(RaptorQError)
    {
        information = try ObjectTransmissionInformation(
            payloadLength: payload.count, packetLength: symbolLength)
        guard information.symbolLength == symbolLength else {
            throw .symbolLengthInvalid(length: symbolLength)
        }
        self.payload = payload
        self.numbering = numbering
    }

    /// The packets of a payload that every reader decodes, whichever way it numbers repair symbols and aligns
    /// short ones: with repair symbols, one for each whole symbol of the payload, where K = K′ is possible;
    /// the source symbols alone where it is not.
    /// - Parameters:
    ///   - payload: 1 byte or more
    ///   - limit: bytes of a symbol at most, a multiple of 8 and 16 or more
    public static func packetsForEveryReader(of payload: [UInt8], atMost limit: Int) throws(RaptorQError)
        -> [[UInt8]]
    {
        guard let symbol = symbolLength(forPayloadOf: payload.count, atMost: limit) else {
            return try RaptorQEncoder(payload: payload, symbolLength: limit).packets(repair: 0)
        }
        return try RaptorQEncoder(payload: payload, symbolLength: symbol).packets(
            repair: payload.count / symbol)
    }

    /// The largest symbol length for which K = K′, so that repair symbols have the same ids for every reader.
    ///
    /// It is a multiple of 8: raptorq up to 1.7.0 aligns all symbols to 8 bytes, later ones only those of 64
    /// and more.
    /// - Parameters:
    ///   - length: bytes of the payload
    ///   - limit: the most bytes of a symbol, 16 or more
    /// - Returns: bytes, from 16 up; nil if there is none: the payload has fewer than 10 symbols of 16 bytes,
    ///   or no multiple of 8 gives a K that is in table 2, as for some lengths below 1 kB and above 700 kB
    public static func symbolLength(forPayloadOf length: Int, atMost limit: Int = 1072) -> Int? {
        guard length >= 1, limit >= minimumSymbolLength else { return nil }
        let fewest = ObjectTransmissionInformation.dividingUp(length, by: limit)
        for row in BlockParameters.firstRow(where: { $0 >= fewest })..<BlockParameters.rowCount {
            let symbols = BlockParameters.extendedSymbols(row: row)
            let symbol = (ObjectTransmissionInformation.dividingUp(length, by: symbols) + 7) / 8 * 8
            if symbol < minimumSymbolLength { return nil }
            guard symbol <= limit, ObjectTransmissionInformation.dividingUp(length, by: symbol) == symbols
            else { continue }
            let information = try? ObjectTransmissionInformation(payloadLength: length, packetLength: symbol)
            if information?.sourceBlocks == 1 { return symbol }
        }
        return nil
    }

    /// Shorter symbols are not sent: no reader is known to take them.
    private static let minimumSymbolLength = 16

    /// Makes for each block its source packets, then its repair packets.
    /// - Parameter repair: the number of repair packets of each block; packets whose id would exceed 24 bits
    ///   are left out
    public func packets(repair: Int) -> [[UInt8]] {
        (0..<information.sourceBlocks).flatMap { block in
            let symbols = sourceSymbols(ofBlock: block)
            let source = (0..<information.sourceSymbols(inBlock: block)).map {
                packet(block: block, id: $0, symbol: symbols.row($0))
            }
            return repair > 0 ? source + repairPackets(repair, ofBlock: block, symbols: symbols) : source
        }
    }

    private func packet(block: Int, id: Int, symbol: UnsafePointer<UInt8>) -> [UInt8] {
        let length = EncodingPacket.headerLength + information.symbolLength
        return [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
            for (index, byte) in EncodingPacket.header(block: block, id: id).enumerated() {
                buffer[index] = byte
            }
            (buffer.baseAddress! + EncodingPacket.headerLength).update(
                from: symbol, count: information.symbolLength)
            count = length
        }
    }

    private func sourceSymbols(ofBlock block: Int) -> SymbolMatrix {
        let symbols = SymbolMatrix(
            rowCount: information.sourceSymbols(inBlock: block), symbolLength: information.symbolLength)
        let layout = information.layout(ofBlock: block)
        payload.withUnsafeBufferPointer { payload in
            for number in 0..<symbols.rowCount {
                layout.forEachPiece(ofSymbol: number) { piece in
                    let target = symbols.row(number) + piece.symbolOffset
                    if let source = payload.baseAddress, piece.inside > 0 {
                        target.update(from: source + piece.payloadOffset, count: piece.inside)
                    }
                    (target + piece.inside).update(repeating: 0, count: piece.length - piece.inside)
                }
            }
        }
        return symbols
    }

    private func repairPackets(_ repair: Int, ofBlock block: Int, symbols: SymbolMatrix) -> [[UInt8]] {
        let parameters = BlockParameters(sourceSymbols: symbols.rowCount)
        let identifiers = (0..<parameters.extendedSymbols).map { UInt32($0) }
        let indices = (0..<parameters.extendedSymbols).map { $0 < symbols.rowCount ? Int32($0) : -1 }
        guard let elimination = Elimination.run(parameters, identifiers: identifiers, symbols: indices) else {
            preconditionFailure("source symbols alone are peeled, for each K′ of table 2")
        }
        let received = ReceivedSymbols(
            base: symbols.base, length: information.symbolLength, stride: symbols.stride)
        guard elimination.isComplete, let intermediate = elimination.solve(received) else {
            preconditionFailure("source symbols determine a block for every row of table 2")
        }
        let scratch = FixedArray<UInt8>(repeating: 0, count: symbols.stride)
        var packets: [[UInt8]] = []
        for index in 0..<repair {
            let id = parameters.repairSymbolID(index, numbering: numbering)
            guard id <= EncodingPacket.maximumSymbolID else { break }
            guard let identifier = parameters.internalSymbolID(of: UInt32(id), numbering: numbering) else {
                continue
            }
            intermediate.writeSymbol(identifier, to: scratch.base)
            packets.append(packet(block: block, id: id, symbol: scratch.base))
        }
        return packets
    }
}
