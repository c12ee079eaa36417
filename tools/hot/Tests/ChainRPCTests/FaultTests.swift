import NIOCore
import NIOPosix
import NodeAnswers
import SubstratePrimitives
import Testing

@testable import ChainRPC

@Suite(.serialized) struct FaultTests {
    static let plain: [NodeURL.Scheme] = [.http, .ws]

    private func failure(_ url: NodeURL, _ options: RPCOptions = hasty()) async -> RPCError? {
        do {
            let node = try await NodeConnection.open(url, options: options)
            defer { node.close() }
            _ = try await node.genesisHash()
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: plain) func aSlowAnswerRunsOutOfTime(scheme: NodeURL.Scheme) async throws {
        let standIn = try StandIn()
        let limit = hasty(answerSeconds: 1)
        #expect(
            await failure(try standIn.start(scheme, ["--fault", "slow"]), limit)
                == .timedOut(seconds: 1, .answer))
        #expect(
            await failure(try standIn.start(scheme, ["--fault", "silent"]), limit)
                == .timedOut(seconds: 1, .answer))
    }

    @Test(arguments: plain) func anAnswerThatIsCutOffIsAnError(scheme: NodeURL.Scheme) async throws {
        let standIn = try StandIn()
        #expect(await failure(try standIn.start(scheme, ["--fault", "cut-off"])) == .cutOff)
    }

    @Test(arguments: plain, ["huge", "huge-unannounced"])
    func aHugeAnswerIsRefusedBeforeItIsHeld(scheme: NodeURL.Scheme, fault: String) async throws {
        let standIn = try StandIn()
        #expect(await failure(try standIn.start(scheme, ["--fault", fault])) == .tooMuchData)
        let metadata = try standIn.start(scheme, ["--fault", fault, "--fault-method", "state_getMetadata"])
        #expect(await metadataFailure(metadata) == .answerTooLarge(limit: 1 << 20))
    }

    private func metadataFailure(_ url: NodeURL, _ options: RPCOptions = hasty()) async -> RPCError? {
        do throws(RPCError) {
            let node = try await NodeConnection.open(url, options: options)
            defer { node.close() }
            _ = try await node.metadata(at: try await node.finalizedHead(), formats: [])
            return nil
        } catch {
            return error
        }
    }

    /// 30 MB that follow the grammar of JSON, where a hash is expected and where metadata is: neither is read
    /// as far as it would cost.
    @Test(arguments: plain, [("empty-lists", true), ("same-keys", true), ("long-text", false)])
    func `what a hostile node sends is bounded by what the question needs`(
        scheme: NodeURL.Scheme, shape: (name: String, isTooComplex: Bool)
    ) async throws {
        let standIn = try StandIn()
        #expect(
            await failure(try standIn.start(scheme, ["--fault", "hostile-\(shape.name)"])) == .tooMuchData)
        var generous = hasty(answerSeconds: 60)
        generous.maximumAnswerBytes = 32 << 20
        let words = ["--fault", "hostile-\(shape.name)", "--fault-method", "state_getMetadata"]
        let start = ContinuousClock.now
        let found = await metadataFailure(try standIn.start(scheme, words), generous)
        if shape.isTooComplex {
            guard case .invalidJSON = found else {
                Issue.record("\(shape.name): \(String(describing: found))")
                return
            }
        } else {
            #expect(found == .unexpectedAnswer(.metadata))
        }
        #expect(ContinuousClock.now - start < .seconds(45))
    }

    /// Each message is short, and there is no end to them.
    @Test func `a node that talks without an answer is cut off`() async throws {
        let standIn = try StandIn()
        #expect(await failure(try standIn.start(.ws, ["--fault", "pings"])) == .tooMuchData)
        try standIn.write(state: ["submit": [String](repeating: "ready", count: 300)])
        let node = try await NodeConnection.open(try standIn.start(.ws), options: hasty(answerSeconds: 60))
        defer { node.close() }
        var seen = 0
        await #expect(throws: RPCError.tooMuchData) {
            for try await _ in try await node.submitAndWatch([8, 1, 2]) { seen += 1 }
        }
        #expect(seen == 256)
    }

    /// A node that may send notices for ever would keep its reader at work for ever.
    @Test(arguments: [(256, nil), (257, .tooMuchData), (100_000, .tooMuchData)] as [(Int, RPCError?)])
    func `notices that nobody asked for are bounded`(count: Int, expected: RPCError?) async throws {
        let standIn = try StandIn()
        let url = try standIn.start(.ws, ["--unasked", "\(count)"])
        #expect(await failure(url, hasty(answerSeconds: 60)) == expected)
    }

    /// The test program takes longer than this for 30 MB of escapes or white space; a build for release may
    /// have time for them.
    @Test(arguments: plain, ["escapes", "spaces"]) func `the deadline holds while an answer is read`(
        scheme: NodeURL.Scheme, shape: String
    ) async throws {
        let standIn = try StandIn()
        var brief = hasty(answerSeconds: 3)
        brief.maximumAnswerBytes = 32 << 20
        let url = try standIn.start(
            scheme, ["--fault", "hostile-\(shape)", "--fault-method", "state_getMetadata"])
        let start = ContinuousClock.now
        let found = await metadataFailure(url, brief)
        #expect(found == .timedOut(seconds: 3, .answer) || found == .unexpectedAnswer(.metadata))
        // Opening and the questions before it have their own time.
        if found == .timedOut(seconds: 3, .answer) { #expect(ContinuousClock.now - start < .seconds(30)) }
    }

    @Test(arguments: plain) func whatIsNotJSONIsRefused(scheme: NodeURL.Scheme) async throws {
        let standIn = try StandIn()
        #expect(
            await failure(try standIn.start(scheme, ["--fault", "invalid-json"]))
                == .invalidJSON(.malformed(offset: 22)))
        #expect(await failure(try standIn.start(scheme, ["--fault", "not-an-answer"])) == .notAnAnswer)
    }

    @Test func anErrorStatusIsRefused() async throws {
        let standIn = try StandIn()
        #expect(await failure(try standIn.start(.http, ["--fault", "500"])) == .status(500))
        #expect(await failure(try standIn.start(.ws, ["--fault", "500"])) == .webSocketRefused)
    }

    @Test(arguments: plain) func aNodeThatIsNotThereIsSaidSo(scheme: NodeURL.Scheme) async throws {
        let found = await failure(NodeURL("\(scheme.rawValue)://127.0.0.1:1")!)
        guard case .cannotConnect(let reason) = found else {
            Issue.record("unexpected \(String(describing: found))")
            return
        }
        #expect(reason.contains("refused"))
    }

    @Test(arguments: plain) func aFaultThatPassesIsMendedByTryingAgain(scheme: NodeURL.Scheme) async throws {
        let standIn = try StandIn()
        let pool = NodePool([try standIn.start(scheme, ["--fault", "cut-off:2"])], options: hasty())
        #expect(try await pool.run { try await $0.genesisHash() } == standIn.genesis)
    }

    @Test func eachAddressIsTriedThreeTimesBeforeTheNext() async throws {
        let standIn = try StandIn()
        let broken = try standIn.start(.http, ["--fault", "500"])
        let sound = try standIn.start(.http)
        #expect(
            try await NodePool([broken, sound], options: hasty()).run { try await $0.genesisHash() }
                == standIn.genesis)
        #expect(standIn.asked.count == 4)
        let failed = try #require(
            AllNodesFailed(
                attempts: [1, 2, 3, 1, 2, 3].map { .init(url: broken, number: $0, error: .status(500)) }))
        await #expect(throws: failed) {
            try await NodePool([broken, broken], options: hasty()).run { try await $0.genesisHash() }
        }
    }

    @Test(arguments: plain) func aNodeOfAnotherChainIsNotAskedTwice(scheme: NodeURL.Scheme) async throws {
        let standIn = try StandIn()
        let url = try standIn.start(scheme, ["--fault", "wrong-chain"])
        let other = try #require(GenesisHash([UInt8](repeating: 0xee, count: 32)))
        let wrong = RPCError.wrongChain(expected: standIn.genesis, found: other)
        let failed = try #require(AllNodesFailed(attempts: [.init(url: url, number: 1, error: wrong)]))
        await #expect(throws: failed) {
            try await NodePool([url], options: hasty()).newestRuntime(expecting: standIn.genesis)
        }
    }

    @Test(arguments: [NodeURL.Scheme.https, .wss]) func certificatesAreChecked(scheme: NodeURL.Scheme)
        async throws
    {
        let standIn = try StandIn()
        var trusting = hasty()
        trusting.certificateAuthorities = try standIn.authorities()
        let sound = try standIn.start(scheme, ["--certificate", try standIn.certificate("loopback")])
        let named = try #require(NodeURL("\(scheme.rawValue)://localhost:\(sound.port)"))
        #expect(await failure(sound, trusting) == nil)
        #expect(await failure(named, trusting) == nil)
        #expect(await failure(sound) == .tls(.untrustedCertificate))
        let elsewhere = try standIn.start(scheme, ["--certificate", try standIn.certificate("elsewhere")])
        let wrong = try #require(NodeURL("\(scheme.rawValue)://localhost:\(elsewhere.port)"))
        #expect(await failure(wrong, trusting) == .certificateForAnotherName(host: "localhost"))
        #expect(await failure(elsewhere, trusting) == .certificateForAnotherName(host: "127.0.0.1"))
    }
}

