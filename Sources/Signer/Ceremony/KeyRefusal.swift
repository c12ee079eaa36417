import Diagnostics

/// Why keys are not derived or changed.
public enum KeyRefusal: Error, Equatable, Sendable {
    /// The highest index under this path is the largest that a junction can hold.
    case noNextPath(base: String)
    /// The key is in the vault, with another path or seed.
    case collision(seed: String, path: String)
    /// The key is in the vault, with everything that was asked for.
    case exists(seed: String, path: String)
    /// Bytes of the label; more than ``ChangeKey/maximumLabelLength``.
    case labelTooLong(Int)
    /// No update can name a key of this scheme as its verifier; the scheme's name.
    case schemeCannotAttest(String)
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
    }

    /// The stable word of this error, one of ``Code``.
    public var code: Code {
        switch self {
        case .noNextPath: .noNextPath
        case .collision: .keyCollision
        case .exists: .keyExists
        case .labelTooLong: .labelTooLong
        case .schemeCannotAttest: .schemeCannotAttest
        }
    }

    public var sentence: String {
        switch self {
        case .noNextPath(let base): "no index is left under \(base)"
        case .collision(let seed, let path), .exists(let seed, let path):
            "this key is already in this vault, as \(path.isEmpty ? "the root key" : path) of seed \(seed)"
        case .labelTooLong(let count): "a label has at most \(ChangeKey.maximumLabelLength) bytes, not \(count)"
        case .schemeCannotAttest(let scheme): "a key of scheme \(scheme) cannot attest updates"
        }
    }

    public static var examples: [KeyRefusal] {
        [
            .noNextPath(base: "//polkadot"), .collision(seed: "main", path: "//polkadot"), .exists(seed: "main", path: "//polkadot"),
            .labelTooLong(200), .schemeCannotAttest("ethereum"),
        ]
    }
}
