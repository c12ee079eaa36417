import Accounts
import Ceremony
import Hashing
import History
import Lines
import SubstratePrimitives
import TerminalIO
import TrustStore
import TrustUpdates

/// A contact for people and programs.
package struct ContactFacts: Encodable {
    let address: String
    /// null where the name of a private contact is not open.
    let label: Nullable<String>
    let account: String
    /// Names; the genesis hash of a chain without one here. Empty for all networks.
    let networks: [String]
    let genesis_hashes: [String]
    let note: String
    let isPrivate: Bool
    /// typed, scanned, log or list.
    let source: String
    /// The signer of the list that it comes from, in the person's word.
    let list: Nullable<String>
    /// The address in the form that a person gave, where that is another one; null where nobody knows it.
    let given: Nullable<String>
    /// The account as other networks of this vault show it; none where a person just gave the address.
    private let forms: [String]

    private enum CodingKeys: String, CodingKey {
        case address, given, label, account, networks, genesis_hashes, note, source, list
        case isPrivate = "private"
    }

    /// - Parameters:
    ///   - label: empty where it is not open.
    ///   - isNew: whether a person names the account now.
    package init(
        _ contact: ContactRecord, label: String, note: String, in state: TrustState, isPrivate: Bool,
        isNew: Bool = false
    ) {
        let generic = state.address(of: contact)
        let given = contact.origin?.prefix.map { TrustState.address(of: contact.account, prefix: $0) }
        address = generic
        self.given = Nullable(given.utf8Equals(generic) ? nil : given)
        let shown = [generic] + (given.map { [$0] } ?? [])
        forms = isNew ? [] : Self.forms(of: contact, besides: shown, in: state)
        self.label = Nullable(label.utf8.isEmpty ? nil : label)
        account = Hex.encode(contact.account)
        let known = KnownChains(state)
        networks = contact.networks.map { known.name(ofGenesis: $0) ?? $0.hex }
        genesis_hashes = contact.networks.map(\.hex)
        self.note = note
        self.isPrivate = isPrivate
        switch contact.origin {
        case .list(let key)?: (source, list) = ("list", Nullable(state.name(ofListSigner: key)))
        case let origin?: (source, list) = (origin.word, Nullable(nil))
        case nil: (source, list) = ("unknown", Nullable(nil))
        }
    }

    /// `1… on polkadot`: an owner gives the address in the form of one network, and reviews show it so.
    private static func forms(
        of contact: ContactRecord, besides shown: [String], in state: TrustState
    ) -> [String] {
        var seen = shown
        return state.networks.compactMap { network in
            guard contact.networks.isEmpty || contact.networks.contains(network.genesisHash) else {
                return nil
            }
            let form = TrustState.address(of: contact.account, prefix: network.base58Prefix)
            guard !seen.containsUTF8(of: form) else { return nil }
            seen.append(form)
            return "\(form) on \(Escape.line(network.name))"
        }
    }

    private var name: String { label.value.map(Escape.line) ?? Wording.privateName }

    private var where_: String {
        networks.isEmpty ? "all networks" : networks.map(Escape.line).joined(separator: ", ")
    }

    /// The rows of a list, such as `Exchange  5F…  all networks`: the address in the form in which it was
    /// given, because a person looks for that one, and where it is another one the form of the reviews below
    /// it. A narrow window keeps the address whole, then the name, then the marks.
    package var rows: [TableLine] {
        let marks = [
            isPrivate && label.value != nil ? "private" : nil,
            list.value.map { "from the list of \(Escape.line($0))" },
        ]
        let first = TableLine(
            [.init(name, rank: 1), .init(given.value ?? address), .init(where_, rank: 3)]
                + marks.compactMap { $0.map { TableLine.Cell($0, rank: 2) } })
        guard given.value != nil else { return [first] }
        return [first, TableLine(indent: 4, [.init(address), .init("the same account", rank: 1)])]
    }

    /// A fact a line.
    package var lines: [String] {
        var lines = ["contact  \(name)", "address  \(address)"]
        if let given = given.value { lines.append("given    \(given), the same account") }
        lines += forms.map { "         \($0)" }
        lines.append("networks \(where_)")
        if !note.utf8.isEmpty { lines.append("note     \(Escape.quoted(note))") }
        lines.append("source   \(list.value.map { "the list of \(Escape.line($0))" } ?? source)")
        if isPrivate { lines.append("private  name and note are encrypted on the disk") }
        return lines
    }
}

extension StyledLine: Legible {
    public var legible: String { text }
}

extension ContactFacts: Legible {
    package var legible: String { lines.legible }
}

/// A signer of contact lists for people and programs.
package struct ListSignerFacts: Encodable {
    let label: String
    let scheme: String
    let public_key: String
    let fingerprint: String
    /// Of the last list that was imported.
    let number: Nullable<UInt32>

    package init(_ signer: ListSignerRecord, in state: TrustState) {
        label = signer.label
        scheme = signer.publicKey.scheme.name
        public_key = Hex.encode(signer.publicKey.bytes)
        fingerprint = signer.publicKey.fingerprint
        number = Nullable(state.lastList(of: signer.publicKey)?.number)
    }

    package var line: String {
        "\(Escape.line(label))  \(scheme) 0x\(public_key)  fingerprint \(fingerprint)  "
            + (number.value.map { "last list \($0)" } ?? "no list yet")
    }
}

/// What a list of contacts would do.
package struct ContactListDocument: Encodable {
    struct Entry: Encodable {
        let address: String
        let label: String
        let before: Nullable<String>
    }

    /// An account that looks like a known one.
    struct LookAlike: Encodable {
        let address: String
        let resembles: String
    }

    let signer: String
    let public_key: String
    let scheme: String
    let fingerprint: String
    let number: UInt32
    let additions: [Entry]
    let changes: [Entry]
    let removals: [Entry]
    let kept: [Entry]
    /// Names that stood for another account until now.
    let moved: [String]
    let look_alikes: [LookAlike]
    let word: Nullable<String>

    package init(_ plan: ContactListPlan, in state: TrustState) {
        func entry(_ contact: ContactRecord, before: String? = nil) -> Entry {
            Entry(address: state.address(of: contact), label: contact.label, before: Nullable(before))
        }
        signer = plan.signerName
        public_key = Hex.encode(plan.list.issuer.bytes)
        scheme = plan.list.issuer.scheme.name
        fingerprint = plan.list.issuer.fingerprint
        number = plan.list.number
        additions = plan.additions.map { entry($0) }
        changes = plan.changes.map { entry($0.after, before: $0.before.label) }
        removals = plan.removals.map { entry($0) }
        kept = plan.kept.map {
            Entry(
                address: TrustState.address(of: $0.entry.account, prefix: 42), label: $0.entry.label,
                before: Nullable(nil))
        }
        moved = plan.moved
        look_alikes = plan.lookAlikes.map { LookAlike(address: $0.address.text, resembles: $0.other.text) }
        word = Nullable(plan.word)
    }
}
