import Diagnostics
import TrustStore

/// What an operation would do, for a person to see. It is not enough to act. Only ``Device`` and ``Session`` make one.
public struct Preview<O: Operation>: Sendable {
    let operation: O
    /// What a person must see before saying yes.
    public let shown: O.Shown
    /// Of the vault that was read.
    let vaultID: [UInt8]
    let device: Device

    init(_ operation: O, _ shown: O.Shown, of vaultID: [UInt8], _ device: Device) {
        self.operation = operation
        self.shown = shown
        self.vaultID = vaultID
        self.device = device
    }

    /// A person's yes.
    /// - Parameter answer: asks the person, who has seen ``shown``. It is asked only where the act is allowed and the device is offline.
    /// - Throws: ``CeremonyError/declined`` after a no; what ``Operation/requireAllowed(_:)`` throws; ``CeremonyError/online(_:)`` and
    ///   ``CeremonyError/unacknowledged``. Operations on payloads journal each of them that is a refusal.
    public func confirm(asking answer: () throws -> Bool = { true }) throws -> Approval<O> {
        try refusing {
            // Journalled first, because an online device is refused next.
            if operation.mayFollowOnline { try device.recordShield() }
            try operation.requireAllowed(shown)
            if !operation.mayFollowOnline { try device.requireOffline() }
            guard try answer() else { throw CeremonyError.declined }
            return Approval(operation, shown, of: vaultID, .person)
        }
    }

    /// A yes without a person: by a rule of the policy, else by a development vault. ``Session/perform(_:asking:)`` derives it again.
    /// - Throws: ``CeremonyError/noRuleApproves(_:)``, ``CeremonyError/approveNeedsPolicy``, ``CeremonyError/approveNeedsDevelopmentVault``, what ``Operation/requireAllowed(_:)``
    ///   throws.
    public func confirmUnattended() throws -> Approval<O> {
        try refusing {
            try operation.requireAllowed(shown)
            let view = try device.view()
            switch operation.automation {
            case .policyOrDevelopmentVault:
                if try operation.standingApproval(of: shown, view) != nil { return Approval(operation, shown, of: vaultID, .policy) }
                guard view.isDevelopment else { throw try operation.unapproved(shown, view) }
            case .developmentVault:
                guard view.isDevelopment else { throw CeremonyError.approveNeedsDevelopmentVault }
            }
            return Approval(operation, shown, of: vaultID, .developmentVault)
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
    /// What an operation would do, for a person to see. Nothing is changed but the log, which keeps a refused payload.
    public func preview<O: Operation>(_ operation: O) throws -> Preview<O> {
        do {
            let view = try view()
            return Preview(operation, try operation.preview(view), of: view.vaultID, self)
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
