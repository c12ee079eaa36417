import SubstratePrimitives

/// Where an account's key stands below its phrase. The two cases share no text and no key.
public enum AccountPath: Sendable, Hashable, CustomStringConvertible {
    /// `//hard/soft`, from the mini-secret of the phrase's entropy.
    case substrate(DerivationPath)
    /// `ledger:m/44'/354'/0'/0'/0'`, from the BIP-39 seed of the phrase's words.
    case hd(HDPath)

    /// Reads a path of either type.
    /// - `scheme`: of the keys that are wanted.
    /// - Throws: `DerivationPathError`, `HDPathError`
    public init(_ text: String, scheme: SignatureScheme) throws {
        self =
            HDPath.isMeant(by: text)
            ? .hd(try HDPath(text, scheme: scheme)) : .substrate(try DerivationPath(text))
    }

    /// The kind of path that a text is, as JSON names it: `substrate`, or the kind of a path of numbers.
    public static func kind(of text: String) -> String {
        HDPath.kind(named: text)?.rawValue ?? "substrate"
    }

    /// As it was written, a path of numbers always with its kind.
    public var description: String {
        switch self {
        case .substrate(let path): path.description
        case .hd(let path): path.description
        }
    }

    /// Whether no account may have it (``DerivationPath/isReserved``).
    public var isReserved: Bool {
        switch self {
        case .substrate(let path): path.isReserved
        case .hd: false
        }
    }

    /// The parts for which polkadot-js derives another key.
    public var differingInPolkadotJS: [Junction] {
        switch self {
        case .substrate(let path): path.junctions.filter(\.differsInPolkadotJS)
        case .hd: []
        }
    }

    /// The first free path below this one, counted from the highest among `existing`: `//a//3`,
    /// `m/44'/60'/3`. nil when no number is left.
    public func next(after existing: [AccountPath]) -> AccountPath? {
        switch self {
        case .substrate(let base):
            let paths = existing.compactMap { path -> DerivationPath? in
                guard case .substrate(let path) = path else { return nil }
                return path
            }
            return DerivationPath.next(after: paths, base: base).map(AccountPath.substrate)
        case .hd(let base):
            let paths = existing.compactMap { path -> HDPath? in
                guard case .hd(let path) = path else { return nil }
                return path
            }
            return base.next(after: paths).map(AccountPath.hd)
        }
    }
}
