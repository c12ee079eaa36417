import Extrinsics
import SubstratePrimitives
import TrustStore

extension TrustState {
    /// The units of a network's assets, from the signed list in the store.
    public func assetUnits(genesis: GenesisHash) -> AssetUnits? {
        assetLists[genesis].flatMap { try? AssetUnits(encoded: $0) }
    }
}

extension AssetUnits: AssetDirectory {
    public func unit(of asset: AssetKey) -> AssetUnit? {
        let pallet: ExactText? = if case .pallet(let name, _) = asset { name } else { nil }
        return entries.first { $0.pallet.map { ExactText($0) } == pallet && ExactText($0.id) == asset.id }.map
        {
            AssetUnit(symbol: $0.symbol, decimals: $0.decimals)
        }
    }
}
