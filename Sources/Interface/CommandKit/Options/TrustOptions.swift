import ArgumentParser
import Hashing
import SubstratePrimitives
import TerminalIO
import TrustUpdates

/// What `--networks` names.
package enum NetworkSet: String, ExpressibleByArgument, CaseIterable { case `default`, none }

extension PublicKey {
    /// What `--verifier` names: the default one, nobody, or a key as SCHEME:HEX.
    package init?(verifier text: String) throws(CommandError) {
        switch text {
        case "default": self = TrustSetup.defaultVerifier
        case "none": return nil
        default:
            let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
            guard parts.count == 2, let scheme = SignatureScheme(name: parts[0]), scheme != .ethereum,
                let bytes = Hex.decode(parts[1]),
                let key = PublicKey(scheme: scheme, bytes: bytes)
            else { throw .badVerifier(text) }
            self = key
        }
    }
}

extension PublicKey {
    /// `SCHEME:HEX`, with or without `0x` before the digits.
    package init(listSigner text: String) throws(CommandError) {
        guard let key = try PublicKey(verifier: text) else { throw .badVerifier(text) }
        self = key
    }
}
