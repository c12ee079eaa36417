import Hashing
import History
import Lines
import SubstratePrimitives
import TerminalIO
import TrustStore
import TrustUpdates
import UOS

extension Wording {
    static let privateName = "private contact"
    package static let noContacts = "no contacts"
    package static let noListSigners = "no signers: only lists of your own keys are accepted"
    package static let addContactQuestion = "Add this contact?"
    package static let addLookAlikeQuestion = "Add this contact, which looks like another account?"
    package static let relabelQuestion = "Give this account another name?"
    static let importContactsQuestion = "Import this list?"

    package static func importQuestion(_ plan: ContactListPlan) -> String {
        if !plan.lookAlikes.isEmpty { return "Import this list, with accounts that look like others?" }
        return plan.isRelabelling
            ? "Import this list, with names that change or move?" : importContactsQuestion
    }

    package static func warning(_ found: Resemblance) -> StyledLine {
        StyledLine("WARNING  \(Escape.line(found.sentence))", .warning)
    }

    package static let addListSignerQuestion = "Accept contact lists of this key?"
    package static let exportContactsQuestion = "Sign this list?"
    package static let compareAddress =
        "Compare the whole address with what its owner gave you by another way."
    package static let compareFingerprint =
        """
        Compare the fingerprint with what the signer gave you by another way; the word to type is its \
        last two groups.
        """

    /// What `status` and the first `contact add` say.
    package static let contactsAreReadable =
        """
        Contacts and the history of what was signed are readable on the disk without the passphrase; \
        --private encrypts a contact's name and note.
        """

    package static func scannedAddress(_ address: String, network: String?) -> String {
        "address \(address)\(network.map { " on \(name($0))" } ?? "")"
    }
    package static let nameIt = "heliograph contact add NAME PICTURE gives the account a name"

    package static func contactAdded(_ label: String) -> String { "added the contact \(Escape.line(label))" }

    package static func contactRemoved(_ label: String?, _ address: String) -> String {
        "removed the contact \(label.map(Escape.line) ?? address)"
    }

    package static func relabels(_ address: String, from before: String?, to label: String) -> String {
        """
        \(address) is \(before.map(Escape.line) ?? privateName) until now, and \(Escape.line(label)) \
        from now on
        """
    }

    package static func listSigner(_ signer: ListSignerRecord, fingerprint: String) -> String {
        """
        \(Escape.line(signer.label)): \(signer.publicKey.scheme.name) \
        0x\(Hex.encode(signer.publicKey.bytes)), fingerprint \(fingerprint)
        """
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
        line + (withNote && !note.utf8.isEmpty ? "  \(Escape.quoted(note))" : "")
    }
}
