import FixtureRuntime
import Foundation
import Hashing
import NodeAnswers
import SCALE
import StateProof
import SubstratePrimitives
import Testing
import UOS

@testable import PracticeChain

/// What the practice chain answers, read as a client reads it.
@Suite struct PracticeAnswerLaws {
    private static func ask(_ chain: inout PracticeChain, _ method: String, _ parameters: String = "")
        throws -> StrictJSON.Value
    {
        let request = #"{"jsonrpc":"2.0","id":7,"method":"\#(method)","params":[\#(parameters)]}"#
        let messages = chain.reply(to: Array(request.utf8)).messages
        let answer = try StrictJSON.parse(try #require(messages.first), depthLimit: 8)
        #expect(answer["id"]?.number == 7)
        return answer
    }

    private static func code(_ answer: StrictJSON.Value) -> Int? { answer["error"]?["code"]?.number }

    private static func bytes(_ answer: StrictJSON.Value) -> [UInt8]? {
        answer["result"]?.string.flatMap { Hex.decode($0) }
    }

    @Test("Text that is no request is answered with the error that JSON-RPC has for it")
    func requests() throws {
        var chain = PracticeChain()
        for text in ["", "[]", "{}", #"{"id":1}"#, #"{"id":null,"method":"system_chain"}"#, "{\"id\":1,"] {
            let answer = try StrictJSON.parse(
                try #require(chain.reply(to: Array(text.utf8)).messages.first), depthLimit: 8)
            #expect(Self.code(answer) == -32600 && answer["id"] == .null, "\(text)")
        }
        #expect(try Self.code(Self.ask(&chain, "system_dance")) == -32601)
        #expect(try Self.code(Self.ask(&chain, "state_getReadProof")) == -32602)
        #expect(try Self.code(Self.ask(&chain, "state_getReadProof", #"["0x00",7]"#)) == -32602)
        #expect(try Self.code(Self.ask(&chain, "chain_getBlockHash", "\"x\"")) == -32602)
        #expect(try Self.code(Self.ask(&chain, "system_accountNextIndex", "\"5Grw\"")) == -32602)
        #expect(
            try Self.code(
                Self.ask(&chain, "state_getRuntimeVersion", "\"0x\(String(repeating: "1", count: 64))\""))
                == 4003)
        #expect(try Self.code(Self.ask(&chain, "state_call", #""Core_version","0x""#)) == 4003)
        #expect(try Self.code(Self.ask(&chain, "author_submitAndWatchExtrinsic", "\"0x00\"")) == 1002)
        #expect(chain.head.number == 1000)
    }

    @Test("The first block has the genesis hash that signatures cover, and a block that is not there is null")
    func blocks() throws {
        var chain = PracticeChain()
        let genesis = "0x\(PracticeNetwork.specs.genesisHash.hex)"
        #expect(try Self.ask(&chain, "chain_getBlockHash", "0")["result"]?.string == genesis)
        #expect(try Self.ask(&chain, "chain_getBlockHash", "1001")["result"] == .null)
        let head = try #require(try Self.ask(&chain, "chain_getFinalizedHead")["result"]?.string)
        #expect(try Self.ask(&chain, "chain_getBlockHash", "1000")["result"]?.string == head)
        #expect(
            try Self.ask(&chain, "chain_getHeader", "\"\(head)\"")["result"]?["number"]?.string == "0x3e8")
        #expect(try Self.ask(&chain, "chain_getBlock", "\"\(genesis.dropLast())0\"")["result"] == .null)
    }

