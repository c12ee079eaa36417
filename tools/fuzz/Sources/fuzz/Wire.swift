import Accounts
import GroupCollect
import Hashing
import Metadata
import RaptorQ
import SCALE
import SubstratePrimitives
import TestSupport
import TrustStore
import TrustUpdates
import UOS

func hex(_ text: String) -> [UInt8]? { Hex.decode(text) }

private let payloads = [
    "derived/request", "derived/transfer-ecdsa", "derived/transfer-root-path-0",
    "derived/transfer-root-path-proof", "derived/specs",
    "derived/metadata", "updates/asset-transfer", "updates/assets", "updates/metadata-compressed",
    "updates/metadata-compressed-unsigned",
    "updates/specs",
]

/// Messages, bulks, derivations and types, of which there are no fixtures.
private func furtherPayloads() throws -> [[UInt8]] {
    let key = [UInt8](repeating: 7, count: 32)
    let genesis = [UInt8](repeating: 9, count: 32)
    let message = [0x53, 0x01, 0x03] + key + Array("hello".utf8) + genesis
    let transfer = try fixture("derived/transfer-root-path-0")[0]
    let bulk = SCALEWriter.encode { writer in
        writer.raw([0x53, 0xff, 0x04])
        writer.vector([transfer, message]) { $0.byteVector($1) }
    }
    let types = SCALEWriter.encode { $0.byteVector([4, 4, 65, 0, 8, 117, 56]) }
    let codes = PayloadCode.allCases.map { [0x53, 0x01, $0.rawValue] + key + genesis }
    var claims = ClaimedFacts()
    (claims.fee, claims.balance, claims.time) = (159_154_905, .max, 1_700_000_000)
    let claimed = try claims.around(Payload(transfer))
    let guarded = try [transfer, claimed].flatMap { inner in
        try [.commitment(key), .reveal(GuardReveal(key, point: key))].map { (round: GuardRound) in
            try round.around(Payload(inner))
        }
    }
    return [message, bulk, [0x53, 0xff, 0x81] + types, claimed] + guarded + codes
}

/// Every message b0 to b9 of one group, of one that was dealt and of one that was reshared.
private var groupMessages: [[UInt8]] {
    ([GroupVectors.groups[0], GroupVectors.groups[2]] + GroupVectors.reshared).flatMap {
        $0.messages.map { GroupVectors.bytes($0) }
    }
}

/// Frames, each after its length in two bytes.
private func joined(_ frames: [[UInt8]]) -> [UInt8] {
    frames.flatMap { [UInt8($0.count >> 8), UInt8($0.count & 255)] + $0 }
}

private func split(_ input: [UInt8]) -> [[UInt8]] {
    var frames: [[UInt8]] = []
    var rest = input[...]
    while rest.count >= 2 {
        let length = Int(rest.removeFirst()) << 8 | Int(rest.removeFirst())
        frames.append(Array(rest.prefix(length)))
        rest = rest.dropFirst(length)
    }
    return frames
}

