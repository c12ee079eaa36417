import ChainRPC
import NodeAnswers
import Testing

/// What a user may add to the head of a request.
@Suite struct HeaderLaws {
    @Test func `a header is one line and says nothing of how a request is read`() {
        let token = NodeHeader(name: "X-Api_Key2", value: "a b~!")
        #expect(token?.name == "X-Api_Key2" && token?.value == "a b~!")
        for name in ["", "A B", "A:", "A\r\nB", "É", String(repeating: "a", count: 4_097)] {
            #expect(NodeHeader(name: name, value: "v") == nil, "\(name)")
        }
        for value in [
            "", "a\r\nHost: b", "a\nb", "a\tb", "é", "\u{7f}", String(repeating: "a", count: 4_097),
        ] {
            #expect(NodeHeader(name: "A", value: value) == nil, "\(value)")
        }
        for name in [
            "Host", "hOST", "Content-Length", "Transfer-Encoding", "Connection", "Upgrade", "Expect",
        ] {
            #expect(NodeHeader(name: name, value: "v") == nil, "\(name)")
        }
        #expect(NodeHeader(name: "Sec-WebSocket-Key", value: "v") == nil)
        #expect(NodeHeader(name: "sec-websocket-protocol", value: "v") == nil)
    }

    @Test(arguments: ["ws://localhost:1", "http://localhost:1"])
    func `neither a secret header nor the demand for TLS meets a URL without it`(text: String) async throws {
        let url = try #require(NodeURL(text))
        var options = RPCOptions()
        options.headers[url.server] = [try #require(NodeHeader(name: "A", value: "b"))]
        await #expect(throws: RPCError.headersWithoutTLS) { try await Self.asked(url, options) }
        options.headers = [:]
        options.requiresVersion13 = true
        await #expect(throws: RPCError.version13WithoutTLS) { try await Self.asked(url, options) }
    }

    private static func asked(_ url: NodeURL, _ options: RPCOptions) async throws {
        let node = try await NodeConnection.open(url, options: options)
        defer { node.close() }
        _ = try await node.genesisHash()
    }
}
