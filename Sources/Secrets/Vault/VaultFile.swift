import SCALE
import SubstratePrimitives

/// The file `vault` on the disk.
///
/// SCALE, fields in this order: `HELIOGVT`, format u8 (4), id [16], development bool, revision u64, store
/// generation u64, slots Vec<KeySlot>, seeds Vec<SealedSeed>, keys Vec<SealedKey>, seal [32]. The seal is
/// keyed BLAKE2b-256, under a key drawn from the data key, of everything before it.
struct VaultFile: Equatable, Sendable {
    static let name = "vault"
    /// 8 slots, 1024 seeds and 1024 keys fill less than this.
    static let lengthLimit = 384 * 1024
    static let slotLimit = 8
    static let seedLimit = 1024
    static let keyLimit = 1024
    static let format: UInt8 = 4
    /// Seeds and keys are bound to the number of their own layout, another one than the file's.
    private static let boundFormat: UInt8 = 1
    /// The layout of key slots, to which each is bound.
    private static let slotFormat: UInt8 = 2
    static let magic = Array("HELIOGVT".utf8)

    struct SealedSeed: Equatable, Sendable {
        var name: String
        /// The revision of the file in which this seed was written.
        var revision: UInt64
        /// 24 bytes of nonce, 49 of ciphertext: length, entropy, zeros up to 33.
        var box: SealedBox.Box

        static func == (one: SealedSeed, other: SealedSeed) -> Bool {
            one.name.utf8Equals(other.name) && one.revision == other.revision && one.box == other.box
        }
    }

    /// A key that was imported: no seed gives it, so its secret lies here itself.
    struct SealedKey: Equatable, Sendable {
        var key: PublicKey
        /// The revision of the file in which this key was written.
        var revision: UInt64
        /// 24 bytes of nonce, 81 of ciphertext: length, secret, zeros up to 65.
        var box: SealedBox.Box
    }

    /// 16 random bytes.
    var id: [UInt8]
    var development: Bool
    /// Grows by one with every change of the slots, seeds and keys.
    var revision: UInt64
    /// The newest generation of the trust store that this device has confirmed; 0 before there is a store.
    var storeGeneration: UInt64
    var slots: [KeySlot]
    var seeds: [SealedSeed]
    var keys: [SealedKey]
    var seal: [UInt8]

    static let wrappedKeyLength = SealedBox.keyLength + SealedBox.tagLength
    static let sealedSeedLength = 33 + SealedBox.tagLength
    static let sealedKeyLength = 65 + SealedBox.tagLength
    static let sealLength = 32

    // MARK: Writing

    func encoded() -> [UInt8] { sealedPart() + seal }

    /// Everything that the seal covers.
    func sealedPart() -> [UInt8] { part(storeGeneration: storeGeneration) }

    /// The part that the trust store names: everything but the store's own generation, which changes with
    /// each line of its log.
    func contentPart() -> [UInt8] { part(storeGeneration: nil) }

    private func part(storeGeneration: UInt64?) -> [UInt8] {
        SCALEWriter.encode { writer in
            writer.raw(Self.magic)
            writer.u8(Self.format)
            writer.raw(id)
            writer.bool(development)
            writer.integer(revision)
            if let storeGeneration { writer.integer(storeGeneration) }
            writer.vector(slots) { writer, slot in
                slot.writeHeader(to: &writer)
                writer.raw(slot.box.nonce)
                writer.raw(slot.box.ciphertext)
            }
            writer.vector(seeds) { writer, seed in
                writer.string(seed.name)
                writer.integer(seed.revision)
                writer.raw(seed.box.nonce)
                writer.raw(seed.box.ciphertext)
            }
            writer.vector(keys) { writer, key in
                Self.write(key.key, to: &writer)
                writer.integer(key.revision)
                writer.raw(key.box.nonce)
                writer.raw(key.box.ciphertext)
            }
        }
    }

    private static func write(_ key: PublicKey, to writer: inout SCALEWriter) {
        writer.u8(key.scheme.rawValue)
        writer.raw(key.bytes)
    }

    /// What a wrapped data key is bound to: the vault, its development flag, and the slot's own header.
    func associatedBytes(of slot: KeySlot) -> [UInt8] {
        SCALEWriter.encode { writer in
            writer.string("heliograph key slot")
            writer.u8(Self.slotFormat)
            writer.raw(id)
            writer.bool(development)
            slot.writeHeader(to: &writer)
        }
    }

