import NIOCore
import NIOWebSocket
import NodeAnswers
import SubstratePrimitives

/// One WebSocket to a node: concurrent requests, answers in any order, and the notices of subscriptions.
final class WebSocketExchange: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame
    typealias Notices = AsyncThrowingStream<StrictJSON.Value, any Error>

    private struct Waiting {
        let method: RPCMethod
        let end: NIODeadline
        let promise: EventLoopPromise<StrictJSON.Value>
        /// Where the notices go, for a method that subscribes.
        let notices: Notices.Continuation?
    }

    private struct Subscription {
        let method: RPCMethod
        let notices: Notices.Continuation
        var received = 0
    }

    /// Limit for notices that arrive before the answer that names their subscription; further ones are
    /// dropped.
    private static let maximumEarlyNotices = 64
    /// Limit for the notices of one subscription: an extrinsic has about ten, and a few for each block that
    /// is retracted.
    private static let maximumNotices = 256
    /// Limit for messages that nobody asked for, on one connection: reading one costs time, and a node could
    /// send them for ever.
    private static let maximumUnasked = 256

    private let connecting: Connecting
    private var waiting: [Int: Waiting] = [:]
    private var subscriptions: [RPCSubscription: Subscription] = [:]
    private var early: [(subscription: RPCSubscription, notice: Result<StrictJSON.Value, RPCError>)] = []
    private var unasked = 0
    private var isOpen = true

    init(_ connecting: Connecting) { self.connecting = connecting }

    /// Registers a request before it is written; its promise fails on timeout.
    func expect(
        _ request: RPCRequest, _ promise: EventLoopPromise<StrictJSON.Value>,
        notices: Notices.Continuation? = nil, on loop: any EventLoop
    ) {
        guard isOpen else { return promise.fail(connecting.explain(RPCError.cutOff)) }
        let seconds = connecting.options.answerSeconds
        let end = NIODeadline.now() + .seconds(Int64(seconds))
        waiting[request.id] = Waiting(method: request.method, end: end, promise: promise, notices: notices)
        renewAllowance()
        let deadline = loop.assumeIsolated().scheduleTask(deadline: end) { [weak self] in
            self?.waiting[request.id] = nil
            promise.fail(RPCError.timedOut(seconds: seconds, .answer))
        }
        promise.futureResult.whenComplete { _ in deadline.cancel() }
    }

    /// The methods that the node may send something about.
    private var methods: [RPCMethod] { waiting.values.map(\.method) + subscriptions.values.map(\.method) }

    private func renewAllowance() { connecting.allowance.expect(methods, connecting.options) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        switch frame.opcode {
        case .text, .binary:
            receive(frame.unmaskedData, context)
        case .ping:
            let pong = WebSocketFrame(fin: true, opcode: .pong, maskKey: .random(), data: frame.unmaskedData)
            context.writeAndFlush(wrapOutboundOut(pong), promise: nil)
        case .connectionClose:
            context.close(promise: nil)
        default:
            break
        }
    }

    /// Reads one message. Only the message itself says which call it answers, so the highest limit of the
    /// waiting methods applies to it.
    private func receive(_ buffer: ByteBuffer, _ context: ChannelHandlerContext) {
        // Frames that came before the connection was closed over the limit are not read any more.
        guard unasked <= Self.maximumUnasked else { return }
        let methods = methods
        guard let bytes = methods.map({ connecting.options.maximumBytes(of: $0) }).max(),
            let values = methods.map(\.maximumValues).max()
        else { return countUnasked(context) }
        guard buffer.readableBytes <= bytes else {
            return failEverything(connecting.allowance.excess, context)
        }
        // With no request waiting, this is a notice, which has no deadline and is short.
        let end = waiting.values.map(\.end).max() ?? .distantFuture
        let message: RPCMessage
        do {
            message = try RPCMessage(Array(buffer.readableBytesView), values: values) {
                NIODeadline.now() < end
            }
        } catch {
            let timeOut = RPCError.timedOut(seconds: connecting.options.answerSeconds, .answer)
            return failEverything(error == .invalidJSON(.outOfTime) ? timeOut : error, context)
        }
        switch message {
        case .notice(let subscription, let notice):
            notify(subscription, notice, context)
        case .answer(let id, let result):
            // An answer to nothing, or to what no longer waits, is dropped.
            guard let asked = waiting.removeValue(forKey: id) else { return countUnasked(context) }
            settle(asked, with: result, context)
        case .unnumbered(let error):
            return failEverything(error, context)
        case .other:
            return countUnasked(context)
        }
        renewAllowance()
    }

    private func settle(
        _ asked: Waiting, with answer: Result<StrictJSON.Value, RPCError>, _ context: ChannelHandlerContext
    ) {
        if let notices = asked.notices, case .success(let result) = answer, let key = RPCSubscription(result)
        {
            subscriptions[key] = Subscription(method: asked.method, notices: notices)
            for (_, notice) in early.filter({ $0.subscription == key }) { notify(key, notice, context) }
            early.removeAll { $0.subscription == key }
        }
        asked.promise.completeWith(answer.mapError { $0 as any Error })
    }

    private func notify(
        _ key: RPCSubscription, _ notice: Result<StrictJSON.Value, RPCError>, _ context: ChannelHandlerContext
    ) {
        guard let subscription = subscriptions[key] else {
            guard waiting.values.contains(where: { $0.notices != nil }),
                early.count < Self.maximumEarlyNotices
            else {
                return countUnasked(context)
            }
            return early.append((key, notice))
        }
        guard subscription.received < Self.maximumNotices else {
            return failEverything(.tooMuchData, context)
        }
        subscriptions[key]?.received += 1
        switch notice {
        case .success(let result): subscription.notices.yield(result)
        case .failure(let error): subscription.notices.finish(throwing: error)
        }
    }

    private func countUnasked(_ context: ChannelHandlerContext) {
        unasked += 1
        if unasked > Self.maximumUnasked { failEverything(.tooMuchData, context) }
    }

    private func failEverything(_ error: RPCError, _ context: ChannelHandlerContext) {
        connecting.note(error)
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        isOpen = false
        let error = connecting.explain(RPCError.cutOff)
        for asked in waiting.values { asked.promise.fail(error) }
        for subscription in subscriptions.values { subscription.notices.finish(throwing: error) }
        waiting = [:]
        subscriptions = [:]
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        failEverything(connecting.classify(error), context)
    }
}
