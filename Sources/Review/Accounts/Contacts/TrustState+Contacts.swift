import Hashing
import Keys
import SCALE
import SubstratePrimitives
import TrustStore
import UOS

extension TrustState {
    /// The contact of an account.
    public func contact(account: [UInt8]) -> ContactRecord? { contacts.first { $0.account == account } }

    /// The own key of an account.
    public func ownKey(account: [UInt8]) -> KeyRecord? { keys.first { $0.publicKey.accountID == account } }

    /// The signer whose lists a person accepts.
    public func listSigner(_ key: PublicKey) -> ListSignerRecord? {
        listSigners.first { $0.publicKey == key }
    }

    /// The contact that a name or an address stands for. Private contacts are found by their address only.
    /// - Throws: ``ContactRefusal/noSuchContact(_:)``
    public func contact(named name: String) throws(ContactRefusal) -> ContactRecord {
        if let account = try? AccountText(name).account, let contact = contact(account: account) {
            return contact
        }
        guard let contact = contacts.first(where: { !$0.isPrivate && $0.label.utf8Equals(name) }) else {
            throw .noSuchContact(name)
        }
        return contact
    }

    /// An account as text, in the form of the first network that the contact is for.
    public func address(of contact: ContactRecord) -> String {
        let specs = contact.networks.lazy.compactMap { networks(genesis: $0).first }.first
        return Self.address(of: contact.account, prefix: specs?.base58Prefix ?? 42)
    }

    /// SS58 with this prefix, EIP-55 for 20 bytes; hex where neither fits.
    public static func address(of account: [UInt8], prefix: UInt16) -> String {
        EthereumAddress(bytes: account)?.text ?? SS58Address(prefix: prefix, account: account)?.text ?? "0x"
            + Hex.encode(account)
    }

    /// The name of a list's signer: the name the person gave to an added signer, or the label of a key of
    /// this vault.
    public func name(ofListSigner key: PublicKey) -> String {
        if let signer = listSigner(key) { return signer.label }
        guard let own = self.key(key) else { return key.fingerprint }
        return place(of: own)
    }

    /// Number and BLAKE2b-256 of the body of the last list of a signer that was imported, or signed here.
    public func lastList(of key: PublicKey) -> (number: UInt32, body: Hash32)? {
        guard let value = settings[ContactListSetting.name(of: key)] else { return nil }
        var reader = SCALEReader(value)
        guard let number = try? reader.integer(UInt32.self), let body = try? reader.hash32(),
            (try? reader.finish()) != nil
        else {
            return nil
        }
        return (number, body)
    }

    /// Whether a key vouches for metadata, types or specs of any network.
    public func isMetadataVerifier(_ key: PublicKey) -> Bool {
        generalVerifier == key || verifiers.values.contains(.custom(key))
    }
}

/// The last list of each signer, as the store keeps it. It outlives the signer, so that removing and adding a
/// signer does not admit an older list.
package enum ContactListSetting {
    private static let prefix = "contact_list."

    package static func name(of key: PublicKey) -> String {
        "\(prefix)\(key.scheme.name).\(Hex.encode(key.bytes))"
    }

    /// The change that records a list.
    package static func recording(_ list: ContactList) -> TrustChange {
        .putSetting(
            name(of: list.issuer),
            SCALEWriter.encode { writer in
                writer.integer(list.number)
                writer.raw(Hash32.blake2b(of: list.body).bytes)
            })
    }
}

/// An account as a person types it, or as wallets show it in a QR code.
public struct AccountText: Sendable, Equatable {
    /// 32 bytes, or 20.
    public let account: [UInt8]
    /// The network that the text names; nil where it names none.
    public let genesis: GenesisHash?
    /// The prefix of an SS58 address.
    public let prefix: UInt16?

    /// Longer texts are not the code of an address: an address, a genesis hash, and a name that is not read.
    private static let maximumLength = 512

    /// Reads an SS58 address, `0x` and 40 digits, or `substrate:ADDRESS:0xGENESIS` and
    /// `ethereum:ADDRESS:0xGENESIS` of an address QR code, each with or without genesis hash and with or
    /// without a name behind it. The name is what the code's maker chose, so it is not read.
    /// - Throws: ``ContactRefusal/notAnAddress(_:)``
    public init(_ text: String) throws(ContactRefusal) {
        let refusal = ContactRefusal.notAnAddress(String(text.prefix(Self.shownLength)))
        guard text.utf8.count <= Self.maximumLength else { throw refusal }
        let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).map {
            String(Substring($0))
        }
        let isCode = parts.count > 1
        guard !isCode || parts[0].utf8Equals("substrate") || parts[0].utf8Equals("ethereum") else {
            throw refusal
        }
        let address = isCode ? parts[1] : parts[0]
        if let ethereum = try? EthereumAddress(address) {
            guard !isCode || parts[0].utf8Equals("ethereum") else { throw refusal }
            (account, prefix) = (ethereum.bytes, nil)
        } else {
            guard !isCode || parts[0].utf8Equals("substrate"), let ss58 = try? SS58Address(address),
                ss58.account.count == 32
            else {
                throw refusal
            }
            (account, prefix) = (ss58.account, ss58.prefix)
        }
        guard parts.count > 2, !parts[2].isEmpty else {
            genesis = nil
            return
        }
        guard parts[2].utf8Starts(with: "0x"),
            let hash = GenesisHash(hex: String(Substring(parts[2].utf8.dropFirst(2))))
        else {
            throw refusal
        }
        genesis = hash
    }

    /// Characters of a text that a refusal repeats.
    private static let shownLength = 80

    /// The address of a QR code; nil where the bytes are something else.
    public init?(code bytes: [UInt8]) {
        guard let text = String(validating: bytes, as: UTF8.self), let read = try? AccountText(text) else {
            return nil
        }
        self = read
    }
}
