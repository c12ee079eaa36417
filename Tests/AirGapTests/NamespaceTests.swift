import AirGap
import Glibc
import TestSupport
import Testing

/// The real kernel: a program of its own looks around in fresh network namespaces, where `ip netns exec` mounts their own `/sys`.
@Suite(.serialized) struct NamespaceLaws {
    static let probe = BuiltProduct.path("trust-probe")

    static func run(_ script: String) -> (status: Int32, lines: [String]) {
        guard let (output, status) = try? SpawnedProcess("/bin/sh", ["-c", "{ \(script); } 2>/dev/null"]).finish() else { return (-1, []) }
        return (status?.code ?? -1, String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init))
    }

    /// What the shield finds in a new namespace after a script of `ip` commands in it; nil when the script fails.
    static func findings(after script: String) -> [String]? {
        let name = "heliograph-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"  // unseeded: a new name
        guard run("ip netns add \(name)").status == 0 else { return nil }
        defer { _ = run("ip netns delete \(name)") }
        guard run("ip netns exec \(name) sh -ec '\(script)'").status == 0 else { return nil }
        let (status, lines) = run("ip netns exec \(name) \(probe) shield")
        return status == 0 ? lines : nil
    }

    /// The interface that the scripts switch on; kernels differ in what they offer.
    static let link =
        "ip link add net0 type dummy || ip link add net0 type ifb || ip link add net0 type bridge || ip tuntap add net0 mode tun"

    @Test func theKernelsOwnAnswersAreUnderstood() throws {
        let hasNamespaces = geteuid() == 0 && Self.findings(after: "true") != nil
        guard try Requirement.isMet(hasNamespaces, "network namespaces, which need root and ip netns") else { return }
        #expect(Self.findings(after: "ip link set lo up") == [])
        #expect(Self.findings(after: "\(Self.link)") == [])
        #expect(Self.findings(after: "{ \(Self.link); }; ip link set net0 up") == ["interfaceUp(\"net0\")"])
        let routed = "{ \(Self.link); }; ip link set net0 up; ip addr add 10.9.0.1/24 dev net0; ip route add default via 10.9.0.2 onlink"
        #expect(Self.findings(after: "\(routed) dev net0") == ["interfaceUp(\"net0\")", "defaultRoute(\"net0\")"])
    }
}
