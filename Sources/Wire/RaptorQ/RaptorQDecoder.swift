/// Recovers a payload from encoding packets that arrive one by one, in any order, with any of them missing.
///
/// Senders number repair symbols in two ways (``RepairNumbering``), and packets do not tell which. The
/// decoder follows both until the symbols prove one: by all source symbols, K = K′, an id that only one
/// numbering has, one symbol more than K, or the same payload under both. K symbols with a repair symbol
/// among them prove nothing: any K symbols decode to something, and the right numbering may be the one under
/// which they do not determine the block yet. The content of a payload never decides. Memory is bounded by
/// the packets that arrived, whatever length was announced. Source: RFC 6330, section 5.4.
public struct RaptorQDecoder: Sendable {
    /// A payload that the packets decode to.
    public struct Candidate: Equatable, Sendable {
        public let payload: [UInt8]
        /// The numbering under which they do; nil if it makes no difference.
        public let numbering: RepairNumbering?

        package init(payload: [UInt8], numbering: RepairNumbering?) {
            self.payload = payload
            self.numbering = numbering
        }
    }

    /// How far the decoder is.
    public struct Progress: Equatable, Sendable {
        /// Whether the packets give a payload, and whether they prove it.
        public enum State: Equatable, Sendable {
            case collecting
            /// There is a candidate, but nothing proves it; the right payload may be none of the candidates.
            /// One more packet usually settles it.
            case ambiguous
            /// There is one candidate, and it is proven.
            case complete
        }

        /// Distinct symbols so far.
        public let collected: Int
        /// Symbols that are needed at least: the number of source symbols.
        public let needed: Int
        public let state: State

        package init(collected: Int, needed: Int, state: State) {
            self.collected = collected
            self.needed = needed
            self.state = state
        }

        public var isComplete: Bool { state == .complete }
        public var isAmbiguous: Bool { state == .ambiguous }
    }

    public let information: ObjectTransmissionInformation
    /// One or two payloads once enough packets arrived; empty before, and after
    /// ``RaptorQError/symbolsInconsistent(block:)``.
    ///
    /// While the state is ``Progress/State/ambiguous`` they are guesses, even if there is only one.
    public private(set) var candidates: [Candidate] = []

    /// The payload, once it is proven.
    public var payload: [UInt8]? { state == .complete ? candidates.first?.payload : nil }

    /// In the last block, the first source symbol that may hold padding.
    private let firstPaddedSymbol: Int
    private var numberings: [RepairNumbering]
    /// Whether the symbols prove the remaining numbering.
    private var isNumberingProved: Bool
    private var blocks: [SourceBlockDecoder?]
    private var collected = 0
    /// Why every further packet is refused.
    private var failure: RaptorQError?
    private var state = Progress.State.collecting
    /// What the last candidates were made from.
    private var recovery = Recovery(numberings: [], isNumberingIrrelevant: false)

    private struct Recovery: Equatable {
        /// The numberings under which every block is recovered.
        var numberings: [RepairNumbering]
        /// Whether every block is the same under each of them.
        var isNumberingIrrelevant: Bool
    }

    /// - Parameters:
    ///   - payloadLength: bytes of the whole payload, as each frame announces it
    ///   - packetLength: bytes that each packet carries behind its four bytes of payload id
    ///   - numbering: how the sender numbers repair symbols, if that is known
    public init(payloadLength: Int, packetLength: Int, numbering: RepairNumbering? = nil) throws(RaptorQError)
    {
        information = try ObjectTransmissionInformation(
            payloadLength: payloadLength, packetLength: packetLength)
        guard information.symbolLength == packetLength else {
            throw .symbolLengthInvalid(length: packetLength)
        }
        let sizes = [information.blockPartition.largeSize, information.blockPartition.smallSize]
        let isIrrelevant = sizes.allSatisfy { BlockParameters(sourceSymbols: $0).hasNoPaddingSymbols }
        numberings = (numbering ?? (isIrrelevant ? .rfc6330 : nil)).map { [$0] } ?? RepairNumbering.allCases
        isNumberingProved = numberings.count == 1
        firstPaddedSymbol =
            information.subBlocks > 1
            ? 0 : information.sourceSymbols(inBlock: information.sourceBlocks - 1) - 1
        blocks = Array(repeating: nil, count: information.sourceBlocks)
    }

    public var progress: Progress {
        Progress(collected: collected, needed: information.totalSourceSymbols, state: state)
    }

    /// Takes a packet: payload id and symbol. A repeated packet is not an error and changes nothing.
    ///
    /// An error leaves the decoder unchanged, except ``RaptorQError/symbolsInconsistent(block:)`` and
    /// ``RaptorQError/unsolvable(block:)``: then the packets belong to more than one payload, or were chosen
    /// to cost much; there are no candidates, and every further packet is refused.
    @discardableResult
    public mutating func add(packet: ArraySlice<UInt8>) throws(RaptorQError) -> Progress {
        let packet = try EncodingPacket(parsing: packet)
        let number = packet.sourceBlockNumber
        guard packet.symbol.count == information.symbolLength else {
            throw .symbolLengthChanged(expected: information.symbolLength, found: packet.symbol.count)
        }
        if let failure { throw failure }
        guard number < blocks.count else { throw .sourceBlockOutOfRange(number: number, count: blocks.count) }
        guard hasZeroPadding(packet) else {
            throw .paddingNotZero(block: number, id: packet.encodingSymbolID)
        }
        try take(packet)
        return progress
    }

    @discardableResult
    public mutating func add(packet: [UInt8]) throws(RaptorQError) -> Progress {
        try add(packet: packet[...])
    }

