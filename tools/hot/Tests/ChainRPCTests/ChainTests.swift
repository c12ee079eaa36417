import ChainRPC
import FixtureRuntime
import Hashing
import NodeAnswers
import SubstratePrimitives
import Testing

@Suite(.serialized) struct ChainTests {
    static let plain: [NodeURL.Scheme] = [.http, .ws]

    @Test(arguments: plain) func aSnapshotHoldsWhatTheChainSays(scheme: NodeURL.Scheme) async throws {
        let standIn = try StandIn()
        let pool = NodePool([try standIn.start(scheme, ["--any-order"])], options: hasty())
        let snapshot = try await pool.run { try await ChainSnapshot.take($0) }
        #expect(snapshot.genesisHash == standIn.genesis)
        #expect(snapshot.block.number == 300)
        #expect(snapshot.chainName == standIn.runtime.specs.title)
        #expect(snapshot.runtime.runtime == RuntimeVersion(specName: "heliotest", specVersion: 1000))
        #expect(snapshot.properties.ss58Prefix == 42)
        #expect(snapshot.properties.tokens.map(\.symbol) == [standIn.runtime.specs.unit])
        #expect(snapshot.metadata == [standIn.runtime.metadata(.v14), standIn.runtime.metadata(.v15)])
    }

    @Test(arguments: plain) func metadata14IsTheLastResort(scheme: NodeURL.Scheme) async throws {
        let standIn = try StandIn()
        let node = try await NodeConnection.open(try standIn.start(scheme), options: hasty())
        defer { node.close() }
        let head = try await node.finalizedHead()
        #expect(try await node.metadata(at: head, formats: [16, 15]) == standIn.runtime.metadata(.v15))
        #expect(try await node.metadata(at: head, formats: [16]) == standIn.runtime.metadata(.v14))
        try standIn.write(state: ["onlyOldMetadata": true])
        #expect(try await node.metadata(at: head) == standIn.runtime.metadata(.v14))
    }

    @Test(arguments: plain) func aBlockIsChosenByNumberOrHash(scheme: NodeURL.Scheme) async throws {
        let standIn = try StandIn()
        let node = try await NodeConnection.open(try standIn.start(scheme), options: hasty())
        defer { node.close() }
        let block = try await node.block(.number(12))
        #expect(try await node.block(.hash(block.hash)) == block)
        await #expect(throws: RPCError.noSuchBlock("301")) { try await node.block(.number(301)) }
        let unknown = Hash32([UInt8](repeating: 1, count: 32))!
        await #expect(throws: RPCError.noSuchBlock(unknown.hex)) { try await node.block(.hash(unknown)) }
        #expect(try await node.nextNonce(of: "someone") == 7)
    }

    @Test func manyCallsShareOneWebSocketAndFindTheirAnswers() async throws {
        let standIn = try StandIn()
        let node = try await NodeConnection.open(try standIn.start(.ws, ["--any-order"]), options: hasty())
        defer { node.close() }
        try await withThrowingTaskGroup(of: (UInt32, UInt32).self) { group in
            for number in UInt32(0)..<40 {
                group.addTask {
                    let hash = try await node.block(.number(number)).hash
                    return (number, try await node.block(.hash(hash)).number)
                }
            }
            for try await (asked, found) in group { #expect(asked == found) }
        }
    }

    @Test(arguments: [[], ["--any-order"]]) func aSubmittedExtrinsicIsFollowedToItsEnd(arguments: [String])
        async throws
    {
        let standIn = try StandIn()
        let block = "0x" + String(repeating: "ab", count: 32)
        try standIn.write(state: [
            "submit": ["ready", ["broadcast": ["a", "b"]], ["inBlock": block], ["finalized": block]]
        ])
        let node = try await NodeConnection.open(try standIn.start(.ws, arguments), options: hasty())
        defer { node.close() }
        var seen: [ExtrinsicStatus] = []
        for try await status in try await node.submitAndWatch([8, 1, 2]) { seen.append(status) }
        let hash = try #require(Hash32(hex: block))
        #expect(seen == [.ready, .broadcast(peers: 2), .inBlock(hash), .finalized(hash)])
    }

    @Test func aRefusedExtrinsicSaysWhy() async throws {
        let standIn = try StandIn()
        let node = try await NodeConnection.open(try standIn.start(.ws), options: hasty())
        defer { node.close() }
        let refusal = RPCError.refusedByNode(
            code: 1002, message: "Verification Error: cannot decode the extrinsic")
        await #expect(throws: refusal) { try await node.submitAndWatch([12, 1, 2]) }
    }

    @Test func followingNeedsAWebSocket() async throws {
        let standIn = try StandIn()
        let node = try await NodeConnection.open(try standIn.start(.http), options: hasty())
        await #expect(throws: RPCError.needsWebSocket) { try await node.submitAndWatch([8, 1, 2]) }
    }
}
