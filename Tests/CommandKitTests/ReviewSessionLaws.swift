import ArgumentParser
import TerminalIO
import Testing
import UOS

@testable import CommandKit
@testable import Presentation
@testable import Sandbox

/// Any operation is shown in one way.
@Suite struct ReviewSessionLaws {
    private struct Idle: VaultCommand {
        @OptionGroup var vault: VaultOptions
        func execute(_ context: CommandContext) throws {}
    }

    /// A review of no cards, which may say that they are not all.
    private struct Reviewed: Reviewable {
        let action: ReviewDocument.Action
        var isWhole = true
        var question: String { "Do this?" }
        func items(of payload: Payload?) -> [ReviewDocument.Item] {
            [ReviewDocument.Item(attesting: .init())]
        }
        func requireWhole() throws {
            if !isWhole { throw CommandError.notAContactList }
        }
    }

    private func session() throws -> ReviewSession {
        let context = CommandContext(
            program: Idle.self, console: Console(),
            sandbox: Sandbox.Report(interfaces: nil, landlock: .unavailable(errno: 0), allowedCalls: []),
            keeper: SessionKeeper())
        return ReviewSession(
            try Idle.parse([]), context, json: true, asks: false, options: try ViewOptions.parse([]))
    }

    @Test("what an operation shows is in the document, with what a yes does")
    func shown() throws {
        let session = try session()
        try session.show(Reviewed(action: .joinGroup))
        #expect(session.document.items.count == 1 && session.document.action == .joinGroup)
        try session.show(Reviewed(action: .confirmGroup))
        #expect(session.document.items.count == 1 && session.document.action == .confirmGroup)
    }

    @Test("cards that do not say all stay in the document, and name no act")
    func partly() throws {
        let session = try session()
        #expect(throws: CommandError.notAContactList) {
            try session.show(Reviewed(action: .sign, isWhole: false))
        }
        #expect(session.document.items.count == 1 && session.document.action == .none)
    }
}
