import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket
import NodeAnswers
import SubstratePrimitives

/// An upgraded channel with its exchange.
struct OpenWebSocket: Sendable {
    let channel: any Channel
    let exchange: NIOLoopBound<WebSocketExchange>

    private enum Upgrade: Sendable {
        case done(OpenWebSocket)
        case refused
    }

    /// Connects, with TLS if the URL asks for it, and upgrades from HTTP.
    static func open(_ connecting: Connecting) async throws(RPCError) -> OpenWebSocket {
        do {
            let upgrade = try await connecting.bootstrap(on: MultiThreadedEventLoopGroup.singleton)
                .connect(host: connecting.url.host, port: connecting.url.port) { channel in
                    channel.eventLoop.makeCompletedFuture { try prepare(channel, connecting) }
                }
                .get()
            guard case .done(let open) = upgrade else { throw RPCError.webSocketRefused }
            return open
        } catch {
            throw connecting.explain(error)
        }
    }

    private static func prepare(_ channel: any Channel, _ connecting: Connecting) throws -> EventLoopFuture<
        Upgrade
    > {
        try connecting.prepare(channel)
        let headers: HTTPHeaders = [
            "Host": connecting.url.authority, "Content-Length": "0", "User-Agent": "heliograph-hot",
        ]
        let configuration = NIOTypedHTTPClientUpgradeConfiguration<Upgrade>(
            upgradeRequestHead: HTTPRequestHead(
                version: .http1_1, method: .GET, uri: connecting.url.path,
                headers: connecting.head(headers)),
            upgraders: [upgrader(connecting)],
            notUpgradingCompletionHandler: { channel in
                channel.close(promise: nil)
                return channel.eventLoop.makeSucceededFuture(.refused)
            })
        var pipeline = NIOUpgradableHTTPClientPipelineConfiguration(upgradeConfiguration: configuration)
        pipeline.leftOverBytesStrategy = .forwardBytes
        let upgraded = try channel.pipeline.syncOperations.configureUpgradableHTTPClientPipeline(
            configuration: pipeline)
        let seconds = connecting.options.handshakeSeconds
        let deadline = channel.eventLoop.scheduleTask(in: .seconds(Int64(seconds))) {
            connecting.note(.timedOut(seconds: seconds, .handshake))
            channel.close(promise: nil)
        }
        upgraded.whenComplete { _ in deadline.cancel() }
        return upgraded
    }

    private static func upgrader(_ connecting: Connecting) -> NIOTypedWebSocketClientUpgrader<Upgrade> {
        let limit = connecting.options.maximumAnswerBytes
        return NIOTypedWebSocketClientUpgrader(maxFrameSize: limit, enableAutomaticErrorHandling: false) {
            channel, _ in
            channel.eventLoop.makeCompletedFuture {
                let exchange = WebSocketExchange(connecting)
                // The limit of fragments allows fragments of 1 KiB.
                try channel.pipeline.syncOperations.addHandler(
                    NIOWebSocketFrameAggregator(
                        minNonFinalFragmentSize: 0, maxAccumulatedFrameCount: max(1, limit >> 10),
                        maxAccumulatedFrameSize: limit))
                try channel.pipeline.syncOperations.addHandler(exchange)
                return .done(
                    OpenWebSocket(
                        channel: channel, exchange: NIOLoopBound(exchange, eventLoop: channel.eventLoop)))
            }
        }
    }

    /// Sends a request and returns the result. With `notices`, the result names a subscription, and its
    /// notices are delivered there.
    func ask(_ request: RPCRequest, notices: WebSocketExchange.Notices.Continuation? = nil) async throws
        -> StrictJSON.Value
    {
        try await channel.eventLoop.flatSubmit {
            let promise = channel.eventLoop.makePromise(of: StrictJSON.Value.self)
            exchange.value.expect(request, promise, notices: notices, on: channel.eventLoop)
            let frame = WebSocketFrame(
                fin: true, opcode: .text, maskKey: .random(), data: ByteBuffer(bytes: request.bytes))
            channel.writeAndFlush(frame, promise: nil)
            return promise.futureResult
        }.get()
    }

    func close() {
        let goodbye = WebSocketFrame(
            fin: true, opcode: .connectionClose, maskKey: .random(), data: ByteBuffer(bytes: [0x03, 0xe8]))
        channel.writeAndFlush(goodbye, promise: nil)
        channel.close(promise: nil)
    }
}
