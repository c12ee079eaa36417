import RaptorQ

/// Puts the QR codes of a scan together to one payload: any envelope, any order, repeats, a start at any frame.
///
/// Codes of another payload are counted and never mixed in. The first payload that is complete is the result.
public struct PayloadAssembler: Sendable {
    public enum Envelope: String, Sendable {
        case raptorQ = "raptorq"
        case legacy, plain, hex
    }

    /// How far the payload that stands closest to completion has come.
    public enum Progress: Sendable, Equatable {
        case collecting(collected: Int, needed: Int)
        /// The frames decode, but do not prove how their sender numbered them: one more frame is needed.
        case unproved(collected: Int)
        case complete
    }

    /// What came out of a scan.
    public struct Result: Sendable {
        public enum Content: Sendable, Equatable {
            case payload([UInt8])
            /// One or two readings of RaptorQ frames that prove neither numbering of repair symbols; the correct one may be missing.
            ///
            /// Wrong bytes may look like any payload, so what a reading looks like decides nothing. A valid signature does.
            case unproved([[UInt8]])
            /// Banana Split shares.
            case shares([[UInt8]])
        }

        public let content: Content
        public let transport: Transport

        /// A payload that needed no frames, as hex on the command line.
        public init(payload: [UInt8], transport: Transport) {
            self.init(.payload(payload), transport)
        }

        init(_ content: Content, _ transport: Transport) {
            self.content = content
            self.transport = transport
        }

        /// Banana Split shares; empty if the codes carry a payload.
        public var shares: [[UInt8]] {
            switch content {
            case .payload, .unproved: []
            case .shares(let shares): shares
            }
        }

        /// Whether these bytes are the payload, or may be.
        public func admits(_ payload: [UInt8]) -> Bool {
            switch content {
            case .payload(let bytes): bytes == payload
            case .unproved(let readings): readings.contains(payload)
            case .shares: false
            }
        }
    }

    /// The counts that a person and a program are told.
    public struct Transport: Sendable, Equatable {
        public var envelope: Envelope
        public var codes = 0
        public var frames = 0
        /// The minimum number of frames; more than were scanned while the payload is incomplete.
        public var needed = 1
        /// Payloads of which codes were read besides the result.
        public var otherPayloads = 0
    }

    /// A scan is of one payload; a camera may catch some frames of others, and each costs memory.
    static let maximumPayloads = 16

    private enum Identity: Hashable {
        case raptorQ(length: Int, packet: Int)
        case legacy(count: Int)
        case plain([UInt8])
    }

    private var raptorQ: [Identity: RaptorQDecoder] = [:]
    private var legacy: [Identity: LegacyAssembly] = [:]
    private var plain: [[UInt8]] = []
    private var shares: [[UInt8]] = []
    private var codes = 0
    /// The payload that is complete, or the one that is nearest to it.
    private var closest: Identity?
    private var isComplete = false

    public init() {}

    /// Takes the bytes of one QR code. When a payload is complete, further codes only tell whether there are others, or contradict it.
    public mutating func add(_ code: [UInt8]) throws(TransportError) -> Progress {
        codes += 1
        if isComplete, payloadCount == Self.maximumPayloads { return .complete }
        switch try QRContent(code) {
        case .share(let share):
            if !shares.contains(share) { shares.append(share) }
            return .collecting(collected: shares.count, needed: shares.count + 1)
        case .plain(let payload):
            if !plain.contains(payload) { plain.append(payload) }
            try bound()
            // A stray code in view, such as a web address, is another payload; only what starts like a payload completes a scan.
            guard payload.first == Prelude.firstByte else { return .collecting(collected: 0, needed: 0) }
            return advance(.plain(payload), collected: 1, needed: 1, done: true)
        case .legacy(let frame): return try add(frame)
        case .raptorQ(let length, let packet): return try add(packet, of: length)
        }
    }

    private mutating func add(_ frame: LegacyFrame) throws(TransportError) -> Progress {
        guard raptorQ.isEmpty else { throw .mixedEnvelopes }
        // A frame that is a whole payload contradicts no other.
        if frame.count == 1, let first = legacy[.legacy(count: 1)]?.payload, first != frame.part { return try add(further: frame.part) }
        let identity = Identity.legacy(count: frame.count)
        var assembly = legacy[identity] ?? LegacyAssembly(count: frame.count)
        try assembly.add(frame)
        legacy[identity] = assembly
        try bound()
        return advance(identity, collected: assembly.parts.count, needed: frame.count, done: assembly.payload != nil)
    }

