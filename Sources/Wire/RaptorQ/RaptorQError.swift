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
    /// No symbol of this block has this id: it exceeds 24 bits, or is between K and K′ in the numbering that skips those.
    case encodingSymbolImpossible(block: Int, id: Int)
    /// A symbol came twice with different contents.
    case symbolConflict(block: Int, id: Int)
    /// The bytes that pad the last source symbol are not zero.
    case paddingNotZero(block: Int, id: Int)
    /// The symbols of this block do not come from one payload.
    case symbolsInconsistent(block: Int)
}
