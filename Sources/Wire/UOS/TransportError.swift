import RaptorQ

/// Why the QR codes of a scan do not make a payload.
public enum TransportError: Error, Equatable, Sendable {
    /// The input held no QR code.
    case noCodes
    case emptyCode
    case frameTooShort(bytes: Int)
    case frameIndexOutOfRange(index: Int, count: Int)
    /// Two legacy frames with the same place and other bytes.
    case frameContradicts(index: Int, count: Int)
    /// Frames of both envelopes in one scan.
    case mixedEnvelopes
    case raptorQ(RaptorQError)
    /// Legacy frames that were never read, counted from 0.
    case missingFrames(missing: [Int], count: Int)
    /// RaptorQ symbols that are still needed.
    case missingSymbols(collected: Int, needed: Int)
    /// More different payloads than one scan may carry.
    case tooManyPayloads(Int)
}
