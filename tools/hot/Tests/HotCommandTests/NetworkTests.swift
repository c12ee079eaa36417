import FixtureRuntime
import Foundation
import Hashing
import Keys
import SubstratePrimitives
import Testing

/// What a transaction takes from a node and gives to it; `tools/dev hot-laws` has the laws of fetching.
@Suite struct LiveTransactionLaws {
    private let desk: Desk
    private let runtime = FixtureRuntime.standard

    init() throws { desk = try Desk() }

    private var call: [UInt8] { runtime.call("System", "remark", [FixtureValue.bytes([7])]) }

    @Test func aTransactionIsFilledInByANode() throws {
        try desk.write(state: runtime, ["nonces": [Alice.address: 7]])
        #expect(try desk.run("fetch", "ws://\(try desk.node())").status == 0)
        let call = runtime.call("System", "remark", [FixtureValue.bytes([7])])
        let words = [
            "make", "transaction", "--network", "heliotest", "--signer", Alice.address, "--call-hex",
            Hex.encode(call),
        ]
        let outcome = try desk.run(words: words + ["--without-proof", "--url", "known", "--out", "tx.hex"])
        #expect(outcome.status == 0)
        let block = try #require(
            try desk.run("metadata", "list").output.firstMatch(of: /from block 0x([0-9a-f]{64})/)
        ).1
        let values = FixtureExtensionValues(
            era: .mortal(try #require(MortalEra(period: 64, phase: 300 % 64))),
            blockHash: Hash32(hex: String(block)), nonce: 7)
        #expect(
            try desk.hex("tx.hex") == runtime.transactionPayload(signer: Alice.publicKey, call: call, values))
    }

    /// What a node says of a submitted transaction, the exit status, and what a person is told.
    @Test(
        arguments: [
            // The stand-in has no block of that hash, so its word that it is final is worth nothing.
            ("finalized", 1, "is unknown to the node that named it"),
            ("usurped", 1, "with the same nonce replaced this one"),
            ("invalid", 1, "the node says that the transaction has expired"),
            ("dropped", 1, "the node says that it dropped the transaction"),
        ])
    func aSubmittedTransactionIsFollowedToItsEnd(end: String, status: Int32, message: String) throws {
        let hash = "0x" + String(repeating: "11", count: 32)
        let last: Any = end == "finalized" || end == "usurped" ? [end: hash] : end
        try desk.write(
            state: runtime, ["nonces": [Alice.address: 7], "submit": ["ready", ["inBlock": hash], last]])
        #expect(try desk.run("fetch", "ws://\(try desk.node("--any-order"))").status == 0)
        let make = [
            "make", "transaction", "--network", "heliotest", "--signer", Alice.address, "--call-hex",
            Hex.encode(call),
        ]
        #expect(
            try desk.run(words: make + ["--without-proof", "--url", "known", "--out", "tx.hex"]).status == 0)
        let payload = try #require(try desk.hex("tx.hex"))
        let phrase = secret(
            Array("bottom drive obey lake curtain smoke basket hold race lonely fit walk".utf8))
        let pair = try KeyPair.derive(phrase: phrase, path: try DerivationPath("//Alice"), scheme: .sr25519)
        let signature = try pair.sign(Array(payload[36..<(payload.count - 32)]))
        let outcome = try desk.run("read", "--hex", "01" + Hex.encode(signature), "--submit", "stored")
        #expect(outcome.status == status)
        #expect(outcome.diagnostic?.contains(message) == true)
        #expect(outcome.errors.contains("in block 0x"))
    }

    @Test func aTransactionForAnotherChainIsNotSubmitted() throws {
        try desk.write(state: runtime, ["nonces": [Alice.address: 7]])
        #expect(try desk.run("fetch", "ws://\(try desk.node())").status == 0)
        let wrong = "ws://\(try desk.node("--fault", "wrong-chain"))"
        let make = [
            "make", "transaction", "--network", "heliotest", "--signer", Alice.address, "--call-hex",
            Hex.encode(call),
        ]
        let outcome = try desk.run(words: make + ["--url", wrong, "--delay", "1", "--out", "tx.hex"])
        #expect(outcome.status == 1)
        #expect(outcome.diagnostic?.contains("the node is on another chain") == true)
        #expect(!desk.exists("tx.hex"))
    }
}
