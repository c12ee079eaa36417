import Diagnostics

/// What is wrong with a transfer or one of its packets. Lengths are in bytes.
public enum RaptorQError: Error, Equatable, Sendable {
    /// A packet needs a payload id of 4 bytes and at least one byte of symbol.
    case packetTooShort(length: Int)
    /// Payloads have 1 byte to ``ObjectTransmissionInformation/maximumPayloadLength``.
    case payloadLengthOutOfRange(length: Int)
    /// Symbols have 1…65535 bytes, and a multiple of 8 from 64 bytes up.
    case symbolLengthInvalid(length: Int)
    /// The payload would take more source blocks than a source block number can tell apart.
    case tooManySourceBlocks(count: Int)
    /// The symbol has another length than this transfer's symbols.
    case symbolLengthChanged(expected: Int, found: Int)
    /// The source block number is not below the number of source blocks.
    case sourceBlockOutOfRange(number: Int, count: Int)
    /// No symbol of this block has this id: it exceeds 24 bits, or is between K and K′ in the numbering that
    /// skips those.
    case encodingSymbolImpossible(block: Int, id: Int)
    /// A symbol came twice with different contents.
    case symbolConflict(block: Int, id: Int)
    /// The bytes that pad the last source symbol are not zero.
    case paddingNotZero(block: Int, id: Int)
    /// The symbols of this block do not come from one payload.
    case symbolsInconsistent(block: Int)
    /// The symbols of this block were chosen so that solving them takes far more work than those that a
    /// camera happens to read.
    case unsolvable(block: Int)
}

extension RaptorQError: DiagnosticError {
    /// One code: whichever part of a transfer is wrong, a script scans it again. What no sender makes has
    /// another.
    public var diagnostic: Diagnostic {
        if case .unsolvable = self {
            return .badInput("raptorq-unsolvable", words, hint: Hints.oneAnimation)
        }
        return .badInput("raptorq", words, hint: Hints.oneAnimation)
    }

    private var words: String {
        switch self {
        case .packetTooShort(let length): "a packet of \(Sentence.count(length, "byte")) is too short"
        case .payloadLengthOutOfRange(let length):
            "a payload of \(Sentence.count(length, "byte")) cannot be sent"
        case .symbolLengthInvalid(let length):
            "\(Sentence.count(length, "byte")) is not a valid symbol length"
        case .tooManySourceBlocks(let count):
            "\(Sentence.count(count, "source block")) \(Sentence.be(count)) too many"
        case .symbolLengthChanged(let expected, let found):
            "a symbol has \(Sentence.count(found, "byte")), but the others have \(expected)"
        case .sourceBlockOutOfRange(let number, let count):
            "source block \(number) is out of range: there \(Sentence.be(count)) \(count)"
        case .encodingSymbolImpossible(let block, let id): "source block \(block) has no symbol \(id)"
        case .symbolConflict(let block, let id):
            "symbol \(id) of source block \(block) was read twice with different contents"
        case .paddingNotZero(let block, let id):
            "the padding of symbol \(id) of source block \(block) is not zero"
        case .symbolsInconsistent(let block):
            "the symbols of source block \(block) come from different payloads"
        case .unsolvable(let block):
            "the symbols of source block \(block) take too much work to solve: no sender chooses such ones"
        }
    }

    public static var examples: [RaptorQError] {
        [
            .packetTooShort(length: 3), .payloadLengthOutOfRange(length: 0),
            .symbolLengthInvalid(length: 70_000),
            .tooManySourceBlocks(count: 300), .symbolLengthChanged(expected: 1072, found: 512),
            .sourceBlockOutOfRange(number: 4, count: 4),
            .encodingSymbolImpossible(block: 0, id: 1 << 24), .symbolConflict(block: 0, id: 7),
            .paddingNotZero(block: 0, id: 9),
            .symbolsInconsistent(block: 0), .unsolvable(block: 0),
        ]
    }
}
