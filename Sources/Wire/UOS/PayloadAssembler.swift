import RaptorQ

/// Assembles the QR codes of a scan into one payload: any envelope, any order, with repeats, starting at any
/// frame.
///
/// Codes of another payload are counted and never mixed in. The first payload that is complete is the result.
public struct PayloadAssembler: Sendable {
    /// How the payload was spread over QR codes; the raw value is its name in JSON.
    public enum Envelope: String, Sendable {
        /// ``RaptorQFrames``.
        case raptorQ = "raptorq"
        /// ``LegacyFrame``s.
        case legacy
        /// One QR code that is the whole payload.
        case plain
        /// No QR code: the payload was given as hex.
        case hex
    }

    /// What is known of the payload that the last code belongs to.
    public enum Progress: Sendable, Equatable {
        /// The number of different frames read, and the minimum needed. Both are 0 for a code that is not a
        /// payload. Shares do not state their number here, so one more than was read is needed.
        case collecting(collected: Int, needed: Int)
        /// The frames decode, but do not prove how their sender numbered them: one more frame is needed.
        case unproved(collected: Int)
        /// The payload is complete.
        case complete
    }

    /// What came out of a scan.
    public struct Result: Sendable {
        /// What the codes carried.
        public enum Content: Sendable, Equatable {
            /// One complete payload, not yet decoded.
            case payload([UInt8])
            /// One or two readings of RaptorQ frames that prove neither numbering of repair symbols; the
            /// correct one may be missing.
            ///
            /// Wrong bytes may look like any payload, so what a reading looks like decides nothing. A valid
            /// signature does.
            case unproved([[UInt8]])
            /// Different Banana Split shares, each the JSON object of one QR code, in the order of reading.
            case shares([[UInt8]])
        }

        /// What the codes carried.
        public let content: Content
        /// How it came.
        public let transport: Transport

        /// A result for a payload that was given whole, such as hex on the command line.
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

    /// The counts that are shown to a person and given to programs.
    public struct Transport: Sendable, Equatable {
        /// That of the result, or of the payload that is nearest to completion.
        public var envelope: Envelope
        /// QR codes that were read, repeats included.
        public var codes = 0
        /// Different frames of the result.
        public var frames = 0
        /// The minimum number of frames; more than ``frames`` while the payload is incomplete.
        public var needed = 1
        /// Other payloads that codes were read of, at most 16.
        public var otherPayloads = 0
    }

    /// A scan is of one payload; a camera may catch some frames of others, and each costs memory.
    static let maximumPayloads = 16
    /// Shares of one scan: a set has no more. Any code that starts like a JSON object counts as one here, so
    /// without this bound a long scan would keep each and compare it with all others.
    static let maximumShares = 255

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

    /// An assembler that has read no code.
    public init() {}

    /// Takes the bytes of one QR code. After a payload is complete, another code can only begin a further
    /// payload or contradict the first.
    /// - Throws: ``TransportError`` for a code that no sender makes, a contradiction, or too many payloads.
    public mutating func add(_ code: [UInt8]) throws(TransportError) -> Progress {
        codes += 1
        if isComplete, payloadCount == Self.maximumPayloads { return .complete }
        switch try QRContent(code) {
        case .share(let share):
            if !shares.contains(share) {
                guard shares.count < Self.maximumShares else {
                    throw .tooManyShares(limit: Self.maximumShares)
                }
                shares.append(share)
            }
            return .collecting(collected: shares.count, needed: shares.count + 1)
        case .plain(let payload):
            if !plain.contains(payload) { plain.append(payload) }
            try bound()
            // A stray code in view, such as a web address, is another payload; only what starts like a
            // payload completes a scan.
            guard payload.first == Prelude.firstByte else { return .collecting(collected: 0, needed: 0) }
            return advance(.plain(payload), collected: 1, needed: 1, done: true)
        case .legacy(let frame): return try add(frame)
        case .raptorQ(let length, let packet): return try add(packet, of: length)
        }
    }

