import NIOConcurrencyHelpers
import NodeAnswers

/// How many bytes a node may send before the next question: what its waiting answers may have, and a little
/// for headers and frames.
///
/// A limit for each message alone would let a node fill memory with the longest message at any time, or talk
/// forever.
final class Allowance: Sendable {
    /// Bytes for handshakes, HTTP headers, the headers of chunks and frames, pings, and notices that are
    /// under way.
    private static let overhead = 1 << 18

    private struct State {
        var received = 0
        var limit = overhead
        var excess = RPCError.tooMuchData
    }

    private let state = NIOLockedValueBox(State())

    /// The methods whose answers are waited for, and with them the subscriptions.
    func expect(_ methods: [RPCMethod], _ options: RPCOptions) {
        let bytes = methods.map { options.maximumBytes(of: $0) }.reduce(Self.overhead, +)
        let excess = methods.first { $0.maximumBytes == nil }.map(options.excess) ?? .tooMuchData
        state.withLockedValue { state in
            state.limit = state.received + bytes
            state.excess = excess
        }
    }

    /// What to say of a message that is too long for now.
    var excess: RPCError { state.withLockedValue(\.excess) }

    /// Counts received bytes.
    /// - Returns: all of them, and the error if they are too many.
    func take(_ bytes: Int) -> (received: Int, excess: RPCError?) {
        state.withLockedValue { state in
            state.received += bytes
            return (state.received, state.received > state.limit ? state.excess : nil)
        }
    }
}
