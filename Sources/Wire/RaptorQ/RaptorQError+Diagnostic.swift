import Diagnostics

extension RaptorQError: DiagnosticError {
    /// One code: whichever part of a transfer is wrong, a script scans it again.
    public enum Code: String, CaseIterable, Sendable { case raptorQ = "raptorq" }

    public var code: Code { .raptorQ }

    public var sentence: String {
        switch self {
        case .packetTooShort(let length): "a packet of \(Sentence.count(length, "byte")) is too short"
        case .payloadLengthOutOfRange(let length): "a payload of \(Sentence.count(length, "byte")) cannot be sent"
        case .symbolLengthInvalid(let length): "\(Sentence.count(length, "byte")) is not a valid symbol length"
        case .tooManySourceBlocks(let count): "\(Sentence.count(count, "source block")) \(Sentence.be(count)) too many"
        case .symbolLengthChanged(let expected, let found): "a symbol has \(Sentence.count(found, "byte")), but the others have \(expected)"
        case .sourceBlockOutOfRange(let number, let count): "source block \(number) is out of range: there \(Sentence.be(count)) \(count)"
        case .encodingSymbolImpossible(let block, let id): "source block \(block) has no symbol \(id)"
        case .symbolConflict(let block, let id): "symbol \(id) of source block \(block) was read twice with different contents"
        case .paddingNotZero(let block, let id): "the padding of symbol \(id) of source block \(block) is not zero"
        case .symbolsInconsistent(let block): "the symbols of source block \(block) come from different payloads"
        }
    }

    public static var examples: [RaptorQError] {
        [
            .packetTooShort(length: 3), .payloadLengthOutOfRange(length: 0), .symbolLengthInvalid(length: 70_000),
            .tooManySourceBlocks(count: 300), .symbolLengthChanged(expected: 1072, found: 512), .sourceBlockOutOfRange(number: 4, count: 4),
            .encodingSymbolImpossible(block: 0, id: 1 << 24), .symbolConflict(block: 0, id: 7), .paddingNotZero(block: 0, id: 9),
            .symbolsInconsistent(block: 0),
        ]
    }
}
