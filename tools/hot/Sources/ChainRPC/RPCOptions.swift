/// Limits of a conversation with a node.
public struct RPCOptions: Sendable {
    /// Seconds for the connection with its TLS and WebSocket handshakes.
    public var handshakeSeconds = 15
    /// Seconds from a request to the last byte of its answer; long enough for metadata in hex over a slow line.
    public var answerSeconds = 90
    /// Bytes of one answer. Metadata doubles in hex; the limit leaves room for growth and bounds memory.
    public var maximumAnswerBytes = 32 << 20
    /// A PEM file of certificate authorities to trust in addition to the system's.
    public var certificateAuthorities: String?
    /// Attempts at each address.
    public var attempts = 3
    /// Milliseconds before the second attempt; doubled before each further one.
    public var backOffMilliseconds = 1000
    /// Called with the number of bytes received on a connection so far, on an event loop.
    public var received: (@Sendable (Int) -> Void)?

    public init() {}
}
