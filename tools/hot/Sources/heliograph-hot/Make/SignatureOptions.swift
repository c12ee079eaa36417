import ArgumentParser
import Hashing
import Keys
import SubstratePrimitives
import UOS

/// A verifier's signature over an update, in one of two forms.
struct SignatureOptions: ParsableArguments {
    @Option(
        help: "A verifier's signature (SufficientCrypto): hex, @FILE, or the picture from heliograph attest.")
    var sufficient: String?
    @Option(help: "The verifier's public key, hex.") var keyHex: String?
    @Option(help: "The verifier's signature, hex.") var signatureHex: String?
    @Option(help: "The scheme of --key-hex: ed25519, sr25519 or ecdsa.") var scheme: SignatureScheme?
    @Option(
        help: "Sign with this path of the development phrase, e.g. //Alice, for tests (sr25519, or --scheme)."
    ) var testKey: String?

    @Flag(help: "Leave out the signature that an earlier make or import stored.") var unsigned = false

    @OptionGroup var scanner: ScannerOptions

    /// Whether a signature is named or made here.
    var isGiven: Bool { sufficient != nil || keyHex != nil || signatureHex != nil || scheme != nil || isTest }

    /// Whether anyone can make the signature.
    var isTest: Bool { testKey != nil }

    /// The verified signature over these bytes; nil if the options hold none.
    func attestation(over message: [UInt8]) throws -> VerifiedSignature? {
        guard let attestation = try testSignature(over: message) ?? read() else { return nil }
        guard !unsigned else { throw HotError.signatureOptionsIncomplete }
        guard let verified = VerifiedSignature(attestation, over: message) else {
            throw HotError.updateSignatureWrong(key: attestation.key)
        }
        return verified
    }

    private func testSignature(over message: [UInt8]) throws -> UpdateSignature? {
        guard let testKey else { return nil }
        guard !testKey.utf8.isEmpty else { throw HotError.valueMissing("--test-key") }
        guard sufficient == nil, keyHex == nil, signatureHex == nil else {
            throw HotError.signatureOptionsIncomplete
        }
        // In updates an Ethereum-style key counts as an ecdsa key.
        let wire: SignatureScheme = scheme == .ethereum ? .ecdsa : scheme ?? .sr25519
        try DerivationPath.require(testKey, scheme: wire)
        let pair = try DevelopmentKeys.pair(testKey, wire)
        return UpdateSignature(key: pair.publicKey, signature: try pair.sign(message))
    }

    private func read() throws -> UpdateSignature? {
        if let sufficient {
            guard keyHex == nil, signatureHex == nil, scheme == nil else {
                throw HotError.signatureOptionsIncomplete
            }
            return try fromSufficientCrypto(sufficient)
        }
        guard keyHex != nil || signatureHex != nil || scheme != nil else { return nil }
        guard let keyHex, let signatureHex, let scheme else { throw HotError.signatureOptionsIncomplete }
        guard let keyBytes = Hex.decode(keyHex) else { throw HotError.notHex(source: "--key-hex") }
        guard let signature = Hex.decode(signatureHex) else {
            throw HotError.notHex(source: "--signature-hex")
        }
        // In updates an Ethereum-style key counts as an ecdsa key.
        let wire: SignatureScheme = scheme == .ethereum ? .ecdsa : scheme
        guard let key = PublicKey(scheme: wire, bytes: keyBytes) else {
            throw HotError.keyLength(keyBytes.count, scheme: wire)
        }
        return UpdateSignature(key: key, signature: signature)
    }

    /// From hex, from a file, or from a picture with exactly one such code.
    private func fromSufficientCrypto(_ argument: String) throws -> UpdateSignature {
        if argument.hasPrefix("@") || Hex.decode(argument) != nil {
            return try UpdateSignature(sufficientCrypto: try Files.bytes(argument, name: "--sufficient"))
        }
        // An ed25519 structure starts with 00 like a legacy frame, so the code is not unwrapped.
        let found = try scanner.codes(in: [argument]).compactMap {
            try? UpdateSignature(sufficientCrypto: $0)
        }
        guard let attestation = found.first, found.count == 1 else {
            throw HotError.noSignatureInPicture(path: argument)
        }
        return attestation
    }
}
