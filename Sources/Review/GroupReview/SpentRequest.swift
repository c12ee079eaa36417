import History
import Review
import SCALE
import SubstratePrimitives
import TrustStore
import UOS

/// A signing request that this machine has answered with its share, or dropped. It is a row of the history
/// that nothing removes: two shares made with one pair of nonces are as good as the key, so a request that is
/// spent stays spent.
///
/// The row is there, with the hash of the package, before the share is made; the share comes into it by a
/// second commit. A row that has the hash and no share is of an answer that failed between the two: its
/// request has ended.
public struct SpentRequest: HistoryRecord, Sendable, Equatable {
    /// The transcript of the group.
    public let group: Hash32
    /// Message b6 whole.
    public let request: [UInt8]
    /// What the share is made for; nil where the request was dropped without a share.
    public let packageHash: Hash32?
    /// Message b9 whole; empty where the request was dropped, and until the share is stored.
    public let share: [UInt8]
    /// Seconds since 1970 by this device's clock.
    public let time: UInt64

    public init(group: Hash32, request: [UInt8], packageHash: Hash32?, share: [UInt8], time: UInt64) {
        self.group = group
        self.request = request
        self.packageHash = packageHash
        self.share = share
        self.time = time
    }

    package init(from reader: inout SCALEReader) throws {
        group = try reader.hash32()
        request = try reader.byteVector()
        packageHash = try reader.option { reader throws(SCALEError) in try reader.hash32() }
        share = try reader.byteVector()
        time = try reader.integer()
    }

    package func encode(into writer: inout SCALEWriter) {
        writer.raw(group.bytes)
        writer.byteVector(request)
        writer.option(packageHash) { $0.raw($1.bytes) }
        writer.byteVector(share)
        writer.integer(time)
    }

    static func key(_ request: Hash32) -> HistoryKey { HistoryKey(.groupRequest, request.bytes) }

    /// The row of the history for a request's id.
    public func row(_ id: Hash32) -> HistoryRow { HistoryRow(Self.key(id), encoded) }
}

extension ChainData {
    /// What the history says of a request; nil where it is not spent.
    public func spentRequest(_ id: Hash32) throws -> SpentRequest? {
        // Under the seal there always is a history.
        guard let history else { return nil }
        let key = SpentRequest.key(id)
        return try history.rows([key]).held(key, as: SpentRequest.self)
    }
}
