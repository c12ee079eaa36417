import Cards
import Hashing
import Metadata
import SubstratePrimitives

/// Cards of the extensions, explicit parts first, then implicit parts, in the runtime's order.
struct ExtensionCards {
    let types: TypeView
    let specs: NetworkSpecs
    let source: TransactionSource
    let context: DecodingContext

    /// - Parameter budget: what is left after the call.
    func build(_ extensions: DecodedExtensions, _ budget: CardBudget) throws(ExtrinsicError) -> [Card] {
        var budget = budget
        var cards: [Card] = []
        let items = source.extrinsic.extensions
        for index in items.indices {
            // If a tip has an asset beside it, the value that follows shows both.
            let isTipPart = extensions.unexplained.contains(.init(index: index, isExplicit: true))
            cards += explicitFacts(extensions.roles[index], extensions.facts, isDerived: isTipPart)
            cards += try unexplained(index, isExplicit: true, extensions, &budget)
            let hasNothing = extensions.explicit[index].isVoid && extensions.implicit[index].isVoid
            if hasNothing, extensions.roles[index] == nil {
                cards.append(Card(.extension(ExactText(items[index].identifier))))
            }
        }
        for index in items.indices {
            cards += implicitFacts(extensions.roles[index], extensions.facts)
            cards += try unexplained(index, isExplicit: false, extensions, &budget)
        }
        return cards
    }

    private func unexplained(
        _ index: Int, isExplicit: Bool, _ extensions: DecodedExtensions, _ budget: inout CardBudget
    ) throws(ExtrinsicError) -> [Card] {
        guard extensions.unexplained.contains(.init(index: index, isExplicit: isExplicit)) else { return [] }
        let item = source.extrinsic.extensions[index]
        let name = Card(.extension(ExactText(item.identifier)))
        budget.spend(on: name)
        var builder = CardBuilder(
            types: types, specs: specs, callType: source.extrinsic.call, indent: 1, context: context,
            budget: budget)
        let content = try builder.build(
            isExplicit ? extensions.explicit[index] : extensions.implicit[index],
            isExplicit ? item.explicit : item.implicit,
            part: "extensions.\(item.identifier)", Hint(extension: extensions.roles[index]))
        budget = builder.writer.budget
        return [name] + content
    }

    private func explicitFacts(_ role: TransactionExtension.Role?, _ facts: TransactionFacts, isDerived: Bool)
        -> [Card]
    {
        switch role {
        case .era: facts.era.map { [Card(.era($0))] + validity($0, facts) } ?? []
        case .nonce: facts.nonce.map { [Card(.nonce($0))] } ?? []
        case .tip, .assetTip: facts.tip.map { [tip($0, isDerived)] } ?? []
        case .specVersion, .txVersion, .genesis, .metadataHash, nil: []
        }
    }

    private func implicitFacts(_ role: TransactionExtension.Role?, _ facts: TransactionFacts) -> [Card] {
        switch role {
        case .era: facts.blockHash.map { [Card(.blockHash($0))] } ?? []
        case .specVersion: facts.specVersion.map { [specVersion($0)] } ?? []
        case .txVersion: facts.txVersion.map { [Card(.txVersion($0))] } ?? []
        case .genesis: facts.genesisHash.map { [Card(.genesisHash($0))] } ?? []
        case .metadataHash:
            facts.metadataHashEnabled == nil ? [] : [Card(.metadataHash(facts.metadataHash))]
        case .nonce, .tip, .assetTip, nil: []
        }
    }

    private func specVersion(_ version: UInt32) -> Card {
        let runtime = RuntimeVersion(specName: source.runtimeVersion.specName, specVersion: version)
        return Card(.specVersion(runtime, shownName: nil))
    }

    private func tip(_ planck: UInt128, _ isDerived: Bool) -> Card {
        let amount = Card.Amount(raw: Planck(planck), decimals: specs.decimals, unit: specs.unit)
        return Card(.tip(amount), isDerived: isDerived)
    }

    private func validity(_ era: Era, _ facts: TransactionFacts) -> [Card] {
        switch era {
        case .immortal: [Card(.noExpiry, indent: 0)]
        case .mortal(let era):
            facts.blockHash.map { [Card(.validity(period: era.period, blockHash: $0), indent: 0)] } ?? []
        }
    }
}
