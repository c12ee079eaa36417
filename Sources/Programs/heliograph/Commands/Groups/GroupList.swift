import ArgumentParser
import Ceremony
import CommandKit
import GroupReview
import Lines
import Presentation
import TerminalIO
import TrustStore

/// `group list`
struct GroupListCommand: TrustReport {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the groups, and those that are being made.",
        discussion:
            "A group's address stands here once its members have compared it: heliograph group show asks.")

    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var table: WideOption

    private struct Document: Encodable {
        let groups: [GroupFacts]
        let makings: [MakingFacts]
    }

    func report(_ state: TrustState, _ console: Console) throws {
        let document = Document(
            groups: try state.groups.map { try GroupFacts($0, in: state, isListed: true) },
            makings: try state.openMakings().map { MakingFacts($0.making, $0.proposal, in: state) })
        if json { return JSONText.print(document, console) }
        if document.groups.isEmpty, document.makings.isEmpty {
            console.note("no groups: heliograph group card SEED --name NAME makes the first step")
        }
        console.print(document.groups.flatMap(\.table), wide: table.wide)
        for making in document.makings { console.print(making.line) }
    }
}

/// `group show`: the group, its members and its address, which is compared first.
struct GroupShow: VaultCommand, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a group, its members and its address.",
        discussion:
            "Until its members have compared the address, this asks whether all screens show the same.")

    @Argument(help: "The group's name.", completion: .named(.group)) var group: String
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var approval: ApproveOption

    func execute(_ context: CommandContext) throws {
        let console = context.console
        try approval.requireAllowed(vault)
        let device = try context.device(self)
        // One passphrase is for both, reading and comparing.
        var session = try context.unlockUnasked(self)
        if session == nil { console.note(Wording.trustStoreNotVerified) }
        let comparing = CompareGroup(group)
        var (facts, preview) = try (session?.preview(comparing) ?? device.preview(comparing)).reading {
            try GroupFacts($0, in: $1)
        }
        let page = json ? console.beside : console
        facts.lines.forEach(page.print)
        if !facts.compared {
            page.print(StyledLine(Wording.compareGroupAddress, .warning))
            if facts.reshared { page.print(StyledLine(Wording.compareResharedAddress, .warning)) }
            // Where nobody can be asked the address is shown with these words each time.
            if approval.approve || console.terminal != nil {
                do {
                    let approved = try approval.confirm(
                        preview, ReviewQuestion(facts.comparedQuestion), console)
                    let opened = try session ?? context.unlock(self)
                    session = opened
                    _ = try opened.perform(approved)
                    (facts, preview) = try opened.preview(comparing).reading { try GroupFacts($0, in: $1) }
                    console.note(Wording.groupCompared(facts.name))
                } catch {
                    guard case .declined? = error as? CeremonyError else { throw error }
                    console.note("the address is not compared yet: heliograph group show asks again")
                }
            }
        }
        if json { JSONText.print(facts, console) }
    }
}
