import CSodium
import Hashing

/// What is wrong with the frames of a camera.
public enum FrameFault: UInt8, Error, Equatable, Sendable, CaseIterable {
    /// Fewer than ``CameraFrames/required``.
    case tooFew = 1
    /// Two frames are the same: a still, or a recording that begins again.
    case repeated
    /// From one frame to the next hardly a byte changes, or nearly all by the same: the lens is covered, or
    /// nothing but a counter changes.
    case still
    /// From frame to frame the same changes: the pictures count.
    case steps
}

/// Frames of a camera as it sent them, before anything is decoded: hashed as they come, and tested.
///
/// What makes them unpredictable is the noise of the sensor, which is in every frame, whatever it shows. The
/// page `SeedMaking` has the formula.
///
/// The tests find a camera that sends a still, a loop shorter than ``required``, a frozen or covered sensor,
/// or a counting picture. A longer recording passes them, as a generator whose seed somebody knows passes
/// every test: no source is decisive.
public struct CameraFrames: ~Copyable {
    /// Frames that a seed takes.
    public static let required = 16
    /// Bytes of the hash over all of them.
    public static let length = 64
    /// No single difference of bytes between two frames may make up more than this share. Where one byte
    /// in 128 varies by noise, a frame of 600,000 bytes has 4,700 such bytes.
    private static let longestShare = (part: 127, of: 128)

    private var count = 0
    private var digest = SecretBytes(count: length)
    private var fault: FrameFault?
    private let last = WipedBytes()
    private var marks: Set<UInt64> = []
    private var lastChange: UInt64?

    public init() {}

    /// Takes the next frame, and wipes it.
    public mutating func add(wiping frame: inout [UInt8]) {
        let own = Self.hash(frame, domain: "heliograph camera frame")
        var input = FramedInput(capacity: 2 * (8 + Self.length))
        digest.withUnsafeBytes { input.append($0) }
        own.withUnsafeBytes { input.append($0) }
        digest = input.hash(domain: "heliograph camera frames", length: Self.length)
        let isNew = marks.insert(own.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }).inserted
        if count > 0 { compare(frame) }
        if !isNew { fault = .repeated }
        count += 1
        swap(&last.bytes, &frame)
        WipedBytes.wipe(&frame)
    }

    private mutating func compare(_ frame: [UInt8]) {
        var counts = [Int](repeating: 0, count: 256)
        let changes = WipedBytes()
        changes.bytes = zip(frame, last.bytes).map { $0 &- $1 }
        for change in changes.bytes { counts[Int(change)] += 1 }
        let share = Self.longestShare
        if counts.max()! * share.of >= changes.bytes.count * share.part { fault = fault ?? .still }
        let mark = Self.hash(changes.bytes, domain: "heliograph camera change")
            .withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
        if mark == lastChange { fault = fault ?? .steps }
        lastChange = mark
    }

    private static func hash(_ bytes: [UInt8], domain: String) -> SecretBytes {
        let digest = SecretBytes(count: length)
        digest.withUnsafeMutableBytes { out in
            Array(domain.utf8).withUnsafeBytes { key in
                bytes.withUnsafeBytes { BLAKE2b.hash($0, key: key, into: out) }
            }
        }
        return digest
    }

    /// What is left of them for a seed.
    public consuming func draw() -> CameraDraw {
        CameraDraw(digest, count: count, failure: fault ?? (count < Self.required ? .tooFew : nil))
    }
}

/// Memory of frames, which is zeroed when it goes.
private final class WipedBytes {
    var bytes: [UInt8] = []

    deinit { Self.wipe(&bytes) }

    static func wipe(_ bytes: inout [UInt8]) {
        bytes.withUnsafeMutableBytes { sodium_memzero($0.baseAddress, $0.count) }
    }
}

/// The camera's contribution to a seed: 64 bytes, from how many frames, and why they are left out.
public final class CameraDraw: Sendable {
    let digest: SecretBytes
    /// Frames.
    public let count: Int
    /// nil where they are good.
    public let failure: FrameFault?

    package init(_ digest: consuming SecretBytes, count: Int, failure: FrameFault?) {
        self.digest = digest
        self.count = count
        self.failure = failure
    }

    /// For the process that waits for it: the 64 bytes, the count as four bytes, little-endian, and the
    /// number of the fault, or 0.
    public func encoded() -> SecretBytes {
        let bytes = SecretBytes(count: CameraFrames.length + 5)
        bytes.withUnsafeMutableBytes { out in
            digest.withUnsafeBytes { out.copyMemory(from: $0) }
            out.storeBytes(
                of: UInt32(count).littleEndian, toByteOffset: CameraFrames.length, as: UInt32.self)
            out[CameraFrames.length + 4] = failure?.rawValue ?? 0
        }
        return bytes
    }

    /// nil for bytes that ``encoded()`` does not give.
    public init?(encoded: borrowing SecretBytes) {
        guard encoded.count == CameraFrames.length + 5 else { return nil }
        let (count, number) = encoded.withUnsafeBytes {
            (
                $0.loadUnaligned(fromByteOffset: CameraFrames.length, as: UInt32.self).littleEndian,
                $0[CameraFrames.length + 4]
            )
        }
        let failure = FrameFault(rawValue: number)
        guard number == 0 || failure != nil else { return nil }
        digest = encoded.slice(0..<CameraFrames.length)
        (self.count, self.failure) = (Int(count), failure)
    }
}