/// What the TLS library says, in this project's words.
@Suite struct TLSFaultTests {
    private struct Said: Error, CustomStringConvertible { let description: String }

    @Test(arguments: [
        ("CERTIFICATE_VERIFY_FAILED", TLSFault.untrustedCertificate), ("WRONG_VERSION_NUMBER", .notTLS),
        ("HTTP_REQUEST", .notTLS),
        ("UNSUPPORTED_PROTOCOL", .outdatedServer), ("TLSV1_ALERT_PROTOCOL_VERSION", .outdatedServer),
        ("TLSV1_ALERT_CERTIFICATE_REQUIRED", .clientCertificate),
        ("SSLV3_ALERT_HANDSHAKE_FAILURE", .handshake),
    ])
    func `only the reason is taken from the library's text`(reason: String, fault: TLSFault) {
        let said = Said(
            description:
                """
                handshakeFailed(NIOSSL.BoringSSLError.sslError([Error: 1 \
                error:1:SSL:OPENSSL_internal:\(reason) at /x/y.cc:9]))
                """
        )
        #expect(Connecting.fault(said) == fault)
        #expect(Connecting.fault(Said(description: "uncleanShutdown")) == .handshake)
    }

    /// Every way in which a connection can fail at a server that speaks, and the sentence for it. Each is
    /// said by a server, none by a stand-in error.
    @Test(arguments: [NodeURL.Scheme.https, .wss]) func `no sentence about TLS names a type or a file`(
        scheme: NodeURL.Scheme
    ) async throws {
        let standIn = try StandIn()
        var trusting = hasty(answerSeconds: 60)
        trusting.certificateAuthorities = try standIn.authorities()
        func said(_ url: NodeURL, _ options: RPCOptions) async -> RPCError? {
            do throws(RPCError) {
                let node = try await NodeConnection.open(url, options: options)
                defer { node.close() }
                _ = try await node.genesisHash()
                return nil
            } catch {
                return error
            }
        }
        func server(_ certificate: String, _ words: String...) throws -> NodeURL {
            try standIn.start(scheme, ["--certificate", try standIn.certificate(certificate)] + words)
        }
        let expected: [(NodeURL, RPCError)] = [
            (try server("expired"), .tls(.untrustedCertificate)),
            (try server("self-signed"), .tls(.untrustedCertificate)),
            (try server("elsewhere"), .certificateForAnotherName(host: "127.0.0.1")),
            (try server("loopback", "--fault", "cut-off"), .cutOff),
            // Python's server ends the connection without the alert that names the reason; openssl's, in
            // `tools/dev hot-laws`, sends it.
            (try server("loopback", "--tls", "1.1"), .tls(.cutOff)),
        ]
        for (url, error) in expected {
            let found = await said(url, trusting)
            #expect(found == error)
        }
        for error in expected.map(\.1) + TLSFault.allCases.map({ RPCError.tls($0) }) {
            let sentence = error.sentence
            #expect(
                !sentence.contains("/") && !sentence.contains("NIO") && !sentence.contains("SSL")
                    && !sentence.contains("Error"),
                "\(sentence)")
        }
    }

    @Test(arguments: [NodeURL.Scheme.https, .wss])
    func `TLS 1_2 and 1_3 are taken and the newer is preferred`(scheme: NodeURL.Scheme)
        async throws
    {
        for (words, version) in [(["--tls", "1.2"], "TLSv1.2"), (["--tls", "1.3"], "TLSv1.3")] {
            let standIn = try StandIn()
            var trusting = hasty(answerSeconds: 20)
            trusting.certificateAuthorities = try standIn.authorities()
            let url = try standIn.start(
                scheme, ["--certificate", try standIn.certificate("loopback")] + words)
            #expect(try await genesisHash(url, trusting) == standIn.genesis)
            #expect(standIn.asked.first == version)
        }
    }

    /// Three attempts, as the program makes them: on a busy machine the stand-in's answer may come too late.
    private func genesisHash(_ url: NodeURL, _ options: RPCOptions) async throws -> GenesisHash {
        for _ in 1...2 {
            do {
                return try await genesisHashAtOnce(url, options)
            } catch RPCError.timedOut {
                continue
            }
        }
        return try await genesisHashAtOnce(url, options)
    }

    private func genesisHashAtOnce(_ url: NodeURL, _ options: RPCOptions) async throws -> GenesisHash {
        let node = try await NodeConnection.open(url, options: options)
        defer { node.close() }
        return try await node.genesisHash()
    }

    /// A server with TLS on a port where none is expected.
    @Test(arguments: [NodeURL.Scheme.http, .ws]) func `TLS on a plain port is said in a sentence of ours`(
        scheme: NodeURL.Scheme
    )
        async throws
    {
        let standIn = try StandIn()
        let url = try standIn.start(scheme, ["--certificate", try standIn.certificate("loopback")])
        do throws(RPCError) {
            let node = try await NodeConnection.open(url, options: hasty(answerSeconds: 60))
            defer { node.close() }
            _ = try await node.genesisHash()
            Issue.record("an answer")
        } catch {
            #expect([.cutOff, .notHTTP].contains(error))
        }
    }

    /// A server that answers every connection with HTTP, whatever it is asked.
    @Test(arguments: [NodeURL.Scheme.https, .wss]) func `a server without TLS is said so`(
        scheme: NodeURL.Scheme
    ) async throws {
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                // A channel takes bytes once it is active, after this initializer.
                channel.eventLoop.scheduleTask(in: .milliseconds(50)) {
                    channel.writeAndFlush(
                        ByteBuffer(string: "HTTP/1.1 400 Bad Request\r\n\r\n"), promise: nil)
                }
                return channel.eventLoop.makeSucceededVoidFuture()
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(server.localAddress?.port)
        let url = try #require(NodeURL("\(scheme.rawValue)://127.0.0.1:\(port)"))
        await #expect(throws: RPCError.tls(.notTLS)) {
            let node = try await NodeConnection.open(url, options: hasty(answerSeconds: 60))
            _ = try await node.genesisHash()
        }
        try await server.close().get()
    }
}
