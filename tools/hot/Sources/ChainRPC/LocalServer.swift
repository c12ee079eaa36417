import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket

/// A server of JSON-RPC for programs on this machine: over WebSocket, or a POST for each request.
///
/// It listens on 127.0.0.1 alone, so no other machine reaches it. Every program of this machine does, and so
/// does a page in its browser, so its answers must be worthless to them.
public final class LocalServer: Sendable {
    /// What a request gets, in the order of sending; over HTTP the first of them.
    public typealias Answer = @Sendable (_ request: [UInt8]) -> [[UInt8]]

    /// Why a server does not start.
    public enum Failure: Error, Equatable, Sendable {
        /// Another program listens on this port.
        case portInUse(Int)
        case cannotListen(port: Int, errno: Int32)
    }

    private let channel: any Channel
    /// Where it listens: what was asked for, or what the system gave for 0.
    public let port: Int

    /// Bytes of a request: far above the largest transaction.
    private static let longestRequest = 4 << 20

    private init(_ channel: any Channel, port: Int) {
        self.channel = channel
        self.port = port
    }

    /// Listens from now on.
    /// - Parameters:
    ///   - port: 0 for one that is free.
    ///   - answer: is called on several threads.
    public static func start(port: Int, answer: @escaping Answer) async throws(Failure) -> LocalServer {
        do {
            let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture { try prepare(channel, answer) }
                }
                .bind(host: "127.0.0.1", port: port).get()
            return LocalServer(channel, port: channel.localAddress?.port ?? port)
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            throw .portInUse(port)
        } catch {
            throw .cannotListen(port: port, errno: (error as? IOError)?.errnoCode ?? EIO)
        }
    }

    /// Waits until it listens no more, which is when the program ends.
    public func closed() async { try? await channel.closeFuture.get() }

    private static func prepare(_ channel: any Channel, _ answer: @escaping Answer) throws {
        let upgrader = NIOTypedWebSocketServerUpgrader<Void>(
            maxFrameSize: longestRequest,
            shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture(HTTPHeaders()) },
            upgradePipelineHandler: { channel, _ in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        NIOWebSocketFrameAggregator(
                            minNonFinalFragmentSize: 0, maxAccumulatedFrameCount: 1 << 12,
                            maxAccumulatedFrameSize: longestRequest))
                    try channel.pipeline.syncOperations.addHandler(WebSocketAnswers(answer))
                }
            })
        let upgrade = NIOTypedHTTPServerUpgradeConfiguration<Void>(
            upgraders: [upgrader],
            notUpgradingCompletionHandler: { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(PostAnswers(answer))
                }
            })
        _ = try channel.pipeline.syncOperations.configureUpgradableHTTPServerPipeline(
            configuration: NIOUpgradableHTTPServerPipelineConfiguration(upgradeConfiguration: upgrade))
    }

    /// Answers each text of a WebSocket.
    private final class WebSocketAnswers: ChannelInboundHandler {
        typealias InboundIn = WebSocketFrame
        typealias OutboundOut = WebSocketFrame
        private let answer: Answer

        init(_ answer: @escaping Answer) { self.answer = answer }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let frame = unwrapInboundIn(data)
            switch frame.opcode {
            case .text, .binary:
                for message in answer(Array(frame.unmaskedData.readableBytesView)) {
                    write(.text, ByteBuffer(bytes: message), context)
                }
            case .ping: write(.pong, frame.unmaskedData, context)
            case .connectionClose:
                write(.connectionClose, ByteBuffer(bytes: [0x03, 0xe8]), context)
                context.close(promise: nil)
            default: break
            }
        }

        private func write(_ opcode: WebSocketOpcode, _ data: ByteBuffer, _ context: ChannelHandlerContext) {
            context.writeAndFlush(
                wrapOutboundOut(WebSocketFrame(fin: true, opcode: opcode, data: data)), promise: nil)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }

    /// Answers each POST, whatever its path.
    private final class PostAnswers: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart
        private let answer: Answer
        private var request: [UInt8] = []

        init(_ answer: @escaping Answer) { self.answer = answer }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head: request = []
            case .body(let part):
                request += Array(part.readableBytesView)
                if request.count > LocalServer.longestRequest { context.close(promise: nil) }
            case .end:
                let body = answer(request).first ?? []
                let headers: HTTPHeaders = [
                    "Content-Type": "application/json", "Content-Length": "\(body.count)",
                ]
                let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: headers)
                context.write(wrapOutboundOut(.head(head)), promise: nil)
                context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: nil)
                context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
            }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}
