import Glibc
import SCALE
import SubstratePrimitives
import SystemIO

/// The present start of the machine, and how long ago it was.
public struct BootReading: Sendable, Equatable {
    /// The kernel's random id of this start. Empty if the kernel gives none: then the start cannot be
    /// recognized.
    public let id: [UInt8]
    /// Since the start of the machine, sleep included, as `BootClock` has it: no user can set it.
    public let seconds: UInt64

    public init(id: [UInt8], seconds: UInt64) { (self.id, self.seconds) = (id, seconds) }

    /// The reading of this machine's clock now.
    public static func system() -> BootReading {
        guard let seconds = BootClock.seconds(),
            let id = try? OwnedDescriptor("/proc/sys/kernel/random/boot_id", O_RDONLY).readAll(limit: 256)
        else { return BootReading(id: [], seconds: 0) }
        return BootReading(id: id.filter { $0 > UInt8(ascii: " ") }, seconds: seconds)
    }
}

/// The clocks of this device at one moment.
public struct ClockReading: Sendable, Equatable {
    /// Seconds since 1970 by the wall clock, which anybody at the device can set.
    public let wall: UInt64
    public let boot: BootReading

    public init(wall: UInt64, boot: BootReading) { (self.wall, self.boot) = (wall, boot) }
}

/// The time by which budgets count. It is sealed with each commit, and nothing from the online side moves it.
///
/// ### Rule
///
/// - Until the machine is restarted, time advances by its monotonic clock, whatever the wall clock says.
/// - After a restart it advances at least by how long the machine has been running, because the restart came
///   after the stored moment. Otherwise it advances to the wall clock, if that is at most ``longestJump``
///   ahead. It never goes back.
/// - A wall clock that is further ahead is a jump: time stays, so that nothing is freed, until a person
///   confirms the date with the passphrase (``corrected(to:at:)``). That also corrects a jump that was wrong.
///
/// ### What a correction does to what was counted before
///
/// Each sum is counted at the believed time. While time is unsure, the believed time is too early, and
/// confirming a later date must not make the sum look old: sums of the unsure time count as of the confirmed
/// date. After a correction back, sums of a later time than the confirmed one count as of the confirmed one,
/// because they were signed before the correction. So each count is stored with its ``era``, which grows each
/// time that time becomes unsure and with each correction, and ``settled(_:era:)`` applies the corrections
/// that followed.
public struct VaultTime: Sendable, Equatable {
    /// Seconds that the wall clock may be ahead after a start without a person's word.
    public static let longestJump: UInt64 = 86_400
    /// The number of kept corrections. Each needs the passphrase; older ones have long been applied to
    /// everything counted before them.
    static let correctionLimit = 32

    struct Correction: Sendable, Equatable {
        /// The era that it began.
        let era: UInt32
        /// The first era of the unsure time that it ended; nil where time was sure.
        let unsureFrom: UInt32?
        /// What time was before, and what it became.
        let from: UInt64
        let to: UInt64
    }

    /// A moment and its era.
    struct Mark: Sendable, Equatable {
        let seconds: UInt64
        let era: UInt32
    }

    /// Seconds since 1970.
    public private(set) var seconds: UInt64
    private var boot: BootReading
    /// The era in which the time became unsure; nil while the wall clock confirms the time, or while the
    /// machine has not been started again.
    private var unsureFrom: UInt32?
    /// The era of everything counted from now on.
    public private(set) var era: UInt32 = 0
    /// The newest, oldest first.
    private var corrections: [Correction] = []
    private var restored: Mark?

    /// The first time of a store.
    public init(_ reading: ClockReading) { (seconds, boot) = (reading.wall, reading.boot) }

    /// The time at a later reading of the clocks.
    public func advanced(to reading: ClockReading) -> VaultTime {
        var time = self
        time.boot = reading.boot
        if !boot.id.isEmpty, boot.id == reading.boot.id {
            let passed = reading.boot.seconds >= boot.seconds ? reading.boot.seconds - boot.seconds : 0
            time.seconds = seconds.addingSaturating(passed)
            // A clock that stepped back during this start must not count the same seconds again.
            time.boot = BootReading(id: boot.id, seconds: max(boot.seconds, reading.boot.seconds))
            return time
        }
        // If an id is missing, the machine may not have started again, and its seconds are counted already.
        // Hiding the id from one command must not make the next one count them twice.
        let isAnotherStart = !boot.id.isEmpty && !reading.boot.id.isEmpty
        let minimum = seconds.addingSaturating(isAnotherStart ? reading.boot.seconds : 0)
        if reading.wall >= minimum, reading.wall - minimum <= Self.longestJump {
            (time.seconds, time.unsureFrom) = (reading.wall, nil)
        } else {
            time.seconds = minimum
            if unsureFrom == nil {
                time.era = era.addingSaturating(1)
                time.unsureFrom = time.era
            }
        }
        return time
    }

