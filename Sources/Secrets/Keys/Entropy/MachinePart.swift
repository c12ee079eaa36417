import Glibc
import Hashing

/// This machine's part of a seed: everything but the rolls of a person, hashed to 32 bytes.
///
/// All its sources are closed before the first roll, and ``commitment`` is shown then. Whoever later sees the
/// part itself can tell that it was not chosen to fit the rolls. The part and the rolls together are the
/// seed.
public struct MachinePart: ~Copyable, Sendable {
    /// Where its bytes come from, in the order in which they are hashed.
    public enum Source: String, CaseIterable, Sendable {
        /// The operating system's generator.
        case kernel
        /// How long this processor takes for the same work.
        case jitter
        /// The processor's instruction for it.
        case processor
        /// The generator of the TPM.
        case tpm
        /// What the sensor of a camera sees, and its noise.
        case camera
        /// Keys that a person pressed, and when.
        case keys
    }

    /// A source that passed its test.
    public struct Contribution: Equatable, Sendable {
        /// Which one.
        public let source: Source
        /// Bytes, frames of the camera, or strokes of keys.
        public let amount: Int
    }

    /// A source that is left out.
    public struct LeftOut: Equatable, Sendable {
        /// Which one.
        public let source: Source
        /// What its test found; nil where this machine has no such source.
        public let failure: SourceFailure?
    }

    /// Bytes of the part.
    public static let length = 32
    /// What is drawn for a seed, a multiple of what the longest needs.
    static let kernelBytes = 64, jitterBytes = 64, processorBytes = 32, tpmBytes = 32

    /// What it is made of, in order.
    public let contributions: [Contribution]
    /// What is missing in it.
    public let leftOut: [LeftOut]
    /// The part. It stays as secret as the seed.
    public let secret: SecretBytes

    /// Draws from every source of this machine; one that fails its test is left out.
    /// - `tpm`: the device of the TPM; nil for a machine without one.
    /// - `camera`: what a camera's frames gave; nil for a seed without them.
    /// - `keyPresses`: key presses of a person; empty for a seed without them.
    /// - Throws: ``SeedEntropyError/keyPresses(have:need:keys:pauses:)``
    public static func drawn(
        tpm: String? = nil, camera: CameraDraw? = nil, keyPresses: [KeyPress] = []
    ) throws(SeedEntropyError) -> MachinePart {
        try SeedEntropy.check(keyPresses)
        return MachinePart(
            drawing: [
                (.kernel, kernelBytes, MachineDraws.kernel), (.jitter, jitterBytes, MachineDraws.jitter),
                (.processor, processorBytes, MachineDraws.processor),
            ] + (tpm.map { [(.tpm, tpmBytes, MachineDraws.tpm($0))] } ?? []),
            camera: camera, keyPresses: keyPresses)
    }

    /// A part from given sources; tests put broken ones in.
    /// - Parameter sources: each with the bytes that it gives and how they are drawn and tested.
    package init(
        drawing sources: [(source: Source, bytes: Int, draw: MachineDraws.Draw)], camera: CameraDraw? = nil,
        keyPresses: [KeyPress] = []
    ) {
        var contributions: [Contribution] = []
        var leftOut: [LeftOut] = []
        // Each is its name and its bytes, both behind their lengths.
        var input = FramedInput(capacity: 1024 + 9 * keyPresses.count)
        for (source, count, draw) in sources {
            let bytes = SecretBytes(count: count)
            switch bytes.withUnsafeMutableBytes({ draw($0) }) {
            case .filled:
                input.append(text: source.rawValue)
                bytes.withUnsafeBytes { input.append($0) }
                contributions.append(Contribution(source: source, amount: count))
            case .missing: leftOut.append(LeftOut(source: source, failure: nil))
            case .failed(let failure): leftOut.append(LeftOut(source: source, failure: failure))
            }
        }
        if let camera {
            if let failure = camera.failure {
                leftOut.append(LeftOut(source: .camera, failure: .frames(failure)))
            } else {
                input.append(text: Source.camera.rawValue)
                camera.digest.withUnsafeBytes { input.append($0) }
                contributions.append(Contribution(source: .camera, amount: camera.count))
            }
        }
        if !keyPresses.isEmpty {
            let presses = KeyPress.encoded(keyPresses)
            input.append(text: Source.keys.rawValue)
            presses.withUnsafeBytes { input.append($0) }
            contributions.append(Contribution(source: .keys, amount: keyPresses.count))
        }
        self.contributions = contributions
        self.leftOut = leftOut
        secret = input.hash(domain: "heliograph machine part", length: Self.length)
    }

