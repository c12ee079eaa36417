import Diagnostics
import Lines
import ScanProtocol
import SubstratePrimitives
import Vault

/// What a command itself refuses; every other error comes from a library.
package enum CommandError: Error, Equatable {
    case noTerminal(question: String, Answer)
    case interrupted
    /// A question of a shell was not answered.
    case idle(seconds: Int)
    /// The device went online while a shell waited.
    case wentOnline
    case unfinishedQuote
    case notInShell
    case standardInputHoldsCommands
    case outsideShell(path: String)
    case notAFolder(path: String)
    /// A shell keeps one vault open, and the command names another.
    case otherVault(path: String)
    case lockAfterNeedsDevelopmentVault
    case descriptor(Int32, errno: Int32)
    /// stdout takes no more.
    case results(errno: Int32)
    case emptyDescriptor(Int32)
    /// A secret would be read from a file that other users can read too.
    case exposedSecret(Int32)
    /// Recovery words opened the vault, and a new passphrase would open it without its key file.
    case keyFileDropped
    case lineTooLong(Int32)
    case file(path: String, errno: Int32)
    /// Not all shares of a seed could be written, so that none is; `left` could not be removed.
    case sharesNotWritten(path: String, errno: Int32, left: [String])
    /// Nothing writes to a pipe that should be read.
    case silentPipe(path: String)
    case fileExists(path: String)
    /// A result would be written where none belongs.
    case outputRefused(path: String, OutputObstacle)
    /// A result would replace a file, and nothing says that it may.
    case outputExists(path: String)
    /// A backup would replace a file that nobody said may go.
    case backupExists(path: String)
    case badHex(source: String)
    /// What stands where hex should.
    case otherThanHex(source: String, OtherThanHex)
    case noInput
    /// `--camera` without a device, on a machine without one.
    case noCamera
    case videoFile(path: String, VideoContainer)
    case emptyPassphrase
    case noVaultDirectory
    case seedInArgument
    case badVerifier(String)
    case cheapCostNeedsDevelopmentVault
    case yesNeedsDevelopmentVault
    case fileTooLarge(path: String, limit: Int)
    case notMetadata(path: String)
    case badSpecs(path: String, reason: String)
    case specsNeeded(path: String, network: String)
    /// A payload brings its own types, and nothing says which network it is for.
    case specsOrVaultNeeded
    /// The frames decode, but to bytes that nothing proves.
    case ambiguousFrames(frames: Int)
    case badLogHead(String)
    /// The log is not one that went on from the exported head.
    case logHeadDiffers
    case logHeadAhead(UInt64, last: UInt64)
    case logHeadCleared(first: UInt64)
    case noSuchEntry(UInt64)
    case networkNeeded
    case unknownScheme(String)
    case badKey(scheme: String)
    case signatureInvalid
    case phraseDiffers(seed: String, other: String?)
    /// The shares join to another secret than the named seed.
    case sharesDiffer(seed: String)
    case badMachinePart
    /// The input of `--compare` is not an answer of a signer.
    case notAnAnswer
    /// Another machine's signature is not the one that this machine makes.
    case answerDiffers
    /// Another machine's signature is valid and cannot be made again.
    case answerNotComparable
    /// What was read is nothing that is signed here, under an option that is about signatures.
    case nothingToCompare
    case seedCodes(Int)
    case secretKeyCodes(Int)
    /// What was typed or scanned is no secret key.
    case badSecretKey
    /// A keystore has no account with this address.
    case notInKeystore(String)
    /// The phrase of a vault with real keys would go to a pipe or a file.
    case phraseIntoPipe
    case badPrefix(UInt16)
    /// The payload is something else than a list of contacts.
    case notAContactList
    /// A message of a threshold group that `scan` does not act on.
    case groupMessage(kind: String)
    /// A queue without rules would refuse everything.
    case noApprovingRules
    /// A queue signs by rules, which speak of transactions and messages alone.
    case notForQueue(kind: String)
    case badPolicy(path: String, reason: String)

    /// What is in the way of a result.
    package enum OutputObstacle: String {
        case link = "it is a symbolic link"
        /// A directory, a device, a pipe or a socket.
        case notAFile = "it is not a regular file"
        case vaultFile = "it is a file of a vault"
        /// 64 bytes that no text has.
        case keyFile = "it may be a key file, without which a vault stays closed"
        case input = "it is an input of this command"
        case readOnly = "it is read-only"
        /// `-`, with which other programs mean standard output.
        case standardOutput = "results go to files, not to standard output"
        case otherResult = "another result of this command goes there"
        case hexName = "its name ends with .hex, and this result is not written as hex"
        case pictureName = "it is a picture, and its name does not end with .png"
        case codeName = "its name ends with neither .png, for a picture, nor .hex, for text"
        case notPicture = "its name is for a picture, but this result is not a picture"

        fileprivate var hint: String {
            switch self {
            case .standardOutput: "name a file; ./- is one with the name -"
            case .pictureName: "end the name with .png"
            case .codeName: "end the name with .png, or with .hex"
            case .notPicture: "end the name with .txt, or with nothing"
            case .link, .notAFile, .vaultFile, .keyFile, .input, .readOnly, .otherResult, .hexName:
                "choose a name that is free"
            }
        }
    }

    /// What a question asks for, which decides how a command without a terminal gets it.
    package enum Answer {
        /// A yes, a word or a name, which only a person gives.
        case confirmation
        case passphrase
        case password
        /// Of a security key.
        case pin
        case phrase
        case shares
        case rolls
        /// What a machine put into a seed.
        case machinePart
        case secretKey
        /// What becomes of pictures that lie in the directory of a queue at its start.
        case present
    }
}

