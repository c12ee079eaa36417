import Glibc
import Keys
import TrustStore
import Vault

/// The audit log at a length; `tools/dev bench log` makes the folder and prints the figures.
enum LogBench {
    /// Entries of one change while the log is filled.
    private static let batch = 50_000
    private static let runs = 50

    /// `log-fill FOLDER COUNT`: makes a store and appends signatures of transactions until its log has COUNT
    /// entries.
    static func fill(_ arguments: [String]) throws {
        guard arguments.count == 2, let count = UInt64(arguments[1]), count >= 1 else {
            throw BenchError.usage("log-fill FOLDER COUNT")
        }
        let vault = try Vault.create(
            directory: arguments[0], passphrase: SecretBytes(), cost: cost, development: true)
        let store = try TrustStore.create(directory: arguments[0], vault: vault, changes: [])
        var last: UInt64 = 1
        while last < count {
            let next = min(count, last + UInt64(batch))
            try store.append((last..<next).map(signature))
            last = next
        }
        print("{\"entries\": \(last)}")
    }

    /// `log-measure FOLDER`: seconds for each thing that is done with the store, and the entries of its log
    /// before it.
    static func measure(_ arguments: [String]) throws {
        guard arguments.count == 1 else { throw BenchError.usage("log-measure FOLDER") }
        func unlocked() throws -> UnlockedStore {
            try TrustStore(directory: arguments[0]).unlock(
                Vault.open(directory: arguments[0]).unlock(passphrase: SecretBytes()))
        }
        let entries = try unlocked().trust().state.log.last
        let unlock = try seconds(runs) { _ = try unlocked() }
        let store = try unlocked()
        let refresh = try seconds(runs) { try store.refresh() }
        let append = try seconds(runs) { try store.append([signature(entries)]) }
        let last = try store.trust().state.log.last
        let newest = try seconds(runs) { try expect(20, of: store.log(from: last - 19, limit: 20)) }
        let oldest = try seconds(runs) { try expect(20, of: store.log(from: 1, limit: 20)) }
        let whole = try seconds(1) { try store.check() }
        print(
            """
            {"entries": \(entries), "unlock": \(unlock), "refresh": \(refresh), "append": \(append), \
            "newest": \(newest), "oldest": \(oldest), "whole": \(whole)}
            """)
    }

    /// So cheap that what is left of an unlock is what it costs over the derivation of the key.
    private static let cost = KDFCost(passes: 1, memory: 8)

    /// As long as the entry of a transfer.
    private static func signature(_ number: UInt64) -> LogEvent {
        LogEvent(
            .transactionSigned,
            [
                LogEvent.Fact("number", String(number)),
                LogEvent.Fact("signer", String(repeating: "5", count: 48)),
            ],
            payload: [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 180),
            metadataHash: .blake2b(of: [1]))
    }

    private static func expect(_ count: Int, of entries: [LogEntry]) throws {
        guard entries.count == count else {
            throw BenchError.wrongAnswer("\(entries.count) entries instead of \(count)")
        }
    }

    /// The median, the minimum and the maximum.
    private static func seconds(_ runs: Int, _ body: () throws -> Void) rethrows -> String {
        let clock = ContinuousClock()
        let times = try (0..<runs).map { _ in try clock.measure(body) / .seconds(1) }.sorted()
        return "[\(times[runs / 2]), \(times[0]), \(times[runs - 1])]"
    }
}
