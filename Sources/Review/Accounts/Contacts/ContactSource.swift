import Hashing
import SubstratePrimitives
import TrustStore

/// Where a contact comes from, as the store keeps it.
public enum ContactSource: Equatable, Sendable {
    /// Its address was typed.
    case typed
    /// Its address was read from a QR code.
    case scanned
    /// Its account stands in an entry of the log.
    case log
    /// A signed list. The signer may be gone by now.
    case list(PublicKey)

    private static let listPrefix = "list:"

    public init?(text: String) {
        switch ExactText(text) {
        case "typed": self = .typed
        case "scanned": self = .scanned
        case "log": self = .log
        default:
            let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).map {
                String(Substring($0))
            }
            guard parts.count == 3, text.utf8Starts(with: Self.listPrefix),
                let scheme = SignatureScheme(name: parts[1]),
                let key = Hex.decode(parts[2]).flatMap({ PublicKey(scheme: scheme, bytes: $0) })
            else { return nil }
            self = .list(key)
        }
    }

    public var text: String {
        switch self {
        case .typed: "typed"
        case .scanned: "scanned"
        case .log: "log"
        case .list(let key): "\(Self.listPrefix)\(key.scheme.name):\(Hex.encode(key.bytes))"
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
    /// What a person compares over another way: the first 16 bytes of BLAKE2b-256 of scheme byte ‖ key, in
    /// groups of four digits.
    public var fingerprint: String {
        let digits = Array(Hex.encode(BLAKE2b.hash([scheme.rawValue] + bytes).prefix(16)).utf8)
        return stride(from: 0, to: digits.count, by: 4).map {
            String(decoding: digits[$0..<($0 + 4)], as: UTF8.self)
        }.joined(
            separator: " ")
    }
}
