import Glibc
import SystemIO

/// Reads from `/proc` and `/sys` whether this machine is connected to anything. Opens no socket.
///
/// Interfaces are taken from both places: in another network namespace `/sys` may show the namespace in which
/// it was mounted, and an interface that is on there is a connection of the same machine.
///
/// An adapter that was used and unplugged between two commands is gone from both places, with its counters.
/// Until the next boot the network namespace still counts all octets of IP, whichever adapter carried them:
/// what loopback did not carry went outside (``ShieldReport/Traffic/outsideLoopback``). Promised: until the
/// machine is started again, an IP packet is noticed even if the adapter that received it is gone. Not
/// promised: frames that are not IP (ARP, a hub's own protocol), other network namespaces, and programs that
/// send without the kernel's IP (packet sockets). Octets sent are compared too, but loopback may count some
/// that IP does not, so a few octets that were only sent can stay unnoticed. After a restart nothing is known
/// of the time before. Sources: Linux
/// Documentation/ABI/testing/sysfs-class-net, sysfs-class-rfkill, sysfs-class-bluetooth; proc(5).
public struct Shield: Sendable {
    /// IFF_UP of linux/if.h
    private static let interfaceIsUp: UInt64 = 1
    /// The maximum bytes of one of these files; a longer one counts as unreadable.
    private static let maximumFile = 1 << 20

    private let root: String

    /// - Parameter root: a folder in place of `/`; tests make one.
    public init(root: String = "") { self.root = root }

    public func report() -> ShieldReport {
        var findings: [ShieldReport.Finding] = []
        var traffic: [ShieldReport.Traffic] = []
        let counters = readCounters()
        if counters == nil { findings.append(.undetermined("/proc/self/net/dev")) }
        let listed = names("/sys/class/net")
        if listed == nil { findings.append(.undetermined("/sys/class/net")) }
        for name in Set((counters ?? [:]).keys).union(listed ?? []).sorted()
        where name != "lo" && !isBondingControl(name) {
            if let finding = state(of: name) { findings.append(finding) }
            if let seen = counters?[name] ?? statistics(name), seen.received > 0 || seen.sent > 0 {
                traffic.append(seen)
            }
        }
        switch outsideLoopback() {
        case .success(let octets): if octets.received > 0 || octets.sent > 0 { traffic.append(octets) }
        case .failure(let unread): findings.append(.undetermined(unread.path))
        }
        findings += defaultRoutes() + radios() + bluetooth()
        let boot = read("/proc/sys/kernel/random/boot_id").map(trimmed) ?? ""
        return ShieldReport(findings: findings, traffic: traffic, boot: boot)
    }

    // MARK: Interfaces

    /// `/sys/class/net/bonding_masters` is a file of settings among the interfaces.
    private func isBondingControl(_ name: String) -> Bool { name == "bonding_masters" }

    private func state(of name: String) -> ShieldReport.Finding? {
        let path = "/sys/class/net/\(name)/flags"
        guard let text = read(path).map(trimmed), text.hasPrefix("0x"),
            let flags = UInt64(text.dropFirst(2), radix: 16)
        else {
            return .undetermined(path)
        }
        return flags & Self.interfaceIsUp != 0 ? .interfaceUp(name) : nil
    }

    /// Lines of `/proc/self/net/dev` after two of headings: name, colon, 8 numbers received, 8 sent; bytes
    /// are the first of each.
    private func readCounters() -> [String: ShieldReport.Traffic]? {
        guard let text = read("/proc/self/net/dev") else { return nil }
        var all: [String: ShieldReport.Traffic] = [:]
        for line in lines(text).dropFirst(2) {
            guard let colon = line.lastIndex(of: UInt8(ascii: ":")) else { return nil }
            let name = String(Substring(line[..<colon].drop { $0 == UInt8(ascii: " ") }))
            let numbers = words(line[line.index(after: colon)...])
            guard numbers.count >= 16, let received = number(numbers[0]), let sent = number(numbers[8]) else {
                return nil
            }
            all[name] = ShieldReport.Traffic(interface: name, received: received, sent: sent)
        }
        return all
    }

