import NodeAnswers
import SubstratePrimitives

/// Limits of a conversation with a node.
public struct RPCOptions: Sendable {
    /// Seconds for the connection with its TLS and WebSocket handshakes.
    public var handshakeSeconds = 15
    /// Seconds from a request to the last byte of its answer; long enough for metadata in hex over a slow
    /// line.
    public var answerSeconds = 90
    /// Bytes of an answer with metadata, which doubles in hex; the limit leaves room for growth and bounds
    /// memory. Other answers are bounded by ``RPCMethod/maximumBytes``.
    public var maximumAnswerBytes = 32 << 20
    /// Certificate authorities to trust in addition to the system's.
    public var certificateAuthorities: CertificateAuthorities?
    /// The pinned certificates of some servers. A pin is an additional check: a certificate without a trusted
    /// authority is refused before it is compared.
    public var pins: [NodeURL.Server: ServerPin] = [:]
    /// What a server with a pin may have instead: the next key of its operator.
    public var backupPins: [NodeURL.Server: ServerPin] = [:]
    /// Whether servers without TLS 1.3, and URLs without TLS, are refused.
    public var requiresVersion13 = false
    /// What some servers get in the head of each request, such as a token. Each server gets its own alone,
    /// and only behind the checks of its certificate.
    public var headers: [NodeURL.Server: [NodeHeader]] = [:]
    /// Attempts at each address.
    public var attempts = 3
    /// Milliseconds before the second attempt; doubled before each further one.
    public var backOffMilliseconds = 1000
    /// Called with the number of bytes received on a connection so far, on an event loop.
    public var received: (@Sendable (Int) -> Void)?

    public init() {}

    /// Bytes of an answer to this method.
    func maximumBytes(of method: RPCMethod) -> Int { min(method.maximumBytes ?? .max, maximumAnswerBytes) }

    /// The error for a longer answer: only the user's own limit is worth naming.
    func excess(_ method: RPCMethod) -> RPCError {
        method.maximumBytes == nil ? .answerTooLarge(limit: maximumAnswerBytes) : .tooMuchData
    }
}

/// One header of a request, a secret of the user.
public struct NodeHeader: Sendable, Equatable {
    public let name: String
    /// Printable ASCII.
    public let value: String

    /// Headers that say how the request is read, which this program writes itself.
    private static let own: [ExactText] = [
        "host", "connection", "content-length", "content-type", "transfer-encoding", "upgrade", "te",
        "trailer", "expect",
    ]
    /// Bytes of a name or a value.
    private static let longest = 4_096

    /// nil for a header that is not one line of a request, or that this program writes itself: neither may
    /// begin another request.
    public init?(name: String, value: String) {
        let lower = name.lowercased()
        guard (1...Self.longest).contains(name.utf8.count), (1...Self.longest).contains(value.utf8.count),
            name.utf8.allSatisfy(Self.isNameByte), value.utf8.allSatisfy({ (0x20...0x7e).contains($0) }),
            !Self.own.contains(ExactText(lower)), !lower.utf8Starts(with: "sec-websocket-")
        else { return nil }
        (self.name, self.value) = (name, value)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

/// The contents of a PEM file of certificates. Whoever reads the file bounds the wait for it: a library that
/// opens a pipe which nobody writes to waits before any limit of a connection begins.
public struct CertificateAuthorities: Sendable {
    /// The file, for an error.
    public let path: String
    public let pem: [UInt8]

    /// - Parameters:
    ///   - path: the file, for an error.
    ///   - pem: its bytes.
    public init(path: String, pem: [UInt8]) {
        self.path = path
        self.pem = pem
    }
}