    private mutating func take(_ packet: EncodingPacket) throws(RaptorQError) {
        let number = packet.sourceBlockNumber
        if blocks[number] == nil {
            blocks[number] = SourceBlockDecoder(
                number: number, sourceSymbols: information.sourceSymbols(inBlock: number),
                symbolLength: information.symbolLength,
                numberings: numberings)
        }
        let before = blocks[number]!.collected
        do {
            let outcome = try blocks[number]!.add(UInt32(packet.encodingSymbolID), packet.symbol)
            collected += blocks[number]!.collected - before
            if outcome == .advanced { try settle(afterBlock: number) }
        } catch {
            switch error {
            case .symbolsInconsistent, .unsolvable: fail(error)
            case .packetTooShort, .payloadLengthOutOfRange, .symbolLengthInvalid, .tooManySourceBlocks,
                .symbolLengthChanged, .sourceBlockOutOfRange, .encodingSymbolImpossible, .symbolConflict,
                .paddingNotZero:
                break
            }
            throw error
        }
    }

    private mutating func fail(_ error: RaptorQError) {
        failure = error
        blocks = []
        numberings = []
        candidates = []
        state = .collecting
    }

    /// Applies to all blocks what one block has ruled out, and makes the candidates that are due.
    private mutating func settle(afterBlock number: Int) throws(RaptorQError) {
        guard let block = blocks[number] else { return }
        let possible = block.possibleNumberings
        let rulesOut = possible.count < numberings.count
        if rulesOut {
            keepOnly(possible)
            isNumberingProved = true
        }
        // A complete payload changes only when the block rules out a numbering.
        guard rulesOut || state != .complete else { return }
        let recovery = currentRecovery
        if rulesOut || recovery != self.recovery {
            self.recovery = recovery
            makeCandidates(recovery)
        }
        state = currentState
        guard !numberings.isEmpty else { throw .symbolsInconsistent(block: number) }
    }

    private var currentRecovery: Recovery {
        Recovery(
            numberings: numberings.filter { numbering in
                blocks.allSatisfy { $0?.isRecovered(numbering) ?? false }
            },
            isNumberingIrrelevant: blocks.allSatisfy {
                $0.map { $0.hasAllSource || $0.isNumberingIrrelevant } ?? false
            })
    }

    private mutating func keepOnly(_ possible: [RepairNumbering]) {
        for numbering in numberings where !possible.contains(numbering) {
            for index in blocks.indices { blocks[index]?.exclude(numbering) }
        }
        numberings = numberings.filter { possible.contains($0) }
    }
}

// MARK: - Payloads

extension RaptorQDecoder {
    /// Whether the part of a source symbol that lies behind the payload's end is zero.
    private func hasZeroPadding(_ packet: EncodingPacket) -> Bool {
        let block = packet.sourceBlockNumber
        guard block == blocks.count - 1, packet.encodingSymbolID >= firstPaddedSymbol else { return true }
        guard packet.encodingSymbolID < information.sourceSymbols(inBlock: block) else { return true }
        return packet.symbol.withUnsafeBufferPointer { symbol in
            information.layout(ofBlock: block).hasZeroPadding(symbol, number: packet.encodingSymbolID)
        }
    }

    /// One candidate for each numbering under which every block is recovered, equal ones once.
    private mutating func makeCandidates(_ recovery: Recovery) {
        let isIrrelevant = recovery.isNumberingIrrelevant
        candidates = []
        for numbering in recovery.numberings.prefix(isIrrelevant ? 1 : recovery.numberings.count) {
            guard let payload = payload(numbering) else {
                keepOnly(numberings.filter { $0 != numbering })
                continue
            }
            candidates.append(Candidate(payload: payload, numbering: isIrrelevant ? nil : numbering))
        }
        if candidates.count == 2 && candidates[0].payload == candidates[1].payload {
            candidates = [Candidate(payload: candidates[0].payload, numbering: nil)]
        }
    }

    private var currentState: Progress.State {
        guard let first = candidates.first else { return .collecting }
        guard candidates.count == 1 else { return .ambiguous }
        // nil: the numbering makes no difference, or both lead to this payload.
        guard let numbering = first.numbering else { return .complete }
        guard numberings == [numbering] else { return .ambiguous }
        // Padding may have ruled the other one out, which says only that the other is wrong.
        return isNumberingProved || blocks.contains { $0?.isConfirmed(numbering) ?? false }
            ? .complete : .ambiguous
    }

    /// The payload of recovered blocks, or nil if the padding behind it is not zero: then the numbering is
    /// wrong.
    private func payload(_ numbering: RepairNumbering) -> [UInt8]? {
        let length = information.payloadLength
        if blocks.count == 1, information.subBlocks == 1, let symbols = blocks[0]?.sourceInOrder {
            return symbols.count == length ? symbols : Array(symbols[..<length])
        }
        var isPadded = true
        let payload = [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
            for number in blocks.indices {
                let layout = information.layout(ofBlock: number)
                blocks[number]?.forEachSourceSymbol(numbering) { symbolNumber, symbol in
                    isPadded = isPadded && layout.hasZeroPadding(symbol, number: symbolNumber)
                    layout.forEachPiece(ofSymbol: symbolNumber) { piece in
                        guard piece.inside > 0, let source = symbol.baseAddress,
                            let target = buffer.baseAddress
                        else { return }
                        (target + piece.payloadOffset).update(
                            from: source + piece.symbolOffset, count: piece.inside)
                    }
                }
            }
            count = length
        }
        return isPadded ? payload : nil
    }
}
