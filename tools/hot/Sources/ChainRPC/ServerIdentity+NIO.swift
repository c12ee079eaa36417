import Hashing
import NIOCore
import NIOPosix
import NIOSSL
import NodeAnswers
import SubstratePrimitives

extension ServerIdentity {
    /// nil for a certificate whose key the library cannot encode: no pin holds for it.
    init?(_ certificate: NIOSSLCertificate) {
        guard let whole = try? certificate.toDERBytes(),
            let key = try? certificate.extractPublicKey().toSPKIBytes(),
            let wholeHash = Hash32(SHA256.hash(whole)), let keyHash = Hash32(SHA256.hash(key))
        else { return nil }
        self.init(certificate: wholeHash, key: keyHash)
    }

    /// Connects, checks the certificate as every connection does, and asks nothing. Pins are not compared.
    public static func of(_ url: NodeURL, options: RPCOptions = RPCOptions()) async throws(RPCError)
        -> ServerIdentity
    {
        guard url.scheme.isEncrypted else { throw .pinnedWithoutTLS }
        var options = options
        options.pins = [:]
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let promise = loop.makePromise(of: ServerIdentity.self)
        var connecting: Connecting
        do throws(RPCError) {
            connecting = try Connecting(url, options)
        } catch {
            promise.fail(error)
            throw error
        }
        connecting.identified = { promise.succeed($0) }
        let (ready, seconds) = (connecting, options.handshakeSeconds)
        let connected = ready.bootstrap(on: loop)
            .channelInitializer { channel in
                channel.closeFuture.whenComplete { _ in promise.fail(RPCError.cutOff) }
                return channel.eventLoop.makeCompletedFuture { try ready.prepare(channel) }
            }
            .connect(host: url.host, port: url.port)
        connected.cascadeFailure(to: promise)
        let deadline = loop.scheduleTask(in: .seconds(Int64(seconds))) {
            promise.fail(RPCError.timedOut(seconds: seconds, .handshake))
        }
        promise.futureResult.whenComplete { _ in
            deadline.cancel()
            connected.whenSuccess { $0.close(promise: nil) }
        }
        do {
            return try await promise.futureResult.get()
        } catch {
            throw ready.explain(error)
        }
    }
}
