import UOS

/// Messages of threshold groups.
extension Scan {
    /// Acts on a message of a group. One exhaustive switch: a message that nothing here takes is refused, never passed over.
    func carryOut(
        group message: GroupMessage, _ payload: Payload, _ session: inout ReviewSession, _ context: CommandContext
    ) throws {
        switch message {
        case .host, .proposal, .contributions, .record: throw CommandError.groupMessage(kind: message.code.kind)
        case .request, .commitment, .package, .share: throw CommandError.groupMessage(kind: message.code.kind)
        case .contribution, .confirmation: throw CommandError.groupMessage(kind: message.code.kind)
        }
    }
}
