import CPassphraseWords
import Glibc

/// What somebody finds in a passphrase who guesses sentences instead of letters: phrases that many people
/// know, words that come again, and words in an order that English has.
///
/// The list of phrases and the frequencies are made by `tools/dev golden phrases`, which names their sources.
struct PassphraseWording {
    /// The most letters of a word with a frequency.
    private static let longestWord = 16

    /// One way to read a passphrase as letters.
    private struct Reading {
        /// In lower case, without what stands between them.
        var letters: [UInt8] = []
        /// Of capitals, digits and signs.
        var bits = 0.0

        /// Where each letter stands twice, one of them is left.
        mutating func halve() {
            let places = stride(from: 0, to: letters.count, by: 2)
            guard letters.count.isMultiple(of: 2), !letters.isEmpty,
                places.allSatisfy({ letters[$0] == letters[$0 + 1] })
            else { return }
            letters = places.map { letters[$0] }
            bits += 1
        }
    }

    private let text: [UInt8]
    private let readings: [Reading]

    /// - Parameter text: a byte each letter.
    init(_ text: [UInt8]) {
        self.text = text
        readings = Self.swaps.reduce(into: []) { readings, swaps in
            var reading = Self.reading(text, swaps: swaps)
            reading.halve()
            if !readings.contains(where: { $0.letters == reading.letters }) { readings.append(reading) }
        }
    }

    // MARK: Readings

    /// Digits and signs that stand for letters: none, and the usual ones with both letters that a 1 may be.
    private static let swaps: [[UInt8: UInt8]] = {
        let pairs = ["4a", "@a", "8b", "3e", "9g", "0o", "5s", "$s", "7t", "+t", "2z"]
        return [[]] + ["i", "l"].map { one in pairs + ["1", "!", "|"].map { $0 + one } }
    }().map { (pairs: [String]) in
        Dictionary(uniqueKeysWithValues: pairs.map { (Array($0.utf8)[0], Array($0.utf8)[1]) })
    }

    private static func isUpper(_ byte: UInt8) -> Bool { (0x41...0x5a).contains(byte) }
    private static func isLower(_ byte: UInt8) -> Bool { (0x61...0x7a).contains(byte) }
    private static func lower(_ byte: UInt8) -> UInt8 { isUpper(byte) ? byte | 0x20 : byte }

    private static func reading(_ text: [UInt8], swaps: [UInt8: UInt8]) -> Reading {
        var reading = Reading()
        var (gap, gaps) = ([UInt8](), Set<[UInt8]>())
        for byte in text {
            let letter = lower(byte)
            if isLower(letter) {
                reading.letters.append(letter)
            } else if let meant = swaps[byte] {
                reading.letters.append(meant)
                reading.bits += 1
            } else {
                gap.append(byte)
                continue
            }
            gaps.insert(gap)
            gap = []
        }
        gaps.insert(gap)
        // Whoever guesses one gap between words guesses all that are equal to it.
        for gap in gaps where gap != [UInt8(ascii: " ")] {
            reading.bits += gap.reduce(0.0) { $0 + ((0x30...0x39).contains($1) ? log2(10.0) : 6) }
        }
        reading.bits += capitals(text)
        return reading
    }

    private static func capitals(_ text: [UInt8]) -> Double {
        let (upper, small) = (text.count(where: isUpper), text.count(where: isLower))
        guard upper > 0 else { return 0 }
        guard small > 0 else { return 1 }
        let startWords = text.indices.allSatisfy {
            !isUpper(text[$0]) || $0 == 0 || !isLower(lower(text[$0 - 1]))
        }
        return startWords ? 2 : Double(min(upper, small) + 1)
    }

    // MARK: Phrases

    /// How many phrases the list has.
    static var knownPhrases: Int { Int(heliograph_known_phrases()) }

    /// Whether a phrase of the list stands anywhere in the text, also in disguise.
    var hasKnownPhrase: Bool {
        PassphraseDisguises.holdsPhrase(text) {
            readings.flatMap { [$0.letters, $0.letters.reversed()].map(Self.likelyWords) }
        }
    }

    // MARK: Repeats

    /// The text with only the first occurrence of every word; nil if no word is repeated.
    ///
    /// A word is three or more letters in a row, in either case. The characters behind a word are removed
    /// with it.
    static func withoutRepeats(_ text: [UInt8]) -> [UInt8]? {
        func isLetter(_ byte: UInt8) -> Bool { isLower(lower(byte)) || byte >= 0x80 }
        var (rest, seen, index) = ([UInt8](), Set<[UInt8]>(), text.startIndex)
        while index < text.endIndex {
            let word = text[index...].prefix(while: isLetter)
            let gap = text[word.endIndex...].prefix { !isLetter($0) }
            if word.count < 3 || seen.insert(word.map(lower)).inserted { rest += word + gap }
            index = gap.endIndex
        }
        return rest.count < text.count ? rest : nil
    }

    // MARK: Sentences

