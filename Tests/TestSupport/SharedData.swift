import FoundationEssentials
import Glibc
import Hashing

/// Real files of others, where the directory that holds them exists: `HELIOGRAPH_SHARED_DATA`, or `shared/data` beside the checkout.
public enum SharedData {
    private static let root = getenv("HELIOGRAPH_SHARED_DATA").map { String(cString: $0) } ?? Checkout.path("../shared/data")

    /// nil, and a line that says so, when the file is not there.
    public static func path(_ name: String) -> String? {
        let path = "\(root)/\(name)"
        if access(path, R_OK) == 0 { return path }
        print("skipped: no shared data (\(name))")
        return nil
    }

    /// nil, and a line that says so, when the file is not there.
    public static func read(_ name: String) -> [UInt8]? {
        path(name).flatMap { FileManager.default.contents(atPath: $0) }.map { [UInt8]($0) }
    }

    /// The bytes that a file of hexadecimal text spells, white space left out.
    public static func hex(_ name: String) -> [UInt8]? {
        read(name).flatMap { Hex.decode(String(decoding: $0, as: UTF8.self).filter { !$0.isWhitespace }) }
    }
}
