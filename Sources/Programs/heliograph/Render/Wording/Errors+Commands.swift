import Ceremony
import Diagnostics
import Review

extension CommandError: ProgramError {
    var exit: Diagnostic.Exit {
        switch self {
        case .interrupted, .idle, .wentOnline: .interrupted
        case .noTerminal, .unfinishedQuote, .notInShell, .standardInputHoldsCommands, .notAFolder, .otherVault, .emptyDescriptor, .noInput,
            .noVaultDirectory, .seedInArgument, .badVerifier, .cheapCostNeedsDevelopmentVault, .specsNeeded, .badLogHead,
            .networkNeeded, .unknownScheme, .badKey, .badPrefix:
            .usage
        case .outsideShell, .lockAfterNeedsDevelopmentVault:
            .notPermitted
        case .descriptor, .file, .fileExists, .specsOrVaultNeeded, .noCamera: .inputOutput
        case .lineTooLong, .badHex, .fileTooLarge, .notMetadata, .badSpecs, .ambiguousFrames, .seedCodes, .badPolicy, .signatureInvalid,
            .videoFile:
            .badInput
        case .passphrasesDiffer, .emptyPassphrase, .logHeadDiffers, .logHeadAhead, .logHeadCleared,
            .noSuchEntry, .phraseDiffers:
            .refused
        }
    }

    var hint: String? {
        switch self {
        case .noTerminal(_, let answer): answer.hint
        case .standardInputHoldsCommands: "move the file to a directory of this shell"
        case .outsideShell: "heliograph shell DIRECTORY"
        case .otherVault(let path): "heliograph shell --vault \(path)"
        case .lockAfterNeedsDevelopmentVault: "heliograph shell"
        case .noInput: "heliograph help inspect"
        case .videoFile(let path, _): Self.conversion(of: path)
        case .noCamera: "plug one in, or take pictures elsewhere: heliograph scan --watch DIR"
        case .noVaultDirectory: "--vault DIR"
        case .badVerifier: "heliograph help init"
        case .cheapCostNeedsDevelopmentVault: "heliograph init --allow-online"
        case .specsNeeded, .specsOrVaultNeeded: "--specs FILE.json"
        case .ambiguousFrames: "scan a few more frames of the same animation"
        case .networkNeeded: "heliograph network list"
        case .badLogHead: "heliograph log export --out FILE"
        case .noSuchEntry: "heliograph log show"
        case .interrupted, .idle, .wentOnline, .unfinishedQuote, .notInShell, .notAFolder, .descriptor, .emptyDescriptor, .lineTooLong,
            .file,
            .fileExists, .badHex, .passphrasesDiffer, .emptyPassphrase, .seedInArgument,
            .fileTooLarge, .notMetadata, .badSpecs, .logHeadDiffers, .logHeadAhead, .logHeadCleared,
            .unknownScheme, .badKey, .signatureInvalid, .phraseDiffers, .seedCodes, .badPrefix, .badPolicy:
            nil
        }
    }

    /// The line that makes frames of a video that is not read here, with the name where a shell takes it as it is.
    static func conversion(of path: String) -> String {
        let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-./_".utf8)
        let isPlain = path.utf8.allSatisfy(plain.contains)
        let name = isPlain && path.utf8.first != UInt8(ascii: "-") ? path : "FILE"
        return "ffmpeg -i \(name) -pix_fmt gray -f yuv4mpegpipe - | heliograph scan -"
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
        case .declined, .changedSinceShown, .keyOnTwoNetworks, .predictableRolls, .noPolicy: .refused
        case .approveNeedsPolicy, .approveNeedsDevelopmentVault, .wordNeedsDevelopmentVault, .online, .onlineAtStart, .unacknowledged,
            .keyFileNeeded:
            .notPermitted
        }
    }

    var hint: String? {
        switch self {
        case .approveNeedsPolicy: "heliograph help policy"
        case .keyOnTwoNetworks: CommandError.ownKeyHint
        case .predictableRolls: "roll the dice again, or mix the rolls with this machine's randomness: --dice"
        case .online: "disconnect it, then heliograph shield acknowledge"
        case .onlineAtStart: "disconnect it, or heliograph init --allow-online for a vault to try things out with"
        case .unacknowledged: "heliograph shield acknowledge"
        case .keyFileNeeded: "--key-fd 5 5<FILE"
        case .noPolicy: "heliograph policy set FILE"
        case .declined, .changedSinceShown, .approveNeedsDevelopmentVault, .wordNeedsDevelopmentVault: nil
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
        case .nothingToAcknowledge: nil
        }
    }
}
