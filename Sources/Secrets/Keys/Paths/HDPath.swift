import Diagnostics
import SubstratePrimitives

/// Why a text is not a path of numbers.
public enum HDPathError: Error, Equatable, Sendable {
    /// Something other than `m`, `/` and numbers below 2^31, each perhaps with `'`; the number is a byte
    /// offset.
    case malformed(offset: Int)
    /// More steps than the one byte of BIP-32 counts.
    case tooDeep
    /// A path that does not say which derivation it means, and the scheme has not exactly one.
    case kindMissing
    /// The kind of path has no keys of this scheme.
    case schemeHasNone(HDPath.Kind?, SignatureScheme)
    /// The step at this index, counted from 0, is not hardened, and the kind derives only hardened ones.
    case notHardened(HDPath.Kind, index: Int)
}

/// A path of numbers below a BIP-39 seed: `m/44'/60'/0'/0/0`, with the derivation that it is meant for.
///
/// The same numbers give different keys under each ``Kind``, and never the key of a Substrate path. So the
/// kind is part of the path and of its text. No text is a path of both types: a Substrate path is empty or
/// starts with `/`, this one with the name of its kind.
public struct HDPath: Sendable, Hashable, CustomStringConvertible {
    /// Which derivation the numbers are for.
    public enum Kind: String, Sendable, CaseIterable {
        /// BIP-32 on secp256k1, as Ethereum wallets derive.
        case bip32
        /// SLIP-10 on ed25519.
        case slip10
        /// BIP32-Ed25519 as Ledger starts it, where the left half of the last node is an ordinary ed25519
        /// seed: the keys of Ledger's Substrate apps, and of polkadot-js for `hdLedger`.
        case ledger
    }

    /// One number of a path.
    public struct Step: Sendable, Hashable {
        /// Below 2^31.
        public let number: UInt32
        /// Written with `'`: the child cannot be computed from the parent's public key.
        public let isHardened: Bool

        /// The number as the derivation takes it: 2^31 more where it is hardened.
        var index: UInt32 { isHardened ? number | Self.hardened : number }
        static let hardened: UInt32 = 1 << 31

        /// nil for a number of 2^31 or more.
        public init?(_ number: UInt32, isHardened: Bool) {
            guard number < Self.hardened else { return nil }
            self.number = number
            self.isHardened = isHardened
        }
    }

    /// BIP-32 counts the depth in one byte.
    public static let maximumDepth = 255

    /// Which derivation the steps are for.
    public let kind: Kind
    /// From the seed on; empty for the master key.
    public let steps: [Step]

    /// nil for more steps than ``maximumDepth``, or an unhardened one where ``Kind`` has none.
    public init?(_ kind: Kind, _ steps: [Step]) {
        guard steps.count <= Self.maximumDepth, Self.soft(kind, steps) == nil else { return nil }
        self.kind = kind
        self.steps = steps
    }

    /// Whether a text is meant as a path of this type, be it one or not: it starts with a kind, or with `m`
    /// as a step of its own. No Substrate path does.
    public static func isMeant(by text: String) -> Bool {
        text.utf8Equals("m") || text.utf8.starts(with: "m/".utf8) || kind(of: text).0 != nil
    }

    /// Reads `KIND:m/44'/60'/0'/0/0`, where `h` and `H` stand for `'`, too.
    /// - `scheme`: the scheme of the wanted keys; nil for any. It implies the kind of a path without one,
    ///   except for ed25519, which has two.
    public init(_ text: String, scheme: SignatureScheme? = nil) throws(HDPathError) {
        let (named, start) = Self.kind(of: text)
        var kind = named
        if let scheme {
            if kind == nil { kind = try Self.onlyKind(of: scheme) }
            if let kind { try Self.require(kind, scheme) }
        }
        guard let kind else { throw .kindMissing }
        let steps = try Self.steps(text, from: start)
        guard steps.count <= Self.maximumDepth else { throw .tooDeep }
        if let soft = Self.soft(kind, steps) { throw .notHardened(kind, index: soft) }
        self.kind = kind
        self.steps = steps
    }

    /// The kinds that have keys of a scheme.
    public static func kinds(of scheme: SignatureScheme) -> [Kind] {
        switch scheme {
        case .sr25519: []
        case .ed25519: [.slip10, .ledger]
        case .ecdsa, .ethereum: [.bip32]
        }
    }

    /// - Throws: ``HDPathError/schemeHasNone(_:_:)``
    public func requireKeys(of scheme: SignatureScheme) throws(HDPathError) {
        try Self.require(kind, scheme)
    }

    private static func require(_ kind: Kind, _ scheme: SignatureScheme) throws(HDPathError) {
        guard kinds(of: scheme).contains(kind) else { throw .schemeHasNone(kind, scheme) }
    }

    private static func onlyKind(of scheme: SignatureScheme) throws(HDPathError) -> Kind? {
        let kinds = kinds(of: scheme)
        guard !kinds.isEmpty else { throw .schemeHasNone(nil, scheme) }
        return kinds.count == 1 ? kinds[0] : nil
    }

