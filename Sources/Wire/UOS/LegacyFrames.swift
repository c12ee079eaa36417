import Diagnostics
import RaptorQ

/// Frames that number their parts: `00`, frame count and frame index as big-endian u16, part; ``LegacyFrame``
/// is one of them.
///
/// Source: the "Universal Offline Signatures" document, multipart frames.
public enum LegacyFrames {
    /// Why a payload cannot be framed.
    public enum Failure: Error, Equatable, Sendable {
        /// A payload of no bytes.
        case emptyPayload
        /// More frames than the 65535 that a frame can count; how many it would be.
        case tooManyFrames(Int)
    }

    /// Bytes before the part.
    public static let headerLength = 5
    /// Bytes of a part as polkadot-js cuts them.
    public static let standardPartLength = 1024

    /// Parts of `partLength` bytes; the last may be shorter. A payload that fits in one part becomes one
    /// frame.
    /// - Parameters:
    ///   - payload: 1 byte or more.
    ///   - partLength: bytes, 1 or more.
    /// - Throws: ``Failure``
    public static func frames(of payload: [UInt8], partLength: Int = standardPartLength) throws(Failure)
        -> [[UInt8]]
    {
        precondition(partLength > 0, "a part has at least one byte")
        guard !payload.isEmpty else { throw .emptyPayload }
        let starts = Array(stride(from: 0, to: payload.count, by: partLength))
        guard let count = UInt16(exactly: starts.count) else { throw .tooManyFrames(starts.count) }
        return zip(0..<count, starts).map { index, start in
            LegacyFrame(
                count: count, index: index, part: payload[start..<min(start + partLength, payload.count)]
            ).bytes
        }
    }
}

extension LegacyFrames.Failure: DiagnosticError {
    public var diagnostic: Diagnostic {
        switch self {
        case .emptyPayload: .badInput("empty-payload", "the payload is empty, so there is nothing to draw")
        case .tooManyFrames(let count):
            .badInput("too-many-frames", "the payload needs \(count) frames, more than can be numbered")
        }
    }

    public static var examples: [Self] { [.emptyPayload, .tooManyFrames(70_000)] }
}
