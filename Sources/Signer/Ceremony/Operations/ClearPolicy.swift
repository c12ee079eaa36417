import Extrinsics
import Review
import TrustStore

/// Removes the owner's policy: everything is allowed again.
public struct ClearPolicy: Operation {
    /// Removes the policy that is in force.
    public init() {}

    /// The JSON text of the policy that is removed, byte for byte as it was set.
    /// - Throws: ``CeremonyError/noPolicy``
    public func preview(_ view: VaultView) throws -> [UInt8] {
        guard let text = view.trust.settings[TransactionPolicy.setting] else { throw CeremonyError.noPolicy }
        return text
    }

    public func perform(_ shown: [UInt8], at bench: Workbench<Self>) throws -> Work<Void> {
        Work((), [.removeSetting(TransactionPolicy.setting)], events: [LogEvent(.policyCleared)])
    }
}
