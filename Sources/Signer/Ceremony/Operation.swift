import Diagnostics
import Review
import SubstratePrimitives
import TrustStore
import Vault

/// An act of this device. All have one shape: the operation is previewed, a person or a rule says yes to
/// exactly what was shown, and a ``Session`` performs it.
///
/// Each operation is a value that names its subject (this payload, that seed), in a file of its own. Only
/// this module can make the ``CommitContext`` and the ``PreparedCommit`` that performing needs, so no other
/// code can act in its place.
public protocol Operation: Sendable {
    /// What a person must see before saying yes.
    associatedtype Shown: Sendable
    /// The result of the act. It leaves this module only inside a ``Receipt``, after the log is on the disk.
    associatedtype Outcome

    /// What may say yes without a person.
    var automation: Automation { get }

    /// Whether a person may confirm it on a device that was online and that nobody has acknowledged.
    var mayFollowOnline: Bool { get }

    /// Reads what a person must see, and changes nothing. It is called twice: with unchecked trust for the
    /// preview, and with trust checked under the seal just before the act. So its result must depend only on
    /// `view` and the operation.
    func preview(_ view: VaultView) throws -> Shown

    /// Whether a person who has seen `one` has seen `other`.
    func isSame(_ one: Shown, _ other: Shown) -> Bool

    /// Throws where the preview may be seen but not confirmed.
    func requireAllowed(_ shown: Shown) throws

    /// The rule of the owner's policy that says yes to this; nil where none does.
    func standingApproval(of shown: Shown, _ view: VaultView) throws -> StandingApproval?

    /// Why no rule does, where rules can.
    func personNeeded(for shown: Shown, _ view: VaultView) throws -> PersonNeeded?

    /// The line that a refusal leaves in the log; nil for operations whose refusal needs none.
    /// - `shown`: nil when there was nothing to show.
    func refusalEvent(_ reason: Diagnostic.Code, _ shown: Shown?) -> LogEvent?

    /// Acts, except for the changes and the lines of the log, which ``Session/perform(_:asking:)`` then
    /// commits. When it throws, nothing has changed.
    /// - `shown`: what was confirmed, read again under the seal.
    func perform(_ shown: Shown, in context: CommitContext<Self>) throws -> PreparedCommit<Outcome>
}

extension Operation {
    public var automation: Automation { .developmentVault }
    public var mayFollowOnline: Bool { false }
    public func requireAllowed(_ shown: Shown) throws {}
    public func standingApproval(of shown: Shown, _ view: VaultView) throws -> StandingApproval? { nil }
    public func personNeeded(for shown: Shown, _ view: VaultView) throws -> PersonNeeded? { nil }

    /// The error where no rule approves.
    func unapproved(_ shown: Shown, _ view: VaultView) throws -> CeremonyError {
        guard let needed = try personNeeded(for: shown, view), needed.cause != .noRules else {
            return .approveNeedsPolicy
        }
        return .noRuleApproves(needed)
    }
    public func refusalEvent(_ reason: Diagnostic.Code, _ shown: Shown?) -> LogEvent? { nil }
}

extension Operation where Shown: Equatable {
    public func isSame(_ one: Shown, _ other: Shown) -> Bool { one == other }
}

/// What may say yes in place of a person.
public enum Automation: Sendable {
    /// A development vault.
    case developmentVault
    /// A rule under `approve` of the owner's policy, or a development vault.
    case policyOrDevelopmentVault
}

/// The result of an operation before it is committed: changes of the store and of the vault file, lines of
/// the log, and the outcome for the caller.
public struct PreparedCommit<Outcome> {
    enum Commit {
        /// - Parameters:
        ///   - borrowed: networks that keys sign for this once; the store does not keep them.
        ///   - history: rows that the same transaction writes.
        ///   - vault: is made or refused together with the changes of the store.
        case change(
            [TrustChange], events: [LogEvent], borrowing: [TrustChange], history: HistoryWrite,
            vault: VaultChange?)
        case clearLog
    }

    let commit: Commit
    /// Makes the outcome, after the log has its lines.
    let finish: () throws -> Outcome
    /// The error to show if the store fails. An operation that used something up before its commit, such as a
    /// nonce, says so.
    var explained: (StoreError) -> any Error = { $0 }
    /// Uses something up that nothing puts back. It runs right before the commit, after a person's last word:
    /// a no there costs nothing. If it throws, nothing is committed.
    var usingUp: () throws -> Void = {}

    /// - Parameter afterwards: what follows the commit and must not keep the outcome back.
    init(
        _ outcome: Outcome, _ changes: [TrustChange] = [], events: [LogEvent],
        borrowing borrowed: [TrustChange] = [],
        history: HistoryWrite = HistoryWrite(), vault: VaultChange? = nil,
        afterwards: @escaping () -> Void = {}
    ) {
        commit = .change(changes, events: events, borrowing: borrowed, history: history, vault: vault)
        finish = {
            afterwards()
            return outcome
        }
    }

    init(_ outcome: Outcome, _ commit: Commit) {
        self.commit = commit
        finish = { outcome }
    }

    /// Work whose outcome is made or read only after its changes and its lines of the log are on the disk.
    init(
        _ changes: [TrustChange] = [], events: [LogEvent], borrowing borrowed: [TrustChange] = [],
        history: HistoryWrite = HistoryWrite(),
        outcomeAfterwards outcome: @escaping () throws -> Outcome
    ) {
        commit = .change(changes, events: events, borrowing: borrowed, history: history, vault: nil)
        finish = outcome
    }
}
