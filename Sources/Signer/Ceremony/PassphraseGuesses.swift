import CPassphraseWords
import Glibc

/// How many guesses find a passphrase, as Dropbox's zxcvbn counts them (Wheeler, "zxcvbn: Low-Budget Password
/// Strength Estimation", USENIX Security 2016), with its word lists and its numbers.
///
/// Where the reference keeps one of several readings of a part, all of them count here, so that the result is
/// at most the reference's: of words with swapped letters, of repeats and of dates. Only the first
/// ``longest`` letters are read; more letters only make more guesses.
struct PassphraseGuesses {
    /// The reference reads 72.
    static let longest = 100
    private static let growth = 10_000.0
    private static let referenceYear = 2017

    /// A part that somebody would try before random letters.
    private struct Match {
        let start: Int
        /// The index of the word's last letter.
        let end: Int
        let guesses: Double
    }

    private let ownWords: [[UInt8]]
    /// The guesses for the whole text and for repeated parts. A text of n letters has at most n different
    /// parts that occur twice in a row, each at most half as long, so the cache bounds the work for any text.
    private(set) var known: [[UInt8]: Double] = [:]

    /// - Parameter ownWords: in lower case, tried first.
    init(ownWords: [[UInt8]]) { self.ownWords = ownWords }

    /// - Parameter letters: a byte each.
    mutating func count(_ letters: [UInt8]) -> Double {
        let text = Array(letters.prefix(Self.longest))
        if let known = known[text] { return known }
        guard !text.isEmpty else { return 1 }
        let found =
            words(text) + Self.backwards(words(text.reversed()), text.count) + Self.walks(text)
            + repeats(text) + Self.sequences(text)
            + Self.years(text) + Self.dates(text)
        let guesses = Self.cheapest(found, text.count)
        known[text] = guesses
        return guesses
    }

    // MARK: The cheapest way through

    /// The minimum of `l! · Π guesses + 10,000^(l - 1)` over all ways to cut the text into `l` parts. A part
    /// that matches nothing is guessed letter by letter.
    ///
    /// The reference drops a partial sequence as soon as another with no more parts is no more expensive, so
    /// it may miss the cheapest. This search keeps the smallest product for each end and each number of
    /// parts. It knows at least the reference's parts, so its result is at most the reference's.
    private static func cheapest(_ matches: [Match], _ length: Int) -> Double {
        /// The lowest products by the number of parts less 1: of sequences whose last part is known, and of
        /// those that end in unknown letters.
        typealias Products = (known: [Double], letters: [Double])
        let none = [Double](repeating: .infinity, count: length)
        var least = [Products](repeating: (none, none), count: length)
        for end in 0..<length {
            for match in matches where match.end == end {
                let floor = end - match.start + 1 == length ? 1.0 : end == match.start ? 10 : 50
                let guesses = max(match.guesses, floor)
                guard match.start > 0 else {
                    least[end].known[0] = min(least[end].known[0], guesses)
                    continue
                }
                let before = least[match.start - 1]
                for parts in 1..<length {
                    let product = min(before.known[parts - 1], before.letters[parts - 1]) * guesses
                    least[end].known[parts] = min(least[end].known[parts], product)
                }
            }
            for start in 0...end {
                let guesses = max(pow(10, Double(end - start + 1)), start == end ? 11 : 51)
                guard start > 0 else {
                    least[end].letters[0] = min(least[end].letters[0], guesses)
                    continue
                }
                let before = least[start - 1].known
                for parts in 1..<length {
                    least[end].letters[parts] = min(least[end].letters[parts], before[parts - 1] * guesses)
                }
            }
        }
        var (best, ways) = (Double.infinity, 1.0)
        for parts in 1...length {
            ways *= Double(parts)
            let product = min(least[length - 1].known[parts - 1], least[length - 1].letters[parts - 1])
            best = min(best, ways * product + pow(growth, Double(parts - 1)))
        }
        return best
    }

    private static func choose(_ count: Int, _ some: Int) -> Double {
        guard some <= count else { return 0 }
        return (0..<some).reduce(1.0) { $0 * Double(count - $1) / Double($1 + 1) }
    }

    /// The ways to choose up to all of the fewer ones.
    private static func ways(_ one: Int, _ other: Int) -> Double {
        guard min(one, other) > 0 else { return 2 }
        return (1...min(one, other)).reduce(0.0) { $0 + choose(one + other, $1) }
    }

    // MARK: Words

    /// Where words of the lists stand in a text, and how many guesses find each.
    func listedWords(_ text: [UInt8]) -> [(range: Range<Int>, guesses: Double)] {
        words(text).map { (range: $0.start..<($0.end + 1), guesses: $0.guesses) }
    }

