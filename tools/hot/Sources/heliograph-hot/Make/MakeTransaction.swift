import ArgumentParser
import Cards
import ChainRPC
import Glibc
import Hashing
import HotStore
import HotTransactions
import Metadata
import SubstratePrimitives
import Terminal
import UOS

struct MakeTransaction: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "transaction", abstract: "Make a transaction for signing.")
    @Option(help: "The network's name.") var network: String
    @Option(help: "The signer's address.") var signer: String
    @Option(help: "The call: hex, or @FILE of hex or raw bytes. Repeat it for a batch of transactions.") var callHex: [String] = []
    @Option(help: "The call as a JSON file with names and arguments. Repeat it for a batch of transactions.") var call: [String] = []
    @Flag(help: "Add a metadata proof, and commit the transaction to the metadata hash.") var withProof = false
    @Option(help: "A picture, directory, .hex or .bin file.") var out: String
    @OptionGroup var values: ValueOptions
    @OptionGroup var picture: PictureOptions
    @OptionGroup var drawing: TerminalOptions
    @OptionGroup var database: DatabaseOptions

    func validate() throws {
        guard !callHex.isEmpty || !call.isEmpty else { throw ValidationError("give --call-hex or --call") }
    }

    func run() async throws {
        let store = try database.open()
        let known = try store.network(network)
        let metadata = try metadata(store, known)
        let signer = try Signer(signer, specs: known.specs)
        var common = try await values.resolve(network: known, metadata: metadata, signer: signer)
        if withProof {
            common.metadataHash = try MetadataDigest(of: metadata, extraInfo: ExtraInfo(metadata.runtimeVersion, known.specs)).hash
        }
        var payloads: [[UInt8]] = []
        for bytes in try calls(metadata, known.specs) {
            let draft = try TransactionDraft(
                call: bytes, signer: signer.payloadKey, scheme: known.specs.scheme, values: common, metadata: metadata, specs: known.specs)
            payloads.append(withProof ? try draft.bytesWithProof(metadata: metadata, specs: known.specs) : draft.payload.bytes())
            for card in draft.decoded.method + draft.decoded.extensions { Console.print(Self.line(card)) }
            common.nonce += 1
        }
        let payload = payloads.count == 1 ? payloads[0] : Payload.Content.bulk(try payloads.map { try Payload($0) }).encoded()
        // The offline side's decoder checks the payload before a file is written.
        _ = try Payload(payload)
        try picture.write(payload, to: out, or: drawing)
        try store.remember(payload: payload, network: network, at: Int64(time(nil)))
    }

    private static func line(_ card: Card) -> String { String(repeating: "  ", count: card.indent) + CardLine(card).line }

    /// Proofs need V15; otherwise the oldest stored format.
    private func metadata(_ store: HotStore, _ network: HotNetwork) throws -> RuntimeMetadata {
        let format: UInt8? = withProof ? 15 : nil
        let entry = try store.metadata(of: network.name, version: values.specVersion, format: format)
        return try RuntimeMetadata(entry.blob, types: store.legacyTypes())
    }

    private func calls(_ metadata: RuntimeMetadata, _ specs: NetworkSpecs) throws -> [[UInt8]] {
        let given = try callHex.map { try Files.bytes($0, name: "--call-hex") }
        return try given
            + call.map { path in
                let value = try Files.json(JSONValue.self, try Files.read(path)) { .badDescription(path: path, detail: $0) }
                return try TransactionDraft.call(value, metadata: metadata, specs: specs)
            }
    }
}

/// The signer, as an address and as payload bytes.
struct Signer: Sendable {
    let address: String
    /// The public key, or the 20-byte address of an Ethereum-style key.
    let payloadKey: [UInt8]

    /// - Parameter text: SS58, or hex of the key or Ethereum-style address.
    init(_ text: String, specs: NetworkSpecs) throws {
        address = text
        if text.hasPrefix("0x") {
            guard let bytes = Hex.decode(text), bytes.count == specs.scheme.payloadKeyLength else { throw HotError.badAddress(text) }
            payloadKey = bytes
            return
        }
        let parsed = try SS58Address(text)
        guard parsed.account.count == specs.scheme.payloadKeyLength else { throw HotError.badAddress(text) }
        payloadKey = parsed.account
    }
}
