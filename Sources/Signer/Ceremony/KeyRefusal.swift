import Diagnostics
import TrustStore

/// Why keys are not derived or changed.
public enum KeyRefusal: Error, Equatable, Sendable {
    /// Bytes of UTF-8 that a label may have.
    public static let maximumLabelLength = 128

    /// The highest index under this path is the largest that a junction can hold.
    case noNextPath(base: String)
    /// The key is in the vault, with another path, or held by something else. The holder is what
    /// `TrustState.holder(of:)` says; nil for an imported key.
    case collision(holder: String?, path: String)
    /// The key is in the vault, with everything that was asked for.
    case exists(holder: String?, path: String)
    /// Bytes of the label; more than ``KeyRefusal/maximumLabelLength``.
    case labelTooLong(Int)
    /// No update can name a key of this scheme as its verifier; the scheme's name.
    case schemeCannotAttest(String)
    /// The members of this group sign with the key together; no machine has it.
    case heldByGroup(String)
    /// The key is that of the group itself, which goes with the group only.
    case keyOfGroup(String)
    /// Nobody has said that the screens of all members of this group show the same address.
    case addressNotCompared(String)
}

extension KeyRefusal: DiagnosticError {
    public var diagnostic: Diagnostic {
        switch self {
        case .noNextPath(let base):
            .refused("no-next-path", "no index is left under \(base)", hint: "derive under another path")
        case .collision(let holder, let path):
            .refused(
                "key-collision", Self.held(holder, path),
                hint: holder == nil
                    ? "heliograph key remove ADDRESS removes the imported key, so that a seed can derive it"
                    : "heliograph key list")
        case .exists(let holder, let path):
            .refused(
                "key-exists", Self.held(holder, path), hint: "heliograph key list")
        case .labelTooLong(let count):
            .usage(
                "label-too-long", "a label has at most \(KeyRefusal.maximumLabelLength) bytes, not \(count)",
                hint: "shorten the label")
        case .schemeCannotAttest(let scheme):
            .refused(
                "scheme-cannot-attest", "a key of scheme \(scheme) cannot attest updates",
                hint: "heliograph key derive SEED PATH --scheme sr25519 makes a key that can")
        case .heldByGroup(let group):
            .refused(
                "key-held-by-group",
                "the members of group \(group) hold this key together, and no machine has it whole",
                hint: "use a key of a seed: heliograph key list")
        case .keyOfGroup(let group):
            .refused(
                "key-of-group", "this is the key of group \(group), and goes only with the group",
                hint: "heliograph group remove \(Hints.quoted(group))")
        case .addressNotCompared(let group):
            .refused(
                "address-not-compared",
                "compare the address of group \(group) with the screens of all its members first",
                hint: "heliograph group show \(Hints.quoted(group))")
        }
    }

    private static func held(_ holder: String?, _ path: String) -> String {
        let place = holder.map { "\(path.isEmpty ? "the root key" : path) of \($0)" } ?? "an imported key"
        return "this key is already in this vault, as \(place)"
    }

    public static var examples: [KeyRefusal] {
        [
            .noNextPath(base: "//polkadot"), .collision(holder: "seed main", path: "//polkadot"),
            .collision(holder: nil, path: ""), .exists(holder: "seed main", path: "//polkadot"),
            .exists(holder: nil, path: ""),
            .labelTooLong(200), .schemeCannotAttest("ethereum"), .heldByGroup("office"),
            .keyOfGroup("office"), .addressNotCompared("office"),
        ]
    }
}

extension TrustState {
    /// - Throws: ``KeyRefusal/addressNotCompared(_:)`` for an account of a group that the members have not
    ///   compared: the machine that shows it first might show a key for which no other member can sign.
    public func requireCompared(_ key: KeyRecord) throws(KeyRefusal) {
        if let group = key.group.flatMap({ group($0) }) { try requireCompared(group) }
    }

    /// The one rule for all that shows or uses an account of a group: its address on a network, a derived
    /// account, a request, a share.
    func requireCompared(_ group: HeldGroup) throws(KeyRefusal) {
        guard group.isCompared else { throw .addressNotCompared(group.name) }
    }

    /// - Throws: ``KeyRefusal/heldByGroup(_:)`` for an account of a group: no act of one machine has its key.
    func requireHeldHere(_ key: KeyRecord) throws(KeyRefusal) {
        switch key.source {
        case .seed, .imported: return
        case .group(let transcript, _): throw .heldByGroup(group(transcript)?.name ?? transcript.hex)
        }
    }
}