    // MARK: What went outside

    private struct Unread: Error { let path: String }

    /// Octets of IP beyond those that loopback carried. Loopback counts the same octets as IP, without a
    /// header of its own, once as received and once as sent.
    ///
    /// The files are read one after another: IP's first, so that what loopback carries meanwhile only lowers
    /// the difference. A packet that was counted by IP and not yet by loopback is counted by both a moment
    /// later, so a difference is read twice and the lower one counts.
    private func outsideLoopback() -> Result<ShieldReport.Traffic, Unread> {
        Result { () throws(Unread) in
            let first = try octetsBeyondLoopback()
            guard first.received > 0 || first.sent > 0 else { return first }
            let second = try octetsBeyondLoopback()
            return ShieldReport.Traffic(
                interface: first.interface, received: min(first.received, second.received),
                sent: min(first.sent, second.sent))
        }
    }

    private func octetsBeyondLoopback() throws(Unread) -> ShieldReport.Traffic {
        let four = try octetsOfVersionFour()
        let six = try octetsOfVersionSix()
        // Unreadable counters are a finding of their own.
        let loopback = readCounters()?["lo"]
        func beyond(_ four: UInt64, _ six: UInt64, _ loopback: UInt64) -> UInt64 {
            let sum = four.addingReportingOverflow(six)
            return sum.overflow ? .max : sum.partialValue - min(sum.partialValue, loopback)
        }
        return ShieldReport.Traffic(
            interface: ShieldReport.Traffic.outsideLoopback,
            received: beyond(four.received, six.received, loopback?.received ?? 0),
            sent: beyond(four.sent, six.sent, loopback?.sent ?? 0))
    }

    /// Two lines of `/proc/self/net/netstat` begin with `IpExt:`: the names, then their numbers.
    private func octetsOfVersionFour() throws(Unread) -> (received: UInt64, sent: UInt64) {
        let path = "/proc/self/net/netstat"
        let lines = lines(read(path) ?? "").filter { $0.starts(with: "IpExt:".utf8) }.map(words)
        guard lines.count == 2, lines[0].count == lines[1].count else { throw Unread(path: path) }
        func counter(_ name: String) -> UInt64? {
            lines[0].firstIndex { $0.elementsEqual(name.utf8) }.flatMap { number(lines[1][$0]) }
        }
        guard let received = counter("InOctets"), let sent = counter("OutOctets") else {
            throw Unread(path: path)
        }
        return (received, sent)
    }

    /// Lines of a name and a number. A kernel without IPv6 has no such file.
    private func octetsOfVersionSix() throws(Unread) -> (received: UInt64, sent: UInt64) {
        let path = "/proc/self/net/snmp6"
        guard exists(path) else { return (0, 0) }
        let counters = lines(read(path) ?? "")
        func counter(_ name: String) -> UInt64? {
            let named = counters.lazy.filter { $0.starts(with: name.utf8) }.map(words)
            guard let pair = named.first(where: { $0.count == 2 && $0[0].elementsEqual(name.utf8) }) else {
                return nil
            }
            return number(pair[1])
        }
        guard let received = counter("Ip6InOctets"), let sent = counter("Ip6OutOctets") else {
            throw Unread(path: path)
        }
        return (received, sent)
    }

    private func statistics(_ name: String) -> ShieldReport.Traffic? {
        let folder = "/sys/class/net/\(name)/statistics"
        guard let received = number("\(folder)/rx_bytes"), let sent = number("\(folder)/tx_bytes") else {
            return nil
        }
        return ShieldReport.Traffic(interface: name, received: received, sent: sent)
    }

    // MARK: Routes

