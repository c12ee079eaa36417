import NIOCore
import NIOHTTP1
import NIOPosix
import NodeAnswers
import SubstratePrimitives

/// One request by HTTP/1.1 POST, on a connection of its own.
enum HTTPCall {
    static func post(_ request: RPCRequest, _ connecting: Connecting) async throws(RPCError)
        -> StrictJSON.Value
    {
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let answer = loop.makePromise(of: ByteBuffer.self)
        let seconds = connecting.options.answerSeconds
        let end = NIODeadline.now() + .seconds(Int64(seconds))
        connecting.allowance.expect([request.method], connecting.options)
        let connected = connecting.bootstrap(on: loop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try connecting.prepare(channel)
                    try channel.pipeline.syncOperations.addHTTPClientHandlers()
                    try channel.pipeline.syncOperations.addHandler(HTTPExchange(request, connecting, answer))
                }
            }
            .connect(host: connecting.url.host, port: connecting.url.port)
        connected.cascadeFailure(to: answer)
        let deadline = loop.scheduleTask(deadline: end) {
            answer.fail(RPCError.timedOut(seconds: seconds, .answer))
        }
        answer.futureResult.whenComplete { _ in
            deadline.cancel()
            connected.whenSuccess { $0.close(promise: nil) }
        }
        let bytes: [UInt8]
        do {
            bytes = Array(try await answer.futureResult.get().readableBytesView)
        } catch {
            throw connecting.explain(error)
        }
        return try result(bytes, request, seconds: seconds, end: end)
    }

    /// Reading the answer counts toward its time too.
    private static func result(_ bytes: [UInt8], _ request: RPCRequest, seconds: Int, end: NIODeadline)
        throws(RPCError) -> StrictJSON.Value
    {
        let message: RPCMessage
        do {
            message = try RPCMessage(bytes, values: request.method.maximumValues) { NIODeadline.now() < end }
        } catch {
            throw error == .invalidJSON(.outOfTime) ? .timedOut(seconds: seconds, .answer) : error
        }
        switch message {
        case .answer(request.id, let result): return try result.get()
        case .unnumbered(let error): throw error
        case .answer, .notice, .other: throw .notAnAnswer
        }
    }
}

/// Sends the request once the channel is active and collects the answer up to its limit.
private final class HTTPExchange: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    private let request: RPCRequest
    private let connecting: Connecting
    private let answer: EventLoopPromise<ByteBuffer>
    private var collected = ByteBuffer()

    init(_ request: RPCRequest, _ connecting: Connecting, _ answer: EventLoopPromise<ByteBuffer>) {
        self.request = request
        self.connecting = connecting
        self.answer = answer
    }

    func channelActive(context: ChannelHandlerContext) {
        let body = ByteBuffer(bytes: request.bytes)
        let headers: HTTPHeaders = [
            "Host": connecting.url.authority, "Content-Type": "application/json",
            "Content-Length": "\(body.readableBytes)",
            "Connection": "close", "User-Agent": "heliograph-hot",
        ]
        let head = HTTPRequestHead(
            version: .http1_1, method: .POST, uri: connecting.url.path, headers: connecting.head(headers))
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
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
        let limit = connecting.options.maximumBytes(of: request.method)
        if bytes > limit { fail(connecting.options.excess(request.method), context) }
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
