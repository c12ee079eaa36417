import NodeAnswers
import Testing

@Suite struct NodeURLTests {
    @Test func anAddressIsTakenApart() throws {
        let url = try #require(NodeURL("wss://rpc.example.org/archive?key=1#part"))
        #expect(
            url.scheme == .wss && url.host == "rpc.example.org" && url.port == 443
                && url.path == "/archive?key=1")
        #expect(url.description == "wss://rpc.example.org/archive?key=1")
        #expect(NodeURL("http://[::1]:9933")?.host == "::1")
        #expect(NodeURL("http://[::1]:9933")?.description == "http://[::1]:9933")
        #expect(NodeURL("ws://localhost:9944")?.description == "ws://localhost:9944")
        #expect(NodeURL("HTTPS://example.org?x")?.path == "/?x")
    }

    @Test(arguments: [
        "example.org", "ftp://example.org", "http://", "http://user@example.org", "http://example.org:0",
        "http://example.org:70000",
        "http://example.org:80x", "http://example.org:+80", "http://example.org:-1",
        "http://example.org/\u{301}", "ws://a\u{301}",
        "ws:/\u{301}/a", "http://exa mple.org", "http://example.org/a b", "http://[::1",
        "ws://example.org\r\nx: y",
    ])
    func whatIsNoAddressIsRefused(text: String) {
        #expect(NodeURL(text) == nil)
    }

    @Test(arguments: [
        ("wss://RPC.Example.org./x", "rpc.example.org:443"),
        ("https://rpc.example.org:443", "rpc.example.org:443"),
        ("ws://127.1:1", "127.0.0.1:1"), ("ws://0x7f.0.0.1:1", "127.0.0.1:1"),
        ("ws://2130706433:1", "127.0.0.1:1"),
        ("ws://[::ffff:127.0.0.1]:1", "127.0.0.1:1"), ("ws://[0:0::0:1]:1", "[::1]:1"),
        ("ws://[::0001]:1", "[::1]:1"),
        ("ws://localhost:1", "localhost:1"),
    ])
    func `a server has one spelling`(text: String, server: String) throws {
        #expect(try #require(NodeURL(text)).server.description == server)
    }

    @Test func `servers differ by host and port`() throws {
        let texts = ["wss://a", "wss://a:444", "wss://b", "wss://a.b", "ws://a"]
        #expect(try Set(texts.map { try #require(NodeURL($0)).server }).count == texts.count)
        #expect(NodeURL("wss://a/x")?.server == NodeURL("https://A.")?.server)
    }

    @Test func `a pin is read in each form and printed in one`() {
        let digits = String(repeating: "0aB1", count: 16)
        let colons = stride(from: 0, to: 64, by: 2).map { String(Array(digits)[$0...($0 + 1)]) }.joined(
            separator: ":")
        for form in [digits, "0x" + digits, colons, digits.uppercased()] {
            #expect(ServerPin("key:\(form)")?.description == "key:0x\(digits.lowercased())")
        }
        #expect(ServerPin("certificate:\(digits)")?.subject == .certificate)
        for text in [
            digits, "key:", "Key:\(digits)", "key:\(digits)0", "key:\(digits.dropLast())", "sha256:\(digits)",
            "key:\(digits)\u{301}",
        ] {
            #expect(ServerPin(text) == nil, "\(text)")
        }
    }
}
