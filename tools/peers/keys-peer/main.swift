// The Swift side of `tools/dev conformance keys`, `threshold` and `guarded`: answers one request a line, or
// times the primitives. A tool of the repository; its secrets are test data and pass through ordinary memory.
import Glibc
import Hashing
import Keys
import SubstratePrimitives

func answer(_ fields: [String]) throws -> String? {
    switch (fields.first, fields.count) {
    case ("sign", 5):
        guard let scheme = SignatureScheme(name: fields[1]), var seed = Hex.decode(fields[2]),
            let message = Hex.decode(fields[4])
        else {
            return nil
        }
        let pair = try KeyPair.derive(
            miniSecret: SecretBytes(wiping: &seed), path: DerivationPath(fields[3]), scheme: scheme)
        return Hex.encode(pair.publicKey.bytes) + "\t" + Hex.encode(try pair.sign(message))
    case ("verify", 5):
        guard let scheme = SignatureScheme(name: fields[1]), let bytes = Hex.decode(fields[2]),
            let message = Hex.decode(fields[3]),
            let signature = Hex.decode(fields[4]), let key = PublicKey(scheme: scheme, bytes: bytes)
        else { return nil }
        return "\(Signature.verify(signature, message: message, key: key))"
    case ("phrase", 3):
        let pair = try KeyPair.derive(
            phrase: SecretBytes(utf8: fields[1]), path: .root, password: SecretBytes(utf8: fields[2]),
            scheme: .sr25519)
        return pair.exportSecret().withUnsafeBytes { Hex.encode($0) }
    default: return nil
    }
}

func serve(_ answer: ([String]) throws -> String?) {
    while let line = readLine() {
        let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        print((try? answer(fields)) ?? "error")
        fflush(nil)
    }
}

switch CommandLine.arguments.dropFirst().first {
case "serve": serve(answer)
case "threshold": serve(GroupSession.answer)
case "guarded": serve(GuardedSession.answer)
default: fatalError("usage: keys-peer serve | threshold | guarded")
}
