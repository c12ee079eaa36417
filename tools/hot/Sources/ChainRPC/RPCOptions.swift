import NodeAnswers

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
