import Accounts
import Cards
import Ceremony
import GroupReview
import Hashing
import Lines
import SubstratePrimitives
import TerminalIO
import TrustStore
import UOS

/// An active group for people and programs. Its record was checked when it became active, and is checked
/// again here.
package struct GroupFacts: Encodable {
    struct Member: Encodable {
        let index: Int
        /// This vault's name for the machine, or the proposal's name for it, or `member 2` if the proposal's
        /// cannot be a name.
        let name: String
        let host_key: String
        let words: String
        /// this, contact or unknown.
        let standing: String

        init(_ member: MakingMember, isThis: Bool) {
            index = member.index
            name = member.shownName
            host_key = Hex.encode(member.hostKey)
            words = member.words
            standing =
                switch member.standing {
                case _ where isThis: "this"
                case .own: "this"
                case .contact: "contact"
                case .unknown: "unknown"
                }
        }

        var line: String {
            let whose =
                switch standing {
                case "this": " (this machine)"
                case "contact": " (host contact)"
                default: ""
                }
            return "\(Escape.line(GroupMember.quoted(unlessPlain: name)))\(whose): \(words)"
        }
    }

    package let name: String
    /// null in a list until the members have compared it.
    package let address: Nullable<String>
    let public_key: String
    let scheme: String
    let threshold: Int
    let members: [Member]
    let seed: String
    /// Whether a whole key existed; null where a record of a group that the key came from is not here.
    let dealt: Nullable<Bool>
    /// Whether the key came from an older group, whose shares go on signing.
    package let reshared: Bool
    /// The transcript of the group that took its place; null for one that goes on.
    package let superseded_by: Nullable<String>
    /// Whether a person said that the screens of all members show the same address.
    package let compared: Bool
    let label: String
    let session: String
    let transcript: String
    /// Networks that the group's own account may sign for.
    let networks: [String]
    /// The address as wallets of these networks show it, with the network's name; only the forms that differ
    /// from ``address``.
    private let forms: [(address: String, network: String)]

    private enum CodingKeys: String, CodingKey {
        case name, address, public_key, scheme, threshold, members, seed, dealt, reshared, superseded_by,
            compared, label, session
        case transcript, networks
    }

    /// - Parameter isListed: whether this is for a list, where nobody is asked to compare addresses, so that
    ///   an address that was not compared is left out.
    package init(_ group: HeldGroup, in state: TrustState, isListed: Bool = false) throws {
        let view = try RecordReview(try group.recordMessage(), name: nil, state)
        let proposal = view.record.proposal
        name = group.name
        address = Nullable(isListed && !group.isCompared ? nil : view.publicKey.address(prefix: 42))
        public_key = Hex.encode(view.publicKey.bytes)
        scheme = view.publicKey.scheme.name
        threshold = proposal.threshold
        members = view.members.map { Member($0, isThis: $0.index == group.member) }
        seed = group.seed
        dealt = Nullable(state.isDealt(proposal))
        reshared = proposal.oldTranscript != nil
        superseded_by = Nullable(state.superseded(group.transcript)?.transcript.hex)
        compared = group.isCompared
        label = proposal.label
        session = proposal.session.hex
        transcript = group.transcript.hex
        let known = KnownChains(state)
        let chains = state.key(view.publicKey)?.networks ?? []
        networks = chains.map { known.name(ofGenesis: $0) ?? $0.hex }.sorted {
            $0.utf8.lexicographicallyPrecedes($1.utf8)
        }
        forms = chains.compactMap { genesis in
            guard let specs = state.networks(genesis: genesis).first, specs.base58Prefix != 42 else {
                return nil
            }
            let address = view.publicKey.address(prefix: specs.base58Prefix)
            return (address, Escape.line(known.name(ofGenesis: genesis) ?? specs.name))
        }
    }

    /// A name, and what there is to say of it.
    package var lines: [StyledLine] {
        func entry(_ name: String, _ value: String, _ style: TextStyle = .plain) -> StyledLine {
            StyledLine(
                name + String(repeating: " ", count: Swift.max(1, 10 - name.utf8.count)) + value, style)
        }
        var lines = [
            entry("group", Escape.line(name)), entry("address", address.value ?? Wording.notCompared),
        ]
        if address.value != nil { lines += forms.map { entry("", "\($0.address) on \($0.network)") } }
        lines += [
            entry("scheme", scheme),
            entry("signs", "\(threshold) of \(members.count) together"), entry("seed", Escape.line(seed)),
        ]
        lines += members.map { entry("member \($0.index)", $0.line) }
        lines.append(
            entry("networks", networks.isEmpty ? "none" : networks.map(Escape.line).joined(separator: ", ")))
        if reshared { lines.append(entry("WARNING", GroupWarning.reshared.line, .warning)) }
        switch dealt.value {
        case true?: lines.append(entry("WARNING", GroupWarning.dealt.line, .warning))
        case false?:
            if !reshared { lines.append(entry("origin", "new: no machine ever held a whole key")) }
        case nil: lines.append(entry("WARNING", GroupWarning.originUnknown.line, .warning))
        }
        if let next = superseded_by.value {
            lines.append(entry("WARNING", Wording.superseded(by: next), .warning))
        }
        if threshold == members.count {
            lines.append(entry("WARNING", GroupWarning.allSign(members.count).line, .warning))
        }
        return lines
    }

    /// What is asked before the address counts as compared. The members of a reshared group may all see the
    /// same address and have an account that somebody made up: only the old group's is right.
    package var comparedQuestion: String {
        reshared ? Wording.comparedResharedQuestion : Wording.comparedQuestion
    }

    /// `office  2 of 3  sr25519  5F…`, and below it the address as wallets of other networks show it; before
    /// the comparison without an address.
    package var table: [TableLine] {
        let first = TableLine(
            [
                .init(Escape.line(name), rank: 1), .init("\(threshold) of \(members.count)", rank: 3),
                .init(scheme, rank: 4), .init(address.value ?? Wording.notCompared),
            ] + (dealt.value == true ? [.init("dealt", rank: 2)] : [])
                + (superseded_by.value == nil ? [] : [.init("superseded", rank: 2)]))
        guard address.value != nil else { return [first] }
        return [first]
            + forms.map { TableLine(indent: 4, [.init($0.address), .init("on \($0.network)", rank: 1)]) }
    }
}

