import TrustStore

/// A command that prints a part of the trust store, which is read without its key and says so.
protocol TrustReport: VaultCommand {
    var vault: VaultOptions { get }
    func report(_ state: TrustState, _ console: Console) throws
}

extension TrustReport {
    func access() throws -> Access { Access(writable: [try vault.directory()]) }

    func execute(_ context: CommandContext) throws {
        let state = try vault.device().store().uncheckedTrust().state
        context.console.note(Wording.trustStoreNotChecked)
        try report(state, context.console)
    }
}
