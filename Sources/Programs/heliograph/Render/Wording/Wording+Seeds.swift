import Diagnostics
import Keys
import SubstratePrimitives
import Terminal
import TrustStore
import Vault

/// Seeds, keys and addresses.
extension Wording {

    static let passphrase = "passphrase: "
    static let passphraseChanged = "changed the passphrase; backups keep the old one"
    static let noNetwork = "no network"
    static func networkWithoutSpecs(_ genesis: GenesisHash) -> String { "\(genesis) (its specs are not in this vault)" }

    static func madeSeed(_ name: String, words: Int) -> String { "created seed \(Escape.terminal(name)) with \(words) words" }
    /// The same where the words were not shown.
    static func madeSeedUnseen(_ name: String, words: Int) -> String {
        "\(madeSeed(name, words: words)); heliograph seed show \(Escape.terminal(name)) shows them"
    }
    static func madeSeedUnchecked(_ name: String) -> String {
        "seed \(Escape.terminal(name)) is in the vault; heliograph seed show \(Escape.terminal(name)) shows its words again"
    }
    static func phraseHeading(_ seed: String, words: Int) -> [String] {
        [
            "",
            "The \(words) words of seed \(Escape.terminal(seed)), in this order. Whoever has them has its keys: write them on paper only.",
            "",
        ]
    }
    static let cannotClear = "This terminal cannot be cleared: close it, or the window, when you have copied this."
    static func quizHeading(_ count: Int) -> String {
        "Type \(count) of the words from your copy; an empty line shows all words again."
    }
    static func wrongWord(_ number: Int) -> String {
        "this is not word \(number): look at what you wrote, or press Enter to see the words again"
    }
    static func showPhrase(_ seed: String) -> String {
        "Whoever sees these words has all keys of seed \(Escape.terminal(seed)). Show them?"
    }
    static func showBackup(_ seed: String, _ form: SeedBackup.Form) -> String {
        "Whoever sees \(form.title) has all keys of seed \(Escape.terminal(seed)). Show \(form == .words ? "them" : "it")?"
    }
    static func otherNames(_ names: [String]) -> String {
        "heliograph: this phrase is in the vault already, as seed \(names.map(Escape.terminal).joined(separator: ", ")): both have the same keys"
    }
    static let secondNameQuestion = "Add it under a second name?"
    static func firstKeys(_ networks: [String]) -> String {
        let shown = networks.prefix(5).map(Escape.terminal).joined(separator: ", ")
        return "Derive the first key of \(shown)\(networks.count > 5 ? " and \(networks.count - 5) more networks" : "")?"
    }
    static func firstKey(_ address: String, path: DerivationPath, network: String) -> String {
        "\(address)  \(Escape.terminal(path.description))  \(Escape.terminal(network))"
    }
    static func checkBackup(_ form: SeedBackup.Form, of seed: String) -> String {
        let name = Escape.terminal(seed)
        return switch form {
        case .words: "heliograph seed check \(name) compares what you wrote with the seed"
        case .seedQR, .compactSeedQR: "heliograph seed check \(name) --scan PICTURE compares a photo of the copy with the seed"
        case .shares:
            "heliograph seed split \(name) --shares 3 --required 2 --out DIR makes the shares; "
                + "heliograph seed check \(name) --scan DIR compares them with the seed"
        }
    }
    static func restoredSeed(_ name: String) -> String { "restored seed \(Escape.terminal(name))" }
    static func phraseMatches(_ seed: String) -> String { "the recovery phrase matches seed \(Escape.terminal(seed))" }
    static func phraseIsValid(words: Int) -> String { "a valid recovery phrase of \(words) words" }
    static func removeSeed(_ name: String, keys: Int) -> String { "Remove seed \(Escape.terminal(name)) and its \(keyCount(keys))?" }
    static func removedSeed(_ name: String, keys: Int) -> String { "removed seed \(Escape.terminal(name)) and \(keyCount(keys))" }

    static let pressKeys = "press random keys until there are enough; each counts once, Enter too"
    static func enoughKeyPresses(_ count: Int) -> String { "\(count) of \(count) key presses; press Enter: " }
    static func keyPressProgress(_ have: Int, of need: Int) -> String { "\(have) of \(need) key presses, \(need - have) more needed: " }
    static func diceQuestion(_ need: Int) -> String {
        "roll a die \(need) times or more and press the key of each face, 1 to 6; Backspace takes the last one back"
    }

    static func diceConcern(_ concern: DiceRolls.Concern) -> String {
        switch concern {
        case .bias(let counts):
            "heliograph: the dice may be biased: "
                + counts.enumerated().map { "\($0.offset + 1) was rolled \(Sentence.count($0.element, "time"))" }.joined(separator: ", ")
        case .run(let length): "heliograph: one face was rolled \(length) times in a row"
        case .pattern(1): "heliograph: too many rolls can be told from the roll before"
        case .pattern(let distance): "heliograph: too many rolls can be told from those \(distance) rolls before"
        }
    }
    /// - Parameters:
    ///   - last: the roll that was just pressed, as its digit.
    ///   - slip: what was wrong with the key.
    static func diceProgress(_ have: Int, of need: Int, last: UInt8?, slip: String?) -> String {
        let missing = have < need ? "\(need - have) more needed" : "enough, Enter ends"
        return "\(have) of \(need) rolls, \(missing)" + (last.map { ", last \(Unicode.Scalar($0))" } ?? "") + (slip.map { "; \($0)" } ?? "")
            + ": "
    }
    static func rollsMissing(_ count: Int) -> String { "\(Sentence.count(count, "roll")) \(Sentence.be(count)) still missing" }
    static let noFace = "only 1 to 6 are faces of a die"
    static let diceWordQuestion = "These rolls do not look random. Type \"\(DiceRolls.word)\" to create the seed all the same, or no: "

