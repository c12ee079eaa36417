import CSodium

/// Schnorr signatures on Ristretto255 as schnorrkel makes them, on libsodium's group.
///
/// Source: w3f/schnorrkel (sign, derive, keys) and sp-core's use of it: keys expand in Ed25519 mode,
/// signatures are made under the context `substrate`. A secret is 64 bytes: scalar (little-endian, below the
/// group order) ‖ nonce.
package enum Sr25519 {
    static let publicKeyLength = 32
    static let secretLength = 64
    static let signatureLength = 64

    /// A scalar or a point.
    private static let width = 32
    /// Set in the last byte of a signature to tell it from an Ed25519 one.
    package static let marker: UInt8 = 0x80

    /// The context in front of every signed message. A signature under one context never verifies under
    /// another.
    package enum Context: Sendable {
        /// Accounts, as sp-core signs.
        case substrate
        /// Files that only this program reads.
        case heliograph
        /// Messages of a threshold group, by a host key.
        case group
    }

    /// Where r comes from.
    enum Nonce {
        /// From the secret nonce, the message and 32 random bytes that the closure fills in.
        case hedged((UnsafeMutablePointer<UInt8>, Int) -> Void)
        /// From the whole secret and the message alone, under a label of its own.
        case reproducible

        /// From the operating system's random source.
        static var drawn: Nonce { .hedged { randombytes_buf($0, $1) } }
    }

    /// Signatures and derivations start from fixed states; a `static let` of a noncopyable type needs a box.
    private final class Prefix: @unchecked Sendable {
        let transcript: MerlinTranscript
        init(_ transcript: consuming MerlinTranscript) { self.transcript = transcript }
    }
    private static let substrate = signing(context: "substrate")
    private static let heliograph = signing(context: "heliograph")
    private static let group = signing(context: "heliograph-group")

    private static func signing(context: StaticString) -> Prefix {
        var transcript = MerlinTranscript(label: "SigningContext")
        transcript.append("", text: context)
        return Prefix(transcript)
    }

    private static func signing(_ context: Context) -> Prefix {
        switch context {
        case .substrate: substrate
        case .heliograph: heliograph
        case .group: group
        }
    }
    private static let derivation: Prefix = {
        var transcript = MerlinTranscript(label: "SchnorrRistrettoHDKD")
        transcript.append("sign-bytes", [])
        return Prefix(transcript)
    }()

    // MARK: Keys

    /// Ed25519 expansion: SHA-512, clamped, the scalar divided by the cofactor 8.
    static func expand(miniSecret: UnsafePointer<UInt8>, into secret: UnsafeMutablePointer<UInt8>) {
        crypto_hash_sha512(secret, miniSecret, 32)
        secret[0] &= 0b1111_1000
        secret[31] = secret[31] & 0b0011_1111 | 0b0100_0000
        divideByCofactor(secret)
    }

    /// Divides a multiple of 8 at the start of a secret by 8, in place.
    static func divideByCofactor(_ secret: UnsafeMutablePointer<UInt8>) {
        var carry: UInt8 = 0
        for index in stride(from: width - 1, through: 0, by: -1) {
            let low = secret[index] & 7
            secret[index] = secret[index] >> 3 | carry << 5
            carry = low
        }
    }

    /// The compressed point of the secret's scalar.
    static func publicKey(secret: UnsafePointer<UInt8>) -> [UInt8] {
        var point = [UInt8](repeating: 0, count: width)
        // A scalar of zero would give the identity; expansion and addition reach it with probability 2^-252.
        let status = crypto_scalarmult_ristretto255_base(&point, secret)
        precondition(status == 0, "the secret scalar is zero")
        return point
    }

    /// The mini-secret of a hard child.
    static func deriveHard(
        secret: UnsafePointer<UInt8>, chainCode: [UInt8], into miniSecret: UnsafeMutablePointer<UInt8>
    ) {
        var transcript = derivation.transcript.copy()
        transcript.append("chain-code", chainCode)
        transcript.append("secret-key", UnsafeRawBufferPointer(start: secret, count: width))
        transcript.challenge("HDKD-hard", into: UnsafeMutableRawBufferPointer(start: miniSecret, count: 32))
    }

    /// Turns the secret into that of its soft child. The child's nonce is bound to the parent's secret, not
    /// random, so that the same path always exports the same 64 bytes; the scalar is what other
    /// implementations compute.
    static func deriveSoft(secret: UnsafeMutablePointer<UInt8>, chainCode: [UInt8]) {
        var transcript = softTranscript(publicKey: publicKey(secret: secret), chainCode: chainCode)
        withSecretScratch(64 + 2 * width) { scratch in
            let wide = scratch
            let scalar = scratch + 64
            let nonce = scalar + width
            tweak(&transcript, wide: wide, into: scalar)
            let zeros = [UInt8](repeating: 0, count: 32)
            zeros.withUnsafeBytes { zeros in
                transcript.witness(
                    "HDKD-nonce", secret: UnsafeRawBufferPointer(start: secret, count: secretLength),
                    randomness: zeros,
                    into: UnsafeMutableRawBufferPointer(start: nonce, count: width))
            }
            crypto_core_ristretto255_scalar_add(secret, secret, scalar)
            (secret + width).update(from: nonce, count: width)
        }
    }

    /// The scalar that a soft junction adds to the secret scalar, and times B to the public key: 32 bytes,
    /// below the group order, known to everyone who knows the public key. A threshold group adds it to every
    /// share.
    package static func softTweak(publicKey: [UInt8], chainCode: [UInt8]) -> [UInt8] {
        var transcript = softTranscript(publicKey: publicKey, chainCode: chainCode)
        var wide = [UInt8](repeating: 0, count: 64)
        var scalar = [UInt8](repeating: 0, count: width)
        tweak(&transcript, wide: &wide, into: &scalar)
        return scalar
    }

    private static func tweak(
        _ transcript: inout MerlinTranscript, wide: UnsafeMutablePointer<UInt8>,
        into scalar: UnsafeMutablePointer<UInt8>
    ) {
        transcript.challenge("HDKD-scalar", into: UnsafeMutableRawBufferPointer(start: wide, count: 64))
        crypto_core_ristretto255_scalar_reduce(scalar, wide)
    }

    private static func softTranscript(publicKey: [UInt8], chainCode: [UInt8]) -> MerlinTranscript {
        var transcript = derivation.transcript.copy()
        transcript.append("chain-code", chainCode)
        transcript.append("public-key", publicKey)
        return transcript
    }

    // MARK: Signatures

    /// R ‖ s, 64 bytes, the marker set. A hedged nonce mixes the secret nonce, the message and fresh
    /// randomness into r, so that neither a broken random source nor a repeated message gives r away.
    ///
    /// A reproducible nonce depends on everything that the challenge depends on, except R: context, message
    /// and public key are in its transcript, and the whole secret, scalar and nonce, is its key. So one r
    /// never serves two challenges. Its label keeps it apart from every hedged r, even if the random bytes of
    /// the hedged one are zero.
    /// - Parameter nonce: the source of r; tests put a broken source in its place.
    static func sign(
        _ message: UnsafeRawBufferPointer, secret: UnsafePointer<UInt8>, publicKey: [UInt8],
        context: Context = .substrate,
        nonce: Nonce = .drawn
    ) -> [UInt8] {
        var transcript = signed(message, publicKey: publicKey, context: context)
        var signature = [UInt8](repeating: 0, count: signatureLength)
        withSecretScratch(64 + 3 * width) { scratch in
            let wide = scratch
            let r = scratch + 64
            let k = r + width
            let randomness = k + width
            let out = UnsafeMutableRawBufferPointer(start: wide, count: 64)
            let noise = UnsafeRawBufferPointer(start: randomness, count: width)
            switch nonce {
            case .hedged(let random):
                random(randomness, width)
                transcript.witness(
                    "signing", secret: UnsafeRawBufferPointer(start: secret + width, count: width),
                    randomness: noise, into: out)
            case .reproducible:
                transcript.witness(
                    "heliograph-reproducible",
                    secret: UnsafeRawBufferPointer(start: secret, count: secretLength), randomness: noise,
                    into: out)
            }
            crypto_core_ristretto255_scalar_reduce(r, wide)
            let status = crypto_scalarmult_ristretto255_base(&signature, r)
            precondition(status == 0, "the nonce scalar is zero")
            challenge(&transcript, commitment: Array(signature[..<width]), wide: wide, into: k)
            crypto_core_ristretto255_scalar_mul(k, k, secret)
            crypto_core_ristretto255_scalar_add(k, k, r)
            for index in 0..<width { signature[width + index] = k[index] }
        }
        signature[signatureLength - 1] |= marker
        return signature
    }

    /// Whether s·B = R + k·A. False also for a signature without the marker, a scalar that is not reduced,
    /// and a key that is not a point, is the identity, or has the top bit set: libsodium 1.0.18 passes over
    /// that bit, and no chain does.
    package static func verify(
        _ signature: [UInt8], message: UnsafeRawBufferPointer, publicKey: [UInt8],
        context: Context = .substrate
    ) -> Bool {
        guard signature.count == signatureLength, publicKey.count == publicKeyLength,
            signature[63] & marker != 0, publicKey[31] & 0x80 == 0
        else { return false }
        var scalar = Array(signature[width...])
        scalar[width - 1] &= ~marker
        guard isReduced(scalar) else { return false }
        var k = challenge(
            commitment: Array(signature[..<width]), message: message, publicKey: publicKey, context: context)
        crypto_core_ristretto255_scalar_negate(&k, k)
        var left = [UInt8](repeating: 0, count: width)
        var right = left
        var sum = left
        guard crypto_scalarmult_ristretto255_base(&left, scalar) == 0,
            crypto_scalarmult_ristretto255(&right, k, publicKey) == 0,
            crypto_core_ristretto255_add(&sum, left, right) == 0
        else { return false }
        return sum.elementsEqual(signature[..<width])
    }

    /// The challenge k of a signature whose commitment is R, 32 bytes below the group order. The one place
    /// that a plain signature, its verification and a threshold signature have in common.
    package static func challenge(
        commitment: [UInt8], message: UnsafeRawBufferPointer, publicKey: [UInt8],
        context: Context = .substrate
    ) -> [UInt8] {
        var transcript = signed(message, publicKey: publicKey, context: context)
        var wide = [UInt8](repeating: 0, count: 64)
        var k = [UInt8](repeating: 0, count: width)
        challenge(&transcript, commitment: commitment, wide: &wide, into: &k)
        return k
    }

    /// The transcript up to the commitment.
    private static func signed(_ message: UnsafeRawBufferPointer, publicKey: [UInt8], context: Context)
        -> MerlinTranscript
    {
        var transcript = signing(context).transcript.copy()
        transcript.append("sign-bytes", message)
        transcript.append("proto-name", text: "Schnorr-sig")
        transcript.append("sign:pk", publicKey)
        return transcript
    }

    private static func challenge(
        _ transcript: inout MerlinTranscript, commitment: [UInt8], wide: UnsafeMutablePointer<UInt8>,
        into scalar: UnsafeMutablePointer<UInt8>
    ) {
        transcript.append("sign:R", commitment)
        transcript.challenge("sign:c", into: UnsafeMutableRawBufferPointer(start: wide, count: 64))
        crypto_core_ristretto255_scalar_reduce(scalar, wide)
    }

    private static func isReduced(_ scalar: [UInt8]) -> Bool {
        var reduced = [UInt8](repeating: 0, count: width)
        crypto_core_ristretto255_scalar_reduce(&reduced, scalar + [UInt8](repeating: 0, count: width))
        return reduced == scalar
    }
}