    private mutating func add(_ frame: LegacyFrame) throws(TransportError) -> Progress {
        guard raptorQ.isEmpty else { throw .mixedEnvelopes }
        // A frame that is a whole payload contradicts no other.
        if frame.count == 1, let first = legacy[.legacy(count: 1)]?.payload, first != frame.part {
            return add(further: frame.part)
        }
        let identity = Identity.legacy(count: frame.count)
        var assembly = legacy[identity] ?? LegacyAssembly(count: frame.count)
        try assembly.add(frame)
        legacy[identity] = assembly
        try bound()
        return advance(
            identity, collected: assembly.parts.count, needed: frame.count, done: assembly.payload != nil)
    }

    /// Once a payload is complete, nothing is added to a full list, so there is room.
    private mutating func add(further payload: [UInt8]) -> Progress {
        if !plain.contains(payload) { plain.append(payload) }
        return .complete
    }

    private mutating func add(_ packet: ArraySlice<UInt8>, of length: Int) throws(TransportError) -> Progress
    {
        guard legacy.isEmpty else { throw .mixedEnvelopes }
        let identity = Identity.raptorQ(length: length, packet: packet.count)
        do {
            // Taken out of the table while it changes, so that its symbols are not copied.
            var decoder =
                try raptorQ.removeValue(forKey: identity)
                ?? RaptorQDecoder(
                    payloadLength: length, packetLength: packet.count - EncodingPacket.headerLength)
            // Put back before the payloads are counted, so that it counts.
            let added = Swift.Result { () throws(RaptorQError) in try decoder.add(packet: packet) }
            raptorQ[identity] = decoder
            let progress = try added.get()
            try bound()
            let standing = advance(
                identity, collected: progress.collected, needed: progress.needed, done: progress.isComplete)
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

    /// The counts so far; also after a failure.
    public var transport: Transport {
        var transport = Transport(envelope: .plain, codes: codes)
        transport.otherPayloads = max(0, payloadCount - 1)
        switch closest {
        case .raptorQ?:
            let progress = raptorQ[closest!]?.progress
            transport.envelope = .raptorQ
            transport.frames = progress?.collected ?? 0
            transport.needed =
                progress.map { $0.isComplete ? $0.needed : max($0.needed, $0.collected + 1) } ?? 1
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

    /// The result of the scan. A code that is not a payload is handed on, so that decoding it says what it
    /// is.
    /// - Throws: ``TransportError/noCodes``, ``TransportError/missingFrames(missing:count:)``,
    ///   ``TransportError/missingSymbols(collected:needed:)``
    public func finish() throws(TransportError) -> Result {
        let transport = transport
        switch closest {
        case nil:
            // What is not a payload is handed on, so that it is refused by what it is.
            if let stray = plain.first, shares.isEmpty { return Result(.payload(stray), transport) }
            guard !shares.isEmpty else { throw .noCodes }
            return Result(.shares(shares), transport)
        case .plain(let payload)?:
            return Result(.payload(payload), transport)
        case .legacy?:
            let assembly = legacy[closest!]!
            guard let payload = assembly.payload else {
                throw .missingFrames(missing: assembly.missing, count: assembly.count)
            }
            return Result(.payload(payload), transport)
        case .raptorQ?:
            if let payload = raptorQ[closest!]?.payload { return Result(.payload(payload), transport) }
            let candidates = raptorQ[closest!]?.candidates.map(\.payload) ?? []
            guard !candidates.isEmpty else {
                throw .missingSymbols(collected: transport.frames, needed: transport.needed)
            }
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
        if let known = parts[frame.index], known != frame.part {
            throw .frameContradicts(index: frame.index, count: count)
        }
        parts[frame.index] = frame.part
    }

    var missing: [Int] { (0..<count).filter { parts[$0] == nil } }

    var payload: [UInt8]? {
        guard parts.count == count else { return nil }
        return (0..<count).flatMap { parts[$0]! }
    }
}
