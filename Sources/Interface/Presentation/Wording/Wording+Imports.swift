import Ceremony
import Diagnostics
import Keys
import Lines
import SubstratePrimitives
import TerminalIO
import TrustStore

/// Keys that another wallet made.
extension Wording {
    /// In the place of a path.
    package static let importedKey = "imported key"

    package static func keystoreSource(_ path: String, version: Int, isEncrypted: Bool) -> String {
        // A long path would push the rest out of the line.
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let state = isEncrypted ? "encrypted" : "not encrypted"
        return "the keystore \(Escape.terminal(name)) (version \(version), \(state))"
    }

    /// What is imported: above the question.
    /// - Parameters:
    ///   - keys: the keys of the source, in its order.
    ///   - source: where from, escaped.
    ///   - isOpen: whether a copy of the source gives the keys to whoever has it.
    ///   - genesis: of a network that the source names and the vault does not know.
    package static func imports(
        _ keys: [ForeignKey], _ shown: ImportKeys.Shown, from source: String, isOpen: Bool,
        unknown genesis: GenesisHash?, in trust: TrustState
    ) -> [String] {
        let copy = isOpen ? "whoever has a copy of its source has it, too" : "the file and its password"
        let network =
            shown.network.map { Escape.terminal($0.name) } ?? genesis.map { "unknown, genesis 0x\($0.hex)" }
            ?? "none yet: heliograph key allow"
        let added = shown.added.flatMap { key -> [String] in
            let name = keys.first { $0.publicKey == key }?.name.map { "  " + Escape.quoted($0) } ?? ""
            let generic = key.address(prefix: 42)
            let address = key.address(prefix: shown.network?.base58Prefix ?? 42)
            var lines = [fact("key", address + name)]
            if !address.utf8Equals(generic) { lines.append(fact("generic", generic)) }
            return lines + [
                fact("scheme", key.scheme.name), fact("from", source), fact("network", network),
                fact("seed", "none: no recovery phrase restores this key"),
                fact("backup", "heliograph vault backup; \(copy)"),
            ]
        }
        let held = shown.held.map { record in
            let place = Escape.terminal(trust.place(of: record))
            return fact(
                "held",
                "\(record.publicKey.address(prefix: 42)) is already in this vault (\(place)): unchanged")
        }
        return added + held
    }

    private static func fact(_ name: String, _ value: String) -> String {
        name + String(repeating: " ", count: 9 - name.utf8.count) + value
    }

    package static func importQuestion(_ keys: Int) -> String {
        keys == 1
            ? "Import this key?"
            : "Import these \(keys) keys? --address ADDRESS imports one of them."
    }

    package static func imported(_ keys: Int) -> String {
        """
        imported \(keyCount(keys)); only heliograph vault backup backs \(keys == 1 ? "it" : "them") up
        """
    }

    package static func importedCount(_ keys: Int) -> String { Sentence.count(keys, "imported key") }

    /// Beside a copy of a seed: it does not bring these keys back. nil without such keys.
    package static func notOfSeed(_ keys: Int) -> String? {
        guard keys > 0 else { return nil }
        return
            """
            heliograph: a copy of a seed does not restore the \(importedCount(keys)) of this vault: \
            heliograph vault backup holds \(keys == 1 ? "it" : "them")
            """
    }

    /// After a seed was removed.
    package static func importedStay(_ keys: Int) -> String {
        """
        heliograph: \(importedCount(keys)) \(keys == 1 ? "stays" : "stay") in this vault: no seed gives \
        \(keys == 1 ? "it" : "them")
        """
    }

    /// Before the key's name is typed.
    package static func removeImported(_ address: String) -> String {
        """
        Remove the imported key \(Escape.terminal(address))? No seed gives it: only what it was imported \
        from, or a backup of this vault, restores it.
        """
    }

    package static func removed(_ address: String, _ key: KeyRecord) -> String {
        let rest =
            switch key.source {
            case .seed: "its seed can derive it again"
            case .group: "the record of its group can derive it again"
            case .imported: "its secret is not in this vault any more"
            }
        return "removed \(Escape.terminal(address)); \(rest)"
    }
}
