import FoundationEssentials
import RaptorQ

/// RaptorQ beside the Rust crate; `tools/dev conformance raptorq` makes the files and compares.
///
/// A packet file is a sequence of packets, each behind its length (u32, big-endian).
enum RaptorQBench {
    /// `raptorq-decode PAYLOAD PACKETS SYMBOL rfc6330|kPrime|both SECONDS`: decodes the packets up to the
    /// first complete answer, which has to be the payload.
    static func decode(_ arguments: [String]) throws {
        guard arguments.count == 5, let symbol = Int(arguments[2]), let seconds = Double(arguments[4]) else {
            throw BenchError.usage("raptorq-decode PAYLOAD PACKETS SYMBOL rfc6330|kPrime|both SECONDS")
        }
        let payload = try bytes(arguments[0])
        let packets = try packetFile(arguments[1])
        let numbering = try numbering(arguments[3])
        var answer: [UInt8]?
        let runs = try measure(seconds: seconds) {
            var decoder = try RaptorQDecoder(
                payloadLength: payload.count, packetLength: symbol, numbering: numbering)
            for packet in packets where try decoder.add(packet: packet).isComplete { break }
            answer = decoder.payload
        }
        guard answer == payload else {
            throw BenchError.wrongAnswer("the packets do not decode to the payload")
        }
        report(runs)
    }

    /// `raptorq-encode PAYLOAD SYMBOL REPAIR rfc6330|kPrime SECONDS [OUT]`: makes all packets, and writes
    /// them to a packet file.
    static func encode(_ arguments: [String]) throws {
        guard arguments.count >= 5, let symbol = Int(arguments[1]), let repair = Int(arguments[2]),
            let seconds = Double(arguments[4]),
            let numbering = try numbering(arguments[3])
        else { throw BenchError.usage("raptorq-encode PAYLOAD SYMBOL REPAIR rfc6330|kPrime SECONDS [OUT]") }
        let payload = try bytes(arguments[0])
        var packets: [[UInt8]] = []
        let runs = try measure(seconds: seconds) {
            packets = try RaptorQEncoder(payload: payload, symbolLength: symbol, numbering: numbering)
                .packets(repair: repair)
        }
        if arguments.count > 5 {
            let file = packets.flatMap { packet in
                withUnsafeBytes(of: UInt32(packet.count).bigEndian) { Array($0) } + packet
            }
            try Data(file).write(to: URL(filePath: arguments[5]))
        }
        report(runs)
    }

    private static func numbering(_ name: String) throws -> RepairNumbering? {
        switch name {
        case "rfc6330": .rfc6330
        case "kPrime": .kPrime
        case "both": nil
        default: throw BenchError.usage("numbering: rfc6330, kPrime or both")
        }
    }

    private static func bytes(_ path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: path)))
    }

    private static func packetFile(_ path: String) throws -> [[UInt8]] {
        var rest = try bytes(path)[...]
        var packets: [[UInt8]] = []
        while rest.count >= 4 {
            let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            packets.append(Array(rest.dropFirst(4).prefix(length)))
            rest = rest.dropFirst(4 + length)
        }
        return packets
    }
}
