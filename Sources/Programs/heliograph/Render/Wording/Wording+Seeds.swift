import Diagnostics
import Keys
import SubstratePrimitives
import Terminal
import TrustStore
import Vault

/// Seeds, keys and addresses.
extension Wording {
    static func address(_ error: SS58Address.Failure) -> String {
        switch error {
        case .notBase58: "the address holds a character that base 58 has not"
        case .wrongLength(let bytes): "the address holds \(bytes) bytes, which no account has"
        case .wrongChecksum: "the address has a wrong checksum: it was mistyped or cut"
        case .reservedPrefix(let prefix): "the address has the reserved prefix \(prefix)"
        }
    }

    static func phrase(_ error: MnemonicError) -> String {
        switch error {
        case .wordCount(let count): "a phrase has 12, 15, 18, 21 or 24 words, not \(count)"
        case .unknownWord(let index): "word \(index + 1) of the phrase is not in the list"
        case .checksum: "every word is in the list, but the checksum is wrong: a word was exchanged or two changed places"
        case .entropyLength(let count): "a phrase holds 16 to 32 bytes, not \(count)"
        }
    }

    static func path(_ error: DerivationPathError) -> Diagnostic {
        switch error {
        case .malformed(let offset):
            Diagnostic(
                "path", "the path cannot be read at character \(offset + 1): every part is / or // and a name",
                hint: "heliograph util path",
                exit: .usage)
        case .passwordInPath:
            Diagnostic(
                "password-in-path", "a ///password does not stand in a path, where others could read it", hint: "--password-fd N",
                exit: .usage)
        }
    }

    static func key(_ error: KeyError) -> Diagnostic {
        switch error {
        case .softJunction(let index):
            Diagnostic("soft-junction", "part \(index + 1) of the path is soft (/), which only sr25519 has; write //", exit: .usage)
        case .unusableSecret: Diagnostic("unusable-secret", "this path leads to no key of the scheme; take another", exit: .refused)
        case .signatureCheckFailed:
            Diagnostic("self-check", "the new signature does not verify, so it is not given out", exit: .inputOutput)
        case .mnemonic(let error): Diagnostic("phrase", phrase(error), exit: .badInput)
        case .secretLength(let count): Diagnostic("secret-length", "a secret of \(count) bytes is no key", exit: .badInput)
        }
    }

    static func entropy(_ error: SeedEntropyError) -> Diagnostic {
        switch error {
        case .wordCount(let count): Diagnostic("words", "a phrase has 12, 15, 18, 21 or 24 words, not \(count)", exit: .usage)
        case .dice(.notAFace(let offset)): Diagnostic("dice", "character \(offset + 1) of the rolls is none of 1 to 6", exit: .badInput)
        case .dice(.tooFew(let have, let need)): Diagnostic("dice", "\(have) rolls are too few, \(need) are needed", exit: .badInput)
        case .dice(.tooMany): Diagnostic("dice", "these are more rolls than anyone makes", exit: .badInput)
        case .random(let error):
            Diagnostic(
                "random-source", "the random source of this machine is broken, no seed is made: \(random(error))", exit: .inputOutput)
        case .keyPresses(let have, let need, let keys, let pauses):
            Diagnostic(
                "key-presses",
                "the key presses are too regular: \(have) of \(need), \(keys) different keys, \(pauses) different pauses",
                exit: .badInput)
        }
    }

    private static func random(_ error: RandomHealthError) -> String {
        switch error {
        case .repetition(let count): "one byte came \(count) times in a row"
        case .proportion(let count): "one byte came \(count) times among 512"
        case .stuckBit(let bit): "bit \(bit) never changes"
        case .repeatedBlock: "it gave the same bytes twice"
        }
    }

    static func seedQR(_ error: SeedQR.Failure) -> String {
        switch error {
        case .notASeedQR: "the code is neither a SeedQR nor a CompactSeedQR"
        case .indexOutOfRange(let word): "word \(word + 1) of the SeedQR is above 2047"
        case .checksum: "the checksum of the SeedQR is wrong"
        }
    }

