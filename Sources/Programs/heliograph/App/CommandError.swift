import ScanProtocol

/// What a command itself refuses; every other error comes from a library.
enum CommandError: Error, Equatable {
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
    case lineTooLong(Int32)
    case file(path: String, errno: Int32)
    /// Nothing writes to a pipe that should be read.
    case silentPipe(path: String)
    case fileExists(path: String)
    /// A result would be written where none belongs.
    case outputRefused(path: String, OutputObstacle)
    /// A backup would replace a file that nobody said may go.
    case backupExists(path: String)
    case badHex(source: String)
    case noInput
    /// `--camera` without a device, on a machine without one.
    case noCamera
    case videoFile(path: String, VideoContainer)
    case emptyPassphrase
    case noVaultDirectory
    case seedInArgument
    case badVerifier(String)
    case cheapCostNeedsDevelopmentVault
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
    case phraseDiffers(seed: String)
    case seedCodes(Int)
    /// The phrase of a vault with real keys would go to a pipe or a file.
    case phraseIntoPipe
    case badPrefix(UInt16)
    /// The payload is something else than a list of contacts.
    case notAContactList
    /// A message of a threshold group that `scan` does not act on.
    case groupMessage(kind: String)
    case badPolicy(path: String, reason: String)

    /// What is in the way of a result.
    enum OutputObstacle: String {
        case link = "it is a symbolic link"
        /// A directory, a device, a pipe or a socket.
        case notAFile = "it is not a regular file"
        case vaultFile = "it is a file of a vault"
        case input = "it is an input of this command"
        case otherResult = "another result of this command goes there"
    }

    /// What a question asks for, which decides how a command without a terminal gets it.
    enum Answer {
        /// A yes, a word or a name, which only a person gives.
        case confirmation
        case passphrase
        case password
        case phrase
        case rolls
    }
}