    private static let swaps: [UInt8: [UInt8]] = {
        let table = [
            "a": "4@", "b": "8", "c": "({[<", "e": "3", "g": "69", "i": "1!|", "l": "1|7", "o": "0",
            "s": "$5", "t": "+7", "x": "%",
            "z": "2",
        ]
        var swaps: [UInt8: [UInt8]] = [:]
        for (letter, others) in table {
            for other in others.utf8 { swaps[other, default: []].append(letter.utf8.first!) }
        }
        return swaps
    }()

    private static func isUpper(_ byte: UInt8) -> Bool { (0x41...0x5a).contains(byte) }
    private static func isLower(_ byte: UInt8) -> Bool { (0x61...0x7a).contains(byte) }
    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    private static func lower(_ byte: UInt8) -> UInt8 { isUpper(byte) ? byte | 0x20 : byte }

    /// Every word in a text, also with swapped letters.
    private func words(_ text: [UInt8]) -> [Match] {
        var found: [Match] = []
        /// Follows the words that begin as the letters from `start` on do.
        func follow(_ start: Int, _ word: [UInt8], _ swapped: [(UInt8, UInt8)]) {
            let end = start + word.count - 1
            if let rank = rank(word), swapped.isEmpty || word.count > 1 {
                let token = Array(text[start...end])
                let guesses = Double(rank) * Self.cases(token) * Self.swapWays(token, swapped)
                found.append(Match(start: start, end: end, guesses: guesses))
            }
            guard end + 1 < text.count, begins(word) else { return }
            let next = Self.lower(text[end + 1])
            follow(start, word + [next], swapped)
            for letter in Self.swaps[next] ?? [] {
                follow(start, word + [letter], swapped + [(next, letter)])
            }
        }
        for start in text.indices {
            let first = Self.lower(text[start])
            follow(start, [first], [])
            for letter in Self.swaps[first] ?? [] { follow(start, [letter], [(first, letter)]) }
        }
        return found
    }

    private static func cases(_ token: [UInt8]) -> Double {
        let (upper, lower) = (token.count(where: isUpper), token.count(where: isLower))
        guard upper > 0 else { return 1 }
        let isEdge = upper == 1 && token.count > 1 && (isUpper(token[0]) || isUpper(token[token.count - 1]))
        return isEdge || lower == 0 ? 2 : ways(upper, lower)
    }

    private static func swapWays(_ token: [UInt8], _ swapped: [(UInt8, UInt8)]) -> Double {
        var (ways, done) = (1.0, Set<[UInt8]>())
        for (other, letter) in swapped where done.insert([other, letter]).inserted {
            let letters = token.map(lower)
            ways *= self.ways(letters.count { $0 == other }, letters.count { $0 == letter })
        }
        return ways
    }

    /// Matches of the reversed text, each guess with its reverse.
    private static func backwards(_ matches: [Match], _ length: Int) -> [Match] {
        matches.map { Match(start: length - 1 - $0.end, end: length - 1 - $0.start, guesses: $0.guesses * 2) }
    }

