import ArgumentParser
import Hashing
import HotStore
import HotTransactions
import Metadata
import SubstratePrimitives

/// Metadata 15 of a known network, or of a file with what a network would add to it.
struct ProofSource: ParsableArguments {
    @Argument(help: "network of the hot database, or a metadata file") var source: String
    @Option(help: "spec version; the newest metadata of a network, and the metadata's own, without") var specVersion: UInt32?
    @Option(help: "spec name instead of the metadata's own") var specName: String?
    @Option(help: "SS58 prefix instead of the network's, or the metadata's own") var prefix: UInt16?
    @Option(help: "decimals instead of the network's") var decimals: UInt8?
    @Option(help: "unit instead of the network's") var token: String?
    @OptionGroup var scanner: ScannerOptions
    @OptionGroup var database: DatabaseOptions

    func load() throws -> (metadata: RuntimeMetadata, info: ExtraInfo) {
        if Files.exists(source), case .metadata(let blob) = try ImportedFile(try Files.read(source), path: source, scanner: scanner) {
            let metadata = try RuntimeMetadata(blob)
            guard let prefix = prefix ?? metadata.ss58Prefix else { throw HotError.valueMissing("--prefix") }
            guard let decimals else { throw HotError.valueMissing("--decimals") }
            guard let token else { throw HotError.valueMissing("--token") }
            let version = metadata.runtimeVersion
            return (
                metadata,
                ExtraInfo(
                    specVersion: specVersion ?? version.specVersion, specName: specName ?? version.specName, base58Prefix: prefix,
                    decimals: decimals, tokenSymbol: token)
            )
        }
        let store = try database.open()
        let specs = try store.network(source).specs
        let metadata = try RuntimeMetadata(try store.metadata(of: source, version: specVersion, format: 15).blob)
        return (
            metadata,
            ExtraInfo(
                specVersion: metadata.runtimeVersion.specVersion, specName: specName ?? metadata.runtimeVersion.specName,
                base58Prefix: prefix ?? specs.base58Prefix, decimals: decimals ?? specs.decimals, tokenSymbol: token ?? specs.unit)
        )
    }
}

struct Digest: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "the hash of metadata that CheckMetadataHash compares (RFC-0078)")
    @OptionGroup var source: ProofSource

    func run() throws {
        let (metadata, info) = try source.load()
        Console.print(try MetadataDigest(of: metadata, extraInfo: info).hash.hex)
    }
}

struct Proof: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "the metadata proof of one call, as hex (RFC-0078)")
    @OptionGroup var source: ProofSource
    @Option(help: "call bytes") var callHex: String
    @Option(help: "explicit, then implicit parts of the extensions; immortal, nonce 0 and no tip without") var extensionsHex: String?

    func run() throws {
        let (metadata, info) = try source.load()
        let call = try Files.bytes(callHex, name: "--call-hex")
        let hash = try MetadataDigest(of: metadata, extraInfo: info).hash
        let extensions = try extensionsHex.map { try Files.bytes($0, name: "--extensions-hex") } ?? standard(metadata, info, hash)
        let proof = try MetadataProof.make(metadata: metadata, extraInfo: info, call: call, extensions: extensions)
        guard proof.hash == hash else { throw HotError.proofContradictsDigest(proof: proof.hash, digest: hash) }
        Console.print(Hex.encode(proof.encoded))
    }

    /// Which types a proof shows does not depend on the values, save for a mortal era, which has a type of its own.
    private func standard(_ metadata: RuntimeMetadata, _ info: ExtraInfo, _ hash: Hash32) throws -> [UInt8] {
        let nothing = Hash32([UInt8](repeating: 0, count: 32))!
        let values = TransactionValues(
            era: .immortal, blockHash: nothing, nonce: 0, tip: 0, specVersion: info.specVersion, transactionVersion: 0,
            genesisHash: nothing, metadataHash: hash)
        let filler = ExtensionFiller(
            types: TypeView(metadata.registry), extensions: metadata.extrinsic.extensions, prefix: info.base58Prefix)
        let parts = try filler.bytes(values)
        return parts.explicit + parts.implicit
    }
}
