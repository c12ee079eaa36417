import SubstratePrimitives
import TrustStore
import UOS

/// What a contact may be called. The same rules hold for a name that a person types and for one that a list
/// brings: both stand beside an address in a review, and there a name must say whose account it is and
/// nothing else.
///
/// - 1 to `ContactList.maximumLabel` bytes of UTF-8, with a letter.
/// - Letters and digits of ASCII, one blank between words, and `-`, `_`, `.`, `&`, `+`, `#`, `@`. No bracket,
///   colon, comma, slash or quotation mark: those are this program's own, as in `(own: main, //polkadot)`.
/// - Letters of Latin with marks that `NameShape` reads as a letter of ASCII, of Greek, of Cyrillic, kana,
///   CJK ideographs and Hangul. Nothing invisible, combining or written from right to left. A word has
///   letters of one alphabet, so that no single letter is exchanged.
/// - Not a word of this program at the start, such as `own` or `member`, nor one of its phrases anywhere,
///   such as `this machine` or `paid before`; and not an address.
public enum ContactLabel {
    /// Why a text is not a label.
    public enum Problem: Error, Equatable, Sendable {
        /// Bytes of UTF-8, 0 or more than `ContactList.maximumLabel`.
        case length(Int)
        /// A character that a label cannot have.
        case character(Unicode.Scalar)
        /// A blank at an end, or two in a row.
        case blanks
        /// No letter.
        case noLetter
        /// A word with letters of more than one alphabet.
        case mixedAlphabets(word: String)
        /// The first word, or a phrase of some words, is one of this program's, or looks like it.
        case reserved(word: String)
        /// It reads as an address.
        case address
    }

    /// Words that a review says about accounts. A label that starts with one would speak in the program's
    /// place.
    static let reservedWords = [
        "own", "your", "yours", "my", "mine", "me", "self", "contact", "private", "not", "no", "unknown",
        "stranger", "signer", "seed",
        "key",
        "verified", "trusted", "safe", "paid", "claimed", "warning", "error", "network", "unsigned",
        // What a proposal says of a member's place.
        "you", "member", "members", "dealer", "host", "hosts",
    ]
    /// What a review says of an account or a member behind its name. A name that ends in one would say it of
    /// itself: `(contact: Zoe paid before)`.
    static let reservedPhrases = [
        ["this", "machine"], ["host", "contact"], ["host", "contacts"], ["not", "compared"],
        ["paid", "before"], ["named", "before"], ["signed", "before"], ["first", "payment"],
        ["your", "key"], ["your", "keys"], ["your", "group"], ["your", "groups"], ["own", "key"],
        ["own", "keys"],
        ["of", "your"], ["private", "contact"], ["from", "the", "list"], ["not", "for", "this"],
        ["for", "this", "network"], ["this", "vault"], ["not", "derived"], ["taken", "for"],
    ]
    private static let reservedPhraseShapes = reservedPhrases.map {
        (text: $0.joined(separator: " "), shapes: $0.map { NameShape($0) })
    }
    private static let reservedShapes = Set(reservedWords.map { NameShape($0) })
    private static let marks: Set<Unicode.Scalar> = ["-", "_", ".", "&", "+", "#", "@"]

    private enum Alphabet { case latin, greek, cyrillic, eastAsian }

    /// Refuses what is not a label by itself, whatever else is in the vault.
    public static func check(_ text: String) throws(Problem) {
        guard (1...ContactList.maximumLabel).contains(text.utf8.count) else { throw .length(text.utf8.count) }
        var hasLetter = false
        let words = text.unicodeScalars.split(separator: " ", omittingEmptySubsequences: false)
        for word in words {
            guard !word.isEmpty else { throw .blanks }
            var alphabet: Alphabet?
            for scalar in word where !marks.contains(scalar) && !("0"..."9").contains(scalar) {
                guard let own = self.alphabet(scalar) else { throw .character(scalar) }
                guard alphabet == nil || alphabet == own else {
                    throw .mixedAlphabets(word: String(String.UnicodeScalarView(word)))
                }
                alphabet = own
                hasLetter = true
            }
        }
        guard hasLetter else { throw .noLetter }
        // Marks end a word for a reader, too: `own-main`.
        let parts = text.unicodeScalars.split { $0 == " " || marks.contains($0) }.map {
            String(String.UnicodeScalarView($0))
        }
        if let word = parts.first, reservedShapes.contains(NameShape(word)) { throw .reserved(word: word) }
        let shapes = parts.map { NameShape($0) }
        for phrase in reservedPhraseShapes where shapes.contains(subsequence: phrase.shapes) {
            throw .reserved(word: phrase.text)
        }
        guard (try? SS58Address(text)) == nil else { throw .address }
    }

