import Diagnostics

extension SCALEError: DiagnosticError {
    public enum Code: String, CaseIterable, Sendable { case badEncoding = "bad-encoding" }

    public var code: Code { .badEncoding }
    public var sentence: String { Sentence.at("at byte \(offset)", reason.sentence) }

    public static var examples: [SCALEError] { Reason.examples.map { SCALEError($0, offset: 12) } }
}

extension SCALEError.Reason {
    /// What is wrong, without the place.
    public var sentence: String {
        switch self {
        case .truncated(let needed, let available):
            "the data is truncated: \(Sentence.count(needed, "byte")) \(Sentence.be(needed)) needed and \(available) \(Sentence.be(available)) left"
        case .leftover(let count): Sentence.leftover(count)
        case .compactNotShortest: "a compact number is not in its shortest form"
        case .compactTooWide(let bits): "a compact number does not fit in \(bits) bits"
        case .invalidDiscriminant(let byte): "byte \(Sentence.byte(byte)) is not a valid choice"
        case .invalidUTF8: "the text is not valid UTF-8"
        case .countExceedsInput(let count, let available):
            "\(Sentence.count(count, "element")) \(Sentence.be(count)) announced and \(Sentence.count(available, "byte")) \(Sentence.be(available)) left"
        }
    }

    static var examples: [Self] {
        [
            .truncated(needed: 4, available: 1), .leftover(count: 1), .compactNotShortest, .compactTooWide(bits: 32),
            .invalidDiscriminant(9),
            .invalidUTF8, .countExceedsInput(count: 70, available: 3),
        ]
    }
}
