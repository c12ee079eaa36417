import Keys
import Presentation
import SystemIO
import TerminalIO

/// A recovery phrase or a share for a person who copies it: its words numbered, and single words to ask for.
/// All of it is in memory that is wiped.
package struct PhrasePage: ~Copyable {
    private let phrase: SecretBytes
    private let list: WordList
    /// The lines above the words.
    let heading: [String]
    let words: Int

    /// Words of a row in a window that has room for them.
    private static let mostWords = 4
    private static let gap = 4
    /// Of a word with its number and what is behind it.
    private static let width = 4 + WordList.longestWord + gap

    /// - Parameters:
    ///   - phrase: as UTF-8, single spaces between its words.
    ///   - list: of the words, which tells an abbreviated one.
    ///   - heading: the lines above them, made from how many there are.
    package init(
        _ phrase: consuming SecretBytes, _ list: WordList = .english, heading: (Int) -> [String]
    ) {
        words = phrase.withUnsafeBytes { $0.count { $0 == UInt8(ascii: " ") } } + 1
        self.heading = heading(words)
        self.list = list
        self.phrase = phrase
    }

    /// The phrase of a seed.
    package init(_ phrase: consuming SecretBytes, of seed: String) {
        self.init(phrase) { Wording.phraseHeading(seed, words: $0) }
    }

    /// Rows such as ` 1. bottom      2. drive       3. obey        4. lake`, without blanks at their ends:
    /// in a narrow window they would make rows of their own and push the heading away.
    /// - Parameter columns: of the window; nil where it has none. A row has two words or more.
    package func page(columns: Int?) -> SecretBytes {
        let fitting = columns.map { ($0 + Self.gap) / Self.width } ?? Self.mostWords
        let perRow = max(2, min(Self.mostWords, fitting))
        let words = words
        func endsRow(_ number: Int) -> Bool { number.isMultiple(of: perRow) || number == words }
        var (size, next, number) = (0, 0, 0)
        while let word = PhrasePrompt.word(in: phrase, from: &next) {
            number += 1
            size += endsRow(number) ? 4 + word.count + (number < words ? 1 : 0) : Self.width
        }
        let text = SecretBytes(count: size)
        text.withUnsafeMutableBytes { out in
            out.initializeMemory(as: UInt8.self, repeating: UInt8(ascii: " "))
            var start = 0
            (next, number) = (0, 0)
            while let word = PhrasePrompt.word(in: phrase, from: &next) {
                number += 1
                if number >= 10 { out[start] = UInt8(ascii: "0") + UInt8(number / 10) }
                out[start + 1] = UInt8(ascii: "0") + UInt8(number % 10)
                out[start + 2] = UInt8(ascii: ".")
                phrase.withUnsafeBytes {
                    UnsafeMutableRawBufferPointer(rebasing: out[(start + 4)...]).copyBytes(from: $0[word])
                }
                guard endsRow(number) else {
                    start += Self.width
                    continue
                }
                start += 4 + word.count
                if number < words { out[start] = UInt8(ascii: "\n") }
                start += 1
            }
        }
        return text
    }

    /// Whether a line is the word at an index, whole or by its first letters.
    func isWord(_ index: Int, _ typed: borrowing SecretBytes) -> Bool {
        let wanted = PhrasePrompt.index(of: word(index), list)
        return wanted != nil && PhrasePrompt.index(of: typed, list) == wanted
    }

    /// One word.
    /// - Parameter index: from 0.
    func word(_ index: Int) -> SecretBytes {
        var next = 0
        var range = 0..<0
        for _ in 0...index { range = PhrasePrompt.word(in: phrase, from: &next) ?? 0..<0 }
        return phrase.slice(range)
    }
}

extension Console {
    /// Shows the words of a phrase or a share until a key is pressed.
    package func reveal(_ page: borrowing PhrasePage) throws(CommandError) {
        let columns = terminal.flatMap(TerminalSize.read)?.columns
        try reveal(page.page(columns: columns), above: page.heading, below: Wording.pressKeyToClear)
    }

    /// Asks for some words of a phrase or a share, to see that it was written down. A wrong one is asked
    /// again, and an empty line shows the words again.
    package func quiz(_ page: borrowing PhrasePage) throws {
        defer { clearScreen() }
        for index in Self.drawnPositions(Self.askedWords, below: page.words) {
            while true {
                let typed = try askSecret(
                    Wording.wordQuestion(index + 1), for: .phrase, hidden: false, clears: true)
                guard typed.count > 0 else {
                    try reveal(page)
                    continue
                }
                if page.isWord(index, typed) { break }
                tell(
                    """
                    this is not word \(index + 1): look at what you wrote, or press Enter to see the words \
                    again
                    """
                )
            }
        }
    }

    package static let askedWords = 3

    /// Different numbers in the order in which they were drawn.
    static func drawnPositions(_ count: Int, below bound: Int) -> [Int] {
        var drawn: [Int] = []
        while drawn.count < min(count, bound) {
            let position = UniformDraw.index(below: bound)
            if !drawn.contains(position) { drawn.append(position) }
        }
        return drawn
    }
}
