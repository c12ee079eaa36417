import ArgumentParser
import Ceremony
import CommandKit
import Hashing
import Presentation
import QRCode
import SubstratePrimitives
import TerminalIO
import TrustStore

/// `key show`: where a key comes from, its address as text, as a QR code and as an icon.
struct KeyShow: VaultCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a key and its address, and write its QR code or icon.")

    @Argument(help: "The key's address or label.") var key: String
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    @Option(help: ArgumentHelp("The network of the address (default: the key's first).", valueName: "name"))
    var network: String?

    @Option(help: ArgumentHelp("Write the QR code to this PNG file.", valueName: "file.png"))
    var out: String?

    @Option(help: ArgumentHelp("Write the icon to this PNG file.", valueName: "file.png"))
    var icon: String?

    @Flag(help: "Show the QR code on the terminal (default: if it is printed there, and --out is not given).")
    var terminal = false

    @OptionGroup var style: CodeStyleOption

    private static let iconSide = 256
    private static let terminalIconSide = 32

    var json: Bool { output.json }

    func access() throws -> Access {
        Access(writable: [try vault.directory()], plainOutputs: [out, icon].compactMap { $0 })
    }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        let screen = terminal ? try CodeScreen(json ? console.beside : console, style: style.codeStyle) : nil
        let state = try context.readTrust(self)
        let key = try state.key(named: self.key)
        try state.requireCompared(key)
        let specs = try key.network(named: network, in: state)
        let group = key.group.flatMap { state.group($0)?.name }
        let facts = Facts(key, group: group, specs, others: state.otherNetworks(of: key.publicKey, beside: specs.genesisHash))
        let code = try QRCode.smallest(Array(facts.text.utf8))
        if let out {
            try Files.write(try code.png(), to: out)
            console.note(Wording.answerWritten(out))
        }
        if let icon, let raster = IconRaster(key.publicKey, side: Self.iconSide) {
            try Files.write(try raster.png(), to: icon)
            console.note(Wording.answerWritten(icon))
        }
        if json {
            JSONText.print(facts, console)
        } else {
            if console.colour, let raster = IconRaster(key.publicKey, side: Self.terminalIconSide) { console.print(raster.terminal()) }
            for line in Wording.keyFacts(key, group: group, network: specs) { console.print(line) }
            for other in facts.others { console.print(Wording.alsoSigns(other)) }
            console.print(facts.text)
        }
        // The code comes last: lines below it would push it out of a low window.
        let caption = Wording.addressCaption(key, group: group, network: specs.name)
        if let screen {
            try screen.draw(code, caption)
        } else if !json, out == nil, CodeScreen.isShown(by: console) {
            do {
                try CodeScreen(console, style: style.codeStyle).draw(code, caption)
            } catch let failure as PictureFailure { console.note(Wording.notDrawn(failure)) }
        }
    }

    private struct Facts: Encodable {
        let address: String
        let text: String
        let label: Explicit<String>
        let seed: Explicit<String>
        let group: String?
        let path: String
        let has_password: Bool
        let scheme: String
        let public_key: String
        let network: String
        let genesis_hash: String
        let other_networks: [String]
        let other_genesis_hashes: [String]
        let others: [KeyReuse.Network]

        init(_ key: KeyRecord, group: String?, _ specs: NetworkSpecs, others: [KeyReuse.Network]) {
            address = key.publicKey.address(prefix: specs.base58Prefix)
            let kind = key.publicKey.scheme == .ethereum ? "ethereum" : "substrate"
            text = "\(kind):\(address):0x\(specs.genesisHash.hex)"
            label = Explicit(key.label)
            seed = Explicit(key.seed)
            self.group = group
            path = key.path
            has_password = key.hasPassword
            scheme = key.publicKey.scheme.name
            public_key = Hex.encode(key.publicKey.bytes)
            network = specs.name
            genesis_hash = specs.genesisHash.hex
            other_networks = others.map(\.shownName)
            other_genesis_hashes = others.map(\.genesis.hex)
            self.others = others
        }

        /// What is printed; ``others`` stands in two of these.
        private enum CodingKeys: String, CodingKey {
            case address, text, label, seed, group, path, has_password, scheme, public_key, network, genesis_hash, other_networks
            case other_genesis_hashes
        }
    }
}
