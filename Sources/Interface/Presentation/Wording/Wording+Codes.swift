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
        let facts: [(String, String)?] = [
            ("address", key.publicKey.address(prefix: network.base58Prefix)),
            ("label", Escape.terminal(key.label ?? "(none)")),
            group.map { ("group", Escape.terminal($0)) } ?? key.seed.map { ("seed", Escape.terminal($0)) }
                ?? ("seed", "none: imported, backed up by heliograph vault backup only"),
            key.isImported ? nil : ("path", path(of: key)), pathKind(of: key),
            ("scheme", key.publicKey.scheme.name),
            ("network", Escape.terminal(network.name)),
        ]
        return facts.compactMap(\.self).map { name, value in
            name + String(repeating: " ", count: 9 - name.utf8.count) + value
        }
    }

    /// The standard of a path of numbers; nil for a Substrate path.
    private static func pathKind(of key: KeyRecord) -> (String, String)? {
        guard case .hd(let path)? = try? AccountPath(key.path, scheme: key.publicKey.scheme) else {
            return nil
        }
        return ("kind", path.kind.standard)
    }

    /// The escaped label, or the origin of a key without a label.
    private static func keyName(_ key: KeyRecord, group: String?) -> String {
        if let label = key.label { return Escape.terminal(label) }
        if let group { return Escape.terminal("group \(group)") + Escape.path(key.path) }
        if key.isImported { return "an imported key" }
        return key.path.isEmpty ? Escape.terminal("seed \(key.seed ?? "")") : Escape.path(key.path)
    }

    /// With the address: what stands above the code scrolls away.
    package static func addressCaption(_ key: KeyRecord, group: String?, network: NetworkSpecs) -> String {
        """
        \(key.publicKey.address(prefix: network.base58Prefix)) is the address of \
        \(keyName(key, group: group)) on \(Escape.terminal(network.name)): scan it with a wallet that \
        watches or pays it
        """
    }
    package static func secretCaption(_ key: KeyRecord) -> String {
        """
        SECRET KEY of \(keyName(key, group: nil)): scan it with the signer that is to have the key. Whoever \
        sees it controls the account. Press a key to clear it
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
