import Glibc
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import NIOSSL
import NIOWebSocket

/// How a channel to a node is opened: TCP, then TLS where the address asks for it.
struct Connecting: Sendable {
    let url: NodeURL
    let options: RPCOptions
    /// The first error on the channel: a closed channel alone does not name it.
    let cause = NIOLockedValueBox<RPCError?>(nil)
    private let tls: NIOSSLContext?

    init(_ url: NodeURL, _ options: RPCOptions) throws(RPCError) {
        self.url = url
        self.options = options
        tls = url.scheme.isEncrypted ? try Self.context(options) : nil
    }

    private static func context(_ options: RPCOptions) throws(RPCError) -> NIOSSLContext {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.applicationProtocols = ["http/1.1"]
        do {
            if let path = options.certificateAuthorities {
                configuration.additionalTrustRoots = [.certificates(try NIOSSLCertificate.fromPEMFile(path))]
            }
        } catch {
            throw .cannotReadCertificates(path: options.certificateAuthorities ?? "")
        }
        do {
            return try NIOSSLContext(configuration: configuration)
        } catch {
            throw .tls(Self.fault(error))
        }
    }

    func bootstrap(on group: any EventLoopGroup) -> ClientBootstrap {
        ClientBootstrap(group: group).connectTimeout(.seconds(Int64(options.handshakeSeconds)))
    }

    /// Adds TLS and the observer of errors. Call on the channel's event loop.
    func prepare(_ channel: any Channel) throws {
        if let tls {
            let isAddress = (try? SocketAddress(ipAddress: url.host, port: 0)) != nil
            try channel.pipeline.syncOperations.addHandler(
                NIOSSLClientHandler(context: tls, serverHostname: isAddress ? nil : url.host))
        }
        try channel.pipeline.syncOperations.addHandler(ChannelObserver(self))
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
        case is NIOSSLError, is BoringSSLError, is NIOSSLExtraError: return .tls(Self.fault(error))
        case is NIOWebSocketFrameAggregator.Error: return .answerTooLarge(limit: options.maximumAnswerBytes)
        case let error as NIOWebSocketError where error == .invalidFrameLength:
            return .answerTooLarge(limit: options.maximumAnswerBytes)
        case ChannelError.connectTimeout: return .timedOut(seconds: options.handshakeSeconds, .handshake)
        default: return .cutOff
        }
    }

    private static func reason(_ error: NIOConnectionError) -> String {
        let system = error.connectionErrors.lazy.compactMap { $0.error as? IOError }.first
        if let system { return String(cString: strerror(system.errnoCode)).lowercased() }
        if error.connectionErrors.isEmpty, error.dnsAError != nil || error.dnsAAAAError != nil { return "no address for \(error.host)" }
        return "no answer from \(error.host)"
    }

    /// The library's errors print its type names and source files, so only BoringSSL's name of the reason is taken from them.
    static func fault(_ error: any Error) -> TLSFault {
        let text = "\(error)"
        guard let mark = text.firstRange(of: "OPENSSL_internal:") else { return .handshake(reason: "") }
        let name = text[mark.upperBound...].prefix { $0 == "_" || $0.isASCII && ($0.isUppercase || $0.isNumber) }
        switch name {
        case "CERTIFICATE_VERIFY_FAILED": return .untrustedCertificate
        case "WRONG_VERSION_NUMBER", "HTTP_REQUEST": return .notTLS
        default: return .handshake(reason: name.split(separator: "_").joined(separator: " ").lowercased())
        }
    }
}

/// Counts received bytes, keeps the first error of a channel and closes the channel: no handler here recovers from an error.
private final class ChannelObserver: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    private let connecting: Connecting
    private var received = 0

    init(_ connecting: Connecting) { self.connecting = connecting }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        received += unwrapInboundIn(data).readableBytes
        connecting.options.received?(received)
        context.fireChannelRead(data)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        connecting.note(connecting.classify(error))
        context.fireErrorCaught(error)
        context.close(promise: nil)
    }
}
