import ArgumentParser
import Ceremony
import CommandKit
import FoundationEssentials
import Lines
import Presentation
import QRCode
import TerminalIO
import TrustStore

/// An entry with all that its hash covers: the object of ``LogFacts`` loses the order of the facts, and all but the first of one name.
private struct ExportedEntry: Encodable {
    let entry: LogEntry

    init(_ entry: LogEntry) { self.entry = entry }

    private enum CodingKeys: CodingKey { case fact_list }
    private struct Fact: Encodable { let name, value: String }

    func encode(to encoder: any Encoder) throws {
        try LogFacts(entry).encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(entry.event.facts.map { Fact(name: $0.name, value: $0.value) }, forKey: .fact_list)
    }
}

/// `log export`: every entry as a line of JSON, or the head as a QR code that a person can keep and compare later.
struct LogExport: VaultCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Export the log as lines of JSON, or its head as a QR code.",
        discussion: "With --passphrase-fd, and in an unlocked shell, the whole log is checked under the seal of the store.")

    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions
    var json: Bool { output.json }

    @Option(help: ArgumentHelp("The file: lines of JSON, or the head's QR code if the name ends in .png.", valueName: "file"))
    var out: String

    func access() throws -> Access { Access(writable: [try vault.directory()], plainOutputs: [out]) }

    func execute(_ context: CommandContext) throws {
        let log = try LogReader(self, context)
        let text = try log.checkedHead().text
        if out.hasSuffix(".png") {
            try Files.write(try QRCode(bytes: Array(text.utf8), errorCorrection: .medium).png(), to: out)
        } else {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            var lines: [UInt8] = []
            for entry in try log.entries() {
                lines +=
                    Array(Escape.json(String(decoding: try encoder.encode(ExportedEntry(entry)), as: UTF8.self)).utf8) + [
                        UInt8(ascii: "\n")
                    ]
            }
            try Files.write(lines, to: out)
        }
        if json { return JSONText.print(["head": text, "out": out], context.console) }
        context.console.print(text)
    }
}
