import Hashing
import Keys
import SubstratePrimitives
import Threshold

/// A signer and an online machine of guarded signatures, in this process.
enum GuardedSession {
    /// `answer SCHEME SEED PAYLOAD MESSAGE REVEAL` → public key, point, signature.
    ///
    /// `lie` with the same fields → a valid signature with another nonce.
    ///
    /// `check SCHEME KEY PAYLOAD MESSAGE REVEAL POINT SIGNATURE` → whether it is made as agreed.
    static func answer(_ fields: [String]) throws -> String? {
        guard fields.count >= 6, let scheme = SignatureScheme(name: fields[1]) else { return nil }
        let words = fields[2...].compactMap { Hex.decode($0) }
        guard words.count == fields.count - 2 else { return nil }
        func guarded(_ key: PublicKey) -> GuardedSigning? {
            GuardedSigning(key: key, payload: GuardHash.payload(words[1]), message: words[2])
        }
        switch (fields[0], words.count) {
        case ("answer", 4), ("lie", 4):
            var seed = words[0]
            let pair = try KeyPair.derive(miniSecret: SecretBytes(wiping: &seed), scheme: scheme)
            guard fields[0] == "answer" else { return Hex.encode(try pair.sign(words[2])) }
            guard let guarded = guarded(pair.publicKey) else { return nil }
            let point = try guarded.point(pair, commitment: GuardHash.commitment(to: words[3]))
            let signature = try guarded.sign(pair, point: point, reveal: words[3])
            return [pair.publicKey.bytes, point, signature].map { Hex.encode($0) }.joined(separator: "\t")
        case ("check", 6):
            guard let guarded = PublicKey(scheme: scheme, bytes: words[0]).flatMap(guarded) else {
                return nil
            }
            return "\(guarded.isMade(words[5], point: words[4], reveal: words[3]))"
        default: return nil
        }
    }
}
