import Diagnostics
import Hashing
import Keys
import SubstratePrimitives
import TrustStore

/// Why a text that a person typed names nothing in the vault, or more than one thing.
public enum LookupError: Error, Equatable, Sendable {
    case noSuchNetwork(String)
    /// Several chains have this name; the genesis hash tells them apart.
    case ambiguousNetwork(String)
    /// The chain of this name has specs for several schemes; the names that tell them apart.
    case ambiguousScheme(String, choices: [String])
    /// The name names one scheme, but the command concerns the whole chain. `chain` is the chain's name, and
    /// `has` are the names of all its specs.
    case partOfChain(String, chain: String, has: [String])
    case noSuchKey(address: String)
    /// No seed gives the account in any of so many places.
    case accountNotFound(tried: Int)
    /// Several keys have this label.
    case ambiguousLabel(String)
    /// The vault has the network, but no specs of it for this scheme.
    case networkOfOtherScheme(String, has: [SignatureScheme], asked: SignatureScheme)
    /// The label of a key where an address is wanted.
    case labelGiven(String, address: String)
    /// The key is not allowed on the named network.
    case keyNotOfNetwork(String)
    /// The key is not allowed on any network that the vault has specs for.
    case keyHasNoNetwork
}

extension LookupError: DiagnosticError {
    public var diagnostic: Diagnostic {
        switch self {
        case .noSuchNetwork(let name):
            .refused(
                "unknown-network", "network \(name) is not in this vault", hint: "heliograph network list")
        case .ambiguousNetwork(let name):
            .usage(
                "ambiguous-network", "several networks are named \(name)",
                hint: "name it by its genesis hash")
        case .ambiguousScheme(let name, let choices):
            .usage(
                "ambiguous-network", "\(name) names several networks: \(choices.joined(separator: ", "))",
                hint: "name one of them, e.g. \(choices.first.map(Hints.quoted) ?? "NAME/SCHEME")")
        case .partOfChain(let name, let chain, let has):
            .usage(
                "part-of-chain",
                "\(name) is only a part of \(chain), and this command "
                    + "concerns all of it: \(has.joined(separator: ", "))",
                hint: "name the chain: \(Hints.quoted(chain))")
        case .accountNotFound(let tried):
            .refused(
                "account-not-found",
                "none of the \(tried) places where known wallets put accounts gives this address",
                hint:
                    "try --password if the account has one, --accounts for higher numbers, and for a typed "
                    + "phrase --swapped or --wrong-word")
        case .noSuchKey(let address):
            .refused("unknown-key", "\(address) is not a key of this vault", hint: "heliograph key list")
        case .labelGiven(let label, let address):
            .refused(
                "label-given", "\(label) is the label of a key, and an address is needed",
                hint: "use the address: \(address)")
        case .keyNotOfNetwork(let network):
            .refused(
                "key-not-allowed", "the key is not allowed to sign for \(network)",
                hint: "heliograph key allow ADDRESS \(Hints.quoted(network))")
        case .keyHasNoNetwork:
            .refused(
                "key-has-no-network", "the key is not allowed to sign for any network",
                hint: "heliograph key allow ADDRESS NETWORK")
        case .ambiguousLabel(let label):
            .usage(
                "ambiguous-label", "several keys are labelled \(label)", hint: "name the key by its address")
        case .networkOfOtherScheme(let name, let has, let asked):
            .usage(
                "network-scheme",
                "network \(name) has keys of \(has.map(\.name).joined(separator: " and ")), "
                    + "not of \(asked.name)",
                hint: Self.specsOfScheme(name, asked))
        }
    }

    /// The command that adds specs of this scheme, for a listed chain. The specs of any other chain come from
    /// its verifier, so for those the hint only lists the networks.
    private static func specsOfScheme(_ name: String, _ scheme: SignatureScheme) -> String {
        let listed = WellKnownChain.chains(named: name)
        return listed.count == 1 && listed[0].takes(scheme)
            ? "heliograph network add \(Hints.quoted(name)) --scheme \(scheme.name)"
            : "heliograph network show \(Hints.quoted(name))"
    }

