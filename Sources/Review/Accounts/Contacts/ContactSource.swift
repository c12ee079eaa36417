import Hashing
import SubstratePrimitives
import TrustStore

/// Where a contact comes from, as the store keeps it.
public enum ContactSource: Equatable, Sendable {
    /// Its address was typed, with this prefix. A person finds the account again by the form that its owner
    /// gave. nil for an Ethereum-style address, and where an earlier program did not keep it.
    case typed(prefix: UInt16?)
    /// Its address was read from a QR code.
    case scanned(prefix: UInt16?)
    /// Its account stands in an entry of the log.
    case log
    /// A signed list. The signer may be gone by now.
    case list(PublicKey)

    public init?(text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).map {
            String(Substring($0))
        }
        let prefix = parts.count == 2 ? UInt16(parts[1]) : nil
        // Each source has exactly one text: `typed:07` is invalid.
        let isAddress = parts.count == 1 || prefix.map { String($0).utf8Equals(parts[1]) } ?? false
        switch ExactText(parts[0]) {
        case "typed" where isAddress: self = .typed(prefix: prefix)
        case "scanned" where isAddress: self = .scanned(prefix: prefix)
        case "log" where parts.count == 1: self = .log
        case "list":
            guard parts.count == 3, let scheme = SignatureScheme(name: parts[1]),
                let key = Hex.decode(parts[2]).flatMap({ PublicKey(scheme: scheme, bytes: $0) })
            else { return nil }
            self = .list(key)
        default: return nil
        }
    }

    /// What a person reads.
    public var word: String {
        switch self {
        case .typed: "typed"
        case .scanned: "scanned"
        case .log: "log"
        case .list: "list"
        }
    }

    /// As the store keeps it.
    public var text: String {
        switch self {
        case .typed(let prefix), .scanned(let prefix): word + (prefix.map { ":\($0)" } ?? "")
        case .log: word
        case .list(let key): "\(word):\(key.scheme.name):\(Hex.encode(key.bytes))"
        }
    }

    /// The prefix of the address that a person gave.
    public var prefix: UInt16? {
        switch self {
        case .typed(let prefix), .scanned(let prefix): prefix
        case .log, .list: nil
        }
    }
}

extension ContactRecord {
    /// nil for a text that no program of this layout writes.
    public var origin: ContactSource? { ContactSource(text: source) }

    /// Whether its name and note are encrypted.
    public var isPrivate: Bool { sealed != nil }
}

extension PublicKey {
    /// The digits to compare over another channel: the first 16 bytes of BLAKE2b-256 of scheme byte ‖ key, in
    /// groups of four digits.
    public var fingerprint: String {
        let digits = Array(Hex.encode(BLAKE2b.hash([scheme.rawValue] + bytes).prefix(16)).utf8)
        return stride(from: 0, to: digits.count, by: 4).map {
            String(decoding: digits[$0..<($0 + 4)], as: UTF8.self)
        }.joined(
            separator: " ")
    }
}
