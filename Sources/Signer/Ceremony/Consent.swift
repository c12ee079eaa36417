import Synchronization

/// Who said yes.
public enum Consent: Sendable, Equatable {
    /// A person who saw the preview and answered, or who typed the command that means exactly this. Nothing can repeat a person's yes, so it is
    /// carried from the preview to the act.
    case person
    /// A rule under `approve` of the owner's policy. It is looked up again under the seal, just before the act.
    case policy
    /// A vault for tests. That it is one is proven again by the unlocked vault.
    case developmentVault
}

/// A yes to exactly what one preview showed, for one act in that vault. Only ``Preview`` makes one, and ``Session/perform(_:asking:)`` takes
/// nothing else.
public struct Approval<O: Operation>: Sendable {
    let operation: O
    let shown: O.Shown
    /// Of the vault that was shown.
    let vaultID: [UInt8]
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

/// What an act gave, after its changes and its lines of the log are on the disk. Only ``Session/perform(_:asking:)`` makes one.
public struct Receipt<Outcome> {
    public let outcome: Outcome
    public let consent: Consent

    init(_ outcome: Outcome, _ consent: Consent) {
        self.outcome = outcome
        self.consent = consent
    }
}
