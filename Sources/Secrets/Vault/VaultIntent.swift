import Keys
import SCALE

/// The file `intent`: a change of the vault file that was announced before the trust store committed its side
/// of it.
///
/// Two files cannot change at once. The store's transaction decides: it names the new vault file, or it did
/// not happen. So this file holds the new vault file whole, and the next unlock either puts it in place or
/// removes it. Every other mixture of the two files is tampering.
///
/// SCALE, fields in this order: `HELIOGIN`, format u8 (1), id [16], revision u64 of the vault file before,
/// next Vec<u8> the whole vault file after, seal [32]. The seal is keyed BLAKE2b-256, under a key drawn from
/// the data key before the change, of everything before it.
struct VaultIntent: Equatable, Sendable {
    static let name = "intent"
    private static let magic = Array("HELIOGIN".utf8)
    private static let format: UInt8 = 1
    static let lengthLimit = VaultFile.lengthLimit + 256

    let id: [UInt8]
    let formerRevision: UInt64
    let next: VaultFile
    var seal: [UInt8]

    func encoded() -> [UInt8] { sealedPart() + seal }

    func sealedPart() -> [UInt8] {
        SCALEWriter.encode { writer in
            writer.raw(Self.magic)
            writer.u8(Self.format)
            writer.raw(id)
            writer.integer(formerRevision)
            writer.byteVector(next.encoded())
        }
    }

    init(from former: VaultFile, to next: VaultFile) {
        id = former.id
        formerRevision = former.revision
        self.next = next
        seal = []
    }

    /// An intent is written whole or not at all, so one of another program or another vault is not left over
    /// from a crash.
    init(_ bytes: [UInt8]) throws(VaultError) {
        guard bytes.starts(with: Self.magic), bytes.dropFirst(Self.magic.count).first == Self.format else {
            throw .tampered("intent")
        }
        let file: [UInt8]
        do {
            var reader = SCALEReader(Array(bytes[(Self.magic.count + 1)...]))
            id = try reader.bytes(count: 16)
            formerRevision = try reader.integer()
            file = try reader.byteVector()
            seal = try reader.bytes(count: VaultFile.sealLength)
            try reader.finish()
        } catch { throw .tampered("intent") }
        next = try VaultFile(file)
        guard next.id == id, next.revision > 0, next.revision - 1 == formerRevision else {
            throw .tampered("intent")
        }
    }
}
