import Accounts
import Cards
import SubstratePrimitives

extension ReviewSummary {
    /// Of an import of derivations, or of a request for them.
    public init(_ group: DerivationReview.Group, _ purpose: DerivationReview.Purpose) {
        let added = group.targets.filter(\.status.isAdded).count
        let keys = group.targets.count == 1 ? "1 key" : "\(group.targets.count) keys"
        for target in group.targets {
            let network = Network(name: target.specs?.name ?? target.genesisHash.hex, genesisHash: target.genesisHash, specVersion: nil)
            if !networks.contains(network) { networks.append(network) }
        }
        signers = group.cards.author.prefix(1).map {
            Signer(address: $0.text(of: "address"), publicKey: group.root?.hex, seed: group.seed, path: "", label: nil, otherNetworks: [])
        }
        switch purpose {
        case .importing, .listing: sentences = [Sentence("derives keys: \(added) new of \(keys)")]
        case .answering: sentences = [Sentence("answers with the public keys of \(keys), \(added) of them new")]
        }
    }
}
