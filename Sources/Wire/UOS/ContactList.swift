import SCALE
import SubstratePrimitives

/// Accounts with names, as the body of a payload a3 has them. `ContactLists.md` in `heliograph.docc` has the
/// layout byte by byte.
public struct ContactList: Sendable, Equatable {
    /// One account and the name that the issuer gives it.
    public struct Entry: Sendable, Equatable {
        /// 32 bytes; 20 of an Ethereum-style account.
        public let account: [UInt8]
        /// 1…``ContactList/maximumLabel`` bytes of UTF-8. The format does not limit the characters; a vault
        /// does.
        public let label: String
        /// At most ``ContactList/maximumNote`` bytes of UTF-8.
        public let note: String
        /// The chains on which the account has this name, ascending, at most ``ContactList/maximumNetworks``;
        /// empty for all.
        public let networks: [GenesisHash]

        /// - `networks`: in any order.
        public init(account: [UInt8], label: String, note: String = "", networks: [GenesisHash] = []) {
            self.init(
                account: account, label: label, note: note,
                ascending: networks.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) })
        }

        fileprivate init(account: [UInt8], label: String, note: String, ascending networks: [GenesisHash]) {
            self.account = account
            self.label = label
            self.note = note
            self.networks = networks
        }

        public static func == (one: Entry, other: Entry) -> Bool {
            one.account == other.account && one.label.utf8Equals(other.label)
                && one.note.utf8Equals(other.note)
                && one.networks == other.networks
        }

        fileprivate func failure(_ index: Int) -> Failure? {
            guard account.count == 20 || account.count == 32 else {
                return .account(entry: index, bytes: account.count)
            }
            guard (1...ContactList.maximumLabel).contains(label.utf8.count) else {
                return .label(entry: index, bytes: label.utf8.count)
            }
            guard note.utf8.count <= ContactList.maximumNote else {
                return .note(entry: index, bytes: note.utf8.count)
            }
            let isAscending = zip(networks, networks.dropFirst()).allSatisfy {
                $0.bytes.lexicographicallyPrecedes($1.bytes)
            }
            guard isAscending, networks.count <= ContactList.maximumNetworks else {
                return .networks(entry: index)
            }
            return nil
        }
    }

    /// A rule of the format that is broken. Entries count from 1.
    public enum Failure: Error, Equatable, Sendable {
        /// The body names another key than the one that signed it.
        case issuerDiffers
        /// More entries than ``ContactList/maximumEntries``.
        case tooMany(Int)
        /// An account of another length than 20 or 32 bytes.
        case account(entry: Int, bytes: Int)
        /// A label that is empty or too long.
        case label(entry: Int, bytes: Int)
        /// A note that is too long.
        case note(entry: Int, bytes: Int)
        /// Networks that are too many, or do not ascend.
        case networks(entry: Int)
        /// The accounts do not ascend, so that an account may stand in the list twice.
        case notAscending(entry: Int)

        var words: String {
            switch self {
            case .issuerDiffers: "it names another issuer than the key that signed it"
            case .tooMany(let count):
                "it has \(count) entries, at most \(ContactList.maximumEntries) are read"
            case .account(let entry, let bytes):
                "the account of entry \(entry) has \(bytes) bytes instead of 20 or 32"
            case .label(let entry, let bytes):
                "the label of entry \(entry) has \(bytes) bytes instead of 1 to \(ContactList.maximumLabel)"
            case .note(let entry, let bytes):
                "the note of entry \(entry) has \(bytes) bytes, at most \(ContactList.maximumNote) are read"
            case .networks(let entry):
                """
                the networks of entry \(entry) do not ascend, or are more than \(ContactList.maximumNetworks)
                """
            case .notAscending(let entry):
                "the account of entry \(entry) does not come after the one before it"
            }
        }
    }

    /// Entries: every contact of a vault is under its seal, which each unlock computes again.
    public static let maximumEntries = 1024
    /// Bytes of UTF-8.
    public static let maximumLabel = 64
    /// Bytes of UTF-8.
    public static let maximumNote = 256
    /// Networks of one entry.
    public static let maximumNetworks = 64
    /// The prefix of the body when it is signed: it keeps a signature over a list from fitting anything else.
    public static let tag = Array("heliograph-contact-list-1".utf8)

    /// The key that signs the list. It stands in the signed bytes, so that no other key can be found for an
    /// ecdsa signature.
    public let issuer: PublicKey
    /// Ascends from list to list of one issuer.
    public let number: UInt32
    /// Ascending by account as bytes, no account twice.
    public let entries: [Entry]

    /// - `entries`: in any order.
    public init(issuer: PublicKey, number: UInt32, entries: [Entry]) throws(Failure) {
        try self.init(
            issuer: issuer, number: number,
            ascending: entries.sorted { $0.account.lexicographicallyPrecedes($1.account) })
    }

    private init(issuer: PublicKey, number: UInt32, ascending entries: [Entry]) throws(Failure) {
        self.issuer = issuer
        self.number = number
        self.entries = entries
        guard entries.count <= Self.maximumEntries else { throw .tooMany(entries.count) }
        for (index, entry) in entries.enumerated() {
            if let failure = entry.failure(index + 1) { throw failure }
            if index > 0, !entries[index - 1].account.lexicographicallyPrecedes(entry.account) {
                throw .notAscending(entry: index + 1)
            }
        }
    }

    /// Reads a body that takes all bytes.
    /// - Throws: ``PayloadError/malformed(place:_:)``, ``PayloadError/contactList(_:)``
    public init(body: [UInt8]) throws(PayloadError) {
        let read = try PayloadError.reading("contact list", SCALEReader(body, range: 0..<body.count)) {
            (reader: inout SCALEReader) throws(SCALEError) in
            let offset = reader.offset
            let byte = try reader.u8()
            guard let scheme = SignatureScheme(rawValue: byte) else {
                throw SCALEError(.invalidDiscriminant(byte), offset: offset)
            }
            let issuer = PublicKey(scheme: scheme, bytes: try reader.bytes(count: scheme.publicKeyLength))!
            // An account of 20 bytes, a label of one, no note and no network.
            return (
                issuer, try reader.integer(UInt32.self), try reader.vector(minimumElementSize: 25, Self.entry)
            )
        }
        do throws(Failure) { try self.init(issuer: read.0, number: read.1, ascending: read.2) } catch {
            throw .contactList(error)
        }
    }

    private static func entry(_ reader: inout SCALEReader) throws(SCALEError) -> Entry {
        Entry(
            account: try reader.byteVector(), label: try reader.string(), note: try reader.string(),
            ascending: try reader.vector(minimumElementSize: 32) {
                (reader: inout SCALEReader) throws(SCALEError) in try reader.hash32()
            })
    }

    /// Scheme byte ‖ public key of the issuer ‖ number, u32 little-endian ‖ Vec of entries: account and
    /// label, note as byte vectors, Vec of genesis hashes.
    public var body: [UInt8] {
        SCALEWriter.encode { writer in
            writer.u8(issuer.scheme.rawValue)
            writer.raw(issuer.bytes)
            writer.integer(number)
            writer.vector(entries) { writer, entry in
                writer.byteVector(entry.account)
                writer.string(entry.label)
                writer.string(entry.note)
                writer.vector(entry.networks) { $0.raw($1.bytes) }
            }
        }
    }

    /// The bytes that the issuer signs in the domain `heliograph`: ``tag`` ‖ ``body``. sr25519 signs them
    /// under the context `heliograph`; for the other schemes 64 bytes `ff` are put in front.
    public var signedBytes: [UInt8] { Self.tag + body }
}

