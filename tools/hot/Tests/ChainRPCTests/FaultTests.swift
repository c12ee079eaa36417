import ChainRPC
import SubstratePrimitives
import Testing

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
        guard case .tls = await failure(sound) else {
            Issue.record("an unknown authority is not refused")
            return
        }
        let elsewhere = try standIn.start(scheme, ["--certificate", try standIn.certificate("elsewhere")])
        let wrong = try #require(NodeURL("\(scheme.rawValue)://localhost:\(elsewhere.port)"))
        #expect(await failure(wrong, trusting) == .certificateForAnotherName(host: "localhost"))
        #expect(await failure(elsewhere, trusting) == .certificateForAnotherName(host: "127.0.0.1"))
    }
}
