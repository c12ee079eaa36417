import NIOCore
import NIOHTTP1
import NIOPosix

/// One request by HTTP/1.1 POST, on a connection of its own.
enum HTTPCall {
    static func post(_ body: [UInt8], _ connecting: Connecting) async throws(RPCError) -> ByteBuffer {
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let answer = loop.makePromise(of: ByteBuffer.self)
        let seconds = connecting.options.answerSeconds
        let connected = connecting.bootstrap(on: loop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try connecting.prepare(channel)
                    try channel.pipeline.syncOperations.addHTTPClientHandlers()
                    try channel.pipeline.syncOperations.addHandler(HTTPExchange(body, connecting, answer))
                }
            }
            .connect(host: connecting.url.host, port: connecting.url.port)
        connected.cascadeFailure(to: answer)
        let deadline = loop.scheduleTask(in: .seconds(Int64(seconds))) {
            answer.fail(RPCError.timedOut(seconds: seconds, .answer))
        }
        answer.futureResult.whenComplete { _ in
            deadline.cancel()
            connected.whenSuccess { $0.close(promise: nil) }
        }
        do {
            return try await answer.futureResult.get()
        } catch {
            throw connecting.explain(error)
        }
    }
}

/// Sends the request once the channel is active and collects the answer up to its limit.
private final class HTTPExchange: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    private let request: [UInt8]
    private let connecting: Connecting
    private let answer: EventLoopPromise<ByteBuffer>
    private var collected = ByteBuffer()

    init(_ request: [UInt8], _ connecting: Connecting, _ answer: EventLoopPromise<ByteBuffer>) {
        self.request = request
        self.connecting = connecting
        self.answer = answer
    }

    func channelActive(context: ChannelHandlerContext) {
        let headers: HTTPHeaders = [
            "Host": connecting.url.authority, "Content-Type": "application/json", "Content-Length": "\(request.count)",
            "Connection": "close", "User-Agent": "heliograph-hot",
        ]
        let head = HTTPRequestHead(version: .http1_1, method: .POST, uri: connecting.url.path, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: request)))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            if head.status != .ok { return fail(.status(Int(head.status.code)), context) }
            let announced = head.headers.first(name: "content-length").flatMap { Int($0) } ?? 0
            _ = fits(announced, context)
        case .body(var part):
            if fits(collected.readableBytes + part.readableBytes, context) { collected.writeBuffer(&part) }
        case .end:
            answer.succeed(collected)
        }
    }

    private func fits(_ bytes: Int, _ context: ChannelHandlerContext) -> Bool {
        let limit = connecting.options.maximumAnswerBytes
        if bytes > limit { fail(.answerTooLarge(limit: limit), context) }
        return bytes <= limit
    }

    private func fail(_ error: RPCError, _ context: ChannelHandlerContext) {
        connecting.note(error)
        answer.fail(error)
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        answer.fail(RPCError.cutOff)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        answer.fail(error)
        context.close(promise: nil)
    }
}
