import NodeAnswers
import Testing

@Suite struct NodeURLTests {
    @Test func anAddressIsTakenApart() throws {
        let url = try #require(NodeURL("wss://rpc.example.org/archive?key=1#part"))
        #expect(url.scheme == .wss && url.host == "rpc.example.org" && url.port == 443 && url.path == "/archive?key=1")
        #expect(url.description == "wss://rpc.example.org/archive?key=1")
        #expect(NodeURL("http://[::1]:9933")?.host == "::1")
        #expect(NodeURL("http://[::1]:9933")?.description == "http://[::1]:9933")
        #expect(NodeURL("ws://localhost:9944")?.description == "ws://localhost:9944")
        #expect(NodeURL("HTTPS://example.org?x")?.path == "/?x")
    }

    @Test(arguments: [
        "example.org", "ftp://example.org", "http://", "http://user@example.org", "http://example.org:0", "http://example.org:70000",
        "http://example.org:80x", "http://example.org:+80", "http://example.org:-1", "http://example.org/\u{301}", "ws://a\u{301}",
        "ws:/\u{301}/a", "http://exa mple.org", "http://example.org/a b", "http://[::1", "ws://example.org\r\nx: y",
    ])
    func whatIsNoAddressIsRefused(text: String) {
        #expect(NodeURL(text) == nil)
    }
}
