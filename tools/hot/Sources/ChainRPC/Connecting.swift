import Glibc
import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NIOWebSocket
import NodeAnswers
import SubstratePrimitives

/// How a channel to a node is opened: TCP, then TLS where the address asks for it.
struct Connecting: Sendable {
    let url: NodeURL
    let options: RPCOptions
    /// The first error on the channel: a closed channel alone does not name it.
    let cause = NIOLockedValueBox<RPCError?>(nil)
    let allowance = Allowance()
    /// Gets the fingerprints of the server whose certificate was accepted.
    var identified: (@Sendable (ServerIdentity) -> Void)?
    private let pin: ServerPin?
    private let tls: NIOSSLContext?

    init(_ url: NodeURL, _ options: RPCOptions) throws(RPCError) {
        self.url = url
        self.options = options
        pin = options.pins[url.server]
        if !url.scheme.isEncrypted {
            if pin != nil { throw .pinnedWithoutTLS }
            if options.requiresVersion13 { throw .version13WithoutTLS }
            if options.headers[url.server] != nil { throw .headersWithoutTLS }
        }
        tls = url.scheme.isEncrypted ? try Self.context(options) : nil
    }

    private static func context(_ options: RPCOptions) throws(RPCError) -> NIOSSLContext {
        var configuration = TLSConfiguration.makeClientConfiguration()
        // RFC 8996 forbids versions below 1.2; 1.3 is taken wherever the server has it. The suites are for
        // 1.2, those of RFC 9325, section 4.2.
        configuration.minimumTLSVersion = options.requiresVersion13 ? .tlsv13 : .tlsv12
        configuration.cipherSuites = "ECDHE+AESGCM:ECDHE+CHACHA20"
        configuration.applicationProtocols = ["http/1.1"]
        do {
            if let authorities = options.certificateAuthorities {
                configuration.additionalTrustRoots = [
                    .certificates(try NIOSSLCertificate.fromPEMBytes(authorities.pem))
                ]
            }
        } catch {
            throw .cannotReadCertificates(path: options.certificateAuthorities?.path ?? "")
        }
        do {
            return try NIOSSLContext(configuration: configuration)
        } catch {
            throw .tls(Self.fault(error))
        }
    }

    /// The head of a request, and what the user adds to those of this server.
    func head(_ own: HTTPHeaders) -> HTTPHeaders {
        var headers = own
        for header in options.headers[url.server] ?? [] {
            headers.add(name: header.name, value: header.value)
        }
        return headers
    }

    func bootstrap(on group: any EventLoopGroup) -> ClientBootstrap {
        ClientBootstrap(group: group).connectTimeout(.seconds(Int64(options.handshakeSeconds)))
    }

    /// Adds TLS and the observer of errors. Call on the channel's event loop.
    func prepare(_ channel: any Channel) throws {
        if let tls {
            let isAddress = (try? SocketAddress(ipAddress: url.host, port: 0)) != nil
            try channel.pipeline.syncOperations.addHandler(
                NIOSSLClientHandler._makeSSLClientHandler(
                    context: tls, serverHostname: isAddress ? nil : url.host
                ) {
                    certificate, channel in
                    channel.eventLoop.makeCompletedFuture { try check(certificate) }
                })
        }
        try channel.pipeline.syncOperations.addHandler(ChannelObserver(self))
    }

    /// Compares the certificate with the pin.
    ///
    /// The library calls this after its own checks of chain and name, before it sends or hands over a byte: a
    /// server that fails here is asked nothing. A certificate without fingerprints fails too, if there is a
    /// pin.
    private func check(_ certificate: NIOSSLCertificate) throws(RPCError) {
        let identity = ServerIdentity(certificate)
        if let pin {
            guard let found = identity?.pin(pin.subject) else { throw .tls(.handshake) }
            let backup = options.backupPins[url.server]
            let isBackup = backup != nil && backup.flatMap { identity?.pin($0.subject) } == backup
            guard found == pin || isBackup else {
                throw .pinMismatch(server: url.server, expected: pin, found: found)
            }
        }
        if let identity { identified?(identity) }
    }

