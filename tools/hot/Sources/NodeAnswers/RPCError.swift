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
    /// The certificate is trusted, and is not the one that the user pinned.
    case pinMismatch(server: NodeURL.Server, expected: ServerPin, found: ServerPin)
    /// A pin is compared over TLS only.
    case pinnedWithoutTLS
    /// The user asks for TLS 1.3, and the URL is for no TLS.
    case version13WithoutTLS
    /// Headers of the user are secrets, and the URL is for no TLS.
    case headersWithoutTLS
    /// The file with additional certificate authorities cannot be used.
    case cannotReadCertificates(path: String)
    /// The server speaks HTTP and refuses to upgrade to WebSocket.
    case webSocketRefused
    /// What the server sends is not HTTP.
    case notHTTP
    /// HTTP status other than 200.
    case status(Int)
    case timedOut(seconds: Int, Phase)
    /// The connection ended before the answer did.
    case cutOff
    /// Longer than the user allows for metadata; limit in bytes.
    case answerTooLarge(limit: Int)
    /// Far more bytes or notices than the questions take.
    case tooMuchData
    /// Not JSON, or JSON that is ambiguous, or nests or counts more than an answer needs.
    case invalidJSON(StrictJSON.Failure)
    /// JSON, but not an answer of JSON-RPC 2.0.
    case notAnAnswer
    /// The node's own refusal.
    case refusedByNode(code: Int, message: String)
    /// The answer does not have the documented shape.
    case unexpectedAnswer(RPCMethod)
    case wrongChain(expected: GenesisHash, found: GenesisHash)
    case noSuchBlock(String)
    /// The header that the node gives for a block is the header of another, or of a kind that is not known
    /// here.
    case otherHeader(asked: Hash32, found: Hash32)
    /// The node refuses `state_getReadProof`: it has no such method, or offers it to nobody.
    case noReadProof(code: Int, message: String)
    /// Following a transaction needs `ws://` or `wss://`.
    case needsWebSocket

    /// True when asking the same node again cannot help.
    public var isFinal: Bool {
        switch self {
        case .wrongChain, .noSuchBlock, .otherHeader, .noReadProof, .needsWebSocket, .cannotReadCertificates,
            .pinMismatch,
            .pinnedWithoutTLS, .version13WithoutTLS, .headersWithoutTLS:
            true
        case .cannotConnect, .certificateForAnotherName, .tls, .webSocketRefused, .notHTTP, .status,
            .timedOut, .cutOff,
            .answerTooLarge,
            .tooMuchData, .invalidJSON, .notAnAnswer, .refusedByNode, .unexpectedAnswer:
            false
        }
    }
}

/// Why there is no trusted TLS connection. The library's own words are not among them: they hold its type
/// names and files of its build.
public enum TLSFault: Equatable, Sendable, CaseIterable {
    /// No known authority signed the certificate, or it is not valid at this time.
    case untrustedCertificate
    /// The server answers, but not in TLS.
    case notTLS
    /// The server has no TLS 1.2 or later, or no cipher of today.
    case outdatedServer
    /// The server has no TLS 1.3, which the user asks for.
    case noVersion13
    /// The server asks for a certificate of this side.
    case clientCertificate
    /// The connection ended during the handshake.
    case cutOff
    /// The handshake failed otherwise.
    case handshake
}

