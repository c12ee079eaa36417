import NIOConcurrencyHelpers
import NIOCore
import NodeAnswers
import SubstratePrimitives

/// JSON-RPC 2.0 with one node: over one WebSocket, or with an HTTP request for each call.
public final class NodeConnection: Sendable {
    private enum Transport: Sendable {
        case http
        case webSocket(OpenWebSocket, Connecting)
    }

    public let url: NodeURL
    public let options: RPCOptions
    private let transport: Transport
    private let lastID = NIOLockedValueBox(0)

    private init(_ url: NodeURL, _ options: RPCOptions, _ transport: Transport) {
        self.url = url
        self.options = options
        self.transport = transport
    }

    /// Opens a WebSocket connection; `http` and `https` connect at each call.
    public static func open(_ url: NodeURL, options: RPCOptions = RPCOptions()) async throws(RPCError)
        -> NodeConnection
    {
        guard url.scheme.isWebSocket else { return NodeConnection(url, options, .http) }
        let connecting = try Connecting(url, options)
        return NodeConnection(url, options, .webSocket(try await OpenWebSocket.open(connecting), connecting))
    }

    /// Calls a method and returns its result.
    public func call(_ method: RPCMethod, _ parameters: [RPCParameter] = []) async throws(RPCError)
        -> StrictJSON.Value
    {
        let request = request(method, parameters)
        switch transport {
        case .http:
            return try await HTTPCall.post(request, try Connecting(url, options))
        case .webSocket(let socket, let connecting):
            do {
                return try await socket.ask(request)
            } catch {
                throw error as? RPCError ?? connecting.explain(error)
            }
        }
    }

    /// Calls a method that subscribes, and returns the notices until the connection ends.
    public func subscribe(
        _ method: RPCMethod, _ parameters: [RPCParameter]
    ) async throws(RPCError) -> AsyncThrowingStream<StrictJSON.Value, any Error> {
        guard case .webSocket(let socket, let connecting) = transport else { throw .needsWebSocket }
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: StrictJSON.Value.self)
        do {
            _ = try await socket.ask(request(method, parameters), notices: continuation)
            return stream
        } catch {
            throw error as? RPCError ?? connecting.explain(error)
        }
    }

    public func close() {
        if case .webSocket(let socket, _) = transport { socket.close() }
    }

    private func request(_ method: RPCMethod, _ parameters: [RPCParameter]) -> RPCRequest {
        let id = lastID.withLockedValue { last in
            last += 1
            return last
        }
        return RPCRequest(id: id, method: method, parameters: parameters)
    }
}
