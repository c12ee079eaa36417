import Diagnostics
import Keys
import SubstratePrimitives
import Terminal
import TrustStore
import Vault

/// Seeds, keys and addresses.
extension Wording {

    static let newPassphrase = "new passphrase: "
    static let passphrase = "passphrase: "
    static let sameAgain = "repeat the passphrase: "
    static let passphraseChanged = "changed the passphrase; backups keep the old one"
    static let noNetwork = "no network"
    static func networkWithoutSpecs(_ genesis: GenesisHash) -> String { "\(genesis) (its specs are not in this vault)" }

    static func madeSeed(_ name: String, words: Int) -> String {
        "created seed \(Escape.terminal(name)) with \(words) words; heliograph seed show \(Escape.terminal(name)) shows them"
    }
    static func restoredSeed(_ name: String) -> String { "restored seed \(Escape.terminal(name))" }
    static func phraseMatches(_ seed: String) -> String { "the recovery phrase matches seed \(Escape.terminal(seed))" }
    static func phraseIsValid(words: Int) -> String { "a valid recovery phrase of \(words) words" }
    static func removeSeed(_ name: String, keys: Int) -> String { "Remove seed \(Escape.terminal(name)) and its \(keyCount(keys))?" }
    static func removedSeed(_ name: String, keys: Int) -> String { "removed seed \(Escape.terminal(name)) and \(keyCount(keys))" }

    static let pressKeys = "press random keys until there are enough"
    static func keyPressProgress(_ have: Int, of need: Int) -> String { "\(have) of \(need) key presses" }
    static func diceQuestion(_ need: Int) -> String { "at least \(need) dice rolls (digits 1 to 6): " }

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
    static let diceWordQuestion = "These rolls do not look random. Type \"\(DiceRolls.word)\" to create the seed all the same: "

    static let phraseHelp =
        "enter the words one by one or all at once; the first letters of a word are enough; an empty line ends the phrase"
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
    static let drawnPassphrase = "the passphrase of the shares; they are useless without it:"
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
    static func keyCount(_ count: Int) -> String { Sentence.count(count, "key") }
    static func seedCount(_ count: Int) -> String { count == 1 ? "1 seed" : "\(count) seeds" }
    static func backupHolds(_ report: VaultBackup.Report) -> String {
        "\(seedCount(report.seedNames.count)), all unsealed: \(report.seedNames.map(Escape.terminal).joined(separator: ", "))"
    }
}
