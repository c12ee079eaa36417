import SubstratePrimitives
import TrustStore
import UOS

extension ContactLabel {
    /// What in the vault has this name already, or one that may be taken for it.
    public enum Holder: Equatable, Sendable {
        /// The label of an own key.
        case ownKey(String)
        case seed(String)
        case network(String)
        case contact(String)
        case listSigner(String)
        case group(String)

        public static func == (one: Holder, other: Holder) -> Bool {
            switch (one, other) {
            case (.ownKey(let one), .ownKey(let other)), (.seed(let one), .seed(let other)),
                (.network(let one), .network(let other)),
                (.contact(let one), .contact(let other)), (.listSigner(let one), .listSigner(let other)),
                (.group(let one), .group(let other)):
                one.utf8Equals(other)
            case (.ownKey, _), (.seed, _), (.network, _), (.contact, _), (.listSigner, _), (.group, _): false
            }
        }
    }
}

/// The names that a new label must differ from, by their shapes.
public struct TakenNames {
    private var holders: [NameShape: ContactLabel.Holder] = [:]

    /// Everything that is named in a vault but contacts: own keys, their seeds, groups, networks, signers of
    /// lists.
    /// - `seeds`: the vault's, which the trust state knows only in part.
    public init(_ trust: TrustState, seeds: [String] = []) {
        for signer in trust.listSigners { add(.listSigner(signer.label), signer.label) }
        for specs in trust.networks { for name in [specs.name, specs.title] { add(.network(name), name) } }
        for name in trust.removedNetworks.values { if let name { add(.network(name), name) } }
        for seed in seeds + trust.seedRoots.map(\.seed) + trust.keys.compactMap(\.seed) {
            add(.seed(seed), seed)
        }
        for group in trust.groups { add(.group(group.name), group.name) }
        for key in trust.keys { if let label = key.label { add(.ownKey(label), label) } }
    }

    private mutating func add(_ holder: ContactLabel.Holder, _ name: String) {
        let shape = NameShape(name)
        if !shape.isEmpty { holders[shape] = holder }
    }

    /// Adds a contact's name.
    public mutating func add(contact label: String) { add(.contact(label), label) }

    /// Frees the name of a contact that goes.
    public mutating func remove(contact label: String) {
        if case .contact = holders[NameShape(label)] { holders[NameShape(label)] = nil }
    }

    /// Who has this name, or one that may be taken for it.
    public func holder(of label: String) -> ContactLabel.Holder? {
        if let holder = holders[NameShape(label)] { return holder }
        return WellKnownChain.listedName(like: label).map { .network($0) }
    }

    /// - Throws: ``ContactRefusal/label(_:_:)``, ``ContactRefusal/taken(_:by:)``
    public func check(_ label: String) throws(ContactRefusal) {
        do throws(ContactLabel.Problem) { try ContactLabel.check(label) } catch { throw .label(label, error) }
        if let holder = holder(of: label) { throw .taken(label, by: holder) }
    }
}
