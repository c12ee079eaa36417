// The Swift side of `tools/dev conformance keys` and `tools/dev conformance threshold`: answers one request a
// line, or times the primitives. A tool of the repository; its secrets are test data and pass through
// ordinary memory.
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

/// Runs `body` for about a second and prints how often a second it ran.
func time(_ name: String, _ body: () throws -> Void) rethrows {
    for _ in 0..<20 { try body() }
    let clock = ContinuousClock()
    var runs = 0
    let start = clock.now
    while clock.now - start < .seconds(1) {
        for _ in 0..<50 { try body() }
        runs += 50
    }
    let spent = (clock.now - start) / .seconds(1)
    print("\(name)\t\(Int(Double(runs) / spent))")
}

func bench() throws {
    let message = [UInt8](repeating: 7, count: 200)
    for scheme in SignatureScheme.allCases {
        let seed = SecretBytes(count: 32) { $0[0] = 1 }
        let pair = try KeyPair.derive(miniSecret: seed, path: DerivationPath("//Alice"), scheme: scheme)
        let signature = try pair.sign(message)
        time("\(scheme.name) sign") { precondition(pair.unverifiedSignature(message) != nil) }
        try time("\(scheme.name) sign, then verify") { _ = try pair.sign(message) }
        time("\(scheme.name) verify") {
            precondition(Signature.verify(signature, message: message, key: pair.publicKey))
        }
        let path = try DerivationPath("//polkadot//0")
        try time("\(scheme.name) derive two hard junctions") {
            _ = try KeyPair.derive(miniSecret: seed, path: path, scheme: scheme)
        }
    }
    let entropy = SecretBytes(count: 16) { $0[0] = 1 }
    try time("mini-secret of a phrase") { _ = try KeyPair.derive(entropy: entropy, scheme: .sr25519) }
    time("secret of 32 bytes, made and wiped") { _ = SecretBytes(count: 32).count }
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
case "bench": try bench()
default: fatalError("usage: keys-peer serve | threshold | bench")
}
