import FoundationEssentials
import Hashing
import RaptorQ
import SCALE
import SubstratePrimitives
import Testing
import UOS

/// Encoding and decoding are inverse to each other, byte for byte.
@Suite struct InverseLaws {
    @Test(arguments: PayloadCode.allCases, 0..<40)
    func `Every payload that is encoded reads back, and encodes to the same bytes`(
        code: PayloadCode, seed: UInt64
    ) throws {
        var generator = Generator(seed: seed << 8 | UInt64(code.rawValue))
        guard let content = generator.content(code) else {
            // A hash is refused, and an envelope is not what it holds.
            if code == .transactionHash {
                #expect(throws: PayloadError.blindSigning) {
                    try Payload(Prelude(scheme: .sr25519, code: code).bytes + generator.bytes())
                }
            } else {
                let envelopes: [PayloadCode] = [
                    .claimedFacts, .stateProof, .guardCommitment, .guardReveal, .guardPoint,
                    .loadMetadataCompressed,
                ]
                #expect(envelopes.contains(code))
            }
            return
        }
        let prelude = generator.prelude(code, of: content)
        let bytes = content.encoded(prelude: prelude)
        let payload = try Payload(bytes)
        #expect(payload.content == content)
        #expect(payload.prelude == prelude && payload.prelude.code == code)
        #expect(payload.content.encoded(prelude: payload.prelude) == bytes)
    }

    @Test(arguments: 0..<40)
    func `Compressed metadata that is encoded reads back, and encodes to the same bytes`(
        seed: UInt64
    ) throws {
        var generator = Generator(seed: seed)
        let metadata = generator.compressed()
        let scheme = metadata.signature?.key.scheme
        for scheme in scheme == .ecdsa ? [scheme, .ethereum] : [scheme] {
            let prelude = Prelude(scheme: scheme, code: .loadMetadataCompressed)
            let bytes = metadata.encoded(prelude: prelude)
            guard case .compressed(let read) = try PackedPayload(bytes) else {
                Issue.record("not compressed")
                return
            }
            #expect(read.metadata == metadata && read.prelude == prelude && read.bytes == bytes)
        }
        #expect(
            metadata.encoded()
                == metadata.encoded(prelude: .init(scheme: scheme, code: .loadMetadataCompressed)))
    }

    /// Without a prelude of its own a payload is written as the reference writes it.
    @Test(arguments: PayloadCode.allCases, 0..<8)
    func `The prelude of a content is one that it reads back with`(code: PayloadCode, seed: UInt64) throws {
        var generator = Generator(seed: seed << 8 | UInt64(code.rawValue))
        guard let content = generator.content(code) else { return }
        let payload = try Payload(content.encoded())
        #expect(payload.content == content && payload.prelude == content.prelude)
        let expected: PayloadCode = code == .transactionMortal ? .transaction : code
        #expect(payload.prelude.code == expected)
        switch content {
        case .transaction, .message: #expect(payload.prelude.scheme != nil)
        case .contactList(let list): #expect(payload.prelude.scheme == list.list.issuer.scheme)
        case .group(let message): #expect(payload.prelude.scheme == message.scheme)
        case .update(let update): #expect(payload.prelude.scheme == update.signature?.key.scheme)
        case .bulk, .importDerivations, .importPaths, .derivationsRequest:
            #expect(payload.prelude.scheme == nil)
        }
    }

    @Test(arguments: AnswerKind.allCases, 0..<40)
    func `Every answer that is encoded reads back, and encodes to the same bytes`(
        kind: AnswerKind, seed: UInt64
    ) throws {
        var generator = Generator(seed: seed)
        let answer = generator.answer(kind)
        let read = try #require(Answer(answer.bytes))
        #expect(read == answer && AnswerKind(read) == kind)
        #expect(read.bytes == answer.bytes)
        for length in 0..<answer.bytes.count where length != 128 && length != 130 {
            #expect(Answer(Array(answer.bytes.prefix(length))) == nil)
        }
        #expect(Answer(answer.bytes + [0]) == nil)
    }

    /// Two readings of the same text, which encode to the same bytes.
    @Test(arguments: [UInt8(0), 1]) func `A bare signature that looks like a MultiSignature keeps its bytes`(
        first: UInt8
    ) throws {
        let answer = Answer.message([first] + [UInt8](repeating: 7, count: 64))
        let read = try #require(Answer(answer.bytes))
        #expect(AnswerKind(read) == .transaction)
        #expect(read.bytes == answer.bytes)
    }

    @Test(arguments: 0..<80) func `Text answers a message if it is the hex of 64 or 65 bytes`(count: Int) {
        let bytes = [UInt8](repeating: 0xee, count: count)
        #expect(Answer(Array(Hex.encode(bytes).utf8)) == (count == 64 || count == 65 ? .message(bytes) : nil))
    }

    @Test(arguments: SignatureScheme.allCases)
    func `A signature travels as SufficientCrypto, unless its key is Ethereum-style`(
        scheme: SignatureScheme
    ) throws {
        var generator = Generator(seed: UInt64(scheme.rawValue))
        let key = try #require(PublicKey(scheme: scheme, bytes: generator.bytes(scheme.publicKeyLength)))
        let signature = UpdateSignature(key: key, signature: generator.bytes(scheme.signatureLength))
        guard scheme != .ethereum else {
            #expect(signature.sufficientCrypto == nil)
            return
        }
        let bytes = try #require(signature.sufficientCrypto)
        #expect(bytes == [scheme.rawValue] + key.bytes + signature.signature)
        #expect(try UpdateSignature(sufficientCrypto: bytes) == signature)
        #expect(throws: SCALEError(.leftover(count: 1), offset: bytes.count)) {
            try UpdateSignature(sufficientCrypto: bytes + [0])
        }
        let needed = scheme.signatureLength
        #expect(
            throws: SCALEError(
                .truncated(needed: needed, available: needed - 1), offset: bytes.count - needed)
        ) {
            try UpdateSignature(sufficientCrypto: bytes.dropLast())
        }
        #expect(throws: SCALEError(.invalidDiscriminant(3), offset: 0)) {
            try UpdateSignature(sufficientCrypto: [3] + bytes.dropFirst())
        }
    }

    // MARK: Frames

    @Test(arguments: PayloadCode.allCases)
    func `The frames of every payload make it again, and each reads back as its bytes`(code: PayloadCode)
        throws
    {
        var generator = Generator(seed: UInt64(code.rawValue))
        guard let payload = generator.encoded(code) else { return }
        for envelope in [PayloadAssembler.Envelope.raptorQ, .legacy, .plain, .hex] {
            var assembler = PayloadAssembler()
            for frame in try Self.frames(of: payload, envelope) {
                #expect(try QRContent(frame).bytes == frame)
                _ = try assembler.add(frame)
            }
            let result = try assembler.finish()
            #expect(result.content == .payload(payload))
            #expect(result.transport.envelope == (envelope == .hex ? .plain : envelope))
        }
    }

    private static func frames(of payload: [UInt8], _ envelope: PayloadAssembler.Envelope) throws -> [[UInt8]]
    {
        switch envelope {
        case .raptorQ: try RaptorQFrames.framesForEveryReader(of: payload, atMost: 128)
        case .legacy: try LegacyFrames.frames(of: payload, partLength: 100)
        // What is given as hex needs no frame.
        case .plain, .hex: [payload]
        }
    }

    @Test(arguments: 0..<40) func `Every content of a QR code reads back`(seed: UInt64) throws {
        var generator = Generator(seed: seed)
        let length = Int.random(in: 0...0x7fff_ffff, using: &generator)
        let contents: [QRContent] = [
            .share([UInt8(ascii: "{")] + generator.bytes()), .plain([Prelude.firstByte] + generator.bytes()),
            .raptorQ(
                payloadLength: length, packet: generator.bytes(Int.random(in: 5...90, using: &generator))[...]
            ),
            .legacy(try Self.legacy(&generator)),
        ]
        for content in contents {
            switch content {
            case .share(let bytes), .plain(let bytes): #expect(content.bytes == bytes)
            case .raptorQ(_, let packet):
                #expect(content.bytes.count == packet.count + 4 && content.bytes[0] >= 0x80)
            case .legacy(let frame):
                #expect(content.bytes.count == frame.part.count + LegacyFrames.headerLength)
            }
            #expect(try QRContent(content.bytes) == content)
        }
    }

    /// A frame of a payload of many parts, so that both bytes of count and index are in use.
    private static func legacy(_ generator: inout Generator) throws -> LegacyFrame {
        let payload = generator.bytes(Int.random(in: 1...2000, using: &generator))
        let frame = try LegacyFrames.frames(of: payload, partLength: 2).randomElement(using: &generator)!
        guard case .legacy(let read) = try QRContent(frame) else { throw TransportError.emptyCode }
        return read
    }

    // MARK: Real payloads

    private static let fixtures =
        "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/fixtures/"

    /// The lines of a file of hex.
    private static func lines(_ path: String) throws -> [[UInt8]] {
        let text = String(decoding: try Data(contentsOf: URL(filePath: fixtures + path)), as: UTF8.self)
        return try text.split(separator: "\n").map { try #require(Hex.decode($0)) }
    }

    private static func files(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: fixtures + folder).filter { $0.hasSuffix(".hex") }
            .map { "\(folder)/\($0)" }
    }

    @Test func `Every payload of the fixtures encodes to its own bytes`() throws {
        let files = try Self.files("updates") + Self.files("derived")
        #expect(files.count == 16)
        for file in files {
            let bytes = try Self.lines(file).joined()
            switch try PackedPayload(Array(bytes)) {
            case .payload(let payload): #expect(payload.content.encoded() == payload.bytes, "\(file)")
            case .compressed(let packed): #expect(packed.metadata.encoded() == packed.bytes, "\(file)")
            }
        }
    }

    @Test(arguments: [("specs-frames", "updates/specs"), ("transfer-frames", "derived/transfer-root-path-0")])
    func `Every frame of the fixtures encodes to its own bytes`(frames: String, payload: String) throws {
        let frames = try Self.lines("raptorq/\(frames).hex")
        let payload = Array(try Self.lines("\(payload).hex").joined())
        for frame in frames { #expect(try QRContent(frame).bytes == frame) }
        // The same symbols as the frames show, all but the first of the source and the first two of repair.
        let encoded = try RaptorQFrames.frames(of: payload, symbolLength: 16, repairPercent: 100)
        #expect(frames.allSatisfy(encoded.contains))
    }
}
