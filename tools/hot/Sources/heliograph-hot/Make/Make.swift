import ArgumentParser
import HotStore
import Lines
import Metadata
import SCALE
import SubstratePrimitives
import UOS

struct Make: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make payloads for the offline side, as pictures.",
        subcommands: [
            AddSpecs.self, LoadMetadata.self, LoadTypes.self, LoadAssets.self, MakeDerivations.self,
            MakeDerivationsRequest.self,
            MakeTransaction.self,
        ])
}

/// Options of all updates.
struct UpdateOptions: ParsableArguments {
    @OptionGroup var signature: SignatureOptions
    @Option(
        help: "A picture, .hex or .bin file; for several networks a directory (default: named by network).")
    var out: String?
    @Option(help: "Write the bytes that a verifier signs to this file, .hex or raw, and make no update.")
    var signingBytes: String?
    @OptionGroup var picture: PictureOptions
    @OptionGroup var drawing: TerminalOptions
    @OptionGroup var database: DatabaseOptions

    /// An update with the name of its file, without an extension.
    typealias Named = (update: OutgoingUpdate, name: String)

    /// The networks that a person names, each once and in his order.
    func networks(_ names: [String]) throws -> [HotNetwork] {
        let store = try database.open()
        var found: [HotNetwork] = []
        for network in try names.map({ try store.network(named: $0) }) where !found.contains(network) {
            found.append(network)
        }
        return found
    }

    /// What is for one update does not go with several: a signature covers one, and one file holds one.
    func require(one updates: [Named]) throws {
        guard updates.count > 1 else { return }
        let given = [
            ("--signing-bytes", signingBytes != nil), ("--terminal", drawing.terminal),
            ("--separate", drawing.separate),
            ("a given signature", signature.isGiven),
        ]
        if let (option, _) = given.first(where: { $0.1 }) { throw HotError.severalNetworks(option: option) }
    }

    /// One file for each update. All of them are made before the first is written.
    func write(_ updates: [Named]) throws {
        try require(one: updates)
        guard updates.count > 1 else {
            return try updates.forEach { try write($0.update, defaultName: $0.name) }
        }
        try Files.requireDifferent(updates.map(\.name))
        let store = try database.open()
        let made = try updates.map { update, name in
            (try PublishedUpdate(update, store, unsigned: signature.unsigned), name)
        }
        for (update, _) in made { _ = try PackedPayload(update.payload) }
        if let out { try Files.makeFolder(Files.withoutSlash(out)) }
        for (update, name) in made {
            let file = "\(name).\(picture.fitsOneCode(update.payload) ? "png" : "apng")"
            Console.note("\(name): \(update.line)" + (update.verifier == nil ? "" : ", as stored"))
            try picture.write(update.payload, to: out.map { "\(Files.withoutSlash($0))/\(file)" } ?? file)
        }
    }

    /// Adds the given signature, else a stored one, and writes the payload.
    func write(_ update: OutgoingUpdate, defaultName: String) throws {
        Files.note(inputs: Files.named(by: [signature.sufficient]))
        try picture.require(out, or: drawing, beside: signingBytes)
        let store = try database.open()
        if let signingBytes {
            guard !signature.isGiven else { throw HotError.signatureOptionsIncomplete }
            return try Files.write(signingBytes: update.message, to: signingBytes)
        }
        let given = try signature.attestation(over: update.message)
        let former = try VerifiedSignature(over: update.message, in: store)?.signature.key
        // A signature that anyone can make is never kept, whatever path of the public phrase it is by.
        let kept =
            try signature.isTest
            ? .byDevelopmentKey(signature.testKey ?? "") : given?.keep(in: store, replacing: true)
        let published: PublishedUpdate
        switch kept {
        case .byDevelopmentKey(let path):
            published = PublishedUpdate(update, signedBy: given)
            Console.note(published.line)
            Console.note(Escape.terminal(DevelopmentKeys.warning(path)))
        case nil, .kept, .behind:
            published = try PublishedUpdate(update, store, unsigned: signature.unsigned)
            Console.note(published.line + (given == nil && published.verifier != nil ? ", as stored" : ""))
            if let given, let former, former != given.signature.key {
                Console.note(
                    "this signature replaces the stored one: the update was \(VerifiedSignature.line(former))"
                )
            }
        }
        let payload = published.payload
        // The offline side's decoder checks the payload before a file is written.
        _ = try PackedPayload(payload)
        let isTest = if case .byDevelopmentKey = kept { true } else { false }
        let name = isTest ? "\(defaultName)_TEST" : defaultName
        try picture.write(
            payload, to: out ?? "\(name).\(picture.fitsOneCode(payload) ? "png" : "apng")", or: drawing)
    }
}

struct AddSpecs: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make updates with network specs, one for each network.")
    @Argument(help: "The names of networks.") var networks: [String]
    @OptionGroup var update: UpdateOptions

    func run() throws {
        try update.write(
            try update.networks(networks).map { (.addSpecs($0.specs), "\(Files.name($0.name))_specs") })
    }
}

struct LoadMetadata: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make updates with metadata, one for each network.")
    @Argument(help: "The names of networks.") var networks: [String]
    @Option(help: "The spec version, of one network (default: newest).") var version: UInt32?
    @Option(
        help: "The metadata format, 14 to 16 (default: one that a verifier signed, else the oldest stored).")
    var format: UInt8?
    @Flag(help: "Compress to about a third of the frames (for heliograph only); the signature stays valid.")
    var compressed = false
    @OptionGroup var update: UpdateOptions

    func run() throws {
        let store = try update.database.open()
        let found = try update.networks(networks)
        guard found.count == 1 || version == nil else { throw HotError.severalNetworks(option: "--version") }
        try update.write(try found.map { try metadata(of: $0, store) })
    }

    private func metadata(of network: HotNetwork, _ store: HotStore) throws -> UpdateOptions.Named {
        let best = try format == nil ? PublishedUpdate.metadata(of: network, version: version, store) : nil
        let metadata = try best ?? store.metadata(of: network.name, version: version, format: format)
        // Metadata that does not decode here would be refused by every signer.
        let decoded = try RuntimeMetadata(metadata.blob, types: store.legacyTypes())
        guard decoded.runtimeVersion.specName == network.specs.name else {
            throw HotError.otherRuntimeName(
                network: network.name, expected: network.specs.name, found: decoded.runtimeVersion.specName)
        }
        let form = MetadataForm(compressed: compressed)
        return (try form.update(of: metadata, in: network), form.fileName(of: metadata, in: network))
    }
}

struct LoadTypes: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make an update with types for metadata V13 and older.")
    @Argument(help: "Ignored: types belong to no network.") var network: String?
    @OptionGroup var update: UpdateOptions

    func run() throws {
        guard let entries = try update.database.open().types() else { throw HotError.noTypes }
        try update.write(.loadTypes(encodedEntries: entries), defaultName: "types_info")
    }
}
