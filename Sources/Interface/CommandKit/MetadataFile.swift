import FoundationEssentials
import Hashing
import SCALE
import SubstratePrimitives
import TerminalIO
import UOS

/// Metadata as files hold it: raw or hex, bare or wrapped as a node answers (`Vec<u8>`, `Option<Vec<u8>>`).
package enum MetadataFile {
    package static func blob(_ file: [UInt8], path: String) throws(CommandError) -> [UInt8] {
        let magic = Array("meta".utf8)
        let bytes =
            file.starts(with: magic)
            ? file : (Hex.decode(String(decoding: file, as: UTF8.self).trimmed) ?? file)
        if bytes.starts(with: magic) { return bytes }
        for skipped in [0, 1] {
            var reader = SCALEReader(Array(bytes.dropFirst(skipped)))
            if let inner = try? reader.byteVector(), reader.remaining == 0, inner.starts(with: magic) {
                return inner
            }
        }
        throw .notMetadata(path: path)
    }

    /// The entries of a types supplement: of a payload that carries them, or alone.
    package static func types(_ file: [UInt8], path: String) throws -> [UInt8] {
        let bytes = Hex.decode(String(decoding: file, as: UTF8.self).trimmed) ?? file
        guard bytes.first == Prelude.firstByte, case .update(let update)? = try? Payload(bytes).content,
            case .loadTypes(let types) = update.content
        else {
            return bytes
        }
        return types
    }
}

extension NetworkSpecs {
    /// One object, or an array of them.
    package static func list(fromJSON bytes: [UInt8], path: String) throws(CommandError) -> [NetworkSpecs] {
        let decoder = JSONDecoder()
        let data = Data(bytes)
        if let many = try? decoder.decode([NetworkSpecs].self, from: data) { return many }
        do {
            return [try decoder.decode(NetworkSpecs.self, from: data)]
        } catch {
            throw .badSpecs(path: path, reason: String(describing: error))
        }
    }
}
