import Diagnostics
import GroupCollect
import GroupReview
import Keys
import SubstratePrimitives
import Threshold
import TrustStore
import UOS

/// Confirms a bundle b3 of all contributions with this machine's signature b4 on the transcript.
///
/// Everything is checked first: all host signatures, all proofs, and this machine's own share from every
/// contributor. The confirmation is stored before it is returned, and a second, different bundle is refused.
/// Otherwise the carrier of the messages could get signatures for two groups.
public struct ConfirmGroup: Operation {
    let bundle: GroupContributions

    /// A confirmation of this bundle.
    public init(_ bundle: GroupContributions) { self.bundle = bundle }

    /// - Throws: `GroupRefusal.left`, `GroupRefusal.leaving`, `GroupRefusal`, which names the members
    ///   whose contributions are wrong
    public func preview(_ view: VaultView) throws -> ContributionsReview {
        if view.trust.groupMaking(bundle.session) == nil { try view.chain.requireNotLeft(bundle.session) }
        let review = try ContributionsReview(bundle, view.trust)
        // An old member who leaves has nothing to confirm with.
        if review.isLeaving { throw GroupRefusal.leaving }
        return review
    }

    public func refusalEvent(_ reason: Diagnostic.Code, _ shown: ContributionsReview?) -> LogEvent? {
        .refusal(of: .contributions(bundle), reason: reason)
    }

    /// Returns the bytes of message b4.
    /// - Throws: `GroupRefusal.contributions(_:)` for shares that do not fit; `GroupRefusal.notAMember` for a
    ///   dealer who is not a member; `GroupRefusal.oldSeed(_:)` for a new share of an old seed
    public func perform(_ shown: ContributionsReview, in context: CommitContext<Self>) throws
        -> PreparedCommit<[UInt8]>
    {
        var making = shown.making
        if let confirmation = making.confirmation { return PreparedCommit(confirmation, events: []) }
        let proposal = shown.proposal.proposal
        if let old = shown.proposal.old?.record { try context.requireNewSeed(making.seed, of: old) }
        let confirmation = try context.withHost(of: making.seed, index: making.hostIndex) {
            (host: borrowing HostKey) in
            guard let index = proposal.index(of: host.publicKey.bytes) else { throw GroupRefusal.notAMember }
            let generation = try KeyGeneration(of: proposal, old: shown.proposal.old?.record)
            let record = try accepted(generation, index, host, shown)
            // The preview computed the same without the key.
            guard record.transcript == shown.transcript.bytes else { throw GroupRefusal.otherProposal }
            func message(_ signature: [UInt8]) -> GroupConfirmation {
                GroupConfirmation(
                    scheme: proposal.scheme, session: proposal.session, index: index,
                    transcript: shown.transcript,
                    groupKey: shown.groupKey,
                    signature: signature)
            }
            return message(try host.sign(message([UInt8](repeating: 0, count: 64)).signedBytes))
        }
        making.confirmation = confirmation.bytes
        return PreparedCommit(
            confirmation.bytes, [.putGroupMaking(making)],
            events: [
                LogEvent(
                    .groupConfirmed,
                    LogEvent.facts(of: proposal) + [LogEvent.Fact("transcript", shown.transcript.hex)])
            ])
    }

    private func accepted(
        _ generation: KeyGeneration, _ index: Int, _ host: borrowing HostKey, _ shown: ContributionsReview
    ) throws -> Threshold.GroupRecord {
        do throws(ThresholdError) {
            return try generation.accept(bundle.signed(in: shown.proposal.proposal), as: index, host: host)
        } catch {
            throw GroupRefusal(error, in: shown.proposal)
        }
    }
}
