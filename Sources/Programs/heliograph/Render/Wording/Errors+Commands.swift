import Ceremony
import Diagnostics
import Review
import SubstratePrimitives

extension CommandError: ProgramError {
    var exit: Diagnostic.Exit {
        switch self {
        case .interrupted, .idle, .wentOnline: .interrupted
        case .noTerminal, .unfinishedQuote, .notInShell, .standardInputHoldsCommands, .notAFolder, .otherVault, .emptyDescriptor, .noInput,
            .noVaultDirectory, .seedInArgument, .badVerifier, .cheapCostNeedsDevelopmentVault, .specsNeeded, .badLogHead,
            .networkNeeded, .unknownScheme, .badKey, .badPrefix:
            .usage
        case .outsideShell, .lockAfterNeedsDevelopmentVault, .phraseIntoPipe:
            .notPermitted
        case .descriptor, .results, .file, .silentPipe, .fileExists, .outputRefused, .backupExists, .specsOrVaultNeeded, .noCamera:
            .inputOutput
        case .lineTooLong, .badHex, .fileTooLarge, .notMetadata, .badSpecs, .ambiguousFrames, .videoFile, .seedCodes, .badPolicy,
            .notAContactList,
            .signatureInvalid:
            .badInput
        case .emptyPassphrase, .logHeadDiffers, .logHeadAhead, .logHeadCleared,
            .noSuchEntry, .phraseDiffers, .groupMessage:
            .refused
        }
    }

    var hint: String? {
        switch self {
        case .noTerminal(_, let answer): answer.hint
        case .unfinishedQuote: "close the quote with the same mark"
        case .notInShell: "exit"
        case .standardInputHoldsCommands: "move the file to a directory of this shell"
        case .outsideShell(let path): "heliograph shell \(Shell.quoted(Files.directory(of: path)))"
        case .notAFolder: "name a directory: heliograph shell DIRECTORY"
        case .otherVault(let path): "heliograph shell --vault \(Shell.quoted(path))"
        case .descriptor(let number, _), .emptyDescriptor(let number): "open it in the command: \(number)<FILE"
        case .fileExists, .outputRefused: "choose a name that is free"
        case .badHex: "hex has the digits 0-9 and a-f, two for each byte; --hex @FILE reads it from a file"
        case .emptyPassphrase: "type a passphrase, or --passphrase-fd N reads one from a descriptor"
        case .seedInArgument: "--hex @FILE"
        case .notMetadata: "heliograph-hot fetch URL gets metadata from a node"
        case .badSpecs: "heliograph-hot specs show NETWORK --json prints specs as JSON"
        case .logHeadDiffers, .logHeadAhead: "heliograph log show; was a backup restored, or another vault put in its place?"
        case .logHeadCleared: "heliograph log export --out FILE keeps a new head"
        case .badKey(let scheme): "a key of \(scheme) has \(Self.keyLength(scheme)) bytes, two hex digits each"
        case .phraseDiffers: "heliograph util mnemonic check validates the words alone"
        case .seedCodes: "scan the seed's QR code alone"
        case .badPrefix: "a prefix is a number from 0 to 16383, except 46 and 47"
        case .notAContactList: "heliograph scan"
        case .groupMessage: "heliograph group collect puts it together with the messages of the others"
        case .badPolicy: "heliograph policy example prints a valid policy, and heliograph help policy explains each key"
        case .lockAfterNeedsDevelopmentVault: "heliograph shell"
        case .backupExists(let path): "heliograph vault backup \(Shell.quoted(path)) --replace"
        case .noInput: "heliograph help scan"
        case .videoFile(let path, _):
            "ffmpeg -i \(Shell.quoted(path)) -pix_fmt gray -strict -1 -f yuv4mpegpipe - | heliograph scan -"
        case .noCamera: "plug one in, or take pictures elsewhere: heliograph scan --watch DIR"
        case .noVaultDirectory: "--vault DIR"
        case .badVerifier: "heliograph help init"
        case .cheapCostNeedsDevelopmentVault: "heliograph init --allow-online"
        case .specsNeeded, .specsOrVaultNeeded: "--specs FILE.json"
        case .ambiguousFrames: "scan a few more frames of the same animation"
        case .networkNeeded: "heliograph network list"
        case .phraseIntoPipe: "heliograph vault backup FILE makes an encrypted copy of all seeds"
        case .badLogHead: "heliograph log export --out FILE"
        case .noSuchEntry: "heliograph log show"
        case .interrupted, .idle, .wentOnline, .results, .lineTooLong, .file, .silentPipe, .fileTooLarge, .unknownScheme, .signatureInvalid:
            nil
        }
    }

    private static func keyLength(_ scheme: String) -> Int {
        switch SignatureScheme(name: scheme) {
        case .ecdsa, .ethereum: 33
        case .sr25519, .ed25519, nil: 32
        }
    }

    static let ownKeyHint = "heliograph key derive SEED PATH --network NAME gives the network a key of its own"
}

extension CommandError.Answer {
    fileprivate var hint: String {
        switch self {
        case .confirmation: "run it at a terminal"
        case .passphrase: "--passphrase-fd N reads the passphrase from a descriptor"
        case .password: "--password-fd N reads the password from a descriptor"
        case .phrase: "--phrase-fd N reads the phrase from a descriptor"
        case .rolls: "--dice-fd N reads the rolls from a descriptor"
        }
    }
}

extension CeremonyError: ProgramError {
    var exit: Diagnostic.Exit {
        switch self {
        case .declined, .changedSinceShown, .keyOnTwoNetworks, .predictableRolls, .noPolicy, .weakPassphrase: .refused
        case .strengthUnknown: .inputOutput
        case .approveNeedsPolicy, .noRuleApproves, .approveNeedsDevelopmentVault, .wordNeedsDevelopmentVault, .online, .onlineAtStart,
            .unacknowledged,
            .keyFileNeeded:
            .notPermitted
        }
    }

    var hint: String? {
        switch self {
        case .approveNeedsPolicy, .noRuleApproves: "heliograph help policy"
        case .keyOnTwoNetworks: CommandError.ownKeyHint
        case .predictableRolls: "roll the dice again, or mix the rolls with this machine's randomness: --dice"
        case .online: "disconnect it, then heliograph shield acknowledge"
        case .onlineAtStart: "disconnect it, or heliograph init --allow-online for a vault to try things out with"
        case .unacknowledged: "heliograph shield acknowledge"
        case .keyFileNeeded: "--key-fd 5 5<FILE"
        case .noPolicy: "heliograph policy set FILE"
        case .changedSinceShown: "run the command again, and read what it shows"
        case .approveNeedsDevelopmentVault: "run it at a terminal without --approve"
        case .wordNeedsDevelopmentVault: "run it at a terminal without --word"
        case .declined, .strengthUnknown: nil
        case .weakPassphrase: "an empty answer to the question for it, at a terminal, generates one of six random words"
        }
    }
}

extension ShieldPolicy.Failure: ProgramError {
    var exit: Diagnostic.Exit {
        switch self {
        case .stillOnline: .notPermitted
        case .nothingToAcknowledge: .refused
        }
    }

    var hint: String? {
        switch self {
        case .stillOnline: "heliograph shield shows what connects it"
        case .nothingToAcknowledge: "heliograph shield shows what the network detector finds"
        }
    }
}
