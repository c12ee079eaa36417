import ArgumentParser
import CommandKit
import Lines
import Presentation
import TerminalIO
import TrustStore

/// `metadata list`
struct MetadataList: TrustReport {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the metadata.")

    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions
    var json: Bool { output.json }

    private struct Facts: Encodable {
        let name: String
        let genesis_hash: String
        let version: UInt32
        let hash: String
        let bytes: Int
    }

    func report(_ state: TrustState, _ console: Console) {
        let list = state.metadata.map { record in
            Facts(
                name: state.networks(genesis: record.genesis).first?.name ?? "", genesis_hash: record.genesis.hex, version: record.version,
                hash: record.hash.hex, bytes: record.length)
        }
        if json { return JSONText.print(["metadata": list], console) }
        if list.isEmpty { console.note(Wording.noMetadata) }
        for entry in list { console.print(Escape.terminal("\(entry.name)  \(entry.version)  0x\(entry.hash)")) }
    }
}
