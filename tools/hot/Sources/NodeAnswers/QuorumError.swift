import Diagnostics
import SubstratePrimitives

/// One statement of a node, to compare it with those of others.
///
/// Each fact holds one value: of two values in one text, a part of the first could be read as a part of the
/// second.
public struct NodeFact: Sendable, Equatable {
    /// `the spec version`
    public let name: String
    /// Compared as bytes; nil if the node says that it does not know. That neither contradicts nor confirms
    /// another answer, so callers must check it.
    public let value: String?

    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    private init(unknown name: String) {
        self.name = name
        value = nil
    }

    public static func unknown(_ name: String) -> NodeFact { NodeFact(unknown: name) }
}

/// Why several nodes are not believed together. Nothing of their answers is used.
public enum QuorumError: Error, Equatable, Sendable {
    /// What one host says of a fact; nil for nothing.
    public struct Answer: Equatable, Sendable {
        public let host: String
        public let value: String?

        public init(host: String, value: String?) {
            self.host = host
            self.value = value
        }
    }

    public struct Disagreement: Equatable, Sendable {
        public let name: String
        /// One for each host.
        public let answers: [Answer]

        public init(name: String, answers: [Answer]) {
            self.name = name
            self.answers = answers
        }
    }

    /// The URLs name fewer hosts than must agree.
    case tooFewHosts(needed: Int, hosts: [String])
    /// The others did not answer.
    case tooFewAnswers(needed: Int, answered: [String])
    case disagreement([Disagreement])
}

extension QuorumError: DiagnosticError {
    public var diagnostic: Diagnostic {
        switch self {
        case .tooFewHosts(let needed, let hosts):
            .usage(
                "quorum-hosts",
                """
                \(needed) nodes on different hosts must agree, but the URLs name \
                \(Sentence.count(hosts.count, "host")): 
                """
                    + hosts.joined(separator: ", "), hint: "give URLs of more hosts, or a smaller --quorum")
        // The notes before it say why each of the others failed.
        case .tooFewAnswers(let needed, let answered):
            .inputOutput(
                "quorum-answers",
                "\(needed) nodes must agree, but only \(answered.count) answered"
                    + (answered.isEmpty ? "" : ": \(answered.joined(separator: ", "))"))
        case .disagreement(let all):
            .refused(
                "nodes-disagree",
                "the nodes disagree: "
                    + all.map { fact in "\(fact.name): \(fact.answers.map(Self.told).joined(separator: ", "))"
                    }.joined(separator: "; "),
                hint: "ask again, and other nodes: one of these lies, or is behind")
        }
    }

    private static func told(_ answer: Answer) -> String {
        "\(answer.value.map(RPCError.clipped) ?? "nothing") from \(answer.host)"
    }

    public static var examples: [QuorumError] {
        [
            .tooFewHosts(needed: 2, hosts: ["node.example"]),
            .tooFewAnswers(needed: 2, answered: ["node.example"]),
            .disagreement([
                Disagreement(
                    name: "spec version",
                    answers: [
                        Answer(host: "one.example", value: "1000"),
                        Answer(host: "other.example", value: "1001"),
                    ])
            ]),
        ]
    }
}
