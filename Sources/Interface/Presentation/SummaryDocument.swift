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
        let symbol: Nullable<String>
        let raw: String
        /// null for the chain's own token.
        let asset: Nullable<String>
        let pallet: Nullable<String>
    }

    /// What this vault signed for an account before.
    struct Payments: Encodable {
        struct Largest: Encodable {
            /// null for the chain's own token.
            let asset: Nullable<String>
            let pallet: Nullable<String>
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
                    asset: Nullable(each.asset?.text), pallet: Nullable(each.pallet?.text),
                    raw: each.raw.digits.text)
            }
        }
    }

    struct Recipient: Encodable {
        let address: String
        let public_key: String
        let label: Nullable<String>
        let relation: String
        let seed: Nullable<String>
        let path: Nullable<String>
        /// The name; only of an account of a group.
        let group: String?
        /// Only of a contact.
        let contact: ContactFacts?
        let arguments: [String]
        let count: Int
        /// `named` for an own key or a contact, `not_paid`, `paid`, or `first_in_asset` where it received
        /// other assets alone; null where the vault has no history.
        let history: Nullable<String>
        /// What was paid to it before; null where ``history`` is `not_paid`, and for an own key.
        let paid: Nullable<Payments>
        /// Only of an account that earlier signatures named and did not pay.
        let named_before: Payments?
    }

    package struct ContactFacts: Encodable {
        /// null for a private contact.
        let name: Nullable<String>
        /// Who signed the list that it comes from; null where the person named it.
        let list: Nullable<String>
        let other_network: Bool

        package init?(_ relation: AccountRelation) {
            guard case .contact(let mark) = relation else { return nil }
            name = Nullable(mark.name?.text)
            list = Nullable(mark.list?.text)
            other_network = mark.isOfOtherNetwork
        }
    }

    package struct Budget: Encodable {
        /// The key of the policy.
        let key: String
        /// The rule under `approve`, from 1; null for the policy's own.
        let rule: Nullable<Int>
        /// null for the chain's own token.
        let asset: Nullable<String>
        let pallet: Nullable<String>
        /// In the smallest unit, as the following.
        let limit: String
        /// Before this transaction; null where it cannot be counted or is unknown since a restore.
        let spent: Nullable<String>
        let amount: String
        /// After this transaction.
        let left: String

        package init(_ use: BudgetUse) {
            (key, rule, limit, amount) = (
                use.window.key.rawValue, Nullable(use.rule), String(use.limit), String(use.amount)
            )
            left = String(use.left)
            (asset, pallet) =
                switch use.asset {
                case nil: (Nullable(nil), Nullable(nil))
                case .pallet(let pallet, let id)?: (Nullable(id.text), Nullable(pallet.text))
                case .location(let location)?: (Nullable(location.text), Nullable(nil))
                }
            spent =
                switch use.spent {
                case .amount(let spent): Nullable(String(spent))
                case .uncountable, .unknownSinceRestore: Nullable(nil)
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
        let believed_from: Nullable<String>
        /// The key that signed the types of metadata 13 and older, where it is another one; else null.
        let types_from: Nullable<String>
        /// `disabled`, `not_compared` or `unsupported`.
        let check: String

        init(_ metadata: Provenance.StoredMetadata) {
            version = metadata.version
            check = metadata.check.word
            (voucher, believed_from, types_from) =
                switch metadata.voucher {
                case .verifier(let key): ("verifier", Nullable(Hex.encode(key.bytes)), Nullable(nil))
                case .verifiers(let key, let types):
                    ("verifier", Nullable(Hex.encode(key.bytes)), Nullable(Hex.encode(types.bytes)))
                case .nobody: ("nobody", Nullable(nil), Nullable(nil))
                case .file: ("file", Nullable(nil), Nullable(nil))
                }
        }
    }

    /// null for any network, and where no network takes part.
    let network: Nullable<String>
    /// `unknown_chain` or `known_name_on_unknown_chain`, where ``network`` is a name that the sender chose;
    /// null for a known chain.
    let network_mark: Nullable<String>
    /// null where nobody signs, and while the signer's key is not derived.
    let signer: Nullable<String>
    let sentence: String
    let totals: [Total]
    /// What no total holds.
    let unread_amounts: [String]
    let recipients: [Recipient]
    let other_addresses: Bool
    let calls: [Call]
    let budgets: [Budget]
    /// Seconds since 1970 by the clock, where it is too far ahead to free a budget; else null.
    let clock_ahead: Nullable<UInt64>
    let warnings: [Warning]
    let checked_by_chain: Bool
    /// What is shown although the chain does not check it; empty where it checks nothing.
    let beyond: [String]
    /// The stored metadata that is believed; null where the chain checks, and where there is no transaction.
    let metadata: Nullable<Metadata>
    /// The metadata hash that rules and the memory of payments rely on after a person's yes; null if there is
    /// none.
    let yes_vouches_for: Nullable<String>
    /// What a person must type to agree; null for yes.
    let word: Nullable<String>

    package static func word(_ relation: AccountRelation) -> String {
        switch relation {
        case .own: "own"
        case .group: "group"
        case .imported: "imported"
        case .contact: "contact"
        case .stranger: "stranger"
        case .unchecked: "unchecked"
        }
    }

    init(_ summary: ReviewSummary) {
        network = Nullable(summary.networks.first?.name)
        network_mark = Nullable(summary.networks.first?.mark?.rawValue)
        signer = Nullable(summary.signers.first?.address)
        sentence = summary.sentences.map(\.text).joined(separator: "; ")
        totals = summary.totals.map {
            Total(
                plain: $0.plain.text, symbol: Nullable($0.symbol?.text), raw: $0.raw.digits.text,
                asset: Nullable($0.asset?.text), pallet: Nullable($0.pallet?.text))
        }
        unread_amounts = summary.unread.map(\.rawValue)
        recipients = summary.recipients.map { recipient in
            let (seed, group, path): (String?, String?, String?) =
                switch recipient.relation {
                case .own(let seed, let path): (seed.text, nil, path.text)
                case .group(let name, let path): (nil, name.text, path.text)
                case .imported, .contact, .stranger, .unchecked: (nil, nil, nil)
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
                address: recipient.address.text, public_key: Hex.encode(recipient.account),
                label: Nullable(recipient.label?.text),
                relation: Self.word(recipient.relation), seed: Nullable(seed), path: Nullable(path),
                group: group,
                contact: ContactFacts(recipient.relation), arguments: recipient.arguments.map(\.text),
                count: recipient.count,
                history: Nullable(word), paid: Nullable(record.map { Payments($0) }),
                named_before: named.map { Payments($0) })
        }
        other_addresses = summary.hasOtherAddresses
        calls = summary.calls.map {
            Call(pallet: $0.name.pallet.text, call: $0.name.call.text, count: $0.count)
        }
        budgets = summary.budgets.map { Budget($0) }
        clock_ahead = Nullable(summary.clockJump)
        warnings = summary.warnings.map { Warning(code: $0.warning?.code ?? "", text: $0.value) }
        checked_by_chain = summary.provenance.isCheckedByChain
        beyond = summary.provenance.beyond.map(\.rawValue)
        metadata = Nullable(summary.provenance.readings.first.map { Metadata($0.metadata) })
        yes_vouches_for = Nullable(summary.provenance.yesVouches?.hex)
        word = Nullable(summary.word?.text)
    }
}
