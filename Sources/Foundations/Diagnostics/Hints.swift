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

    /// A word as a shell takes it: as it is where no shell reads anything into it, else in single quotes. A
    /// single quote itself stands in double quotes, because what is printed has its backslashes escaped.
    /// `heliograph shell` reads the same as other shells do.
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