    /// The wall clock where it is too far ahead to be believed; nil else.
    public func jump(at reading: ClockReading) -> UInt64? {
        guard unsureFrom != nil, reading.wall > seconds, reading.wall - seconds > Self.longestJump else {
            return nil
        }
        return reading.wall
    }

    /// The time that a person confirmed.
    public func corrected(to date: UInt64, at reading: ClockReading) -> VaultTime {
        var time = advanced(to: reading)
        time.era = time.era.addingSaturating(1)
        time.corrections.append(
            Correction(era: time.era, unsureFrom: time.unsureFrom, from: time.seconds, to: date))
        time.corrections.removeFirst(max(0, time.corrections.count - Self.correctionLimit))
        (time.seconds, time.unsureFrom) = (date, nil)
        return time
    }

    /// The time of a store that may lack signatures: from a backup, or made anew beside existing seeds.
    public func restored(at reading: ClockReading) -> VaultTime {
        var time = advanced(to: reading)
        time.restored = Mark(seconds: time.seconds, era: time.era)
        return time
    }

    /// When something was counted, as it looks after the corrections since its era, and the era from which on
    /// others apply to it.
    public func settled(_ counted: UInt64, era: UInt32) -> (time: UInt64, era: UInt32) {
        var (time, last) = (counted, era)
        for correction in corrections where correction.era > era {
            if correction.to < correction.from {
                time = min(time, correction.to)
            } else if let unsure = correction.unsureFrom, era >= unsure {
                time = max(time, correction.to)
            }
            last = correction.era
        }
        return (time, last)
    }

    /// Until when everything counts as spent within a time of so many seconds; nil where it does not.
    public func restoredUntil(window: UInt64) -> UInt64? {
        guard let restored else { return nil }
        let until = settled(restored.seconds, era: restored.era).time.addingSaturating(window)
        return until > seconds ? until : nil
    }
}

/// Vault time at one reading of the clocks.
public struct VaultMoment: Sendable, Equatable {
    public let time: VaultTime
    /// The wall clock where it is too far ahead to be believed; nil else.
    public let jump: UInt64?

    public init(_ time: VaultTime, at reading: ClockReading) {
        (self.time, jump) = (time, time.jump(at: reading))
    }

    public init(_ state: TrustState, at reading: ClockReading) {
        self.init(VaultTime(state, at: reading), at: reading)
    }
}

extension VaultTime {
    /// SCALE, fields in this order: seconds u64, boot id bytes, boot seconds u64, unsure from Option<u32>,
    /// era u32, corrections Vec of era u32, unsure from Option<u32>, from u64 and to u64, restored Option of
    /// seconds u64 and era u32.
    public var encoded: [UInt8] {
        SCALEWriter.encode { writer in
            writer.integer(seconds)
            writer.byteVector(boot.id)
            writer.integer(boot.seconds)
            writer.option(unsureFrom) { $0.integer($1) }
            writer.integer(era)
            writer.vector(corrections) { writer, correction in
                writer.integer(correction.era)
                writer.option(correction.unsureFrom) { $0.integer($1) }
                writer.integer(correction.from)
                writer.integer(correction.to)
            }
            writer.option(restored) { writer, mark in
                writer.integer(mark.seconds)
                writer.integer(mark.era)
            }
        }
    }

    /// nil for bytes that are not such a value.
    public init?(_ encoded: [UInt8]) {
        var reader = SCALEReader(encoded)
        do throws(SCALEError) {
            self = try VaultTime(from: &reader)
            try reader.finish()
        } catch {
            return nil
        }
    }

    private init(from reader: inout SCALEReader) throws(SCALEError) {
        seconds = try reader.integer()
        boot = BootReading(id: try reader.byteVector(), seconds: try reader.integer())
        unsureFrom = try reader.option { reader throws(SCALEError) in try reader.integer(UInt32.self) }
        era = try reader.integer()
        corrections = try reader.vector(minimumElementSize: 21) { reader throws(SCALEError) in
            Correction(
                era: try reader.integer(),
                unsureFrom: try reader.option { reader throws(SCALEError) in try reader.integer(UInt32.self)
                },
                from: try reader.integer(), to: try reader.integer())
        }
        restored = try reader.option { reader throws(SCALEError) in
            Mark(seconds: try reader.integer(), era: try reader.integer())
        }
    }

    /// The time of a store at a reading of the clocks. A store without one, of a former program, starts at
    /// the wall clock.
    public init(_ state: TrustState, at reading: ClockReading) {
        guard let stored = state.settings[StoreSetting.vaultTime] else {
            self.init(reading)
            return
        }
        // The seal proves the bytes, so they are unreadable only by a mistake of another program. Then
        // nothing is known, as after a restore.
        self = VaultTime(stored)?.advanced(to: reading) ?? VaultTime(reading).restored(at: reading)
    }

    /// The change that seals it, in place of the time that each commit seals.
    public var change: TrustChange { .putSetting(StoreSetting.vaultTime, encoded) }
}
