import Compression
import FuzzDriver

@main
enum FuzzZstd {
    static func main() {
        fuzz { start, length in
            FuzzZstd.feed(Array(UnsafeBufferPointer(start: start, count: length)))
            return 0
        }
    }

    /// The longest content that a frame may announce here: small, so that a run is fast.
    private static let lengthLimit = 1 << 16

    /// Input: announced length (2 bytes, big-endian), a choice (1), then a frame, as it is or behind the header of the only kind that is read;
    /// or bytes that are compressed, with one bit flipped where the choice says.
    private static func feed(_ input: [UInt8]) {
        guard input.count >= 3 else { return }
        let announced = Int(input[0]) << 8 | Int(input[1])
        let rest = Array(input[3...])
        if input[2] & 1 != 0, !rest.isEmpty {
            guard let frame = try? ZstdFrame.compress(rest) else { preconditionFailure("bytes cannot be compressed") }
            var flipped = frame
            flipped[announced % frame.count] ^= input[2] & 0xfe
            let result = try? ZstdFrame.expand(flipped, length: UInt32(rest.count))
            precondition(result == nil || result == rest, "a flipped bit gives other bytes")
            return
        }
        let header: [UInt8] = [0x28, 0xb5, 0x2f, 0xfd, 0x64, UInt8((announced &- 256) & 0xff), UInt8((announced &- 256) >> 8 & 0xff)]
        let frame = input[2] & 2 != 0 ? header + rest : rest
        guard let bytes = try? ZstdFrame.expand(frame, length: UInt32(announced)) else { return }
        precondition(bytes.count == announced && announced < lengthLimit, "another length than was announced")
    }
}
