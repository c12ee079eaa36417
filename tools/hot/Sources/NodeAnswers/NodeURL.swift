/// Where a node listens: `wss://rpc.example:443/path`.
public struct NodeURL: Sendable, Hashable, CustomStringConvertible {
    public enum Scheme: String, Sendable, CaseIterable {
        case ws, wss, http, https

        public var isEncrypted: Bool { self == .wss || self == .https }
        /// Only a WebSocket carries notices.
        public var isWebSocket: Bool { self == .ws || self == .wss }
        var defaultPort: Int { isEncrypted ? 443 : 80 }
    }

    public let scheme: Scheme
    /// A name or an IP address; IPv6 without its brackets.
    public let host: String
    /// 1…65535
    public let port: Int
    /// Path and query, from the first `/`.
    public let path: String

    /// nil for anything but `ws`, `wss`, `http` or `https` with a host. User names and passwords in the URL
    /// are refused.
    public init?(_ text: String) {
        guard let mark = text.firstRange(of: "://") else { return nil }
        guard let scheme = Scheme(rawValue: text[..<mark.lowerBound].lowercased()) else { return nil }
        let rest = text[mark.upperBound...]
        let slash = rest.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? rest.endIndex
        guard let (host, port) = Self.authority(rest[..<slash]) else { return nil }
        let tail = rest[slash...].prefix { $0 != "#" }
        guard tail.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else { return nil }
        self.scheme = scheme
        self.host = host
        self.port = port ?? scheme.defaultPort
        self.path = tail.hasPrefix("/") ? String(tail) : "/" + tail
    }

    /// Host and port of `name`, `name:port`, `[v6]` or `[v6]:port`.
    private static func authority(_ text: Substring) -> (host: String, port: Int?)? {
        let bracketed = text.hasPrefix("[")
        let hostEnd = bracketed ? text.firstIndex(of: "]") : text.firstIndex(of: ":") ?? text.endIndex
        guard let hostEnd else { return nil }
        let host = bracketed ? text[..<hostEnd].dropFirst() : text[..<hostEnd]
        var tail = bracketed ? text[text.index(after: hostEnd)...] : text[hostEnd...]
        guard !host.isEmpty,
            host.utf8.allSatisfy({ isHostByte($0) || (bracketed && $0 == UInt8(ascii: ":")) })
        else { return nil }
        if tail.isEmpty { return (String(host), nil) }
        // `Int` also takes a sign.
        guard tail.removeFirst() == ":", tail.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = Int(tail),
            (1...65535).contains(port)
        else { return nil }
        return (String(host), port)
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
        }
    }

    /// The `Host` header: with a port only if it is not the scheme's default.
    public var authority: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return port == scheme.defaultPort ? name : "\(name):\(port)"
    }

    public var description: String { "\(scheme.rawValue)://\(authority)\(path == "/" ? "" : path)" }
}
