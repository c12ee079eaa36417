import Cards
import Hashing
import History
import Lines
import SubstratePrimitives
import TerminalIO
import TrustStore
import TrustUpdates
import UOS

extension Wording {
    package static let privateName = "private contact"

    package static func importQuestion(_ plan: ContactListPlan) -> String {
        if !plan.lookAlikes.isEmpty { return "Import this list, with accounts that look like others?" }
        return plan.isRelabelling
            ? "Import this list, with names that change or move?" : "Import this list?"
    }

    package static func warning(_ found: Resemblance) -> StyledLine {
        StyledLine("WARNING  \(Escape.line(found.sentence))", .warning)
    }

    package static func scannedAddress(_ address: String, network: String?) -> String {
        "address \(address)\(network.map { " on \(name($0))" } ?? "")"
    }

    package static func exportsList(_ list: ContactList, by key: String) -> String {
        """
        contact list number \(list.number) of \(Escape.line(key)), \(list.entries.count) \
        contact\(list.entries.count == 1 ? "" : "s"), fingerprint \(list.issuer.fingerprint)
        """
    }

    package static func privateLeftOut(_ count: Int) -> String {
        count == 1 ? "1 private contact is left out" : "\(count) private contacts are left out"
    }

    package static func stored(_ contacts: Int) -> String {
        """
        \(contacts) contact\(contacts == 1 ? "" : "s"); contacts and the history of what was signed are \
        readable on the disk
        """
    }

    /// What a list would do: additions, changes and removals apart.
    package static func lines(of plan: ContactListPlan, in state: TrustState) -> [StyledLine] {
        let key = plan.list.issuer
        var lines = [
            StyledLine(
                "Contact list number \(plan.list.number), signed by \(Escape.line(plan.signerName))", .heading
            ),
            StyledLine("  \(key.scheme.name) 0x\(Hex.encode(key.bytes)), fingerprint \(key.fingerprint)"),
        ]
        func section(_ title: String, _ rows: [String], _ style: TextStyle = .plain) {
            guard !rows.isEmpty else { return }
            lines.append(StyledLine("\(title): \(rows.count)", .heading))
            lines += rows.map { StyledLine("  " + $0, style) }
        }
        func row(_ contact: ContactRecord) -> String {
            ContactFacts(contact, label: contact.label, note: contact.note, in: state, isPrivate: false).name(
                withNote: true)
        }
        section("Added", plan.additions.map(row))
        section(
            "Changed",
            plan.changes.map { change in
                (change.isRenamed ? "was \(Escape.line(change.before.label)): " : "") + row(change.after)
            }, .warning)
        section("Removed", plan.removals.map(row), .warning)
        section("Names that stood for another account until now", plan.moved.map(Escape.line), .warning)
        section("Accounts that look like others", plan.lookAlikes.map { Escape.line($0.sentence) }, .warning)
        section(
            "Left as they are",
            plan.kept.map { kept in
                let address = TrustState.address(of: kept.entry.account, prefix: 42)
                let words =
                    switch kept.reason {
                    case .ownKey: "is one of your keys"
                    case .contact(let label): "is \(label.map(Escape.line) ?? privateName)"
                    }
                return "\(address) \(words), and the list says \(Escape.line(kept.entry.label))"
            })
        if plan.isEmpty { lines.append(StyledLine("Nothing in it is new.")) }
        return lines
    }
}

extension ContactFacts {
    fileprivate func name(withNote: Bool) -> String {
        rows[0].text + (withNote && !note.utf8.isEmpty ? "  \(Escape.quoted(note))" : "")
    }
}
