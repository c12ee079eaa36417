import NodeAnswers
import SubstratePrimitives
import Testing

@Suite struct RPCMessageLaws {
    private func read(_ text: String, values: Int = 64) throws(RPCError) -> RPCMessage {
        try RPCMessage(Array(text.utf8), values: values)
    }

    @Test func `a request is JSON that says what was asked`() throws {
        let request = RPCRequest(
            id: 7, method: .storageHash,
            parameters: [.text("0x\"\\\u{e9}"), .number(4_294_967_295), .texts([]), .texts(["0x\"", ""])])
        let value = try StrictJSON.parse(request.bytes, depthLimit: 3)
        #expect(
            value["jsonrpc"] == .string("2.0") && value["id"] == .number(7)
                && value["method"] == .string("state_getStorageHash"))
        #expect(
            value["params"]
                == .array([
                    .string("0x\"\\\u{e9}"), .number(4_294_967_295), .array([]),
                    .array([.string("0x\""), .string("")]),
                ]))
    }

    @Test func `a message is told by its fields`() throws {
        #expect(try read(#"{"jsonrpc":"2.0","id":3,"result":null}"#) == .answer(3, .success(.null)))
        #expect(try read(#"{"id":3,"error":null,"result":[]}"#) == .answer(3, .success(.array([]))))
        #expect(try read(#"{"id":3}"#) == .answer(3, .failure(.notAnAnswer)))
        let refusal = RPCError.refusedByNode(code: -32601, message: "Method not found: x")
        #expect(
            try read(#"{"id":3,"error":{"code":-32601,"message":"Method not found","data":"x"}}"#)
                == .answer(3, .failure(refusal)))
        #expect(
            try read(#"{"id":null,"error":{"code":-32601,"message":"Method not found","data":"x"}}"#)
                == .unnumbered(refusal))
        #expect(try read(#"{"id":null}"#) == .unnumbered(.notAnAnswer))
        #expect(try read(#"{"id":1.5,"result":1}"#) == .other)
        #expect(try read(#"[{"id":1,"result":1}]"#) == .other)
        let notice = #"{"method":"author_extrinsicUpdate","params":{"subscription":"a","result":"ready"}}"#
        #expect(try read(notice) == .notice(.text("a"), .success(.string("ready"))))
        #expect(
            try read(#"{"params":{"subscription":5,"error":{"code":1,"message":"m"}}}"#)
                == .notice(.number(5), .failure(.refusedByNode(code: 1, message: "m"))))
    }

    @Test func `a message has no more values than its question needs`() throws {
        #expect(
            try read(#"{"id":1,"result":[0,0]}"#, values: 5)
                == .answer(1, .success(.array([.number(0), .number(0)]))))
        #expect(throws: RPCError.invalidJSON(.tooManyValues(limit: 4))) {
            try read(#"{"id":1,"result":[0,0]}"#, values: 4)
        }
        let deep =
            String(repeating: "[", count: RPCMethod.maximumDepth)
            + String(repeating: "]", count: RPCMethod.maximumDepth)
        #expect(throws: RPCError.invalidJSON(.tooDeep(limit: RPCMethod.maximumDepth))) {
            try read("[\(deep)]")
        }
        #expect(throws: RPCError.invalidJSON(.duplicateKey("id"))) {
            try read(#"{"id":1,"id":2,"result":0}"#)
        }
        #expect(throws: RPCError.invalidJSON(.outOfTime)) {
            try RPCMessage(Array("1".utf8), values: 1) { false }
        }
    }

    @Test func `what a node says is clipped in a sentence`() {
        let long = String(repeating: "a", count: 100_000)
        for error in [RPCError.refusedByNode(code: 1, message: long), .invalidJSON(.duplicateKey(long))] {
            #expect(error.sentence.utf8.count < 400)
        }
    }

    @Test func `numbers beyond 64 bits and fractions do not spoil the fields beside them`() throws {
        let text =
            #"{"ss58Format":42,"tokenDecimals":12,"tokenSymbol":"X","rate":0.5,"deposit":100000000000000000000000,"e":1e-7}"#
        guard case .answer(1, .success(let value)) = try read(#"{"id":1,"result":\#(text)}"#) else {
            Issue.record("no answer")
            return
        }
        let properties = try #require(ChainProperties(value))
        #expect(
            properties.ss58Prefix == 42
                && properties.tokens == [ChainProperties.Token(symbol: "X", decimals: 12)])
    }

    @Test func `a block number is hex digits behind 0x`() throws {
        for (text, number) in [
            ("0x12c", 300), ("0x+1", nil), ("0x", nil), ("12c", nil), ("0x1ffffffff", nil), ("0x-1", nil),
        ]
            as [(String, UInt32?)]
        {
            #expect(
                BlockHeader.number(try StrictJSON.parse(Array(#"{"number":"\#(text)"}"#.utf8), depthLimit: 1))
                    == number, "\(text)")
        }
    }

    @Test func `an extrinsic's status is read exactly`() throws {
        let hash = String(repeating: "ab", count: 32)
        let cases: [(String, ExtrinsicStatus?)] = [
            (#""ready""#, .ready), (#""Ready""#, nil),
            (#"{"finalized":"0x\#(hash)"}"#, .finalized(Hash32(hex: hash)!)),
            (#"{"finalized":"0x\#(hash)","ready":1}"#, nil),
            (#"{"broadcast":["a","b"]}"#, .broadcast(peers: 2)),
            (#"{"broadcast":2}"#, nil),
            (#"{"finalized":"0x12"}"#, nil), ("null", nil),
        ]
        for (text, status) in cases {
            #expect(
                ExtrinsicStatus(try StrictJSON.parse(Array(text.utf8), depthLimit: 2)) == status, "\(text)")
        }
    }
}
