import Glibc
import Hashing
import SCALE
import SubstratePrimitives

/// Events that happen while the store is locked: an append-only file beside it, merged into the log at the
/// next unlock.
///
/// `HELIOGJ2`, 16 random bytes that name the file, u32 how often it was emptied, then records: length u32,
/// body, 8 bytes BLAKE2b of the body. Nothing here is authenticated; a record only adds an event of a kind
/// for which ``LogEvent/Kind/isWrittenWhileLocked`` holds. But the store's seal names the file (``Mark``), so
/// a journal that is missing or put back is noticed at the next unlock.
///
/// An older layout has no magic and no number, only the 16 bytes; it is read once.
struct Journal {
    static let name = "journal"
    /// The largest length of the file in bytes. Later events are left out, so that an intruder at the
    /// keyboard cannot fill the disk.
    static let maximumLength = 1 << 20
    /// Bytes of the file after which payloads are named by their hashes, so that scanning many of them leaves
    /// room for later events.
    static let maximumWithPayloads = maximumLength / 2
    /// Payload bytes that one record carries; a longer payload is named by its hash.
    static let maximumPayload = 1 << 14
    private static let magic = Array("HELIOGJ2".utf8)
    private static let identityLength = 16
    private static let headerLength = 8 + identityLength + 4

    struct Record {
        let time: UInt64
        let event: LogEvent

        /// The event as the log keeps it, with its time.
        var merged: LogEvent {
            LogEvent(
                event.kind,
                event.facts + [LogEvent.Fact("locked", "true"), LogEvent.Fact("at", String(time))],
                payload: event.payload, metadataHash: event.metadataHash)
        }
    }

    /// What is in the file, and up to where it can be read.
    struct Contents {
        /// Empty where there is no file, or not even its header.
        var identity: [UInt8] = []
        /// How often the file was emptied; nil in the older layout.
        var epoch: UInt32?
        var records: [(record: Record, end: Int)] = []
        var readable = 0
        var isDamaged = false
    }

    /// What the store's seal says of the journal.
    struct Mark: Equatable {
        var identity: [UInt8]
        var epoch: UInt32
        /// Bytes of the file whose events are in the log.
        var merged: UInt32
        /// 8 bytes BLAKE2b of these bytes.
        var digest: [UInt8]

        /// 32 bytes.
        var encoded: [UInt8] {
            SCALEWriter.encode { writer in
                writer.raw(identity)
                writer.integer(epoch)
                writer.integer(merged)
                writer.raw(digest)
            }
        }

        init(_ contents: Contents, of bytes: [UInt8]) {
            identity = contents.identity
            epoch = contents.epoch ?? 0
            merged = UInt32(contents.readable)
            digest = Self.digest(bytes, to: contents.readable)
        }

        /// nil for anything but a mark.
        init?(_ value: [UInt8]) {
            var reader = SCALEReader(value)
            guard let identity = try? reader.bytes(count: identityLength),
                let epoch = try? reader.integer(UInt32.self),
                let merged = try? reader.integer(UInt32.self), let digest = try? reader.bytes(count: 8),
                (try? reader.finish()) != nil
            else { return nil }
            self.identity = identity
            self.epoch = epoch
            self.merged = merged
            self.digest = digest
        }

        /// How many bytes of the file hold events that are in the log already; nil for another file than the
        /// seal names, and for an older state of it.
        ///
        /// After the events are in the log the file gets its next number and is emptied. A crash leaves it
        /// with the old number, or with the new one and the old events.
        func merged(of contents: Contents, _ bytes: [UInt8]) -> Int? {
            guard contents.identity == identity else { return nil }
            let (number, end) = (contents.epoch ?? 0, Int(merged))
            let hasMergedEvents = bytes.count >= end && Self.digest(bytes, to: end) == digest
            if number == epoch { return hasMergedEvents ? end : nil }
            let isNextNumber = epoch < .max && number == epoch + 1
            guard isNextNumber else { return nil }
            return hasMergedEvents ? end : headerLength
        }

