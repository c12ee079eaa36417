import CPassphraseWords

/// Known phrases in a passphrase, also in disguise: spaced, capitalized or doubled in another way, with
/// digits and signs for letters, backwards, or with their words in another order.
///
/// Whoever guesses tries a list of phrases by each such rule, and a rule costs a few bits. So a disguise is
/// taken off, not counted. Tables have two forms of each phrase, as hashes:
///
/// - its letters, folded: letters that one sign may stand for are one letter, and equal letters in a row are
///   one;
/// - its words in any order: the sum of their hashes, each folded and in the direction that comes first in
///   the alphabet.
///
/// Every run of folded letters is looked up in both directions, and every run of words. A passphrase of 100
/// letters without signs has 7,200 such runs of letters, and one of 24 words 300 of words.
enum PassphraseDisguises {
    /// The fewest and the most folded letters of a phrase in the table.
    private static let lengths = 9...64
    /// A text with a longer run of letters may lack gaps between its words.
    private static let longestWord = 12

    /// - Parameters:
    ///   - text: a byte each letter.
    ///   - likelyWords: ways to cut the text into words, asked only where its gaps may not tell.
    static func holdsPhrase(_ text: [UInt8], likelyWords: () -> [[[UInt8]]]) -> Bool {
        let plain = withoutDrawings(text)
        var isCut = true
        for text in plain == text ? [text] : [text, plain] {
            for signs in readings(text) {
                let words = Self.words(text, signs, isCutAtCapitals: false)
                isCut = isCut && words.allSatisfy { $0.count <= longestWord }
                let letters = folded(words.flatMap { $0 })
                if holds(letters: letters) || holds(letters: letters.reversed()) || holds(words: words) {
                    return true
                }
                if text.contains(where: isUpper), holds(words: Self.words(text, signs, isCutAtCapitals: true))
                {
                    return true
                }
            }
        }
        return !isCut && likelyWords().contains(where: holds(words:))
    }

    // MARK: Tables

    private static func holds(letters: [UInt8]) -> Bool {
        guard letters.count >= lengths.lowerBound else { return false }
        return (0...(letters.count - lengths.lowerBound)).contains { start in
            var hash = PhraseHash()
            let end = min(letters.count, start + lengths.upperBound)
            return (start..<end).contains { index in
                hash.add(letters[index])
                return index - start + 1 >= lengths.lowerBound && heliograph_is_known_phrase(hash.value) == 1
            }
        }
    }

    private static func holds(words: [[UInt8]]) -> Bool {
        let hashes = words.map { word in
            let forwards = folded(word)
            let backwards = [UInt8](forwards.reversed())
            var hash = PhraseHash()
            for byte in backwards.lexicographicallyPrecedes(forwards) ? backwards : forwards {
                hash.add(byte)
            }
            return hash.value
        }
        return hashes.indices.contains { start in
            var sum: UInt64 = 0
            return hashes[start...].contains {
                sum &+= $0
                return heliograph_is_known_bag(sum) == 1
            }
        }
    }

    // MARK: Forms

    private static let fold: [UInt8: UInt8] = pairs(["li", "qg", "bg", "zs", "kc", "wv"])
    /// What digits and signs stand for, folded.
    private static let signs: [UInt8: UInt8] = pairs([
        "4a", "@a", "^a", "8g", "3e", "6g", "9g", "#h", "1i", "!i", "|i", "0o", "5s", "$s", "2s", "7t", "+t",
        "%x",
        "(c", "{c", "[c", "<c",
    ])
    /// Letters that are drawn with several signs; a longer drawing stands before a part of it.
    private static let drawings = [
        ("/\\/\\", "m"), ("|\\/|", "m"), ("\\/\\/", "w"), ("|\\|", "n"), ("|-|", "h"), ("|_|", "u"),
        ("/\\", "a"),
        ("\\/", "v"), ("()", "o"), ("[]", "o"), ("|)", "d"), ("|<", "k"), ("|>", "p"), ("|3", "b"),
        ("|=", "f"),
    ].map { (drawn: Array($0.0.utf8), letter: Array($0.1.utf8)[0]) }

    private static func pairs(_ pairs: [String]) -> [UInt8: UInt8] {
        Dictionary(uniqueKeysWithValues: pairs.map { (Array($0.utf8)[0], Array($0.utf8)[1]) })
    }

    private static func isUpper(_ byte: UInt8) -> Bool { (0x41...0x5a).contains(byte) }

    /// Equal letters in a row are one.
    private static func folded(_ letters: [UInt8]) -> [UInt8] {
        letters.reduce(into: []) { folded, letter in
            let letter = fold[letter] ?? letter
            if folded.last != letter { folded.append(letter) }
        }
    }

    private static func withoutDrawings(_ text: [UInt8]) -> [UInt8] {
        var (plain, rest) = ([UInt8](), text[...])
        while let first = rest.first {
            if let drawing = drawings.first(where: { rest.starts(with: $0.drawn) }) {
                plain.append(drawing.letter)
                rest = rest.dropFirst(drawing.drawn.count)
            } else {
                plain.append(first)
                rest = rest.dropFirst()
            }
        }
        return plain
    }

    /// The sets of signs to read as letters: all sets of up to six signs. Of more signs all, none, and all
    /// but one or two, so that no passphrase makes more than 256 readings.
    private static func readings(_ text: [UInt8]) -> [Set<UInt8>] {
        let used = Set(text.filter { signs[$0] != nil }).sorted()
        guard used.count > 6 else {
            return (0..<(1 << used.count)).map { mask in
                Set(used.indices.filter { mask >> $0 & 1 == 1 }.map { used[$0] })
            }
        }
        let but = used.flatMap { one in used.filter { $0 >= one }.map { Set(used).subtracting([one, $0]) } }
        return [[], Set(used)] + but
    }

    /// The letters between gaps. An apostrophe is no gap.
    private static func words(_ text: [UInt8], _ read: Set<UInt8>, isCutAtCapitals: Bool) -> [[UInt8]] {
        var (words, isInWord, isAfterSmall) = ([[UInt8]](), false, false)
        for byte in text where byte != UInt8(ascii: "'") {
            let letter = isUpper(byte) ? byte | 0x20 : read.contains(byte) ? signs[byte] ?? byte : byte
            guard (0x61...0x7a).contains(letter) else {
                isInWord = false
                continue
            }
            if !isInWord || isCutAtCapitals && isUpper(byte) && isAfterSmall { words.append([]) }
            words[words.count - 1].append(letter)
            (isInWord, isAfterSmall) = (true, !isUpper(byte))
        }
        return words
    }
}

/// FNV-1a of 64 bits, whose bits are mixed once at the end: the hash of the tables.
struct PhraseHash {
    private var state: UInt64 = 0xcbf2_9ce4_8422_2325

    mutating func add(_ byte: UInt8) { state = (state ^ UInt64(byte)) &* 0x100_0000_01b3 }

    var value: UInt64 {
        let mixed = (state ^ state >> 33) &* 0xff51_afd7_ed55_8ccd
        return mixed ^ mixed >> 33
    }
}
