import Ceremony
import Diagnostics
import Keys
import Lines
import QRCode
import Review
import SubstratePrimitives
import TerminalIO
import TrustStore

/// What stands beside a QR code: what it is, and what to do with it.
extension Wording {
    package static func signatureCaption(_ signed: [SignedTransaction]) -> String {
        var networks: [String] = []
        for name in signed.compactMap(\.reviewed.shownNetwork) where !networks.containsUTF8(of: name) {
            networks.append(name)
        }
        let whose = networks.isEmpty ? "" : " for " + networks.map(Escape.terminal).joined(separator: ", ")
        let what = signed.count == 1 ? "signature" : "\(signed.count) signatures"
        return "\(what)\(whose): show \(signed.count == 1 ? "it" : "them") to the online machine"
    }

    /// Where a key comes from, a fact a line.
    package static func keyFacts(_ key: KeyRecord, group: String?, network: NetworkSpecs) -> [String] {
        let path = (key.path.isEmpty ? "(root)" : key.path) + (key.hasPassword ? " ///password" : "")
        let facts = [
            ("address", key.publicKey.address(prefix: network.base58Prefix)),
            ("label", key.label ?? "(none)"),
            group.map { ("group", $0) } ?? ("seed", key.seed ?? ""),
            ("path", path), ("scheme", key.publicKey.scheme.name), ("network", network.name),
        ]
        return facts.map { name, value in
            name + String(repeating: " ", count: 9 - name.utf8.count) + Escape.terminal(value)
        }
    }

    /// The label, else where the key comes from.
    private static func keyName(_ key: KeyRecord, group: String?) -> String {
        if let group { return key.label ?? "group \(group)\(key.path)" }
        return key.label ?? (key.path.isEmpty ? "seed \(key.seed ?? "")" : key.path)
    }

    package static func addressCaption(_ key: KeyRecord, group: String?, network: String) -> String {
        """
        address of \(Escape.terminal(keyName(key, group: group))) on \(Escape.terminal(network)): scan it \
        with a wallet that watches or pays it
        """
    }
    package static func secretCaption(_ key: KeyRecord) -> String {
        """
        SECRET KEY of \(Escape.terminal(keyName(key, group: nil))): scan it with the signer that is to have \
        the key. Whoever sees it controls the account. Press a key to clear it
        """
    }

    package static func notDrawn(_ failure: PictureFailure) -> String {
        "heliograph: not drawn: \(failure.sentence); \(failure.hint ?? "")"
    }

    package static func seedQRTitle(_ form: SeedQR.Form, seed: String, side: Int) -> String {
        let name =
            switch form {
            case .standard: "SeedQR"
            case .compact: "CompactSeedQR"
            }
        return "\(name) of \(Escape.terminal(seed)), \(side) x \(side) modules: copy the dark ones"
    }
}
