import Glibc
import SubstratePrimitives

extension NodeURL {
    /// Whom a connection reaches, whatever it asks there: every path and both schemes of a host and port.
    public struct Server: Sendable, Hashable, CustomStringConvertible {
        /// See ``NodeURL/canonicalHost``.
        public let host: String
        public let port: Int

        /// `rpc.example:443`, `[::1]:9944`
        public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
    }

    public var server: Server { Server(host: canonicalHost, port: port) }

    /// The host in one spelling: `RPC.example.` is `rpc.example`, `127.1` is `127.0.0.1`, an IPv4 address
    /// within IPv6 is the IPv4 address.
    ///
    /// Two spellings of one host must not count as two hosts, and a pin must hold for each of them.
    public var canonicalHost: String {
        // The resolver itself says what is an address: it takes spellings such as 0x7f.1. AI_NUMERICHOST
        // keeps it from asking anyone.
        Self.addresses(of: host, flags: AI_NUMERICHOST).first ?? Self.canonicalName(host)
    }

    /// The addresses that the host's name resolves to now; empty if there are none. The resolver may ask
    /// other machines and take long.
    ///
    /// 127.0.0.0/8, ::1 and the unspecified addresses all mean this machine, so they count as one.
    public var machines: Set<String> {
        Set(Self.addresses(of: host, flags: 0).map { Self.leadsHere($0) ? "localhost" : $0 })
    }

    /// - Parameter address: as ``addresses(of:flags:)`` spells it.
    private static func leadsHere(_ address: String) -> Bool {
        ["::1", "::", "0.0.0.0"].contains { address.utf8Equals($0) } || address.utf8Starts(with: "127.")
    }

    private static func addresses(of host: String, flags: Int32) -> [String] {
        var hints = addrinfo()
        (hints.ai_flags, hints.ai_socktype) = (flags, Int32(SOCK_STREAM.rawValue))
        var first: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &first) == 0, let first else { return [] }
        defer { freeaddrinfo(first) }
        return sequence(first: first) { $0.pointee.ai_next }.compactMap { found in
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            guard let address = found.pointee.ai_addr,
                getnameinfo(
                    address, found.pointee.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
                    == 0
            else { return nil }
            let spelled = String(
                decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            let mapped = "::ffff:"
            return spelled.hasPrefix(mapped) && spelled.contains(".")
                ? String(spelled.dropFirst(mapped.utf8.count)) : spelled
        }
    }

    private static func canonicalName(_ name: String) -> String {
        let lower = name.lowercased()
        return lower.hasSuffix(".") ? String(lower.dropLast()) : lower
    }
}
