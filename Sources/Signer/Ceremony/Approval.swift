import Synchronization

/// A yes to exactly what one preview showed, for one act in that vault. Only ``Preview`` makes one, and ``Session/perform(_:asking:)`` takes
/// nothing else.
public struct Approval<O: Operation>: Sendable {
    let operation: O
    let shown: O.Shown
    /// Of the vault that was shown.
    let vaultID: [UInt8]
    /// Who said yes.
    public let consent: Consent
    private let use = Use()

    init(_ operation: O, _ shown: O.Shown, of vaultID: [UInt8], _ consent: Consent) {
        self.operation = operation
        self.shown = shown
        self.vaultID = vaultID
        self.consent = consent
    }

    /// Whether the act was committed. All copies of an approval are one yes.
    var isSpent: Bool { use.isSpent.withLock { $0 } }

    func spend() { use.isSpent.withLock { $0 = true } }

    private final class Use: Sendable {
        let isSpent = Mutex(false)
    }
}
