import SCALE
import SubstratePrimitives
import TrustStore

/// The content of a history row, one type for each class. It encodes to the row's value, and reads a value
/// only as a whole.
///
/// It holds only what this vault signed, and no claim of a chain, a sender or the online machine: an account
/// does not become known because somebody else paid it.
package protocol HistoryRecord {
    init(from reader: inout SCALEReader) throws
    func encode(into writer: inout SCALEWriter)
}

extension HistoryRecord {
    package var encoded: [UInt8] { SCALEWriter.encode { encode(into: &$0) } }

    /// nil for bytes that are not such a record. The seal proves the bytes, so only another program's mistake
    /// makes them.
    init?(_ bytes: [UInt8]) {
        var reader = SCALEReader(bytes)
        guard let record = try? Self(from: &reader), (try? reader.finish()) != nil else { return nil }
        self = record
    }
}

/// What was signed for an account on one network: amounts that it received, or that it was named.
public struct PaidDestination: HistoryRecord, Sendable, Equatable {
    /// The largest amount of one asset that one call moved to the account.
    public struct Largest: Sendable, Equatable {
        /// The text of the asset's id; nil for the chain's own token.
        public let asset: ExactText?
        public let pallet: ExactText?
        /// In the smallest unit.
        public fileprivate(set) var raw: Planck

        package init(asset: ExactText?, pallet: ExactText?, raw: Planck) {
            (self.asset, self.pallet, self.raw) = (asset, pallet, raw)
        }

        func isSameToken(as other: Largest) -> Bool { asset == other.asset && pallet == other.pallet }
    }

    /// Assets that are kept for one account, in the order in which they came; of others only the count and
    /// the date are known.
    package static let assetLimit = 32

    /// Signed payloads.
    public package(set) var count: UInt64 = 0
    /// Seconds since 1970 by this device's clock.
    public package(set) var first: UInt64
    public package(set) var last: UInt64
    public package(set) var largest: [Largest] = []

    init(at time: UInt64) { (first, last) = (time, time) }

    package init(from reader: inout SCALEReader) throws {
        count = try reader.integer()
        first = try reader.integer()
        last = try reader.integer()
        largest = try reader.vector(minimumElementSize: 3) { reader throws(SCALEError) in
            let (asset, pallet) = (try reader.string(), try reader.string())
            // Only another program's mistake makes other digits.
            guard let raw = Planck(try reader.string()) else { throw SCALEError(.invalidUTF8, offset: 0) }
            func named(_ text: String) -> ExactText? { text.utf8.isEmpty ? nil : ExactText(text) }
            return Largest(asset: named(asset), pallet: named(pallet), raw: raw)
        }
    }

    package func encode(into writer: inout SCALEWriter) {
        writer.integer(count)
        writer.integer(first)
        writer.integer(last)
        writer.vector(largest) { writer, each in
            writer.string(each.asset?.text ?? "")
            writer.string(each.pallet?.text ?? "")
            writer.string(each.raw.digits.text)
        }
    }

    /// One payload more, with the largest amount of each asset that it moves to the account.
    mutating func add(_ amounts: [Largest], at time: UInt64) {
        count = count.addingSaturating(1)
        (first, last) = (min(first, time), max(last, time))
        for amount in amounts { largest.keep(amount, max) }
    }
}

extension [PaidDestination.Largest] {
    /// One amount of each token, of no more tokens than are kept: a call may have thousands.
    mutating func keep(_ amount: Element, _ merged: (Planck, Planck) -> Planck) {
        if let place = firstIndex(where: { $0.isSameToken(as: amount) }) {
            self[place].raw = merged(self[place].raw, amount.raw)
        } else if count < PaidDestination.assetLimit {
            append(amount)
        }
    }
}

/// The accounts whose address has the same ends on networks of one prefix.
struct AlikeAccounts: HistoryRecord {
    var accounts: [[UInt8]]

    init(_ accounts: [[UInt8]]) { self.accounts = accounts }

    init(from reader: inout SCALEReader) throws {
        accounts = try reader.vector { reader throws(SCALEError) in try reader.byteVector() }
    }

    func encode(into writer: inout SCALEWriter) { writer.vector(accounts) { $0.byteVector($1) } }
}

package struct HighestNonce: HistoryRecord {
    /// nil after a person made the vault forget it.
    package let nonce: UInt128?
    let time: UInt64
    /// How often a person made the vault forget it. Nonces signed in an earlier generation do not count,
    /// whatever the clock says.
    package let generation: UInt32

    package init(_ nonce: UInt128?, at time: UInt64, generation: UInt32 = 0) {
        (self.nonce, self.time, self.generation) = (nonce, time, generation)
    }

    /// Former programs wrote no generation.
    package init(from reader: inout SCALEReader) throws {
        let highest: UInt128 = try reader.integer()
        time = try reader.integer()
        let hasGeneration = reader.remaining > 0
        generation = hasGeneration ? try reader.integer() : 0
        nonce = try !hasGeneration || reader.bool() ? highest : nil
    }

    package func encode(into writer: inout SCALEWriter) {
        writer.integer(nonce ?? 0)
        writer.integer(time)
        guard generation > 0 else { return }
        writer.integer(generation)
        writer.u8(nonce == nil ? 0 : 1)
    }
}

/// What was signed last with a nonce, and when.
struct SignedNonce: HistoryRecord {
    let hash: Hash32
    let time: UInt64
    /// As in ``HighestNonce``.
    let generation: UInt32

    init(_ hash: Hash32, at time: UInt64, generation: UInt32) {
        (self.hash, self.time, self.generation) = (hash, time, generation)
    }

    init(from reader: inout SCALEReader) throws {
        hash = try reader.hash32()
        time = try reader.integer()
        generation = reader.remaining > 0 ? try reader.integer() : 0
    }

    func encode(into writer: inout SCALEWriter) {
        writer.raw(hash.bytes)
        writer.integer(time)
        if generation > 0 { writer.integer(generation) }
    }
}

/// What was signed last of a call, and when: its bytes with all amounts.
struct SignedOnce: HistoryRecord {
    var hash: Hash32
    var time: UInt64

    init(_ hash: Hash32, at time: UInt64) { (self.hash, self.time) = (hash, time) }

    init(from reader: inout SCALEReader) throws {
        hash = try reader.hash32()
        time = try reader.integer()
    }

    func encode(into writer: inout SCALEWriter) {
        writer.raw(hash.bytes)
        writer.integer(time)
    }
}

/// When something happened first and last.
struct SignedTimes: HistoryRecord {
    var first: UInt64
    var last: UInt64
    var count: UInt64

    init(at time: UInt64) { (first, last, count) = (time, time, 1) }

    init(from reader: inout SCALEReader) throws {
        first = try reader.integer()
        last = try reader.integer()
        count = try reader.integer()
    }

    func encode(into writer: inout SCALEWriter) {
        writer.integer(first)
        writer.integer(last)
        writer.integer(count)
    }

    mutating func add(at time: UInt64) {
        (first, last) = (min(first, time), max(last, time))
        count = count.addingSaturating(1)
    }
}