    @Test("A submitted transaction is told to its final block, whose body and events have it")
    func submission() throws {
        var chain = PracticeChain()
        let payer = try Payer()
        let call = PracticeNetwork.runtime.call("System", "remark", [FixtureValue.bytes([1, 2, 3])])
        let bytes = try payer.extrinsic(call)
        let request =
            #"{"jsonrpc":"2.0","id":"a","method":"author_submitAndWatchExtrinsic","params":["0x\#(Hex.encode(bytes))"]}"#
        let reply = chain.reply(to: Array(request.utf8))
        let block = "0x\(chain.head.hash.hex)"
        #expect(reply.submitted?.extrinsic == bytes && reply.submitted?.block.hash == chain.head.hash)
        let messages = try reply.messages.map { try StrictJSON.parse($0, depthLimit: 8) }
        #expect(messages[0]["id"]?.string == "a" && messages.count == 4)
        let statuses = messages.dropFirst().map { $0["params"]?["result"] }
        #expect(statuses[0]?.string == "ready")
        #expect(statuses[1]?["inBlock"]?.string == block && statuses[2]?["finalized"]?.string == block)
        #expect(messages.dropFirst().allSatisfy { $0["params"]?["subscription"] == messages[0]["result"] })
        let body = try Self.ask(&chain, "chain_getBlock", "\"\(block)\"")["result"]?["block"]?["extrinsics"]
        #expect(body == .array([.string("0x\(Hex.encode(bytes))")]))
        let system = Twox.hash128(Array("System".utf8))
        let key = Hex.encode(system + Twox.hash128(Array("Events".utf8)))
        let events = try Self.ask(&chain, "state_getStorage", "\"0x\(key)\",\"\(block)\"")
        #expect(Self.bytes(events) == chain.head.events)
        // At the block before there were none, and an account has its balance at each.
        let before = "0x\(chain.block(number: 1000)!.hash.hex)"
        #expect(try Self.ask(&chain, "state_getStorage", "\"0x\(key)\",\"\(before)\"")["result"] == .null)
        let account = payer.account.bytes
        let place = Hex.encode(
            system + Twox.hash128(Array("Account".utf8)) + BLAKE2b.hash(account, length: 16) + account)
        let then = try Self.ask(&chain, "state_getStorage", "\"0x\(place)\",\"\(before)\"")
        let now = try Self.ask(&chain, "state_getStorage", "\"0x\(place)\"")
        #expect(Self.bytes(then) == PracticeState.Account().encoded)
        #expect(Self.bytes(now) == chain.head.state[payer.account].encoded && then != now)
    }

    @Test("What the node says of a stored account and of the chain is proven under the header's state root")
    func proofs() throws {
        var chain = PracticeChain()
        let (payer, other) = (try Payer(), AccountID32([UInt8](repeating: 9, count: 32))!)
        let own = AccountID32(payer.account.bytes)!
        let call = PracticeNetwork.runtime.call(
            "Balances", "transfer_keep_alive", [FixtureValue.address(other.bytes), FixtureValue.compact(5)])
        let block = try chain.submit(try payer.extrinsic(call), at: 1_790_000_000_000)
        let keys =
            [StateItem.account(own), .account(other), .proxies(own), .codeHash].map(\.storageKey)
            + [StateEntry(.runtime), StateEntry(.time)].map { $0.key() }
        let list = keys.map { StrictJSON.quote("0x\(Hex.encode($0))") }.joined(separator: ",")
        let answer = try Self.ask(
            &chain, "state_getReadProof", #"[\#(list)],"0x\#(block.hash.hex)""#)["result"]
        #expect(answer?["at"]?.string == "0x\(block.hash.hex)")
        guard case .array(let nodes)? = answer?["proof"] else { throw PracticeRefusal.unknownMethod }
        let header = try #require(try Self.ask(&chain, "chain_getHeader")["result"]?["stateRoot"]?.string)
        let root = try #require(Hash32(hex: header))
        var walk = TrieWalk(GatheredNodes(nodes.compactMap { $0.string.flatMap { Hex.decode($0) } }))
        for key in keys {
            let said = Self.bytes(try Self.ask(&chain, "state_getStorage", "\"0x\(Hex.encode(key))\""))
            // The code is longer than what a proof may carry of a value: its hash is what is proven.
            if key == StateItem.codeHash.storageKey {
                #expect(BLAKE2b.hash(PracticeNetwork.code) == said.map { BLAKE2b.hash($0) })
                continue
            }
            #expect(try walk.read(key, under: root) == (said.map { .present($0) } ?? .absent))
        }
        #expect(
            try walk.read(keys[5], under: root) == .present(FixtureValue.integer(UInt64(1_790_000_000_000))))
        // No node is missing and none is needed by nobody.
        #expect(walk.nodes.count <= nodes.count && nodes.count < 20)
    }

    /// What smoldot made of whole states: `fixtures/state/README.md`.
    private struct LightClient: Decodable {
        struct State: Decodable {
            let version: Int
            let pairs: [String: String]
            let genesis: String
        }
        let states: [State]
    }

