import Cards
import Extrinsics
import History
import SubstratePrimitives

/// A network that this vault does not store and that a transaction's own metadata proof describes.
///
/// The maker of the transaction chooses its proof, and with it the name, the unit, the decimals and the
/// prefix. If they are wrong, only the chain with the signed genesis hash refuses the signature, and the
/// maker chooses that hash, too: a test network can run the runtime of Polkadot, and a new one can call
/// itself anything. So the genesis hash decides the shown name: either the built-in list knows it and agrees
/// with the proof, or the name is marked.
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

extension NetworkSpecs {
    /// The name with the mark of a chain that nothing here knows:
    /// `polkadot? unknown chain 0x95cf28ae...ff337b3b`. Not escaped for a terminal.
    public func shownName(_ proved: ProvedNetwork?) -> String {
        proved?.mark?.shownName(name, genesisHash) ?? name
    }
}

extension ProvedNetwork.Mark {
    /// The longest name that stands before its mark, in bytes.
    private static let nameLimit = 24
    /// How much of any other name is shown, in scalars.
    private static let textLimit = 64

    /// A long name, or one of several words, stands behind the mark: a line that is cut short keeps its
    /// start, and quoted text cannot pass for words of this program.
    func shownName(_ name: String, _ genesis: GenesisHash) -> String {
        // Short enough to be read, and long enough that nobody finds another hash like it.
        let chain = "unknown chain 0x\(genesis.hex.prefix(8))...\(genesis.hex.suffix(8))"
        guard name.isPlainName, name.utf8.count <= Self.nameLimit else {
            var text = ""
            for scalar in name.unicodeScalars.prefix(Self.textLimit) {
                if scalar == "\"" || scalar == "\\" { text.unicodeScalars.append("\\") }
                text.unicodeScalars.append(scalar)
            }
            return
                """
                \(chain), named \
                \"\(text)\(name.unicodeScalars.count > Self.textLimit ? "..." : "")\"\(self == .unknownChain ? "" : "?")
                """
        }
        return switch self {
        case .unknownChain: "\(name), \(chain)"
        case .knownNameOnUnknownChain: "\(name)? \(chain)"
        }
    }
}

extension Card {
    /// The runtime's name with the mark of its chain; every other card as it is. The facts keep the name that
    /// the proof has.
    func marked(_ specs: NetworkSpecs, _ proved: ProvedNetwork?) -> Card {
        guard proved?.mark != nil, case .specVersion(let runtime, _) = content else { return self }
        var card = self
        card.content = .specVersion(runtime, shownName: ExactText(specs.shownName(proved)))
        return card
    }
}

extension TransactionPolicy.Violation {
    /// The same, with the network as a person must see it.
    func naming(_ network: String) -> TransactionPolicy.Violation {
        if case .network = self { .network(network) } else { self }
    }
}

extension ReviewedTransaction {
    /// The network's name as a person must see it; nil for a message to any network.
    public var shownNetwork: String? { specs?.shownName(provedNetwork) }
}

extension Card {
    /// - Parameter specs: of the proof.
    init(_ proved: ProvedNetwork, _ specs: NetworkSpecs) {
        let warning: CardWarning =
            switch proved {
            case .listed(isConfirmed: true): .review(.listedNetworkOnlyProved)
            case .listed(isConfirmed: false): .review(.networkOnlyProved)
            case .unknown(let isKnownName):
                .unknownNetwork(ExactText(specs.shownName(proved)), isKnownName: isKnownName)
            }
        self.init(.warning(warning))
    }
}
