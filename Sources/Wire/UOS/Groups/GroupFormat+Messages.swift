import SCALE
import SubstratePrimitives

/// How the messages of a group are read and written.
extension GroupFormat {
    /// A message: prelude, version, fields.
    static func bytes(_ scheme: SignatureScheme?, _ code: PayloadCode, _ fields: (inout SCALEWriter) -> Void)
        -> [UInt8]
    {
        SCALEWriter.encode { writer in
            writer.raw(Prelude(scheme: scheme, code: code).bytes)
            writer.u8(version)
            fields(&writer)
        }
    }

    /// The fields of a message that takes all bytes of `body`.
    /// - Parameter maximum: bytes of the longest message of this code, prelude included; longer ones are
    ///   refused before a field is read.
    static func reading<T>(
        _ prelude: Prelude, _ body: SCALEReader, maximum: Int, _ fields: (inout SCALEReader) throws -> T
    ) throws(PayloadError) -> T {
        var reader = body
        do {
            let length = Prelude.length + reader.remaining
            guard length <= maximum else { throw GroupFailure.tooLong(bytes: length, maximum: maximum) }
            let version = try reader.u8()
            guard version == Self.version else { throw GroupFailure.version(version) }
            let value = try fields(&reader)
            try reader.finish()
            return value
        } catch let error as SCALEError {
            throw .malformed(place: prelude.code.kind, error)
        } catch let failure as GroupFailure {
            throw .group(prelude.code, failure)
        } catch let error as PayloadError {
            throw error
        } catch {
            fatalError("a reader throws its own errors only")
        }
    }

    /// The scheme of a group: ed25519 or sr25519.
    static func scheme(of prelude: Prelude) throws(PayloadError) -> SignatureScheme {
        guard let scheme = prelude.scheme, scheme == .ed25519 || scheme == .sr25519 else {
            throw .group(prelude.code, .scheme(prelude.scheme))
        }
        return scheme
    }
}
