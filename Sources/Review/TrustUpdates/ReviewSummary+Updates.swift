import Cards
import Review
import SubstratePrimitives

extension ReviewSummary {
    /// - `cards`: of the update, which determine its signed bytes, and the warnings of its review.
    public init(_ update: UnverifiedUpdate, cards: CardSet) {
        self.init()
        warnings = cards.warning + cards.error
        word = TypedWord(update, warnings: cards.warning)
        facts = cards.verifier.map { Fact(name: "verifier", value: $0.value) }
        switch update.content {
        case .addSpecs(let specs):
            networks = [Network(name: specs.name, genesisHash: specs.genesisHash, specVersion: nil)]
            sentences = [
                Sentence([
                    .words("accepts the specs of network "), .name(specs.name), .words(": unit "), .name(specs.unit),
                    .words(", \(specs.decimals) decimals, addresses with prefix \(specs.base58Prefix)"),
                ])
            ]
        case .loadMetadata(_, let genesis, let facts):
            networks = [
                Network(name: facts.runtimeVersion.specName, genesisHash: genesis, specVersion: facts.runtimeVersion.specVersion)
            ]
            sentences = [
                Sentence([
                    .words("accepts metadata "), .name(facts.runtimeVersion.specName), .words(" \(facts.runtimeVersion.specVersion)"),
                ])
            ]
        case .loadTypes: sentences = [Sentence("accepts types for old metadata of all networks")]
        case .loadAssets(let units):
            networks = [Network(name: units.genesisHash.hex, genesisHash: units.genesisHash, specVersion: nil)]
            sentences = [Sentence("accepts units of \(units.entries.count == 1 ? "1 asset" : "\(units.entries.count) assets")")]
        }
        markUnknownChains()
        for card in cards.metadata + cards.types {
            if let hash = card.text(of: "hash") { facts.append(Fact(name: "hash", value: "0x" + hash)) }
        }
    }

    /// Of what a key of this vault vouches for.
    /// - Parameter cards: of the attestation, with the key as author.
    public init(attesting cards: CardSet) {
        self.init()
        signers = cards.author.map { Signer(card: $0) }
        let genesis = (cards.newSpecs + cards.network).lazy.compactMap { $0.text(of: "genesis_hash") }.first.flatMap {
            GenesisHash(hex: $0)
        }
        if let card = cards.newSpecs.first {
            let name = card.text(of: "name") ?? card.value
            networks = [Network(name: name, genesisHash: genesis, specVersion: nil)]
            // A chain of two schemes has specs for each, and the signature vouches for one of them.
            let scheme = card.text(of: "encryption").map { " for \($0) keys" } ?? ""
            sentences = [Sentence([.words("vouches for the specs of network "), .name(name), .words(scheme)])]
        } else if let card = cards.metadata.first {
            networks = cards.network.prefix(1).map { Network(name: $0.value, genesisHash: genesis, specVersion: nil) }
            sentences = [
                Sentence([
                    .words("vouches for metadata "), .name(card.text(of: "name") ?? card.value),
                    .words(card.number(of: "version").map { " \($0)" } ?? ""),
                ])
            ]
        } else if !cards.types.isEmpty {
            sentences = [Sentence("vouches for types for old metadata of all networks")]
        } else {
            networks = cards.network.prefix(1).map { Network(name: $0.value, genesisHash: genesis, specVersion: nil) }
            sentences = [Sentence("vouches for a list of assets")]
        }
        markUnknownChains()
        for card in cards.metadata + cards.types {
            if let hash = card.text(of: "hash") { facts.append(Fact(name: "hash", value: "0x" + hash)) }
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
