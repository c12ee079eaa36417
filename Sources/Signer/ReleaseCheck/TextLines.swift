/// The lines of a text file of a release. Each ends with a line feed, also the last one, so that no prefix of
/// a file is taken for the file.
enum TextLines {
    static func split(_ bytes: [UInt8], limit: Int) throws(TextFault) -> [ArraySlice<UInt8>] {
        guard bytes.count <= limit else { throw .tooLong(limit: limit) }
        guard bytes.last == UInt8(ascii: "\n") else { throw .truncated }
        return bytes.dropLast().split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    }
}
