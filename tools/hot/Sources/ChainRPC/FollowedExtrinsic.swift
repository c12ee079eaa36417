import Hashing
import NodeAnswers
import SubstratePrimitives

extension NodeConnection {
    /// Submits a signed extrinsic, including its compact length prefix, and follows it.
    ///
    /// The stream ends after a last status, or throws ``RPCError`` if the connection ends first.
    public func submitAndWatch(_ extrinsic: [UInt8]) async throws(RPCError) -> AsyncThrowingStream<
        ExtrinsicStatus, any Error
    > {
        let notices = try await subscribe(.submitAndWatch, [.text("0x\(Hex.encode(extrinsic))")])
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: ExtrinsicStatus.self)
        Task {
            do {
                for try await notice in notices {
                    guard let status = ExtrinsicStatus(notice) else {
                        throw RPCError.unexpectedAnswer(.submitAndWatch)
                    }
                    continuation.yield(status)
                    if status.isLast { break }
                }
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
        }
        return stream
    }
}
