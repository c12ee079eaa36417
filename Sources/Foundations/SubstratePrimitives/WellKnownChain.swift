/// A public chain that every reader of this program can name without a stored network.
///
/// The list says which genesis hash belongs to which chain. It vouches for nothing else: a network is trusted through its verifier.
public struct WellKnownChain: Sendable {
    /// For people: "Polkadot Asset Hub".
    public let name: String
    /// As the runtime's version constant spells it: "statemint".
    public let specName: String
    public let genesisHash: GenesisHash
    /// SS58 prefix; Ethereum-style chains may carry one above 16383.
    public let base58Prefix: UInt16
    public let decimals: UInt8
    public let unit: String
    /// How the accounts of the chain's wallets sign: sr25519, or ethereum where an account is 20 bytes.
    public let scheme: SignatureScheme

    private static let byGenesis = Dictionary(uniqueKeysWithValues: all.map { ($0.genesisHash, $0) })

    /// The chain with this genesis hash; nil if it is not listed.
    public static func chain(genesis: GenesisHash) -> WellKnownChain? { byGenesis[genesis] }
}
