import Glibc
import SCALE

/// The newest generation that was confirmed, in a file beside the store. It reveals a store that is replaced by an older one.
///
/// 40 bytes: generation as u64, little-endian, then keyed BLAKE2b-256. It does not reveal that both files are replaced together; only a head
/// of the log does that a person keeps on paper or in a picture.
struct GenerationMark {
    static let name = "store.mark"
    let directory: String

    /// 0 when there is no mark under this key.
    func confirmed(key: borrowing SealKey) -> UInt64 { (try? read(key: key)) ?? 0 }

    /// Records that `generation` is on the disk; never lowers the number.
    func raise(to generation: UInt64, key: borrowing SealKey) throws(StoreError) {
        let lock = try File(directory, O_RDONLY | O_DIRECTORY)
        try lock.lock()
        if confirmed(key: key) >= generation { return }
        let number = SCALEWriter.encode { $0.integer(generation) }
        try File.replace(Self.name, in: directory, with: number + tag(number, key: key))
    }

    func read(key: borrowing SealKey) throws(StoreError) -> UInt64 {
        guard let bytes = try? File("\(directory)/\(Self.name)", O_RDONLY).read(limit: 4096), bytes.count == 40,
            SealKey.isEqual(tag(Array(bytes[..<8]), key: key), Array(bytes[8...]))
        else { throw .generationMarkBroken }
        var reader = SCALEReader(bytes)
        return (try? reader.integer(UInt64.self)) ?? 0
    }

    private func tag(_ number: [UInt8], key: borrowing SealKey) -> [UInt8] {
        key.authenticate([Array("heliograph store generation".utf8), number], length: 32)
    }
}
