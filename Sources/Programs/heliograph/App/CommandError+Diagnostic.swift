import Diagnostics
import ScanProtocol
import Terminal
import TrustStore

extension CommandError: DiagnosticError {
    enum Code: String, CaseIterable, Sendable {
        case noTerminal = "no-terminal"
        case interrupted = "interrupted"
        case idle = "idle"
        case wentOnline = "went-online"
        case unfinishedQuote = "unfinished-quote"
        case notInShell = "not-in-shell"
        case standardInput = "standard-input"
        case outsideShell = "outside-shell"
        case notADirectory = "not-a-directory"
        case otherVault = "other-vault"
        case lockAfter = "lock-after"
        case inputOutput = "input-output"
        case emptyDescriptor = "empty-descriptor"
        case lineTooLong = "line-too-long"
        case fileExists = "file-exists"
        case outputRefused = "output-refused"
        case badHex = "bad-hex"
        case noInput = "no-input"
        case noCamera = "no-camera"
        case videoFile = "video-file"
        case emptyPassphrase = "empty-passphrase"
        case noVaultDirectory = "no-vault-directory"
        case seedInArgument = "seed-in-argument"
        case badVerifier = "bad-verifier"
        case cheapCost = "cheap-cost"
        case fileTooLarge = "file-too-large"
        case notMetadata = "not-metadata"
        case badSpecs = "bad-specs"
        case specsNeeded = "specs-needed"
        case noVault = "no-vault"
        case ambiguousFrames = "ambiguous-frames"
        case badLogHead = "bad-log-head"
        case logHeadDiffers = "log-head-differs"
        case logHeadAhead = "log-head-ahead"
        case logHeadCleared = "log-head-cleared"
        case unknownEntry = "unknown-entry"
        case networkNeeded = "network-needed"
        case unknownScheme = "unknown-scheme"
        case keyLength = "key-length"
        case wrongSignature = "wrong-signature"
        case phraseDiffers = "phrase-differs"
        case seedQR = "seed-qr"
        case phraseIntoPipe = "phrase-into-pipe"
        case badPrefix = "bad-prefix"
        case notAContactList = "not-a-contact-list"
        /// A message of a threshold group that is not acted on.
        case groupMessage = "group-not-acted-on"
        case badPolicy = "bad-policy"
    }

    var code: Code {
        switch self {
        case .noTerminal: .noTerminal
        case .interrupted: .interrupted
        case .idle: .idle
        case .wentOnline: .wentOnline
        case .unfinishedQuote: .unfinishedQuote
        case .notInShell: .notInShell
        case .standardInputHoldsCommands: .standardInput
        case .outsideShell: .outsideShell
        case .notAFolder: .notADirectory
        case .otherVault: .otherVault
        case .lockAfterNeedsDevelopmentVault: .lockAfter
        case .descriptor, .results, .file, .silentPipe: .inputOutput
        case .emptyDescriptor: .emptyDescriptor
        case .lineTooLong: .lineTooLong
        case .fileExists, .backupExists: .fileExists
        case .outputRefused: .outputRefused
        case .badHex: .badHex
        case .noInput: .noInput
        case .noCamera: .noCamera
        case .videoFile: .videoFile
        case .emptyPassphrase: .emptyPassphrase
        case .noVaultDirectory: .noVaultDirectory
        case .seedInArgument: .seedInArgument
        case .badVerifier: .badVerifier
        case .cheapCostNeedsDevelopmentVault: .cheapCost
        case .fileTooLarge: .fileTooLarge
        case .notMetadata: .notMetadata
        case .badSpecs: .badSpecs
        case .specsNeeded: .specsNeeded
        case .specsOrVaultNeeded: .noVault
        case .ambiguousFrames: .ambiguousFrames
        case .badLogHead: .badLogHead
        case .logHeadDiffers: .logHeadDiffers
        case .logHeadAhead: .logHeadAhead
        case .logHeadCleared: .logHeadCleared
        case .noSuchEntry: .unknownEntry
        case .networkNeeded: .networkNeeded
        case .unknownScheme: .unknownScheme
        case .badKey: .keyLength
        case .signatureInvalid: .wrongSignature
        case .phraseDiffers: .phraseDiffers
        case .seedCodes: .seedQR
        case .phraseIntoPipe: .phraseIntoPipe
        case .badPrefix: .badPrefix
        case .notAContactList: .notAContactList
        case .groupMessage: .groupMessage
        case .badPolicy: .badPolicy
        }
    }

