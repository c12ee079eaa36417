import Diagnostics
import Metadata
import SCALE
import SubstratePrimitives

/// What became of a transaction, as the events of its block tell it.
///
/// A block takes a transaction that fails: its fee is paid and its nonce used, and nothing else happens. That
/// a transaction is final says nothing about its success; only the event that the runtime puts behind it
/// does.
///
/// The runtime that included a transaction has the version that its signature covers, so its own metadata
/// reads the events. Whoever answers for a node may invent all of them: they are believed as one node is
/// believed, or as many as agree.
public struct TransactionResult: Sendable, Equatable {
    /// A failure inside a transaction that did not fail itself, such as an item of a batch.
    public struct InnerFailure: Sendable, Equatable {
        /// `Utility.BatchInterrupted`
        public let event: String
        /// The encoded `DispatchError`; nil where the event tells a failure in another way, such as a
        /// reverted contract.
        public let error: [UInt8]?
    }

    /// The encoded `DispatchError`; nil where the transaction succeeded.
    public let failure: [UInt8]?
    /// In the order of their events.
    public let innerFailures: [InnerFailure]
    /// In the smallest unit, with the tip; nil where no event tells it.
    public let fee: UInt128?

    /// Why events tell no result.
    public enum Unknown: Error, Equatable, Sendable {
        /// The metadata does not describe events: versions 12 and 13, and pallets without a type for theirs.
        case undescribed
        case malformed
        /// No event says how it ended, or several do.
        case results(Int)
    }

    /// - Parameters:
    ///   - events: the value of `System.Events`: `Vec<EventRecord>`, each of phase ‖ pallet ‖ event ‖ topics.
    ///   - place: of the transaction among those of the block.
    ///
    /// Source: polkadot-sdk, `substrate/frame/system/src/lib.rs` (`EventRecord`, `Phase`, `Event`);
    /// `substrate/frame/transaction-payment/src/lib.rs` (`TransactionFeePaid`).
    public init(events: [UInt8], place: UInt32, metadata: RuntimeMetadata) throws(Unknown) {
        var walk = EventWalk(events, metadata)
        var results: [[UInt8]?] = []
        var inner: [InnerFailure] = []
        var fee: UInt128?
        for event in try walk.all() where event.place == place {
            switch (ExactText(event.pallet), ExactText(event.name)) {
            case ("System", "ExtrinsicSuccess"): results.append(nil)
            case ("System", "ExtrinsicFailed"):
                guard let error = event.errors.first else { throw .undescribed }
                results.append(error)
            case ("TransactionPayment", "TransactionFeePaid"):
                fee = event.fields.first { $0.name.utf8Equals("actual_fee") }?.value.number
            default:
                let name = "\(event.pallet).\(event.name)"
                inner += event.errors.map { InnerFailure(event: name, error: $0) }
                if event.failed { inner.append(InnerFailure(event: name, error: nil)) }
            }
        }
        guard results.count == 1, let failure = results.first else { throw .results(results.count) }
        (self.failure, innerFailures, self.fee) = (failure, inner, fee)
    }
}

/// Reads events one after the other, to the last byte.
private struct EventWalk {
    struct Event {
        /// nil for an event of no transaction.
        let place: UInt32?
        let pallet: String
        let name: String
        let fields: [(name: String?, value: Value)]
        /// The encoded `DispatchError` of each field that is one, or a result that is one.
        let errors: [[UInt8]]
        /// Whether it tells a failure without one: a program of the EVM that did not succeed, a message that
        /// was not run to its end, or a result whose error is of another type. The call around it succeeds
        /// all the same.
        let failed: Bool
    }

    private let bytes: [UInt8]
    private let types: TypeView
    private let pallets: [UInt8: Pallet]
    private var reader: SCALEReader

    init(_ bytes: [UInt8], _ metadata: RuntimeMetadata) {
        self.bytes = bytes
        types = TypeView(metadata.registry)
        pallets = Dictionary(metadata.pallets.map { ($0.index, $0) }) { one, _ in one }
        reader = SCALEReader(bytes)
    }

    mutating func all() throws(TransactionResult.Unknown) -> [Event] {
        guard pallets.values.contains(where: { $0.events != nil }) else { throw .undescribed }
        var events: [Event] = []
        // Phase, pallet, event and topics take a byte each at least.
        let count = try read { (reader) throws(SCALEError) in try reader.count(minimumElementSize: 4) }
        for _ in 0..<count { events.append(try event()) }
        guard reader.remaining == 0 else { throw .malformed }
        return events
    }

