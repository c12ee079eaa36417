import ChainRPC
import Hashing
import NodeAnswers
import SubstratePrimitives
import Testing

@Suite(.serialized) struct PinTests {
    static let secure: [NodeURL.Scheme] = [.https, .wss]
    private let standIn: StandIn
    private var options = hasty(answerSeconds: 60)

    init() throws {
        standIn = try StandIn()
        options.certificateAuthorities = try standIn.authorities()
    }

    private func failure(_ url: NodeURL, _ options: RPCOptions) async -> RPCError? {
        do throws(RPCError) {
            let node = try await NodeConnection.open(url, options: options)
            defer { node.close() }
            _ = try await node.genesisHash()
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: secure) func `a server with another certificate or key than its pin is asked nothing`(
        scheme: NodeURL.Scheme
    )
        async throws
    {
        let url = try standIn.start(scheme, ["--certificate", try standIn.certificate("loopback")])
        let identity = try await ServerIdentity.of(url, options: options)
        #expect(identity.certificate != identity.key)
        for subject in ServerPin.Subject.allCases {
            var pinned = options
            let wrong = ServerPin(subject, .blake2b(of: [1]))
            pinned.pins[url.server] = wrong
            let found = await failure(url, pinned)
            #expect(found == .pinMismatch(server: url.server, expected: wrong, found: identity.pin(subject)))
            // The other fingerprint does not pass for this one.
            pinned.pins[url.server] = ServerPin(
                subject, subject == .key ? identity.certificate : identity.key)
            #expect(await failure(url, pinned) != nil)
            #expect(standIn.asked.isEmpty)
        }
        for subject in ServerPin.Subject.allCases {
            var pinned = options
            pinned.pins[url.server] = identity.pin(subject)
            #expect(await failure(url, pinned) == nil)
        }
    }

    @Test(arguments: secure) func `a server may have its backup pin, and nothing else`(scheme: NodeURL.Scheme)
        async throws
    {
        let url = try standIn.start(scheme, ["--certificate", try standIn.certificate("loopback")])
        let identity = try await ServerIdentity.of(url, options: options)
        let wrong = ServerPin(.key, .blake2b(of: [1]))
        for subject in ServerPin.Subject.allCases {
            var pinned = options
            for (pin, backup) in [(wrong, identity.pin(subject)), (identity.pin(subject), wrong)] {
                (pinned.pins, pinned.backupPins) = ([url.server: pin], [url.server: backup])
                #expect(await failure(url, pinned) == nil)
            }
            let asked = standIn.asked
            let other = ServerPin(subject, subject == .key ? identity.certificate : identity.key)
            for backup in [wrong, other] {
                (pinned.pins, pinned.backupPins) = ([url.server: wrong], [url.server: backup])
                #expect(
                    await failure(url, pinned)
                        == .pinMismatch(server: url.server, expected: wrong, found: identity.pin(.key)))
            }
            #expect(standIn.asked == asked)
        }
    }

    /// A pin narrows what is trusted and never widens it.
    @Test(arguments: secure) func `a pin makes no certificate trusted`(scheme: NodeURL.Scheme) async throws {
        let url = try standIn.start(scheme, ["--certificate", try standIn.certificate("loopback")])
        var pinned = hasty(answerSeconds: 60)
        pinned.pins[url.server] = try await ServerIdentity.of(url, options: options).pin(.certificate)
        #expect(await failure(url, pinned) == .tls(.untrustedCertificate))
        await #expect(throws: RPCError.tls(.untrustedCertificate)) {
            try await ServerIdentity.of(url, options: hasty())
        }
    }

    @Test(arguments: [NodeURL.Scheme.http, .ws]) func `a server with a pin is not asked without TLS`(
        scheme: NodeURL.Scheme
    ) async throws {
        let url = try standIn.start(scheme)
        var pinned = options
        pinned.pins[url.server] = ServerPin(.key, .blake2b(of: [1]))
        #expect(await failure(url, pinned) == .pinnedWithoutTLS)
        #expect(standIn.asked.isEmpty)
        await #expect(throws: RPCError.pinnedWithoutTLS) { try await ServerIdentity.of(url, options: pinned) }
    }
}
