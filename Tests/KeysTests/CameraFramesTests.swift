import Hashing
import TestSupport
import Testing

@testable import Keys

/// The noise of a camera as a source of a seed.
@Suite struct CameraFramesTests {
    /// Frames of a grey picture with noise of a few steps: brightness, and colour without colour.
    private static func noisy(_ count: Int = CameraFrames.required, seed: String = "noise") -> [[UInt8]] {
        var numbers = SeededGenerator.printed(seed)
        return (0..<count).map { _ in
            (0..<4096).map { $0.isMultiple(of: 2) ? 96 &+ UInt8.random(in: 0...8, using: &numbers) : 128 }
        }
    }

    private static func draw(_ frames: [[UInt8]]) -> CameraDraw {
        var taken = CameraFrames()
        for frame in frames {
            var frame = frame
            taken.add(wiping: &frame)
            #expect(frame.allSatisfy { $0 == 0 })
        }
        return taken.draw()
    }

    private static func keyed(_ domain: String, _ bytes: [UInt8]) -> [UInt8] {
        let digest = SecretBytes(count: 64)
        digest.withUnsafeMutableBytes { out in
            Array(domain.utf8).withUnsafeBytes { key in
                bytes.withUnsafeBytes { BLAKE2b.hash($0, key: key, into: out) }
            }
        }
        return plain(digest)
    }

    private static func framed(_ bytes: [UInt8]) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: bytes.count >> (8 * $0)) } + bytes
    }

    @Test func `every frame is in the hash, in its order, by the formula of the page`() {
        let frames = Self.noisy()
        var state = [UInt8](repeating: 0, count: 64)
        for frame in frames {
            let own = Self.keyed("heliograph camera frame", frame)
            state = Self.keyed("heliograph camera frames", Self.framed(state) + Self.framed(own))
        }
        let draw = Self.draw(frames)
        #expect(plain(draw.digest) == state && draw.count == 16 && draw.failure == nil)
        var seen: Set = [plain(draw.digest), plain(Self.draw(frames.reversed()).digest)]
        #expect(seen.count == 2)
        for (number, place) in [(0, 0), (7, 2048), (15, 4094), (15, 4095)] {
            var other = frames
            other[number][place] ^= 1
            #expect(seen.insert(plain(Self.draw(other).digest)).inserted, "frame \(number), byte \(place)")
        }
        for number in frames.indices {
            var other = frames
            other.remove(at: number)
            #expect(seen.insert(plain(Self.draw(other).digest)).inserted, "without frame \(number)")
        }
    }

    @Test func `a camera without noise is named`() {
        func failure(_ change: (inout [[UInt8]]) -> Void) -> FrameFault? {
            var frames = Self.noisy()
            change(&frames)
            return Self.draw(frames).failure
        }
        #expect(failure { _ in } == nil)
        #expect(failure { $0.removeLast() } == .tooFew)
        #expect(Self.draw([]).failure == .tooFew)
        // A still, a loop, and a loop of one frame less than are taken.
        #expect(failure { $0 = [[UInt8]](repeating: $0[0], count: 16) } == .repeated)
        #expect(failure { $0 = Array($0[..<2] + $0[..<2] + $0[4...]) } == .repeated)
        #expect(failure { $0[15] = $0[0] } == .repeated)
        // A covered sensor: a byte in 256 differs; at one in 64 there is noise enough.
        func covered(_ step: Int) -> FrameFault? {
            failure { frames in
                let noise = frames
                for number in frames.indices {
                    frames[number] = [UInt8](repeating: 16, count: 4096)
                    for place in stride(from: 0, to: 4096, by: step) {
                        frames[number][place] = noise[number][place &* 2 % 4096] &+ UInt8(number)
                    }
                }
            }
        }
        #expect(covered(256) == .still && covered(64) == nil)
        // A picture that counts: all bytes by one, or each by its own step.
        #expect(
            failure { frames in
                for number in frames.indices { frames[number] = frames[0].map { $0 &+ UInt8(number) } }
            } == .still)
        #expect(
            failure { frames in
                let steps = frames[1]
                for number in frames.indices {
                    frames[number] = zip(frames[0], steps).map {
                        $0 &+ $1 &* UInt8(number) &+ $1 &* $1 &* UInt8(number)
                    }
                }
            } == .steps)
    }

    @Test func `compressed frames differ in length and pass`() {
        var numbers = SeededGenerator.printed("lengths")
        let frames = (0..<16).map { number in
            [0xff, 0xd8] + (0..<(2000 + 31 * number)).map { _ in UInt8.random(in: 0...255, using: &numbers) }
        }
        #expect(Self.draw(frames).failure == nil)
        #expect(Self.draw([[UInt8]](repeating: [], count: 16)).failure != nil)
    }

    @Test func `what a child process hands over is read as it was written, and nothing else`() {
        for failure in [nil] + FrameFault.allCases.map(Optional.some) {
            var bytes = BLAKE2b.hash([3], length: 64)
            let draw = CameraDraw(SecretBytes(wiping: &bytes), count: 0x0102_0304, failure: failure)
            let read = CameraDraw(encoded: draw.encoded())
            #expect(read?.count == draw.count && read?.failure == failure)
            #expect(read.map { plain($0.digest) } == plain(draw.digest))
        }
        #expect(CameraDraw(encoded: SecretBytes(count: 68)) == nil)
        #expect(CameraDraw(encoded: SecretBytes(count: 70)) == nil)
        let unknown = SecretBytes(count: 69)
        unknown.withUnsafeMutableBytes { $0[68] = 5 }
        #expect(CameraDraw(encoded: unknown) == nil)
    }
}