    private func defaultRoutes() -> [ShieldReport.Finding] {
        var interfaces: Set<String> = []
        var findings: [ShieldReport.Finding] = []
        if let text = read("/proc/self/net/route") {
            // Interface, destination, gateway, flags, three counters, mask; addresses as 8 hex digits.
            for line in lines(text).dropFirst() {
                let fields = words(line).map { String(Substring($0)) }
                guard fields.count >= 8 else { continue }
                if fields[1] == "00000000", fields[7] == "00000000", fields[0] != "lo" {
                    interfaces.insert(fields[0])
                }
            }
        } else {
            findings.append(.undetermined("/proc/self/net/route"))
        }
        // A kernel without IPv6 has no such file.
        for line in lines(read("/proc/self/net/ipv6_route") ?? "") {
            let fields = words(line).map { String(Substring($0)) }
            guard fields.count >= 10, fields[0].utf8.allSatisfy({ $0 == UInt8(ascii: "0") }),
                fields[1] == "00", fields[9] != "lo"
            else {
                continue
            }
            interfaces.insert(fields[9])
        }
        return findings + interfaces.sorted().map { .defaultRoute($0) }
    }

    // MARK: Radios

    private func radios() -> [ShieldReport.Finding] {
        var findings: [ShieldReport.Finding] = []
        let switches = names("/sys/class/rfkill")
        if switches == nil, exists("/sys/class/rfkill") || exists("/dev/rfkill") {
            findings.append(.undetermined("/sys/class/rfkill"))
        }
        var blockedPhys: Set<String> = []
        for name in (switches ?? []).sorted() {
            let folder = "/sys/class/rfkill/\(name)"
            guard let soft = number("\(folder)/soft"), let hard = number("\(folder)/hard"),
                let kind = read("\(folder)/type").map(trimmed)
            else {
                findings.append(.undetermined(folder))
                continue
            }
            let label = read("\(folder)/name").map(trimmed) ?? name
            if soft == 0, hard == 0 {
                findings.append(kind == "bluetooth" ? .bluetooth(label) : .radio(name: label, kind: kind))
            } else {
                blockedPhys.insert(label)
            }
        }
        let known = Set(findings.compactMap { if case .radio(let name, _) = $0 { name } else { nil } }).union(
            blockedPhys)
        // A wireless device that rfkill does not know cannot be blocked by it.
        for name in (names("/sys/class/ieee80211") ?? []).sorted() where !known.contains(name) {
            findings.append(.radio(name: name, kind: "wlan"))
        }
        return findings
    }

    private func bluetooth() -> [ShieldReport.Finding] {
        guard let adapters = names("/sys/class/bluetooth") else {
            return exists("/sys/class/bluetooth") ? [.undetermined("/sys/class/bluetooth")] : []
        }
        // `hci0` is an adapter; `hci0:1` is one of its connections.
        return adapters.sorted().filter { !$0.contains(":") && !isBlocked(bluetooth: $0) }.map {
            .bluetooth($0)
        }
    }

    private func isBlocked(bluetooth adapter: String) -> Bool {
        let folder = "/sys/class/bluetooth/\(adapter)"
        let switches = (names(folder) ?? []).filter { $0.hasPrefix("rfkill") }
        return switches.contains { name in
            let soft = number("\(folder)/\(name)/soft")
            let hard = number("\(folder)/\(name)/hard")
            return soft == 1 || hard == 1
        }
    }

    // MARK: Files

    // The kernel's tables are split as bytes: in characters that takes as long as to decode a transaction.
    private func lines(_ text: String) -> [Substring.UTF8View] {
        text.utf8.split(separator: UInt8(ascii: "\n"))
    }

    private func words(_ line: Substring.UTF8View) -> [Substring.UTF8View] {
        line.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    }

    private func number(_ word: Substring.UTF8View) -> UInt64? { UInt64(Substring(word)) }

    private func exists(_ path: String) -> Bool { access(root + path, F_OK) == 0 }

    private func number(_ path: String) -> UInt64? { read(path).map(trimmed).flatMap { UInt64($0) } }

    private func trimmed(_ text: String) -> String { String(text.filter { $0 != "\n" && $0 != " " }) }

    private func read(_ path: String) -> String? {
        guard let bytes = try? OwnedDescriptor(root + path, O_RDONLY).readAll(limit: Self.maximumFile) else {
            return nil
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// Names in a folder; nil when it cannot be read.
    private func names(_ path: String) -> [String]? { try? Directory.names(root + path) }
}
