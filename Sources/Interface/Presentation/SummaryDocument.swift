import Accounts
import Cards
import Extrinsics
import Hashing
import History
import Review

/// `items[].summary` of `inspect` and `scan`; programs read it, so its keys stay.
package struct SummaryDocument: Encodable {
    struct Total: Encodable {
        /// The number in the unit, or in the smallest unit where the decimals are unknown.
        let plain: String
        /// null where the decimals of the asset are unknown.
        let symbol: Explicit<String>
        let raw: String
        /// null for the chain's own token.
        let asset: Explicit<String>
        let pallet: Explicit<String>
    }

    /// What this vault signed for an account before.
    struct Payments: Encodable {
        struct Largest: Encodable {
            /// null for the chain's own token.
            let asset: Explicit<String>
            let pallet: Explicit<String>
            let raw: String
        }

        let count: UInt64
        /// Seconds since 1970 by this device's clock.
        let first: UInt64
        let last: UInt64
        let largest: [Largest]

        init(_ record: PaidDestination) {
            (count, first, last) = (record.count, record.first, record.last)
            largest = record.largest.map { each in
                Largest(
                    asset: Explicit(each.asset.utf8.isEmpty ? nil : each.asset),
                    pallet: Explicit(each.pallet.utf8.isEmpty ? nil : each.pallet),
                    raw: each.raw)
            }
        }
    }

    struct Recipient: Encodable {
        let address: String
        let public_key: String
        let label: Explicit<String>
        let relation: String
        let seed: Explicit<String>
        let path: Explicit<String>
        /// The name; only of an account of a group.
        let group: String?
        /// Only of a contact.
        let contact: ContactFacts?
        let arguments: [String]
        let count: Int
        /// `named` for an own key or a contact, `not_paid`, `paid`, or `first_in_asset` where it received
        /// other assets alone; null where the vault has no history.
        let history: Explicit<String>
        /// What was paid to it before; null where ``history`` is `not_paid`, and for an own key.
        let paid: Explicit<Payments>
        /// Only of an account that earlier signatures named and did not pay.
        let named_before: Payments?
    }

    package struct ContactFacts: Encodable {
        /// null for a private contact.
        let name: Explicit<String>
        /// Who signed the list that it comes from; null where the person named it.
        let list: Explicit<String>
        let other_network: Bool

        package init?(_ relation: AccountRelation) {
            guard case .contact(let mark) = relation else { return nil }
            name = Explicit(mark.name?.text)
            list = Explicit(mark.list?.text)
            other_network = mark.isOfOtherNetwork
        }
    }

    package struct Budget: Encodable {
        /// The key of the policy.
        let key: String
        /// The rule under `approve`, from 1; null for the policy's own.
        let rule: Explicit<Int>
        /// null for the chain's own token.
        let asset: Explicit<String>
        let pallet: Explicit<String>
        /// In the smallest unit, as the following.
        let limit: String
        /// Before this transaction; null where it cannot be counted or is unknown since a restore.
        let spent: Explicit<String>
        let amount: String
        /// After this transaction.
        let left: String

        package init(_ use: BudgetUse) {
            (key, rule, limit, amount) = (
                use.window.key.rawValue, Explicit(use.rule), String(use.limit), String(use.amount)
            )
            left = String(use.left)
            (asset, pallet) =
                switch use.asset {
                case nil: (Explicit(nil), Explicit(nil))
                case .pallet(let pallet, let id)?: (Explicit(id), Explicit(pallet))
                case .location(let location)?: (Explicit(location), Explicit(nil))
                }
            spent =
                switch use.spent {
                case .amount(let spent): Explicit(String(spent))
                case .uncountable, .unknownSinceRestore: Explicit(nil)
                }
        }
    }

    struct Call: Encodable {
        let pallet: String
        let call: String
        let count: Int
    }

    struct Warning: Encodable {
        let code: String
        let text: String
    }

    struct Metadata: Encodable {
        let version: UInt32
        /// `verifier`, `nobody` or `file`.
        let voucher: String
        /// The verifier's key; null where nobody signed it.
        let believed_from: Explicit<String>
        /// The key that signed the types of metadata 13 and older, where it is another one; else null.
        let types_from: Explicit<String>
        /// `disabled`, `not_compared` or `unsupported`.
        let check: String

        init(_ metadata: Ground.StoredMetadata) {
            version = metadata.version
            check = metadata.check.word
            (voucher, believed_from, types_from) =
                switch metadata.voucher {
                case .verifier(let key): ("verifier", Explicit(Hex.encode(key.bytes)), Explicit(nil))
                case .verifiers(let key, let types):
                    ("verifier", Explicit(Hex.encode(key.bytes)), Explicit(Hex.encode(types.bytes)))
                case .nobody: ("nobody", Explicit(nil), Explicit(nil))
                case .file: ("file", Explicit(nil), Explicit(nil))
                }
        }
    }

    /// null for any network, and where no network takes part.
    let network: Explicit<String>
    /// `unknown_chain` or `known_name_on_unknown_chain`, where ``network`` is a name that the sender chose;
    /// null for a known chain.
    let network_mark: Explicit<String>
    /// null where nobody signs, and while the signer's key is not derived.
    let signer: Explicit<String>
    let sentence: String
    let totals: [Total]
    /// What no total holds.
    let unread_amounts: [String]
    let recipients: [Recipient]
    let other_addresses: Bool
    let calls: [Call]
    let budgets: [Budget]
    /// Seconds since 1970 by the clock, where it is too far ahead to free a budget; else null.
    let clock_ahead: Explicit<UInt64>
    let warnings: [Warning]
    let checked_by_chain: Bool
    /// What is shown although the chain does not check it; empty where it checks nothing.
    let beyond: [String]
    /// The stored metadata that is believed; null where the chain checks, and where there is no transaction.
    let metadata: Explicit<Metadata>
    /// The metadata hash that a person's yes makes one that rules and the memory of payments rely on; null
    /// where it makes none.
    let yes_vouches_for: Explicit<String>
    /// What a person must type to agree; null for yes.
    let word: Explicit<String>

    package static func word(_ relation: AccountRelation) -> String {
        switch relation {
        case .own: "own"
        case .group: "group"
        case .contact: "contact"
        case .stranger: "stranger"
        case .unchecked: "unchecked"
        }
    }

    init(_ summary: ReviewSummary) {
        network = Explicit(summary.networks.first?.name)
        network_mark = Explicit(summary.networks.first?.mark?.rawValue)
        signer = Explicit(summary.signers.first?.address)
        sentence = summary.sentences.map(\.text).joined(separator: "; ")
        totals = summary.totals.map {
            Total(
                plain: $0.plain, symbol: Explicit($0.symbol), raw: $0.raw, asset: Explicit($0.asset),
                pallet: Explicit($0.pallet))
        }
        unread_amounts = summary.unread.map(\.rawValue)
        recipients = summary.recipients.map { recipient in
            let (seed, group, path): (String?, String?, String?) =
                switch recipient.relation {
                case .own(let seed, let path): (seed.text, nil, path.text)
                case .group(let name, let path): (nil, name.text, path.text)
                case .contact, .stranger, .unchecked: (nil, nil, nil)
                }
            let (word, record, named): (String?, PaidDestination?, PaidDestination?) =
                switch recipient.history {
                case nil: (nil, nil, nil)
                case .named(let record, _): ("named", record, nil)
                case .notPaid(_, let named): ("not_paid", nil, named)
                case .paid(let record, _): ("paid", record, nil)
                case .firstInAsset(let record, _): ("first_in_asset", record, nil)
                }
            return Recipient(
                address: recipient.address, public_key: recipient.publicKey, label: Explicit(recipient.label),
                relation: Self.word(recipient.relation), seed: Explicit(seed), path: Explicit(path),
                group: group,
                contact: ContactFacts(recipient.relation), arguments: recipient.arguments,
                count: recipient.count,
                history: Explicit(word), paid: Explicit(record.map { Payments($0) }),
                named_before: named.map { Payments($0) })
        }
        other_addresses = summary.hasOtherAddresses
        calls = summary.calls.map { Call(pallet: $0.name.pallet, call: $0.name.call, count: $0.count) }
        budgets = summary.budgets.map { Budget($0) }
        clock_ahead = Explicit(summary.clockJump)
        warnings = summary.warnings.map { Warning(code: $0.warning?.code ?? "", text: $0.value) }
        checked_by_chain = summary.grounds.isCheckedByChain
        beyond = summary.grounds.beyond.map(\.rawValue)
        metadata = Explicit(summary.grounds.readings.first.map { Metadata($0.metadata) })
        yes_vouches_for = Explicit(summary.grounds.yesVouches?.hex)
        word = Explicit(summary.word?.text)
    }
}
