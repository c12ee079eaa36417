import Ceremony
import Diagnostics
import History
import Keys
import Lines
import SubstratePrimitives
import TerminalIO
import TrustStore
import Vault

/// Seeds, keys and addresses.
extension Wording {
    package static let passphrase = "passphrase: "
    /// Where the passphrase of shares is asked for next: a wrong one counts as a failed attempt at the vault.
    package static let passphraseOfVault = "passphrase of the vault: "

    package static func madeSeed(_ name: String, words: Int) -> String {
        "created seed \(Escape.terminal(name)) with \(words) words"
    }
    /// The sentence for a new seed whose words were not shown.
    /// - Parameter directory: as `--vault` names it; nil where the usual directory is meant.
    package static func madeSeedUnseen(_ name: String, words: Int, _ directory: String?) -> String {
        let vault = directory.map { " --vault \(Escape.terminal(Hints.quoted($0)))" } ?? ""
        return
            "\(madeSeed(name, words: words)); heliograph seed show \(Escape.terminal(name))\(vault) shows them"
    }
    package static func madeSeedUnchecked(_ name: String) -> String {
        """
        seed \(Escape.terminal(name)) is in the vault; heliograph seed show \(Escape.terminal(name)) shows \
        its words again
        """
    }
    package static func phraseHeading(_ seed: String, words: Int) -> [String] {
        [
            "",
            """
            The \(words) words of seed \(Escape.terminal(seed)), in this order. Whoever has them has its \
            keys: write them on paper only.
            """,
            "",
        ]
    }
    package static func quizHeading(_ count: Int) -> String {
        "Type \(count) of the words from your copy; an empty line shows all words again."
    }
    package static func otherNames(_ names: [String]) -> String {
        """
        heliograph: this phrase is in the vault already, as seed \
        \(names.map(Escape.terminal).joined(separator: ", ")): both have the same keys
        """
    }
    package static func firstKeys(_ networks: [String]) -> String {
        let shown = networks.prefix(5).map(Escape.terminal).joined(separator: ", ")
        return
            """
            Derive the first key of \
            \(shown)\(networks.count > 5 ? " and \(networks.count - 5) more networks" : "")?
            """
    }
    package static func checkBackup(_ form: BackupForm, of seed: String) -> String {
        let name = Escape.terminal(Hints.quoted(seed))
        return switch form {
        case .words: "heliograph seed check \(name) compares what you wrote with the seed"
        case .seedQR, .compactSeedQR:
            "heliograph seed check \(name) --scan PICTURE compares a photo of the copy with the seed"
        case .shares:
            "heliograph seed split \(name) --shares 3 --required 2 --out DIR makes the shares; "
                + "heliograph seed check \(name) --scan DIR compares them with the seed"
        }
    }
    package static func restoredSeed(_ name: String) -> String { "restored seed \(Escape.terminal(name))" }
    package static func removeSeed(
        _ name: String, keys: Int, _ times: SeedTimes, _ kind: SeedSecret.Kind
    ) -> String {
        let what =
            switch kind {
            case .phrase: "words, or enough of its shares, restore it"
            case .master: "SLIP-39 shares restore it"
            }
        let copy = times.checked.map { "a copy was last checked on \(UTCDate.minute($0))" }
        return
            """
            Remove seed \(Escape.terminal(name)) and its \(keyCount(keys))? Only its \(what): \
            \(copy ?? "they \(neverChecked(times))") (heliograph seed check).
            """
    }

    /// Whoever made the store anew knows of no check, and so of no missing one.
    private static func neverChecked(_ times: SeedTimes) -> String {
        times.added == nil ? "were not checked since this store was made" : "were never checked"
    }

    /// `12 days old`, by this device's clock, which anybody can set.
    package static func age(since time: UInt64?, now: UInt64) -> String {
        guard let time else { return "of unknown age" }
        guard time <= now else { return "of the future, \(UTCDate.day(time)), by this device's clock" }
        return "\(Sentence.count((now - time) / UTCDate.secondsOfDay, "day")) old"
    }

    /// The age of a seed, and that of its last check.
    package static func ages(of times: SeedTimes, now: UInt64) -> String {
        let check = times.checked.map { "its words last checked on \(UTCDate.day($0))" }
        return "\(age(since: times.added, now: now)), \(check ?? "its words \(neverChecked(times))")"
    }
    /// The word that removes a seed or an imported key: its name, as the question shows it. A name that reads
    /// as an answer gets a word in front, so that "no" still means no.
    package static func removalWord(_ name: String, of kind: String = "seed") -> String {
        let shown = Escape.terminal(name).trimmed
        return Console.yesOrNo(shown) == nil && !shown.isEmpty ? shown : "\(kind) \(shown)".trimmed
    }
    package static func removedSeed(_ name: String, keys: Int) -> String {
        "removed seed \(Escape.terminal(name)) and \(keyCount(keys))"
    }

