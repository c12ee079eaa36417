import Diagnostics
import Metadata
import SCALE
import SubstratePrimitives

/// The result of a transaction, from the events of its block.
///
/// A block can include a failing transaction: its fee is paid and its nonce used, and nothing else happens.
/// Finality says nothing about success; only the event that the runtime puts behind the transaction does.
///
/// The runtime that included a transaction has the version that the signature covers, so its own metadata
/// reads the events. Whoever runs a node may invent all of them: they are as reliable as one node, or as the
/// number of nodes that agree.
public struct TransactionResult: Sendable, Equatable {
    /// A failure inside a transaction that did not fail itself, such as an item of a batch.
    public struct InnerFailure: Sendable, Equatable {
        /// `Utility.BatchInterrupted`
        public let event: String
        /// The encoded `DispatchError`; nil if the event reports the failure in another way, such as a
        /// reverted contract.
        public let error: [UInt8]?
    }

    /// How many failures inside a transaction are kept. A batch may have thousands, and nobody reads them
    /// all.
    public static let keptFailures = 10

    /// The encoded `DispatchError`; nil where the transaction succeeded.
    public let failure: [UInt8]?
    /// The first ``keptFailures`` of them, in the order of their events.
    public let innerFailures: [InnerFailure]
    /// How many failures there are inside.
    public let innerFailureCount: Int
    /// The fee in the smallest unit, with the tip; nil if no event states it.
    public let fee: UInt128?

    /// Why the events show no result.
    public enum Unknown: Error, Equatable, Sendable {
        /// The metadata does not describe events: versions 12 and 13, and pallets without a type for theirs.
        case undescribed
        case malformed
        /// More values than a block's events have.
        case tooMany
        /// The deadline is over.
        case late
        /// The metadata gives an event that tells the end of a transaction the fields of its opposite.
        case contradictory
        /// No event says how it ended, or several do.
        case results(Int)
    }

    /// - Parameters:
    ///   - events: the value of `System.Events`: `Vec<EventRecord>`, each of phase ‖ pallet ‖ event ‖ topics.
    ///   - place: of the transaction among those of the block.
    ///   - deadline: when to give up; nil for never. A node chooses how many events it answers with.
    ///
    /// Source: polkadot-sdk, `substrate/frame/system/src/lib.rs` (`EventRecord`, `Phase`, `Event`);
    /// `substrate/frame/transaction-payment/src/lib.rs` (`TransactionFeePaid`).
    public init(
        events: [UInt8], place: UInt32, metadata: RuntimeMetadata,
        deadline: ContinuousClock.Instant? = nil
    ) throws(Unknown) {
        var walk = EventWalk(events, metadata)
        var (results, failure) = (0, [UInt8]?.none)
        var (inner, innerCount) = ([InnerFailure](), 0)
        var fee: UInt128?
        for _ in 0..<(try walk.count()) {
            if let deadline, ContinuousClock.now >= deadline { throw .late }
            guard let event = try walk.event(of: place) else { continue }
            switch (ExactText(event.pallet), ExactText(event.name)) {
            case ("System", "ExtrinsicSuccess"):
                guard event.errors.isEmpty, !event.failed else { throw .contradictory }
                results += 1
            case ("System", "ExtrinsicFailed"):
                guard let error = event.errors.first else { throw .contradictory }
                results += 1
                failure = error
            case ("TransactionPayment", "TransactionFeePaid"): fee = event.fee
            default:
                let errors = event.errors.map { Optional($0) } + (event.failed ? [nil] : [])
                innerCount += errors.count
                for error in errors.prefix(Self.keptFailures - inner.count) {
                    inner.append(InnerFailure(event: "\(event.pallet).\(event.name)", error: error))
                }
            }
        }
        try walk.finish()
        guard results == 1 else { throw .results(results) }
        (self.failure, innerFailures, innerFailureCount, self.fee) = (failure, inner, innerCount, fee)
    }
}

