import SubstratePrimitives

extension KeyReuse {
    /// The keys that `changes` would allow on a second network, or on further ones, in the order of the
    /// changes.
    ///
    /// The state after all changes counts: a key that loses one network and gains another is still on one
    /// network.
    public static func caused(by changes: [TrustChange], in state: TrustState) -> [KeyReuse] {
        var before: [PublicKey: KeyRecord] = [:]
        for record in state.keys { before[record.publicKey] = record }
        var after = before
        var touched: [PublicKey] = []
        for change in changes {
            switch change {
            case .addKey(let record):
                let known = after[record.publicKey]?.networks ?? []
                after[record.publicKey] = record
                after[record.publicKey]?.networks.formUnion(known)
                touched.append(record.publicKey)
            case .allowKey(let key, let genesis):
                // The store refuses to allow a key that it does not hold.
                after[key]?.networks.insert(genesis)
                touched.append(key)
            case .forbidKey(let key, let genesis): after[key]?.networks.remove(genesis)
            case .removeKey(let key): after[key] = nil
            case .labelKey, .markUsed, .setGeneralVerifier, .setVerifier, .forgetVerifier, .putNetwork,
                .removeNetwork, .addMetadata,
                .removeMetadata, .setTypes, .removeTypes, .putAssetList, .removeAssetList, .putSetting,
                .removeSetting, .putContact,
                .removeContact, .putListSigner, .removeListSigner, .putHostContact, .removeHostContact,
                .putGroupMaking, .removeGroupMaking,
                .putGroup, .removeGroup, .addGroupOffer, .removeGroupOffer:
                continue
            }
        }
        guard !touched.isEmpty else { return [] }
        let (had, has) = (networks(of: before.values), networks(of: after.values))
        var told: Set<Identity> = []
        return touched.compactMap { key in
            let identity = Identity(key)
            guard let record = after[key], told.insert(identity).inserted, let all = has[identity],
                all.count > 1
            else { return nil }
            let added = all.subtracting(had[identity] ?? [])
            guard !added.isEmpty else { return nil }
            return KeyReuse(
                key: key, holder: state.holder(of: record), path: record.path,
                held: state.named(all.subtracting(added)),
                added: state.named(added))
        }
    }

    /// The keys of a state that may sign on more than one network, with all networks as if they were added
    /// now.
    public static func all(in state: TrustState) -> [KeyReuse] {
        var empty = state
        empty.keys = []
        return caused(by: state.keys.map(TrustChange.addKey), in: empty)
    }
}
