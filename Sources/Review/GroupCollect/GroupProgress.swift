import UOS

/// What was collected so far, what is missing, and what to show next.
public struct GroupProgress: Sendable, Equatable {
    /// What is collected now.
    public enum Stage: String, Sendable, CaseIterable {
        /// Contributions b2 to a new group.
        case contributions
        /// Confirmations b4 of a new group.
        case confirmations
        /// Commitments b7 to a signature.
        case commitments
        /// Shares b9 of a signature.
        case shares
    }

    /// What comes of it.
    public enum Output: Sendable, Equatable {
        /// Something is missing.
        case nothing
        /// To be shown to the members.
        case message(GroupMessage)
        /// The signature of the group, verified: what the wallet waits for.
        case signature(Answer)
    }

    /// A member, by the number and the name of the proposal. A dealer is number 0.
    public struct Member: Sendable, Equatable {
        /// From 1; 0 for a dealer.
        public let index: Int
        /// The proposal's name.
        public let name: String

        public static func == (one: Member, other: Member) -> Bool {
            one.index == other.index && one.name.utf8.elementsEqual(other.name.utf8)
        }
    }

    /// What is collected now.
    public let stage: Stage
    /// Whose messages of this stage are here, ascending.
    public let collected: [Member]
    /// Whose messages of this stage are missing, ascending.
    public let missing: [Member]
    /// What to show next. If only one signer's commitment is missing, it is the package of the others with
    /// the request: that signer answers with a share at once.
    public let output: Output

    /// Whether all messages of the stage are here.
    public var isComplete: Bool { missing.isEmpty }

    init(_ stage: Stage, of proposal: GroupProposal, needed: [Int], here: [Int], output: Output) {
        self.stage = stage
        self.output = output
        let members = needed.map { Member(index: $0, name: proposal.name(of: $0)) }
        collected = members.filter { here.contains($0.index) }
        missing = members.filter { !here.contains($0.index) }
    }
}

extension GroupProgress {
    /// What was collected and from whom, what is missing, and what to do next; one sentence on each line.
    /// - Parameter quote: a name for a terminal
    public func lines(quote: (String) -> String) -> [String] {
        func names(_ members: [Member]) -> String { members.map { quote($0.name) }.joined(separator: ", ") }
        var lines = ["\(stage.rawValue): \(collected.count) of \(collected.count + missing.count)"]
        if !collected.isEmpty { lines.append("collected from \(names(collected))") }
        if !missing.isEmpty { lines.append("missing from \(names(missing))") }
        switch output {
        case .nothing: break
        case .message(.contributions):
            lines.append("next: show it to every member, and collect the confirmations")
        case .message(.record(let record)) where record.proposal.oldTranscript != nil:
            lines.append(
                "next: show it to every new and every old member, and compare the address on all screens")
        case .message(.record):
            lines.append("next: show it to every member, and compare the address on all screens")
        case .message(.package) where isComplete:
            lines.append("next: show it to every signer, and collect the shares")
        case .message(.package):
            lines.append("next: show it to \(names(missing)), who answers with a share at once")
        // These are collected, and never put together.
        case .message(.host), .message(.proposal), .message(.contribution), .message(.confirmation),
            .message(.request),
            .message(.commitment), .message(.share):
            break
        case .signature: lines.append("next: show the signature to the wallet")
        }
        return lines
    }
}
