import ArgumentParser
import FixtureRuntime
import FoundationEssentials
import Hashing
import SubstratePrimitives

/// Writes what the fixture network would publish, so that tests and the demo need no other chain.
@main struct HeliographFixture: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "heliograph-fixture",
        abstract: "Write specs, metadata and transactions of the fixture network.",
        subcommands: [Specs.self, Metadata.self, Call.self, Transaction.self])
}

/// The runtime of the fixture network.
struct RuntimeOptions: ParsableArguments {
    @Option(help: "The name of the network and its runtime.") var name = "heliotest"
    @Option(help: "The spec version.") var specVersion: UInt32 = 1000
    @Option(help: "The SS58 prefix.") var prefix: UInt16 = 42
    @Flag(help: "Change the order and the indices of pallets, calls and extensions.") var shuffled = false
    @Flag(help: "Leave out the extension CheckMetadataHash.") var withoutMetadataHash = false

    @Flag(help: "Add events and errors.") var withEvents = false
    @Flag(help: "Add the storage that a state proof reads.") var withStorage = false
    @Option(help: "The genesis hash (default: the fixture network's own).") var genesis: String?

    var runtime: FixtureRuntime {
        var runtime = FixtureRuntime(specName: name, specVersion: specVersion, ss58Prefix: prefix)
        if withEvents { runtime.addEvents() }
        if withStorage { runtime.addStorage() }
        if let hash = genesis.flatMap({ GenesisHash(hex: $0) }) { runtime.specs.genesisHash = hash }
        if shuffled { runtime.shuffle() }
        if withoutMetadataHash { runtime.extensions.removeAll { $0.identifier == "CheckMetadataHash" } }
        return runtime
    }
}

struct Specs: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Write network specs as JSON.")
    @OptionGroup var which: RuntimeOptions
    @Option(help: "The file to write.") var out: String

    func run() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try write(Array(try encoder.encode(which.runtime.specs)) + [UInt8(ascii: "\n")], to: out)
    }
}

struct Metadata: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Write metadata as a node serves it.")
    @OptionGroup var which: RuntimeOptions
    @Option(help: "The metadata format: 14, 15 or 16.") var version: UInt8 = 14
    @Option(help: "The file to write.") var out: String

    func run() throws {
        guard let version = FixtureRuntime.MetadataVersion(rawValue: version) else {
            throw ValidationError("--version must be 14, 15 or 16")
        }
        try write(which.runtime.metadata(version), to: out)
    }
}

/// Options of a call.
struct CallOptions: ParsableArguments {
    @Option(help: "The recipient's address.") var to = "5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty"
    @Option(help: "The amount in planck.") var amount: UInt64 = 1_500_000_000_000
    @Flag(help: "Put the transfer and a remark into Utility.batch_all.") var batch = false

    func bytes(_ runtime: FixtureRuntime) throws -> [UInt8] {
        let destination = FixtureValue.address(try SS58Address(to).account)
        let transfer = runtime.call(
            "Balances", "transfer_keep_alive", [destination, FixtureValue.compact(UInt128(amount))])
        guard batch else { return transfer }
        let remark = runtime.call("System", "remark", [FixtureValue.bytes(Array("heliograph".utf8))])
        return runtime.call("Utility", "batch_all", [FixtureValue.vector([transfer, remark])])
    }
}

struct Call: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Print the call of a transfer as hex.")
    @OptionGroup var which: RuntimeOptions
    @OptionGroup var call: CallOptions

    func run() throws { print(Hex.encode(try call.bytes(which.runtime))) }
}

struct Transaction: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the signing request for a transfer as hex.")
    @OptionGroup var which: RuntimeOptions
    @OptionGroup var call: CallOptions
    @Option(help: "The signer's SS58 address.") var signer =
        "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY"
    @Option(help: "The nonce.") var nonce: UInt64 = 0
    @Option(help: "The tip in planck.") var tip: UInt64 = 0
    @Option(help: "The first block of a mortal era of 64 blocks (default: immortal).") var mortalAt: UInt32?

    func run() throws {
        let runtime = which.runtime
        var values = FixtureExtensionValues(nonce: nonce, tip: UInt128(tip))
        if let mortalAt {
            values.era = .mortal(MortalEra(period: 64, phase: mortalAt % 64)!)
            values.blockHash = .blake2b(of: Array("fixture block \(mortalAt)".utf8))
        }
        let payload = runtime.transactionPayload(
            signer: try SS58Address(signer).account, call: try call.bytes(runtime), values)
        print(Hex.encode(payload))
    }
}

private func write(_ bytes: [UInt8], to path: String) throws {
    do {
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    } catch {
        throw ValidationError("cannot write \(path)")
    }
}
