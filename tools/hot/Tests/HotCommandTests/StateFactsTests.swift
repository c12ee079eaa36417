import FixtureRuntime
import Hashing
import Metadata
import SCALE
import StateProof
import SubstratePrimitives
import Testing
import UOS

@Suite struct StateFactsLaws {
    private let desk: Desk
    private let runtime: FixtureRuntime
    private let alice = AccountID32(Alice.publicKey)!
    private let bob = AccountID32.blake2b(of: [7])

    init() throws {
        var runtime = FixtureRuntime()
        runtime.addStorage()
        self.runtime = runtime
        desk = try Desk()
        try desk.know(runtime, [.v14, .v15])
    }

    private var call: [UInt8] {
        runtime.call(
            "Balances", "transfer_keep_alive",
            [FixtureValue.address(bob.bytes), FixtureValue.compact(1_000_000_000_000)])
    }

    /// A chain where Alice has something and Bob has nothing.
    private func storage(spec: UInt32 = 1000) -> [String: String] {
        var values: [[UInt8]: [UInt8]] = [:]
        values[StateEntry(.runtime).key()] = SCALEWriter.encode {
            $0.compact(UInt64(spec))
            $0.string("heliotest")
        }
        values[StateEntry(.time).key()] = SCALEWriter.encode { $0.integer(UInt64(1_764_000_000_000)) }
        values[StateItem.account(alice).storageKey] = SCALEWriter.encode { writer in
            for number in [UInt32(3), 1, 1, 0] { writer.integer(number) }
            for amount in [UInt128(5_000_000_000_000), 0, 0, 1 << 127] { writer.integer(amount) }
        }
        return Dictionary(uniqueKeysWithValues: values.map { (Hex.encode($0.key), Hex.encode($0.value)) })
    }

    private func make(_ words: String..., state: [String: Any] = [:]) throws -> Desk.Outcome {
        let chain: [String: Any] = ["storage": storage(), "nonces": [Alice.address: 3]]
        try desk.write(state: runtime, chain.merging(state) { $1 })
        let url = "ws://\(try desk.node())"
        return try desk.run(
            words: [
                "make", "transaction", "--network", "heliotest", "--signer", Alice.address, "--call-hex",
                Hex.encode(call), "--url", url, "--attempts", "1",
            ] + words)
    }

    @Test func `a proof stands around the transaction and proves what the transaction names`() throws {
        let outcome = try make("--state", "--out", "tx.hex")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors.contains("proven: state of block 300, at most 255 blocks old"))
        #expect(outcome.errors.contains("free 5 HLO, reserved 0 HLO, frozen 0 HLO; nonce 3 is next"))
        #expect(outcome.errors.contains("is absent"))
        let payload = try Payload(try #require(try desk.hex("tx.hex")))
        let envelope = try #require(payload.state)
        #expect(envelope.items == [StateItem.account(alice), .account(bob)].sorted())
        // The transaction inside is the one that is made without the proof.
        #expect(try make("--era", "256", "--out", "plain.hex").status == 0)
        let plain = try #require(try desk.hex("plain.hex"))
        #expect(try desk.hex("tx.hex") == envelope.around(try Payload(plain)))
    }

    @Test func `a state of another runtime is not drawn`() throws {
        let outcome = try make("--state", "--out", "tx.hex", state: ["storage": storage(spec: 999)])
        #expect(outcome.status == 1)
        #expect(
            outcome.diagnostic == "the transaction is for heliotest 1000, but the state is of heliotest 999")
        #expect(
            outcome.hint == "the runtime is being upgraded: wait a block, then make the transaction again")
        #expect(!desk.exists("tx.hex"))
    }

    @Test(arguments: [
        ["--state", "--era", "immortal"], ["--state", "--group"], ["--state", "--state-if-offered"],
        ["--state", "--call-hex", "0000"],
    ])
    func `a proof is for one mortal transaction that is signed at once`(words: [String]) throws {
        let outcome = try desk.run(
            words: [
                "make", "transaction", "--network", "heliotest", "--signer", Alice.address, "--call-hex",
                Hex.encode(call), "--out", "tx.hex",
            ] + words)
        #expect(outcome.status == 64)
        #expect(!desk.exists("tx.hex"))
    }

    @Test func `a proof needs a node`() throws {
        let outcome = try desk.run(
            "make", "transaction", "--network", "heliotest", "--signer", Alice.address, "--call-hex",
            Hex.encode(call), "--state", "--nonce", "3", "--out", "tx.hex")
        #expect(outcome.status == 64)
        #expect(!desk.exists("tx.hex"))
    }

    @Test func `without a node that offers proofs a transaction is made only if asked so`() throws {
        let fault = ["proofFault": "no-method"]
        let refused = try make("--state", "--out", "tx.hex", state: fault)
        #expect(refused.status == 1 && !desk.exists("tx.hex"))
        #expect(refused.hint == "--url URL of another node, or --state-if-offered")
        let made = try make("--state-if-offered", "--out", "tx.hex", state: fault)
        #expect(made.status == 0, "\(made.errors)")
        #expect(try Payload(try #require(try desk.hex("tx.hex"))).state == nil)
    }
}
