import Diagnostics
import Hashing
import SCALE
import SubstratePrimitives

/// Why a text is not a derivation path.
public enum DerivationPathError: Error, Equatable, Sendable {
    /// A character other than `/` where a junction starts, or a junction without a name; the number is a byte
    /// offset.
    case malformed(offset: Int)
    /// The text holds `///`, which starts a password; a path does not carry one.
    case passwordInPath
}

/// One step of a derivation path.
public struct Junction: Sendable, Hashable {
    /// The text without its slashes; never empty, never with a `/`.
    public let name: String
    /// Written `//name`: the child cannot be computed from the parent's public key.
    public let isHard: Bool
    /// 32 bytes: a number below 2^64 as eight bytes little-endian, any other name as its SCALE string, each
    /// filled up with zeros; or the BLAKE2b-256 of the SCALE string where that is longer than 32 bytes.
    public let chainCode: [UInt8]

    public static func == (one: Junction, other: Junction) -> Bool {
        one.isHard == other.isHard && one.name.utf8Equals(other.name)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(ExactText(name))
        hasher.combine(isHard)
    }

    fileprivate init(name: Substring, isHard: Bool) {
        self.name = String(name)
        self.isHard = isHard
        var code: [UInt8]
        if let number = Self.number(name) {
            code = (0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
        } else {
            var writer = SCALEWriter()
            writer.string(String(name))
            code = writer.bytes
            if code.count > 32 { code = BLAKE2b.hash(code) }
        }
        chainCode = code + repeatElement(0, count: 32 - code.count)
    }

    /// sp-core reads a junction as a number when Rust parses it as u64: ASCII digits, perhaps after one `+`.
    private static func number(_ name: Substring) -> UInt64? {
        let digits = name.utf8.first == UInt8(ascii: "+") ? name.utf8.dropFirst() : name.utf8[...]
        guard !digits.isEmpty else { return nil }
        var number: UInt64 = 0
        for digit in digits {
            guard (0x30...0x39).contains(digit) else { return nil }
            let (product, tooLarge) = number.multipliedReportingOverflow(by: 10)
            let (sum, overflow) = product.addingReportingOverflow(UInt64(digit - 0x30))
            guard !tooLarge, !overflow else { return nil }
            number = sum
        }
        return number
    }

    /// Whether polkadot-js derives another key from this junction: it reads `0x…` as raw bytes, numbers from
    /// 2^64 on as 256-bit integers, and a number with a plus sign as a name.
    public var differsInPolkadotJS: Bool {
        let bytes = Array(name.utf8)
        if bytes.first == UInt8(ascii: "+") { return Self.number(name[...]) != nil }
        if bytes.allSatisfy({ (0x30...0x39).contains($0) }) { return Self.number(name[...]) == nil }
        guard bytes.starts(with: Array("0x".utf8)) else { return false }
        return bytes.dropFirst(2).allSatisfy {
            (0x30...0x39).contains($0) || (0x41...0x46).contains($0) || (0x61...0x66).contains($0)
        }
    }
}

/// The path part of a secret URI: `//hard` and `/soft` junctions in a row; the empty path is the root.
public struct DerivationPath: Sendable, Hashable, CustomStringConvertible {
    public let junctions: [Junction]

    public static let root = DerivationPath(junctions: [])

    private init(junctions: [Junction]) { self.junctions = junctions }

    public init(_ text: String) throws(DerivationPathError) {
        let (path, rest) = Self.scan(text)
        guard rest == text.endIndex else {
            guard !text.utf8[rest...].starts(with: "///".utf8) else { throw .passwordInPath }
            throw .malformed(offset: text.utf8.distance(from: text.startIndex, to: rest))
        }
        self = path
    }

    /// Reads as many junctions as there are and says where they end: at the end of the text, at `///`, or at
    /// an error.
    static func scan(_ text: String) -> (path: DerivationPath, rest: String.Index) {
        let slash = UInt8(ascii: "/")
        let bytes = text.utf8
        var junctions: [Junction] = []
        var rest = text.startIndex
        while rest < text.endIndex, bytes[rest] == slash {
            var name = bytes.index(after: rest)
            let isHard = name < text.endIndex && bytes[name] == slash
            if isHard { name = bytes.index(after: name) }
            let end = bytes[name...].firstIndex(of: slash) ?? text.endIndex
            guard end > name else { break }
            junctions.append(Junction(name: text[name..<end], isHard: isHard))
            rest = end
        }
        return (DerivationPath(junctions: junctions), rest)
    }

    /// Whether the path starts with the hard junction `heliograph`. Host keys of threshold groups have such
    /// paths. A host key opens its member's share of every group, so no account may use one: it would sign
    /// other payloads, or leave the vault as a QR code.
    public var isReserved: Bool { junctions.first == Self.reserved }

    private static let reserved = Junction(name: "heliograph", isHard: true)

    /// `//heliograph//host//INDEX`.
    package static func host(index: UInt32) -> DerivationPath {
        DerivationPath(junctions: [
            reserved, Junction(name: "host", isHard: true), Junction(name: "\(index)"[...], isHard: true),
        ])
    }

    public func appending(_ other: DerivationPath) -> DerivationPath {
        DerivationPath(junctions: junctions + other.junctions)
    }

    /// Whether both lead to one key. Two texts can: a number of at most 64 bits has the chain code of a name
    /// of at most seven bytes.
    public func derivesSameKey(as other: DerivationPath) -> Bool {
        junctions.count == other.junctions.count
            && zip(junctions, other.junctions).allSatisfy {
                $0.isHard == $1.isHard && $0.chainCode == $1.chainCode
            }
    }

    /// The path as it was written.
    public var description: String { junctions.map { ($0.isHard ? "//" : "/") + $0.name }.joined() }

    /// Whether every junction is hard, as ed25519 and secp256k1 keys need.
    public var isHardOnly: Bool { junctions.allSatisfy(\.isHard) }

    /// The path after the highest `base//0`, `base//1`, … among `existing`: `base//0` when there is none.
    ///
    /// nil when the highest number is the largest that a junction can hold.
    public static func next(after existing: some Sequence<DerivationPath>, base: DerivationPath)
        -> DerivationPath?
    {
        var highest: UInt64?
        for path in existing
        where path.junctions.count == base.junctions.count + 1 && path.junctions.starts(with: base.junctions)
        {
            guard let last = path.junctions.last, last.isHard, let number = UInt64(last.name),
                last.name.utf8Equals(String(number))
            else {
                continue
            }
            highest = max(highest ?? 0, number)
        }
        guard highest != .max else { return nil }
        let junction = Junction(name: "\(highest.map { $0 + 1 } ?? 0)"[...], isHard: true)
        return DerivationPath(junctions: base.junctions + [junction])
    }
}

extension DerivationPathError: DiagnosticError {
    public var diagnostic: Diagnostic {
        switch self {
        case .malformed(let offset):
            .usage(
                "bad-path",
                "the derivation path is malformed at character \(offset + 1): "
                    + "every part is / or // and a name", hint: "heliograph util path")
        case .passwordInPath:
            .usage(
                "password-in-path", "a derivation path must not contain a ///password: others could read it",
                hint: "--password-fd N")
        }
    }

    public static var examples: [DerivationPathError] { [.malformed(offset: 2), .passwordInPath] }
}
