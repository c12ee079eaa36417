import Hashing
import SCALE
import SubstratePrimitives

extension TrustState {
    /// Chains whose network was removed at some time, with the last name; nil if only the verifier was left.
    ///
    /// A chain is never dropped from this list: a key that signed for it may still own something there.
    public var removedNetworks: [GenesisHash: String?] {
        var names: [GenesisHash: String?] = [:]
        let prefix = Array(StoreSetting.removedNetwork.utf8)
        for (setting, value) in settings where setting.utf8.starts(with: prefix) {
            guard let genesis = GenesisHash(Hex.decode(String(setting.utf8.dropFirst(prefix.count)) ?? "") ?? []) else { continue }
            var reader = SCALEReader(value)
            names.updateValue(try? NetworkSpecs(from: &reader).name, forKey: genesis)
        }
        return names
    }
}
