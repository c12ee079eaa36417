import Diagnostics
import Hashing
import SCALE
import SubstratePrimitives

/// What stands around a transaction whose signature is guarded: the nonce is made in two rounds by the signer
/// and the online machine, which then sees that the signer hid nothing in it.
///
/// Like claims and a state proof it is taken off before anything reads the transaction, so the same cards,
/// policy and log apply in both rounds. The mathematics is `GuardedSigning` of `Threshold`; the page
/// `GuardedSigning.md` of `heliograph.docc` has the formulas.
public enum GuardRound: Sendable, Equatable {
    /// Code a9, the first round: a hash that fixes 32 random bytes of the online machine, 32 bytes. The
    /// answer is a ``GuardPoint``.
    case commitment([UInt8])
    /// Code aa, the second round. The answer is a signature.
    case reveal(GuardReveal)

    /// The only version.
    static let version: UInt8 = 0
    /// Bytes of every value.
    static let wordLength = 32

    /// The code of the payload that has this around a transaction.
    public var code: PayloadCode {
        switch self {
        case .commitment: .guardCommitment
        case .reveal: .guardReveal
        }
    }

    /// The commitment of either round, 32 bytes.
    public var commitment: [UInt8] {
        switch self {
        case .commitment(let commitment): commitment
        case .reveal(let reveal): reveal.commitment
        }
    }

    init(_ code: PayloadCode, from reader: inout SCALEReader) throws(PayloadError) {
        do throws(SCALEError) {
            let offset = reader.offset
            let version = try reader.u8()
            guard version == Self.version else {
                throw SCALEError(.invalidDiscriminant(version), offset: offset)
            }
            let commitment = try reader.bytes(count: Self.wordLength)
            guard code == .guardReveal else {
                self = .commitment(commitment)
                return
            }
            let point = try reader.bytes(count: Self.wordLength)
            self = .reveal(
                GuardReveal(
                    claimed: commitment, point: point, value: try reader.bytes(count: Self.wordLength)))
        } catch {
            throw .malformed(place: "guarded transaction", error)
        }
        // Before anything else is read: for another value no signature is made, whoever asks.
        if case .reveal(let reveal) = self, reveal.commitment != GuardHash.commitment(to: reveal.value) {
            throw .guarded(.reveal)
        }
    }

    /// The encoding that stands between the prelude and the transaction's payload.
    public var bytes: [UInt8] {
        switch self {
        case .commitment(let commitment): [Self.version] + commitment
        case .reveal(let reveal): [Self.version] + reveal.commitment + reveal.point + reveal.value
        }
    }
}

/// What the online machine shows in the second round.
public struct GuardReveal: Sendable, Equatable {
    /// The commitment of the first round, 32 bytes.
    public let commitment: [UInt8]
    /// The signer's point, as the online machine read it, 32 bytes.
    public let point: [UInt8]
    /// The 32 random bytes that the commitment fixed.
    public let value: [UInt8]

    /// - Parameters:
    ///   - value: 32 random bytes; the commitment is the one to them.
    ///   - point: the signer's answer to the first round, 32 bytes.
    public init(_ value: [UInt8], point: [UInt8]) {
        self.init(claimed: GuardHash.commitment(to: value), point: point, value: value)
    }

    fileprivate init(claimed commitment: [UInt8], point: [UInt8], value: [UInt8]) {
        self.commitment = commitment
        self.point = point
        self.value = value
    }
}

/// Code ab, the answer to the first round. It is sent to the online machine and holds no signature.
public struct GuardPoint: Sendable, Equatable {
    /// sr25519 or ed25519.
    public let scheme: SignatureScheme
    /// The commitment that it answers, 32 bytes.
    public let commitment: [UInt8]
    /// The hash of the payload that it is for, 32 bytes: `GuardHash.payload(_:)`.
    public let payload: [UInt8]
    /// The point of the nonce, 32 bytes. Whether it is one is checked with the key.
    public let point: [UInt8]

    /// An answer.
    /// - Parameters:
    ///   - scheme: sr25519 or ed25519.
    ///   - commitment: 32 bytes.
    ///   - payload: 32 bytes, of `GuardHash.payload(_:)`.
    ///   - point: 32 bytes.
    public init(scheme: SignatureScheme, commitment: [UInt8], payload: [UInt8], point: [UInt8]) {
        self.scheme = scheme
        self.commitment = commitment
        self.payload = payload
        self.point = point
    }

    /// nil for other bytes: one length, one version and the two schemes are read.
    init?(_ bytes: [UInt8]) {
        let word = GuardRound.wordLength
        guard bytes.count == Prelude.length + 1 + 3 * word, let prelude = try? Prelude(bytes),
            prelude.code == .guardPoint, let scheme = prelude.scheme,
            bytes[Prelude.length] == GuardRound.version,
            (try? GuardFailure.check(scheme)) != nil
        else { return nil }
        let words = (0..<3).map { number in
            let start = Prelude.length + 1 + number * word
            return Array(bytes[start..<start + word])
        }
        self.init(scheme: scheme, commitment: words[0], payload: words[1], point: words[2])
    }

    /// The answer as it is sent.
    public var bytes: [UInt8] {
        Prelude(scheme: scheme, code: .guardPoint).bytes + [GuardRound.version] + commitment + payload + point
    }
}
