import ArgumentParser
import Ceremony
import QRCode
import Review
import SubstratePrimitives
import TrustStore

/// `key show`: the address as text, as a QR code and as an icon.
struct KeyShow: VaultCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the address of a key, and write its QR code or icon.")

    @Argument(help: "The key's address.") var address: String
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    @Option(help: ArgumentHelp("The network of the address (default: the key's first).", valueName: "name"))
    var network: String?

    @Option(help: ArgumentHelp("Write the QR code to this PNG file.", valueName: "file.png"))
    var out: String?

    @Option(help: ArgumentHelp("Write the icon to this PNG file.", valueName: "file.png"))
    var icon: String?

    private static let iconSide = 256
    private static let terminalIconSide = 32

    var json: Bool { output.json }

    func access() throws -> Access { Access(writable: [try vault.directory()] + [out, icon].compactMap { $0 }) }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        let state = try vault.device().store().uncheckedTrust().state
        console.note(Wording.trustStoreNotChecked)
        let key = try state.key(address: address)
        let specs = try key.network(named: network, in: state)
        let text = Self.text(key.publicKey, specs)
        if let out {
            try Files.write(try QRCode(text: text, errorCorrection: .medium).png(), to: out)
            console.note(Wording.answerWritten(out))
        }
        if let icon, let raster = IconRaster(key.publicKey, side: Self.iconSide) {
            try Files.write(try raster.png(), to: icon)
            console.note(Wording.answerWritten(icon))
        }
        let others = state.otherNetworks(of: key.publicKey, beside: specs.genesisHash)
        if json {
            return JSONText.print(KeyDocument(address: key.publicKey.address(prefix: specs.base58Prefix), text: text, others), console)
        }
        if console.colour, let raster = IconRaster(key.publicKey, side: Self.terminalIconSide) { console.print(raster.terminal()) }
        if out == nil { console.print(try QRCode(text: text, errorCorrection: .medium).terminal(coloured: console.colour)) }
        for other in others { console.print(Wording.alsoSigns(other)) }
        console.print(text)
    }

    private struct KeyDocument: Encodable {
        let address: String
        let text: String
        let other_networks: [String]
        let other_genesis_hashes: [String]

        init(address: String, text: String, _ others: [KeyReuse.Network]) {
            self.address = address
            self.text = text
            other_networks = others.map(\.shownName)
            other_genesis_hashes = others.map(\.genesis.hex)
        }
    }

    private static func text(_ key: PublicKey, _ specs: NetworkSpecs) -> String {
        let kind = key.scheme == .ethereum ? "ethereum" : "substrate"
        return "\(kind):\(key.address(prefix: specs.base58Prefix)):0x\(specs.genesisHash.hex)"
    }
}
