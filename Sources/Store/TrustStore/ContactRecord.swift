import SCALE
import SubstratePrimitives

/// An account of somebody else that a person named. Name and note are encrypted only in a contact with
/// ``sealed``; all other contacts are readable on the disk.
public struct ContactRecord: Sendable, Hashable {
    /// What the column `scheme` holds where only the account is known.
    static let noScheme: UInt8 = 255

    /// nil where only the account is known, not the scheme of its key.
    public var scheme: SignatureScheme?
    /// 32 bytes, 20 for an Ethereum-style account.
    public let account: [UInt8]
    public var label: String
    public var note: String
    /// The chains on which the account is this contact; empty for all.
    public var networks: [GenesisHash]
    /// A private contact's name and note, encrypted; nil for every other.
    public var sealed: [UInt8]?
    /// Where it comes from, such as a signed list.
    public var source: String

    public init(
        scheme: SignatureScheme?, account: [UInt8], label: String, note: String = "",
        networks: [GenesisHash] = [], sealed: [UInt8]? = nil,
        source: String = ""
    ) {
        self.scheme = scheme
        self.account = account
        self.label = label
        self.note = note
        self.networks = networks
        self.sealed = sealed
        self.source = source
    }

    /// nil where the columns do not hold what they should.
    init?(
        scheme: UInt8, account: [UInt8], label: String, note: String, networks: [GenesisHash],
        sealed: [UInt8]?, source: String
    ) {
        let known = SignatureScheme(rawValue: scheme)
        guard known != nil || scheme == Self.noScheme, account.count == 32 || account.count == 20 else {
            return nil
        }
        self.init(
            scheme: known, account: account, label: label, note: note, networks: networks, sealed: sealed,
            source: source)
    }

    var encodedNetworks: [UInt8] {
        SCALEWriter.encode { writer in writer.vector(networks) { $0.raw($1.bytes) } }
    }

    /// nil for anything but `Vec<[u8; 32]>`.
    static func networks(_ encoded: [UInt8]) -> [GenesisHash]? {
        var reader = SCALEReader(encoded)
        guard
            let networks = try? reader.vector(
                minimumElementSize: 32, { (reader) throws(SCALEError) in try reader.hash32() }),
            (try? reader.finish()) != nil
        else { return nil }
        return networks
    }

    public static func == (one: ContactRecord, other: ContactRecord) -> Bool {
        one.scheme == other.scheme && one.account == other.account && one.label.utf8Equals(other.label)
            && one.note.utf8Equals(other.note)
            && one.networks == other.networks && one.sealed == other.sealed
            && one.source.utf8Equals(other.source)
    }
}

/// A key whose lists of contacts a person accepts. It vouches for no metadata and no network. The number of
/// its last list is a setting, which outlives the signer.
public struct ListSignerRecord: Sendable, Hashable {
    public let publicKey: PublicKey
    public var label: String

    public init(publicKey: PublicKey, label: String) {
        self.publicKey = publicKey
        self.label = label
    }

    public static func == (one: ListSignerRecord, other: ListSignerRecord) -> Bool {
        one.publicKey == other.publicKey && one.label.utf8Equals(other.label)
    }
}
