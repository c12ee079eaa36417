import Cards
import SubstratePrimitives
import TrustStore

extension TrustState {
    /// The name of the group that holds a key; nil for any other key.
    package func groupName(of key: KeyRecord) -> String? { key.group.flatMap { group($0) }?.name }

    /// The cards with labels beside the accounts that the vault knows. A vault without keys, seeds and
    /// contacts knows none, and then no card calls an account unknown.
    ///
    /// A notice with an address (the account of a multisig, of a proxy, on another chain) gets a label only
    /// if the account is known. It is not called unknown, because it is not an argument of the call.
    /// - Parameter genesis: the genesis hash of the network that the cards are about.
    package func labelled(_ cards: [Card], genesis: GenesisHash?) -> [Card] {
        let known = KnownNames(self, genesis: genesis)
        guard !known.isEmpty else { return cards }
        return cards.map { card in
            var card = card
            switch card.content {
            case .account(var account):
                account.known = known[account.address.account]
                card.content = .account(account)
            case .notice(let notice, _):
                guard let account = notice.namedAccount, known.has(account) else { return card }
                card.content = .notice(notice, known[account])
            case .pallet, .call, .fieldName, .fieldNumber, .enumVariant, .balance, .tip, .number, .text,
                .bytes, .bits, .bool, .none, .identityField, .era, .nonce, .blockHash, .genesisHash,
                .specVersion, .txVersion, .metadataHash, .extension, .signer, .warning, .verifier, .metadata,
                .types, .newSpecs, .network, .derivation, .message:
                break
            }
            return card
        }
    }

    /// The owner of an account, and the label of an own key.
    /// - Parameter genesis: the genesis hash of the account's network.
    public func known(_ account: [UInt8], genesis: GenesisHash?) -> KnownAccount {
        let known = KnownNames(self, genesis: genesis)
        return known.isEmpty ? KnownAccount(.unchecked) : known[account]
    }
}

extension Notice {
    /// The account that it names, by its address or as the only account of a place.
    fileprivate var namedAccount: [UInt8]? {
        let (address, bytes) = account
        return address.map { try? AccountText($0.text).account } ?? bytes
    }
}
