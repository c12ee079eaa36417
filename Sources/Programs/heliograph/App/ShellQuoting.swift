/// Words of a hint as a shell takes them.
extension Shell {
    /// As it is where no shell reads anything into it, else in single quotes; a single quote itself stands in double quotes, because what is printed
    /// has its backslashes escaped. `heliograph shell` reads the same as other shells do.
    static func quoted(_ word: String) -> String {
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
