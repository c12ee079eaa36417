import History
import Review
import SCALE
import SubstratePrimitives
import TrustStore

/// A session of key generation that this vault took part in and no longer keeps. It is a row of the history
/// that nothing removes: what the vault answered may be out, so a second contribution or confirmation for
/// the session would make an honest member look like a cheat, and could end in two groups of one session.
public struct LeftMaking: HistoryRecord, Sendable, Equatable {
    /// Seconds since 1970 by this device's clock.
    public let time: UInt64

    public init(time: UInt64) { self.time = time }

    package init(from reader: inout SCALEReader) throws { time = try reader.integer() }

    package func encode(into writer: inout SCALEWriter) { writer.integer(time) }

    /// Sessions and requests are hashes under different tags, so one class of rows has both.
    static func key(_ session: Hash32) -> HistoryKey { HistoryKey(.groupRequest, session.bytes) }

    /// The row of the history for a session.
    public func row(_ session: Hash32) -> HistoryRow { HistoryRow(Self.key(session), encoded) }
}

extension ChainData {
    /// Refuses a session that this vault has left.
    /// - Throws: ``GroupRefusal/left``
    public func requireNotLeft(_ session: Hash32) throws {
        // Under the seal there always is a history.
        guard let history else { return }
        let key = LeftMaking.key(session)
        if try history.rows([key]).held(key, as: LeftMaking.self) != nil { throw GroupRefusal.left }
    }
}
