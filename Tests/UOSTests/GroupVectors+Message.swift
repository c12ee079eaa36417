import TestSupport
import UOS

extension GroupVectors {
    static func message(_ hex: String) throws -> GroupMessage {
        guard case .group(let message) = try Payload(bytes(hex)).content else { throw NotAGroupMessage() }
        return message
    }

    struct NotAGroupMessage: Error {}
}
