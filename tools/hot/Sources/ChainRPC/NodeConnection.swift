import FoundationEssentials
import NIOConcurrencyHelpers
import NIOCore

/// JSON-RPC 2.0 with one node: over one WebSocket, or with an HTTP request for each call.
public final class NodeConnection: Sendable {
    private enum Transport: Sendable {
        case http
        case webSocket(OpenWebSocket, Connecting)
    }

    public let url: NodeURL
    public let options: RPCOptions
    private let transport: Transport
    private let lastID = NIOLockedValueBox<Int64>(0)

    private init(_ url: NodeURL, _ options: RPCOptions, _ transport: Transport) {
        self.url = url
        self.options = options
        self.transport = transport
    }

    /// Opens a WebSocket connection; `http` and `https` connect at each call.
    public static func open(_ url: NodeURL, options: RPCOptions = RPCOptions()) async throws(RPCError) -> NodeConnection {
        guard url.scheme.isWebSocket else { return NodeConnection(url, options, .http) }
        let connecting = try Connecting(url, options)
        return NodeConnection(url, options, .webSocket(try await OpenWebSocket.open(connecting), connecting))
    }

    /// Calls a method and returns its result.
    public func call(_ method: String, _ parameters: [JSON] = []) async throws(RPCError) -> JSON {
        let (id, request) = request(method, parameters)
        switch transport {
        case .http:
            let answer = try await HTTPCall.post(request, try Connecting(url, options))
            guard let message = JSON(parsing: answer.readableBytesView) else { throw .invalidJSON }
            guard message["id"] == .integer(id) || message["error"] != nil else { throw .notAnAnswer }
            return try RPCAnswer.read(message).get()
        case .webSocket(let socket, let connecting):
            do {
                return try await socket.ask(id, request)
            } catch {
                throw error as? RPCError ?? connecting.explain(error)
            }
        }
    }

    /// Calls a method that subscribes, and returns the notices until the connection ends.
    public func subscribe(_ method: String, _ parameters: [JSON]) async throws(RPCError) -> AsyncThrowingStream<JSON, any Error> {
        guard case .webSocket(let socket, let connecting) = transport else { throw .needsWebSocket }
        let (id, request) = request(method, parameters)
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: JSON.self)
        do {
            _ = try await socket.ask(id, request, notices: continuation)
            return stream
        } catch {
            throw error as? RPCError ?? connecting.explain(error)
        }
    }

    public func close() {
        if case .webSocket(let socket, _) = transport { socket.close() }
    }

    private func request(_ method: String, _ parameters: [JSON]) -> (id: Int64, bytes: [UInt8]) {
        let id = lastID.withLockedValue { last in
            last += 1
            return last
        }
        let message: [String: JSON] = [
            "jsonrpc": .string("2.0"), "id": .integer(id), "method": .string(method), "params": .array(parameters),
        ]
        guard let bytes = try? JSONEncoder().encode(JSON.object(message)) else {
            preconditionFailure("a request holds text, integers and lists only")
        }
        return (id, Array(bytes))
    }
}
