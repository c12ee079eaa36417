import FixtureRuntime
import Hashing
import Keys
import SCALE
import SubstratePrimitives
import Testing

@testable import PracticeChain

/// Somebody with a key who makes transactions of the practice network, byte by byte.
final class Payer {
    let pair: KeyPair
    var account: Hash32 { Hash32(pair.publicKey.bytes)! }

    init(_ scheme: SignatureScheme = .sr25519) throws {
        pair = try KeyPair.derive(miniSecret: SecretBytes(randomCount: 32), scheme: scheme)
    }

    /// - Parameter covered: what the signature covers in place of what the transaction says.
    func extrinsic(
        _ call: [UInt8], _ values: FixtureExtensionValues = FixtureExtensionValues(),
        covered: FixtureRuntime = PracticeNetwork.runtime
    ) throws -> [UInt8] {
        let message = covered.signingBytes(call: call, values)
        let signature = try pair.sign(message.count > 256 ? BLAKE2b.hash(message) : message)
        let account = pair.scheme == .ecdsa ? BLAKE2b.hash(pair.publicKey.bytes) : pair.publicKey.bytes
        let body =
            [0x84, 0] + account + [pair.scheme.rawValue] + signature
            + PracticeNetwork.runtime.extensionBytes(values).explicit + call
        return SCALEWriter.encode { $0.byteVector(body) }
    }
}

private let unit: UInt128 = 1_000_000_000_000
private let runtime = PracticeNetwork.runtime
private let stranger = Hash32([UInt8](repeating: 9, count: 32))!

private func transfer(_ amount: UInt128, _ name: String = "transfer_keep_alive") -> [UInt8] {
    runtime.call(
        "Balances", name, [FixtureValue.address(stranger.bytes), FixtureValue.compact(amount)])
}

private func utility(_ name: String, _ calls: [[UInt8]]) -> [UInt8] {
    runtime.call("Utility", name, [FixtureValue.vector(calls)])
}

private func mortal(_ block: PracticeChain.Block, hash: Hash32? = nil) -> FixtureExtensionValues {
    FixtureExtensionValues(
        era: .mortal(MortalEra(period: 64, phase: block.number % 64)!), blockHash: hash ?? block.hash)
}

@Suite struct PracticeChainLaws {
    @Test(
        "A transaction makes a final block, moves the amount, takes the fee and the tip, and uses its nonce")
    func taken() throws {
        var chain = PracticeChain()
        let payer = try Payer()
        #expect(chain.head.number == 1000 && chain.nonce(of: payer.account) == 0)
        let bytes = try payer.extrinsic(transfer(3 * unit), FixtureExtensionValues(tip: 5))
        let block = try chain.submit(bytes)
        let fee = PracticeNetwork.fee(length: bytes.count) + 5
        #expect(block.number == 1001 && block.hash == chain.head.hash && block.header.parent != block.hash)
        #expect(block.outcome == .init(signer: payer.account, succeeded: true, fee: fee))
        #expect(chain.head.state[payer.account].free == PracticeNetwork.endowment - 3 * unit - fee)
        #expect(chain.head.state[stranger].free == PracticeNetwork.endowment + 3 * unit)
        #expect(chain.nonce(of: payer.account) == 1)
    }

    @Test("Every scheme of an account signs", arguments: [SignatureScheme.sr25519, .ed25519, .ecdsa])
    func schemes(_ scheme: SignatureScheme) throws {
        var chain = PracticeChain()
        #expect(try chain.submit(Payer(scheme).extrinsic(transfer(unit))).number == 1001)
    }

