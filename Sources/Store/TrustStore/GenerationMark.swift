import Glibc
import SCALE
import SystemIO

/// The newest generation that was confirmed, in a file beside the store, as programs kept it that did not name it in the vault file. It is
/// removed when such a vault is opened.
///
/// 40 bytes: generation as u64, little-endian, then keyed BLAKE2b-256.
struct GenerationMark {
    static let name = "store.mark"
    let directory: String

    private func read(key: borrowing SealKey) throws(StoreError) -> UInt64 {
        guard let bytes = try? File("\(directory)/\(Self.name)", O_RDONLY).read(limit: 4096), bytes.count == 40,
            SealKey.isEqual(tag(Array(bytes[..<8]), key: key), Array(bytes[8...]))
        else { throw .generationMarkBroken }
        var reader = SCALEReader(bytes)
        return (try? reader.integer(UInt64.self)) ?? 0
    }

    /// Refuses a store of an older generation.
    func check(_ generation: UInt64, key: borrowing SealKey) throws(StoreError) {
        let confirmed = try read(key: key)
        guard generation >= confirmed else { throw .rolledBack(found: generation, confirmed: confirmed) }
    }

    func remove() { unlink("\(directory)/\(Self.name)") }

    private func tag(_ number: [UInt8], key: borrowing SealKey) -> [UInt8] {
        key.authenticate([Array("heliograph store generation".utf8), number], length: 32)
    }
}
