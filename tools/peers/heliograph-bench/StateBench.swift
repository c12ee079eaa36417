import Forge
import Review
import StateProof
import SubstratePrimitives
import TrustStore
import UOS

/// What a state proof costs: `tools/dev bench decode` prints the figures.
enum StateBench {
    /// `state-measure SECONDS`: for proofs of some sizes the seconds of reading and of checking one, and of a
    /// review without and with it.
    static func measure(_ arguments: [String]) throws {
        guard arguments.count == 1, let seconds = Double(arguments[0]) else {
            throw BenchError.usage("state-measure SECONDS")
        }
        let rows = try [0, 1, 4, 10, 15].map { try row($0, seconds) }
        print("[\(rows.joined(separator: ", "))]")
    }

    private static func row(_ destinations: Int, _ seconds: Double) throws -> String {
        let sent = StateSamples.crowded(destinations)
        let (proof, checkpoint) = (try sent.proof(), sent.chain.checkpoint)
        let alone = try sent.transaction()
        let around = try proof.around(alone)
        let payload = try Payload(around)
        let authority = StateAuthority { _, _ in nil }
        let verify = try heliograph_bench.measure(seconds: seconds) {
            _ = try proof.verified(checkpoint, by: authority)
        }
        let decode = try heliograph_bench.measure(seconds: seconds) { _ = try Payload(around) }
        var trust = TrustState()
        trust.networks = [sent.network.specs]
        trust.keys = [
            KeyRecord(
                publicKey: PublicKey(scheme: .sr25519, bytes: SampleChain.alice.bytes)!, seed: "main",
                path: "//Alice", hasPassword: false, networks: [sent.network.genesisHash])
        ]
        let review = TransactionReview(ChainData(state: trust) { _ in [] })
        let plain = try heliograph_bench.measure(seconds: seconds) { _ = try review.review(alone) }
        let proven = try heliograph_bench.measure(seconds: seconds) {
            guard try review.review(payload)[0].state != nil else {
                throw BenchError.wrongAnswer("no state")
            }
        }
        let bytes = proof.nodes.reduce(0) { $0 + $1.count }
        return """
            {"accounts": \(destinations + 1), "nodes": \(proof.nodes.count), "bytes": \(bytes), \
            "beside": \(around.count - alone.bytes.count), "verify": \(verify[0]), "decode": \(decode[0]), "plain": \(plain[0]), \
            "proven": \(proven[0])}
            """
    }

    /// `state-codes BYTES…`: how many codes a payload of so many bytes takes.
    static func codes(_ arguments: [String]) throws {
        let codes = try arguments.map { text in
            guard let bytes = Int(text), bytes > 0 else { throw BenchError.usage("state-codes BYTES…") }
            return try RaptorQFrames.fewFrames(
                of: [UInt8](repeating: 7, count: bytes), atMost: RaptorQFrames.standardSymbolLength
            ).count
        }
        print(codes)
    }
}