    static func split(_ error: BananaSplitError) -> Diagnostic {
        switch error {
        case .notAShare(let part): Diagnostic("not-a-share", "the code is no Banana Split share (\(part))", exit: .badInput)
        case .unknownVersion(let version): Diagnostic("share-version", "shares of version \(version) are not known", exit: .badInput)
        case .mixedSets(let part): Diagnostic("mixed-shares", "the shares belong to different sets: their \(part) differs", exit: .badInput)
        case .conflictingShares(let id): Diagnostic("conflicting-shares", "two different shares say they are number \(id)", exit: .badInput)
        case .tooFewShares(let have, let need):
            Diagnostic("too-few-shares", "\(have == 1 ? "1 share is" : "\(have) shares are") here, \(need) are needed", exit: .refused)
        case .inconsistentShare(let id): Diagnostic("inconsistent-share", "share \(id) does not fit the others", exit: .badInput)
        case .wrongPassphrase:
            Diagnostic("wrong-split-passphrase", "the split's passphrase is wrong, or a share was changed", exit: .notPermitted)
        case .noSecret: Diagnostic("inconsistent-share", "the shares join to nothing: one of them was changed", exit: .badInput)
        case .shareCount(let total, let required):
            Diagnostic("share-count", "\(required) of \(total) shares cannot be: at least 2 of at most 255", exit: .usage)
        case .length(let part): Diagnostic("share-length", "the \(part) is empty or too long", exit: .usage)
        case .outOfMemory: Diagnostic("out-of-memory", "there is not enough memory to derive the split's key", exit: .inputOutput)
        case .checkFailed: Diagnostic("self-check", "the shares do not join to the seed, so they are not given out", exit: .inputOutput)
        }
    }

    static let newPassphrase = "new passphrase: "
    static let passphrase = "passphrase: "
    static let sameAgain = "the same again: "
    static let passphraseChanged = "the passphrase was changed; backups keep the old one"
    static let noNetwork = "no network"
    static func networkWithoutSpecs(_ genesis: GenesisHash) -> String { "\(genesis) (its specs are not in this vault)" }

    static func madeSeed(_ name: String, words: Int) -> String {
        "made seed \(Escape.terminal(name)) of \(words) words; heliograph seed show \(Escape.terminal(name)) shows them"
    }
    static func restoredSeed(_ name: String) -> String { "restored seed \(Escape.terminal(name))" }
    static func phraseMatches(_ seed: String) -> String { "the phrase is that of seed \(Escape.terminal(seed))" }
    static func phraseIsValid(words: Int) -> String { "a phrase of \(words) words" }
    static func removeSeed(_ name: String, keys: Int) -> String { "Remove seed \(Escape.terminal(name)) and its \(keys) keys?" }
    static func removedSeed(_ name: String, keys: Int) -> String { "removed seed \(Escape.terminal(name)) and \(keys) keys" }

    static let pressKeys = "press keys at random until the count is full"
    static func keyPressProgress(_ have: Int, of need: Int) -> String { "\(have) of \(need) keys" }
    static func diceQuestion(_ need: Int) -> String { "at least \(need) rolls, digits 1 to 6: " }

    static func diceConcern(_ concern: DiceRolls.Concern) -> String {
        switch concern {
        case .bias(let counts):
            "heliograph: these dice favour some faces: "
                + counts.enumerated().map { "\($0.offset + 1) came \($0.element) times" }.joined(separator: ", ")
        case .run(let length): "heliograph: one face came \(length) times in a row"
        case .pattern(let period): "heliograph: the rolls repeat themselves every \(period) rolls"
        }
    }

