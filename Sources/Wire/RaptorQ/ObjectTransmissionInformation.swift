/// How a payload is cut into source blocks, sub-blocks and symbols.
///
/// It is never sent; both sides derive it from the payload's length and the length of a symbol, by RFC 6330,
/// section 4.3, with the constants of raptorq 1.8 and later: symbol alignment Al = 8, or 1 for symbols below
/// 64 bytes; sub-symbols of at least SS = 8 units; WS = 10 MiB of working memory for a block.
public struct ObjectTransmissionInformation: Hashable, Sendable {
    /// The longest payload, in bytes: 255 blocks of 56403 symbols of 65535 bytes. RFC 6330 as corrected by
    /// erratum 5548.
    public static let maximumPayloadLength = 942_574_504_275
    /// The most source blocks: their count is sent in 8 bits elsewhere. RFC 6330 as corrected by erratum
    /// 5548.
    public static let maximumSourceBlocks = 255
    /// The longest symbol, in bytes: its length is sent in 16 bits elsewhere. RFC 6330, section 3.3.2.
    public static let maximumSymbolLength = 65535

    /// SS, in units of the alignment
    private static let subSymbolUnits = 8
    /// WS, in bytes
    private static let workingMemory = 10 * 1024 * 1024
    /// Symbols of this many bytes and more are aligned to 8.
    static let alignedFrom = 64

    /// F, in bytes
    public let payloadLength: Int
    /// T, in bytes
    public let symbolLength: Int
    /// Z
    public let sourceBlocks: Int
    /// N: parts into which each block is interleaved
    public let subBlocks: Int
    /// Al, in bytes
    public let alignment: Int

    /// - Parameters:
    ///   - payloadLength: bytes of the whole payload, 1…``maximumPayloadLength``
    ///   - packetLength: bytes that a packet carries behind its payload id; rounded down to the alignment
    ///     this is the symbol length
    public init(payloadLength: Int, packetLength: Int) throws(RaptorQError) {
        guard payloadLength >= 1, payloadLength <= Self.maximumPayloadLength else {
            throw .payloadLengthOutOfRange(length: payloadLength)
        }
        guard packetLength >= 1, packetLength <= Self.maximumSymbolLength else {
            throw .symbolLengthInvalid(length: packetLength)
        }
        let alignment = packetLength < Self.alignedFrom ? 1 : 8
        let symbolLength = packetLength / alignment * alignment
        let totalSymbols = Self.dividingUp(payloadLength, by: symbolLength)
        let maximumSubBlocks = max(1, symbolLength / (Self.subSymbolUnits * alignment))

        // KL(n): the most symbols in a block whose sub-blocks fit the working memory when there are n of
        // them.
        func symbolLimit(subBlocks: Int) -> Int {
            let subSymbolLength = Self.dividingUp(symbolLength, by: alignment * subBlocks) * alignment
            let firstTooLarge = BlockParameters.firstRow { $0 > Self.workingMemory / subSymbolLength }
            return BlockParameters.extendedSymbols(row: firstTooLarge - 1)
        }
        let blocks = Self.dividingUp(totalSymbols, by: symbolLimit(subBlocks: maximumSubBlocks))
        guard blocks <= Self.maximumSourceBlocks else { throw .tooManySourceBlocks(count: blocks) }
        let largestBlock = Self.dividingUp(totalSymbols, by: blocks)
        self.payloadLength = payloadLength
        self.symbolLength = symbolLength
        self.sourceBlocks = blocks
        self.subBlocks =
            (1...maximumSubBlocks).first { largestBlock <= symbolLimit(subBlocks: $0) } ?? maximumSubBlocks
        self.alignment = alignment
    }

    /// ceil(numerator / denominator)
    static func dividingUp(_ numerator: Int, by denominator: Int) -> Int {
        (numerator + denominator - 1) / denominator
    }

    /// Kt: source symbols in all blocks.
    public var totalSourceSymbols: Int { Self.dividingUp(payloadLength, by: symbolLength) }

    /// Partition[I, J]: I things in J groups, the larger groups first. RFC 6330, section 4.4.1.1.
    struct Partition: Equatable {
        let largeSize: Int
        let smallSize: Int
        let largeCount: Int

        init(_ things: Int, into groups: Int) {
            largeSize = ObjectTransmissionInformation.dividingUp(things, by: groups)
            smallSize = things / groups
            largeCount = things - smallSize * groups
        }

        func size(_ group: Int) -> Int { group < largeCount ? largeSize : smallSize }

        /// Things in all groups before this one.
        func start(_ group: Int) -> Int {
            smallSize * group + min(group, largeCount) * (largeSize - smallSize)
        }
    }

    var blockPartition: Partition { Partition(totalSourceSymbols, into: sourceBlocks) }

    /// K of a block.
    public func sourceSymbols(inBlock block: Int) -> Int { blockPartition.size(block) }

    func layout(ofBlock block: Int) -> BlockLayout { BlockLayout(self, block: block) }
}

/// Where the source symbols of a block stand in the payload. RFC 6330, section 4.4.1.2.
struct BlockLayout {
    /// A part of a source symbol that stands in one piece in the payload.
    struct Piece: Equatable {
        /// Offset in the payload.
        let payloadOffset: Int
        let symbolOffset: Int
        let length: Int
        /// How many of its bytes lie in the payload; the rest is padding.
        let inside: Int
    }

    private let payloadLength: Int
    private let symbolLength: Int
    private let blockOffset: Int
    /// K
    private let sourceSymbols: Int
    private let subBlocks: Int
    private let alignment: Int
    private let units: ObjectTransmissionInformation.Partition

    init(_ information: ObjectTransmissionInformation, block: Int) {
        let partition = information.blockPartition
        payloadLength = information.payloadLength
        symbolLength = information.symbolLength
        blockOffset = partition.start(block) * information.symbolLength
        sourceSymbols = partition.size(block)
        subBlocks = information.subBlocks
        alignment = information.alignment
        units = ObjectTransmissionInformation.Partition(symbolLength / alignment, into: subBlocks)
    }

    /// The sub-symbols of a source symbol, one in each sub-block.
    @inline(__always)
    func forEachPiece(ofSymbol symbol: Int, _ body: (Piece) -> Void) {
        for part in 0..<subBlocks {
            let start = subBlocks == 1 ? 0 : units.start(part) * alignment
            let length = subBlocks == 1 ? symbolLength : units.size(part) * alignment
            let offset = blockOffset + start * sourceSymbols + symbol * length
            let inside = min(max(payloadLength - offset, 0), length)
            body(Piece(payloadOffset: offset, symbolOffset: start, length: length, inside: inside))
        }
    }

    /// Whether what a source symbol holds beyond the payload's end is zeros.
    @inline(__always)
    func hasZeroPadding(_ symbol: UnsafeBufferPointer<UInt8>, number: Int) -> Bool {
        var isZero = true
        forEachPiece(ofSymbol: number) { piece in
            guard piece.inside < piece.length else { return }
            let padding = symbol[(piece.symbolOffset + piece.inside)..<(piece.symbolOffset + piece.length)]
            if padding.contains(where: { $0 != 0 }) { isZero = false }
        }
        return isZero
    }
}
