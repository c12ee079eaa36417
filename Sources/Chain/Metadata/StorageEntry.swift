import SCALE
import SubstratePrimitives

/// Where a runtime keeps a value, or a map of values, and what they are encoded by.
public struct StorageEntry: Sendable {
    /// How a part of a key is hashed; the raw value is its index in the metadata.
    public enum Hasher: UInt8, Sendable {
        /// BLAKE2b of 128 or 256 bits.
        case blake2b128 = 0, blake2b256
        /// BLAKE2b of 128 bits, then the part.
        case blake2b128Concat
        /// XXH64 of two or four seeds.
        case twox128, twox256
        /// XXH64 of one seed, then the part.
        case twox64Concat
        /// The part itself.
        case identity
    }

    /// What the pallet's part of a key is made of; the pallet's name on most runtimes.
    public let prefix: String
    /// One for each part of the key; none for a single value.
    public let hashers: [Hasher]
    /// The type of the key, a tuple where it has several parts; nil for a single value.
    public let key: TypeReference?
    /// What the value is encoded by.
    public let value: TypeReference
}

extension RuntimeMetadata {
    /// A storage entry of a pallet; nil where the pallet has none of that name, has two, or uses an unknown
    /// hasher, and in metadata 12 and 13.
    public func storage(_ entry: String, in pallet: String) -> StorageEntry? {
        guard version >= 14, let pallet = pallets.first(where: { $0.name.utf8Equals(pallet) }) else {
            return nil
        }
        let layout = MetadataLayout(version: version)
        var reader = SCALEReader(blob, range: pallet.storage..<blob.count)
        // The blob was read to its end before, so nothing is malformed here.
        guard (try? reader.bool()) == true, let prefix = try? reader.string(),
            let count = try? reader.count()
        else { return nil }
        var found: [StorageEntry] = []
        for _ in 0..<count {
            guard let next = try? layout.storageEntry(&reader) else { return nil }
            guard blob[next.name].elementsEqual(entry.utf8) else { continue }
            let hashers = blob[next.hashers].compactMap(StorageEntry.Hasher.init)
            guard hashers.count == next.hashers.count else { return nil }
            found.append(
                StorageEntry(prefix: prefix, hashers: hashers, key: next.key, value: next.value))
        }
        return found.count == 1 ? found[0] : nil
    }
}