    static let phraseHelp = "words one by one or all at once; the first letters of a word are enough; an empty line ends the phrase"
    static func wordQuestion(_ number: Int) -> String { "word \(number): " }
    static func severalWords(_ words: [String]) -> String {
        "  " + words.prefix(12).joined(separator: " ") + (words.count > 12 ? " and \(words.count - 12) more" : "")
    }
    static func unknownWord(_ text: String, nearest: [String]) -> String {
        "\(Escape.terminal(text)) is not in the list" + (nearest.isEmpty ? "" : "; nearest are \(nearest.joined(separator: ", "))")
    }

    /// What was typed is not repeated: it may be a word of the phrase with a slip in it.
    static func unknownWord(number: Int, nearest: [String]) -> String {
        "word \(number) is not in the list" + (nearest.isEmpty ? "" : "; nearest are \(nearest.joined(separator: ", "))")
    }

    static func shares(_ shares: [BananaShare]) -> String {
        "\(shares.count) shares of \(Escape.terminal(shares[0].title)), \(shares[0].required) give the seed back"
    }
    static let splitPassphraseQuestion = "passphrase for the shares (empty: one is drawn and shown): "
    static let splitPassphraseAgain = "passphrase of the shares: "
    static let drawnPassphrase = "the passphrase of the shares; without it they are worth nothing:"
    static func splitDone(shares: Int, required: Int, folder: String) -> String {
        "wrote \(shares) shares to \(folder); any \(required) of them and the passphrase give the seed back"
    }

    /// What is printed on paper beside a share's code.
    static func printedShare(_ share: BananaShare, of total: Int) -> String {
        """
        \(Escape.terminal(share.title))
        share \(share.id) of \(total); \(share.required) shares and the passphrase give the seed back
        read the QR code with: heliograph seed join
        \(share.text)

        """
    }

    static func key(_ key: KeyRecord, prefix: UInt16) -> String {
        let used = key.lastUsed.map { "last used \(LogFacts.date($0)) UTC" } ?? "never used"
        let path = (key.path.isEmpty ? "(root)" : key.path) + (key.hasPassword ? " ///password" : "")
        return ([key.publicKey.address(prefix: prefix), path, key.publicKey.scheme.name, used] + [key.label].compactMap { $0 })
            .joined(separator: "  ")
    }

    static func address(_ address: String, publicKey: String) -> String { "\(address)\npublic key \(publicKey)" }
    static func labelled(_ address: String) -> String { "labelled \(Escape.terminal(address))" }
    static func allowed(_ address: String, network: String) -> String {
        "\(Escape.terminal(address)) may sign for \(Escape.terminal(network))"
    }
    static func forbidden(_ address: String, network: String) -> String {
        "\(Escape.terminal(address)) no longer signs for \(Escape.terminal(network))"
    }
    static func removedKey(_ address: String) -> String { "forgot \(Escape.terminal(address)); its seed can derive it again" }
    static func differsInPolkadotJS(_ junction: Junction) -> String {
        "heliograph: polkadot-js derives another key from \(Escape.terminal(junction.name))"
    }
    static func exportSecret(_ address: String) -> String {
        "Whoever sees the code owns \(Escape.terminal(address)). Draw the secret key?"
    }
    static func secretWritten(_ path: String) -> String { "wrote the secret key to \(path)" }
    static func leftOutWithPassword(_ count: Int) -> String { "\(count) keys with a password were left out" }
    static func exported(_ count: Int, to path: String) -> String { "wrote \(count) derivations to \(path)" }

    static func madeKeyFile(_ path: String) -> String {
        "made the key file \(path); heliograph vault passphrase --new-key-fd 6 6<FILE makes the vault need it"
    }

    static func backedUp(_ seeds: Int, to path: String) -> String {
        "wrote a backup with \(seedCount(seeds)) to \(path); heliograph vault backup --check proves it"
    }
    static func seedCount(_ count: Int) -> String { count == 1 ? "1 seed" : "\(count) seeds" }
    static func backupHolds(_ report: VaultBackup.Report) -> String {
        "\(seedCount(report.seedNames.count)), all unsealed: \(report.seedNames.map(Escape.terminal).joined(separator: ", "))"
    }
}
