import Diagnostics
import Terminal

/// What a command refuses itself.
extension Wording {
    private static func hint(withoutTerminal question: String) -> String {
        if question.contains("[yes/no]") { return "run it at a terminal" }
        if question.hasPrefix("word ") { return "--phrase-fd N reads the phrase from a descriptor" }
        if question.hasPrefix("password") { return "--password-fd N reads the password from a descriptor" }
        return "--passphrase-fd N reads the passphrase from a descriptor"
    }

    static func command(_ error: CommandError) -> Diagnostic {
        switch error {
        case .noTerminal(let question):
            Diagnostic(
                "no-terminal", "cannot ask \"\(question.trimmed)\": there is no terminal",
                hint: hint(withoutTerminal: question),
                exit: .usage)
        case .idle(let seconds): Diagnostic("idle", "nothing was answered for \(seconds) s", exit: .interrupted)
        case .wentOnline: Diagnostic("went-online", "the device went online while a question was open", exit: .interrupted)
        case .unfinishedQuote: Diagnostic("unfinished-quote", "a quote of the line has no end", exit: .usage)
        case .notInShell: Diagnostic("not-in-shell", "this command does not run in a shell: leave it with exit", exit: .usage)
        case .standardInputHoldsCommands:
            Diagnostic(
                "standard-input", "- is not read in a shell, whose own commands come that way",
                hint: "put the file in a folder that the shell is started with", exit: .usage)
        case .outsideShell(let path):
            Diagnostic(
                "outside-shell", "\(path) lies outside the folders that this shell was started with", hint: "heliograph shell FOLDER",
                exit: .notPermitted)
        case .otherVault(let path):
            Diagnostic(
                "other-vault", "\(path) is not the vault that this shell was started with", hint: "heliograph shell --vault \(path)",
                exit: .usage)
        case .notAFolder(let path): Diagnostic("not-a-folder", "\(path) is no folder", exit: .usage)
        case .lockAfterNeedsDevelopmentVault:
            Diagnostic("lock-after", "--lock-after is only for a development vault", hint: "heliograph shell", exit: .notPermitted)
        case .interrupted: Diagnostic("interrupted", "interrupted", exit: .interrupted)
        case .descriptor(let descriptor, let number):
            Diagnostic("descriptor", "descriptor \(descriptor) cannot be read: \(errorText(number))", exit: .inputOutput)
        case .emptyDescriptor(let descriptor): Diagnostic("empty-descriptor", "descriptor \(descriptor) holds no line", exit: .usage)
        case .lineTooLong(let descriptor): Diagnostic("line-too-long", "the line on descriptor \(descriptor) is too long", exit: .badInput)
        case .file(let path, let number): Diagnostic("file", "\(path): \(errorText(number))", exit: .inputOutput)
        case .fileExists(let path): Diagnostic("file-exists", "\(path) exists and is not overwritten", exit: .inputOutput)
        case .badHex(let source): Diagnostic("bad-hex", "\(source) is not hexadecimal", exit: .badInput)
        case .noInput:
            Diagnostic("no-input", "nothing to read: name a picture, a folder, - or --hex", hint: "heliograph help inspect", exit: .usage)
        case .passphrasesDiffer: Diagnostic("passphrases-differ", "the two passphrases differ", exit: .refused)
        case .emptyPassphrase: Diagnostic("empty-passphrase", "an empty passphrase protects nothing", exit: .refused)
        case .noVaultDirectory:
            Diagnostic("no-vault-directory", "no vault folder is named and there is no home folder", hint: "--vault DIR", exit: .usage)
        case .seedInArgument:
            Diagnostic("seed-in-argument", "a seed is read from --hex @FILE, never from the command line itself", exit: .usage)
        case .badVerifier(let text):
            Diagnostic(
                "bad-verifier", "\(text) is not a verifier: use default, none or SCHEME:HEX", hint: "heliograph help init", exit: .usage)
        case .cheapCostNeedsDevelopmentVault:
            Diagnostic(
                "cheap-cost", "--kdf-cost test is only for a development vault", hint: "heliograph init --allow-online", exit: .usage)
        case .fileTooLarge(let path, let limit): Diagnostic("file-too-large", "\(path) is larger than \(limit >> 20) MiB", exit: .badInput)
        case .notMetadata(let path): Diagnostic("not-metadata", "\(path) holds no metadata: it does not start with meta", exit: .badInput)
        case .badPolicy(let path, let reason): Diagnostic("bad-policy", "\(path) is not a valid policy: \(reason)", exit: .badInput)
        case .noPolicy: Diagnostic("no-policy", "no policy is set", hint: "heliograph policy set FILE", exit: .refused)
        case .badSpecs(let path, _): Diagnostic("bad-specs", "\(path) does not hold network specs as JSON", exit: .badInput)
        case .specsNeeded(let path, let network):
            Diagnostic(
                "specs-needed", "\(path) is metadata of \(network), whose specs are not known", hint: "--specs FILE.json", exit: .usage)
        case .specsOrVaultNeeded:
            Diagnostic(
                "no-vault", "there is no vault here: the network of this payload is not known", hint: "--specs FILE.json",
                exit: .inputOutput)
        case .ambiguousFrames(let frames):
            Diagnostic(
                "ambiguous-frames", "the \(frames) frames do not prove which payload they carry: one more frame is needed",
                hint: "scan a few more frames of the same animation", exit: .badInput)
        case .badLogHead, .logHeadDiffers, .logHeadAhead, .logHeadCleared: logHead(error)
        case .noSuchEntry(let number):
            Diagnostic("no-such-entry", "the log has no entry \(number)", hint: "heliograph log show", exit: .refused)
        case .otherMetadata(let number):
            Diagnostic("other-metadata", "the metadata that entry \(number) was read with is not held any more", exit: .refused)
        case .networkNeeded: Diagnostic("network-needed", "name the network", hint: "heliograph network list", exit: .usage)
        case .unknownScheme(let name):
            Diagnostic("unknown-scheme", "\(name) is none of ed25519, sr25519, ecdsa and ethereum", exit: .usage)
        case .badKey(let scheme): Diagnostic("bad-key", "the key has not the length of an \(scheme) key", exit: .usage)
        case .phraseDiffers(let seed): Diagnostic("phrase-differs", "the phrase is not that of seed \(seed)", exit: .refused)
        case .seedCodes(let count): Diagnostic("seed-qr", "the input holds \(count) QR codes, and a seed is one", exit: .badInput)
        case .badPrefix(let prefix): Diagnostic("bad-prefix", "no address is written with prefix \(prefix)", exit: .usage)
        case .signatureInvalid: Diagnostic("signature-invalid", "the signature is not the key's over this message", exit: .badInput)
        }
    }
}
