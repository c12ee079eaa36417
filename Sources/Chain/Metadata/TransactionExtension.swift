import SubstratePrimitives

/// A part of a transaction besides its call.
public struct TransactionExtension: Sendable, Equatable {
    public let identifier: String
    /// What stands in the extrinsic.
    public let explicit: TypeReference
    /// What is signed but not sent.
    public let implicit: TypeReference

    public init(identifier: String, explicit: TypeReference, implicit: TypeReference) {
        self.identifier = identifier
        self.explicit = explicit
        self.implicit = implicit
    }

    public static func == (one: TransactionExtension, other: TransactionExtension) -> Bool {
        one.identifier.utf8Equals(other.identifier) && one.explicit == other.explicit && one.implicit == other.implicit
    }

    /// What an extension's parts mean.
    public enum Role: Sendable, Equatable, CaseIterable {
        case specVersion, txVersion, genesis, era, nonce, tip, assetTip, metadataHash
    }

    /// Names as FRAME gives them, both as identifiers and as the last part of the type's path.
    private static let roles: [ExactText: Role] = [
        "CheckSpecVersion": .specVersion, "CheckTxVersion": .txVersion, "CheckGenesis": .genesis, "CheckMortality": .era,
        "CheckEra": .era, "CheckNonce": .nonce, "ChargeTransactionPayment": .tip, "ChargeAssetTxPayment": .assetTip,
        "CheckMetadataHash": .metadataHash,
    ]

    /// The role by identifier, else by the type's own name; nil for an extension without a card of its own.
    public static func role(of item: TransactionExtension, in registry: any TypeRegistry) -> Role? {
        if let role = roles[ExactText(item.identifier)] { return role }
        guard case .id(let id) = item.explicit, let definition = try? registry.definition(of: id) else { return nil }
        return roles[ExactText(definition.ident)]
    }

    /// Whether it holds the signature itself, as general transactions have it.
    public static func takesSignature(_ item: TransactionExtension, in registry: any TypeRegistry) -> Bool {
        let names = ["VerifySignature", "VerifyMultiSignature"]
        if names.containsUTF8(of: item.identifier) { return true }
        guard case .id(let id) = item.explicit, let definition = try? registry.definition(of: id) else { return false }
        return names.containsUTF8(of: definition.ident)
    }
}
