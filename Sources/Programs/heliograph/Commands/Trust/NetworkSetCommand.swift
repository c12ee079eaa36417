import Accounts
import ArgumentParser
import Ceremony
import CommandKit
import Extrinsics
import Presentation
import SubstratePrimitives
import TerminalIO
import TrustStore

/// `network set`: what the owner demands for a network.
///
/// A stricter demand needs a yes; the worst it can do is to refuse what may be allowed again. A weaker one needs a typed word, and the passphrase
/// in an open shell. Whoever owns the online machine cannot send it, but can make everything that is wanted fail, until somebody at this device is
/// tired of refusals and repeats a command from a web page. So no refusal of what a runtime could have checked names this command, and the
/// question says what is believed from then on.
struct NetworkSetCommand: TrustChanging {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Require that the chain checks what was shown, before anything is signed for a network.",
        discussion: """
            A transaction that commits to the hash of its metadata is void on the chain if anything was read differently. always signs only \
            such transactions. where-possible also signs for runtimes that cannot check the hash, by metadata that a verifier signed. never \
            demands nothing and is the default. The setting belongs to the genesis hash: removing the network or resetting the \
            verifiers leaves it. Lowering it needs a typed word.
            """)

    @Argument(help: "The network's name or genesis hash.") var network: String
    @Option(help: ArgumentHelp("What must be checked by the chain: always, where-possible or never.", valueName: "when"))
    var requireMetadataHash: MetadataHashDemand
    @OptionGroup var vault: VaultOptions
    @OptionGroup var approval: ApproveOption
    @OptionGroup var output: OutputOptions

    var question: String { Wording.demandQuestion }

    func change(_ trust: TrustState) throws -> ChangeTrust.Change {
        .requireMetadataHash(try trust.knownChain(named: network), requireMetadataHash)
    }

    var wordQuestion: String { Wording.lowerDemandQuestion }
}

extension MetadataHashDemand: ExpressibleByArgument {
    /// With the hyphen of options; the policy and JSON have an underscore.
    public init?(argument: String) {
        guard let demand = Self.allCases.first(where: { argument.utf8Equals($0.spelled) }) else { return nil }
        self = demand
    }

    public static var allValueStrings: [String] { allCases.map(\.spelled) }

    private var spelled: String {
        switch self {
        case .always: "always"
        case .wherePossible: "where-possible"
        case .never: "never"
        }
    }
}