    private mutating func event() throws(TransactionResult.Unknown) -> Event {
        let place: UInt32?
        switch try read({ (reader) throws(SCALEError) in try reader.u8() }) {
        case 0: place = try read { (reader) throws(SCALEError) in try reader.integer(UInt32.self) }
        // After and before the transactions.
        case 1, 2: place = nil
        default: throw .malformed
        }
        let (pallet, index) = try read { (reader) throws(SCALEError) in (try reader.u8(), try reader.u8()) }
        guard let pallet = pallets[pallet], let type = pallet.events else { throw .malformed }
        let variant: Variant
        do throws(MetadataError) { variant = try types.variant(index, of: type) } catch { throw .malformed }
        var fields: [(name: String?, value: Value)] = []
        var errors: [[UInt8]] = []
        var failed = false
        for field in variant.fields {
            let start = reader.offset
            var decoder = ValueDecoder(types: types, reader: reader)
            do throws(ValueError) { fields.append((field.name, try decoder.value(field.type))) } catch {
                throw .malformed
            }
            reader = decoder.reader
            if let begin = errorStart(field.type, from: start) {
                errors.append(Array(bytes[begin..<reader.offset]))
            } else if isOutcome(field.type), bytes[start] != 0 {
                failed = true
            }
        }
        if Self.tellsFailure(pallet.name, variant.name, fields) { failed = true }
        let topics = try read { (reader) throws(SCALEError) in try reader.count(minimumElementSize: 32) }
        _ = try read { (reader) throws(SCALEError) in try reader.slice(count: 32 * topics) }
        return Event(
            place: place, pallet: pallet.name, name: variant.name, fields: fields, errors: errors,
            failed: failed)
    }

    /// Events that tell a failure by their name, or by a field that is no result.
    ///
    /// Source: polkadot-evm/frontier, `frame/evm/src/lib.rs`; polkadot-sdk,
    /// `substrate/frame/message-queue/src/lib.rs` (`Event`).
    private static func tellsFailure(
        _ pallet: String, _ event: String, _ fields: [(name: String?, value: Value)]
    ) -> Bool {
        switch (ExactText(pallet), ExactText(event)) {
        case ("EVM", "ExecutedFailed"), ("EVM", "CreatedFailed"), ("MessageQueue", "ProcessingFailed"): true
        case ("MessageQueue", "Processed"):
            fields.contains { $0.name?.utf8Equals("success") == true && $0.value == .bool(false) }
        default: false
        }
    }

    private func ident(_ type: TypeReference) -> ExactText? {
        (try? types.definition(type)).map { ExactText($0.ident) }
    }

    /// Whether a value tells how something ended, with its success as the first variant: any `Result`,
    /// `ExitReason` of the EVM (polkadot-evm/evm, `core/src/error.rs`) and `Outcome` of XCM (polkadot-sdk,
    /// `polkadot/xcm/src/v3/traits.rs`).
    private func isOutcome(_ type: TypeReference) -> Bool {
        switch ident(type) {
        case "Result", "ExitReason", "Outcome": true
        default: false
        }
    }

    /// Where a `DispatchError` begins in a value, which is its last part: at once, behind the `Err` of a
    /// result, or behind the weight that `DispatchErrorWithPostInfo` states first; nil for any other value.
    private func errorStart(_ type: TypeReference, from start: Int) -> Int? {
        switch ident(type) {
        case "DispatchError": return start
        case "Result":
            guard bytes[start...].first == 1, let content = try? types.variant(1, of: type).fields.first?.type
            else { return nil }
            return errorStart(content, from: start + 1)
        case "DispatchErrorWithPostInfo":
            guard case .composite(let fields)? = try? types.definition(type).shape, fields.count == 2,
                ident(fields[1].type) == "DispatchError"
            else { return nil }
            var decoder = ValueDecoder(types: types, reader: SCALEReader(Array(bytes[start...])))
            guard (try? decoder.value(fields[0].type)) != nil else { return nil }
            return start + decoder.reader.offset
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
    /// What an error of a pallet is called, and what its documentation says in one line without its last
    /// period; nil where the metadata does not have it.
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
        case .results(0): "no event tells how the transaction ended"
        case .results(let count): "\(Sentence.count(count, "event")) tell how the transaction ended"
        }
    }
}
