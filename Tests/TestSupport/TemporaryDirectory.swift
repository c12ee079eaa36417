import FoundationEssentials
import Glibc

/// A new directory that is removed, with what is in it, when its owner goes away.
public final class TemporaryDirectory: Sendable {
    public let path: String

    public init() {
        // Memory where there is such a directory: thousands of synced writes to a disk take long.
        let parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
        var template = Array("\(parent)/heliograph-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { fatalError("no temporary directory: \(String(cString: strerror(errno)))") }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}
