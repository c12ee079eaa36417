import SubstratePrimitives

/// The rules for the name of a contact, whether a person types it or a list brings it. A review shows the
/// name beside an address, and there it must say whose account that is and nothing else.
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
    package static let reservedWords = [
        "own", "your", "yours", "my", "mine", "me", "self", "contact", "private", "not", "no", "unknown",
        "stranger", "signer", "seed",
        "key",
        "verified", "trusted", "safe", "paid", "claimed", "warning", "error", "network", "unsigned",
        // What a proposal says of a member's place.
        "you", "member", "members", "dealer", "host", "hosts",
    ]
    /// What a review says of an account or a member, behind its name. A name that ends like this would pass
    /// for such a remark: `(contact: Zoe paid before)`.
    package static let reservedPhrases = [
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

    /// nil for a character that is not a letter of a label.
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
}

extension [NameShape] {
    fileprivate func contains(subsequence other: [NameShape]) -> Bool {
        count >= other.count && indices.dropLast(other.count - 1).contains { self[$0...].starts(with: other) }
    }
}

extension ContactLabel.Problem {
    package var words: String {
        switch self {
        case .length(let count): "it has \(count) bytes instead of 1 to \(ContactList.maximumLabel)"
        case .character(let scalar):
            "character U+\(String(scalar.value, radix: 16, uppercase: true)) is not allowed"
        case .blanks: "use single spaces between words and none at the ends"
        case .noLetter: "it has no letter"
        case .mixedAlphabets(let word): "\(word) has letters of more than one alphabet"
        case .reserved(let word): "\(word) is a word of this program"
        case .address: "it is an address"
        }
    }
}
