import GroupReview
import Hashing
import SubstratePrimitives
import TrustStore
import UOS

/// Removes a group with its accounts, or leaves an unfinished making. The history keeps for ever what was
/// signed, and that a proposal was answered: the same proposal is refused later.
public struct RemoveGroup: Operation {
    /// What goes.
    public enum Shown: Sendable, Equatable {
        /// - Parameters:
        ///   - accounts: of the group, which go with it.
        ///   - isSuperseded: whether its key was shared out anew.
        case group(HeldGroup, accounts: [KeyRecord], isSuperseded: Bool)
        /// A making that no active group came of.
        case making(GroupMaking)
    }

    let name: String

    /// - Parameter name: the name or the transcript in hex of a group, or the label or the session id in hex
    ///   of a making.
    public init(_ name: String) { self.name = name }

    /// - Throws: `GroupRefusal.noSuchGroup(_:)`
    public func preview(_ view: VaultView) throws -> Shown {
        do throws(GroupRefusal) {
            let group = try view.trust.heldGroup(named: name)
            return .group(
                group, accounts: view.trust.keys.filter { $0.group == group.transcript },
                isSuperseded: view.trust.superseded(group.transcript) != nil)
        } catch {
            guard let making = try view.trust.openMaking(named: name) else { throw error }
            return .making(making)
        }
    }

    public func perform(_ shown: Shown, in context: CommitContext<Self>) throws -> PreparedCommit<Void> {
        switch shown {
        case .making(let making):
            return PreparedCommit(
                (), [.removeGroupMaking(session: making.session)],
                events: [LogEvent(.groupRemoved, LogEvent.facts(of: try making.proposalMessage()))],
                history: HistoryWrite([making.left(at: context.now)]))
        case .group(let group, let accounts, _):
            let trust = context.view.trust
            let proposal = try group.recordMessage().proposal
            let offers = trust.groupOffers.filter { $0.group == group.transcript }
            var changes: [TrustChange] = offers.map { .removeGroupOffer(request: $0.request) }
            changes += accounts.map { .removeKey($0.publicKey) }
            changes.append(.removeGroup(transcript: group.transcript))
            let making = trust.groupMaking(proposal.session)
            if making != nil { changes.append(.removeGroupMaking(session: proposal.session)) }
            // The reshare in which this vault only gave its share on ends with its old group.
            let handedOn = trust.superseded(group.transcript).flatMap { next in
                trust.groups.contains { $0.transcript == next.transcript }
                    ? nil : trust.groupMaking(next.session)
            }
            if let handedOn { changes.append(.removeGroupMaking(session: handedOn.session)) }
            let facts = [
                LogEvent.Fact("group", group.name), LogEvent.Fact("transcript", group.transcript.hex),
                LogEvent.Fact("accounts", String(accounts.count)),
            ]
            // A group that is restored later must not find a request fresh whose commitment was shown.
            let spent = offers.map { offer in offer.dropped(at: context.now) }
            let left = [making, handedOn].compactMap { $0?.left(at: context.now) }
            let (nonces, vault) = (context.session.device.nonces, context.session.vault.id)
            return PreparedCommit(
                (), changes, events: [LogEvent(.groupRemoved, facts + LogEvent.facts(of: proposal))],
                history: HistoryWrite(spent + left),
                afterwards: { for offer in offers { try? nonces.wipe(offer.request, of: vault) } })
        }
    }
}

extension GroupMaking {
    /// The row of a making that goes: its proposal is not answered a second time.
    func left(at time: UInt64) -> HistoryRow { LeftMaking(time: time).row(session) }
}
