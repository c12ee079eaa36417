import SCALE
import SubstratePrimitives

/// A payload as it is sent. Metadata may be compressed (code a2), which nobody can review: only
/// ``expanded(by:)`` makes a ``Payload`` of it, and everything that acts takes a ``Payload``.
public enum PackedPayload: Sendable, Equatable {
    /// Any payload that is not compressed.
    case payload(Payload)
    /// Code a2.
    case compressed(CompressedPayload)

    /// Decodes a payload; no byte may be left after it.
    /// - Throws: ``PayloadError``, but never ``PayloadError/compressed``.
    public init(_ bytes: [UInt8]) throws(PayloadError) {
        if let prelude = try? Prelude(bytes), prelude.code == .loadMetadataCompressed {
            self = .compressed(try CompressedPayload(prelude, bytes))
        } else {
            self = .payload(try Payload(bytes))
        }
    }

    /// The payload with its metadata uncompressed; a payload without compressed metadata stays the same.
    /// - Parameter expand: decompresses the frame into exactly the number of bytes it is asked for, or
    ///   throws.
    public func expanded<E>(by expand: (_ frame: [UInt8], _ length: UInt32) throws(E) -> [UInt8]) throws(E)
        -> Payload
    {
        switch self {
        case .payload(let payload): payload
        case .compressed(let compressed): try compressed.expanded(by: expand)
        }
    }
}

/// Code a2 with its prelude: an update of which nobody can see more than the network and the signer.
public struct CompressedPayload: Sendable, Equatable {
    /// Its scheme and its code.
    public let prelude: Prelude
    /// The whole payload, prelude included.
    public let bytes: [UInt8]
    /// What follows the prelude.
    public let metadata: CompressedMetadata

    fileprivate init(_ prelude: Prelude, _ bytes: [UInt8]) throws(PayloadError) {
        self.prelude = prelude
        self.bytes = bytes
        metadata = try CompressedMetadata(prelude, SCALEReader(bytes, range: Prelude.length..<bytes.count))
    }

    fileprivate func expanded<E>(
        by expand: (_ frame: [UInt8], _ length: UInt32) throws(E) -> [UInt8]
    ) throws(E) -> Payload {
        let blob = try expand(metadata.frame, metadata.length)
        return Payload(prelude: prelude, bytes: bytes, content: .update(metadata.update(of: blob)))
    }
}
