import Diagnostics

/// Why keys are not derived or changed.
public enum KeyRefusal: Error, Equatable, Sendable {
    /// The highest index under this path is the largest that a junction can hold.
    case noNextPath(base: String)
    /// The key is in the vault, as another path or seed.
    case collision(seed: String, path: String)
    /// The key is in the vault, with everything that was asked for.
    case exists(seed: String, path: String)
    /// Bytes of the label; more than ``ChangeKey/maximumLabelLength``.
    case labelTooLong(Int)
    /// No update names keys of this scheme.
    case schemeCannotAttest(String)
}

extension KeyRefusal: DiagnosticError {
    public enum Code: String, CaseIterable, Sendable {
        case noNextPath = "no-next-path"
        case keyCollision = "key-collision"
        case keyExists = "key-exists"
        case labelTooLong = "label-too-long"
        case schemeCannotAttest = "scheme-cannot-attest"
    }

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
