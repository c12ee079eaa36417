import ChainRPC
import Hashing
import NodeAnswers
import SCALE
import SubstratePrimitives
import Testing

@Suite(.serialized) struct StateAnswerTests {
    /// A state of two values.
    private static let storage = ["1234": "01", "1235": String(repeating: "07", count: 33)]

    private func ask<T: Sendable>(
        _ state: [String: Any], _ work: (NodeConnection) async throws -> T
    ) async throws -> T {
        let standIn = try StandIn()
        try standIn.write(state: ["storage": Self.storage].merging(state) { $1 })
        let node = try await NodeConnection.open(try standIn.start(.ws), options: hasty())
        defer { node.close() }
        return try await work(node)
    }

    @Test(arguments: [[], ["000407"], ["066175726108ffff", "056175726104ee", "08"]])
    func aHeaderIsEncodedAsItsHashCoversIt(logs: [String]) async throws {
        try await ask(["logs": ["all": logs]]) { node in
            let head = try await node.finalizedHead()
            let header = try await node.header(of: head)
            #expect(Hash32.blake2b(of: header) == head)
            // Parent, compact number, two roots, then the digest.
            let digest = SCALEWriter.encode { $0.vector(logs) { $0.raw(Hex.decode($1) ?? []) } }
            #expect(Array(header.dropFirst(32 + 2 + 32 + 32)) == digest)
        }
    }

    @Test func theHeaderOfAnotherBlockIsRefused() async throws {
        try await ask(["proofFault": "other-root"]) { node in
            let head = try await node.finalizedHead()
            let error = await #expect(throws: RPCError.self) { try await node.header(of: head) }
            guard case .otherHeader(head, let found)? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(found != head)
        }
    }

    @Test func aHeaderWithHalfAByteIsMalformed() async throws {
        try await ask(["proofFault": "odd-log"]) { node in
            let head = try await node.finalizedHead()
            await #expect(throws: RPCError.unexpectedAnswer(.header)) { try await node.header(of: head) }
        }
    }

    @Test func aBlockThatTheNodeDoesNotKnowHasNoHeader() async throws {
        let unknown = Hash32.blake2b(of: [1])
        _ = try await ask([:]) { node in
            await #expect(throws: RPCError.noSuchBlock(unknown.hex)) { try await node.header(of: unknown) }
        }
    }

    @Test func aProofHoldsTheNodesOfTheWay() async throws {
        try await ask([:]) { node in
            let head = try await node.finalizedHead()
            let header = try await node.header(of: head)
            let root = Array(header[34..<66])
            let first = try await node.readProof([[0x12, 0x34]], at: head)
            // The root alone: the short leaf stands in it. The other leaf names the hash of its value.
            #expect(first.map { Hash32.blake2b(of: $0).bytes } == [root])
            let both = try await node.readProof([[0x12, 0x34], [0x12, 0x35]], at: head)
            #expect(Set(both.map { Hash32.blake2b(of: $0).bytes }).contains(root))
            #expect(both.contains([UInt8](repeating: 7, count: 33)))
        }
    }

    @Test(arguments: ["no-list", "not-hex"]) func aProofThatIsNoListOfBytesIsMalformed(fault: String)
        async throws
    {
        try await ask(["proofFault": fault]) { node in
            let head = try await node.finalizedHead()
            await #expect(throws: RPCError.unexpectedAnswer(.readProof)) {
                try await node.readProof([[0x12, 0x34]], at: head)
            }
        }
    }

    @Test func aNodeWithoutProofsSaysSo() async throws {
        try await ask(["proofFault": "no-method"]) { node in
            let head = try await node.finalizedHead()
            await #expect(throws: RPCError.noReadProof(code: -32601, message: "Method not found")) {
                try await node.readProof([[0x12, 0x34]], at: head)
            }
        }
    }
}
