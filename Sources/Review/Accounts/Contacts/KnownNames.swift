import Cards
import Hashing
import Keys
import SubstratePrimitives
import TrustStore

/// The names that a vault gives to accounts, for the cards of one network. Only here is a name put beside an
/// account.
struct KnownNames {
    private var own: [[UInt8]: KnownAccount] = [:]
    private var contacts: [[UInt8]: ContactMark] = [:]
    private let hasSeeds: Bool

    /// - Parameter genesis: of the network that the accounts are on; nil where no network takes part.
    init(_ trust: TrustState, genesis: GenesisHash?) {
        hasSeeds = !trust.seedRoots.isEmpty
        // A group's address that nobody compared may be one that no members can use: it is nobody's here
        // until then.
        for key in trust.keys where !trust.isOfUncomparedGroup(key) {
            guard let account = key.publicKey.accountID, own[account] == nil else { continue }
            own[account] = KnownAccount(trust.ownRelation(of: key), label: key.label)
        }
        for contact in trust.contacts {
            contacts[contact.account] = ContactMark(contact, in: trust, genesis: genesis)
        }
    }

    /// Whether there is nothing to compare an account with.
    var isEmpty: Bool { own.isEmpty && contacts.isEmpty && !hasSeeds }

    func has(_ account: [UInt8]) -> Bool { own[account] != nil || contacts[account] != nil }

    /// An own key takes precedence over a contact, so that an older contact name cannot hide that the key
    /// came into this vault later.
    subscript(account: [UInt8]) -> KnownAccount {
        own[account] ?? KnownAccount(contacts[account].map { .contact($0) } ?? .stranger)
    }
}

extension TrustState {
    /// Whether the key is an account of a group whose members have not compared its address.
    package func isOfUncomparedGroup(_ key: KeyRecord) -> Bool {
        key.group.flatMap { group($0) }.map { !$0.isCompared } ?? false
    }

    fileprivate func ownRelation(of key: KeyRecord) -> AccountRelation {
        switch key.source {
        case .seed(let seed, let path, _): .own(seed: ExactText(seed), path: ExactText(path))
        case .group(let transcript, let path):
            .group(ExactText(group(transcript)?.name ?? transcript.hex), path: ExactText(path))
        case .imported: .imported
        }
    }
}

extension ContactMark {
    fileprivate init(_ contact: ContactRecord, in trust: TrustState, genesis: GenesisHash?) {
        var list: String?
        if case .list(let key)? = contact.origin { list = trust.name(ofListSigner: key) }
        self.init(
            name: contact.isPrivate ? nil : contact.label, list: list,
            isOfOtherNetwork: genesis.map { !contact.networks.isEmpty && !contact.networks.contains($0) }
                ?? false)
    }
}