    private static var list: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: heliograph_passphrase_words(), count: Int(heliograph_passphrase_words_length()))
    }

    /// Where each line begins, in the order of its word's bytes.
    private static let lines: [Int] = {
        var lines = [0]
        for index in list.indices.dropLast() where list[index] == UInt8(ascii: "\n") {
            lines.append(index + 1)
        }
        return lines
    }()

    /// The start of the first line whose word is not below `word` in byte order. A blank ends each listed
    /// word and is below every letter.
    private static func line(notBelow word: [UInt8]) -> Int {
        let (list, lines) = (list, lines)
        var (low, high) = (0, lines.count)
        while low < high {
            let middle = (low + high) / 2
            if isBelow(list, lines[middle], word) { low = middle + 1 } else { high = middle }
        }
        return low < lines.count ? lines[low] : list.count
    }

    /// Whether the word that begins at `start` is below another one.
    private static func isBelow(_ list: UnsafeRawBufferPointer, _ start: Int, _ word: [UInt8]) -> Bool {
        for (index, byte) in word.enumerated() {
            let own = list[start + index]
            // The listed word ends here, so it is a prefix of `word` and comes before it.
            if own == UInt8(ascii: " ") { return true }
            if own != byte { return own < byte }
        }
        return false
    }

    /// The better of two ranks: the word's rank in the lists, and its rank among the person's own words.
    private func rank(_ word: [UInt8]) -> Int? {
        if let own = ownWords.firstIndex(of: word) { return own + 1 }
        let rest = Self.list[Self.line(notBelow: word)...]
        guard rest.starts(with: word + [UInt8(ascii: " ")]) else { return nil }
        return rest.dropFirst(word.count + 1).prefix(while: Self.isDigit).reduce(0) {
            $0 * 10 + Int($1 - 0x30)
        }
    }

    /// Whether a longer word begins so.
    private func begins(_ word: [UInt8]) -> Bool {
        ownWords.contains { $0.count > word.count && $0.starts(with: word) }
            || Self.list[Self.line(notBelow: word + [0x21])...].starts(with: word)
    }

    // MARK: Keyboards

    private struct Keyboard {
        /// The neighbours of a key by direction; each has the characters that the key gives alone and with
        /// the shift key.
        var neighbours: [UInt8: [[UInt8]?]] = [:]
        let starts: Double
        let degree: Double
        let hasShift: Bool

        /// - Parameters:
        ///   - rows: the rows from the top; a blank ends a key.
        ///   - slanted: whether each row stands half a key to the right of the one above it.
        init(_ rows: [String], slanted: Bool) {
            var keys: [[Int]: [UInt8]] = [:]
            for (y, row) in rows.enumerated() {
                let unit = slanted ? 3 : 2
                let bytes = Array(row.utf8)
                for x in bytes.indices
                where bytes[x] != UInt8(ascii: " ") && (x == 0 || bytes[x - 1] == UInt8(ascii: " ")) {
                    let column = (x - (slanted ? y : 0)) / unit
                    keys[[column, y]] = Array(bytes[x...].prefix { $0 != UInt8(ascii: " ") })
                }
            }
            let around =
                slanted
                ? [[-1, 0], [0, -1], [1, -1], [1, 0], [0, 1], [-1, 1]]
                : [[-1, 0], [-1, -1], [0, -1], [1, -1], [1, 0], [1, 1], [0, 1], [-1, 1]]
            for (place, key) in keys {
                let near = around.map { keys[[place[0] + $0[0], place[1] + $0[1]]] }
                for byte in key { neighbours[byte] = near }
            }
            hasShift = slanted
            // Those of the reference, which takes one layout of each kind for both.
            (starts, degree) = slanted ? (94, 4.595744680851064) : (15, 5.066666666666666)
        }
    }

    private static let keyboards = [
        Keyboard(
            [
                "`~ 1! 2@ 3# 4$ 5% 6^ 7& 8* 9( 0) -_ =+", "    qQ wW eE rR tT yY uU iI oO pP [{ ]} \\|",
                "     aA sS dD fF gG hH jJ kK lL ;: '\"", "      zZ xX cC vV bB nN mM ,< .> /?",
            ], slanted: true),
        Keyboard(
            [
                "`~ 1! 2@ 3# 4$ 5% 6^ 7& 8* 9( 0) [{ ]}", "    '\" ,< .> pP yY fF gG cC rR lL /? =+ \\|",
                "     aA oO eE uU iI dD hH tT nN sS -_", "      ;: qQ jJ kK xX bB mM wW vV zZ",
            ], slanted: true),
        Keyboard(["  / * -", "7 8 9 +", "4 5 6", "1 2 3", "  0 ."], slanted: false),
        Keyboard(["  = / *", "7 8 9 -", "4 5 6 +", "1 2 3", "  0 ."], slanted: false),
    ]

    /// Three and more keys, each beside the one before it.
    private static func walks(_ text: [UInt8]) -> [Match] {
        keyboards.flatMap { keyboard in
            var found: [Match] = []
            var start = 0
            while start < text.count - 1 {
                let isShifted =
                    keyboard.hasShift
                    && "~!@#$%^&*()_+QWERTYUIOP{}|ASDFGHJKL:\"ZXCVBNM<>?".utf8.contains(text[start])
                var (end, turns, shifted, last) = (start, 0, isShifted ? 1 : 0, Int?.none)
                while end + 1 < text.count, let near = keyboard.neighbours[text[end]],
                    let direction = near.firstIndex(where: { $0?.contains(text[end + 1]) == true })
                {
                    if near[direction]?.firstIndex(of: text[end + 1]) == 1 { shifted += 1 }
                    if direction != last { turns += 1 }
                    last = direction
                    end += 1
                }
                if end - start > 1 {
                    found.append(
                        Match(
                            start: start, end: end, guesses: walk(keyboard, end - start + 1, turns, shifted)))
                }
                start = end > start ? end : start + 1
            }
            return found
        }
    }

    private static func walk(_ keyboard: Keyboard, _ length: Int, _ turns: Int, _ shifted: Int) -> Double {
        var guesses = 0.0
        for part in 2...length {
            for turn in 1...max(1, min(turns, part - 1)) {
                guesses += choose(part - 1, turn - 1) * keyboard.starts * pow(keyboard.degree, Double(turn))
            }
        }
        return shifted == 0 ? guesses : guesses * ways(shifted, length - shifted)
    }

    // MARK: Repeats, sequences, dates

    private mutating func repeats(_ text: [UInt8]) -> [Match] {
        var found: [Match] = []
        for start in text.indices {
            for length in 1..<max(2, (text.count - start) / 2 + 1) {
                let base = Array(text[start..<min(start + length, text.count)])
                var times = 1
                while text[(start + times * length)...].starts(with: base),
                    start + (times + 1) * length <= text.count
                { times += 1 }
                guard times > 1 else { continue }
                let guesses = count(base)
                for times in 2...times {
                    found.append(
                        Match(start: start, end: start + times * length - 1, guesses: guesses * Double(times))
                    )
                }
            }
        }
        return found
    }

    private static func sequences(_ text: [UInt8]) -> [Match] {
        var found: [Match] = []
        var start = 0
        while start + 1 < text.count {
            let step = Int(text[start + 1]) - Int(text[start])
            var end = start + 1
            while end + 1 < text.count, Int(text[end + 1]) - Int(text[end]) == step { end += 1 }
            if (1...5).contains(abs(step)), end - start > 1 || abs(step) == 1 {
                let base = "aAzZ019".utf8.contains(text[start]) ? 4.0 : isDigit(text[start]) ? 10 : 26
                found.append(
                    Match(
                        start: start, end: end, guesses: base * (step > 0 ? 1 : 2) * Double(end - start + 1)))
            }
            start = end
        }
        return found
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int {
        digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    private static func yearSpace(_ year: Int) -> Double { Double(max(abs(year - referenceYear), 20)) }

    private static func years(_ text: [UInt8]) -> [Match] {
        guard text.count >= 4 else { return [] }
        return (0...(text.count - 4)).compactMap { start in
            let digits = text[start..<(start + 4)]
            guard digits.allSatisfy(isDigit), (1900...2019).contains(number(digits)) else { return nil }
            return Match(start: start, end: start + 3, guesses: yearSpace(number(digits)))
        }
    }

    private static func dates(_ text: [UInt8]) -> [Match] {
        var found: [Match] = []
        for start in text.indices {
            for end in (start + 3)..<max(start + 4, min(start + 10, text.count)) where end < text.count {
                let token = text[start...end]
                let separators = token.indices.filter { !isDigit(text[$0]) }
                var years: [Int] = []
                if separators.isEmpty, token.count <= 8 {
                    for (one, two) in splits[token.count] ?? [] {
                        years += year(of: [
                            token.prefix(one), token[(start + one)..<(start + two)], token[(start + two)...],
                        ])
                    }
                } else if separators.count == 2, token.count >= 6,
                    " \t/\\_.-".utf8.contains(text[separators[0]])
                {
                    // Two different separators give two parts.
                    let parts = token.split(separator: text[separators[0]], omittingEmptySubsequences: false)
                    if parts.count == 3, (1...4).contains(parts[0].count), (1...2).contains(parts[1].count),
                        (1...4).contains(parts[2].count)
                    {
                        years += year(of: parts)
                    }
                }
                guard let space = years.map(yearSpace).min() else { continue }
                found.append(
                    Match(start: start, end: end, guesses: space * 365 * (separators.isEmpty ? 1 : 4)))
            }
        }
        return found
    }

    /// Where the second and the third number of a date without separators may begin, by its length.
    private static let splits: [Int: [(Int, Int)]] = [
        4: [(1, 2), (2, 3)], 5: [(1, 3), (2, 3)], 6: [(1, 2), (2, 4), (4, 5)],
        7: [(1, 3), (2, 3), (4, 5), (4, 6)], 8: [(2, 4), (4, 6)],
    ]

    /// The year of three numbers that can be a date, in any order that has the year at an end.
    private static func year(of parts: [ArraySlice<UInt8>]) -> [Int] {
        let numbers = parts.map(number)
        let (large, middling, none) = (
            numbers.count { $0 > 31 }, numbers.count { $0 > 12 }, numbers.count { $0 <= 0 }
        )
        guard (1...31).contains(numbers[1]),
            !numbers.contains(where: { (100...999).contains($0) || $0 > 2050 }), large < 2, middling < 3,
            none < 2
        else { return [] }
        func isDay(_ one: Int, _ other: Int) -> Bool {
            (1...31).contains(one) && (1...12).contains(other)
                || (1...31).contains(other) && (1...12).contains(one)
        }
        let readings = [(numbers[2], numbers[0], numbers[1]), (numbers[0], numbers[1], numbers[2])]
        if let whole = readings.first(where: { $0.0 >= 1000 }) {
            return isDay(whole.1, whole.2) ? [whole.0] : []
        }
        return readings.filter { isDay($0.1, $0.2) }.map {
            $0.0 > 99 ? $0.0 : $0.0 > 50 ? 1900 + $0.0 : 2000 + $0.0
        }
    }
}
