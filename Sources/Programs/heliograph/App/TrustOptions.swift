import ArgumentParser
import Hashing
import SubstratePrimitives
import TrustUpdates

/// What `--networks` names.
enum NetworkSet: String, ExpressibleByArgument, CaseIterable { case `default`, none }

extension PublicKey {
    /// What `--verifier` names: the default one, nobody, or a key as SCHEME:HEX.
    init?(verifier text: String) throws(CommandError) {
        switch text {
        case "default": self = TrustSetup.defaultVerifier
        case "none": return nil
        default:
            let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
            guard parts.count == 2, let scheme = SignatureScheme(name: parts[0]), scheme != .ethereum, let bytes = Hex.decode(parts[1]),
                let key = PublicKey(scheme: scheme, bytes: bytes)
            else { throw .badVerifier(text) }
            self = key
        }
    }
}