extension GroupFacts: Legible {
    package var legible: String { lines.legible }
}

/// A making that no active group came of.
package struct MakingFacts: Encodable {
    let session: String
    let label: String
    let threshold: Int
    let members: [String]
    let seed: String
    /// As of a group; null where that is unknown here.
    let dealt: Nullable<Bool>
    /// answered or confirmed.
    let stage: String
    private let next: String

    private enum CodingKeys: String, CodingKey {
        case session, label, threshold, members, seed, dealt, stage
    }

    package init(_ making: GroupMaking, _ proposal: GroupProposal, in state: TrustState) {
        session = making.session.hex
        label = proposal.label
        threshold = proposal.threshold
        members = proposal.members.map(\.name)
        seed = making.seed
        dealt = Nullable(state.isDealt(proposal))
        stage = making.confirmation == nil ? "answered" : "confirmed"
        next =
            switch (try? ProposalReview(proposal, state))?.old {
            case _ where making.confirmation != nil: "confirmed; next: scan the record"
            case let old? where state.isMember(making, of: proposal):
                old.record == nil ? Wording.waitsForOldRecord : Wording.waitsForBundle(dealt: false)
            case _?:
                CheckedReshare.isKept(of: making.session, state)
                    ? Wording.waitsForNewRecord : Wording.waitsForBundle(dealt: false)
            case nil: Wording.waitsForBundle(dealt: proposal.isDealt)
            }
    }

    package var line: String {
        let words = [
            // Whoever made the proposal chose the label.
            label.utf8.isEmpty ? session.prefix(16) + "..." : Escape.quoted(label),
            "\(threshold) of \(members.count)", next,
        ]
        return (words + (dealt.value == true ? ["dealt"] : [])).joined(separator: "  ")
    }
}