extension CommandError: DiagnosticError {
    package var diagnostic: Diagnostic {
        switch self {
        case .noTerminal(let question, let answer):
            .usage(
                "no-terminal", "cannot ask \"\(question.trimmed)\": there is no terminal", hint: answer.hint)
        case .interrupted: .interrupted("interrupted", "interrupted")
        case .idle(let seconds): .interrupted("idle", "the question was not answered within \(seconds) s")
        case .wentOnline: .interrupted("went-online", "the device went online while a question was open")
        case .unfinishedQuote:
            .usage("unfinished-quote", "unterminated quote", hint: "close the quote with the same mark")
        case .notInShell:
            .usage(
                "not-in-shell", "this command does not run in a shell: leave the shell with exit",
                hint: "exit")
        case .standardInputHoldsCommands:
            .usage(
                "standard-input", "- cannot be read in a shell: stdin already carries the shell's commands",
                hint: "move the file to a directory of this shell")
        case .outsideShell(let path):
            .notPermitted(
                "outside-shell", "\(path) is outside the directories of this shell",
                hint: "heliograph shell \(Hints.quoted(Files.directory(of: path)))")
        case .notAFolder(let path):
            .usage(
                "not-a-directory", "\(path) is not a directory",
                hint: "name a directory: heliograph shell DIRECTORY")
        case .otherVault(let path):
            .usage(
                "other-vault", "\(path) is not the vault of this shell",
                hint: "heliograph shell --vault \(Hints.quoted(path))")
        case .lockAfterNeedsDevelopmentVault:
            .notPermitted(
                "lock-after", "--lock-after is only allowed in a development vault", hint: "heliograph shell")
        case .descriptor(let descriptor, let number):
            .inputOutput(
                "input-output", "descriptor \(descriptor) cannot be read: \(Sentence.systemError(number))",
                hint: "open it in the command: \(descriptor)<FILE")
        case .results(let number):
            .inputOutput("input-output", "the result cannot be written: \(Sentence.systemError(number))")
        case .emptyDescriptor(let descriptor):
            .usage(
                "empty-descriptor", "descriptor \(descriptor) has no line to read",
                hint: "open it in the command: \(descriptor)<FILE")
        case .exposedSecret(let descriptor):
            .notPermitted(
                "exposed-files",
                "other users can read the file on descriptor \(descriptor), which holds a secret",
                hint: "chmod 600 FILE")
        case .keyFileDropped:
            .usage(
                "key-file-dropped", "the new passphrase would open the vault without its key file",
                hint: "name a key file with --new-key-fd, or give it up with --without-key-file")
        case .lineTooLong(let descriptor):
            .badInput("line-too-long", "the line on descriptor \(descriptor) is too long")
        case .file(let path, let number):
            .inputOutput("input-output", "\(path): \(Sentence.systemError(number))")
        case .sharesNotWritten(let path, let number, let left):
            .inputOutput(
                "shares-not-written",
                "the shares were not written (\(path): \(Sentence.systemError(number))), and "
                    + (left.isEmpty ? "none is left" : "these are left: \(left.joined(separator: ", "))"),
                hint: left.isEmpty
                    ? "split the seed again: --out DIR names a directory with room"
                    : "destroy what is left: shares of another split do not join with it")
        case .silentPipe(let path):
            .inputOutput("input-output", "\(path) is a pipe, and nothing writes to it")
        case .fileExists(let path):
            .inputOutput(
                "file-exists", "\(path) already exists and is not overwritten",
                hint: "choose a name that is free")
        case .outputRefused(let path, let obstacle):
            .inputOutput(
                "output-refused", "the result is not written to \(path): \(obstacle.rawValue)",
                hint: obstacle.hint)
        case .outputExists(let path):
            .inputOutput(
                "file-exists", "\(path) already exists",
                hint: "choose a name that is free, or add --replace to replace this file")
        case .backupExists(let path):
            .inputOutput(
                "file-exists", "\(path) already exists: it may be your last backup",
                hint: "heliograph vault backup \(Hints.quoted(path)) --replace")
        case .badHex(let source):
            .badInput(
                "bad-hex", "\(source) is not valid hex",
                hint: "hex has the digits 0-9 and a-f, two for each byte; --hex @FILE reads it from a file")
        case .otherThanHex(let source, let found):
            .badInput("bad-hex", "\(source): \(found.sentence)", hint: found.hint)
        case .noInput:
            .usage(
                "no-input", "no input is given: name a picture or a directory, or use --camera, - or --hex",
                hint: "heliograph help scan")
        case .noCamera:
            .inputOutput(
                "no-camera", "this machine has no camera",
                hint: "plug one in, or take pictures elsewhere: heliograph scan --watch DIR")
        case .videoFile(let path, let container):
            .badInput(
                "video-file", "\(Escape.terminal(path)): \(PictureProblem.video(container).sentence)",
                hint: "ffmpeg -i \(Hints.quoted(path)) -pix_fmt gray -strict "
                    + "-1 -f yuv4mpegpipe - | heliograph scan -")
        case .emptyPassphrase: VaultError.emptyPassphrase.diagnostic
        case .noVaultDirectory:
            .usage(
                "no-vault-directory", "no vault directory is given, and there is no home directory",
                hint: "--vault DIR")
        case .seedInArgument:
            .usage(
                "seed-in-argument",
                "a seed cannot be given on the command line, where the shell's history keeps it",
                hint: "type the words where they are asked for; a code is given by --hex @FILE")
        case .badVerifier(let text):
            .usage(
                "bad-verifier",
                "\(text) is not a verifier: use default, general (for one network), none or SCHEME:HEX",
                hint: "heliograph help init")
        case .cheapCostNeedsDevelopmentVault:
            .usage(
                "cheap-cost", "--kdf-cost test is only allowed for a development vault",
                hint: "heliograph init --allow-online")
        case .yesNeedsDevelopmentVault:
            .notPermitted(
                "yes-not-allowed", "--yes is only allowed in a development vault",
                hint: "answer the question at the terminal")
        case .fileTooLarge(let path, let limit):
            .badInput("file-too-large", "\(path) is larger than \(limit >> 20) MiB")
        case .notMetadata(let path):
            .badInput(
                "not-metadata", "\(path) is not metadata: it does not start with \"meta\"",
                hint: "heliograph-hot fetch URL gets metadata from a node")
        case .badSpecs(let path, _):
            .badInput(
                "bad-specs", "\(path) does not hold network specs as JSON",
                hint: "heliograph-hot specs show NETWORK --json prints specs as JSON")
        case .specsNeeded(let path, let network):
            .usage(
                "specs-needed", "\(path) is metadata for \(network), whose specs are unknown",
                hint: "--specs FILE.json")
        case .specsOrVaultNeeded:
            .inputOutput(
                "no-vault", "there is no vault here, so the network of this payload is unknown",
                hint: "--specs FILE.json")
        case .ambiguousFrames(let frames):
            .badInput(
                "ambiguous-frames",
                "the \(frames) frames do not prove which payload they carry: one more frame is needed",
                hint: "scan a few more frames of the same animation")
        case .badLogHead(let text):
            .usage(
                "bad-log-head",
                "\(text) is not a log head: use heliograph-log:N:HASH or a hash of 64 hex digits",
                hint: "heliograph log export --out FILE")
        case .logHeadDiffers:
            .refused(
                "log-head-differs",
                "this log does not continue from the exported head: it "
                    + "is a different log, or the vault was rolled back",
                hint: "heliograph log show; was a backup restored, or another vault put in its place?")
        case .logHeadAhead(let number, let last):
            .refused(
                "log-head-ahead",
                "the exported head is entry \(number), but this log ends at "
                    + "entry \(last): the vault was rolled back to an older state",
                hint: "heliograph log show; was a backup restored, or another vault put in its place?")
        case .logHeadCleared(let first):
            .refused(
                "log-head-cleared",
                "the log was cleared before entry \(first), so the exported head cannot be compared",
                hint: "heliograph log export --out FILE keeps a new head")
        case .noSuchEntry(let number):
            .refused("unknown-entry", "the log has no entry \(number)", hint: "heliograph log show")
        case .networkNeeded: .usage("network-needed", "no network is given", hint: "heliograph network list")
        case .unknownScheme(let name):
            .usage("unknown-scheme", "\(name) is not ed25519, sr25519, ecdsa or ethereum")
        case .badKey(let scheme):
            .usage(
                "key-length", "the key has the wrong length for \(scheme)",
                hint: "a key of \(scheme) has \(Self.keyLength(scheme)) bytes, two hex digits each")
        case .signatureInvalid:
            .badInput("wrong-signature", "the signature is not valid for this key and message")
        case .notAnAnswer:
            .badInput(
                "not-an-answer", "the input to compare with is not an answer of a signer",
                hint: "--compare takes the answer's picture, its hex, @FILE, or camera")
        case .answerDiffers:
            .refused(
                "answer-differs",
                "the two machines do not agree: send neither answer, and find out which machine lies",
                hint: "heliograph verify-release checks the program of each machine")
        case .answerNotComparable:
            .refused(
                "answer-not-comparable",
                "the answer cannot be compared: it was not made with --reproducible, or by a build that lies",
                hint: "sign again on the other machine with --reproducible")
        case .nothingToCompare:
            .badInput(
                "nothing-to-compare",
                "--compare and --reproducible are for transactions and messages, which this is not",
                hint: "heliograph inspect shows what it is")
        case .badMachinePart:
            .badInput(
                "bad-machine-part", "not a machine's part: 64 digits of 0 to 9 and a to f are needed",
                hint: "heliograph help util seed-from")
        case .phraseDiffers(let seed, nil):
            .refused(
                "phrase-differs", "this is a valid recovery phrase, but of another seed than \(seed)",
                hint: "look for the copy of \(seed); none of the seeds in this vault has these words")
        case .phraseDiffers(let seed, let other?):
            .refused(
                "phrase-differs", "this is the recovery phrase of seed \(other), not of \(seed)",
                hint: "heliograph seed check \(Hints.quoted(other))")
        case .sharesDiffer(let seed):
            .refused(
                "shares-differ",
                "these shares and this passphrase give another seed than \(seed)",
                hint: "look for the shares of \(seed), and type their passphrase, if they have one")
        case .seedCodes(let count):
            .badInput(
                "seed-qr",
                "the input holds \(Sentence.count(count, "QR code")), but a seed is a single QR code",
                hint: "scan the seed's QR code alone")
        case .secretKeyCodes(let count):
            .badInput(
                "secret-key-code",
                "the input holds \(Sentence.count(count, "QR code")), but a secret key is a single QR code",
                hint: "scan the QR code of the secret key alone")
        case .badSecretKey:
            .badInput(
                "bad-secret-key",
                "this is not a secret key: one is 0x and 64 hex digits, or 128 of some sr25519 keys",
                hint:
                    "a recovery phrase is for heliograph seed restore, a JSON file for key import --keystore")
        case .notInKeystore(let address):
            .refused(
                "not-in-keystore", "the keystore has no key of \(address)",
                hint: "heliograph util keystore FILE shows its accounts")
        case .phraseIntoPipe:
            .notPermitted(
                "phrase-into-pipe",
                "a recovery phrase is shown on a terminal only: stdout is a pipe or a file",
                hint: "heliograph vault backup FILE makes an encrypted copy of all seeds")
        case .badPrefix(let prefix):
            .usage(
                "bad-prefix", "address prefix \(prefix) does not exist or is reserved",
                hint: "a prefix is a number from 0 to 16383, except 46 and 47")
        case .groupMessage(let kind):
            .refused(
                "group-not-acted-on", "scan does not act on a payload of kind \(kind)",
                hint: "heliograph group collect puts it together with the messages of the others")
        case .noApprovingRules:
            .refused(
                "no-approving-rules",
                "the policy has no rule under approve, so scan --serve would sign nothing",
                hint: "heliograph policy example prints a policy with such a rule")
        case .notForQueue(let kind):
            .refused(
                "not-for-queue", "scan --serve signs transactions and messages only, and this is \(kind)",
                hint: "heliograph scan PICTURE asks a person")
        case .notAContactList:
            .badInput("not-a-contact-list", "the payload is not a list of contacts", hint: "heliograph scan")
        case .badPolicy(let path, let reason):
            .badInput(
                "bad-policy", "\(path) is not a valid policy: \(reason)",
                hint: "heliograph policy example prints a valid policy, "
                    + "and heliograph help policy explains each key")
        }
    }

