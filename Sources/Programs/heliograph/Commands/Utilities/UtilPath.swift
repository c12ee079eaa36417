import ArgumentParser
import CommandKit
import Hashing
import Keys
import Lines
import Presentation
import TerminalIO

/// `util path`
struct UtilPath: Command {
    static let configuration = CommandConfiguration(commandName: "path", abstract: "Decode a derivation path.")

    @Argument(help: "A derivation path, e.g. //polkadot/0.") var path: String
    @OptionGroup var output: OutputOptions
    var json: Bool { output.json }

    private struct Document: Encodable {
        struct Part: Encodable {
            let name: String
            let hard: Bool
            let chain_code: String
            let differs_in_polkadot_js: Bool
        }
        let path: String
        let junctions: [Part]
    }

    func access() throws -> Access { Access() }

    func execute(_ context: CommandContext) throws {
        let path = try DerivationPath(path)
        let parts = path.junctions.map {
            Document.Part(
                name: $0.name, hard: $0.isHard, chain_code: Hex.encode($0.chainCode), differs_in_polkadot_js: $0.differsInPolkadotJS)
        }
        if json { return JSONText.print(Document(path: path.description, junctions: parts), context.console) }
        for part in parts {
            context.console.print(Escape.terminal("\(part.hard ? "hard" : "soft")  \(part.name)  \(part.chain_code)"))
        }
        for junction in path.junctions where junction.differsInPolkadotJS {
            context.console.note(Wording.differsInPolkadotJS(junction))
        }
    }
}
