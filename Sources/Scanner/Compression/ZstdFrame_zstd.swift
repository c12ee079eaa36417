import CZstd
import Diagnostics
import ScanProtocol

/// One zstd frame (RFC 8878) of the only kind that compressed updates use: a single segment with its length
/// and a checksum, without a dictionary.
///
/// A single segment is its own window, so the length is also the bound of the memory that expanding takes.
public enum ZstdFrame {
    /// Why bytes cannot be compressed.
    public enum Failure: Error, Equatable, Sendable {
        /// The library failed; its own name for the error.
        case notCompressed(String)
        /// The compressed bytes do not expand to the original.
        case notFaithful
    }

    /// The strongest level. Updates are rare, and each byte has to be scanned.
    private static let level: Int32 = 22
    private static let magic: [UInt8] = [0x28, 0xb5, 0x2f, 0xfd]
    /// Frame header descriptor (RFC 8878, 3.1.1.1.1): which bits are fixed, and how. Bits 6 and 7 give the
    /// size of the length field.
    private static let fixedBits: UInt8 = 0b0011_1111
    private static let singleSegmentWithChecksum: UInt8 = 0b0010_0100

    /// The expanded bytes of `frame`.
    /// - `length`: the exact number of expanded bytes. So much memory is taken before the content is read.
    public static func expand(_ frame: [UInt8], length: UInt32) throws(ExpansionProblem) -> [UInt8] {
        try check(frame, length: length)
        guard let context = ZSTD_createDCtx() else { throw .outOfMemory }
        defer { ZSTD_freeDCtx(context) }
        var result = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(length)) { buffer, count in
            result = ZSTD_decompressDCtx(context, buffer.baseAddress, buffer.count, frame, frame.count)
            count = ZSTD_isError(result) == 0 ? min(result, buffer.count) : 0
        }
        if let problem = problem(result) { throw problem }
        guard bytes.count == Int(length) else {
            throw .lengthDiffers(announced: length, found: UInt32(clamping: bytes.count))
        }
        return bytes
    }

    /// What the header says of a frame, before its content is read.
    private static func check(_ frame: [UInt8], length: UInt32) throws(ExpansionProblem) {
        guard frame.starts(with: magic) else {
            throw frame.count < magic.count && magic.starts(with: frame) ? .truncated : .notAFrame
        }
        guard frame.count > magic.count else { throw .truncated }
        guard frame[magic.count] & fixedBits == singleSegmentWithChecksum else { throw .unsupportedFrame }
        // The two highest values mean an unknown length and a header that is cut.
        let announced = ZSTD_getFrameContentSize(frame, frame.count)
        guard announced < UInt64.max - 1 else { throw .truncated }
        guard announced == UInt64(length) else {
            throw .lengthDiffers(announced: length, found: UInt32(clamping: announced))
        }
        let end = ZSTD_findFrameCompressedSize(frame, frame.count)
        if let problem = problem(end) { throw problem }
        guard end == frame.count else { throw .trailing(bytes: UInt32(clamping: frame.count - end)) }
    }

    private static func problem(_ result: Int) -> ExpansionProblem? {
        guard ZSTD_isError(result) != 0 else { return nil }
        return switch ZSTD_getErrorCode(result) {
        case ZSTD_error_srcSize_wrong: .truncated
        case ZSTD_error_memory_allocation: .outOfMemory
        default: .corrupt
        }
    }

    /// The frame for `bytes`; it is expanded again and compared.
    public static func compress(_ bytes: [UInt8]) throws -> [UInt8] {
        guard let context = ZSTD_createCCtx() else { throw Failure.notCompressed("out of memory") }
        defer { ZSTD_freeCCtx(context) }
        for (parameter, value) in [
            (ZSTD_c_compressionLevel, level), (ZSTD_c_contentSizeFlag, 1), (ZSTD_c_checksumFlag, 1),
            (ZSTD_c_dictIDFlag, 0),
        ] {
            try check(ZSTD_CCtx_setParameter(context, parameter, value))
        }
        var result = 0
        let frame = [UInt8](unsafeUninitializedCapacity: ZSTD_compressBound(bytes.count)) { buffer, count in
            result = ZSTD_compress2(context, buffer.baseAddress, buffer.count, bytes, bytes.count)
            count = ZSTD_isError(result) == 0 ? result : 0
        }
        try check(result)
        guard let length = UInt32(exactly: bytes.count), try expand(frame, length: length) == bytes else {
            throw Failure.notFaithful
        }
        return frame
    }

    private static func check(_ result: Int) throws(Failure) {
        guard ZSTD_isError(result) == 0 else {
            throw .notCompressed(String(cString: ZSTD_getErrorName(result)))
        }
    }
}

extension ZstdFrame.Failure: DiagnosticError {
    public var diagnostic: Diagnostic {
        switch self {
        case .notCompressed(let reason):
            .inputOutput("compression-failed", "the metadata cannot be compressed: \(reason)")
        case .notFaithful:
            .inputOutput(
                "compression-failed",
                "the compressed metadata does not expand to the original: hardware fault or bug")
        }
    }

    public static var examples: [Self] { [.notCompressed("allocation error"), .notFaithful] }
}
