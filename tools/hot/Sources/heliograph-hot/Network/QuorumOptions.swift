import ArgumentParser
import ChainRPC
import NodeAnswers
import SubstratePrimitives

/// How many nodes must say the same.
struct QuorumOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Nodes on different hosts that must agree (default: 1, which believes one node).",
            discussion: """
                Names that lead to one address are one host, and all loopback addresses are one. Operators \
                are not compared: one operator may have many hosts, so name hosts of different operators.
                """)
    ) var quorum: Int = 1

    func validate() throws {
        guard (1...16).contains(quorum) else { throw ValidationError("--quorum must be 1 to 16") }
    }

    /// Refuses too few hosts before anything is asked or sent.
    func require(_ pool: NodePool) throws { if quorum > 1 { _ = try NodeQuorum(pool, needed: quorum) } }

    /// The answers of one node, or of as many as must agree, and the words that say which.
    /// - Parameters:
    ///   - work: asks one node about a block and checks that it is on the expected chain.
    ///   - facts: everything of an answer that is used.
    func ask<Answer: Sendable>(
        _ pool: NodePool, at choice: BlockChoice = .finalized, expecting genesis: GenesisHash?,
        _ work: @escaping @Sendable (NodeConnection, BlockChoice) async throws -> Answer,
        facts: (Answer) -> [NodeFact]
    ) async throws -> (answers: [Answer], belief: String) {
        guard quorum > 1 else {
            return ([try await pool.run { try await work($0, choice) }], "believed from one node")
        }
        let agreement = try await NodeQuorum(pool, needed: quorum).agree(
            at: choice, expecting: genesis, work, facts: facts)
        return (agreement.answers, "agreed by \(agreement.hosts.joined(separator: ", "))")
    }
}
