import FoundationEssentials
import Glibc

/// A new directory that is removed, with what is in it, when its owner goes away.
public final class TemporaryDirectory: Sendable {
    public let path: String

    public init() {
        var template = Array("/tmp/heliograph-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { fatalError("no temporary directory: \(String(cString: strerror(errno)))") }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}