    private static func soft(_ kind: Kind, _ steps: [Step]) -> Int? {
        switch kind {
        case .bip32: nil
        case .slip10, .ledger: steps.firstIndex { !$0.isHardened }
        }
    }

    /// The kind that a text names before its colon.
    static func kind(named text: String) -> Kind? { kind(of: text).0 }

    /// The kind that a text names, and how many bytes that takes.
    private static func kind(of text: String) -> (Kind?, Int) {
        for kind in Kind.allCases where text.utf8.starts(with: "\(kind.rawValue):".utf8) {
            return (kind, kind.rawValue.utf8.count + 1)
        }
        return (nil, 0)
    }

    /// Numbers have one spelling, so that two texts that are compared byte for byte are two paths.
    private static func steps(_ text: String, from start: Int) throws(HDPathError) -> [Step] {
        let bytes = Array(text.utf8)
        guard start < bytes.count, bytes[start] == UInt8(ascii: "m") else { throw .malformed(offset: start) }
        var place = start + 1
        var steps: [Step] = []
        while place < bytes.count {
            guard bytes[place] == UInt8(ascii: "/") else { throw .malformed(offset: place) }
            let first = place + 1
            place = first
            var number: UInt32 = 0
            while place < bytes.count, (0x30...0x39).contains(bytes[place]) {
                let digit = UInt32(bytes[place] - 0x30)
                guard number < Step.hardened / 10 + 1, place == first || bytes[first] != 0x30 else {
                    throw .malformed(offset: place)
                }
                number = number * 10 + digit
                place += 1
            }
            guard place > first, number < Step.hardened else { throw .malformed(offset: first) }
            let isHardened = place < bytes.count && [0x27, 0x68, 0x48].contains(bytes[place])
            if isHardened { place += 1 }
            // At most one step more than there may be: a text of any length is read without growing for it.
            guard steps.count <= maximumDepth, let step = Step(number, isHardened: isHardened) else { break }
            steps.append(step)
        }
        return steps
    }

    /// `m/44'/60'/0'/0/0`, without the kind.
    public var numbers: String {
        "m" + steps.map { "/\($0.number)" + ($0.isHardened ? "'" : "") }.joined()
    }

    /// The kind and the numbers: `ledger:m/44'/354'/0'/0'/0'`.
    public var description: String { "\(kind.rawValue):\(numbers)" }

    /// The path with one more step, hardened where the kind has no others; nil at the greatest depth.
    public func appending(_ number: UInt32) -> HDPath? {
        Step(number, isHardened: kind != .bip32).flatMap { HDPath(kind, steps + [$0]) }
    }

    /// The number after the highest one directly below this path among `existing`: 0 if there is none; nil if
    /// no number is left.
    public func next(after existing: some Sequence<HDPath>) -> HDPath? {
        let taken = existing.filter {
            $0.kind == kind && $0.steps.count == steps.count + 1 && $0.steps.starts(with: steps)
        }
        let highest = taken.map { $0.steps[steps.count] }.filter { $0.isHardened == (kind != .bip32) }
            .map(\.number).max()
        return appending(highest.map { $0 + 1 } ?? 0)
    }
}

extension HDPath.Kind {
    /// The standard's name, for a person.
    public var standard: String {
        switch self {
        case .bip32: "BIP-32"
        case .slip10: "SLIP-10"
        case .ledger: "Ledger's BIP32-Ed25519"
        }
    }
}

extension HDPathError: DiagnosticError {
    public var diagnostic: Diagnostic {
        switch self {
        case .malformed(let offset):
            .usage(
                "bad-number-path",
                "the path is malformed at character \(offset + 1): write m, then / and a number below "
                    + "2147483648 for each step, with ' after a hardened step", hint: Self.hint)
        case .tooDeep:
            .usage(
                "path-too-deep", "a path of numbers has at most \(HDPath.maximumDepth) steps", hint: Self.hint
            )
        case .kindMissing:
            .usage(
                "path-kind-missing",
                "the path does not say which derivation it is for: write ledger:, slip10: or bip32: before "
                    + "it", hint: "ledger: for a key of Ledger's Substrate apps, bip32: for Ethereum wallets")
        case .schemeHasNone(let kind, let scheme):
            .usage(
                "path-of-other-scheme",
                kind.map { "there are no \(scheme.name) keys in \($0.standard)" }
                    ?? "there are no \(scheme.name) keys at paths of numbers: write // and a name",
                hint: "--scheme ethereum for bip32:, --scheme ed25519 for ledger: and slip10:")
        case .notHardened(let kind, let index):
            .usage(
                "step-not-hardened",
                "step \(index + 1) of the path must be hardened: \(kind.standard) derives only hardened keys "
                    + "here", hint: "write ' or h behind each number")
        }
    }

    private static let hint = "heliograph util path PATH shows the parts of a path"

    public static var examples: [HDPathError] {
        [
            .malformed(offset: 1), .tooDeep, .kindMissing, .schemeHasNone(.bip32, .ed25519),
            .schemeHasNone(nil, .sr25519), .notHardened(.ledger, index: 3),
        ]
    }
}
