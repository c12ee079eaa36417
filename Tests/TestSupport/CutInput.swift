public import SCALE

extension SCALEError {
    /// Whether the bytes end before the value does: the one reason why a proper prefix may be refused.
    public var saysCut: Bool { reason.saysCut }
}

extension SCALEError.Reason {
    /// As ``SCALEError/saysCut``, for errors that carry the reason alone.
    public var saysCut: Bool {
        switch self {
        case .truncated, .countExceedsInput: true
        case .leftover, .compactNotShortest, .compactTooWide, .invalidDiscriminant, .invalidUTF8: false
        }
    }
}
