import Cards
import Extrinsics
import History
import SubstratePrimitives

/// A network that this vault does not store and that a transaction's own metadata proof describes.
///
/// Whoever makes the transaction chooses its proof, and with it the name, the unit, the decimals and the
/// prefix. The chain refuses the signature if its own differ, but only the chain with the signed genesis hash
/// does so, and whoever makes the transaction chooses that hash too: a test network can run the runtime of
/// Polkadot, and a new one can call itself anything. So the genesis hash decides what the network is called:
/// the built-in list knows it and agrees with the proof, or what the person sees is marked.
public enum ProvedNetwork: Sendable, Equatable {
    /// The list has the genesis hash, and the proof has the values of the list.
    /// - isConfirmed: whether two sources give each of them; one alone vouches for nothing.
    case listed(isConfirmed: Bool)
    /// Nothing here knows the genesis hash.
    /// - isKnownName: whether the name is that of a listed chain, or could be read as one.
    case unknown(isKnownName: Bool)

    /// How a chain that nothing here knows is marked wherever its name stands.
    public enum Mark: String, Sendable, CaseIterable {
        case unknownChain = "unknown_chain"
        /// Its name is that of a listed chain, or could be read as one.
        case knownNameOnUnknownChain = "known_name_on_unknown_chain"
    }

    public var mark: Mark? {
        switch self {
        case .listed: nil
        case .unknown(let isKnownName): isKnownName ? .knownNameOnUnknownChain : .unknownChain
        }
    }

    /// The warning that stands on the cards.
    var warning: ReviewWarning {
        switch self {
        case .listed(isConfirmed: true): .listedNetworkOnlyProved
        case .listed(isConfirmed: false), .unknown(isKnownName: false): .networkOnlyProved
        case .unknown(isKnownName: true): .knownNameOnUnknownChain
        }
    }

    /// Compares what a proof says with the list.
    /// - Parameter specs: the values of the proof.
    /// - Throws: ``ReviewError/listedChainDiffers(_:)``
    init(_ specs: NetworkSpecs) throws(ReviewError) {
        guard let chain = WellKnownChain.chain(genesis: specs.genesisHash) else {
            self = .unknown(isKnownName: WellKnownChain.isNameOfOne(specs.name))
            return
        }
        if let difference = ListedDifference(chain, specs) { throw .listedChainDiffers(difference) }
        self = .listed(isConfirmed: chain.isConfirmed)
    }
}
