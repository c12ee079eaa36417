import ArgumentParser
import Hashing
import Keys
import SubstratePrimitives
import UpdateGenerator

/// A verifier's signature over an update, in one of two forms.
struct SignatureOptions: ParsableArguments {
    @Option(help: "SufficientCrypto: hex, @FILE, or a picture of the QR code that attest drew") var sufficient: String?
    @Option(help: "public key, hex") var keyHex: String?
    @Option(help: "signature, hex") var signatureHex: String?
    @Option(help: "ed25519, sr25519 or ecdsa, for --key-hex and --signature-hex") var scheme: SignatureScheme?

    /// The signature, checked over the bytes that a verifier signs; nil for an unsigned update.
    func signature(over message: [UInt8]) throws -> UpdateSignature? {
        guard let signature = try read() else { return nil }
        guard Signature.verify(signature.signature, message: message, key: signature.key) else {
            throw HotError.updateSignatureWrong(key: signature.key)
        }
        return signature
    }

    private func read() throws -> UpdateSignature? {
        if let sufficient {
            guard keyHex == nil, signatureHex == nil, scheme == nil else { throw HotError.signatureOptionsIncomplete }
            return try UpdateSignature(sufficientCrypto: try AnswerInput(sufficient).bytes())
        }
        guard keyHex != nil || signatureHex != nil || scheme != nil else { return nil }
        guard let keyHex, let signatureHex, let scheme else { throw HotError.signatureOptionsIncomplete }
        guard let keyBytes = Hex.decode(keyHex) else { throw HotError.notHex(source: "--key-hex") }
        guard let signature = Hex.decode(signatureHex) else { throw HotError.notHex(source: "--signature-hex") }
        // In updates an Ethereum-style key stands for an ecdsa key.
        let wire: SignatureScheme = scheme == .ethereum ? .ecdsa : scheme
        guard let key = PublicKey(scheme: wire, bytes: keyBytes) else { throw HotError.keyLength(keyBytes.count, scheme: wire) }
        return try UpdateSignature(key: key, signature: signature)
    }
}

/// An answer of the cold side: hex, or a file of hex or bytes.
struct AnswerInput {
    let argument: String

    init(_ argument: String) { self.argument = argument }

    func bytes() throws -> [UInt8] { try Files.bytes(argument, name: "--sufficient") }
}
