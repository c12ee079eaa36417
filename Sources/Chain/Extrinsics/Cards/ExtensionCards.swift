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
                cards.append(Card(.extension, items[index].identifier))
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
        let name = Card(.extension, item.identifier)
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
        case .era: facts.era.map { [Card($0)] + validity($0, facts) } ?? []
        case .nonce: facts.nonce.map { [Card(.nonce, String($0))] } ?? []
        case .tip, .assetTip: facts.tip.map { [tip($0, isDerived)] } ?? []
        case .specVersion, .txVersion, .genesis, .metadataHash, nil: []
        }
    }

    private func implicitFacts(_ role: TransactionExtension.Role?, _ facts: TransactionFacts) -> [Card] {
        switch role {
        case .era: facts.blockHash.map { [Card(.blockHash, $0.hex)] } ?? []
        case .specVersion: facts.specVersion.map { [specVersion($0)] } ?? []
        case .txVersion: facts.txVersion.map { [Card(.txVersion, String($0))] } ?? []
        case .genesis: facts.genesisHash.map { [Card(.genesisHash, $0.hex)] } ?? []
        case .metadataHash:
            facts.metadataHashEnabled == nil ? [] : [Card(.metadataHash, facts.metadataHash?.hex ?? "None")]
        case .nonce, .tip, .assetTip, nil: []
        }
    }

    private func specVersion(_ version: UInt32) -> Card {
        let runtime = RuntimeVersion(specName: source.runtimeVersion.specName, specVersion: version)
        return Card(.specVersion, "\(runtime.specName) \(version)", facts: .runtime(runtime))
    }

    private func tip(_ planck: UInt128, _ isDerived: Bool) -> Card {
        Card(.tip, Planck(planck), decimals: specs.decimals, unit: specs.unit, isDerived: isDerived)
    }

    private func validity(_ era: Era, _ facts: TransactionFacts) -> [Card] {
        switch era {
        case .immortal: [Notice.noExpiry.card(indent: 0)]
        case .mortal(let era):
            facts.blockHash.map { [Notice.validity(period: era.period, blockHash: $0).card(indent: 0)] } ?? []
        }
    }
}

extension Card {
    init(_ era: Era, indent: Int = 0, isDerived: Bool = false) {
        switch era {
        case .immortal: self.init(.eraImmortal, "Immortal", indent: indent, isDerived: isDerived)
        case .mortal(let era):
            self.init(
                .eraMortal, era.text, indent: indent,
                facts: .era(phase: UInt64(era.phase), period: UInt64(era.period)),
                isDerived: isDerived)
        }
    }
}

extension Card {
    /// The line shows the bytes: their meaning is unknown, so a person has nothing else to judge by.
    init(_ item: UnknownExtension) {
        self.init(
            .warning, "\(Warning.unknownExtension.line): \(item.identifier) 0x\(Hex.encode(item.bytes))",
            facts: .warning(.unknownExtension(item.identifier, bytes: item.bytes)), isDerived: true
        )
    }
}