/// Code a3: a list of contacts, always signed.
///
/// After the prelude: the issuer's public key, the body as a byte vector, the signature. Nothing else may
/// follow.
public struct ContactListPayload: Sendable, Equatable {
    /// What the list says.
    public let list: ContactList
    /// The issuer's signature over ``ContactList/signedBytes`` in the domain `heliograph`. It is not verified
    /// here.
    public let signature: UpdateSignature

    /// - `signature`: `SignatureScheme.signatureLength` bytes of the list's issuer, which is not checked.
    public init(_ list: ContactList, signature: [UInt8]) {
        self.list = list
        self.signature = UpdateSignature(key: list.issuer, signature: signature)
    }

    init(_ prelude: Prelude, _ source: SCALEReader) throws(PayloadError) {
        guard let scheme = prelude.scheme else { throw .schemeMissing(prelude.code) }
        let read = try PayloadError.reading("contact list", source) {
            (reader: inout SCALEReader) throws(SCALEError) in
            (
                try reader.bytes(count: scheme.publicKeyLength), try reader.byteVector(),
                try reader.bytes(count: scheme.signatureLength)
            )
        }
        list = try ContactList(body: read.1)
        signature = UpdateSignature(key: PublicKey(scheme: scheme, bytes: read.0)!, signature: read.2)
        guard signature.key == list.issuer else { throw .contactList(.issuerDiffers) }
    }

    func encode(into writer: inout SCALEWriter) {
        writer.raw(signature.key.bytes)
        writer.byteVector(list.body)
        writer.raw(signature.signature)
    }
}