    /// What a sealed seed is bound to: the vault, the name and the revision.
    func associatedBytes(ofSeed name: String, revision: UInt64) -> [UInt8] {
        SCALEWriter.encode { writer in
            writer.string("heliograph seed")
            writer.u8(Self.boundFormat)
            writer.raw(id)
            writer.string(name)
            writer.integer(revision)
        }
    }

    /// What a sealed key is bound to: the vault, the public key and the revision.
    func associatedBytes(ofKey key: PublicKey, revision: UInt64) -> [UInt8] {
        SCALEWriter.encode { writer in
            writer.string("heliograph key")
            writer.u8(Self.boundFormat)
            writer.raw(id)
            Self.write(key, to: &writer)
            writer.integer(revision)
        }
    }

    // MARK: Reading

    init(id: [UInt8], development: Bool) {
        self.id = id
        self.development = development
        revision = 0
        storeGeneration = 0
        slots = []
        seeds = []
        keys = []
        seal = []
    }

    /// Reads a file and refuses costs out of bounds before anything is derived with them.
    init(_ bytes: [UInt8]) throws(VaultError) {
        guard bytes.count <= Self.lengthLimit, bytes.starts(with: Self.magic) else {
            throw .malformed("magic")
        }
        let format = bytes.dropFirst(Self.magic.count).first ?? 0
        guard format == Self.format else { throw .unknownFormat(format) }
        do {
            self = try Self.read(SCALEReader(Array(bytes[(Self.magic.count + 1)...])))
        } catch {
            throw .malformed("fields")
        }
        guard (1...Self.slotLimit).contains(slots.count), seeds.count <= Self.seedLimit,
            keys.count <= Self.keyLimit
        else { throw .malformed("counts") }
        for cost in slots.compactMap(\.cost) where !cost.isAllowed(development: development) {
            throw .malformed("cost")
        }
        guard slots.allSatisfy(\.isRule) else { throw .malformed("slots") }
        guard Set(seeds.map { Array($0.name.utf8) }).count == seeds.count else {
            throw .malformed("seed names")
        }
        guard Set(keys.map(\.key)).count == keys.count else { throw .malformed("keys") }
    }

    private static func read(_ source: SCALEReader) throws(SCALEError) -> VaultFile {
        var reader = source
        var file = VaultFile(id: try reader.bytes(count: 16), development: try reader.bool())
        file.revision = try reader.integer()
        file.storeGeneration = try reader.integer()
        file.slots = try reader.vector(
            minimumElementSize: 1 + 1 + SealedBox.nonceLength + wrappedKeyLength
        ) { reader throws(SCALEError) in
            KeySlot(
                factors: try reader.vector(minimumElementSize: 2) { reader throws(SCALEError) in
                    try KeySlot.Factor(&reader)
                }, box: try box(&reader, length: wrappedKeyLength))
        }
        file.seeds = try reader.vector(minimumElementSize: 1 + 8 + SealedBox.nonceLength + sealedSeedLength) {
            reader throws(SCALEError) in
            SealedSeed(
                name: try reader.string(), revision: try reader.integer(),
                box: try box(&reader, length: sealedSeedLength))
        }
        file.keys = try reader.vector(
            minimumElementSize: 1 + 32 + 8 + SealedBox.nonceLength + sealedKeyLength
        ) { reader throws(SCALEError) in
            SealedKey(
                key: try key(&reader), revision: try reader.integer(),
                box: try box(&reader, length: sealedKeyLength))
        }
        file.seal = try reader.bytes(count: sealLength)
        try reader.finish()
        return file
    }

    private static func key(_ reader: inout SCALEReader) throws(SCALEError) -> PublicKey {
        let offset = reader.offset
        let number = try reader.u8()
        guard let scheme = SignatureScheme(rawValue: number),
            let key = PublicKey(
                scheme: scheme, bytes: try reader.bytes(count: scheme.publicKeyLength))
        else { throw SCALEError(.invalidDiscriminant(number), offset: offset) }
        return key
    }

    private static func box(_ reader: inout SCALEReader, length: Int) throws(SCALEError) -> SealedBox.Box {
        SealedBox.Box(
            nonce: try reader.bytes(count: SealedBox.nonceLength), ciphertext: try reader.bytes(count: length)
        )
    }
}