    /// Keeps the first cause.
    func note(_ error: RPCError) {
        cause.withLockedValue { if $0 == nil { $0 = error } }
    }

    /// The error to report for one that a channel or a bootstrap threw.
    func explain(_ error: any Error) -> RPCError {
        cause.withLockedValue { $0 } ?? classify(error)
    }

    func classify(_ error: any Error) -> RPCError {
        switch error {
        case let error as RPCError: return error
        case let error as NIOConnectionError: return .cannotConnect(reason: Self.reason(error))
        case let error as NIOSSLExtraError where error == .failedToValidateHostname:
            return .certificateForAnotherName(host: url.host)
        // The answer's own length decides whether it is complete: some servers end a connection without
        // saying so.
        case NIOSSLError.uncleanShutdown: return .cutOff
        case is NIOSSLError, is BoringSSLError, is NIOSSLExtraError:
            let fault = Self.fault(error)
            return .tls(fault == .outdatedServer && options.requiresVersion13 ? .noVersion13 : fault)
        case NIOWebSocketFrameAggregator.Error.tooManyFragments,
            NIOWebSocketFrameAggregator.Error.accumulatedFrameSizeIsTooLarge,
            NIOWebSocketError.invalidFrameLength:
            return allowance.excess
        case is NIOWebSocketFrameAggregator.Error, is NIOWebSocketError: return .notAnAnswer
        case HTTPParserError.invalidEOFState: return .cutOff
        case is HTTPParserError: return .notHTTP
        case ChannelError.connectTimeout: return .timedOut(seconds: options.handshakeSeconds, .handshake)
        default: return .cutOff
        }
    }

    private static func reason(_ error: NIOConnectionError) -> String {
        let system = error.connectionErrors.lazy.compactMap { $0.error as? IOError }.first
        if let system { return String(cString: strerror(system.errnoCode)).lowercased() }
        if error.connectionErrors.isEmpty, error.dnsAError != nil || error.dnsAAAAError != nil {
            return "no address for \(error.host)"
        }
        return "no answer from \(error.host)"
    }

    /// The library's errors print its type names and source files, so only BoringSSL's name of the reason is
    /// read, and no text is taken from them.
    static func fault(_ error: any Error) -> TLSFault {
        let text = "\(error)"
        guard let mark = text.firstRange(of: "OPENSSL_internal:") else {
            return text.utf8Contains("EOF during") ? .cutOff : .handshake
        }
        let name = text[mark.upperBound...].prefix {
            $0 == "_" || $0.isASCII && ($0.isUppercase || $0.isNumber)
        }
        switch ExactText(String(name)) {
        case "CERTIFICATE_VERIFY_FAILED": return .untrustedCertificate
        case "WRONG_VERSION_NUMBER", "HTTP_REQUEST", "HTTPS_PROXY_REQUEST": return .notTLS
        case "UNSUPPORTED_PROTOCOL", "TLSV1_ALERT_PROTOCOL_VERSION", "TLSV1_ALERT_INSUFFICIENT_SECURITY",
            "WRONG_CIPHER_RETURNED":
            return .outdatedServer
        case "TLSV1_ALERT_CERTIFICATE_REQUIRED": return .clientCertificate
        default: return .handshake
        }
    }
}

/// Counts received bytes, keeps the first error of a channel and closes the channel: no handler here recovers
/// from an error.
private final class ChannelObserver: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    private let connecting: Connecting

    init(_ connecting: Connecting) { self.connecting = connecting }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let (received, excess) = connecting.allowance.take(unwrapInboundIn(data).readableBytes)
        connecting.options.received?(received)
        guard let excess else { return context.fireChannelRead(data) }
        connecting.note(excess)
        context.close(promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        connecting.note(connecting.classify(error))
        context.fireErrorCaught(error)
        context.close(promise: nil)
    }
}
