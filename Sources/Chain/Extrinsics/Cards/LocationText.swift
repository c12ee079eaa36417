import Metadata
import SubstratePrimitives

/// XCM locations in one line: how far up, then down to what.
struct LocationText {
    let types: TypeView
    let addresses: AddressTexts
    /// Whether another chain reads the location: it starts there, not here.
    let isElsewhere: Bool
    private let found = Found()

    init(types: TypeView, addresses: AddressTexts, isElsewhere: Bool) {
        self.types = types
        self.addresses = addresses
        self.isElsewhere = isElsewhere
    }

    /// Collects while the junctions are read.
    private final class Found {
        var parents: UInt128 = 0
        var accounts: [[UInt8]] = []
        var junctions: [(name: ExactText, number: UInt128?)] = []
    }

    /// Where a place made of chains leads.
    enum Route: Equatable {
        /// To the relay chain, to one of its system chains, or to another consensus as a whole. They have no
        /// account of their own here.
        case governed
        /// To a chain with owners of its own, by the account that holds what is sent to it.
        case chain([UInt8])
    }

    /// The lowest number of a parachain that anybody may have: `LOWEST_PUBLIC_ID` of polkadot-sdk,
    /// `polkadot/parachain/src/primitives.rs`.
    private static let lowestPublicChain: UInt128 = 2000

    /// The accounts that the last text names, 32 or 20 bytes each.
    var accounts: [[UInt8]] { found.accounts }

    /// Whether the last text names nothing but an account of the chain that reads it.
    var isAccount: Bool { found.parents == 0 && found.junctions.count == 1 && found.accounts.count == 1 }

    /// Where the last text leads; nil if it contains anything but chains, or names a chain with owners of its
    /// own behind a bridge.
    var route: Route? {
        let isAfar = found.junctions.contains { $0.name == "GlobalConsensus" }
        var route = Route.governed
        for (place, junction) in found.junctions.enumerated() {
            switch junction.name {
            case "GlobalConsensus": guard place == 0 else { return nil }
            case "Parachain":
                guard place == found.junctions.count - 1,
                    let number = junction.number.flatMap(UInt32.init(exactly:))
                else { return nil }
                if number < Self.lowestPublicChain { continue }
                guard !isAfar else { return nil }
                route = .chain(Self.account(ofChain: number, isSibling: found.parents > 0))
            default: return nil
            }
        }
        return route
    }

    /// `para` or `sibl`, the number as u32, zeros. Source: polkadot-sdk, `AccountIdConversion` of `Id` and
    /// `Sibling`.
    private static func account(ofChain number: UInt32, isSibling: Bool) -> [UInt8] {
        let known =
            Array((isSibling ? "sibl" : "para").utf8)
            + (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
        return known + [UInt8](repeating: 0, count: 32 - known.count)
    }

    /// What a location names; nil for anything that is not laid out as a location.
    func text(_ fields: [Field], _ values: [Value]) throws(MetadataError) -> String? {
        guard fields.count == 2, fields[0].name == "parents", let parents = values[0].number,
            fields[1].name == "interior"
        else { return nil }
        (found.parents, found.accounts, found.junctions) = (parents, [], [])
        guard let steps = try steps(values[1], fields[1].type, depth: 0) else { return nil }
        let up =
            switch parents {
            case 0: isElsewhere ? "at the destination" : "here"
            case 1: isElsewhere ? "parent of the destination" : "parent"
            default: "\(parents) levels up" + (isElsewhere ? " from the destination" : "")
            }
        return ([up] + steps).joined(separator: ", ")
    }

    /// Every junction inside, in order; nil when something else stands among them.
    private func steps(_ value: Value, _ type: TypeReference, depth: Int) throws(MetadataError) -> [String]? {
        // Junctions stand in an enumeration, or in an array inside one.
        guard depth < 4 else { return nil }
        let definition = try types.definition(type)
        switch (definition.shape, value) {
        case (.enumeration, .variant(let index, let values)):
            let variant = try types.variant(index, of: type)
            if definition.ident == "Junction" { return [junction(variant, values)] }
            return try steps(zip(values, variant.fields.map(\.type)).map { ($0, $1) }, depth: depth)
        case (.array(_, let element), .list(let values)):
            return try steps(values.map { ($0, element) }, depth: depth)
        case (.tuple(let elements), .record(let values)):
            return try steps(zip(values, elements).map { ($0, $1) }, depth: depth)
        default: return nil
        }
    }

    private func steps(_ parts: [(Value, TypeReference)], depth: Int) throws(MetadataError) -> [String]? {
        var all: [String] = []
        for (value, type) in parts {
            guard let some = try steps(value, type, depth: depth + 1) else { return nil }
            all += some
        }
        return all
    }

    private func junction(_ variant: Variant, _ values: [Value]) -> String {
        func argument(_ name: String) -> Value? {
            variant.fields.firstIndex { $0.name.utf8Equals(name) }.map { values[$0] }
        }
        found.junctions.append((ExactText(variant.name), values.first?.number))
        switch ExactText(variant.name) {
        case "Parachain": return "parachain " + (values.first?.number.map { String($0) } ?? "?")
        case "PalletInstance": return "pallet " + (values.first?.number.map { String($0) } ?? "?")
        case "GeneralIndex": return "index " + (values.first?.number.map { String($0) } ?? "?")
        case "AccountId32", "AccountKey20":
            guard let account = (argument("id") ?? argument("key"))?.byteString,
                account.count == 32 || account.count == 20
            else {
                return variant.name
            }
            found.accounts.append(account)
            return "account " + addresses.text(account)
        default: return variant.name
        }
    }
}
