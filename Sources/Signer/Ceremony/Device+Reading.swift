import History
import Review
import SubstratePrimitives
import TrustStore

/// Reads of the store as it lies on the disk, **not checked**: print it with these words.
extension Device {
    /// Vault time, **not checked**.
    public func moment() throws -> VaultMoment { VaultMoment(try trust().state, at: reading) }

    /// The chain data that a review of payloads reads.
    public func chain() throws -> ChainData {
        let store = try store()
        let trust = try store.uncheckedTrust()
        let moment = VaultMoment(trust.state, at: reading)
        let history = store.uncheckedHistory(trust).map { ReviewHistory($0, now: clock(), moment: moment) }
        return ChainData(state: trust.state, history: history) { try store.content($0) }
    }

    /// Entries of the log in order, from number `first` on, at most `limit`.
    public func log(from first: UInt64 = 1, limit: Int = .max) throws -> [LogEntry] { try store().log(from: first, limit: limit) }

    /// The same, one after the other.
    public func readLog(from first: UInt64 = 1, limit: Int = .max, _ body: (LogEntry) -> Void) throws {
        try store().readLog(from: first, limit: limit, body)
    }

    /// Events that wait for the next unlock, each with its time in seconds since 1970 by this device's clock.
    public func waiting() throws -> [(time: UInt64, event: LogEvent)] { try store().waiting }

    /// Follows the log's hash chain between the ends that the store names; they are proven only by ``Session/checkLog()``.
    /// - Throws: `StoreError.sealBroken(_:)`
    public func checkLog() throws { try store().checkLog() }

    /// The same for the newest entries alone, however long the log is.
    /// - Returns: the first of them; nil in an empty log.
    public func checkLogEnd() throws -> UInt64? { try store().checkLogEnd() }
}
