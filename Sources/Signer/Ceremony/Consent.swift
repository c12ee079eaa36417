/// Who said yes.
public enum Consent: Sendable, Equatable {
    case person
}
