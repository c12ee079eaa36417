import Diagnostics
import TrustStore

/// Why keys are not derived or changed.
public enum KeyRefusal: Error, Equatable, Sendable {
    /// Bytes of UTF-8 that a label may have.
    public static let maximumLabelLength = 128

    /// The highest index under this path is the largest that a junction can hold.
    case noNextPath(base: String)
    /// The key is in the vault, with another path, or held by something else. The holder is what `TrustState.holder(of:)` says.
    case collision(holder: String, path: String)
    /// The key is in the vault, with everything that was asked for.
    case exists(holder: String, path: String)
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
    public enum Code: String, CaseIterable, Sendable {
        /// No index is left under a path.
        case noNextPath = "no-next-path"
        /// A key would get a second path or seed.
        case keyCollision = "key-collision"
        /// The key is already there.
        case keyExists = "key-exists"
        /// A label is too long.
        case labelTooLong = "label-too-long"
        /// A key of this scheme cannot attest.
        case schemeCannotAttest = "scheme-cannot-attest"
        /// The members of a group hold the key.
        case heldByGroup = "key-held-by-group"
        /// The key is a group's own.
        case keyOfGroup = "key-of-group"
        /// The members have not compared their group's address.
        case addressNotCompared = "address-not-compared"
    }

    /// The stable word of this error, one of ``Code``.
    public var code: Code {
        switch self {
        case .noNextPath: .noNextPath
        case .collision: .keyCollision
        case .exists: .keyExists
        case .labelTooLong: .labelTooLong
        case .schemeCannotAttest: .schemeCannotAttest
        case .heldByGroup: .heldByGroup
        case .keyOfGroup: .keyOfGroup
        case .addressNotCompared: .addressNotCompared
        }
    }

    public var sentence: String {
        switch self {
        case .noNextPath(let base): "no index is left under \(base)"
        case .collision(let holder, let path), .exists(let holder, let path):
            "this key is already in this vault, as \(path.isEmpty ? "the root key" : path) of \(holder)"
        case .labelTooLong(let count): "a label has at most \(KeyRefusal.maximumLabelLength) bytes, not \(count)"
        case .schemeCannotAttest(let scheme): "a key of scheme \(scheme) cannot attest updates"
        case .heldByGroup(let group): "the members of group \(group) hold this key together, and no machine has it whole"
        case .keyOfGroup(let group): "this is the key of group \(group), and goes only with the group"
        case .addressNotCompared(let group): "compare the address of group \(group) with the screens of all its members first"
        }
    }

    public static var examples: [KeyRefusal] {
        [
            .noNextPath(base: "//polkadot"), .collision(holder: "seed main", path: "//polkadot"),
            .exists(holder: "seed main", path: "//polkadot"),
            .labelTooLong(200), .schemeCannotAttest("ethereum"), .heldByGroup("office"),
            .keyOfGroup("office"), .addressNotCompared("office"),
        ]
    }
}

extension TrustState {
    /// - Throws: ``KeyRefusal/addressNotCompared(_:)`` for an account of a group that the members have not compared: whoever shows it first might
    ///   show a key that no others can sign for.
    public func requireCompared(_ key: KeyRecord) throws(KeyRefusal) {
        if let group = key.group.flatMap({ group($0) }) { try requireCompared(group) }
    }

    /// The one rule for all that shows or uses an account of a group: its address on a network, a derived account, a request, a share.
    func requireCompared(_ group: HeldGroup) throws(KeyRefusal) {
        guard group.isCompared else { throw .addressNotCompared(group.name) }
    }

    /// - Throws: ``KeyRefusal/heldByGroup(_:)`` for an account of a group: no act of one machine has its key.
    @discardableResult func requireSeed(of key: KeyRecord) throws(KeyRefusal) -> String {
        switch key.source {
        case .seed(let name, _, _): return name
        case .group(let transcript, _): throw .heldByGroup(group(transcript)?.name ?? transcript.hex)
        }
    }
}