    private static func keyLength(_ scheme: String) -> Int {
        switch SignatureScheme(name: scheme) {
        case .ecdsa, .ethereum: 33
        case .sr25519, .ed25519, nil: 32
        }
    }

    package static var examples: [CommandError] {
        [
            .noTerminal(question: "passphrase: ", .passphrase), .interrupted, .idle(seconds: 300),
            .wentOnline, .unfinishedQuote,
            .notInShell,
            .standardInputHoldsCommands, .outsideShell(path: "/etc"), .notAFolder(path: "a.png"),
            .otherVault(path: "vault"),
            .lockAfterNeedsDevelopmentVault, .descriptor(3, errno: 9), .results(errno: 28),
            .emptyDescriptor(3), .exposedSecret(3), .keyFileDropped, .lineTooLong(3),
            .file(path: "a.png", errno: 2),
            .sharesNotWritten(path: "dir/share-2.png", errno: 28, left: []),
            .sharesNotWritten(path: "dir/share-2.png", errno: 5, left: ["dir/share-1.png"]),
            .silentPipe(path: "pipe"), .fileExists(path: "a.png"),
            .outputRefused(path: "a.png", .link), .outputRefused(path: "a.png", .notAFile),
            .outputRefused(path: "vault/vault", .vaultFile), .outputRefused(path: "key", .keyFile),
            .outputRefused(path: "a.png", .input),
            .outputRefused(path: "a.png", .readOnly), .outputRefused(path: "-", .standardOutput),
            .outputRefused(path: "a.png", .otherResult), .outputRefused(path: "a.hex", .hexName),
            .outputRefused(path: "a.txt", .pictureName), .outputRefused(path: "a.txt", .codeName),
            .outputRefused(path: "a.png", .notPicture), .outputExists(path: "a.png"),
            .backupExists(path: "a.backup"),
            .badHex(source: "--hex"), .otherThanHex(source: "--hex", .file),
            .otherThanHex(source: "--hex", .base64), .otherThanHex(source: "a.png", .picture), .noInput,
            .noCamera, .videoFile(path: "cam.mp4", .mp4),
            .emptyPassphrase, .noVaultDirectory,
            .seedInArgument, .badVerifier("me"),
            .cheapCostNeedsDevelopmentVault, .yesNeedsDevelopmentVault,
            .fileTooLarge(path: "a.scale", limit: 8 << 20),
            .notMetadata(path: "a.scale"),
            .badSpecs(path: "a.json", reason: ""), .specsNeeded(path: "a.scale", network: "polkadot"),
            .specsOrVaultNeeded,
            .ambiguousFrames(frames: 40), .badLogHead("12"),
            .logHeadDiffers, .logHeadAhead(9, last: 7), .logHeadCleared(first: 4), .noSuchEntry(9),
            .networkNeeded,
            .unknownScheme("rsa"), .badKey(scheme: "sr25519"), .signatureInvalid,
            .phraseDiffers(seed: "main", other: nil), .phraseDiffers(seed: "main", other: "second"),
            .sharesDiffer(seed: "main"),
            .badMachinePart, .notAnAnswer, .answerDiffers, .answerNotComparable,
            .nothingToCompare, .seedCodes(2), .secretKeyCodes(0), .badSecretKey,
            .notInKeystore("5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY"), .phraseIntoPipe,
            .badPrefix(46), .notAContactList, .groupMessage(kind: "group_proposal"),
            .noApprovingRules, .notForQueue(kind: "add_specs"),
            .badPolicy(path: "a.json", reason: "unknown key call"),
        ]
    }
}

