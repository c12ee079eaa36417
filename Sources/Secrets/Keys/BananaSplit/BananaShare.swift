import Diagnostics
import Hashing
import SubstratePrimitives

/// Why Banana Split refuses.
public enum BananaSplitError: Error, Equatable, Sendable {
    /// The bytes are not a share; the word names the part that is wrong.
    case notAShare(String)
    /// A version other than 0 and 1.
    case unknownVersion(Int)
    /// Shares of different sets; the word names what differs.
    case mixedSets(String)
    /// Two different shares claim this id.
    case conflictingShares(id: UInt8)
    case tooFewShares(have: Int, need: Int)
    /// One share more than needed does not lie on the polynomial of the others.
    case inconsistentShare(id: UInt8)
    /// The passphrase is wrong, or a share is forged.
    case wrongPassphrase
    /// The joined shares hold no marker bit.
    case noSecret
    /// Required is 2…total, total at most 255.
    case shareCount(total: Int, required: Int)
    /// A title has 1 to 256 bytes, a passphrase at least one, a secret 1 to 1024 bytes.
    case length(String)
    /// scrypt could not get its 32 MiB.
    case outOfMemory
    /// What was split did not join to the same secret; no share was returned.
    case checkFailed
}

/// One share of a Banana Split set: the JSON object `{"v":1,"t":title,"r":required,"d":data,"n":nonce}`.
///
/// `d` is one base-36 digit for the bits of the field (8), then the share id and the share's bytes: base64 in
/// version 1, hexadecimal in version 0. `n` is the nonce of 24 bytes, base64, in version 0 usually
/// hexadecimal.
public struct BananaShare: Sendable, Equatable {
    /// 0 or 1.
    public let version: Int
    public let title: String
    /// Shares that join to the secret, 2…255.
    public let required: Int
    /// 1…255, the number of the share in its set.
    public let id: UInt8
    let values: [UInt8]
    /// 24 bytes.
    let nonce: [UInt8]

    public static func == (one: BananaShare, other: BananaShare) -> Bool {
        one.version == other.version && one.title.utf8Equals(other.title) && one.required == other.required
            && one.id == other.id
            && one.values == other.values && one.nonce == other.nonce
    }

    static let nonceLength = 24
    static let titleLimit = 256
    /// Bytes of a share's text: a secret of 1024 bytes in hexadecimal, a title and the braces fit.
    private static let textLimit = 8192

    init(version: Int, title: String, required: Int, id: UInt8, values: [UInt8], nonce: [UInt8]) {
        self.version = version
        self.title = title
        self.required = required
        self.id = id
        self.values = values
        self.nonce = nonce
    }

    /// Reads the text of a share.
    public init(_ bytes: [UInt8]) throws(BananaSplitError) {
        guard bytes.count <= Self.textLimit else { throw .notAShare("length") }
        guard case .object(let members)? = try? StrictJSON.parse(bytes, depthLimit: 1) else {
            throw .notAShare("json")
        }
        switch members["v"] {
        case nil: version = 0
        case .number(let number): version = number
        default: throw .notAShare("v")
        }
        guard version == 0 || version == 1 else { throw .unknownVersion(version) }
        guard case .string(let title) = members["t"], (1...Self.titleLimit).contains(title.utf8.count) else {
            throw .notAShare("t")
        }
        guard case .number(let required) = members["r"], (2...255).contains(required) else {
            throw .notAShare("r")
        }
        guard case .string(let data) = members["d"], data.utf8.first == UInt8(ascii: "8") else {
            throw .notAShare("d")
        }
        let body = String(decoding: data.utf8.dropFirst(), as: UTF8.self)
        guard let point = version == 0 ? Self.plainHex(body) : Base64.decode(body), point.count >= 2,
            point[0] != 0
        else {
            throw .notAShare("d")
        }
        guard case .string(let nonceText) = members["n"] else { throw .notAShare("n") }
        let nonce =
            nonceText.utf8.count == 2 * Self.nonceLength ? Self.plainHex(nonceText) : Base64.decode(nonceText)
        guard let nonce, nonce.count == Self.nonceLength else { throw .notAShare("n") }
        self.title = title
        self.required = required
        self.nonce = nonce
        id = point[0]
        values = Array(point.dropFirst())
    }

    private static func plainHex(_ text: String) -> [UInt8]? {
        text.utf8Starts(with: "0x") ? nil : Hex.decode(text)
    }

    /// The text of the share, as the QR code carries it: version 1, ASCII.
    public var text: String {
        let data = "8" + Base64.encode([id] + values)
        return
            "{\"v\":1,\"t\":\(StrictJSON.quote(title)),\"r\":\(required),\"d\":\(StrictJSON.quote(data)),\"n\":\"\(Base64.encode(nonce))\"}"
    }
}

extension BananaSplitError: DiagnosticError {
    public var diagnostic: Diagnostic {
        switch self {
        case .notAShare(let part):
            .badInput(
                "not-a-share", "the QR code is not a Banana Split share (\(part))",
                hint: "heliograph help seed join")
        case .unknownVersion(let version):
            .badInput(
                "share-version", "shares of version \(version) are not supported",
                hint: "heliograph help seed join")
        case .mixedSets(let part):
            .badInput(
                "mixed-shares", "the shares belong to different sets: their \(part) differs",
                hint: "scan the shares of one set alone")
        case .conflictingShares(let id):
            .badInput(
                "conflicting-shares", "two different shares have number \(id)",
                hint: "scan the shares of one set alone")
        case .tooFewShares(let have, let need):
            .refused(
                "too-few-shares",
                "there \(Sentence.be(have)) \(Sentence.count(have, "share")), and \(need) are needed",
                hint: "name the pictures of the other shares in the same command too")
        case .inconsistentShare(let id):
            .badInput(
                "inconsistent-share", "share \(id) does not match the others",
                hint: "scan the shares of one set alone")
        case .wrongPassphrase:
            .notPermitted(
                "wrong-split-passphrase", "the passphrase of the shares is wrong, or a share was changed",
                hint: "type the passphrase that was shown when the shares were made")
        case .noSecret:
            .badInput(
                "inconsistent-share", "the shares hold no seed: one of them was changed",
                hint: "scan the shares of one set alone")
        case .shareCount(let total, let required):
            .usage(
                "share-count",
                "\(required) of \(total) shares is not possible: at least 2 are required, of at most 255",
                hint: "heliograph help seed split")
        case .length(let part):
            .usage("share-length", "the \(part) is empty or too long", hint: "heliograph help seed split")
        case .outOfMemory:
            .inputOutput(
                "out-of-memory", "there is not enough memory to derive the key of the shares",
                hint: "end other programs")
        case .checkFailed:
            .inputOutput(
                "self-check",
                "the new shares do not join to the seed and were discarded: hardware fault or bug",
                hint: "heliograph self-test")
        }
    }

    public static var examples: [BananaSplitError] {
        [
            .notAShare("JSON"), .unknownVersion(2), .mixedSets("title"), .conflictingShares(id: 2),
            .tooFewShares(have: 1, need: 2),
            .inconsistentShare(id: 3), .wrongPassphrase, .noSecret, .shareCount(total: 3, required: 1),
            .length("title"), .outOfMemory,
            .checkFailed,
        ]
    }
}
