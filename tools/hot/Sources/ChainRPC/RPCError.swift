import SubstratePrimitives

/// Why a node did not answer, or why its answer is of no use.
public enum RPCError: Error, Equatable, Sendable {
    public enum Phase: String, Sendable {
        case handshake
        case answer
    }

    /// No such name, nobody listens there, no route. The text is the system's.
    case cannotConnect(reason: String)
    /// The certificate names another host.
    case certificateForAnotherName(host: String)
    /// TLS failed otherwise: an unknown issuer, an expired certificate, no TLS at all. The text is the library's.
    case tls(reason: String)
    /// The file with further certificate authorities cannot be used.
    case cannotReadCertificates(path: String)
    /// The server speaks HTTP and refuses to speak WebSocket.
    case webSocketRefused
    /// HTTP status other than 200.
    case status(Int)
    case timedOut(seconds: Int, Phase)
    /// The connection ended before the answer did.
    case cutOff
    /// Limit in bytes.
    case answerTooLarge(limit: Int)
    case invalidJSON
    /// JSON, and no answer of JSON-RPC 2.0.
    case notAnAnswer
    /// The node's own refusal.
    case refusedByNode(code: Int64, message: String)
    /// The answer to `method` has another shape than its documentation says.
    case unexpectedAnswer(method: String)
    case wrongChain(expected: GenesisHash, found: GenesisHash)
    case noSuchBlock(String)
    /// Following what happens needs `ws://` or `wss://`.
    case needsWebSocket

    /// True when asking the same node again cannot help.
    public var isFinal: Bool {
        switch self {
        case .wrongChain, .noSuchBlock, .needsWebSocket, .cannotReadCertificates: true
        default: false
        }
    }
}

/// Every attempt at every address failed.
public struct AllNodesFailed: Error, Equatable, Sendable {
    public struct Attempt: Equatable, Sendable {
        public let url: NodeURL
        /// From 1.
        public let number: Int
        public let error: RPCError
    }

    public let attempts: [Attempt]
}
