import NIOCore
import NIOPosix
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
        #expect(await failure(try standIn.start(scheme, ["--fault", "slow"]), limit) == .timedOut(seconds: 1, .answer))
        #expect(await failure(try standIn.start(scheme, ["--fault", "silent"]), limit) == .timedOut(seconds: 1, .answer))
    }

    @Test(arguments: plain) func anAnswerThatIsCutOffIsAnError(scheme: NodeURL.Scheme) async throws {
        let standIn = try StandIn()
        #expect(await failure(try standIn.start(scheme, ["--fault", "cut-off"])) == .cutOff)
    }

    @Test(arguments: plain, ["huge", "huge-unannounced"])
    func aHugeAnswerIsRefusedBeforeItIsHeld(scheme: NodeURL.Scheme, fault: String) async throws {
        let standIn = try StandIn()
        #expect(await failure(try standIn.start(scheme, ["--fault", fault])) == .answerTooLarge(limit: 1 << 20))
    }

    @Test(arguments: plain) func whatIsNotJSONIsRefused(scheme: NodeURL.Scheme) async throws {
        let standIn = try StandIn()
        #expect(await failure(try standIn.start(scheme, ["--fault", "invalid-json"])) == .invalidJSON)
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
        #expect(try await NodePool([broken, sound], options: hasty()).run { try await $0.genesisHash() } == standIn.genesis)
        #expect(standIn.asked.count == 4)
        let failed = await #expect(throws: AllNodesFailed.self) {
            try await NodePool([broken, broken], options: hasty()).run { try await $0.genesisHash() }
        }
        #expect(failed?.attempts.map(\.number) == [1, 2, 3, 1, 2, 3])
        #expect(failed?.attempts.allSatisfy { $0.error == .status(500) } == true)
    }

    @Test(arguments: plain) func aNodeOfAnotherChainIsNotAskedTwice(scheme: NodeURL.Scheme) async throws {
        let standIn = try StandIn()
        let url = try standIn.start(scheme, ["--fault", "wrong-chain"])
        let failed = await #expect(throws: AllNodesFailed.self) {
            try await NodePool([url], options: hasty()).newestRuntime(expecting: standIn.genesis)
        }
        let other = try #require(GenesisHash([UInt8](repeating: 0xee, count: 32)))
        #expect(failed?.attempts.map(\.error) == [.wrongChain(expected: standIn.genesis, found: other)])
    }

    @Test(arguments: [NodeURL.Scheme.https, .wss]) func certificatesAreChecked(scheme: NodeURL.Scheme) async throws {
        let standIn = try StandIn()
        var trusting = hasty()
        trusting.certificateAuthorities = try standIn.certificate("ca")
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
        ("CERTIFICATE_VERIFY_FAILED", TLSFault.untrustedCertificate), ("WRONG_VERSION_NUMBER", .notTLS), ("HTTP_REQUEST", .notTLS),
        ("SSLV3_ALERT_HANDSHAKE_FAILURE", .handshake(reason: "sslv3 alert handshake failure")),
    ])
    func `only the reason is taken from the library's text`(reason: String, fault: TLSFault) {
        let said = Said(
            description: "handshakeFailed(NIOSSL.BoringSSLError.sslError([Error: 1 error:1:SSL:OPENSSL_internal:\(reason) at /x/y.cc:9]))")
        #expect(Connecting.fault(said) == fault)
        #expect(Connecting.fault(Said(description: "uncleanShutdown")) == .handshake(reason: ""))
    }

    @Test func `no sentence about TLS names a type or a file`() {
        for fault in [TLSFault.untrustedCertificate, .notTLS, .handshake(reason: ""), .handshake(reason: "bad record mac")] {
            let sentence = RPCError.tls(fault).sentence
            #expect(sentence.hasPrefix("no trusted connection: "))
            #expect(!sentence.contains("/") && !sentence.contains("NIO") && !sentence.contains("Error"))
        }
    }

    /// A server that answers every connection with HTTP, whatever it is asked.
    @Test(arguments: [NodeURL.Scheme.https, .wss]) func `a server without TLS is said so`(scheme: NodeURL.Scheme) async throws {
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                // A channel takes bytes once it is active, after this initializer.
                channel.eventLoop.scheduleTask(in: .milliseconds(50)) {
                    channel.writeAndFlush(ByteBuffer(string: "HTTP/1.1 400 Bad Request\r\n\r\n"), promise: nil)
                }
                return channel.eventLoop.makeSucceededVoidFuture()
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(server.localAddress?.port)
        let url = try #require(NodeURL("\(scheme.rawValue)://127.0.0.1:\(port)"))
        await #expect(throws: RPCError.tls(.notTLS)) {
            let node = try await NodeConnection.open(url, options: hasty())
            _ = try await node.genesisHash()
        }
        try await server.close().get()
    }
}
