import FoundationEssentials
import Glibc

/// A new directory that is removed, with what is in it, when its owner goes away.
public final class TemporaryDirectory: Sendable {
    public let path: String

    /// - Parameter inMemory: where there is a file system in memory: hundreds of synced writes to a disk take
    ///   long.
    public init(inMemory: Bool = false) {
        let parent = inMemory && access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
        var template = Array("\(parent)/heliograph-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            fatalError("no temporary directory: \(String(cString: strerror(errno)))")
        }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    public func path(_ name: String) -> String { "\(path)/\(name)" }

    /// Sorted.
    public var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? [] }

    public func read(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: path(name))))
    }

    /// Makes the file, for its owner alone, and the directories above it where they are missing, or puts
    /// these bytes in the place of its own.
    /// - Returns: the path of the file.
    @discardableResult
    public func write(_ bytes: [UInt8], to name: String) throws -> String {
        let file = URL(filePath: path(name))
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        let isNew = access(path(name), F_OK) != 0
        try Data(bytes).write(to: file)
        if isNew { chmod(path(name), 0o600) }
        return path(name)
    }

    /// The permission bits; nil when there is no such file.
    public func mode(_ name: String) -> mode_t? {
        var status = stat()
        return stat(path(name), &status) == 0 ? status.st_mode & 0o777 : nil
    }
}
