import Diagnostics
import SubstratePrimitives
import TrustStore

/// What a person can read. Two of them are the same to a person only if their texts have the same bytes.
public protocol Legible: SendableMetatype {
    /// Every character that stands on the screen.
    var legible: String { get }
}

extension String: Legible {
    public var legible: String { self }
}

extension Optional: Legible where Wrapped: Legible {
    public var legible: String { map(\.legible) ?? "" }
}

extension Array: Legible where Element: Legible {
    public var legible: String { map(\.legible).joined(separator: "\n") }
}

/// The text of a screen above a question, with what makes it.
///
/// A sentence like "signed by the built-in verifier" depends on more of the store than the operation changes.
/// Somebody who can write to the disk could put another key there while the person reads, and the old one
/// back before the passphrase is typed. So the text itself is made again from sealed trust, and a yes to a
/// different text is refused.
struct ReadPage<O: Operation>: Sendable {
    let text: ExactText
    let make: @Sendable (O.Shown, TrustState) throws -> ExactText

    func isSame(_ sealed: O.Shown, _ trust: TrustState) throws -> Bool { try make(sealed, trust) == text }
}

/// The effects of an operation, for a person to see. It is not enough to act. Only ``Device`` and ``Session``
/// make one.
public struct Preview<O: Operation>: Sendable {
    let operation: O
    /// What a person must see before saying yes.
    public let shown: O.Shown
    /// The id of the vault that was read.
    let vaultID: [UInt8]
    let device: Device
    /// The trust that ``shown`` was read from.
    private let trust: TrustState
    private(set) var page: ReadPage<O>?

    init(_ operation: O, _ shown: O.Shown, _ view: VaultView, _ device: Device) {
        self.operation = operation
        self.shown = shown
        self.device = device
        vaultID = view.vaultID
        trust = view.trust
    }

    /// The text above the question, and the preview with this text as a part. An approval is for this text,
    /// and ``Session/perform(_:asking:)`` makes it again from sealed trust.
    /// - Parameter make: makes the text from what is shown and the trust behind it, and from nothing else
    ///   that can change.
    public func reading<Text: Legible>(
        _ make: @escaping @Sendable (O.Shown, TrustState) throws -> Text
    ) rethrows -> (text: Text, preview: Preview<O>) {
        let text = try make(shown, trust)
        var preview = self
        preview.page = ReadPage(text: ExactText(text.legible)) { ExactText(try make($0, $1).legible) }
        return (text, preview)
    }

    /// A person's yes.
    /// - Parameter answer: asks the person, who has seen ``shown``. It is asked only where the act is allowed
    ///   and the device is offline.
    /// - Throws: ``CeremonyError/declined`` after a no; what ``Operation/requireAllowed(_:)`` throws;
    ///   ``CeremonyError/online(_:)`` and ``CeremonyError/unacknowledged``. Operations on payloads journal
    ///   each of them that is a refusal.
    public func confirm(asking answer: () throws -> Bool = { true }) throws -> Approval<O> {
        try refusing {
            // Journalled first, because an online device is refused next.
            if operation.mayFollowOnline { try device.recordShield() }
            try operation.requireAllowed(shown)
            if !operation.mayFollowOnline { try device.requireOffline() }
            guard try answer() else { throw CeremonyError.declined }
            return Approval(self, .person)
        }
    }

    /// Confirms without a person: by a rule of the policy, or because the vault is a development vault.
    /// ``Session/perform(_:asking:)`` derives it again.
    /// - Parameter byRulesAlone: whether a development vault says yes to nothing either.
    /// - Throws: ``CeremonyError/noRuleApproves(_:)``, ``CeremonyError/approveNeedsPolicy``,
    ///   ``CeremonyError/approveNeedsDevelopmentVault``, what ``Operation/requireAllowed(_:)`` throws.
    public func confirmUnattended(byRulesAlone: Bool = false) throws -> Approval<O> {
        try refusing {
            try operation.requireAllowed(shown)
            let view = try device.view()
            let isDevelopment = view.isDevelopment && !byRulesAlone
            switch operation.automation {
            case .policyOrDevelopmentVault:
                if try operation.standingApproval(of: shown, view) != nil { return Approval(self, .policy) }
                guard isDevelopment else { throw try operation.unapproved(shown, view) }
                return Approval(
                    self, .developmentVault, unapproved: try operation.personNeeded(for: shown, view))
            case .developmentVault:
                guard isDevelopment else { throw CeremonyError.approveNeedsDevelopmentVault }
            }
            return Approval(self, .developmentVault)
        }
    }

    private func refusing(_ body: () throws -> Approval<O>) throws -> Approval<O> {
        do {
            return try body()
        } catch {
            // A question that nobody could be asked refuses nothing.
            if Refusal.isOne(error) { device.record(refusal: error, of: operation, shown) }
            throw error
        }
    }
}

extension Device {
    /// The effects of an operation, for a person to see. The only change is in the log, which records a
    /// refused payload.
    public func preview<O: Operation>(_ operation: O) throws -> Preview<O> {
        do {
            let view = try view()
            return Preview(operation, try operation.preview(view), view, self)
        } catch {
            record(broken: error)
            record(refusal: error, of: operation, nil)
            throw error
        }
    }

    /// A refused payload leaves a line in the log, and nothing else.
    func record<O: Operation>(refusal error: any Error, of operation: O, _ shown: O.Shown?) {
        guard let event = operation.refusalEvent(Diagnostic.Code(of: error), shown) else { return }
        _ = try? store().journal(event)
    }
}
