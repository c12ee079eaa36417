import Cards
import Hashing
import Review
import SubstratePrimitives

extension ReviewSummary {
    /// - `cards`: of the update, which determine its signed bytes, and the warnings of its review.
    public init(_ update: UnverifiedUpdate, cards: CardSet) {
        self.init()
        warnings = cards.warning
        word = TypedWord(update, warnings: cards.warning)
        facts = cards.verifier.map { Fact(name: "verifier", value: $0.value) }
        switch update.content {
        case .addSpecs(let specs):
            networks = [Network(name: specs.name, genesisHash: specs.genesisHash, specVersion: nil)]
            sentences = [
                Sentence([
                    .words("accepts the specs of network "), .name(ExactText(specs.name)), .words(": unit "),
                    .name(ExactText(specs.unit)),
                    .words(", \(specs.decimals) decimals, addresses with prefix \(specs.base58Prefix)"),
                ])
            ]
        case .loadMetadata(_, let genesis, let facts):
            networks = [
                Network(
                    name: facts.runtimeVersion.specName, genesisHash: genesis,
                    specVersion: facts.runtimeVersion.specVersion)
            ]
            sentences = [
                Sentence([
                    .words("accepts metadata "), .name(ExactText(facts.runtimeVersion.specName)),
                    .words(" \(facts.runtimeVersion.specVersion)"),
                ])
            ]
        case .loadTypes: sentences = [Sentence("accepts types for old metadata of all networks")]
        case .loadAssets(let units):
            networks = [
                Network(name: units.genesisHash.hex, genesisHash: units.genesisHash, specVersion: nil)
            ]
            sentences = [
                Sentence(
                    """
                    accepts units of \(units.entries.count == 1 ? "1 asset" : "\(units.entries.count) assets")
                    """
                )
            ]
        }
        markUnknownChains()
        facts += (cards.metadata + cards.types).compactMap(\.contentHash).map {
            Fact(name: "hash", value: "0x" + $0.hex)
        }
    }

    /// The summary of an update that a key of this vault signs.
    /// - Parameter cards: the cards of the attestation, with the key as author.
    public init(attesting cards: CardSet) {
        self.init()
        signers = cards.author.map { Signer(card: $0) }
        let genesis = cards.network.lazy.compactMap(\.namedGenesis).first
        if case .newSpecs(let specs)? = cards.newSpecs.first?.content {
            networks = [Network(name: specs.name, genesisHash: specs.genesisHash, specVersion: nil)]
            // A chain of two schemes has specs for each, and the signature vouches for one of them.
            sentences = [
                Sentence([
                    .words("vouches for the specs of network "), .name(ExactText(specs.name)),
                    .words(" for \(specs.scheme.name) keys"),
                ])
            ]
        } else if case .metadata(let version, _, _)? = cards.metadata.first?.content {
            networks = cards.network.prefix(1).map {
                Network(name: $0.value, genesisHash: genesis, specVersion: nil)
            }
            sentences = [
                Sentence([
                    .words("vouches for metadata "), .name(ExactText(version.specName)),
                    .words(" \(version.specVersion)"),
                ])
            ]
        } else if !cards.types.isEmpty {
            sentences = [Sentence("vouches for types for old metadata of all networks")]
        } else {
            networks = cards.network.prefix(1).map {
                Network(name: $0.value, genesisHash: genesis, specVersion: nil)
            }
            sentences = [Sentence("vouches for a list of assets")]
        }
        markUnknownChains()
        facts += (cards.metadata + cards.types).compactMap(\.contentHash).map {
            Fact(name: "hash", value: "0x" + $0.hex)
        }
    }

    /// A name is what its sender chose; the genesis hash tells the chain.
    private mutating func markUnknownChains() {
        for (index, network) in networks.enumerated() {
            guard let genesis = network.genesisHash, !network.name.utf8Equals(genesis.hex) else { continue }
            let known = WellKnownChain.chain(genesis: genesis)
            networks[index].needsGenesis = !(known?.specName).utf8Equals(network.name)
        }
    }

    /// Adds what this vault will believe from now on, which is on no card.
    public mutating func add(trust sentence: String) { facts.append(Fact(name: "trust", value: sentence)) }
}

extension Card {
    fileprivate var namedGenesis: GenesisHash? {
        if case .network(_, let hash) = content { hash } else { nil }
    }

    /// BLAKE2b-256 of what an update brings.
    fileprivate var contentHash: Hash32? {
        if case .metadata(_, let hash, _) = content { return hash }
        return if case .types(let hash, _) = content { hash } else { nil }
    }
}
