import AirGap
import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// A folder laid out like `/proc` and `/sys` of a machine.
final class Machine {
    private let directory = TemporaryDirectory()
    var root: String { directory.path }

    init() {
        file("/proc/self/net/dev", Self.heading + Self.line("lo", 100, 100))
        octets(received: 100, sent: 100)
        file(
            "/proc/self/net/route",
            "Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\tMTU\tWindow\tIRTT\n")
        file("/proc/sys/kernel/random/boot_id", "boot-one\n")
        file("/sys/class/net/lo/flags", "0x9\n")
    }

    static let heading = "Inter-|   Receive\n face |bytes\n"
    static func line(_ name: String, _ received: Int, _ sent: Int) -> String {
        "  \(name): \(received) 1 0 0 0 0 0 0 \(sent) 1 0 0 0 0 0 0\n"
    }

    func file(_ path: String, _ text: String) {
        do { try directory.write(Array(text.utf8), to: String(path.dropFirst())) } catch {
            fatalError("\(path): \(error)")
        }
    }

    func interface(_ name: String, flags: String, received: Int = 0, sent: Int = 0) {
        file("/proc/self/net/dev", Self.heading + Self.line("lo", 100, 100) + Self.line(name, received, sent))
        file("/sys/class/net/\(name)/flags", flags + "\n")
    }

    /// The counters of IP, as two of the files' many lines.
    func octets(received: UInt64, sent: UInt64) {
        file(
            "/proc/self/net/netstat",
            """
            TcpExt: SyncookiesSent InOctets
            TcpExt: 0 77
            IpExt: InNoRoutes InMcastOctets InOctets OutOctets InECT0Pkts
            IpExt: 0 3 \(received) \(sent) 9

            """)
    }

    func octetsOfVersionSix(received: UInt64, sent: UInt64) {
        file(
            "/proc/self/net/snmp6",
            "Ip6InReceives \t5\nIp6InOctets                     \t\(received)\nIp6OutOctets   \t\(sent)\n")
    }

    func remove(_ path: String) { try? FileManager.default.removeItem(atPath: path) }

    var report: ShieldReport { Shield(root: root).report() }
}

@Suite struct NetworkDetectorLaws {
    @Test func loopbackAloneIsOffline() {
        let machine = Machine()
        #expect(machine.report == ShieldReport(findings: [], traffic: [], boot: "boot-one"))
        #expect(!machine.report.isOnline)
    }

    @Test func anInterfaceThatIsUpIsOnline() {
        let machine = Machine()
        machine.interface("eth0", flags: "0x1003")
        #expect(machine.report.findings == [.interfaceUp("eth0")])
        machine.interface("eth0", flags: "0x1002")
        #expect(machine.report.findings == [])
    }

    /// Loopback is the interface of exactly this name. `lowpan0` is a radio (IEEE 802.15.4), the others are
    /// names that anyone can give.
    @Test(arguments: ["lowpan0", "lo0", "lo1", "lo.1", "low", "l", "LO", "loop", "xlo", "lo-"])
    func anInterfaceWhoseNameIsNearLoopbackIsAnInterface(name: String) {
        let machine = Machine()
        machine.interface(name, flags: "0x1003", received: 5, sent: 6)
        #expect(machine.report.findings == [.interfaceUp(name)])
        #expect(machine.report.traffic == [ShieldReport.Traffic(interface: name, received: 5, sent: 6)])
        let routes = Machine()
        let heading = "Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\tMTU\tWindow\tIRTT\n"
        routes.file(
            "/proc/self/net/route",
            heading + "\(name)\t00000000\t0100A8C0\t0003\t0\t0\t0\t00000000\t0\t0\t0\n")
        #expect(routes.report.findings == [.defaultRoute(name)])
        let sixth = Machine()
        let zero = String(repeating: "0", count: 32)
        sixth.file(
            "/proc/self/net/ipv6_route",
            "\(zero) 00 \(zero) 00 \(zero) 00000400 00000002 00000000 00000003 \(name)\n")
        #expect(sixth.report.findings == [.defaultRoute(name)])
    }

    @Test func anInterfaceThatOnlyTheSystemFolderShowsCounts() {
        let machine = Machine()
        machine.file("/sys/class/net/wlan0/flags", "0x1003\n")
        machine.file("/sys/class/net/wlan0/statistics/rx_bytes", "7\n")
        machine.file("/sys/class/net/wlan0/statistics/tx_bytes", "9\n")
        #expect(machine.report.findings == [.interfaceUp("wlan0")])
        #expect(machine.report.traffic == [ShieldReport.Traffic(interface: "wlan0", received: 7, sent: 9)])
    }

    @Test(arguments: ["", "up", "0x", "0xzz"])
    func flagsThatCannotBeReadCountAsOnline(flags: String) {
        let machine = Machine()
        machine.interface("eth0", flags: flags)
        #expect(machine.report.findings == [.undetermined("/sys/class/net/eth0/flags")])
    }