    @Test("The trie of a state has the root that another program computes of it")
    func roots() throws {
        let file = URL(filePath: #filePath).appending(path: "../../../../../fixtures/state/light-client.json")
        let states = try JSONDecoder().decode(LightClient.self, from: Data(contentsOf: file.standardized))
            .states
        let ours = states.filter { $0.version == 1 }
        #expect(ours.count == 12)
        for state in ours {
            let trie = PracticeTrie(state.pairs.map { (Hex.decode($0)!, Hex.decode($1)!) })
            let nothing = Hash32([UInt8](repeating: 0, count: 32))!
            let header = BlockHeader(
                parent: nothing, number: 0, stateRoot: trie.root, extrinsicsRoot: PracticeTrie([]).root,
                digest: [])
            #expect(header.hash.hex == state.genesis)
        }
    }

    @Test("An account that is not stored is not proven to be absent: its balance is that of the start")
    func unstored() throws {
        var chain = PracticeChain()
        let payer = try Payer()
        let key = Hex.encode(StateItem.account(AccountID32(payer.account.bytes)!).storageKey)
        func ask(_ block: PracticeChain.Block) throws -> StrictJSON.Value {
            try Self.ask(&chain, "state_getReadProof", #"["0x\#(key)"],"0x\#(block.hash.hex)""#)
        }
        let before = chain.head
        #expect(try Self.code(ask(before)) == 4003)
        let call = PracticeNetwork.runtime.call("System", "remark", [FixtureValue.bytes([1])])
        let block = try chain.submit(try payer.extrinsic(call))
        #expect(try Self.code(ask(block)) == nil)
        #expect(try Self.code(ask(before)) == 4003)
    }

    @Test("The runtime names the fee that it takes, and says of a call what it would do")
    func questions() throws {
        var chain = PracticeChain()
        let payer = try Payer()
        let runtime = PracticeNetwork.runtime
        let address = FixtureValue.address([UInt8](repeating: 9, count: 32))
        func call(_ amount: UInt128) -> [UInt8] {
            runtime.call("Balances", "transfer_keep_alive", [address, FixtureValue.compact(amount)])
        }
        let bytes = try payer.extrinsic(call(5))
        let length = FixtureValue.integer(UInt32(bytes.count))
        let info = try Self.ask(
            &chain, "state_call",
            #""TransactionPaymentApi_query_info","0x\#(Hex.encode(bytes + length))""#)
        let fee = PracticeNetwork.fee(length: bytes.count)
        #expect(Self.bytes(info)?.suffix(16) == FixtureValue.integer(fee)[...])
        for (amount, starts) in [(5, [0, 0]), (PracticeNetwork.endowment + 1, [0, 1])] as [(UInt128, [UInt8])]
        {
            let arguments = [0, 1] + payer.account.bytes + call(amount) + FixtureValue.integer(UInt32(4))
            let answer = try Self.ask(
                &chain, "state_call", #""DryRunApi_dry_run_call","0x\#(Hex.encode(arguments))""#)
            #expect(Self.bytes(answer)?.starts(with: starts) == true)
        }
        // Nothing of it happened.
        #expect(chain.head.number == 1000)
        let outcome = try chain.submit(bytes).outcome
        #expect(outcome?.fee == fee)
    }

    @Test("The pool says of a transaction without a signature that only its signature is missing")
    func validity() throws {
        var chain = PracticeChain()
        let payer = try Payer()
        let call = PracticeNetwork.runtime.call("System", "remark", [FixtureValue.bytes([])])
        let signed = try payer.extrinsic(call)
        var unsigned = signed
        for place in 37..<101 { unsigned[place] = 0 }
        func validity(_ bytes: [UInt8]) throws -> [UInt8]? {
            let arguments = [2] + bytes + chain.head.hash.bytes
            return Self.bytes(
                try Self.ask(
                    &chain, "state_call",
                    #""TaggedTransactionQueue_validate_transaction","0x\#(Hex.encode(arguments))""#))
        }
        #expect(try validity(unsigned) == [1, 0, 4])
        #expect(try validity(signed)?.first == 0)
        _ = try chain.submit(signed)
        #expect(try validity(signed) == [1, 0, 3])
    }

    @Test("Metadata is served in each format that the runtime has, and no other")
    func metadata() throws {
        var chain = PracticeChain()
        for format in 13...17 as ClosedRange<UInt32> {
            let arguments = Hex.encode(FixtureValue.integer(format))
            let answer = try Self.ask(
                &chain, "state_call", #""Metadata_metadata_at_version","0x\#(arguments)""#)
            var reader = SCALEReader(try #require(Self.bytes(answer)))
            let blob = try reader.option { (reader) throws(SCALEError) in try reader.byteVector() }
            #expect(blob == PracticeNetwork.metadata(format: format))
            #expect((blob == nil) == !(14...16).contains(format))
        }
    }
}
