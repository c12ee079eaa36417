/// Limits of a conversation with a node.
public struct RPCOptions: Sendable {
    /// Seconds until a connection, its TLS and its WebSocket handshake stand.
    public var handshakeSeconds = 15
    /// Seconds from a request to the last byte of its answer; metadata in hex must pass a slow line in that time.
    public var answerSeconds = 90
    /// Bytes of one answer. Metadata doubles in hex; this leaves room for growth and bounds memory.
    public var maximumAnswerBytes = 32 << 20
    /// A PEM file of certificate authorities to trust besides the system's.
    public var certificateAuthorities: String?
    /// How often each address is tried.
    public var tries = 3
    /// Milliseconds before the second try; doubled before each further one.
    public var backOffMilliseconds = 1000
    /// Told how many bytes have come on a connection so far; called on an event loop.
    public var received: (@Sendable (Int) -> Void)?

    public init() {}
}