    @Test func anInterfaceWithoutFlagsCountsAsOnline() {
        let machine = Machine()
        machine.file("/proc/self/net/dev", Machine.heading + Machine.line("usb0", 0, 0))
        #expect(machine.report.findings == [.undetermined("/sys/class/net/usb0/flags")])
    }

    @Test(arguments: [
        "/proc/self/net/dev", "/sys/class/net", "/proc/self/net/route", "/proc/self/net/netstat",
    ])
    func whatCannotBeReadCountsAsOnline(path: String) {
        let machine = Machine()
        machine.remove(machine.root + path)
        #expect(machine.report.findings.contains(.undetermined(path)))
    }

    @Test(arguments: [
        "garbage\nwithout\ncolons\n", "a\nb\n eth0: 1 2 3\n",
        "a\nb\n eth0: x 1 0 0 0 0 0 0 1 1 0 0 0 0 0 0\n",
    ])
    func countersThatMakeNoSenseCountAsOnline(text: String) {
        let machine = Machine()
        machine.file("/proc/self/net/dev", text)
        #expect(machine.report.findings.contains(.undetermined("/proc/self/net/dev")))
    }

    @Test func aDefaultRouteIsOnline() {
        let machine = Machine()
        let heading = "Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\tMTU\tWindow\tIRTT\n"
        machine.file(
            "/proc/self/net/route", heading + "tun0\t0000000A\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0\n")
        #expect(machine.report.findings == [])
        machine.file(
            "/proc/self/net/route", heading + "tun0\t00000000\t0100A8C0\t0003\t0\t0\t0\t00000000\t0\t0\t0\n")
        #expect(machine.report.findings == [.defaultRoute("tun0")])
    }

    @Test func aDefaultRouteOfVersionSixIsOnline() {
        let machine = Machine()
        let zero = String(repeating: "0", count: 32)
        machine.file(
            "/proc/self/net/ipv6_route",
            "\(zero) 00 \(zero) 00 \(zero) ffffffff 00000001 00000000 00200200       lo\n")
        #expect(machine.report.findings == [])
        machine.file(
            "/proc/self/net/ipv6_route",
            "\(zero) 00 \(zero) 00 \(zero) 00000400 00000002 00000000 00000003     eth7\n")
        #expect(machine.report.findings == [.defaultRoute("eth7")])
    }

    @Test(arguments: [("0", "0", true), ("1", "0", false), ("0", "1", false), ("1", "1", false)])
    func aRadioIsOfflineOnlyWhileItIsBlocked(soft: String, hard: String, isOnline: Bool) {
        let machine = Machine()
        machine.file("/sys/class/rfkill/rfkill0/soft", soft + "\n")
        machine.file("/sys/class/rfkill/rfkill0/hard", hard + "\n")
        machine.file("/sys/class/rfkill/rfkill0/type", "wlan\n")
        machine.file("/sys/class/rfkill/rfkill0/name", "phy0\n")
        machine.file("/sys/class/ieee80211/phy0/index", "0\n")
        #expect(machine.report.findings == (isOnline ? [.radio(name: "phy0", kind: "wlan")] : []))
    }

    @Test func aRadioWithoutASwitchIsOnline() {
        let machine = Machine()
        machine.file("/sys/class/ieee80211/phy3/index", "3\n")
        #expect(machine.report.findings == [.radio(name: "phy3", kind: "wlan")])
    }

    @Test func aSwitchThatCannotBeReadCountsAsOnline() {
        let machine = Machine()
        machine.file("/sys/class/rfkill/rfkill0/soft", "1\n")
        #expect(machine.report.findings == [.undetermined("/sys/class/rfkill/rfkill0")])
        let other = Machine()
        other.file("/dev/rfkill", "")
        #expect(other.report.findings == [.undetermined("/sys/class/rfkill")])
    }

    @Test func aBluetoothAdapterIsOnlineUnlessBlocked() {
        let machine = Machine()
        machine.file("/sys/class/bluetooth/hci0/address", "")
        machine.file("/sys/class/bluetooth/hci0:1/address", "")
        #expect(machine.report.findings == [.bluetooth("hci0")])
        machine.file("/sys/class/bluetooth/hci0/rfkill1/soft", "0\n")
        #expect(machine.report.findings == [.bluetooth("hci0")])
        machine.file("/sys/class/bluetooth/hci0/rfkill1/soft", "1\n")
        #expect(machine.report.findings == [])
    }

