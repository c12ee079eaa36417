import SCALE
import SystemIO

/// How often a wrong passphrase was given in a row, kept on disk beside the vault.
///
/// The clock of an offline machine can be wrong or be set, so only the time since the machine started counts
/// (`BootClock`, which no user can set, not even in a time namespace). After a restart the waiting starts
/// again from the start of the machine, so that restarting gains nothing.
///
/// This slows a person at the keyboard. Against someone who copies the file, only the cost of Argon2id helps.
/// The file cannot be authenticated, because it is written before the passphrase is known to be right. So its
/// ``sequence`` is sealed in the trust store. A file that is missing, or older than the sealed sequence,
/// counts as tampering: it costs the longest delay and leaves a line in the log. Whoever can write to the
/// directory can still forge a newer file with a count of 0.
///
/// SCALE, fields in this order: `HELIOGA2`, count u32, boot seconds u64, sequence u64, suspicions u8.
struct FailedAttempts: Equatable, Sendable {
    static let name = "attempts"
    private static let magic = Array("HELIOGA2".utf8)
    private static let length = 8 + 4 + 8 + 8 + 1

    /// Failures without a delay: people mistype.
    private static let free: UInt32 = 2
    /// Seconds; the delay doubles with each failure up to this.
    static let longestDelay: UInt64 = 3600
    /// The first count with the longest delay: 2 + log2(3600), rounded up.
    static let countOfLongestDelay: UInt32 = 14

    /// Wrong passphrases since the last right one.
    var count: UInt32
    /// Seconds since the start of the machine, at the last failure.
    var bootSeconds: UInt64
    /// Grows by one each time that this file is written.
    var sequence: UInt64
    /// Files whose tampering was already reported, so their delay runs or has run. The next right passphrase
    /// opens the vault and writes the tampering to the log.
    var suspicions: Suspicions = []

    /// Files beside the vault that were missing or put back.
    struct Suspicions: OptionSet, Sendable {
        let rawValue: UInt8
        static let attempts = Suspicions(rawValue: 1 << 0)
        static let journal = Suspicions(rawValue: 1 << 1)
        /// The count was raised for the longest delay, whatever was tried.
        static let delay = Suspicions(rawValue: 1 << 2)

        init(rawValue: UInt8) { self.rawValue = rawValue }

        init(_ file: VaultError.Companion) {
            self =
                switch file {
                case .attempts: .attempts
                case .journal: .journal
                }
        }
    }

    static let none = FailedAttempts(count: 0, bootSeconds: 0, sequence: 1)

    /// Seconds to wait after `count` failures: 0, 0, 2, 4, 8, … 3600.
    static func delay(after count: UInt32) -> UInt64 {
        guard count > free else { return 0 }
        return min(longestDelay, 1 << UInt64(min(count - free, 32)))
    }

    /// Seconds that remain at `now`, in seconds since the start of the machine.
    func remainingDelay(now: UInt64) -> UInt64 {
        let delay = Self.delay(after: count)
        // A number below the stored one means that the machine was restarted since then, so at least `now`
        // seconds have passed.
        let passed = now >= bootSeconds ? now - bootSeconds : now
        return delay > passed ? delay - passed : 0
    }

    /// What is written next: a new count at this moment.
    func next(count: UInt32, now: UInt64) -> FailedAttempts {
        FailedAttempts(
            count: count, bootSeconds: now, sequence: sequence == .max ? .max : sequence + 1,
            suspicions: suspicions)
    }

    func encoded() -> [UInt8] {
        SCALEWriter.encode { writer in
            writer.raw(Self.magic)
            writer.integer(count)
            writer.integer(bootSeconds)
            writer.integer(sequence)
            writer.u8(suspicions.rawValue)
        }
    }

    /// nil where the file is missing, damaged, or of another layout.
    static func read(directory: String) throws(VaultError) -> FailedAttempts? {
        let bytes: [UInt8]?
        do { bytes = try PrivateFile.read("\(directory)/\(name)", limit: length) } catch {
            guard error == .malformed("length") else { throw error }
            return nil
        }
        guard let bytes else { return nil }
        guard bytes.count == length, bytes.starts(with: magic) else { return nil }
        var reader = SCALEReader(bytes, range: magic.count..<bytes.count)
        guard let count = try? reader.integer(UInt32.self), let boot = try? reader.integer(UInt64.self),
            let sequence = try? reader.integer(UInt64.self), let suspicions = try? reader.u8()
        else { return nil }
        return FailedAttempts(
            count: count, bootSeconds: boot, sequence: sequence, suspicions: Suspicions(rawValue: suspicions))
    }

    func write(directory: String) throws(VaultError) {
        try PrivateFile.replace(Self.name, in: directory, with: encoded())
    }

    /// Seconds since the start of the machine, sleep included. 0 where they are unknown: no part of a delay
    /// has passed then.
    static func secondsSinceBoot() -> UInt64 { BootClock.seconds() ?? 0 }
}
