import Glibc

/// How long the machine has run: a clock that nobody at the device can set.
///
/// `CLOCK_BOOTTIME` alone is not that clock. Every user can start a program in a time namespace
/// (`unshare -UrT --boottime N`), where it shows N seconds more. The kernel states those seconds in
/// `/proc/self/timens_offsets`, and this takes them off again.
public enum BootClock {
    /// Whole seconds since the start of the machine, sleep included; nil where the kernel does not say what a
    /// time namespace adds.
    public static func seconds() -> UInt64? {
        var time = timespec()
        guard clock_gettime(CLOCK_BOOTTIME, &time) == 0 else { return nil }
        // The file states the offsets for the children of a program. They are its own only while both are in
        // one namespace.
        let (own, children) = (link("/proc/self/ns/time"), link("/proc/self/ns/time_for_children"))
        let offsets: [UInt8]?
        do throws(SystemError) {
            offsets = try OwnedDescriptor("/proc/self/timens_offsets", O_RDONLY).readAll(limit: 4096)
        } catch {
            // A kernel without time namespaces has neither the file nor the links.
            guard error.errno == ENOENT, own == nil, children == nil else { return nil }
            return UInt64(exactly: time.tv_sec)
        }
        guard let offsets, let own, own == children else { return nil }
        return seconds(shown: (Int64(time.tv_sec), Int64(time.tv_nsec)), offsets: offsets)
    }

    /// - Parameters:
    ///   - shown: seconds and nanoseconds of the clock.
    ///   - offsets: lines of a clock's name, seconds and nanoseconds, which may be negative.
    /// - Returns: nil for a text without exactly one offset of the clock, and for an offset that is more than
    ///   what the clock shows.
    static func seconds(shown: (Int64, Int64), offsets: [UInt8]) -> UInt64? {
        let lines = offsets.split(separator: UInt8(ascii: "\n")).map { line in
            line.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        }
        let found = lines.filter { $0.first?.elementsEqual("boottime".utf8) == true }
        guard found.count == 1, found[0].count == 3,
            let seconds = Int64(String(decoding: found[0][1], as: UTF8.self)),
            let nanoseconds = Int64(String(decoding: found[0][2], as: UTF8.self))
        else { return nil }
        let second: Int128 = 1_000_000_000
        let left =
            Int128(shown.0) * second + Int128(shown.1) - (Int128(seconds) * second + Int128(nanoseconds))
        return left < 0 ? nil : UInt64(exactly: left / second)
    }

    /// What a link of the kernel names, such as `time:[4026531834]`.
    private static func link(_ path: String) -> [UInt8]? {
        var bytes = [CChar](repeating: 0, count: 128)
        let count = readlink(path, &bytes, bytes.count)
        return count > 0 && count < bytes.count ? bytes.prefix(count).map { UInt8(bitPattern: $0) } : nil
    }
}
