import ArgumentParser
import Hashing
import HotStore
import HotTransactions
import Metadata
import SubstratePrimitives

/// V15 metadata of a known network, or from a file with the facts of its network as options.
struct ProofSource: ParsableArguments {
    @Argument(help: "A network in the hot database, or a metadata file.") var source: String
    @Option(help: "The spec version (default: newest, or the file's).") var specVersion: UInt32?
    @Option(help: "The spec name (default: the metadata's).") var specName: String?
    @Option(help: "The SS58 prefix (default: the network's, or the file's).") var prefix: UInt16?
    @Option(help: "The token's decimals (default: the network's).") var decimals: UInt8?
    @Option(help: "The token's symbol (default: the network's).") var token: String?
    @OptionGroup var scanner: ScannerOptions
    @OptionGroup var database: DatabaseOptions

    func load() throws -> (metadata: RuntimeMetadata, info: ExtraInfo) {
        if Files.exists(source),
            case .metadata(let blob, _) = try ImportedFile(path: source, scanner: scanner).content
        {
            let metadata = try RuntimeMetadata(blob)
            guard let prefix = prefix ?? metadata.ss58Prefix else { throw HotError.valueMissing("--prefix") }
            guard let decimals else { throw HotError.valueMissing("--decimals") }
            guard let token else { throw HotError.valueMissing("--token") }
            let version = metadata.runtimeVersion
            return (
                metadata,
                ExtraInfo(
                    specVersion: specVersion ?? version.specVersion, specName: specName ?? version.specName,
                    base58Prefix: prefix,
                    decimals: decimals, tokenSymbol: token)
            )
        }
        let store = try database.open()
        let network = try store.network(named: source)
        let specs = network.specs
        let metadata = try RuntimeMetadata(
            try store.metadata(of: network.name, version: specVersion, format: 15).blob)
        return (
            metadata,
            ExtraInfo(
                specVersion: metadata.runtimeVersion.specVersion,
                specName: specName ?? metadata.runtimeVersion.specName,
                base58Prefix: prefix ?? specs.base58Prefix, decimals: decimals ?? specs.decimals,
                tokenSymbol: token ?? specs.unit)
        )
    }
}

struct Digest: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the metadata hash that CheckMetadataHash compares (RFC-0078).")
    @OptionGroup var source: ProofSource

    func run() throws {
        let (metadata, info) = try source.load()
        Console.print(try MetadataDigest(of: metadata, extraInfo: info).hash.hex)
    }
}

struct Proof: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the metadata proof of a call as hex (RFC-0078).")
    @OptionGroup var source: ProofSource
    @Option(help: "The call: hex, or @FILE of hex or raw bytes.") var callHex: String
    @Option(help: "The extensions' explicit, then implicit bytes (default: immortal, nonce 0, no tip).")
    var extensionsHex: String?

    func run() throws {
        let (metadata, info) = try source.load()
        let call = try Files.bytes(callHex, name: "--call-hex")
        let hash = try MetadataDigest(of: metadata, extraInfo: info).hash
        let extensions =
            try extensionsHex.map { try Files.bytes($0, name: "--extensions-hex") }
            ?? standard(metadata, info, hash)
        let proof = try MetadataProof.make(
            metadata: metadata, extraInfo: info, call: call, extensions: extensions)
        guard proof.hash == hash else {
            throw HotError.proofContradictsDigest(proof: proof.hash, digest: hash)
        }
        Console.print(Hex.encode(proof.encoded))
    }

    /// A proof's types do not depend on the values, except that a mortal era has a type of its own.
    private func standard(_ metadata: RuntimeMetadata, _ info: ExtraInfo, _ hash: Hash32) throws -> [UInt8] {
        let nothing = Hash32([UInt8](repeating: 0, count: 32))!
        let values = TransactionValues(
            era: .immortal, blockHash: nothing, nonce: 0, tip: 0, specVersion: info.specVersion,
            transactionVersion: 0,
            genesisHash: nothing, metadataHash: hash)
        let filler = ExtensionFiller(
            types: TypeView(metadata.registry), extensions: metadata.extrinsic.extensions,
            prefix: info.base58Prefix)
        let parts = try filler.bytes(values)
        return parts.explicit + parts.implicit
    }
}
