import Glibc
import SCALE

/// How often a wrong passphrase was given in a row, kept on disk beside the vault.
///
/// The clock of an offline machine can be wrong or be set, so only the time since the machine started counts (CLOCK_BOOTTIME, which no
/// user can set). After a restart the waiting starts again from the start of the machine, so that restarting gains nothing.
///
/// This slows a person at the keyboard. Against someone who copies the file, only the cost of Argon2id helps.
struct FailedAttempts: Equatable, Sendable {
    static let name = "attempts"
    private static let magic = Array("HELIOGAT".utf8)
    private static let length = 8 + 4 + 8

    /// Failures without a delay: people mistype.
    private static let free: UInt32 = 2
    /// Seconds; the delay doubles with each failure up to this.
    private static let longestDelay: UInt64 = 3600

    /// Wrong passphrases since the last right one.
    var count: UInt32
    /// Seconds since the start of the machine, at the last failure.
    var bootSeconds: UInt64

    static let none = FailedAttempts(count: 0, bootSeconds: 0)
    /// Assumed where the file is missing or damaged: as if this many had failed just when the machine started.
    private static let unknown = FailedAttempts(count: 8, bootSeconds: 0)

    /// Seconds to wait after `count` failures: 0, 0, 2, 4, 8, … 3600.
    static func delay(after count: UInt32) -> UInt64 {
        guard count > free else { return 0 }
        return min(longestDelay, 1 << UInt64(min(count - free, 32)))
    }

    /// Seconds that remain at `now`, in seconds since the start of the machine.
    func remainingDelay(now: UInt64) -> UInt64 {
        let delay = Self.delay(after: count)
        // A number below the stored one means that the machine was restarted since then, so at least `now` seconds have passed.
        let passed = now >= bootSeconds ? now - bootSeconds : now
        return delay > passed ? delay - passed : 0
    }

    func encoded() -> [UInt8] {
        SCALEWriter.encode { writer in
            writer.raw(Self.magic)
            writer.integer(count)
            writer.integer(bootSeconds)
        }
    }

    static func read(directory: String) throws(VaultError) -> FailedAttempts {
        let bytes: [UInt8]?
        do { bytes = try PrivateFile.read("\(directory)/\(name)", limit: length) } catch {
            guard error == .malformed("length") else { throw error }
            return unknown
        }
        guard let bytes, bytes.count == length, bytes.starts(with: magic) else { return unknown }
        let number = { (range: Range<Int>) in range.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64(bytes[$1]) } }
        return FailedAttempts(count: UInt32(number(8..<12)), bootSeconds: number(12..<20))
    }

    func write(directory: String) throws(VaultError) {
        try PrivateFile.replace(Self.name, in: directory, with: encoded())
    }

    /// Seconds since the start of the machine, sleep included.
    static func secondsSinceBoot() -> UInt64 {
        var time = timespec()
        guard clock_gettime(CLOCK_BOOTTIME, &time) == 0 else { return 0 }
        return UInt64(exactly: time.tv_sec) ?? 0
    }
}