    /// The binary logarithm of the guesses that find the passphrase as a sentence.
    ///
    /// Each word costs what its frequency says, or its frequency behind the word before it, whichever is
    /// less; a guesser who tries sentences in the order of this model is no later than its cost.
    /// - Parameter ownWords: in lower case, tried first.
    func sentenceBits(ownWords: [[UInt8]]) -> Double {
        readings.map { $0.bits + Self.sentence($0.letters, ownWords, withBeginnings: true).bits }.min() ?? 0
    }

    /// A pair that the table lacks costs this more than its second word.
    private static let unpaired = 1.0
    /// A word that is only in the lists of passwords costs this more than the logarithm of its rank: for its
    /// share of all words by Zipf's law, and because it is rare in prose.
    private static let listed = 6.0
    /// How a famous phrase begins, from two words on, is guessed as one word: of the 1,500 phrases any, up to
    /// any word.
    private static let beginning = 12.0
    /// Letters that are no word: that they begin, and each one.
    private static let unknown = (start: 4.0, letter: log2(26.0) + 1)

    /// A word, and the cheapest way to guess everything up to its end.
    private struct Word {
        let letters: ArraySlice<UInt8>
        var bits: Double
    }

    /// - Returns: the bits of all letters, and the words that end at each place with the bits up to it.
    private static func sentence(
        _ letters: [UInt8], _ ownWords: [[UInt8]], withBeginnings: Bool
    ) -> (bits: Double, ending: [[Word]], least: [Double]) {
        var costs = costs(letters, ownWords)
        if withBeginnings { addBeginnings(letters, &costs) }
        var ending = [[Word]](repeating: [], count: letters.count + 1)
        // The cheapest way to guess the first letters, by their number; and if they end outside of a word.
        var cheapest = [0.0] + [Double](repeating: .infinity, count: letters.count)
        var wordless = Double.infinity
        for start in letters.indices {
            for (end, cost) in costs[start] {
                var word = Word(
                    letters: letters[start..<end], bits: cheapest[start] + cost + (start > 0 ? unpaired : 0))
                for before in ending[start] {
                    if let pair = pair(before.letters, word.letters) {
                        word.bits = min(word.bits, before.bits + pair)
                    }
                }
                ending[end].append(word)
                cheapest[end] = min(cheapest[end], word.bits)
            }
            wordless = min(wordless, cheapest[start] + unknown.start) + unknown.letter
            cheapest[start + 1] = min(cheapest[start + 1], wordless)
        }
        return (cheapest[letters.count], ending, cheapest)
    }

    /// Where a guesser of sentences puts the gaps. Letters in a row that are no word are one.
    private static func likelyWords(_ letters: [UInt8]) -> [[UInt8]] {
        let found = sentence(letters, [], withBeginnings: false)
        var (words, end, unknown) = ([[UInt8]](), letters.count, letters.count)
        while end > 0 {
            if let word = found.ending[end].first(where: { $0.bits == found.least[end] }) {
                if end < unknown { words.append(Array(letters[end..<unknown])) }
                words.append(Array(word.letters))
                end = word.letters.startIndex
                unknown = end
            } else {
                end -= 1
            }
        }
        if unknown > 0 { words.append(Array(letters[..<unknown])) }
        return words.reversed()
    }

    /// Of every letter, where the words that begin there end, each with its cost in bits.
    private static func costs(_ letters: [UInt8], _ ownWords: [[UInt8]]) -> [[Int: Double]] {
        var costs = [[Int: Double]](repeating: [:], count: letters.count)
        for start in letters.indices {
            var hash = PhraseHash()
            for index in letters[start...].prefix(longestWord).indices {
                hash.add(letters[index])
                let eighths = heliograph_word_cost(hash.value)
                if eighths >= 0 { costs[start][index + 1] = Double(eighths) / 8 }
            }
        }
        for (range, guesses) in PassphraseGuesses(ownWords: ownWords).listedWords(letters) {
            let cost = log2(guesses) + listed
            costs[range.lowerBound][range.upperBound] =
                min(cost, costs[range.lowerBound][range.upperBound] ?? .infinity)
        }
        return costs
    }

    private static func addBeginnings(_ letters: [UInt8], _ costs: inout [[Int: Double]]) {
        for start in letters.indices {
            var hash = PhraseHash()
            for index in letters[start...].prefix(longestWord).indices {
                hash.add(letters[index])
                if heliograph_begins_phrase(hash.value) == 1 {
                    costs[start][index + 1] = min(beginning, costs[start][index + 1] ?? .infinity)
                }
            }
        }
    }

    private static func pair(_ first: ArraySlice<UInt8>, _ second: ArraySlice<UInt8>) -> Double? {
        var hash = PhraseHash()
        for byte in first { hash.add(byte) }
        hash.add(UInt8(ascii: " "))
        for byte in second { hash.add(byte) }
        let eighths = heliograph_pair_cost(hash.value)
        return eighths >= 0 ? Double(eighths) / 8 : nil
    }
}
