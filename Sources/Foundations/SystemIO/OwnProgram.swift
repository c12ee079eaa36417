import Glibc

/// Where the running program is.
public enum OwnProgram {
    /// The path of a program in the folder of the running one; nil with `errno` where that is unknown.
    ///
    /// Call it before the lock-down, so that the path can be opened to the program.
    public static func beside(_ name: String) -> String? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = buffer.withUnsafeMutableBufferPointer { bytes in
            bytes.withMemoryRebound(to: CChar.self) { readlink("/proc/self/exe", $0.baseAddress!, $0.count) }
        }
        guard count > 0, count < buffer.count, let slash = buffer[..<count].lastIndex(of: UInt8(ascii: "/"))
        else { return nil }
        return String(decoding: buffer[...slash], as: UTF8.self) + name
    }
}