    static let backupForms = [
        "1  words, numbered", "2  SeedQR, a code to copy by hand", "3  CompactSeedQR, a smaller code to copy by hand",
        "4  Banana Split shares, several of which restore the seed",
    ]
    static let backupQuestion = "Which form (1 to 4, or no)? "

    static let phraseHelp =
        "enter the words one by one or all at once; the first letters of a word are enough; an empty line ends the phrase"
    static func phraseAgain(_ error: MnemonicError) -> String { "\(error.sentence); once more from word 1" }
    static func wordQuestion(_ number: Int) -> String { "word \(number): " }
    static func severalWords(_ words: [String]) -> String {
        "  " + words.prefix(12).joined(separator: " ") + (words.count > 12 ? " and \(words.count - 12) more" : "")
    }
    static func unknownWord(_ text: String, nearest: [String]) -> String {
        "\(Escape.terminal(text)) is not a BIP-39 word" + (nearest.isEmpty ? "" : "; the nearest are \(nearest.joined(separator: ", "))")
    }

    /// What was typed is not repeated: it may be a word of the phrase with a slip in it.
    static func unknownWord(number: Int, nearest: [String]) -> String {
        "word \(number) is not a BIP-39 word" + (nearest.isEmpty ? "" : "; the nearest are \(nearest.joined(separator: ", "))")
    }

    static func shares(_ shares: [BananaShare]) -> String {
        "\(shares.count) shares of \(Escape.terminal(shares[0].title)), \(shares[0].required) are needed to restore the seed"
    }
    static let splitPassphraseQuestion = "passphrase for the shares (leave empty to generate one): "
    static let splitPassphraseAgain = "passphrase of the shares: "
    static func splitDone(shares: Int, required: Int, folder: String) -> String {
        "wrote \(shares) shares to \(Escape.terminal(folder)); any \(required) of them and the passphrase restore the seed"
    }

    /// What is printed on paper beside a share's code.
    static func printedShare(_ share: BananaShare, of total: Int) -> String {
        """
        \(Escape.terminal(share.title))
        share \(share.id) of \(total); \(share.required) shares and the passphrase restore the seed
        read the QR code with: heliograph seed join
        \(share.text)

        """
    }

    static func key(_ key: KeyRecord, prefix: UInt16) -> String {
        let used = key.lastUsed.map { "last used \(LogDate.text($0))" } ?? "never used"
        let path = (key.path.isEmpty ? "(root)" : key.path) + (key.hasPassword ? " ///password" : "")
        return ([key.publicKey.address(prefix: prefix), path, key.publicKey.scheme.name, used] + [key.label].compactMap { $0 })
            .joined(separator: "  ")
    }

    /// Under a group in a list of keys.
    static let notCompared = "(its members have not compared the address: heliograph group show)"
    static func address(_ address: String, publicKey: String) -> String { "\(address)\npublic key \(publicKey)" }
    static func labelled(_ address: String) -> String { "labelled \(Escape.terminal(address))" }
    static func allowed(_ address: String, network: String) -> String {
        "allowed \(Escape.terminal(address)) to sign for \(Escape.terminal(network))"
    }
    static func forbidden(_ address: String, network: String) -> String {
        "stopped \(Escape.terminal(address)) from signing for \(Escape.terminal(network))"
    }
    static func removedKey(_ address: String) -> String { "removed \(Escape.terminal(address)); its seed can derive it again" }
    static func differsInPolkadotJS(_ junction: Junction) -> String {
        "heliograph: polkadot-js derives a different key from \(Escape.terminal(junction.name))"
    }
    static func exportSecret(_ address: String) -> String {
        "Anyone who sees this QR code controls \(Escape.terminal(address)). Export the secret key?"
    }
    static func secretWritten(_ path: String) -> String { "wrote the secret key to \(Escape.terminal(path))" }
    static func leftOutWithPassword(_ count: Int) -> String { "skipped \(Sentence.count(count, "key")) with a ///password" }
    static func exported(_ count: Int, to path: String) -> String {
        "wrote \(Sentence.count(count, "derivation")) to \(Escape.terminal(path))"
    }

    static func madeKeyFile(_ path: String) -> String {
        "created the key file \(Escape.terminal(path)); heliograph vault passphrase --new-key-fd 6 6<FILE makes the vault require it"
    }

    static func backedUp(_ seeds: Int, to path: String) -> String {
        "wrote a backup with \(seedCount(seeds)) to \(Escape.terminal(path)); heliograph vault backup --check verifies it"
    }
    static func restoredVault(_ directory: String, seeds: Int) -> String {
        "restored a vault in \(Escape.terminal(directory)) with \(seedCount(seeds)); its passphrase is that of the backup; "
            + "heliograph status shows what it holds, heliograph log show what happened before the backup"
    }
    static func keyCount(_ count: Int) -> String { Sentence.count(count, "key") }
    static func seedCount(_ count: Int) -> String { count == 1 ? "1 seed" : "\(count) seeds" }
    static func backupHolds(_ report: VaultBackup.Report) -> String {
        "\(seedCount(report.seedNames.count)), all unsealed: \(report.seedNames.map(Escape.terminal).joined(separator: ", "))"
    }
}
