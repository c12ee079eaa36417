import Keys
import Presentation
import TerminalIO

/// A recovery phrase or a share for a person who copies it: its words numbered, and single words to ask for.
/// All of it is in memory that is wiped.
package struct PhrasePage: ~Copyable {
    private let phrase: SecretBytes
    private let list: WordList
    /// The lines above the words.
    let heading: [String]
    let words: Int

    /// Columns of a row hold the words of a short line each, so that no row is wider than 64 columns.
    private static let wordsPerRow = 4
    private static let gap = 4

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

    /// Rows such as ` 1. bottom      2. drive       3. obey        4. lake`.
    package func page() -> SecretBytes {
        let width = 4 + WordList.longestWord + Self.gap
        let text = SecretBytes(count: words * width)
        text.withUnsafeMutableBytes { out in
            out.initializeMemory(as: UInt8.self, repeating: UInt8(ascii: " "))
            var next = 0
            var number = 0
            while let word = PhrasePrompt.word(in: phrase, from: &next) {
                let start = number * width
                number += 1
                if number >= 10 { out[start] = UInt8(ascii: "0") + UInt8(number / 10) }
                out[start + 1] = UInt8(ascii: "0") + UInt8(number % 10)
                out[start + 2] = UInt8(ascii: ".")
                phrase.withUnsafeBytes {
                    UnsafeMutableRawBufferPointer(rebasing: out[(start + 4)...]).copyBytes(from: $0[word])
                }
                if number.isMultiple(of: Self.wordsPerRow), number < words {
                    out[start + width - 1] = UInt8(ascii: "\n")
                }
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
        try reveal(page.page(), above: page.heading, below: Wording.pressKeyToClear)
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