    @Test("What a signature covers is this chain: another genesis hash, version or metadata hash is refused")
    func covered() throws {
        var chain = PracticeChain()
        let payer = try Payer()
        var (chainOther, version) = (runtime, runtime)
        chainOther.specs.genesisHash = stranger
        version.specVersion += 1
        for other in [chainOther, version] {
            #expect(throws: PracticeRefusal.badSignature) {
                try chain.submit(payer.extrinsic(transfer(unit), covered: other))
            }
        }
        let (wrong, right) = (stranger, PracticeNetwork.metadataHash)
        #expect(throws: PracticeRefusal.badSignature) {
            try chain.submit(payer.extrinsic(transfer(unit), FixtureExtensionValues(metadataHash: wrong)))
        }
        let bytes = try payer.extrinsic(transfer(unit), FixtureExtensionValues(metadataHash: right))
        #expect(try chain.submit(bytes).outcome?.succeeded == true)
        var forged = try payer.extrinsic(transfer(unit), FixtureExtensionValues(nonce: 1))
        forged[50] ^= 1
        #expect(throws: PracticeRefusal.badSignature) { try chain.submit(forged) }
    }

    @Test("A nonce is taken once and in order")
    func nonces() throws {
        var chain = PracticeChain()
        let payer = try Payer()
        func bytes(_ nonce: UInt64) throws -> [UInt8] {
            try payer.extrinsic(transfer(unit), FixtureExtensionValues(nonce: nonce))
        }
        #expect(throws: PracticeRefusal.early) { try chain.submit(bytes(1)) }
        _ = try chain.submit(bytes(0))
        #expect(throws: PracticeRefusal.outdated) { try chain.submit(bytes(0)) }
        _ = try chain.submit(bytes(1))
    }

    @Test("An era of 64 blocks ends after 64 blocks")
    func eras() throws {
        var chain = PracticeChain()
        let (early, late) = (try Payer(), try Payer())
        let start = chain.head
        let ends = try early.extrinsic(transfer(unit), mortal(start))
        #expect(throws: PracticeRefusal.badSignature) {
            try chain.submit(late.extrinsic(transfer(unit), mortal(start, hash: stranger)))
        }
        for nonce in 0..<62 {
            _ = try chain.submit(
                late.extrinsic(transfer(unit), FixtureExtensionValues(nonce: UInt64(nonce))))
        }
        var last = chain
        // The 63rd block after the start is the last that takes it.
        #expect(chain.head.number == start.number + 62)
        #expect(try last.submit(ends).number == start.number + 63)
        // Then the same two bytes of an era start at the next block, which is not there, and after it at that
        // block, whose hash the signature does not cover.
        _ = try chain.submit(late.extrinsic(transfer(unit), FixtureExtensionValues(nonce: 62)))
        #expect(throws: PracticeRefusal.ancientBirthBlock) { try chain.submit(ends) }
        _ = try chain.submit(late.extrinsic(transfer(unit), FixtureExtensionValues(nonce: 63)))
        #expect(throws: PracticeRefusal.badSignature) { try chain.submit(ends) }
        // An era that would start at the next block starts nowhere yet.
        let next = MortalEra(period: 4, phase: (chain.head.number + 1) % 4)!
        #expect(throws: PracticeRefusal.ancientBirthBlock) {
            try chain.submit(
                early.extrinsic(
                    transfer(unit), FixtureExtensionValues(era: .mortal(next), blockHash: stranger)))
        }
    }

    @Test("A call that fails pays its fee, and nothing else of it happens")
    func failures() throws {
        let proxy = runtime.call(
            "Proxy", "proxy", [FixtureValue.address(stranger.bytes), FixtureValue.none, transfer(unit)])
        let asset = runtime.call(
            "Assets", "transfer",
            [FixtureValue.compact(7), FixtureValue.address(stranger.bytes), FixtureValue.compact(1)])
        let all = PracticeNetwork.endowment
        for call in [
            transfer(all + 1), transfer(all - 10_000_000_000), proxy, asset,
            utility("batch_all", [transfer(unit), transfer(all)]),
        ] {
            var chain = PracticeChain()
            let payer = try Payer()
            let block = try chain.submit(payer.extrinsic(call))
            let outcome = try #require(block.outcome)
            #expect(!outcome.succeeded)
            #expect(block.state[payer.account].free == all - outcome.fee)
            #expect(block.state[stranger].free == all)
            #expect(chain.nonce(of: payer.account) == 1)
        }
    }

    @Test("A batch stops at the call that fails, and a forced one goes on")
    func batches() throws {
        let calls = [transfer(unit), transfer(PracticeNetwork.endowment), transfer(2 * unit)]
        for (name, sum) in [("batch", unit), ("force_batch", 3 * unit)] {
            var chain = PracticeChain()
            let block = try chain.submit(Payer().extrinsic(utility(name, calls)))
            #expect(block.outcome?.succeeded == true)
            #expect(block.state[stranger].free == PracticeNetwork.endowment + sum)
        }
    }

    @Test("A transfer of everything leaves what keeps the account open, or nothing")
    func everything() throws {
        for keepsAlive in [true, false] {
            var chain = PracticeChain()
            let payer = try Payer()
            let call = runtime.call(
                "Balances", "transfer_all",
                [FixtureValue.address(stranger.bytes), FixtureValue.bool(keepsAlive)])
            let block = try chain.submit(payer.extrinsic(call))
            #expect(
                block.state[payer.account].free == (keepsAlive ? PracticeNetwork.existentialDeposit : 0))
        }
    }

    @Test("Who cannot pay the fee and the tip is refused")
    func tips() throws {
        var chain = PracticeChain()
        let payer = try Payer()
        let all = PracticeNetwork.endowment
        for tip in [all + 1, all, all - 10_000_000_000] {
            #expect(throws: PracticeRefusal.cannotPay) {
                try chain.submit(payer.extrinsic(transfer(0), FixtureExtensionValues(tip: tip)))
            }
        }
        let length = try payer.extrinsic(
            transfer(0, "transfer_allow_death"), FixtureExtensionValues(tip: all)
        ).count
        let most = all - PracticeNetwork.fee(length: length)
        let bytes = try payer.extrinsic(
            transfer(0, "transfer_allow_death"), FixtureExtensionValues(tip: most))
        #expect(bytes.count == length)
        #expect(try chain.submit(bytes).state[payer.account].free == 0)
    }

    @Test("Bytes that are no transaction of this runtime are refused, each cut of one and each with more")
    func malformed() throws {
        var chain = PracticeChain()
        let whole = try Payer().extrinsic(utility("batch", [transfer(unit), transfer(unit)]))
        for length in 0..<whole.count {
            #expect(throws: PracticeRefusal.malformedExtrinsic) { try chain.submit(Array(whole[..<length])) }
        }
        #expect(throws: PracticeRefusal.malformedExtrinsic) { try chain.submit(whole + [0]) }
        var deep = transfer(unit)
        for _ in 0..<31 { deep = utility("batch", [deep]) }
        #expect(try chain.submit(Payer().extrinsic(deep)).outcome?.succeeded == true)
        let deeper = try Payer().extrinsic(utility("batch", [deep]))
        #expect(throws: PracticeRefusal.malformedExtrinsic) { try chain.submit(deeper) }
    }

    @Test("A chain follows from its transactions")
    func replayed() throws {
        var (one, other) = (PracticeChain(), PracticeChain())
        let payer = try Payer()
        for nonce in 0..<3 {
            let bytes = try payer.extrinsic(
                transfer(unit), FixtureExtensionValues(nonce: UInt64(nonce)))
            _ = try one.submit(bytes)
            _ = try other.submit(bytes)
        }
        #expect(one.head.hash == other.head.hash && one.head.number == 1003)
    }
}
