/// Hints that errors of several types share, and how a hint writes a name.
public enum Hints {
    public static let scanAgain = "scan it again; if it is refused again, make it again"
    public static let makeAgain = "make the transaction again on the online machine"
    public static let oneAnimation = "scan the frames of one payload alone, in one command"
    public static let fetchAgain = "heliograph-hot fetch URL gets the metadata again"
    public static let policyHelp = "heliograph help policy"
    public static let ownKey =
        "heliograph key derive SEED PATH --network NAME gives the network a key of its own"
    public static let wholeAddress = "copy the whole address; heliograph key list shows those of this vault"
    public static let restoreBackup = "restore a backup: heliograph vault restore FILE --vault DIR"

    /// Quotes a word for a shell, in single quotes unless every character is plain. A single quote itself
    /// stands in double quotes, because printing would escape a backslash. `heliograph shell` reads quotes
    /// like other shells.
    public static func quoted(_ word: String) -> String {
        let isPlain = !word.utf8.isEmpty && word.utf8.allSatisfy(isPlain)
        if isPlain { return word }
        let quote = UInt8(ascii: "'")
        let inner = word.utf8.flatMap { $0 == quote ? Array("'\"'\"'".utf8) : [$0] }
        return "'\(String(decoding: inner, as: UTF8.self))'"
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
        default: "-_./:=@%+,".utf8.contains(byte)
        }
    }
}
