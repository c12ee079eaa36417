import GroupReview
import Hashing
import Keys
import SubstratePrimitives
import Threshold
import TrustStore
import UOS

/// Derives an account of an active group below a path of soft junctions. It needs no share: the public key
/// follows from the group's.
///
/// Only paths that a request can name are allowed. Money paid to an account that no request can name would be
/// lost.
public struct DeriveGroupAccount: Operation {
    let group: String
    let path: String
    let network: String?

    /// What is derived.
    public struct Shown: Sendable, Equatable {
        /// The group.
        public let group: HeldGroup
        /// The account.
        public let key: PublicKey
        /// Where it may sign; nil for nowhere yet.
        public let network: NetworkSpecs?
    }

    /// - Parameters:
    ///   - group: its name.
    ///   - path: soft junctions, one or more.
    ///   - network: its name, or its genesis hash in hex.
    public init(_ group: String, path: String, network: String? = nil) {
        (self.group, self.path, self.network) = (group, path, network)
    }

    /// - Throws: `GroupRefusal.noSuchGroup(_:)`, `GroupRefusal.superseded(_:)`,
    ///   `GroupRefusal.pathOfNoRequest`, ``KeyRefusal/addressNotCompared(_:)``, `ThresholdError.path`,
    ///   `KeyError`, `LookupError`
    public func preview(_ view: VaultView) throws -> Shown {
        let held = try view.trust.heldGroup(named: group)
        try view.trust.requireCompared(held)
        let record = try held.recordMessage().checked()
        // The account of a key that was shared out anew is the new group's here.
        guard
            view.trust.superseded(held.transcript) == nil || !view.trust.accounts(of: held.transcript).isEmpty
        else { throw GroupRefusal.superseded(group) }
        let derivation: DerivationPath
        do throws(DerivationPathError) { derivation = try DerivationPath(path) } catch {
            // No password goes with the account of a group, in no other way either.
            guard error != .passwordInPath else { throw ThresholdError.path }
            throw error
        }
        guard !derivation.junctions.isEmpty else { throw ThresholdError.path }
        let account = try record.key.account(at: derivation)
        // The mathematics takes longer paths than a request has room for.
        do throws(GroupFailure) {
            try GroupRequest.check(path: path, scheme: record.key.scheme.signatureScheme)
        } catch { throw GroupRefusal.pathOfNoRequest }
        guard let key = PublicKey(scheme: record.key.scheme.signatureScheme, bytes: account.publicKey) else {
            throw ThresholdError.badGroupKey
        }
        return Shown(
            group: held, key: key,
            network: try network.map { try view.trust.network(named: $0, scheme: key.scheme) })
    }

    /// - Throws: ``KeyRefusal``
    public func perform(_ shown: Shown, in context: CommitContext<Self>) throws -> PreparedCommit<PublicKey> {
        let state = context.trust.state
        let change: TrustChange
        if let known = state.key(shown.key) {
            guard known.source == .group(shown.group.transcript, path: path) else {
                throw KeyRefusal.collision(holder: state.holder(of: known), path: known.path)
            }
            guard let network = shown.network, !known.networks.contains(network.genesisHash) else {
                throw KeyRefusal.exists(holder: state.holder(of: known), path: known.path)
            }
            change = .allowKey(shown.key, network.genesisHash)
        } else {
            change = .addKey(
                KeyRecord(
                    publicKey: shown.key, source: .group(shown.group.transcript, path: path),
                    networks: shown.network.map { [$0.genesisHash] } ?? []))
        }
        let network = shown.network.map { [LogEvent.Fact("network", $0.name)] } ?? []
        return PreparedCommit(
            shown.key, [change],
            events: [
                LogEvent(
                    .keyAdded,
                    [
                        LogEvent.Fact("key", Hex.encode(shown.key.bytes)),
                        LogEvent.Fact("scheme", shown.key.scheme.name),
                        LogEvent.Fact("group", shown.group.name), LogEvent.Fact("path", path),
                    ] + network)
            ])
    }
}
