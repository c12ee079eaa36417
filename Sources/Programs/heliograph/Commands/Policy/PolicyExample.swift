import ArgumentParser
import Ceremony
import CommandKit
import Extrinsics
import Presentation
import Review
import SubstratePrimitives
import TerminalIO
import TrustStore

/// `policy example`: a policy that `policy set` takes, with the networks, calls and accounts of the vault where there is one.
struct PolicyExample: VaultCommand {
    static let configuration = CommandConfiguration(
        commandName: "example", abstract: "Print an example of a policy, made for the networks and keys of this vault.")

    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    var json: Bool { output.json }

    /// In the order of the file.
    private struct Example: Encodable {
        var networks: [String]
        var calls: [String]
        var destinations: [String]
        var maximum_amount: String
        var maximum_tip: String
        var mortality: [String: Int]
        var messages: String
        var require_metadata_hash: String
    }

    private static let stranger = "5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty"
    private static let calls = ["Balances.transfer_keep_alive", "Balances.transfer_allow_death", "Staking.*"]
    /// Period of a transaction in blocks: about six minutes on most chains.
    private static let period = 64

    func access() throws -> Access { Access(writable: [try vault.directory()]) }

    func execute(_ context: CommandContext) throws {
        let chain = try? context.device(self).chain()
        if chain == nil { context.console.note(Wording.exampleWithoutVault) }
        JSONText.print(Self.example(chain), context.console)
    }

    private static func example(_ chain: ChainData?) -> Example {
        let state = chain?.state ?? TrustState()
        let keyed = state.networks.filter { network in state.keys.contains { $0.networks.contains(network.genesisHash) } }
        let chosen = keyed.isEmpty ? state.networks : keyed
        let first = chosen.first
        var example = Example(
            networks: chosen.isEmpty ? ["polkadot"] : chosen.map(\.name), calls: calls,
            destinations: state.keys.prefix(2).map { $0.publicKey.address(prefix: first?.base58Prefix ?? 42) },
            maximum_amount: "10" + String(repeating: "0", count: Int(first?.decimals ?? 10)), maximum_tip: "0",
            mortality: ["maximum_period": period], messages: "deny",
            require_metadata_hash: MetadataHashDemand.wherePossible.rawValue)
        if example.destinations.isEmpty { example.destinations = [stranger] }
        // Calls that the metadata of these networks does not have would only warn.
        if let chain, let policy = try? TransactionPolicy(json: Array(JSONText.line(example).utf8)) {
            let missing = chain.unmatchedEntries(of: policy).filter { $0.reason == .unknownCall }.map(\.entry)
            let held = calls.filter { !missing.containsUTF8(of: $0) }
            if !held.isEmpty { example.calls = held }
        }
        return example
    }
}
