import Cards
import Extrinsics
import SubstratePrimitives
import TrustStore

/// `require-metadata-hash` of a network: what the chain must check before a transaction is signed.
///
/// It is a sealed setting, one for each genesis hash: the name of the setting and the hash in lower-case hex;
/// the value is ``MetadataHashDemand`` in UTF-8. Without one nothing is demanded, so `never` has no row.
///
/// Whoever owns the online machine chooses payloads, updates, names and pictures. None of them changes a
/// setting: only a person at this device lowers one. The setting is stored so that it cannot be bypassed:
/// - It belongs to the chain and not to the stored network. An update can cause a network to be removed and
///   added again, and the setting stays.
/// - It is found by genesis hash, which the chain itself checks. An update chooses the name.
/// - It is a refusal of the review, and so it holds for a person, for each transaction of a bulk, and for a
///   rule of the policy.
extension TrustState {
    static let metadataHashPrefix = "require_metadata_hash."

    /// The demand for a chain; nil for an unreadable value: then nothing is signed.
    public func metadataHashDemand(genesis: GenesisHash) -> MetadataHashDemand? {
        guard let value = settings[Self.metadataHashPrefix + genesis.hex] else { return .never }
        return MetadataHashDemand.allCases.first { $0.storedValue == value }
    }

    /// The demands of all chains that have a setting, by genesis hash in hex; nil for an unreadable value.
    public var metadataHashDemands: [(genesis: String, demand: MetadataHashDemand?)] {
        settings.compactMap { name, value in
            guard name.utf8Starts(with: Self.metadataHashPrefix) else { return nil }
            let genesis = String(name.utf8.dropFirst(Self.metadataHashPrefix.utf8.count)) ?? ""
            return (genesis, MetadataHashDemand.allCases.first { $0.storedValue == value })
        }.sorted { $0.genesis < $1.genesis }
    }

    /// The change of the store that makes a demand.
    package static func putMetadataHashDemand(_ demand: MetadataHashDemand, genesis: GenesisHash)
        -> TrustChange
    {
        let name = metadataHashPrefix + genesis.hex
        return demand.storedValue.map { .putSetting(name, $0) } ?? .removeSetting(name)
    }
}

extension MetadataHashDemand {
    /// nil for the one that no row states.
    fileprivate var storedValue: [UInt8]? {
        switch self {
        case .always, .wherePossible: Array(rawValue.utf8)
        case .never: nil
        }
    }
}

extension ChainData {
    /// Why a transaction may not be signed although a person or a rule would.
    func demandRefusal(_ decoded: DecodedTransaction, of specs: NetworkSpecs, _ voucher: MetadataVoucher)
        -> ReviewError?
    {
        guard let demand = state.metadataHashDemand(genesis: specs.genesisHash) else {
            return .metadataHashDemandUnreadable(specs.name)
        }
        guard demand.allows(decoded.hashCheck) else {
            return .metadataHashRequired(network: specs.name, decoded.hashCheck)
        }
        return demand.believes(decoded.hashCheck, voucher) ? nil : .unsignedAboutHash(network: specs.name)
    }
}

extension MetadataHashDemand {
    /// Whether the demand takes somebody's word that the runtime cannot check. ``wherePossible`` takes a
    /// verifier's. Metadata that nobody signed may come from whoever made the transaction, who would only
    /// have to leave CheckMetadataHash out of it.
    func believes(_ check: MetadataHashCheck, _ voucher: MetadataVoucher) -> Bool {
        switch (self, check, voucher) {
        case (.wherePossible, .unsupported, .nobody), (.wherePossible, .unsupported, .file): false
        case (.always, _, _), (.wherePossible, _, _), (.never, _, _): true
        }
    }
}
