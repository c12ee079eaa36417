import FuzzDriver
import RaptorQ

@main
enum FuzzRaptorQ {
    static func main() {
        fuzz { start, length in
            FuzzRaptorQ.feed(Array(UnsafeBufferPointer(start: start, count: length)))
            return 0
        }
    }

    /// Input: payload length (4 bytes, big-endian), symbol length (1), a choice (1), then for each packet the low bytes of its id (2)
    /// and a byte that says where its symbol comes from: the encoder of a payload made of the input, or the input itself.
    private static func feed(_ input: [UInt8]) {
        guard input.count >= 6 else { return }
        let announced = input[0..<4].reduce(0) { $0 << 8 | Int($1) }
        let symbolLength = Int(input[4])
        let isAnnouncedAsIs = input[5] & 1 != 0
        let length = isAnnouncedAsIs ? announced : announced % 2000 + 1
        let payload = (0..<min(length, 2000)).map { input[$0 % input.count] }
        let numbering: RepairNumbering = input[5] & 2 != 0 ? .kPrime : .rfc6330
        guard var decoder = try? RaptorQDecoder(payloadLength: length, packetLength: symbolLength) else { return }
        let genuine = (try? RaptorQEncoder(payload: payload, symbolLength: symbolLength, numbering: numbering).packets(repair: 20)) ?? []
        var isGenuine = !isAnnouncedAsIs
        var rest = input[6...]
        while rest.count >= 3 {
            let (high, low, source) = (rest[rest.startIndex], rest[rest.startIndex + 1], rest[rest.startIndex + 2])
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
        precondition(answers.count <= 2 && answers.allSatisfy { $0.payload.count == length }, "a candidate of another length")
        precondition(decoder.progress.isComplete == (decoder.payload != nil), "a payload without proof, or proof without a payload")
        guard isGenuine else { return }
        // What is proved is what was sent. Unproved readings may all be wrong, but not the one in the sender's numbering.
        if let proved = decoder.payload { precondition(proved == payload, "genuine packets, wrong payload") }
        let own = answers.filter { ($0.numbering ?? numbering) == numbering }
        precondition(own.allSatisfy { $0.payload == payload }, "genuine packets, a wrong payload in the sender's numbering")
    }
}