    package static let howToTypeWords = """
        enter the words one by one or all at once; the first letters of a word are enough; an empty line \
        ends the phrase
        """
    package static func wordQuestion(_ number: Int) -> String { "word \(number): " }
    /// What was typed is not repeated, as in ``unknownWord(number:nearest:)``.
    package static func severalWords(number: Int, _ words: [String]) -> String {
        let more = words.count > 12 ? " and \(words.count - 12) more" : ""
        return
            """
            word \(number): \(words.count) words start so, type more letters of it: \
            \(words.prefix(12).joined(separator: " "))\(more)
            """
    }
    package static func unknownWord(_ text: String, nearest: [String]) -> String {
        "\(Escape.terminal(text)) is not a BIP-39 word"
            + (nearest.isEmpty ? "" : "; the nearest are \(nearest.joined(separator: ", "))")
    }

    /// What was typed is not repeated: it may be a word of the phrase with a slip in it.
    package static func unknownWord(
        number: Int, _ standard: WordList.Standard = .bip39, nearest: [String]
    ) -> String {
        "word \(number) is not a \(standard.rawValue) word"
            + (nearest.isEmpty ? "" : "; the nearest are \(nearest.joined(separator: ", "))")
    }

    package static func shares(_ shares: [BananaShare]) -> String {
        """
        \(shares.count) shares of \(Escape.terminal(shares[0].title)), \(shares[0].required) are needed to \
        restore the seed
        """
    }

    /// In a list of keys, escaped; of the rest of a line the path stays longest.
    /// - Parameter age: since when the vault has it; nil where the list does not say.
    package static func key(_ key: KeyRecord, prefix: UInt16, age: String? = nil) -> [TableLine.Cell] {
        let used = key.lastUsed.map { "last used \(LogDate.text($0))" } ?? "never used"
        return [
            .init(key.publicKey.address(prefix: prefix)), .init(path(of: key), rank: 1),
            .init(key.publicKey.scheme.name, rank: 5), .init(used, rank: 4),
        ] + [age].compactMap { $0.map { TableLine.Cell($0, rank: 6) } }
            + [key.label].compactMap { $0.map { TableLine.Cell(Escape.terminal($0), rank: 3) } }
    }

    /// The path of a key, and whether a password belongs to it; escaped.
    static func path(of key: KeyRecord) -> String {
        if key.isImported { return importedKey }
        return (key.path.isEmpty ? "(root)" : Escape.path(key.path))
            + (key.hasPassword ? " ///password" : "")
    }

    /// Under a group in a list of keys.
    package static let notCompared = "(its members have not compared the address: heliograph group show)"
    package static func address(_ address: String, publicKey: String) -> String {
        "\(address)\npublic key \(publicKey)"
    }
    package static func labelled(_ address: String) -> String { "labelled \(Escape.terminal(address))" }
    package static func allowed(_ address: String, network: String) -> String {
        "allowed \(Escape.terminal(address)) to sign for \(Escape.terminal(network))"
    }
    package static func differsInPolkadotJS(_ junction: Junction) -> String {
        "heliograph: polkadot-js derives a different key from \(Escape.terminal(junction.name))"
    }

    package static func backedUp(_ content: BackUpVault.Content, to path: String) -> String {
        """
        wrote a backup with \(holdings(seeds: content.seeds.count, keys: content.importedKeys.count)) to \
        \(Escape.terminal(path)), which today's passphrase \
        opens; heliograph vault backup --check verifies it
        """
    }
    package static func restoredVault(_ directory: String, _ report: VaultBackup.Report) -> String {
        """
        restored a vault in \(Escape.terminal(directory)) with \
        \(holdings(seeds: report.seedNames.count, keys: report.importedKeys.count)); its passphrase is that \
        of the backup; heliograph status shows what it holds, heliograph log show what happened before the \
        backup
        """
    }
    package static func keyCount(_ count: Int) -> String { Sentence.count(count, "key") }
    package static func seedCount(_ count: Int) -> String { count == 1 ? "1 seed" : "\(count) seeds" }
    package static func backupHolds(_ report: VaultBackup.Report) -> String {
        let names = report.seedNames.map(Escape.terminal).joined(separator: ", ")
        return """
            \(seedCount(report.seedNames.count)) opened\(report.seedNames.isEmpty ? "" : ": " + names)\
            \(report.importedKeys.isEmpty ? "" : "; \(importedCount(report.importedKeys.count)) opened")
            """
    }

    /// What of a vault nothing else gives.
    package static func holdings(seeds: Int, keys: Int) -> String {
        seedCount(seeds) + (keys == 0 ? "" : " and " + importedCount(keys))
    }

    /// What happens to a phrase in another language.
    package static func becomesEnglish(_ language: PhraseLanguage) -> String {
        """
        the words are \(language.name): the vault keeps what they stand for, and shows it as English words. \
        Accounts at // paths are the same. Accounts at paths of numbers (bip32:, slip10:, ledger:) are others: \
        heliograph key find ADDRESS --phrase looks for those of your words
        """
    }
}