    /// nil for a character that is no letter of a label.
    private static func alphabet(_ scalar: Unicode.Scalar) -> Alphabet? {
        switch scalar.value {
        case 0x41...0x5a, 0x61...0x7a: .latin
        // Latin letters with marks only where they are taken for a letter of ASCII.
        case 0xc0...0x17f:
            scalar.properties.isAlphabetic
                && String(scalar).lowercased().unicodeScalars.allSatisfy(NameShape.isTwin) ? .latin : nil
        case 0x386...0x3ce: scalar.properties.isAlphabetic ? .greek : nil
        case 0x401...0x491: scalar.properties.isAlphabetic ? .cyrillic : nil
        case 0x3041...0x3096, 0x30a1...0x30fa, 0x30fc, 0x3400...0x4dbf, 0x4e00...0x9fff, 0xac00...0xd7a3:
            .eastAsian
        default: nil
        }
    }

    /// What in the vault has this name already, or one that may be taken for it.
    public enum Holder: Equatable, Sendable {
        /// The label of an own key.
        case ownKey(String)
        case seed(String)
        case network(String)
        case contact(String)
        case listSigner(String)
        case group(String)

        public static func == (one: Holder, other: Holder) -> Bool {
            switch (one, other) {
            case (.ownKey(let one), .ownKey(let other)), (.seed(let one), .seed(let other)),
                (.network(let one), .network(let other)),
                (.contact(let one), .contact(let other)), (.listSigner(let one), .listSigner(let other)),
                (.group(let one), .group(let other)):
                one.utf8Equals(other)
            case (.ownKey, _), (.seed, _), (.network, _), (.contact, _), (.listSigner, _), (.group, _): false
            }
        }
    }
}

extension [NameShape] {
    fileprivate func contains(subsequence other: [NameShape]) -> Bool {
        count >= other.count && indices.dropLast(other.count - 1).contains { self[$0...].starts(with: other) }
    }
}

/// The names that a new label must differ from, by their shapes.
public struct TakenNames {
    private var holders: [NameShape: ContactLabel.Holder] = [:]

    /// Everything that is named in a vault but contacts: own keys, their seeds, groups, networks, signers of
    /// lists.
    /// - `seeds`: the vault's, which the trust state knows only in part.
    public init(_ trust: TrustState, seeds: [String] = []) {
        for signer in trust.listSigners { add(.listSigner(signer.label), signer.label) }
        for specs in trust.networks { for name in [specs.name, specs.title] { add(.network(name), name) } }
        for name in trust.removedNetworks.values { if let name { add(.network(name), name) } }
        for seed in seeds + trust.seedRoots.map(\.seed) + trust.keys.compactMap(\.seed) {
            add(.seed(seed), seed)
        }
        for group in trust.groups { add(.group(group.name), group.name) }
        for key in trust.keys { if let label = key.label { add(.ownKey(label), label) } }
    }

    private mutating func add(_ holder: ContactLabel.Holder, _ name: String) {
        let shape = NameShape(name)
        if !shape.isEmpty { holders[shape] = holder }
    }

    /// Adds a contact's name.
    public mutating func add(contact label: String) { add(.contact(label), label) }

    /// Frees the name of a contact that goes.
    public mutating func remove(contact label: String) {
        if case .contact = holders[NameShape(label)] { holders[NameShape(label)] = nil }
    }

    /// Who has this name, or one that may be taken for it.
    public func holder(of label: String) -> ContactLabel.Holder? {
        if let holder = holders[NameShape(label)] { return holder }
        return WellKnownChain.listedName(like: label).map { .network($0) }
    }

    /// - Throws: ``ContactRefusal/label(_:_:)``, ``ContactRefusal/taken(_:by:)``
    public func check(_ label: String) throws(ContactRefusal) {
        do throws(ContactLabel.Problem) { try ContactLabel.check(label) } catch { throw .label(label, error) }
        if let holder = holder(of: label) { throw .taken(label, by: holder) }
    }
}
