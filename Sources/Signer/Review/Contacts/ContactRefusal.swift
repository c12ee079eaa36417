import Diagnostics
import Hashing
import SubstratePrimitives
import UOS

/// Why a contact or a list of contacts is refused.
public enum ContactRefusal: Error, Equatable, Sendable {
    case label(String, ContactLabel.Problem)
    /// An own key, a seed, a network, a signer of lists or another contact has this name, or one that may be taken for it.
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
    /// The log's entry names no account, or not this one.
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
    public enum Code: String, CaseIterable, Sendable {
        case badLabel = "bad-label"
        case labelTaken = "label-taken"
        case noteTooLong = "note-too-long"
        case notAnAddress = "not-an-address"
        case ownAccount = "own-account"
        case contactExists = "contact-exists"
        case unknownContact = "unknown-contact"
        case notInEntry = "not-in-entry"
        case tooManyContacts = "too-many-contacts"
        case noContacts = "no-contacts"
        case wrongSignature = "wrong-signature"
        case unknownListSigner = "unknown-list-signer"
        case badListSigner = "bad-list-signer"
        case listSignerExists = "list-signer-exists"
        case olderList = "older-contact-list"
        case otherList = "other-contact-list"
    }

    public var code: Code {
        switch self {
        case .label: .badLabel
        case .taken: .labelTaken
        case .noteTooLong: .noteTooLong
        case .notAnAddress: .notAnAddress
        case .ownAccount: .ownAccount
        case .exists: .contactExists
        case .noSuchContact: .unknownContact
        case .notInEntry: .notInEntry
        case .full: .tooManyContacts
        case .noContacts: .noContacts
        case .wrongSignature: .wrongSignature
        case .unknownListSigner, .noSuchListSigner: .unknownListSigner
        case .signerIsVerifier, .signerIsOwn: .badListSigner
        case .listSignerExists: .listSignerExists
        case .olderList, .noNumberLeft: .olderList
        case .otherListOfNumber: .otherList
        }
    }

    public var sentence: String {
        switch self {
        case .label(let label, let problem): "\(label) cannot be the name of a contact: \(problem.words)"
        case .taken(let label, let holder): "the name \(label) can be mistaken for \(holder.words)"
        case .noteTooLong(let count): "a note has at most \(ContactList.maximumNote) bytes, not \(count)"
        case .notAnAddress(let text): "\(text) is not an address"
        case .ownAccount(let address): "\(address) is a key of this vault"
        case .exists(let label): "the account is already in the contacts, as \(label)"
        case .noSuchContact(let name): "no contact is named \(name)"
        case .notInEntry(let number): "entry \(number) of the log names no such account"
        case .full: "a vault holds at most \(ContactList.maximumEntries) contacts"
        case .noContacts: "there is no contact to export"
        case .wrongSignature(let key): "the list is not signed by \(key.scheme.name) 0x\(Hex.encode(key.bytes)): its signature is invalid"
        case .unknownListSigner: "the list is signed by a key that is neither in this vault nor a signer of lists"
        case .signerIsVerifier: "this key verifies metadata, so it cannot sign contact lists"
        case .signerIsOwn: "this key is in this vault: its lists are already accepted"
        case .listSignerExists(let label): "this key already signs lists, as \(label)"
        case .noSuchListSigner(let name): "no signer of contact lists is named \(name)"
        case .olderList(let number, let held):
            "the list has number \(number), and number \(held) of the same signer has already been imported"
        case .otherListOfNumber(let number): "another list with number \(number) of the same signer has already been imported"
        case .noNumberLeft: "this key has already signed a list with the highest number"
        }
    }

    public static var examples: [ContactRefusal] {
        let key = PublicKey(scheme: .sr25519, bytes: [UInt8](repeating: 7, count: 32))!
        return [
            .label("own: main", .character(":")), .taken("Main", by: .seed("main")), .noteTooLong(300), .notAnAddress("5Grw"),
            .ownAccount("5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY"), .exists("Exchange"), .noSuchContact("Exchnge"), .notInEntry(4),
            .full, .noContacts, .wrongSignature(key), .unknownListSigner(key), .signerIsVerifier(key), .signerIsOwn(key),
            .listSignerExists("Treasury"), .noSuchListSigner("Tresury"), .olderList(4, held: 5), .otherListOfNumber(5), .noNumberLeft,
        ]
    }
}

extension ContactLabel.Problem {
    var words: String {
        switch self {
        case .length(let count): "it has \(count) bytes instead of 1 to \(ContactList.maximumLabel)"
        case .character(let scalar): "character U+\(String(scalar.value, radix: 16, uppercase: true)) is not allowed"
        case .blanks: "use single spaces between words and none at the ends"
        case .noLetter: "it has no letter"
        case .mixedAlphabets(let word): "\(word) has letters of more than one alphabet"
        case .reserved(let word): "\(word) is a word of this program"
        case .address: "it is an address"
        }
    }
}

extension ContactLabel.Holder {
    var words: String {
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