    public static var examples: [LookupError] {
        [
            .noSuchNetwork("polkadto"), .ambiguousNetwork("polkadot"),
            .ambiguousScheme("westend", choices: ["westend/ed25519", "westend/sr25519"]),
            .partOfChain("westend/ed25519", chain: "westend", has: ["westend/ed25519", "westend/sr25519"]),
            .accountNotFound(tried: 700),
            .noSuchKey(address: "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY"),
            .labelGiven("savings", address: "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY"),
            .keyNotOfNetwork("kusama"),
            .keyHasNoNetwork,
            .ambiguousLabel("savings"), .networkOfOtherScheme("westend", has: [.sr25519], asked: .ecdsa),
        ]
    }
}

/// Finds what a name or an address in a command refers to.
extension TrustState {
    /// The key that an address names, with any network's prefix.
    /// - Parameter address: SS58, or `0x` and the hex digits of a public key or of a 20-byte Ethereum-style
    ///   address.
    /// - Throws: ``LookupError/noSuchKey(address:)``, `SS58Address.Failure`
    public func key(address: String) throws -> KeyRecord {
        let named: KeyRecord?
        if let bytes = Hex.decode(address), address.utf8Starts(with: "0x") {
            named = keys.first { $0.publicKey.bytes == bytes || $0.ethereumAddress == bytes }
        } else {
            let account: [UInt8]
            do throws(SS58Address.Failure) {
                account = try SS58Address(address).account
            } catch {
                if let labelled = keys.first(where: { $0.label.map(address.utf8Equals) == true }) {
                    throw LookupError.labelGiven(address, address: shownAddress(of: labelled))
                }
                throw error
            }
            named = keys.first {
                ($0.publicKey.bytes.count == 32 ? $0.publicKey.bytes : BLAKE2b.hash($0.publicKey.bytes))
                    == account
            }
        }
        guard let named else { throw LookupError.noSuchKey(address: address) }
        return named
    }

    /// The key that an address or a label names. An address goes first, so that no label hides a key.
    /// - Throws: ``LookupError``, `SS58Address.Failure` for what looks like an address and is not a label
    public func key(named name: String) throws -> KeyRecord {
        let labelled = keys.filter { $0.label?.utf8Equals(name) ?? false }
        do {
            return try key(address: name)
        } catch {
            guard let first = labelled.first else { throw error }
            guard labelled.count == 1 else { throw LookupError.ambiguousLabel(name) }
            return first
        }
    }

    /// An address of a key, with the prefix of its first network.
    private func shownAddress(of key: KeyRecord) -> String {
        key.publicKey.address(
            prefix: networks.first { key.networks.contains($0.genesisHash) }?.base58Prefix ?? 42)
    }

    /// The one chain of this name, or with this genesis hash in hex. A revoked chain has lost its name, so
    /// only its hash finds it.
    ///
    /// A name with a scheme is refused where the chain has specs for others too: what is done to the chain is
    /// done to all of them.
    public func chain(named name: String) throws(LookupError) -> GenesisHash {
        if let genesis = GenesisHash(hex: name), verifiers[genesis] != nil { return genesis }
        let named = try networksOfOneChain(named: name)
        let all = networks(genesis: named[0].genesisHash)
        guard named.count == all.count else {
            let hash = named[0].genesisHash
            let isNameOfOneChain = networks(named: named[0].name).allSatisfy { $0.genesisHash == hash }
            throw .partOfChain(
                name, chain: isNameOfOneChain ? named[0].name : hash.hex, has: all.map(shownName))
        }
        return named[0].genesisHash
    }

    /// Like `chain(named:)`, and also finds by genesis hash a chain whose network was removed, or a chain of
    /// the built-in list.
    public func knownChain(named name: String) throws(LookupError) -> GenesisHash {
        if let genesis = GenesisHash(hex: name), KnownChains(self).name(ofGenesis: genesis) != nil {
            return genesis
        }
        return try chain(named: name)
    }

