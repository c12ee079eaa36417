import CommandKit
import TerminalIO
import UOS

/// Messages of threshold groups.
extension Scan {
    /// Acts on a message of a group. One exhaustive switch: a message that nothing here takes is refused,
    /// never passed over.
    func carryOut(
        group message: GroupMessage, _ payload: Payload, _ session: inout ReviewSession,
        _ context: CommandContext
    ) throws {
        switch message {
        case .host(let host): try addHost(host, &session, context)
        case .proposal(let proposal): try join(proposal, &session, context)
        case .contributions(let bundle): try confirm(bundle, &session, context)
        case .record(let record): try activate(record, &session, context)
        case .request, .package, .share: try sign(message, &session, context)
        case .contribution, .confirmation, .commitment:
            throw CommandError.groupMessage(kind: message.code.kind)
        }
    }
}
