import Diagnostics

/// Why bytes are not the SCALE encoding of what was asked for.
public struct SCALEError: Error, Equatable, Sendable {
    /// What is wrong with the bytes.
    public enum Reason: Sendable, Equatable {
        /// The bytes end before the value does.
        case truncated(needed: Int, available: Int)
        /// Bytes remain after the last value.
        case leftover(count: Int)
        /// A compact integer is not in its shortest form.
        case compactNotShortest
        /// A compact integer is wider than the type it is read as.
        case compactTooWide(bits: Int)
        /// A boolean byte other than 0 and 1, an unknown enum index, or an option byte other than 0 and 1.
        case invalidDiscriminant(UInt8)
        case invalidUTF8
        /// A sequence announces more elements than its remaining bytes can hold.
        case countExceedsInput(count: UInt64, available: Int)
    }

    public let reason: Reason
    /// Bytes from the start of the input.
    public let offset: Int

    public init(_ reason: Reason, offset: Int) {
        self.reason = reason
        self.offset = offset
    }
}

extension SCALEError: DiagnosticError {
    public var diagnostic: Diagnostic {
        .badInput(
            "bad-encoding", Sentence.at("at byte \(offset)", reason.sentence), hint: Hints.scanAgain)
    }

    public static var examples: [SCALEError] { Reason.examples.map { SCALEError($0, offset: 12) } }
}

extension SCALEError.Reason {
    /// What is wrong, without the place.
    public var sentence: String {
        switch self {
        case .truncated(let needed, let available):
            """
            the data is truncated: \(Sentence.count(needed, "byte")) \(Sentence.be(needed)) needed and \
            \(available) \(Sentence.be(available)) left
            """
        case .leftover(let count): Sentence.leftover(count)
        case .compactNotShortest: "a compact number is not in its shortest form"
        case .compactTooWide(let bits): "a compact number does not fit in \(bits) bits"
        case .invalidDiscriminant(let byte): "byte \(Sentence.byte(byte)) is not a valid choice"
        case .invalidUTF8: "the text is not valid UTF-8"
        case .countExceedsInput(let count, let available):
            """
            \(Sentence.count(count, "element")) \(Sentence.be(count)) announced and \
            \(Sentence.count(available, "byte")) \(Sentence.be(available)) left
            """
        }
    }

    static var examples: [Self] {
        [
            .truncated(needed: 4, available: 1), .leftover(count: 1), .compactNotShortest,
            .compactTooWide(bits: 32),
            .invalidDiscriminant(9),
            .invalidUTF8, .countExceedsInput(count: 70, available: 3),
        ]
    }
}
