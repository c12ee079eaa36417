import Glibc
import Hashing
import SCALE
import SubstratePrimitives

/// Events that happen while the store is locked: an append-only file beside it, merged into the log at the next unlock.
///
/// 16 random bytes that name the file, then records: length u32, body, 8 bytes BLAKE2b of the body. Nothing here is authenticated; a
/// record only adds an event of a kind for which ``LogEvent/Kind/isWrittenWhileLocked`` holds.
struct Journal {
    static let name = "journal"
    /// Bytes of the file after which further events are left out; an intruder at the keyboard must not fill the disk.
    static let maximumLength = 1 << 20
    /// Bytes of the file after which payloads are named by their hashes, so that scanning many of them leaves room for later events.
    static let maximumWithPayloads = maximumLength / 2
    /// Payload bytes that one record carries; a longer payload is named by its hash.
    static let maximumPayload = 1 << 14

    struct Record {
        let time: UInt64
        let event: LogEvent
    }

    /// What is in the file, and up to where it can be read.
    struct Contents {
        var identity: [UInt8] = []
        var records: [(record: Record, end: Int)] = []
        var readable = 0
        var isDamaged = false
    }

    let directory: String
    private var path: String { "\(directory)/\(Self.name)" }

    /// - Returns: false when the journal is full and the event was left out.
    @discardableResult
    func append(_ event: LogEvent, time: UInt64) throws(StoreError) -> Bool {
        precondition(event.kind.isWrittenWhileLocked, "\(event.kind) needs the open store")
        let file = try File(path, O_RDWR | O_CREAT)
        try file.lock()
        let found = Self.parse(try file.read(limit: 2 * Self.maximumLength))
        var offset = found.readable
        let room = offset < Self.maximumWithPayloads ? Self.maximumPayload : 0
        var record = Self.encode(Record(time: time, event: Self.shortened(event, to: room)))
        guard offset + record.count <= Self.maximumLength else { return false }
        if found.identity.isEmpty {
            record = Self.randomIdentity() + record
            offset = 0
        }
        // An interruption cut the last record: it was never confirmed, and nothing after it could be read.
        if !found.isDamaged { try file.truncate(to: offset) } else { offset = try file.read(limit: 2 * Self.maximumLength).count }
        try file.write(record, at: offset)
        return true
    }

    /// Passes the content of the file to `merge`, then empties the file unless `merge` throws.
    func drain(_ merge: (Contents) throws(StoreError) -> Void) throws(StoreError) {
        guard access(path, F_OK) == 0 else { return }
        let file = try File(path, O_RDWR)
        try file.lock()
        let bytes = try file.read(limit: 2 * Self.maximumLength)
        if bytes.isEmpty { return }
        try merge(Self.parse(bytes))
        try file.truncate(to: 0)
    }

    var records: [Record] {
        guard let bytes = try? File(path, O_RDONLY).read(limit: 2 * Self.maximumLength) else { return [] }
        return Self.parse(bytes).records.map(\.record)
    }

    private static func shortened(_ event: LogEvent, to room: Int) -> LogEvent {
        guard let payload = event.payload, payload.count > room else { return event }
        let facts = [
            LogEvent.Fact("payload_hash", Hash32.blake2b(of: payload).hex), LogEvent.Fact("payload_length", String(payload.count)),
        ]
        return LogEvent(event.kind, event.facts + facts, metadataHash: event.metadataHash)
    }

    private static func encode(_ record: Record) -> [UInt8] {
        let body = SCALEWriter.encode { writer in
            writer.integer(record.time)
            writer.string(record.event.kind.rawValue)
            record.event.encodeFacts(into: &writer)
            writer.option(record.event.payload) { $0.byteVector($1) }
            writer.option(record.event.metadataHash) { $0.raw($1.bytes) }
        }
        return SCALEWriter.encode { writer in
            writer.integer(UInt32(body.count))
            writer.raw(body)
            writer.raw(BLAKE2b.hash(body, length: 8))
        }
    }

    static func parse(_ bytes: [UInt8]) -> Contents {
        var contents = Contents()
        var reader = SCALEReader(bytes)
        guard let identity = try? reader.bytes(count: 16) else { return contents }
        contents.identity = identity
        contents.readable = reader.offset
        while reader.remaining > 0 {
            guard let length = try? reader.integer(UInt32.self), let count = Int(exactly: length),
                let body = try? reader.bytes(count: count), let check = try? reader.bytes(count: 8)
            else { return contents }
            guard check == BLAKE2b.hash(body, length: 8), let record = decode(body) else {
                contents.isDamaged = true
                return contents
            }
            contents.records.append((record, reader.offset))
            contents.readable = reader.offset
        }
        return contents
    }

    private static func decode(_ body: [UInt8]) -> Record? {
        var reader = SCALEReader(body)
        do throws(SCALEError) {
            let time = try reader.integer(UInt64.self)
            let kind = LogEvent.Kind(rawValue: try reader.string())
            let facts = try LogEvent.facts(from: &reader)
            let payload = try reader.option { reader throws(SCALEError) in try reader.byteVector() }
            let hash = try reader.option { reader throws(SCALEError) in try reader.hash32() }
            try reader.finish()
            guard let kind, kind.isWrittenWhileLocked else { return nil }
            return Record(time: time, event: LogEvent(kind, facts, payload: payload, metadataHash: hash))
        } catch {
            return nil
        }
    }

    private static func randomIdentity() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 16)
        precondition(getentropy(&bytes, bytes.count) == 0, "the system gives random bytes")
        return bytes
    }
}
