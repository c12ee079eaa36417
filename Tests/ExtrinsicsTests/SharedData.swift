import Glibc
import Hashing

/// Real files of others, where the folder that holds them exists.
enum SharedData {
    /// The bytes that a file of hex spells.
    static func hex(_ name: String) -> [UInt8]? {
        read(name).flatMap { Hex.decode(String(decoding: $0, as: UTF8.self).filter { !$0.isWhitespace }) }
    }

    private static let folder: String = {
        if let path = getenv("HELIOGRAPH_SHARED_DATA") { return String(cString: path) }
        let checkout = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        return "/\(checkout)/../shared/data"
    }()

    /// nil, and a line that says so, when the file is not there.
    static func read(_ name: String) -> [UInt8]? {
        if let bytes = bytes(at: "\(folder)/\(name)") { return bytes }
        print("skipped: no shared data (\(name))")
        return nil
    }

    static func bytes(at path: String) -> [UInt8]? {
        guard let file = fopen(path, "rb") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
        return bytes
    }
}