    /// The specs with this name, at least one. Without a scheme in the name these are all specs of one chain,
    /// one for each scheme.
    public func networksOfOneChain(named name: String) throws(LookupError) -> [NetworkSpecs] {
        let named = networks(named: name)
        guard let first = named.first else { throw .noSuchNetwork(name) }
        guard named.allSatisfy({ $0.genesisHash == first.genesisHash }) else { throw .ambiguousNetwork(name) }
        return named
    }

    /// The specs of the one chain of this name. A choice that the person did not make is refused with the
    /// names to choose from: a signature for the other specs, or a key of the other scheme, is worth nothing
    /// to him.
    /// - Parameter scheme: nil if the name decides; then a name without a scheme needs a chain with specs for
    ///   one scheme.
    public func network(named name: String, scheme: SignatureScheme? = nil) throws(LookupError)
        -> NetworkSpecs
    {
        let named = try networksOfOneChain(named: name)
        guard let scheme else {
            guard named.count == 1 else { throw .ambiguousScheme(name, choices: named.map(shownName)) }
            return named[0]
        }
        guard let specs = named.first(where: { $0.scheme == scheme }) else {
            throw .networkOfOtherScheme(name, has: named.map(\.scheme), asked: scheme)
        }
        return specs
    }
}

extension KeyRecord {
    /// A network that the key may sign for, and whose specs have its scheme.
    /// - Parameter name: nil for the first in the store's order. The key has one scheme, so a chain's name
    ///   needs none.
    public func network(named name: String?, in state: TrustState) throws(LookupError) -> NetworkSpecs {
        let own = state.networks.filter { networks.contains($0.genesisHash) && $0.scheme == publicKey.scheme }
        guard let name else {
            guard let first = own.first else { throw .keyHasNoNetwork }
            return first
        }
        guard let specs = own.first(where: { $0.isNamed(name) }) else { throw .keyNotOfNetwork(name) }
        return specs
    }
}

/// The chains whose genesis hashes this vault can name: the built-in list, its networks, and networks that
/// were removed from it.
public struct KnownChains: Sendable {
    /// A listed chain has its listed name, whatever specs in the store call it. Any other chain has the name
    /// of its specs, or its genesis hash in hex where no specs are left.
    public let names: [GenesisHash: String]

    public init(_ state: TrustState) {
        var names: [GenesisHash: String] = [:]
        for genesis in state.verifiers.keys { names[genesis] = genesis.hex }
        for (genesis, name) in state.removedNetworks { names[genesis] = name ?? genesis.hex }
        for specs in state.networks { names[specs.genesisHash] = specs.name }
        for chain in WellKnownChain.all { names[chain.genesisHash] = chain.name }
        self.names = names
    }

    /// A runtime version that a listed chain had when this program was made; nil for a chain whose published
    /// metadata was not read then.
    package static func listedVersion(genesis: GenesisHash) -> UInt32? {
        listedVersions.first {
            $0.specName.utf8Equals(WellKnownChain.chain(genesis: genesis)?.specName ?? "")
        }?.version
    }

    static let listedVersions: [(specName: String, version: UInt32)] = [
        ("polkadot", 2_003_000), ("statemint", 2_000_000), ("westend", 1_015_000),
    ]

    /// The name of the chain with this genesis hash; nil if this vault does not know the chain.
    public func name(ofGenesis genesis: GenesisHash) -> String? { names[genesis] }
}

extension WellKnownChain {
    /// Whether the chain takes signatures of keys of this scheme. `MultiSignature` of sp_runtime has sr25519,
    /// ed25519 and ecdsa.
    public func takes(_ other: SignatureScheme) -> Bool {
        switch (scheme, other) {
        case (.ethereum, .ethereum), (.sr25519, .sr25519), (.sr25519, .ed25519), (.sr25519, .ecdsa),
            (.ed25519, .sr25519),
            (.ed25519, .ed25519), (.ed25519, .ecdsa), (.ecdsa, .sr25519), (.ecdsa, .ed25519),
            (.ecdsa, .ecdsa):
            true
        case (.ethereum, .sr25519), (.ethereum, .ed25519), (.ethereum, .ecdsa), (.sr25519, .ethereum),
            (.ed25519, .ethereum),
            (.ecdsa, .ethereum):
            false
        }
    }
}
