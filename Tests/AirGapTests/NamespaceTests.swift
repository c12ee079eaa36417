import AirGap
import Glibc
import TestSupport
import Testing

/// The real kernel: a program of its own looks around in fresh network namespaces, where `ip netns exec`
/// mounts their own `/sys`.
@Suite(.serialized) struct NamespaceLaws {
    static let probe = BuiltProduct.path("trust-probe")

    static func run(_ script: String) -> (status: Int32, lines: [String]) {
        guard
            let (output, status) = try? SpawnedProcess("/bin/sh", ["-c", "{ \(script); } 2>/dev/null"])
                .finish()
        else { return (-1, []) }
        return (
            status?.code ?? -1,
            String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
        )
    }

    /// What the shield finds in a new namespace after a script of `ip` commands in it; nil when the script
    /// fails.
    static func findings(after script: String, showing what: String = "shield") -> [String]? {
        let name = "heliograph-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"  // unseeded: a new name
        guard run("ip netns add \(name)").status == 0 else { return nil }
        defer { _ = run("ip netns delete \(name)") }
        guard run("ip netns exec \(name) bash -ec '\(script)'").status == 0 else { return nil }
        let (status, lines) = run("ip netns exec \(name) \(probe) \(what)")
        return status == 0 ? lines : nil
    }

    /// Datagrams through the shell's own sockets.
    static func sendThrough(_ address: String) -> String {
        "for size in 1 2 3; do head -c 900 /dev/zero > /dev/udp/\(address)/9; done"
    }

    static var loopbackProgram: String { "\(sendThrough("127.0.0.1")); \(sendThrough("::1"))" }

    /// The interface that the scripts switch on; kernels differ in what they offer.
    static let link =
        """
        ip link add net0 type dummy || ip link add net0 type ifb || ip link add net0 type bridge || ip \
        tuntap add net0 mode tun
        """

    static func hasNamespaces() throws -> Bool {
        try Requirement.isMet(
            geteuid() == 0 && findings(after: "true") != nil, "network namespaces need root and ip netns")
    }

    /// Loopback with two kinds of IP, in packets of every size, as programs of one machine use it.
    static let loopbackTraffic = """
        ip link set lo up; \(loopbackProgram)
        """

    /// An adapter that is plugged in, receives and sends, and is unplugged.
    static let adapter = """
        ip link add net0 type veth peer name net1; ip addr add 10.9.0.1/24 dev net0; ip link set net0 up; ip link set net1 up
        ip neigh add 10.9.0.2 lladdr 02:00:00:00:00:01 dev net0
        \(sendThrough("10.9.0.2")); ip link delete net0
        """

    @Test func anAdapterThatWasUnpluggedIsSeenInTheKernelsCounters() throws {
        guard try Self.hasNamespaces() else { return }
        #expect(Self.findings(after: Self.loopbackTraffic, showing: "traffic") == [])
        let outside = try #require(
            Self.findings(after: "\(Self.loopbackTraffic); \(Self.adapter)", showing: "traffic"))
        #expect(
            outside.count == 1 && outside[0].hasPrefix("\(ShieldReport.Traffic.outsideLoopback) "),
            "\(outside)")
        // Nothing of it is connected any more.
        #expect(Self.findings(after: Self.adapter) == [])
    }

    @Test func theKernelsOwnAnswersAreUnderstood() throws {
        guard try Self.hasNamespaces() else { return }
        #expect(Self.findings(after: "ip link set lo up") == [])
        #expect(Self.findings(after: "\(Self.link)") == [])
        #expect(Self.findings(after: "{ \(Self.link); }; ip link set net0 up") == ["interfaceUp(\"net0\")"])
        let routed =
            """
            { \(Self.link); }; ip link set net0 up; ip addr add 10.9.0.1/24 dev net0; ip route add default \
            via 10.9.0.2 onlink
            """
        #expect(
            Self.findings(after: "\(routed) dev net0") == ["interfaceUp(\"net0\")", "defaultRoute(\"net0\")"])
    }
}
