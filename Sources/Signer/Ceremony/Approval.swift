import Accounts
import GroupCollect
import GroupReview
import Review
import SubstratePrimitives
import Synchronization
import TrustStore
import TrustUpdates

/// A yes to exactly what one preview showed, for one act in that vault. Only ``Preview`` makes one, and
/// ``Session/perform(_:asking:)`` takes nothing else.
public struct Approval<O: Operation>: Sendable {
    let operation: O
    let shown: O.Shown
    /// The id of the vault that was shown.
    let vaultID: [UInt8]
    /// Who said yes.
    public let consent: Consent
    /// What stood on the screen beside ``shown``.
    let page: ReadPage<O>?
    /// Why only a development vault acts, where rules could have approved; nil where one did, or a person.
    public let unapproved: PersonNeeded?
    private let use = Use()

    init(_ preview: Preview<O>, _ consent: Consent, unapproved: PersonNeeded? = nil) {
        self.init(
            preview.operation, preview.shown, of: preview.vaultID, consent, page: preview.page,
            unapproved: unapproved)
    }

    init(
        _ operation: O, _ shown: O.Shown, of vaultID: [UInt8], _ consent: Consent, page: ReadPage<O>? = nil,
        unapproved: PersonNeeded? = nil
    ) {
        self.unapproved = unapproved
        self.operation = operation
        self.shown = shown
        self.vaultID = vaultID
        self.consent = consent
        self.page = page
    }

    /// Whether a person who read this approval's screen has read the screen that sealed trust gives.
    func isOf(_ sealed: O.Shown, in trust: TrustState) throws -> Bool {
        guard operation.isSame(shown, sealed) else { return false }
        return try page?.isSame(sealed, trust) ?? true
    }

    /// Whether the act was committed. All copies of an approval are one yes.
    var isSpent: Bool { use.isSpent.withLock { $0 } }

    func spend() { use.isSpent.withLock { $0 = true } }

    private final class Use: Sendable {
        let isSpent = Mutex(false)
    }
}
