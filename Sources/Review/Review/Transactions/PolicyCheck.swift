import Extrinsics
import Hashing
import Metadata
import SubstratePrimitives
import TrustStore

/// An entry of a policy that nothing in this vault matches: a spelling mistake, or something that the vault
/// does not hold yet.
public struct UnmatchedEntry: Sendable, Equatable {
    /// What the entry does not match.
    public enum Reason: Sendable, Equatable {
        /// No network of this vault has the name.
        case unknownNetwork
        /// No stored metadata of the rule's networks has such a call.
        case unknownCall
        /// No network of the rule in this vault has the unit.
        case unknownUnit
        /// The amount has a part of the network's smallest unit.
        case tooFine
        /// There is no readable metadata of the rule's networks, so the call could not be looked up.
        case noMetadata
    }

    /// `calls`, `approve[1].networks`.
    public let place: String
    public let entry: String
    public let reason: Reason

    public init(place: String, entry: String, reason: Reason) {
        self.place = place
        self.entry = entry
        self.reason = reason
    }

    public static func == (one: UnmatchedEntry, other: UnmatchedEntry) -> Bool {
        one.place.utf8Equals(other.place) && one.entry.utf8Equals(other.entry) && one.reason == other.reason
    }
}

extension ChainData {
    /// The entries of `networks` and `calls`, and the amounts, that match nothing, in the order of the
    /// policy; a rule without networks means all of them.
    ///
    /// Such an entry is not an error: a policy may be written before the metadata arrives.
    public func unmatchedEntries(of policy: TransactionPolicy) -> [UnmatchedEntry] {
        var names: [Hash32: Set<[UInt8]>] = [:]
        var found = unmatchedEntries(of: policy, in: "", &names)
        for (index, rule) in (policy.approve ?? []).enumerated() {
            found += unmatchedEntries(of: rule, in: TransactionPolicy.place(ofRule: index) + ".", &names)
        }
        return found
    }

    private func unmatchedEntries(
        of rule: TransactionPolicy, in place: String, _ names: inout [Hash32: Set<[UInt8]>]
    ) -> [UnmatchedEntry] {
        func isListed(_ network: NetworkSpecs, as name: TransactionPolicy.NetworkName) -> Bool {
            name.isName(of: network.name, network.scheme)
        }
        var found: [UnmatchedEntry] = []
        for name in rule.networks ?? [] where !state.networks.contains(where: { isListed($0, as: name) }) {
            found.append(
                UnmatchedEntry(
                    place: place + TransactionPolicy.Key.networks.rawValue, entry: name.text,
                    reason: .unknownNetwork))
        }
        let networks = state.networks.filter { rule.names($0.name, $0.scheme) }
        found += unmatchedUnits(of: rule, networks, in: place)
        guard let calls = rule.calls, !calls.isEmpty else { return found }
        let chains = Set(networks.map(\.genesisHash))
        var held: Set<[UInt8]> = []
        for record in state.metadata where chains.contains(record.genesis) {
            let known = names[record.hash] ?? callNames(record)
            names[record.hash] = known
            held.formUnion(known)
        }
        for call in calls.map(\.text) where !held.contains(Array(call.utf8)) {
            let place = place + TransactionPolicy.Key.calls.rawValue
            found.append(
                UnmatchedEntry(place: place, entry: call, reason: held.isEmpty ? .noMetadata : .unknownCall))
        }
        return found
    }

    /// Amounts in units that no network of a rule has, and amounts below the smallest unit.
    private func unmatchedUnits(
        of rule: TransactionPolicy, _ networks: [NetworkSpecs], in place: String
    ) -> [UnmatchedEntry] {
        rule.limits.flatMap { key, limit in
            limit.amounts.compactMap { amount in
                let own = networks.filter { amount.unit == ExactText($0.unit) }
                guard own.isEmpty || own.contains(where: { !amount.isWhole(decimals: $0.decimals) }) else {
                    return nil
                }
                return UnmatchedEntry(
                    place: place + key.rawValue, entry: amount.text,
                    reason: own.isEmpty ? .unknownUnit : .tooFine)
            }
        }
    }

    /// `Pallet.call` and `Pallet.*` for all calls; empty if the metadata cannot be read.
    private func callNames(_ record: MetadataRecord) -> Set<[UInt8]> {
        guard let metadata = try? metadata(record) else { return [] }
        var names: Set<[UInt8]> = []
        for pallet in metadata.pallets {
            guard case .id(let id)? = pallet.calls, let variants = try? metadata.registry.variants(of: id),
                !variants.isEmpty
            else {
                continue
            }
            names.insert(Array("\(pallet.name).*".utf8))
            for variant in variants { names.insert(Array("\(pallet.name).\(variant.name)".utf8)) }
        }
        return names
    }
}
