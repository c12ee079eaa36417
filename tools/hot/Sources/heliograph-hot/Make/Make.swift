import ArgumentParser
import HotStore
import Metadata
import SCALE
import SubstratePrimitives
import UOS

struct Make: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "payloads for the offline side, as pictures",
        subcommands: [AddSpecs.self, LoadMetadata.self, LoadTypes.self, LoadAssets.self, MakeDerivations.self, MakeTransaction.self])
}

/// What all updates have in common: a signature, and a picture.
struct UpdateOptions: ParsableArguments {
    @OptionGroup var signature: SignatureOptions
    @Option(help: "picture, .hex or .bin; a name from network and version in this folder without") var out: String?
    @OptionGroup var picture: PictureOptions
    @OptionGroup var database: DatabaseOptions

    /// Signs with what was given and writes the payload.
    func write(_ update: OutgoingUpdate, defaultName: String) throws {
        let attestation = try signature.attestation(over: update.message)
        if let attestation {
            try database.open().keepSignature(attestation.signature, by: attestation.key, over: update.message)
        } else {
            Console.note("this update is unsigned")
        }
        let payload = update.bytes(signature: attestation)
        // The offline side's own reader goes over it before a file is written.
        _ = try Payload(payload)
        try picture.write(payload, to: out ?? "\(defaultName).\(picture.fitsOneCode(payload) ? "png" : "apng")")
    }
}

struct AddSpecs: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "network specs")
    @Argument(help: "network of the hot database") var network: String
    @OptionGroup var update: UpdateOptions

    func run() throws {
        let network = try update.database.open().network(network)
        try update.write(.addSpecs(network.specs), defaultName: "\(network.name)_specs")
    }
}

struct LoadMetadata: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "metadata of a runtime")
    @Argument(help: "network of the hot database") var network: String
    @Option(help: "spec version; the newest without") var version: UInt32?
    @Option(help: "metadata format, 14 to 16; the oldest that is there without, which the most readers know") var format: UInt8?
    @Flag(help: "about a third of the frames, in a form that only heliograph reads; a signature serves both forms") var compressed = false
    @OptionGroup var update: UpdateOptions

    func run() throws {
        let store = try update.database.open()
        let network = try store.network(network)
        let metadata = try store.metadata(of: network.name, version: version, format: format)
        // What goes out is decoded first: a blob that no reader takes is not worth a scan.
        let decoded = try RuntimeMetadata(metadata.blob, types: store.legacyTypes())
        guard decoded.runtimeVersion.specName == network.specs.name else {
            throw HotError.otherRuntimeName(network: network.name, expected: network.specs.name, found: decoded.runtimeVersion.specName)
        }
        let form = MetadataForm(compressed: compressed)
        try update.write(try form.update(of: metadata, in: network), defaultName: form.fileName(of: metadata, in: network))
    }
}

struct LoadTypes: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "types for metadata 13 and older")
    @Argument(help: "ignored: types belong to no network") var network: String?
    @OptionGroup var update: UpdateOptions

    func run() throws {
        guard let entries = try update.database.open().types() else { throw HotError.noTypes }
        try update.write(.loadTypes(encodedEntries: entries), defaultName: "types_info")
    }
}
