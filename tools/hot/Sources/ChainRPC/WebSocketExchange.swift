import NIOCore
import NIOWebSocket

/// One WebSocket to a node: concurrent requests, answers in any order, and the notices of subscriptions.
final class WebSocketExchange: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame
    typealias Notices = AsyncThrowingStream<JSON, any Error>

    private enum Waiting {
        case answer(EventLoopPromise<JSON>)
        case subscription(EventLoopPromise<JSON>, Notices.Continuation)

        var promise: EventLoopPromise<JSON> {
            switch self {
            case .answer(let promise), .subscription(let promise, _): promise
            }
        }
    }

    /// Limit for notices that arrive before the answer that names their subscription; further ones are dropped.
    private static let maximumEarlyNotices = 64

    private let connecting: Connecting
    private var waiting: [Int64: Waiting] = [:]
    private var subscriptions: [JSONKey: Notices.Continuation] = [:]
    private var early: [(subscription: JSONKey, notice: JSON)] = []
    private var isOpen = true

    init(_ connecting: Connecting) { self.connecting = connecting }

    /// Registers a request before it is written; its promise fails on timeout.
    func expect(
        _ id: Int64, _ promise: EventLoopPromise<JSON>, notices: Notices.Continuation? = nil, on loop: any EventLoop
    ) {
        guard isOpen else { return promise.fail(connecting.explain(RPCError.cutOff)) }
        waiting[id] = notices.map { .subscription(promise, $0) } ?? .answer(promise)
        let seconds = connecting.options.answerSeconds
        let deadline = loop.assumeIsolated().scheduleTask(in: .seconds(Int64(seconds))) { [weak self] in
            self?.waiting[id] = nil
            promise.fail(RPCError.timedOut(seconds: seconds, .answer))
        }
        promise.futureResult.whenComplete { _ in deadline.cancel() }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        switch frame.opcode {
        case .text, .binary:
            receive(Array(frame.unmaskedData.readableBytesView), context)
        case .ping:
            let pong = WebSocketFrame(fin: true, opcode: .pong, maskKey: .random(), data: frame.unmaskedData)
            context.writeAndFlush(wrapOutboundOut(pong), promise: nil)
        case .connectionClose:
            context.close(promise: nil)
        default:
            break
        }
    }

    private func receive(_ bytes: [UInt8], _ context: ChannelHandlerContext) {
        guard let message = JSON(parsing: bytes) else { return failEverything(.invalidJSON, context) }
        if let parameters = message["params"], let subscription = parameters["subscription"].flatMap(JSONKey.init) {
            notify(subscription, parameters)
        } else if let id = message["id"]?.integer, let asked = waiting.removeValue(forKey: id) {
            settle(asked, with: RPCAnswer.read(message))
        } else if message["id"] == .null {
            failEverything(.notAnAnswer, context)
        }
    }

    private func settle(_ asked: Waiting, with answer: Result<JSON, RPCError>) {
        if case .subscription(_, let notices) = asked, case .success(let result) = answer, let key = JSONKey(result) {
            subscriptions[key] = notices
            for (_, notice) in early.filter({ $0.subscription == key }) { deliver(notice, to: notices) }
            early.removeAll { $0.subscription == key }
        }
        asked.promise.completeWith(answer.mapError { $0 as any Error })
    }

    private func notify(_ subscription: JSONKey, _ parameters: JSON) {
        if let notices = subscriptions[subscription] {
            deliver(parameters, to: notices)
        } else if early.count < Self.maximumEarlyNotices {
            early.append((subscription, parameters))
        }
    }

    private func deliver(_ parameters: JSON, to notices: Notices.Continuation) {
        if let result = parameters["result"] {
            notices.yield(result)
        } else {
            notices.finish(throwing: RPCAnswer.refusal(parameters["error"]))
        }
    }

    private func failEverything(_ error: RPCError, _ context: ChannelHandlerContext) {
        connecting.note(error)
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        isOpen = false
        let error = connecting.explain(RPCError.cutOff)
        for asked in waiting.values { asked.promise.fail(error) }
        for notices in subscriptions.values { notices.finish(throwing: error) }
        waiting = [:]
        subscriptions = [:]
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        failEverything(connecting.classify(error), context)
    }
}

/// The name of a subscription: nodes use text or a number.
enum JSONKey: Hashable {
    case text(String)
    case number(Int64)

    init?(_ value: JSON) {
        switch value {
        case .string(let text): self = .text(text)
        case .integer(let number): self = .number(number)
        default: return nil
        }
    }
}

/// The result or the error of a JSON-RPC 2.0 answer.
enum RPCAnswer {
    static func read(_ message: JSON) -> Result<JSON, RPCError> {
        if let error = message["error"], error != .null { return .failure(refusal(error)) }
        guard let result = message["result"] else { return .failure(.notAnAnswer) }
        return .success(result)
    }

    static func refusal(_ error: JSON?) -> RPCError {
        guard let error, let code = error["code"]?.integer, let text = error["message"]?.string else { return .notAnAnswer }
        let detail = error["data"]?.string.map { "\(text): \($0)" }
        return .refusedByNode(code: code, message: detail ?? text)
    }
}
