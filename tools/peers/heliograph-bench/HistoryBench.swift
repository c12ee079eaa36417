import FixtureRuntime
import History
import Keys
import Review
import SubstratePrimitives
import TrustStore
import UOS
import Vault

/// The history at a length; `tools/dev bench history` makes the folder and prints the figures.
enum HistoryBench {
    private static let runtime = FixtureRuntime.standard
    private static let signer = PublicKey(scheme: .sr25519, bytes: [UInt8](repeating: 0xd4, count: 32))!
    private static let cost = KDFCost(passes: 1, memory: 8)
    /// Signatures of one commit while the history is filled.
    private static let batch = 2_000
    private static let runs = 50

    /// `history-fill FOLDER COUNT`: makes a store with the fixture's network and COUNT signed transfers in
    /// its log and its history, a tenth of them to a new account.
    static func fill(_ arguments: [String]) throws {
        guard arguments.count == 2, let count = Int(arguments[1]), count >= 1 else {
            throw BenchError.usage("history-fill FOLDER COUNT")
        }
        let vault = try Vault.create(
            directory: arguments[0], passphrase: SecretBytes(), cost: cost, development: true)
        let blob = runtime.metadata()
        let store = try TrustStore.create(
            directory: arguments[0], vault: vault,
            changes: [
                .setVerifier(runtime.genesisHash, .custom(signer)), .putNetwork(runtime.specs),
                .addMetadata(runtime.genesisHash, version: runtime.specVersion, blob: blob),
                .addKey(
                    KeyRecord(
                        publicKey: signer, seed: "main", path: "//0", hasPassword: false,
                        networks: [runtime.genesisHash])),
            ])
        let review = TransactionReview(ChainData(state: try store.trust().state) { _ in blob })
        var done = 0
        while done < count {
            let next = min(count, done + batch)
            let trust = try store.trust()
            let payloads = (done..<next).map { payload($0, account: $0 / 10) }
            let items = try payloads.flatMap { try review.review(Payload($0)) }
            let source = store.history(trust)!
            let data = ChainData(
                state: trust.state, history: ReviewHistory(source, now: 1_700_000_000 + UInt64(next))
            ) { _ in blob }
            let rows = try data.historyRows(of: items.map { ($0, signer.bytes) }, isConfirmed: true)
            try store.change(
                since: trust, [], events: payloads.map { LogEvent(.transactionSigned, [], payload: $0) },
                writing: HistoryWrite(rows))
            done = next
        }
        print("{\"signatures\": \(done)}")
    }

    /// `history-measure FOLDER COUNT`: seconds of an unlock, of a review of a transfer without and with the
    /// history, of a commit without and with its rows, and of the check of everything.
    static func measure(_ arguments: [String]) throws {
        guard arguments.count == 2, let count = Int(arguments[1]) else {
            throw BenchError.usage("history-measure FOLDER COUNT")
        }
        func unlocked() throws -> UnlockedStore {
            try TrustStore(directory: arguments[0]).unlock(
                Vault.open(directory: arguments[0]).unlock(passphrase: SecretBytes()))
        }
        let unlock = try seconds(runs) { _ = try unlocked() }
        let store = try unlocked()
        let blob = runtime.metadata()
        var number = count
        // Each to another account, so that no answer is at hand from the review before.
        func next() throws -> Payload {
            number += 1
            return try Payload(payload(number, account: number * 7919 % max(count / 10, 1)))
        }
        func review(_ source: HistorySource?, _ trust: SealedTrust, _ payload: Payload) throws
            -> [ReviewedTransaction]
        {
            let history = source.map { ReviewHistory($0, now: 1_800_000_000) }
            return try TransactionReview(ChainData(state: trust.state, history: history) { _ in blob })
                .review(payload)
        }
        let trust = try store.trust()
        let plain = try seconds(runs) { _ = try review(nil, trust, next()) }
        let remembered = try seconds(runs) {
            guard try review(store.history(trust), trust, next())[0].history != nil else {
                throw BenchError.wrongAnswer("no history")
            }
        }
        let append = try seconds(runs) { try store.append([LogEvent(.transactionSigned, [], payload: [1])]) }
        let written = try seconds(runs) {
            let trust = try store.trust()
            let items = try review(store.history(trust), trust, next())
            let data = ChainData(
                state: trust.state, history: ReviewHistory(store.history(trust)!, now: 1_800_000_000)
            ) { _ in blob }
            let rows = try data.historyRows(of: items.map { ($0, signer.bytes) }, isConfirmed: true)
            try store.change(
                since: trust, [], events: [LogEvent(.transactionSigned, [], payload: [1])],
                writing: HistoryWrite(rows))
        }
        let whole = try seconds(1) { try store.check() }
        print(
            """
            {"unlock": \(unlock), "plain": \(plain), "remembered": \(remembered), "append": \(append), \
            "written": \(written), "whole": \(whole)}
            """)
    }

    private static func payload(_ number: Int, account: Int) -> [UInt8] {
        let account = Hash32.blake2b(of: Array("account \(account)".utf8))
        let call = runtime.call(
            "Balances", "transfer_keep_alive",
            [FixtureValue.address(account.bytes), FixtureValue.compact(60)])
        let values = FixtureExtensionValues(
            era: .mortal(MortalEra(period: 64, phase: 0)!),
            blockHash: Hash32.blake2b(of: Array("block \(number)".utf8)),
            nonce: UInt64(number))
        return runtime.transactionPayload(signer: signer.bytes, call: call, values)
    }

    /// The median, the minimum and the maximum.
    private static func seconds(_ runs: Int, _ body: () throws -> Void) rethrows -> String {
        let clock = ContinuousClock()
        let times = try (0..<runs).map { _ in try clock.measure(body) / .seconds(1) }.sorted()
        return "[\(times[runs / 2]), \(times[0]), \(times[runs - 1])]"
    }
}
