import ArgumentParser
import Ceremony
import CommandKit
import Extrinsics
import History
import Presentation
import TerminalIO
import TrustStore

struct VaultTimeGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "time", abstract: "Show or confirm the time by which budgets count.",
        discussion: """
            Vault time advances by the clock of this start of the machine, and after another start by the wall clock. It never goes back by itself. If the \
            wall clock is more than a day ahead, vault time stays until you confirm the date, so that a wrong clock frees no budget.
            """,
        subcommands: [VaultTimeShow.self, VaultTimeSet.self], defaultSubcommand: VaultTimeShow.self)
}

/// `vault time show`
struct VaultTimeShow: VaultCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Show vault time.")

    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    var json: Bool { output.json }

    struct Document: Encodable {
        /// Seconds since 1970.
        let vault_time: UInt64
        /// The wall clock.
        let clock: UInt64
        /// Whether the clock is too far ahead to be believed.
        let clock_is_ahead: Bool
        /// Until when everything counts as spent after a restore, by window; null where it does not.
        let spent_until: [String: Explicit<UInt64>]
    }

    func access() throws -> Access { Access(writable: [try vault.directory()]) }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        let device = try context.device(self)
        let session = try context.unlockUnasked(self)
        if session == nil { console.note(Wording.trustStoreNotChecked) }
        let moment = try session?.moment() ?? device.moment()
        let clock = device.now
        if json {
            let spent = BudgetWindow.allCases.map { ($0.key.rawValue, Explicit(moment.time.restoredUntil(window: $0.seconds))) }
            return JSONText.print(
                Document(
                    vault_time: moment.time.seconds, clock: clock, clock_is_ahead: moment.jump != nil,
                    spent_until: Dictionary(spent, uniquingKeysWith: { first, _ in first })), console)
        }
        for line in Wording.vaultTime(moment, clock: clock) { console.print(line) }
    }
}

/// `vault time set`
struct VaultTimeSet: VaultCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Confirm the date; asks for the date and the passphrase.",
        discussion: """
            Type the date by a calendar that you trust, not by this device's clock. If the clock shows that date, vault time becomes the clock's; else it \
            becomes the start of that date by UTC. What was signed while the time was unsure counts as of the date that you confirm.
            """)

    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    /// Whoever finds a shell open may not free a budget.
    var place: CommandPlace { .afterLocking }

    var json: Bool { output.json }

    func access() throws -> Access { Access(writable: [try vault.directory()]) }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        let device = try context.device(self)
        for line in Wording.vaultTime(try device.moment(), clock: device.now) { console.note(line) }
        let preview = try device.preview(ask(console))
        let approval = try preview.confirm { try console.confirm(Wording.setVaultTime(preview.shown)) }
        let shown = try context.unlock(self).perform(approval).outcome
        console.note(Wording.vaultTimeIsSet(shown))
        if json { JSONText.print(["vault_time": shown.to], console) }
    }

    private func ask(_ console: Console) throws -> SetVaultTime {
        while true {
            let answer = try console.ask(Wording.dateQuestion).trimmed
            if Console.yesOrNo(answer) == false { throw CeremonyError.declined }
            do throws(VaultTimeError) { return try SetVaultTime(date: answer) } catch { console.tell(error.sentence) }
        }
    }
}
