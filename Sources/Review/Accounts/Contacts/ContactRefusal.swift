import Diagnostics
import Hashing
import SubstratePrimitives
import UOS

/// Why a contact or a list of contacts is refused.
public enum ContactRefusal: Error, Equatable, Sendable {
    case label(String, ContactLabel.Problem)
    /// An own key, a seed, a network, a signer of lists or another contact has this name, or one that may be
    /// taken for it.
    case taken(String, by: ContactLabel.Holder)
    /// Bytes of the note.
    case noteTooLong(Int)
    /// Not an address, nor the text of an address QR code.
    case notAnAddress(String)
    /// The account is one of this vault's keys.
    case ownAccount(String)
    /// The account is a contact already, with this name.
    case exists(String)
    /// Neither the name nor the address of a contact.
    case noSuchContact(String)
    /// The log entry with this number names no account, or a different one.
    case notInEntry(UInt64)
    case full
    /// Nothing to export.
    case noContacts
    /// The signature of a list is not its issuer's.
    case wrongSignature(PublicKey)
    /// Neither an own key nor a signer that a person added.
    case unknownListSigner(PublicKey)
    /// The key vouches for metadata, and lists are another matter.
    case signerIsVerifier(PublicKey)
    /// The key is one of this vault, whose lists are accepted anyway.
    case signerIsOwn(PublicKey)
    case listSignerExists(String)
    case noSuchListSigner(String)
    case olderList(UInt32, held: UInt32)
    /// A list of the same number that says something else.
    case otherListOfNumber(UInt32)
    /// No number is left for a list of this key.
    case noNumberLeft
}

extension ContactRefusal: DiagnosticError {
    public var diagnostic: Diagnostic {
        switch self {
        case .label(let label, let problem):
            .refused(
                "bad-label", "\(label) cannot be the name of a contact: \(problem.words)",
                hint: "use letters, digits and single spaces, such as: Exchange cold wallet")
        case .taken(let label, let holder):
            .refused(
                "label-taken", "the name \(label) can be mistaken for \(holder.words)",
                hint: "choose a name that cannot be mistaken for another")
        case .noteTooLong(let count):
            .badInput(
                "note-too-long", "a note has at most \(ContactList.maximumNote) bytes, not \(count)",
                hint: "shorten the note")
        case .notAnAddress(let text):
            .badInput(
                "not-an-address", "\(text) is not an address",
                hint: "type the whole address, or scan its QR code: heliograph contact add NAME PICTURE")
        case .ownAccount(let address):
            .refused("own-account", "\(address) is a key of this vault", hint: "heliograph key list")
        case .exists(let label):
            .refused(
                "contact-exists", "the account is already in the contacts, as \(label)",
                hint: "heliograph contact list")
        case .noSuchContact(let name):
            .badInput("unknown-contact", "no contact is named \(name)", hint: "heliograph contact list")
        case .notInEntry(let number):
            .badInput(
                "not-in-entry", "entry \(number) of the log names no such account",
                hint: "heliograph log show \(number)")
        case .full:
            .refused(
                "too-many-contacts", "a vault holds at most \(ContactList.maximumEntries) contacts",
                hint: "heliograph contact remove NAME")
        case .noContacts:
            .refused("no-contacts", "there is no contact to export", hint: "heliograph contact list")
        case .wrongSignature(let key):
            .badInput(
                "wrong-signature",
                "the list is not signed by \(key.scheme.name) 0x\(Hex.encode(key.bytes)): "
                    + "its signature is invalid", hint: Hints.scanAgain)
        // Never a command with the key of the list: whoever made the list would then add himself.
        case .unknownListSigner:
            .refused(
                "unknown-list-signer",
                "the list is signed by a key that is neither in this vault nor a signer of lists",
                hint: "if you know the signer, ask for the key by another way, and "
                    + "add it: heliograph contact signer add SCHEME:KEY NAME")
        case .signerIsVerifier:
            .refused(
                "bad-list-signer", "this key verifies metadata, so it cannot sign contact lists",
                hint: "ask the signer for another key")
        case .signerIsOwn:
            .refused(
                "bad-list-signer", "this key is in this vault: its lists are already accepted",
                hint: "heliograph contact import PICTURE")
        case .listSignerExists(let label):
            .refused(
                "list-signer-exists", "this key already signs lists, as \(label)",
                hint: "heliograph contact signer list")
        case .noSuchListSigner(let name):
            .refused(
                "unknown-list-signer", "no signer of contact lists is named \(name)",
                hint: "heliograph contact signer list")
        case .olderList(let number, let held):
            .refused(
                "older-contact-list",
                "the list has number \(number), and number \(held) "
                    + "of the same signer has already been imported",
                hint: "ask the signer for the newest list")
        case .otherListOfNumber(let number):
            .refused(
                "other-contact-list",
                "another list with number \(number) of the same signer has already been imported",
                hint: "ask the signer for the newest list")
        case .noNumberLeft:
            .refused(
                "older-contact-list", "this key has already signed a list with the highest number",
                hint: "sign with another key")
        }
    }

    public static var examples: [ContactRefusal] {
        let key = PublicKey(scheme: .sr25519, bytes: [UInt8](repeating: 7, count: 32))!
        return [
            .label("own: main", .character(":")), .taken("Main", by: .seed("main")), .noteTooLong(300),
            .notAnAddress("5Grw"),
            .ownAccount("5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY"), .exists("Exchange"),
            .noSuchContact("Exchnge"), .notInEntry(4),
            .full, .noContacts, .wrongSignature(key), .unknownListSigner(key), .signerIsVerifier(key),
            .signerIsOwn(key),
            .listSignerExists("Treasury"), .noSuchListSigner("Tresury"), .olderList(4, held: 5),
            .otherListOfNumber(5), .noNumberLeft,
        ]
    }
}

extension ContactLabel.Holder {
    package var words: String {
        switch self {
        case .ownKey(let label): "your key \(label)"
        case .seed(let name): "your seed \(name)"
        case .network(let name): "the network \(name)"
        case .contact(let label): "the contact \(label)"
        case .listSigner(let label): "the signer of lists \(label)"
        case .group(let name): "your group \(name)"
        }
    }
}