extension CommandError.Answer {
    fileprivate var hint: String {
        switch self {
        case .confirmation: "run it at a terminal"
        case .passphrase: "--passphrase-fd N reads the passphrase from a descriptor"
        case .password: "--password-fd N reads the password from a descriptor"
        case .pin: "--pin-fd N reads the PIN from a descriptor"
        case .phrase: "--phrase-fd N reads the phrase from a descriptor"
        case .shares: "--shares-fd N reads the shares from a descriptor"
        case .present: "--present sign or --present skip answers it"
        case .machinePart: "--machine-fd N reads the machine's part from a descriptor"
        case .secretKey: "--secret-fd N reads the secret key from a descriptor"
        case .rolls: "--dice-fd N reads the rolls from a descriptor"
        }
    }
}

/// What a person gives by mistake where hex digits belong, told by its form.
public enum OtherThanHex: Sendable {
    /// The name of a file.
    case file
    case base64
    /// A file with a picture.
    case picture

    fileprivate var sentence: String {
        switch self {
        case .file: "this is the name of a file, not hex"
        case .base64: "this is base64, not hex"
        case .picture: "this file is a picture, not hex"
        }
    }

    fileprivate var hint: String {
        switch self {
        case .file: "heliograph scan FILE reads a picture, --hex @FILE a file with hex digits"
        case .base64: "give the bytes as hex: base64 -d FILE | od -An -tx1 -v | tr -d '[:space:]'"
        case .picture: "pictures need no option: heliograph scan FILE"
        }
    }
}
