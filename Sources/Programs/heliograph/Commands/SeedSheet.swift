import ArgumentParser
import CommandKit
import Lines
import Presentation
import TerminalIO

/// `seed sheet`: empty forms to print.
struct SeedSheetCommand: Command, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "sheet", abstract: "Write empty forms for words, SeedQR grids and shares as a PDF.",
        discussion: """
            Six pages of A4: a recovery phrase, the grids of 21, 25 and 29 modules for a SeedQR or a \
            CompactSeedQR, a SLIP-39 share, and a recovery key of a vault. They are filled in by hand. Nothing of \
            a vault is in the file, so it can be printed on any machine.
            """)

    @Option(help: ArgumentHelp("The file for the forms.", valueName: "file.pdf"), completion: .file())
    var out: String

    @OptionGroup var replacing: ReplaceOption
    @OptionGroup var output: OutputOptions

    func access() throws -> Access { Access(files: [out], replaces: replacing.replace) }

    func execute(_ context: CommandContext) throws {
        try Files.write(SeedSheet.pdf(), to: out, replacing: replacing.replace)
        context.console.note(
            "wrote empty forms to \(Escape.terminal(out)): print them, and fill them in by hand")
        if json { JSONText.print(["file": out], context.console) }
    }
}