    /// A part that another machine showed: 64 hexadecimal digits, with blanks and line ends between them or
    /// not. nil for anything else.
    public init?(digits: borrowing SecretBytes) {
        let part = SecretBytes(count: Self.length)
        var count = 0
        for offset in 0..<digits.count {
            let byte = digits.withUnsafeBytes { $0[offset] }
            if [0x20, 0x09, 0x0a, 0x0d].contains(byte) { continue }
            let value = Character(Unicode.Scalar(byte)).hexDigitValue
            guard let value, byte < 0x80, count < 2 * Self.length else { return nil }
            part.withUnsafeMutableBytes { $0[count / 2] = $0[count / 2] << 4 | UInt8(value) }
            count += 1
        }
        guard count == 2 * Self.length else { return nil }
        contributions = []
        leftOut = []
        secret = part
    }

    /// The part as ``init(digits:)`` reads it, in eight groups on one line.
    public func digits() -> SecretBytes {
        let text = SecretBytes(count: 2 * Self.length + 7)
        var length = 0
        for index in 0..<Self.length {
            let byte = secret.withUnsafeBytes { $0[index] }
            text.withUnsafeMutableBytes { out in
                if index > 0, index.isMultiple(of: 4) {
                    out[length] = 0x20
                    length += 1
                }
                for half in [byte >> 4, byte & 15] {
                    out[length] = half < 10 ? UInt8(ascii: "0") + half : UInt8(ascii: "a") + half - 10
                    length += 1
                }
            }
        }
        return text
    }

    /// 32 bytes that fix the part and tell nothing about it.
    public var commitment: [UInt8] {
        var input = FramedInput(capacity: 8 + Self.length)
        secret.withUnsafeBytes { input.append($0) }
        return input.hash(domain: "heliograph seed commitment", length: 32).withUnsafeBytes { Array($0) }
    }

    /// Words for the first 88 bits of a commitment, 11 bits each, for a person who compares two screens.
    public static func words(of commitment: [UInt8]) -> [String] {
        (0..<8).map { word in
            var index = 0
            for bit in 11 * word..<11 * word + 11 {
                index = index << 1 | Int(commitment[bit / 8] >> UInt8(7 - bit % 8) & 1)
            }
            return WordList.english.words[index]
        }
    }

    /// Whether a seed of it needs a person's word: the kernel's generator failed, from which everything else
    /// that a vault keeps secret is drawn, or fewer than two sources beside it are left.
    /// - Parameter rolls: whether a person gave rolls that look random, which count as a source.
    public func isDoubtful(withRolls rolls: Bool) -> Bool {
        let others = contributions.count { $0.source != .kernel } + (rolls ? 1 : 0)
        return others < 2 || !contributions.contains { $0.source == .kernel }
    }

    /// What a person types to make a seed of too few sources: exactly these bytes.
    public static let word = "trust these sources"
}

extension KeyPress {
    /// Nine bytes each: the key, and its time as eight bytes, little-endian.
    static func encoded(_ presses: [KeyPress]) -> SecretBytes {
        let bytes = SecretBytes(count: 9 * presses.count)
        bytes.withUnsafeMutableBytes { out in
            for (index, press) in presses.enumerated() {
                out[9 * index] = press.byte
                out.storeBytes(
                    of: press.nanoseconds.littleEndian, toByteOffset: 9 * index + 1, as: UInt64.self)
            }
        }
        return bytes
    }
}

extension MachinePart {
    /// Where the kernel's resource manager gives each program a TPM of its own.
    public static let tpmPath = "/dev/tpmrm0"

    /// Whether anything is there.
    public static var hasTPM: Bool { access(tpmPath, F_OK) == 0 }
}