    var sentence: String {
        switch self {
        case .noTerminal(let question, _): "cannot ask \"\(question.trimmed)\": there is no terminal"
        case .interrupted: "interrupted"
        case .idle(let seconds): "the question was not answered within \(seconds) s"
        case .wentOnline: "the device went online while a question was open"
        case .unfinishedQuote: "unterminated quote"
        case .notInShell: "this command does not run in a shell: leave the shell with exit"
        case .standardInputHoldsCommands: "- cannot be read in a shell: stdin already carries the shell's commands"
        case .outsideShell(let path): "\(path) is outside the directories of this shell"
        case .notAFolder(let path): "\(path) is not a directory"
        case .otherVault(let path): "\(path) is not the vault of this shell"
        case .lockAfterNeedsDevelopmentVault: "--lock-after is only allowed in a development vault"
        case .descriptor(let descriptor, let number): "descriptor \(descriptor) cannot be read: \(Sentence.systemError(number))"
        case .results(let number): "the result cannot be written: \(Sentence.systemError(number))"
        case .emptyDescriptor(let descriptor): "descriptor \(descriptor) has no line to read"
        case .lineTooLong(let descriptor): "the line on descriptor \(descriptor) is too long"
        case .file(let path, let number): "\(path): \(Sentence.systemError(number))"
        case .silentPipe(let path): "\(path) is a pipe, and nothing writes to it"
        case .fileExists(let path): "\(path) already exists and is not overwritten"
        case .outputRefused(let path, let obstacle):
            "the result is not written to \(path): \(obstacle.rawValue)"
        case .backupExists(let path): "\(path) already exists: it may be your last backup"
        case .badHex(let source): "\(source) is not valid hex"
        case .noInput: "no input is given: name a picture or a directory, or use --camera, - or --hex"
        case .noCamera: "this machine has no camera"
        case .videoFile(let path, let container): "\(Escape.terminal(path)): \(PictureProblem.video(container).sentence)"
        case .emptyPassphrase: "the passphrase is empty"
        case .noVaultDirectory: "no vault directory is given, and there is no home directory"
        case .seedInArgument: "a seed cannot be given on the command line: use --hex @FILE"
        case .badVerifier(let text): "\(text) is not a verifier: use default, general (for one network), none or SCHEME:HEX"
        case .cheapCostNeedsDevelopmentVault: "--kdf-cost test is only allowed for a development vault"
        case .fileTooLarge(let path, let limit): "\(path) is larger than \(limit >> 20) MiB"
        case .notMetadata(let path): "\(path) is not metadata: it does not start with \"meta\""
        case .badSpecs(let path, _): "\(path) does not hold network specs as JSON"
        case .specsNeeded(let path, let network): "\(path) is metadata for \(network), whose specs are unknown"
        case .specsOrVaultNeeded: "there is no vault here, so the network of this payload is unknown"
        case .ambiguousFrames(let frames):
            "the \(frames) frames do not prove which payload they carry: one more frame is needed"
        case .badLogHead(let text): "\(text) is not a log head: use heliograph-log:N:HASH or a hash of 64 hex digits"
        case .logHeadDiffers: "this log does not continue from the exported head: it is a different log, or the vault was rolled back"
        case .logHeadAhead(let number, let last):
            "the exported head is entry \(number), but this log ends at entry \(last): the vault was rolled back to an older state"
        case .logHeadCleared(let first): "the log was cleared before entry \(first), so the exported head cannot be compared"
        case .noSuchEntry(let number): "the log has no entry \(number)"
        case .networkNeeded: "no network is given"
        case .unknownScheme(let name): "\(name) is not ed25519, sr25519, ecdsa or ethereum"
        case .badKey(let scheme): "the key has the wrong length for \(scheme)"
        case .signatureInvalid: "the signature is not valid for this key and message"
        case .phraseDiffers(let seed): "the recovery phrase does not match seed \(seed)"
        case .seedCodes(let count): "the input holds \(Sentence.count(count, "QR code")), but a seed is a single QR code"
        case .phraseIntoPipe: "a recovery phrase is shown on a terminal only: stdout is a pipe or a file"
        case .badPrefix(let prefix): "address prefix \(prefix) does not exist or is reserved"
        case .groupMessage(let kind): "scan does not act on a payload of kind \(kind)"
        case .notAContactList: "the payload is not a list of contacts"
        case .badPolicy(let path, let reason): "\(path) is not a valid policy: \(reason)"
        }
    }

    static var examples: [CommandError] {
        [
            .noTerminal(question: "passphrase: ", .passphrase), .interrupted, .idle(seconds: 300), .wentOnline, .unfinishedQuote,
            .notInShell,
            .standardInputHoldsCommands, .outsideShell(path: "/etc"), .notAFolder(path: "a.png"), .otherVault(path: "vault"),
            .lockAfterNeedsDevelopmentVault, .descriptor(3, errno: 9), .results(errno: 28), .emptyDescriptor(3), .lineTooLong(3),
            .file(path: "a.png", errno: 2), .silentPipe(path: "pipe"), .fileExists(path: "a.png"),
            .outputRefused(path: "a.png", .link), .outputRefused(path: "a.png", .notAFile),
            .outputRefused(path: "vault/vault", .vaultFile), .outputRefused(path: "a.png", .input),
            .outputRefused(path: "a.png", .otherResult), .backupExists(path: "a.backup"),
            .badHex(source: "--hex"), .noInput, .noCamera, .videoFile(path: "cam.mp4", .mp4), .emptyPassphrase, .noVaultDirectory,
            .seedInArgument, .badVerifier("me"),
            .cheapCostNeedsDevelopmentVault, .fileTooLarge(path: "a.scale", limit: 8 << 20), .notMetadata(path: "a.scale"),
            .badSpecs(path: "a.json", reason: ""), .specsNeeded(path: "a.scale", network: "polkadot"), .specsOrVaultNeeded,
            .ambiguousFrames(frames: 40), .badLogHead("12"),
            .logHeadDiffers, .logHeadAhead(9, last: 7), .logHeadCleared(first: 4), .noSuchEntry(9), .networkNeeded,
            .unknownScheme("rsa"), .badKey(scheme: "sr25519"), .signatureInvalid,
            .phraseDiffers(seed: "main"),
            .seedCodes(2), .phraseIntoPipe,
            .badPrefix(46), .notAContactList, .groupMessage(kind: "group_proposal"),
            .badPolicy(path: "a.json", reason: "unknown key call"),

        ]
    }
}
