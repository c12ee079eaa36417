import FoundationEssentials
import Glibc
import Hashing

/// Real files of others: `HELIOGRAPH_SHARED_DATA`, or `shared/data` beside the checkout. Where one of them
/// exists its files are required.
public enum SharedData {
    private static let named = getenv("HELIOGRAPH_SHARED_DATA").map { String(cString: $0) }
    private static let root = named ?? Checkout.path("../shared/data")

    /// Whether a missing file fails the test.
    public static let isRequired = named != nil || access(root, F_OK) == 0

    /// nil when the test is to be skipped.
    public static func path(_ name: String) throws(Requirement) -> String? {
        let path = "\(root)/\(name)"
        if access(path, R_OK) == 0 { return path }
        try skip(name)
        return nil
    }

    /// Says that a test is skipped, or fails it where the data is required.
    public static func skip(_ name: String) throws(Requirement) {
        try Requirement.skip("no shared data (\(name))", isAllowed: !isRequired)
    }

    /// nil when the test is to be skipped.
    public static func read(_ name: String) throws -> [UInt8]? {
        guard let path = try path(name) else { return nil }
        return [UInt8](try Data(contentsOf: URL(filePath: path)))
    }

    /// The bytes that a file of hexadecimal text spells, white space left out; nil when the test is to be
    /// skipped.
    public static func hex(_ name: String) throws -> [UInt8]? {
        guard let text = try read(name) else { return nil }
        guard let bytes = Hex.decode(String(decoding: text, as: UTF8.self).filter({ !$0.isWhitespace }))
        else {
            throw Requirement(description: "\(name) is not hexadecimal text")
        }
        return bytes
    }
}