    @Test(arguments: [(0, 0), (0, 1), (1, 0), (1, 1)])
    func anInterfaceThatOnlySentOrOnlyReceivedWasUsed(received: Int, sent: Int) {
        let machine = Machine()
        machine.interface("eth0", flags: "0x1002", received: received, sent: sent)
        let seen = ShieldReport.Traffic(interface: "eth0", received: UInt64(received), sent: UInt64(sent))
        #expect(machine.report.traffic == (received + sent == 0 ? [] : [seen]))
        let listed = Machine()
        listed.file("/sys/class/net/wlan0/flags", "0x1002\n")
        listed.file("/sys/class/net/wlan0/statistics/rx_bytes", "\(received)\n")
        listed.file("/sys/class/net/wlan0/statistics/tx_bytes", "\(sent)\n")
        let other = ShieldReport.Traffic(interface: "wlan0", received: UInt64(received), sent: UInt64(sent))
        #expect(listed.report.traffic == (received + sent == 0 ? [] : [other]))
    }

    @Test func trafficTellsThatItWasOnlineBefore() {
        let machine = Machine()
        machine.interface("eth0", flags: "0x1002", received: 5, sent: 0)
        let seen = machine.report
        #expect(!seen.isOnline)
        #expect(seen.traffic(since: nil).count == 1)
        #expect(seen.traffic(since: seen).isEmpty)
        machine.interface("eth0", flags: "0x1002", received: 5, sent: 1)
        #expect(machine.report.traffic(since: seen).count == 1)
        machine.interface("eth0", flags: "0x1002", received: 3, sent: 0)
        machine.file("/proc/sys/kernel/random/boot_id", "boot-two\n")
        #expect(machine.report.traffic(since: seen).count == 1)
    }

    private func outside(_ received: UInt64, _ sent: UInt64) -> [ShieldReport.Traffic] {
        [
            ShieldReport.Traffic(
                interface: ShieldReport.Traffic.outsideLoopback, received: received, sent: sent)
        ]
    }

    @Test func whatLoopbackDidNotCarryWentOutside() {
        let machine = Machine()
        machine.octets(received: 101, sent: 100)
        #expect(machine.report.traffic == outside(1, 0))
        machine.octets(received: 100, sent: 107)
        #expect(machine.report.traffic == outside(0, 7))
        #expect(!machine.report.isOnline)
        machine.octets(received: 60, sent: 60)
        #expect(machine.report.traffic.isEmpty)
        // Both versions together are what loopback carried.
        machine.octetsOfVersionSix(received: 40, sent: 40)
        #expect(machine.report.traffic.isEmpty)
        machine.octetsOfVersionSix(received: 41, sent: 44)
        #expect(machine.report.traffic == outside(1, 4))
        machine.octets(received: .max, sent: 0)
        #expect(machine.report.traffic == outside(.max, 0))
    }

    @Test func anAdapterThatIsGoneIsRemembered() {
        let machine = Machine()
        let atFirst = machine.report
        machine.interface("usb0", flags: "0x1003", received: 500, sent: 400)
        machine.octets(received: 600, sent: 500)
        #expect(machine.report.isOnline)
        machine.remove(machine.root + "/sys/class/net/usb0")
        machine.file("/proc/self/net/dev", Machine.heading + Machine.line("lo", 100, 100))
        let unplugged = machine.report
        #expect(!unplugged.isOnline)
        #expect(unplugged.traffic(since: atFirst) == outside(500, 400))
        // Acknowledged once, it does not come back; one more octet does.
        #expect(machine.report.traffic(since: unplugged).isEmpty)
        machine.octets(received: 601, sent: 500)
        #expect(machine.report.traffic(since: unplugged) == outside(501, 400))
        machine.file("/proc/sys/kernel/random/boot_id", "boot-two\n")
        #expect(machine.report.traffic(since: machine.report).isEmpty)
        #expect(machine.report.traffic(since: unplugged) == outside(501, 400))
    }

    @Test(arguments: [
        "", "IpExt: InOctets OutOctets\n", "IpExt: InOctets OutOctets\nIpExt: 1\n",
        "IpExt: InOctets OutOctets\nIpExt: 1 x\n",
        "IpExt: InOctets\nIpExt: 1\n", "IpExt: InOctets OutOctets\nIpExt: -1 1\n",
    ])
    func countersOfIPThatMakeNoSenseCountAsOnline(text: String) {
        let machine = Machine()
        machine.file("/proc/self/net/netstat", text)
        #expect(machine.report.findings == [.undetermined("/proc/self/net/netstat")])
    }

    @Test(arguments: [
        "", "Ip6InOctets 1\n", "Ip6OutOctets 1\n", "Ip6InOctets 1\nIp6OutOctets x\n",
        "Ip6InOctets 1 1\nIp6OutOctets 1\n",
    ])
    func countersOfVersionSixThatMakeNoSenseCountAsOnline(text: String) {
        let machine = Machine()
        machine.file("/proc/self/net/snmp6", text)
        #expect(machine.report.findings == [.undetermined("/proc/self/net/snmp6")])
    }

    @Test func aMachineWithoutANameForItsRunNeverMatches() {
        let machine = Machine()
        machine.interface("eth0", flags: "0x1002", received: 5, sent: 0)
        machine.remove(machine.root + "/proc/sys/kernel/random/boot_id")
        #expect(machine.report.traffic(since: machine.report).count == 1)
    }
}