extension RPCError: DiagnosticError {
    public var diagnostic: Diagnostic {
        switch self {
        case .cannotConnect(let reason): .inputOutput("no-connection", "cannot connect: \(reason)")
        case .certificateForAnotherName(let host):
            .inputOutput("certificate-name", "the certificate is not for \(host)")
        case .tls(.untrustedCertificate):
            .inputOutput(
                "untrusted-connection",
                "no trusted connection: the certificate has expired, or no trusted authority signed it")
        case .tls(.notTLS):
            .inputOutput(
                "untrusted-connection", "no trusted connection: the server does not speak TLS on this port")
        case .tls(.outdatedServer):
            .inputOutput(
                "untrusted-connection",
                "no trusted connection: the server does not support TLS 1.2 or 1.3 with current ciphers")
        case .tls(.noVersion13):
            .inputOutput(
                "untrusted-connection",
                "no trusted connection: the server does not support TLS 1.3, which --tls13 demands")
        case .tls(.clientCertificate):
            .inputOutput(
                "untrusted-connection", "no trusted connection: the server asks for a client certificate")
        case .tls(.cutOff):
            .inputOutput(
                "untrusted-connection",
                "no trusted connection: the connection ended during the TLS handshake")
        case .tls(.handshake):
            .inputOutput("untrusted-connection", "no trusted connection: the TLS handshake failed")
        case .pinMismatch(let server, let expected, let found):
            .refused(
                "pin-mismatch",
                "\(server) has another \(expected.subject.rawValue) than its "
                    + "pin: 0x\(found.hash.hex), not 0x\(expected.hash.hex)",
                hint: "ask its operator; if the change is announced: "
                    + "heliograph-hot pin set wss://\(server) PIN")
        case .pinnedWithoutTLS: .usage("pin-without-tls", "a pin needs a wss or https URL")
        case .version13WithoutTLS: .usage("tls13-without-tls", "--tls13 needs a wss or https URL")
        case .headersWithoutTLS:
            .usage("headers-without-tls", "headers of --headers are sent to wss and https URLs only")
        case .cannotReadCertificates(let path):
            .inputOutput("no-certificates", "\(path) holds no readable certificates")
        case .webSocketRefused: .inputOutput("no-websocket", "the server does not speak WebSocket")
        case .notHTTP: .inputOutput("not-http", "the server does not speak HTTP on this port")
        case .status(let status):
            .inputOutput("http-status", "the server answered with HTTP status \(status)")
        case .timedOut(let seconds, .handshake):
            .inputOutput("timeout", "no connection within \(Sentence.count(seconds, "second"))")
        case .timedOut(let seconds, .answer):
            .inputOutput("timeout", "no answer within \(Sentence.count(seconds, "second"))")
        case .cutOff: .inputOutput("lost-connection", "the connection ended before the answer was complete")
        case .answerTooLarge(let limit):
            .inputOutput(
                "oversized-response", "the answer is longer than \(Sentence.count(limit, "byte"))",
                hint: "--answer-limit BYTES")
        case .tooMuchData:
            .inputOutput("oversized-response", "the node sent far more data than its answers need")
        case .invalidJSON(.malformed): .inputOutput("invalid-response", "the answer is not JSON")
        case .invalidJSON(.duplicateKey(let key)):
            .inputOutput("invalid-response", "the answer has the duplicate key \(Self.clipped(key))")
        case .invalidJSON(let failure):
            .inputOutput("invalid-response", "the answer is too complex: \(failure.sentence)")
        case .notAnAnswer: .inputOutput("invalid-response", "the answer does not follow JSON-RPC 2.0")
        case .refusedByNode(let code, let message):
            .refused("node-refusal", "the node refused the request: \(Self.clipped(message)) (\(code))")
        case .unexpectedAnswer(let method):
            .inputOutput("unexpected-response", "the answer to \(method.name) is malformed")
        case .wrongChain(let expected, let found):
            .refused(
                "wrong-chain",
                "the node is on another chain: its genesis hash is 0x\(found.hex), not 0x\(expected.hex)")
        case .noSuchBlock(let text): .refused("no-such-block", "the node does not know block \(text)")
        case .otherHeader(let asked, let found):
            .refused(
                "other-header",
                "the header that the node gives for block 0x\(asked.hex) has the hash 0x\(found.hex)")
        case .noReadProof(let code, let message):
            .refused(
                "no-state-proof",
                "the node refuses state_getReadProof, so it proves nothing of the chain's state: "
                    + "\(Self.clipped(message)) (\(code))",
                hint: "--url URL of another node, or --state-if-offered")
        case .needsWebSocket:
            .usage("websocket-needed", "a transaction is submitted and followed over a ws or wss URL only")
        }
    }

    /// The longest quote of a node's text, in Unicode scalars: enough for real messages, but not a whole
    /// screen.
    private static let longestQuote = 300

    public static func clipped(_ text: String) -> String {
        let scalars = text.unicodeScalars
        return scalars.count <= longestQuote
            ? text : String(String.UnicodeScalarView(scalars.prefix(longestQuote))) + "…"
    }

    public static var examples: [RPCError] {
        let (one, other) = (Hash32.blake2b(of: [1]), Hash32.blake2b(of: [2]))
        return [
            .cannotConnect(reason: "connection refused"), .certificateForAnotherName(host: "node.example"),
            .cannotReadCertificates(path: "authority.pem"), .webSocketRefused, .notHTTP, .status(503),
            .timedOut(seconds: 90, .answer),
            .cutOff,
            .answerTooLarge(limit: 32 << 20), .tooMuchData, .invalidJSON(.malformed(offset: 0)),
            .invalidJSON(.duplicateKey("result")),
            .invalidJSON(.tooManyValues(limit: 64)), .notAnAnswer,
            .refusedByNode(code: -32601, message: "Method not found"),
            .pinMismatch(
                server: NodeURL.Server(host: "node.example", port: 443), expected: ServerPin(.key, one),
                found: ServerPin(.key, other)),
            .pinnedWithoutTLS, .version13WithoutTLS, .headersWithoutTLS, .unexpectedAnswer(.properties),
            .wrongChain(expected: one, found: other),
            .noSuchBlock("123"), .otherHeader(asked: one, found: other),
            .noReadProof(code: -32601, message: "Method not found"),
            .needsWebSocket,
        ] + TLSFault.allCases.map { .tls($0) }
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
    public var diagnostic: Diagnostic {
        var lines: [(url: NodeURL, error: RPCError)] = []
        for attempt in attempts {
            if lines.last?.url == attempt.url { lines.removeLast() }
            lines.append((attempt.url, attempt.error))
        }
        return last.diagnostic.saying(lines.map { "\($0.url): \($0.error.sentence)" }.joined(separator: "; "))
    }

    public static var examples: [AllNodesFailed] {
        RPCError.examples.compactMap { error in
            NodeURL("wss://node.example").flatMap {
                AllNodesFailed(attempts: [Attempt(url: $0, number: 1, error: error)])
            }
        }
    }
}