    private mutating func add(further payload: [UInt8]) throws(TransportError) -> Progress {
        if !plain.contains(payload) { plain.append(payload) }
        try bound()
        return .complete
    }

    private mutating func add(_ packet: ArraySlice<UInt8>, of length: Int) throws(TransportError) -> Progress {
        guard legacy.isEmpty else { throw .mixedEnvelopes }
        let identity = Identity.raptorQ(length: length, packet: packet.count)
        do {
            // Taken out of the table while it changes, so that its symbols are not copied.
            var decoder =
                try raptorQ.removeValue(forKey: identity)
                ?? RaptorQDecoder(payloadLength: length, packetLength: packet.count - EncodingPacket.headerLength)
            defer { raptorQ[identity] = decoder }
            let progress = try decoder.add(packet: packet)
            try bound()
            let standing = advance(identity, collected: progress.collected, needed: progress.needed, done: progress.isComplete)
            guard case .collecting = standing, progress.isAmbiguous else { return standing }
            return .unproved(collected: progress.collected)
        } catch let error as RaptorQError {
            throw .raptorQ(error)
        } catch let error as TransportError {
            throw error
        } catch {
            fatalError("a decoder throws its own errors only")
        }
    }

    private mutating func advance(_ identity: Identity, collected: Int, needed: Int, done: Bool) -> Progress {
        if isComplete { return .complete }
        isComplete = done
        closest = done ? identity : (closest ?? identity)
        return done ? .complete : .collecting(collected: collected, needed: needed)
    }

    private func bound() throws(TransportError) {
        if payloadCount > Self.maximumPayloads { throw .tooManyPayloads(payloadCount) }
    }

    private var payloadCount: Int { raptorQ.count + legacy.count + plain.count }

    /// Counts as they stand; also after a failure.
    public var transport: Transport {
        var transport = Transport(envelope: .plain, codes: codes)
        transport.otherPayloads = max(0, payloadCount - 1)
        switch closest {
        case .raptorQ?:
            let progress = raptorQ[closest!]?.progress
            transport.envelope = .raptorQ
            transport.frames = progress?.collected ?? 0
            transport.needed = progress.map { $0.isComplete ? $0.needed : max($0.needed, $0.collected + 1) } ?? 1
        case .legacy(let count)?:
            transport.envelope = .legacy
            transport.frames = legacy[closest!]?.parts.count ?? 0
            transport.needed = count
        case .plain?:
            transport.frames = 1
        case nil:
            transport.frames = shares.count
            transport.needed = shares.count
        }
        return transport
    }

    /// The payload, or what is missing.
    public func finish() throws(TransportError) -> Result {
        let transport = transport
        switch closest {
        case nil:
            // What is no payload is handed on, so that it is refused by what it is.
            if let stray = plain.first, shares.isEmpty { return Result(.payload(stray), transport) }
            guard !shares.isEmpty else { throw .noCodes }
            return Result(.shares(shares), transport)
        case .plain(let payload)?:
            return Result(.payload(payload), transport)
        case .legacy?:
            let assembly = legacy[closest!]!
            guard let payload = assembly.payload else { throw .missingFrames(missing: assembly.missing, count: assembly.count) }
            return Result(.payload(payload), transport)
        case .raptorQ?:
            if let payload = raptorQ[closest!]?.payload { return Result(.payload(payload), transport) }
            let candidates = raptorQ[closest!]?.candidates.map(\.payload) ?? []
            guard !candidates.isEmpty else { throw .missingSymbols(collected: transport.frames, needed: transport.needed) }
            return Result(.unproved(candidates), transport)
        }
    }
}

/// Legacy frames of one payload.
struct LegacyAssembly: Sendable {
    let count: Int
    private(set) var parts: [Int: [UInt8]] = [:]

    init(count: Int) { self.count = count }

    mutating func add(_ frame: LegacyFrame) throws(TransportError) {
        if let known = parts[frame.index], known != frame.part { throw .frameContradicts(index: frame.index, count: count) }
        parts[frame.index] = frame.part
    }

    var missing: [Int] { (0..<count).filter { parts[$0] == nil } }

    var payload: [UInt8]? {
        guard parts.count == count else { return nil }
        return (0..<count).flatMap { parts[$0]! }
    }
}
