import Metadata
import SubstratePrimitives

/// What the extensions of a transaction carry besides the facts: the asset that pays the fee, and unexplained
/// bytes.
public struct ExtensionContent: Sendable, Equatable {
    /// What pays the fee.
    public enum FeeAsset: Sendable, Equatable {
        /// The chain's own token: the charging extension has no asset, or its asset is `None`.
        case native
        /// The encoded id of the asset.
        case asset([UInt8])
        /// No charging extension is known and others carry bytes, or its asset has another shape than
        /// `Option`.
        case unknown
    }

    /// An extension with bytes that no fact explains.
    public struct Part: Sendable, Equatable {
        public let identifier: ExactText
        /// The explicit part, then the implicit part.
        public let bytes: [UInt8]
    }

    public let feeAsset: FeeAsset
    /// In the runtime's order.
    public let unexplained: [Part]

    public init(of transaction: DecodedTransaction) {
        let types = TypeView(transaction.source.registry)
        let reader = ExtensionReader(source: transaction.source, types: types)
        let items = transaction.source.extrinsic.extensions
        let explained = try? reader.explained(explicit: transaction.explicit, implicit: transaction.implicit)
        var feeAsset: FeeAsset?
        var unexplained: [Part] = []
        for (index, item) in items.enumerated() {
            let (explicit, implicit) = (transaction.explicit[index], transaction.implicit[index])
            // An explanation that fails explains nothing.
            func isOpen(isExplicit: Bool) -> Bool {
                guard let explained else { return !(isExplicit ? explicit : implicit).isVoid }
                return explained.unexplained.contains(.init(index: index, isExplicit: isExplicit))
            }
            var opensExplicit = isOpen(isExplicit: true)
            if Self.isCharge(explained?.roles[index] ?? nil) {
                let paid = opensExplicit ? Self.feeAsset(explicit, item.explicit, types) : .native
                feeAsset = feeAsset == nil || feeAsset == paid ? paid : .unknown
                if paid != .unknown { opensExplicit = false }
            }
            guard opensExplicit || isOpen(isExplicit: false) else { continue }
            unexplained.append(
                Part(
                    identifier: ExactText(item.identifier),
                    bytes: Self.bytes(of: item, explicit, implicit, types)))
        }
        self.feeAsset = feeAsset ?? (unexplained.isEmpty ? .native : .unknown)
        self.unexplained = unexplained
    }

    private static func isCharge(_ role: TransactionExtension.Role?) -> Bool {
        switch role {
        case .tip, .assetTip: true
        case .specVersion, .txVersion, .genesis, .era, .nonce, .metadataHash, nil: false
        }
    }

    private static func bytes(
        of item: TransactionExtension, _ explicit: Value, _ implicit: Value, _ types: TypeView
    ) -> [UInt8] {
        var encoder = ValueEncoder(types: types)
        // Values that were decoded by a type encode by it.
        try? encoder.append(explicit, item.explicit)
        try? encoder.append(implicit, item.implicit)
        return encoder.writer.bytes
    }

    /// The tip stands first, then `Option` of an asset's id; parts that encode to nothing may follow
    /// anywhere.
    private static func feeAsset(_ value: Value, _ type: TypeReference, _ types: TypeView) -> FeeAsset {
        guard case .record(let values) = value, values.first?.number != nil,
            let definition = try? types.definition(type)
        else {
            return .unknown
        }
        let parts: [TypeReference]
        switch definition.shape {
        case .composite(let fields): parts = fields.map(\.type)
        case .tuple(let elements): parts = elements
        case .enumeration, .sequence, .array, .primitive, .compact, .bits: return .unknown
        }
        let assets = zip(values, parts).dropFirst().filter { !$0.0.isVoid }
        guard assets.count == 1, let (asset, option) = assets.first, isOption(option, types) else {
            return .unknown
        }
        switch asset {
        case .variant(0, let fields) where fields.isEmpty: return .native
        case .variant(1, let fields) where fields.count == 1:
            guard let some = try? types.variant(1, of: option).fields[0],
                let id = try? ValueEncoder.encode(fields[0], some.type, types: types)
            else { return .unknown }
            return .asset(id)
        default: return .unknown
        }
    }

    /// Whether all known variants of the type are those of the standard `Option`. A proof may contain only
    /// one of the two.
    private static func isOption(_ type: TypeReference, _ types: TypeView) -> Bool {
        guard case .id(let id) = type, let variants = try? types.registry.variants(of: id), !variants.isEmpty
        else { return false }
        return variants.allSatisfy { variant in
            switch variant.index {
            case 0: variant.name == "None" && variant.fields.isEmpty
            case 1: variant.name == "Some" && variant.fields.count == 1 && variant.fields[0].name == nil
            default: false
            }
        }
    }
}
