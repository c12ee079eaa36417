import Diagnostics
import SCALE

/// How long a transaction may be included.
public enum Era: Sendable, Equatable {
    case immortal
    case mortal(MortalEra)

    /// Why bytes are not an era.
    public enum Failure: Error, Equatable, Sendable {
        case invalid(UInt16)
    }

    /// Reads one byte `00`, or two bytes; see ``MortalEra``.
    public init(from reader: inout SCALEReader) throws {
        let first = try reader.u8()
        if first == 0 {
            self = .immortal
            return
        }
        let value = UInt16(first) | UInt16(try reader.u8()) << 8
        guard let era = MortalEra(encoded: value) else { throw Failure.invalid(value) }
        self = .mortal(era)
    }

    public func encode(into writer: inout SCALEWriter) {
        switch self {
        case .immortal: writer.u8(0)
        case .mortal(let era): writer.integer(era.encoded)
        }
    }
}

/// A window of blocks: `period` in blocks, a power of two 4…65536; `phase` where the window starts, below the
/// period.
public struct MortalEra: Sendable, Equatable {
    public let period: UInt32
    public let phase: UInt32

    /// In blocks.
    public static let longestPeriod: UInt32 = 65536

    /// nil unless the period is a power of two 4…65536 and the phase below it is a multiple of the quantum
    /// `max(period >> 12, 1)`.
    public init?(period: UInt32, phase: UInt32) {
        guard (4...Self.longestPeriod).contains(period), period.nonzeroBitCount == 1, phase < period,
            phase.isMultiple(of: max(period >> 12, 1))
        else {
            return nil
        }
        self.period = period
        self.phase = phase
    }

    init?(encoded value: UInt16) {
        let period = UInt32(2) << UInt32(value & 0xf)
        self.init(period: period, phase: UInt32(value >> 4) * max(period >> 12, 1))
    }

    var encoded: UInt16 {
        let quantum = max(period >> 12, 1)
        return UInt16(period.trailingZeroBitCount - 1) | UInt16(phase / quantum) << 4
    }
}

extension MortalEra {
    /// `phase 27, period 64`, as a person reads it.
    public var text: String { "phase \(phase), period \(period)" }

    /// nil for any other text.
    public init?(text: String) {
        let numbers = text.utf8.split { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.compactMap {
            UInt32(String($0) ?? "")
        }
        guard numbers.count == 2, let era = MortalEra(period: numbers[1], phase: numbers[0]),
            era.text.utf8Equals(text)
        else {
            return nil
        }
        self = era
    }
}

extension Era.Failure: DiagnosticError {
    public var diagnostic: Diagnostic {
        switch self {
        case .invalid(let value):
            .badInput(
                "bad-era",
                "the bytes \(Sentence.byte(UInt8(value & 0xff))) \(Sentence.byte(UInt8(value >> 8))) "
                    + "are not a valid era", hint: Hints.makeAgain)
        }
    }

    public static var examples: [Self] { [.invalid(0x0001)] }
}
