import ArgumentParser
import HotStore
import Metadata
import SCALE
import SubstratePrimitives
import UOS

struct Make: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make payloads for the offline side, as pictures.",
        subcommands: [AddSpecs.self, LoadMetadata.self, LoadTypes.self, LoadAssets.self, MakeDerivations.self, MakeTransaction.self])
}

/// Options of all updates.
struct UpdateOptions: ParsableArguments {
    @OptionGroup var signature: SignatureOptions
    @Option(help: "A picture, .hex or .bin file (default: named by network and version, in this directory).") var out: String?
    @OptionGroup var picture: PictureOptions
    @OptionGroup var drawing: TerminalOptions
    @OptionGroup var database: DatabaseOptions

    /// Adds the given signature, else a stored one, and writes the payload.
    func write(_ update: OutgoingUpdate, defaultName: String) throws {
        let store = try database.open()
        let given = try signature.attestation(over: update.message)
        try given?.keep(in: store)
        let published = try PublishedUpdate(update, store, unsigned: signature.unsigned)
        Console.note(published.line + (given == nil && published.verifier != nil ? ", as stored" : ""))
        let payload = published.payload
        // The offline side's decoder checks the payload before a file is written.
        _ = try Payload(payload)
        try picture.write(payload, to: out ?? "\(defaultName).\(picture.fitsOneCode(payload) ? "png" : "apng")", or: drawing)
    }
}

struct AddSpecs: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Make an update with network specs.")
    @Argument(help: "The network's name.") var network: String
    @OptionGroup var update: UpdateOptions

    func run() throws {
        let network = try update.database.open().network(named: network)
        try update.write(.addSpecs(network.specs), defaultName: "\(Files.name(network.name))_specs")
    }
}

struct LoadMetadata: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Make an update with metadata.")
    @Argument(help: "The network's name.") var network: String
    @Option(help: "The spec version (default: newest).") var version: UInt32?
    @Option(help: "The metadata format, 14 to 16 (default: one that a verifier signed, else the oldest stored).") var format: UInt8?
    @Flag(help: "Compress to about a third of the frames (for heliograph only); the signature stays valid.") var compressed = false
    @OptionGroup var update: UpdateOptions

    func run() throws {
        let store = try update.database.open()
        let network = try store.network(named: network)
        let best = try format == nil ? PublishedUpdate.metadata(of: network, version: version, store) : nil
        let metadata = try best ?? store.metadata(of: network.name, version: version, format: format)
        // Metadata that does not decode here would be refused by every signer.
        let decoded = try RuntimeMetadata(metadata.blob, types: store.legacyTypes())
        guard decoded.runtimeVersion.specName == network.specs.name else {
            throw HotError.otherRuntimeName(network: network.name, expected: network.specs.name, found: decoded.runtimeVersion.specName)
        }
        let form = MetadataForm(compressed: compressed)
        try update.write(try form.update(of: metadata, in: network), defaultName: form.fileName(of: metadata, in: network))
    }
}

struct LoadTypes: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Make an update with types for metadata V13 and older.")
    @Argument(help: "Ignored: types belong to no network.") var network: String?
    @OptionGroup var update: UpdateOptions

    func run() throws {
        guard let entries = try update.database.open().types() else { throw HotError.noTypes }
        try update.write(.loadTypes(encodedEntries: entries), defaultName: "types_info")
    }
}