let wireTargets = [
    FuzzTarget(
        name: "payload", longest: 16_384,
        seeds: { try payloads.flatMap(fixture) + furtherPayloads() + groupMessages + statePayloads }
    ) { input in
        let payload: Payload
        switch try? PackedPayload(input) {
        case nil: return
        case .compressed(let update):
            return precondition(
                update.metadata.encoded(prelude: update.prelude) == input, "an update has two encodings")
        case .payload(let whole): payload = whole
        }
        precondition(
            payload.content.encoded(prelude: payload.prelude) == payload.bytes, "a payload has two encodings")
        let claimed = payload.claims.map { try! $0.around(payload) } ?? payload.bytes
        let proven = payload.state.map { try! $0.around(payload) } ?? claimed
        let whole = payload.guardRound.map { try! $0.around(payload) } ?? proven
        precondition(whole == input, "claims or a state proof have two encodings")
        if case .update(let update) = payload.content { _ = try? UnverifiedUpdate(update) }
        _ = DerivationReview(payload, seed: nil, TrustState())
    },
    // Messages of one group after their lengths in two bytes, as a coordinator collects them.
    FuzzTarget(
        name: "group", longest: 8_192,
        seeds: {
            GroupVectors.groups.prefix(1).flatMap { group in
                let making = [group.proposal] + group.contributions.map(\.message) + group.confirmations
                let signing =
                    [group.record, group.signing[0].request]
                    + group.signing[0].participants.values.map(\.share_message)
                // The first group is the one whose key was reshared.
                let resharing = GroupVectors.reshared.map {
                    [group.record, $0.proposal] + $0.contributions.map(\.message) + $0.confirmations
                }
                return ([making, signing] + resharing).map { joined($0.map { GroupVectors.bytes($0) }) }
            }
        }
    ) { input in
        let messages = split(input).compactMap { bytes -> GroupMessage? in
            guard case .group(let message)? = try? Payload(bytes).content else { return nil }
            return message
        }
        guard let progress = try? GroupCollect.collect(messages) else { return }
        let collected = progress.collected.map(\.index) + progress.missing.map(\.index)
        precondition(Set(collected).count == collected.count, "a member is collected twice or missing too")
        // What goes out is read by everyone.
        if case .message(let message) = progress.output {
            precondition(
                (try? Payload(message.bytes))?.content == .group(message), "a message that does not read back"
            )
        }
    },
    FuzzTarget(
        name: "frames",
        seeds: {
            let payload = try fixture("derived/transfer-root-path-0")[0]
            let frames = try ["raptorq/specs-frames", "raptorq/transfer-frames"].map {
                joined(try fixture($0))
            }
            return frames + [
                joined(try LegacyFrames.frames(of: payload, partLength: 60)), joined([payload]),
                joined([Array("{}".utf8)]),
            ]
        }
    ) { input in
        var assembler = PayloadAssembler()
        let frames = split(input)
        for frame in frames {
            // A dump of codewords is read as the data inside.
            if let content = try? QRContent(frame), frame[0] >> 4 != 4 {
                precondition(content.bytes == frame, "a frame has two encodings")
            }
            _ = try? assembler.add(frame)
        }
        guard let result = try? assembler.finish() else { return }
        precondition(result.transport.codes == frames.count, "a code was not counted")
        if case .payload(let bytes) = result.content {
            precondition(result.admits(bytes), "a payload is not its own")
        }
    },
    FuzzTarget(
        name: "answer",
        seeds: {
            let signature = [UInt8](repeating: 5, count: 64)
            return [
                [1] + signature, [2] + signature + [0], Array(("01" + Hex.encode(signature)).utf8),
                [0] + [UInt8](repeating: 5, count: 96),
                GuardPoint(
                    scheme: .sr25519, commitment: [UInt8](repeating: 1, count: 32),
                    payload: [UInt8](repeating: 2, count: 32), point: [UInt8](repeating: 3, count: 32)
                ).bytes,
            ]
        }
    ) { input in
        if let answer = Answer(input) {
            precondition(Answer(answer.bytes) == answer, "an answer reads back as another")
        }
        guard let signature = try? UpdateSignature(sufficientCrypto: input) else { return }
        precondition(
            [signature.key.scheme.rawValue] + signature.key.bytes + signature.signature == input,
            "a signature has two encodings")
    },
    // Payload length (4 bytes, big-endian), symbol length (1), a choice (1), then for each packet the low
    // bytes of its id (2) and a byte that says where its symbol comes from: the encoder of a payload made of
    // the input, or the input itself.
    FuzzTarget(name: "raptorq", seeds: { [[0, 0, 1, 0, 16, 0] + (0..<30).flatMap { [0, $0, 0] }] }) { input in
        guard input.count >= 6 else { return }
        let announced = input[0..<4].reduce(0) { $0 << 8 | Int($1) }
        let symbolLength = Int(input[4])
        let isAnnouncedAsIs = input[5] & 1 != 0
        let length = isAnnouncedAsIs ? announced : announced % 2000 + 1
        let payload = (0..<min(length, 2000)).map { input[$0 % input.count] }
        let numbering: RepairNumbering = input[5] & 2 != 0 ? .kPrime : .rfc6330
        guard var decoder = try? RaptorQDecoder(payloadLength: length, packetLength: symbolLength) else {
            return
        }
        let genuine =
            (try? RaptorQEncoder(payload: payload, symbolLength: symbolLength, numbering: numbering).packets(
                repair: 20)) ?? []
        var isGenuine = !isAnnouncedAsIs
        var rest = input[6...]
        while rest.count >= 3 {
            let (high, low, source) = (
                rest[rest.startIndex], rest[rest.startIndex + 1], rest[rest.startIndex + 2]
            )
            rest = rest.dropFirst(3)
            if source < 0xf0, !genuine.isEmpty {
                _ = try? decoder.add(packet: genuine[(Int(high) << 8 | Int(low)) % genuine.count])
            } else {
                let symbol = rest.prefix(symbolLength)
                rest = rest.dropFirst(symbolLength)
                isGenuine = false
                _ = try? decoder.add(packet: [source & 1, 0, high, low] + symbol)
            }
        }
        let answers = decoder.candidates
        precondition(
            answers.count <= 2 && answers.allSatisfy { $0.payload.count == length },
            "a candidate of another length")
        precondition(
            decoder.progress.isComplete == (decoder.payload != nil),
            "a payload without proof, or proof without a payload")
        guard isGenuine else { return }
        // What is proved is what was sent. Unproved readings may all be wrong, but not the one in the
        // sender's numbering.
        if let proved = decoder.payload { precondition(proved == payload, "genuine packets, wrong payload") }
        let own = answers.filter { ($0.numbering ?? numbering) == numbering }
        precondition(
            own.allSatisfy { $0.payload == payload },
            "genuine packets, a wrong payload in the sender's numbering")
    },
]
