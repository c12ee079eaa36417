import Diagnostics
import SubstratePrimitives

/// Why a node did not answer, or why its answer cannot be used.
public enum RPCError: Error, Equatable, Sendable {
    public enum Phase: Sendable, Equatable {
        case handshake
        case answer
    }

    /// The name does not resolve, nothing listens there, or there is no route. The text is the system's.
    case cannotConnect(reason: String)
    /// The certificate names another host.
    case certificateForAnotherName(host: String)
    case tls(TLSFault)
    /// The file with additional certificate authorities cannot be used.
    case cannotReadCertificates(path: String)
    /// The server speaks HTTP and refuses to upgrade to WebSocket.
    case webSocketRefused
    /// HTTP status other than 200.
    case status(Int)
    case timedOut(seconds: Int, Phase)
    /// The connection ended before the answer did.
    case cutOff
    /// Limit in bytes.
    case answerTooLarge(limit: Int)
    case invalidJSON
    /// JSON, but not an answer of JSON-RPC 2.0.
    case notAnAnswer
    /// The node's own refusal.
    case refusedByNode(code: Int64, message: String)
    /// The answer to `method` does not have the documented shape.
    case unexpectedAnswer(method: String)
    case wrongChain(expected: GenesisHash, found: GenesisHash)
    case noSuchBlock(String)
    /// Following a transaction needs `ws://` or `wss://`.
    case needsWebSocket

    /// True when asking the same node again cannot help.
    public var isFinal: Bool {
        switch self {
        case .wrongChain, .noSuchBlock, .needsWebSocket, .cannotReadCertificates: true
        case .cannotConnect, .certificateForAnotherName, .tls, .webSocketRefused, .status, .timedOut, .cutOff, .answerTooLarge,
            .invalidJSON, .notAnAnswer, .refusedByNode, .unexpectedAnswer:
            false
        }
    }
}

/// Why there is no trusted TLS connection.
public enum TLSFault: Equatable, Sendable {
    /// No known authority signed the certificate, or it is not valid at this time.
    case untrustedCertificate
    /// The server answers, but not in TLS.
    case notTLS
    /// The handshake failed otherwise. The reason is the library's word for it, such as `handshake failure on client hello`, or empty.
    case handshake(reason: String)
}

extension RPCError: DiagnosticError {
    public enum Code: String, CaseIterable, Sendable {
        case noConnection = "no-connection"
        case certificateName = "certificate-name"
        case untrustedConnection = "untrusted-connection"
        case noCertificates = "no-certificates"
        case noWebSocket = "no-websocket"
        case httpStatus = "http-status"
        case timeout
        case lostConnection = "lost-connection"
        case oversizedResponse = "oversized-response"
        case invalidResponse = "invalid-response"
        case nodeRefusal = "node-refusal"
        case unexpectedResponse = "unexpected-response"
        case wrongChain = "wrong-chain"
        case noSuchBlock = "no-such-block"
        case webSocketNeeded = "websocket-needed"
    }

    public var code: Code {
        switch self {
        case .cannotConnect: .noConnection
        case .certificateForAnotherName: .certificateName
        case .tls: .untrustedConnection
        case .cannotReadCertificates: .noCertificates
        case .webSocketRefused: .noWebSocket
        case .status: .httpStatus
        case .timedOut: .timeout
        case .cutOff: .lostConnection
        case .answerTooLarge: .oversizedResponse
        case .invalidJSON, .notAnAnswer: .invalidResponse
        case .refusedByNode: .nodeRefusal
        case .unexpectedAnswer: .unexpectedResponse
        case .wrongChain: .wrongChain
        case .noSuchBlock: .noSuchBlock
        case .needsWebSocket: .webSocketNeeded
        }
    }

    public var sentence: String {
        switch self {
        case .cannotConnect(let reason): "cannot connect: \(reason)"
        case .certificateForAnotherName(let host): "the certificate is not for \(host)"
        case .tls(.untrustedCertificate): "no trusted connection: the certificate has expired, or no trusted authority signed it"
        case .tls(.notTLS): "no trusted connection: the server does not speak TLS on this port"
        case .tls(.handshake(let reason)):
            reason.isEmpty
                ? "no trusted connection: the TLS handshake failed" : "no trusted connection: the TLS handshake failed (\(reason))"
        case .cannotReadCertificates(let path): "\(path) holds no readable certificates"
        case .webSocketRefused: "the server does not speak WebSocket"
        case .status(let status): "the server answered with HTTP status \(status)"
        case .timedOut(let seconds, .handshake): "no connection within \(Sentence.count(seconds, "second"))"
        case .timedOut(let seconds, .answer): "no answer within \(Sentence.count(seconds, "second"))"
        case .cutOff: "the connection ended before the answer was complete"
        case .answerTooLarge(let limit): "the answer is longer than \(Sentence.count(limit, "byte"))"
        case .invalidJSON: "the answer is not JSON"
        case .notAnAnswer: "the answer does not follow JSON-RPC 2.0"
        case .refusedByNode(let code, let message): "the node refused the request: \(message) (\(code))"
        case .unexpectedAnswer(let method): "the answer to \(method) is malformed"
        case .wrongChain(let expected, let found):
            "the node is on another chain: its genesis hash is 0x\(found.hex), not 0x\(expected.hex)"
        case .noSuchBlock(let text): "the node does not know block \(text)"
        case .needsWebSocket: "following a transaction needs a ws or wss URL"
        }
    }

    public static var examples: [RPCError] {
        let (one, other) = (Hash32.blake2b(of: [1]), Hash32.blake2b(of: [2]))
        return [
            .cannotConnect(reason: "connection refused"), .certificateForAnotherName(host: "node.example"), .tls(.untrustedCertificate),
            .cannotReadCertificates(path: "authority.pem"), .webSocketRefused, .status(503), .timedOut(seconds: 90, .answer), .cutOff,
            .answerTooLarge(limit: 32 << 20), .invalidJSON, .notAnAnswer, .refusedByNode(code: -32601, message: "Method not found"),
            .unexpectedAnswer(method: "system_properties"), .wrongChain(expected: one, found: other), .noSuchBlock("123"), .needsWebSocket,
        ]
    }
}

/// Every attempt at every address failed.
public struct AllNodesFailed: Error, Equatable, Sendable {
    public struct Attempt: Equatable, Sendable {
        public let url: NodeURL
        /// From 1.
        public let number: Int
        public let error: RPCError

        public init(url: NodeURL, number: Int, error: RPCError) {
            self.url = url
            self.number = number
            self.error = error
        }
    }

    public let attempts: [Attempt]
    /// The error of the last attempt: what the whole failure is called.
    public let last: RPCError

    /// nil without an attempt.
    public init?(attempts: [Attempt]) {
        guard let last = attempts.last else { return nil }
        self.attempts = attempts
        self.last = last.error
    }
}

/// A pool's failure has the code of its last attempt; the sentence names every address with its last error.
extension AllNodesFailed: DiagnosticError {
    public var code: RPCError.Code { last.code }

    public var sentence: String {
        var lines: [(url: NodeURL, error: RPCError)] = []
        for attempt in attempts {
            if lines.last?.url == attempt.url { lines.removeLast() }
            lines.append((attempt.url, attempt.error))
        }
        return lines.map { "\($0.url): \($0.error.sentence)" }.joined(separator: "; ")
    }

    public static var examples: [AllNodesFailed] {
        RPCError.examples.compactMap { error in
            NodeURL("wss://node.example").flatMap { AllNodesFailed(attempts: [Attempt(url: $0, number: 1, error: error)]) }
        }
    }
}
