import Cards
import Hashing
import SubstratePrimitives
import TrustStore

extension TrustState {
    /// The name of the group that holds a key; no field for any other key.
    package func groupFields(of key: KeyRecord) -> [Card.Field] {
        key.group.flatMap { group($0) }.map { [Card.Field("group", $0.name)] } ?? []
    }

    /// What the vault knows of accounts, beside them. Of an own key: label, seed and path, absent beside any other account,
    /// and the name of the group that holds it. Of a contact: its name and
    /// what else decides how far that goes; no other account has these fields. Without a key, a seed or a contact there is nothing to compare with, and
    /// no field says so.
    ///
    /// Notices with addresses (the account of a multisig, of a proxy, on another chain) get the same fields where the account is known, and none
    /// where it is not: a notice is no argument.
    /// - Parameter genesis: of the network that the cards are about.
    package func labelled(_ cards: [Card], genesis: GenesisHash?) -> [Card] {
        let known = KnownNames(self, genesis: genesis)
        guard !known.isEmpty else { return cards }
        return cards.map { card in
            switch card.kind {
            case .account:
                guard let index = card.fields.firstIndex(where: { $0.name.utf8Equals("public_key") }),
                    case .text(let hex) = card.fields[index].fact
                else { return card }
                var card = card
                card.fields.insert(contentsOf: known.fields(of: Hex.decode(hex) ?? []), at: index + 1)
                return card
            case .notice:
                guard let account = card.noticedAccount, known.has(account) else { return card }
                var card = card
                card.fields += known.fields(of: account)
                return card
            case .pallet, .call, .fieldName, .fieldNumber, .enumVariant, .balance, .tip, .number, .text, .bytes, .bits, .bool, .none,
                .identityField, .eraImmortal, .eraMortal, .nonce, .blockHash, .genesisHash, .specVersion, .txVersion, .metadataHash,
                .extension,
                .author, .authorUnknown, .warning, .error, .verifier, .metadata, .types, .newSpecs, .network, .derivation, .message:
                return card
            }
        }
    }
}
