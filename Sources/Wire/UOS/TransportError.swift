import RaptorQ

/// Why the QR codes of a scan do not make a payload.
public enum TransportError: Error, Equatable, Sendable {
    /// The input held no QR code.
    case noCodes
    /// A QR code of no bytes.
    case emptyCode
    /// A frame that ends before its part or symbol begins; the number of its bytes.
    case frameTooShort(bytes: Int)
    /// A legacy frame whose index, counted from 0, is not below its count.
    case frameIndexOutOfRange(index: Int, count: Int)
    /// Two legacy frames with the same index and different bytes; the index counts from 0.
    case frameContradicts(index: Int, count: Int)
    /// Frames of both envelopes in one scan.
    case mixedEnvelopes
    /// RaptorQ packets that announce too much or contradict each other.
    case raptorQ(RaptorQError)
    /// Legacy frames that were never read, counted from 0.
    case missingFrames(missing: [Int], count: Int)
    /// Too few RaptorQ symbols: different ones that were read, and how many are needed at least.
    case missingSymbols(collected: Int, needed: Int)
    /// More different payloads than the 16 that one scan may carry.
    case tooManyPayloads(Int)
}
