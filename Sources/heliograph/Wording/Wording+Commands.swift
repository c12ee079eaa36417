import Terminal

/// What a command refuses itself.
extension Wording {
    private static func hint(withoutTerminal question: String) -> String {
        if question.contains("[yes/no]") { return "run it at a terminal" }
        if question.hasPrefix("word ") { return "--phrase-fd N reads the phrase from a descriptor" }
        if question.hasPrefix("password") { return "--password-fd N reads the password from a descriptor" }
        return "--passphrase-fd N reads the passphrase from a descriptor"
    }

    static func command(_ error: CommandError) -> Complaint {
        switch error {
        case .noTerminal(let question):
            Complaint(
                "no-terminal", "cannot ask \"\(question.trimmed)\": there is no terminal",
                hint: hint(withoutTerminal: question),
                exit: .usage)
        case .idle(let seconds): Complaint("idle", "nothing was answered for \(seconds) s", exit: .interrupted)
        case .wentOnline: Complaint("went-online", "the device went online while a question was open", exit: .interrupted)
        case .unfinishedQuote: Complaint("unfinished-quote", "a quote of the line has no end", exit: .usage)
        case .notInShell: Complaint("not-in-shell", "this command does not run in a shell: leave it with exit", exit: .usage)
        case .standardInputHoldsCommands:
            Complaint(
                "standard-input", "- is not read in a shell, whose own commands come that way",
                hint: "put the file in a folder that the shell is started with", exit: .usage)
        case .outsideShell(let path):
            Complaint(
                "outside-shell", "\(path) lies outside the folders that this shell was started with", hint: "heliograph shell FOLDER",
                exit: .notPermitted)
        case .otherVault(let path):
            Complaint(
                "other-vault", "\(path) is not the vault that this shell was started with", hint: "heliograph shell --vault \(path)",
                exit: .usage)
        case .notAFolder(let path): Complaint("not-a-folder", "\(path) is no folder", exit: .usage)
        case .lockAfterNeedsDevelopmentVault:
            Complaint("lock-after", "--lock-after is only for a development vault", hint: "heliograph shell", exit: .notPermitted)
        case .interrupted: Complaint("interrupted", "interrupted", exit: .interrupted)
        case .descriptor(let descriptor, let number):
            Complaint("descriptor", "descriptor \(descriptor) cannot be read: \(errorText(number))", exit: .inputOutput)
        case .emptyDescriptor(let descriptor): Complaint("empty-descriptor", "descriptor \(descriptor) holds no line", exit: .usage)
        case .lineTooLong(let descriptor): Complaint("line-too-long", "the line on descriptor \(descriptor) is too long", exit: .badInput)
        case .file(let path, let number): Complaint("file", "\(path): \(errorText(number))", exit: .inputOutput)
        case .fileExists(let path): Complaint("file-exists", "\(path) exists and is not overwritten", exit: .inputOutput)
        case .badHex(let source): Complaint("bad-hex", "\(source) is not hexadecimal", exit: .badInput)
        case .noInput:
            Complaint("no-input", "nothing to read: name a picture, a folder, - or --hex", hint: "heliograph help inspect", exit: .usage)
        case .passphrasesDiffer: Complaint("passphrases-differ", "the two passphrases differ", exit: .refused)
        case .emptyPassphrase: Complaint("empty-passphrase", "an empty passphrase protects nothing", exit: .refused)
        case .noVaultDirectory:
            Complaint("no-vault-directory", "no vault folder is named and there is no home folder", hint: "--vault DIR", exit: .usage)
        case .seedInArgument:
            Complaint("seed-in-argument", "a seed is read from --hex @FILE, never from the command line itself", exit: .usage)
        case .badVerifier(let text):
            Complaint(
                "bad-verifier", "\(text) is not a verifier: use default, none or SCHEME:HEX", hint: "heliograph help init", exit: .usage)
        case .answeredNo: Complaint("answered-no", "not confirmed, nothing was done", exit: .refused)
        case .approveNeedsDevelopmentVault:
            Complaint("approve-not-allowed", "--approve answers for a person only in a development vault", exit: .notPermitted)
        case .approveNeedsPolicy:
            Complaint(
                "approve-not-allowed",
                "--approve answers for a person only in a development vault, or where a rule of the policy approves exactly this",
                hint: "heliograph help policy", exit: .notPermitted)
        case .cheapCostNeedsDevelopmentVault:
            Complaint("cheap-cost", "--kdf-cost test is only for a development vault", hint: "heliograph init --allow-online", exit: .usage)
        case .fileTooLarge(let path, let limit): Complaint("file-too-large", "\(path) is larger than \(limit >> 20) MiB", exit: .badInput)
        case .notMetadata(let path): Complaint("not-metadata", "\(path) holds no metadata: it does not start with meta", exit: .badInput)
        case .badPolicy(let path, let reason): Complaint("bad-policy", "\(path) is not a valid policy: \(reason)", exit: .badInput)
        case .noPolicy: Complaint("no-policy", "no policy is set", hint: "heliograph policy set FILE", exit: .refused)
        case .badSpecs(let path, _): Complaint("bad-specs", "\(path) does not hold network specs as JSON", exit: .badInput)
        case .specsNeeded(let path, let network):
            Complaint(
                "specs-needed", "\(path) is metadata of \(network), whose specs are not known", hint: "--specs FILE.json", exit: .usage)
        case .specsOrVaultNeeded:
            Complaint(
                "no-vault", "there is no vault here: the network of this payload is not known", hint: "--specs FILE.json",
                exit: .inputOutput)
        case .ambiguousFrames(let frames):
            Complaint(
                "ambiguous-frames", "the \(frames) frames do not prove which payload they carry: one more frame is needed",
                hint: "scan a few more frames of the same animation", exit: .badInput)
        case .noSuchNetwork(let name):
            Complaint("no-such-network", "no network is named \(name)", hint: "heliograph network list", exit: .refused)
        case .noSuchKey(let address):
            Complaint("no-such-key", "\(address) is none of this vault's keys", hint: "heliograph key list", exit: .refused)
        case .ambiguousNetwork(let name):
            Complaint("ambiguous-network", "several chains are named \(name)", hint: "name it by its genesis hash", exit: .usage)
        case .badLogHead, .logHeadDiffers, .logHeadAhead, .logHeadCleared: logHead(error)
        case .noSuchEntry(let number):
            Complaint("no-such-entry", "the log has no entry \(number)", hint: "heliograph log show", exit: .refused)
        case .otherMetadata(let number):
            Complaint("other-metadata", "the metadata that entry \(number) was read with is not held any more", exit: .refused)
        case .networkNeeded: Complaint("network-needed", "name the network", hint: "heliograph network list", exit: .usage)
        case .schemeCannotAttest(let scheme): Complaint("scheme", "a key of scheme \(scheme) cannot attest updates", exit: .refused)
        case .unknownScheme(let name):
            Complaint("unknown-scheme", "\(name) is none of ed25519, sr25519, ecdsa and ethereum", exit: .usage)
        case .badKey(let scheme): Complaint("bad-key", "the key has not the length of an \(scheme) key", exit: .usage)
        case .keyFileNeeded:
            Complaint("key-file-needed", "the vault opens only with its key file", hint: "--key-fd 5 5<FILE", exit: .notPermitted)
        case .phraseDiffers(let seed): Complaint("phrase-differs", "the phrase is not that of seed \(seed)", exit: .refused)
        case .seedCodes(let count): Complaint("seed-qr", "the input holds \(count) QR codes, and a seed is one", exit: .badInput)
        case .noNextPath(let base): Complaint("no-next-path", "no number follows the highest path below \(base)", exit: .refused)
        case .keyCollision(let seed, let path):
            Complaint("key-collision", "the vault holds this key already, as \(path) of seed \(seed)", exit: .refused)
        case .keyExists(let seed, let path):
            Complaint(
                "key-exists", "the vault holds this key already, \(path) of seed \(seed)", hint: "heliograph key list", exit: .refused)
        case .keyNotOfNetwork(let network):
            Complaint("key-not-of-network", "the key is not allowed for \(network)", hint: "heliograph key allow", exit: .refused)
        case .keyHasNoNetwork:
            Complaint("key-has-no-network", "the key belongs to no network", hint: "heliograph key allow", exit: .refused)
        case .badPrefix(let prefix): Complaint("bad-prefix", "no address is written with prefix \(prefix)", exit: .usage)
        case .keyOnTwoNetworks(let count): keyReuseRefused(count)
        case .wordNeedsDevelopmentVault: wordNeedsDevelopmentVault
        case .signatureInvalid: Complaint("signature-invalid", "the signature is not the key's over this message", exit: .badInput)
        }
    }
}
