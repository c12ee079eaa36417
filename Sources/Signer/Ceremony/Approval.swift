/// A yes to exactly what one preview showed. Only ``Preview`` makes one, and ``Session/perform(_:asking:)`` takes nothing else.
public struct Approval<O: Operation>: Sendable {
    let operation: O
    let shown: O.Shown
    public let consent: Consent

    init(_ operation: O, _ shown: O.Shown, _ consent: Consent) {
        self.operation = operation
        self.shown = shown
        self.consent = consent
    }
}
