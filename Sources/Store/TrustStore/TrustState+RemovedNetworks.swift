import Hashing
import SCALE
import SubstratePrimitives

extension TrustStore.Setting {
    /// Followed by a genesis hash in lower-case hex: the encoded specs that the network had when they were removed, or nothing where only
    /// its verifier was left.
    static let removedNetwork = "removed_network."
}

extension TrustState {
    /// Chains whose network was removed at some time, with the last name; nil if only the verifier was left.
    ///
    /// A chain is never dropped from this list: a key that signed for it may still own something there.
    public var removedNetworks: [GenesisHash: String?] {
        var names: [GenesisHash: String?] = [:]
        let prefix = Array(TrustStore.Setting.removedNetwork.utf8)
        for (setting, value) in settings where setting.utf8.starts(with: prefix) {
            guard let genesis = GenesisHash(Hex.decode(String(setting.utf8.dropFirst(prefix.count)) ?? "") ?? []) else { continue }
            var reader = SCALEReader(value)
            names.updateValue(try? NetworkSpecs(from: &reader).name, forKey: genesis)
        }
        return names
    }
}
