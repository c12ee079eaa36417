import CZstd
import ScanProtocol

/// One zstd frame (RFC 8878) that need not say how long its content is, as compressed runtimes are.
public enum ZstdStream {
    /// 128 MiB, the largest window that a decoder must support by the library's own default
    /// (`ZSTD_WINDOWLOG_LIMIT_DEFAULT`).
    private static let windowLog: Int32 = 27

    /// The expanded bytes of `frame`, one whole frame with nothing behind it.
    ///
    /// Memory is taken as content comes, so a frame that lies about its length costs what it really holds, at
    /// most `limit` and one window.
    /// - `limit`: the most bytes that come out; more are refused.
    public static func expand(_ frame: [UInt8], limit: Int) throws(ExpansionProblem) -> [UInt8] {
        guard let context = ZSTD_createDCtx() else { throw .outOfMemory }
        defer { ZSTD_freeDCtx(context) }
        guard ZSTD_isError(ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, windowLog)) == 0 else {
            throw .outOfMemory
        }
        var content: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: ZSTD_DStreamOutSize())
        var position = 0
        while true {
            let step = chunk.withUnsafeMutableBytes { out in
                frame.withUnsafeBytes { bytes in
                    var input = ZSTD_inBuffer(src: bytes.baseAddress, size: bytes.count, pos: position)
                    var output = ZSTD_outBuffer(dst: out.baseAddress, size: out.count, pos: 0)
                    let result = ZSTD_decompressStream(context, &output, &input)
                    return (result: result, taken: input.pos, made: output.pos)
                }
            }
            if let problem = problem(step.result) { throw problem }
            guard step.made <= limit - content.count else { throw .tooLong(bytes: UInt32(clamping: limit)) }
            content += chunk[..<step.made]
            // 0: the frame is complete, and the library stops behind it.
            if step.result == 0 {
                guard step.taken == frame.count else {
                    throw .trailing(bytes: UInt32(clamping: frame.count - step.taken))
                }
                return content
            }
            guard step.taken < frame.count || step.made > 0 else { throw .truncated }
            position = step.taken
        }
    }

    private static func problem(_ result: Int) -> ExpansionProblem? {
        guard ZSTD_isError(result) != 0 else { return nil }
        return switch ZSTD_getErrorCode(result) {
        case ZSTD_error_prefix_unknown: .notAFrame
        case ZSTD_error_frameParameter_windowTooLarge: .unsupportedFrame
        case ZSTD_error_memory_allocation: .outOfMemory
        default: .corrupt
        }
    }
}
