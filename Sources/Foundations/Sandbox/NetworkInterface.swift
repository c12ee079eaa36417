import CSeccomp
import Glibc

/// A network interface of this machine, as `getifaddrs` knows it.
public struct NetworkInterface: Equatable, Hashable, Sendable {
    public let name: String
    /// The administrator switched it on (IFF_UP).
    public let isUp: Bool
    /// It has a carrier (IFF_RUNNING): a cable or a radio link is there.
    public let isRunning: Bool
    /// It reaches only this machine.
    public let isLoopback: Bool
    /// It has an IPv4 or IPv6 address.
    public let hasAddress: Bool

    public init(name: String, isUp: Bool, isRunning: Bool, isLoopback: Bool, hasAddress: Bool) {
        self.name = name
        self.isUp = isUp
        self.isRunning = isRunning
        self.isLoopback = isLoopback
        self.hasAddress = hasAddress
    }

    /// All interfaces, by name. Needs a netlink socket, so it works only before ``Sandbox/lockDown(_:)``.
    public static func all() throws(SandboxError) -> [NetworkInterface] {
        var head: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&head) == 0 else { throw SandboxError(.interfaces, errno: errno) }
        defer { freeifaddrs(head) }
        var flags: [String: UInt32] = [:]
        var addressed: Set<String> = []
        var entry = head
        while let current = entry {
            let name = String(cString: current.pointee.ifa_name)
            flags[name] = current.pointee.ifa_flags
            if let family = current.pointee.ifa_addr?.pointee.sa_family,
                Int32(family) == AF_INET || Int32(family) == AF_INET6
            {
                addressed.insert(name)
            }
            entry = current.pointee.ifa_next
        }
        return flags.sorted { $0.key < $1.key }.map { name, bits in
            NetworkInterface(
                name: name,
                isUp: bits & UInt32(IFF_UP) != 0,
                isRunning: bits & UInt32(IFF_RUNNING) != 0,
                isLoopback: bits & UInt32(IFF_LOOPBACK) != 0,
                hasAddress: addressed.contains(name))
        }
    }
}
