import ArgumentParser
import Diagnostics
import Keys
import Presentation
import TerminalIO

/// Where a phrase comes from: a descriptor, or word by word at the terminal.
package struct PhraseOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Read the recovery phrase as one line from this descriptor.", valueName: "n"))
    var phraseFd: Int32?

    @OptionGroup var words: LanguageOption

    package init() {}

    /// Whether any of the options was given.
    package var isGiven: Bool { phraseFd != nil || words.language != nil }

    package func mnemonic(_ console: Console) throws -> Mnemonic {
        guard phraseFd == nil else {
            return try words.mnemonic(of: secret("phrase: ", for: .phrase, descriptor: phraseFd, console))
        }
        switch words.language {
        case nil, .english: return try PhrasePrompt.read(console)
        case let language?: return try words.asked(language, console)
        }
    }
}

/// `--language`, for a phrase that another wallet made.
package struct LanguageOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The language of the words (default: English at a prompt, else as the words tell).",
            valueName: "name"))
    package var language: PhraseLanguage?

    package init() {}

    package func mnemonic(of phrase: borrowing SecretBytes) throws(MnemonicError) -> Mnemonic {
        try Mnemonic(reading: phrase, language: language)
    }

    /// Asks for the whole phrase at once: only English words are completed from their first letters.
    fileprivate func asked(_ language: PhraseLanguage, _ console: Console) throws(CommandError) -> Mnemonic {
        defer { console.clearScreen() }
        while true {
            let line = try console.askSecret(
                "all \(language.name) words: ", for: .phrase, hidden: false, clears: true)
            do throws(MnemonicError) {
                return try Mnemonic(reading: line, language: language)
            } catch {
                console.tell("\(error.sentence); once more from word 1")
            }
        }
    }
}

extension PhraseLanguage: ExpressibleByArgument {}

/// Asks for a phrase or a share word by word. The first letters of a word are enough if no other word has
/// them, and an unknown word is asked for again, with the nearest words of the list. The phrase is only in
/// memory that is wiped.
struct PhrasePrompt: ~Copyable {
    private let console: Console
    private let list: WordList
    /// Words at most.
    private let longest: Int
    /// The words so far, each with a space after it; one more stands there while it is completed.
    private let phrase: SecretBytes
    private var length = 0
    private var words = 0

    /// An invalid phrase is reported and asked for again from its first word. What was typed is cleared from
    /// the screen.
    static func read(_ console: Console) throws(CommandError) -> Mnemonic {
        console.tell(Wording.howToTypeWords)
        defer { console.clearScreen() }
        while true {
            if let read = try next(
                console, .english, longest: 24,
                { (words: borrowing SecretBytes) in try Mnemonic(phrase: words) })
            {
                return read
            }
            console.tell("\(MnemonicError.wordCount(0).sentence); once more from word 1")
        }
    }

    /// Asks for one phrase or share, again from its first word while it is invalid.
    /// - Parameters:
    ///   - longest: how many words are asked for at most.
    ///   - endsAlone: whether words that `parse` takes are the whole of it, without an empty line behind
    ///     them.
    /// - Returns: nil for an empty line in place of the first word.
    static func next<Part: ~Copyable>(
        _ console: Console, _ list: WordList, longest: Int, endsAlone: Bool = false,
        _ parse: (borrowing SecretBytes) throws -> Part
    ) throws(CommandError) -> Part? {
        while true {
            var prompt = PhrasePrompt(console, list, longest)
            while prompt.words < longest, try prompt.readLine() {
                // `try?` with a part that cannot be copied ends Swift 6.2's compiler where it optimizes.
                if endsAlone { do { return try parse(prompt.typed) } catch { continue } }
            }
            guard prompt.words > 0 else { return nil }
            do { return try parse(prompt.typed) } catch {
                console.tell("\(Wording.diagnostic(error).message); once more from word 1")
            }
        }
    }

    private init(_ console: Console, _ list: WordList, _ longest: Int) {
        self.console = console
        self.list = list
        self.longest = longest
        phrase = SecretBytes(count: (longest + 1) * (WordList.longestWord + 1))
    }

    private var typed: SecretBytes { phrase.slice(0..<length) }

    /// A line may hold several words, as when a whole phrase is typed at once. What follows a word that is
    /// not understood is dropped.
    /// - Returns: false for an empty line, which ends the phrase.
    private mutating func readLine() throws(CommandError) -> Bool {
        let line = try console.askSecret(
            Wording.wordQuestion(words + 1), for: .phrase, hidden: false, clears: true)
        var start = 0
        var isEmpty = true
        while words < longest, let word = Self.word(in: line, from: &start) {
            isEmpty = false
            guard take(line.slice(word)) else { break }
        }
        return !isEmpty
    }

    /// The next run of bytes that are not blanks.
    static func word(in line: borrowing SecretBytes, from start: inout Int) -> Range<Int>? {
        line.withUnsafeBytes { bytes in
            guard let first = bytes[start...].firstIndex(where: { $0 > 0x20 }) else { return nil }
            let end: Int = bytes[first...].firstIndex { $0 <= 0x20 } ?? bytes.count
            start = end
            return first..<end
        }
    }

    /// The place in the list of the one word that was typed or begun; nil for anything else.
    static func index(of typed: borrowing SecretBytes, _ list: WordList = .english) -> Int? {
        var start = 0
        guard let range = word(in: typed, from: &start), word(in: typed, from: &start) == nil else {
            return nil
        }
        return typed.withUnsafeBytes { bytes in
            let places = list.indices(startingWith: UnsafeRawBufferPointer(rebasing: bytes[range]))
            guard let place = places.first, places.count == 1 || list.length(at: place) == range.count
            else { return nil }
            return place
        }
    }

    /// Adds the word that was typed or begun.
    /// - Returns: false when it could not be told which.
    private mutating func take(_ typed: borrowing SecretBytes) -> Bool {
        let places = typed.withUnsafeBytes { list.indices(startingWith: $0) }
        guard let place = places.first else {
            console.note(
                Wording.unknownWord(
                    number: words + 1, list.standard, nearest: typed.withUnsafeBytes { list.nearest(to: $0) })
            )
            return false
        }
        let whole = list.length(at: place)
        guard places.count == 1 || whole == typed.count else {
            console.note(Wording.severalWords(number: words + 1, Array(list.words[places])))
            return false
        }
        phrase.withUnsafeMutableBytes { bytes in
            let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[length...])
            list.copyWord(at: place, to: rest)
            rest[whole] = 0x20
        }
        if whole != typed.count { console.note(secret: phrase.slice(length..<(length + whole))) }
        length += whole + 1
        words += 1
        return true
    }
}