/// Reads all events to the last byte, and keeps the result of one transaction.
///
/// Metadata of a hostile node may describe values of no bytes, thousands of them in one event, so their count
/// has a bound of its own: one for all events, since an answer of some kilobytes holds thousands of events.
private struct EventWalk {
    struct Event {
        let pallet: String
        let name: String
        /// In a field `actual_fee`; nil without one.
        let fee: UInt128?
        /// The encoded `DispatchError` of each field that is one, or a result that is one.
        let errors: [[UInt8]]
        /// Whether the event reports a failure without a `DispatchError`: an EVM program that failed, a
        /// message that was not run to its end, or a result with another type of error. The call around it
        /// still succeeds.
        let failed: Bool
    }

    /// Values in all events: a full block has some hundred thousand, and these take seconds.
    private static let maximumValues = 1 << 22

    private let bytes: [UInt8]
    private let types: TypeView
    private let pallets: [UInt8: Pallet]
    private var reader: SCALEReader
    /// How many more values may be read.
    private var left: Int

    init(_ bytes: [UInt8], _ metadata: RuntimeMetadata) {
        self.bytes = bytes
        types = TypeView(metadata.registry)
        pallets = Dictionary(metadata.pallets.map { ($0.index, $0) }) { one, _ in one }
        reader = SCALEReader(bytes)
        // As one value is bounded by its bytes.
        left = min(Self.maximumValues, 1 << 12 + 8 * min(bytes.count, Self.maximumValues))
    }

    /// How many events there are.
    mutating func count() throws(TransactionResult.Unknown) -> Int {
        guard pallets.values.contains(where: { $0.events != nil }) else { throw .undescribed }
        // Phase, pallet, event and topics take a byte each at least.
        return try read { (reader) throws(SCALEError) in try reader.count(minimumElementSize: 4) }
    }

    /// Refuses bytes behind the events.
    func finish() throws(TransactionResult.Unknown) {
        guard reader.remaining == 0 else { throw .malformed }
    }

    /// Reads the next event.
    /// - Returns: nil for an event of another transaction, or of no transaction.
    mutating func event(of place: UInt32) throws(TransactionResult.Unknown) -> Event? {
        let isWanted = try transaction() == place
        let (pallet, index) = try read { (reader) throws(SCALEError) in (try reader.u8(), try reader.u8()) }
        guard let pallet = pallets[pallet], let type = pallet.events else { throw .malformed }
        let variant: Variant
        do throws(MetadataError) { variant = try types.variant(index, of: type) } catch { throw .malformed }
        var fee: UInt128?
        var errors: [[UInt8]] = []
        var failed = Self.tellsFailure(pallet.name, variant.name)
        for field in variant.fields {
            let start = reader.offset
            let value: Value
            (value, reader) = try self.value(field.type, reader)
            guard isWanted else { continue }
            if field.name?.utf8Equals("actual_fee") == true { fee = value.number }
            if Self.tellsFailure(pallet.name, variant.name, field.name, value) { failed = true }
            if let begin = try errorStart(field.type, start..<reader.offset) {
                errors.append(Array(bytes[begin..<reader.offset]))
            } else if isOutcome(field.type), reader.offset > start, bytes[start] != 0 {
                failed = true
            }
        }
        try skipTopics()
        guard isWanted else { return nil }
        return Event(pallet: pallet.name, name: variant.name, fee: fee, errors: errors, failed: failed)
    }

    /// The phase of an event: the place of its transaction; nil before and after the transactions.
    private mutating func transaction() throws(TransactionResult.Unknown) -> UInt32? {
        switch try read({ (reader) throws(SCALEError) in try reader.u8() }) {
        case 0: return try read { (reader) throws(SCALEError) in try reader.integer(UInt32.self) }
        case 1, 2: return nil
        default: throw .malformed
        }
    }

    private mutating func skipTopics() throws(TransactionResult.Unknown) {
        let topics = try read { (reader) throws(SCALEError) in try reader.count(minimumElementSize: 32) }
        _ = try read { (reader) throws(SCALEError) in try reader.slice(count: 32 * topics) }
    }

    /// Reads a value in place. Copying the remaining bytes for each event would take time that grows with the
    /// square of the length.
    /// - Returns: the value, and a reader of the bytes after it.
    private mutating func value(
        _ type: TypeReference, _ reader: SCALEReader
    ) throws(TransactionResult.Unknown) -> (Value, SCALEReader) {
        var decoder = ValueDecoder(types: types, reader: reader)
        let value: Value
        do throws(ValueError) { value = try decoder.value(type) } catch {
            throw error.reason == .tooMany ? .tooMany : .malformed
        }
        guard decoder.used <= left else { throw .tooMany }
        left -= decoder.used
        return (value, decoder.reader)
    }