        private static func digest(_ bytes: [UInt8], to end: Int) -> [UInt8] {
            BLAKE2b.hash(Array(bytes.prefix(end).dropFirst(headerLength)), length: 8)
        }
    }

    let directory: String
    private var path: String { "\(directory)/\(Self.name)" }

    static func exists(directory: String) -> Bool { access("\(directory)/\(name)", F_OK) == 0 }

    /// All of the file.
    /// - Throws: ``StoreError/journalTooLarge(limit:)`` for one that this program never wrote so long
    private static func read(_ file: borrowing File) throws(StoreError) -> [UInt8] {
        do throws(StoreError) { return try file.read(limit: 2 * maximumLength) } catch {
            throw error == .inputOutput(code: EFBIG) ? .journalTooLarge(limit: 2 * maximumLength) : error
        }
    }

    /// - Returns: false when the journal is full and the event was left out.
    @discardableResult
    func append(_ event: LogEvent, time: UInt64) throws(StoreError) -> Bool {
        precondition(event.kind.isWrittenWhileLocked, "\(event.kind) needs the open store")
        let file = try File(path, O_RDWR | O_CREAT)
        try file.lock()
        let found = Self.parse(try Self.read(file))
        var offset = found.readable
        let room = offset < Self.maximumWithPayloads ? Self.maximumPayload : 0
        var record = Self.encode(Record(time: time, event: Self.shortened(event, to: room)))
        guard offset + record.count <= Self.maximumLength else { return false }
        if found.identity.isEmpty {
            record = Self.header(identity: Self.randomIdentity(), epoch: 0) + record
            offset = 0
        }
        // An interruption cut the last record: it was never confirmed, and nothing after it could be read.
        if !found.isDamaged { try file.truncate(to: offset) } else { offset = try Self.read(file).count }
        try file.write(record, at: offset)
        return true
    }

    /// Passes the content of the file to `merge`. A missing file is made first, and `merge` gets
    /// `wasMissing`. Empties the file if `merge` returns that its events are in the log.
    func drain(
        _ merge: (_ contents: Contents, _ bytes: [UInt8], _ wasMissing: Bool) throws(StoreError) -> Bool
    ) throws(StoreError) {
        let file = try File(path, O_RDWR | O_CREAT)
        try file.lock()
        var bytes = try Self.read(file)
        let wasMissing = Self.parse(bytes).identity.isEmpty
        if wasMissing {
            bytes = Self.header(identity: Self.randomIdentity(), epoch: 0)
            try file.write(bytes, at: 0)
            try file.truncate(to: bytes.count)
        }
        let contents = Self.parse(bytes)
        guard try merge(contents, bytes, wasMissing) else { return }
        let epoch = contents.epoch ?? 0
        try file.write(
            Self.header(identity: contents.identity, epoch: epoch == .max ? .max : epoch + 1), at: 0)
        try file.truncate(to: Self.headerLength)
    }

    var records: [Record] {
        guard let bytes = try? Self.read(File(path, O_RDONLY)) else { return [] }
        return Self.parse(bytes).records.map(\.record)
    }

    private static func header(identity: [UInt8], epoch: UInt32) -> [UInt8] {
        SCALEWriter.encode { writer in
            writer.raw(magic)
            writer.raw(identity)
            writer.integer(epoch)
        }
    }

    private static func shortened(_ event: LogEvent, to room: Int) -> LogEvent {
        guard let payload = event.payload, payload.count > room else { return event }
        let facts = [
            LogEvent.Fact("payload_hash", Hash32.blake2b(of: payload).hex),
            LogEvent.Fact("payload_length", String(payload.count)),
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
        guard bytes.starts(with: magic) else { return contents }
        var reader = SCALEReader(bytes, range: magic.count..<bytes.count)
        guard let identity = try? reader.bytes(count: identityLength),
            let epoch = try? reader.integer(UInt32.self)
        else {
            return contents
        }
        contents.epoch = epoch
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
