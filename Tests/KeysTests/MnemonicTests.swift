import Hashing
import Keys
import Testing

@Suite struct MnemonicTests {
    private func read(_ phrase: String) throws(MnemonicError) -> Mnemonic {
        try Mnemonic(phrase: SecretBytes(utf8: phrase))
    }

    @Test func theWordListIsThatOfBIP39() {
        let text = WordList.english.words.map { $0 + "\n" }.joined()
        #expect(
            Hex.encode(SHA256.hash(Array(text.utf8)))
                == "2f5eed53a4727b4bf8880d8f3f199efc90e58503646d9ff8eff3a2ed3b24dbda")
    }

    @Test func spacingAndCaseDoNotMatter() throws {
        let plainPhrase = plain(try read(developmentPhrase).entropy)
        let shouted = plain(
            try read("  " + developmentPhrase.uppercased().replacing(" ", with: "\n\t ") + "\n").entropy)
        #expect(plainPhrase == shouted)
    }

    @Test func everyWrongPhraseSaysWhatIsWrong() {
        let words = developmentPhrase.split(separator: " ").map(String.init)
        #expect(throws: MnemonicError.wordCount(0)) { _ = try read("") }
        #expect(throws: MnemonicError.wordCount(11)) { _ = try read(words.dropLast().joined(separator: " ")) }
        #expect(throws: MnemonicError.wordCount(27)) {
            _ = try read([String](repeating: "zoo", count: 27).joined(separator: " "))
        }
        #expect(throws: MnemonicError.unknownWord(index: 3)) {
            _ = try read((words[..<3] + ["lakes"] + words[4...]).joined(separator: " "))
        }
        // Of two unknown words the first is named.
        #expect(throws: MnemonicError.unknownWord(index: 3)) {
            _ = try read(
                (words[..<3] + ["lakes"] + words[4..<8] + ["walks"] + words[9...]).joined(separator: " "))
        }
        #expect(throws: MnemonicError.unknownWord(index: 11)) {
            _ = try read((words[..<11] + ["abandonabandon"]).joined(separator: " "))
        }
        #expect(throws: MnemonicError.checksum) { _ = try read(words.reversed().joined(separator: " ")) }
    }

    @Test func oneWordInSixteenFitsTheChecksumOfTwelve() {
        let start = developmentPhrase.split(separator: " ").dropLast().joined(separator: " ")
        // The last word holds 7 bits of entropy, then the 4 of the checksum: one of each 16 neighbours fits.
        let fitting = WordList.english.words.prefix(256).count { (try? read("\(start) \($0)")) != nil }
        #expect(fitting == 16)
    }

    @Test func entropyOfAnotherLengthIsRefused() {
        for count in [0, 15, 17, 33, 64] {
            #expect(throws: MnemonicError.entropyLength(count)) {
                _ = try Mnemonic(entropy: SecretBytes(count: count))
            }
        }
    }

    @Test func wordsAreCompletedAndCorrected() {
        #expect(WordList.english.words(startingWith: "aba") == ["abandon"])
        #expect(WordList.english.words(startingWith: "ZO") == ["zone", "zoo"])
        #expect(WordList.english.words(startingWith: "").count == 2048)
        #expect(WordList.english.words(startingWith: "xx").isEmpty)
        #expect(WordList.english.nearest(to: "botom").first == "bottom")
        #expect(WordList.english.nearest(to: "lkae").first == "lake")
        #expect(WordList.english.nearest(to: "zooo").first == "zoo")
        #expect(WordList.english.nearest(to: "qqqqqqqq").isEmpty)
    }

    @Test func everyWordIsAtItsPlaceAndNothingLongerIs() {
        for (place, word) in WordList.english.words.enumerated() {
            let letters = Array(word.utf8)
            #expect(
                letters.withUnsafeBytes { WordList.english.indices(startingWith: $0) }.lowerBound == place)
            #expect(
                (letters + [0x71, 0x71]).withUnsafeBytes { WordList.english.indices(startingWith: $0) }
                    .isEmpty)
            var copy = [UInt8](repeating: 0, count: WordList.longestWord)
            copy.withUnsafeMutableBytes { WordList.english.copyWord(at: place, to: $0) }
            #expect(copy.prefix(WordList.english.length(at: place)).elementsEqual(letters))
        }
    }
}