    /// Events that report a failure by their name.
    ///
    /// Source: polkadot-evm/frontier, `frame/evm/src/lib.rs`; polkadot-sdk,
    /// `substrate/frame/message-queue/src/lib.rs` (`Event`).
    private static func tellsFailure(_ pallet: String, _ event: String) -> Bool {
        switch (ExactText(pallet), ExactText(event)) {
        case ("EVM", "ExecutedFailed"), ("EVM", "CreatedFailed"), ("MessageQueue", "ProcessingFailed"): true
        default: false
        }
    }

    /// The only event that reports a failure in a field other than a `Result`; same source.
    private static func tellsFailure(_ pallet: String, _ event: String, _ field: String?, _ value: Value)
        -> Bool
    {
        pallet.utf8Equals("MessageQueue") && event.utf8Equals("Processed")
            && field?.utf8Equals("success") == true && value == .bool(false)
    }

    private func ident(_ type: TypeReference) -> ExactText? {
        (try? types.definition(type)).map { ExactText($0.ident) }
    }

    /// Whether a type states how something ended, with success as its first variant: any `Result`,
    /// `ExitReason` of the EVM (polkadot-evm/evm, `core/src/error.rs`) and `Outcome` of XCM (polkadot-sdk,
    /// `polkadot/xcm/src/v3/traits.rs`).
    private func isOutcome(_ type: TypeReference) -> Bool {
        switch ident(type) {
        case "Result", "ExitReason", "Outcome": true
        default: false
        }
    }

    /// The start of a `DispatchError` in a value, of which it is the last part: at the beginning, behind the
    /// `Err` of a result, or behind the weight that `DispatchErrorWithPostInfo` states first; nil for any
    /// other value.
    private mutating func errorStart(
        _ type: TypeReference, _ range: Range<Int>
    ) throws(TransactionResult.Unknown) -> Int? {
        switch ident(type) {
        case "DispatchError": return range.lowerBound
        case "Result":
            guard !range.isEmpty, bytes[range.lowerBound] == 1,
                let content = try? types.variant(1, of: type).fields.first?.type
            else { return nil }
            return try errorStart(content, range.dropFirst())
        case "DispatchErrorWithPostInfo":
            guard case .composite(let fields)? = try? types.definition(type).shape, fields.count == 2,
                ident(fields[1].type) == "DispatchError"
            else { return nil }
            return try value(fields[0].type, SCALEReader(bytes, range: range)).1.offset
        default: return nil
        }
    }

    private mutating func read<T>(
        _ body: (inout SCALEReader) throws(SCALEError) -> T
    ) throws(TransactionResult.Unknown) -> T {
        do throws(SCALEError) { return try body(&reader) } catch { throw .malformed }
    }
}

extension RuntimeMetadata {
    /// The name of a pallet's error, and its documentation in one line without the last period; nil if the
    /// metadata does not list the error.
    public func moduleError(pallet index: UInt8, error: UInt8) -> (name: String, docs: String)? {
        guard let pallet = pallets.first(where: { $0.index == index }), let type = pallet.errors,
            let variant = try? TypeView(registry).variant(error, of: type)
        else { return nil }
        let docs = variant.docs.split(separator: "\n").joined(separator: " ").split(separator: " ").joined(
            separator: " ")
        return ("\(pallet.name).\(variant.name)", docs.utf8Ends(with: ".") ? String(docs.dropLast()) : docs)
    }
}

extension TransactionResult.Unknown {
    /// Ends "included, result not checked: …".
    public var sentence: String {
        switch self {
        case .undescribed: "the metadata does not describe events"
        case .malformed: "the events do not match the metadata"
        case .tooMany: "the events hold too many values"
        case .late: "the events could not be read in time"
        case .contradictory: "the metadata confuses the events of success and failure"
        case .results(0): "no event tells how the transaction ended"
        case .results(let count): "\(Sentence.count(count, "event")) tell how the transaction ended"
        }
    }
}
