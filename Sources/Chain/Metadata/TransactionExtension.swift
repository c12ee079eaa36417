import SubstratePrimitives

/// A part of a transaction besides its call. Two are equal by the bytes of their identifiers.
public struct TransactionExtension: Sendable, Equatable {
    /// The name of the type in the runtime's source, `CheckNonce`.
    public let identifier: String
    /// The type of what stands in the extrinsic, and is signed.
    public let explicit: TypeReference
    /// The type of what is signed but not sent: the chain adds it itself.
    public let implicit: TypeReference

    /// An extension of that identifier.
    public init(identifier: String, explicit: TypeReference, implicit: TypeReference) {
        self.identifier = identifier
        self.explicit = explicit
        self.implicit = implicit
    }

    public static func == (one: TransactionExtension, other: TransactionExtension) -> Bool {
        one.identifier.utf8Equals(other.identifier) && one.explicit == other.explicit
            && one.implicit == other.implicit
    }

    /// What the parts of an extension of FRAME mean.
    public enum Role: Sendable, Equatable, CaseIterable {
        /// Implicit: the runtime's version, u32.
        case specVersion
        /// Implicit: the version of the transaction format, u32.
        case txVersion
        /// Implicit: the hash of the chain's first block, 32 bytes.
        case genesis
        /// Explicit: the era, one byte or two. Implicit: the hash of the block where it starts, 32 bytes.
        case era
        /// Explicit: how many transactions the account sent before, a compact integer.
        case nonce
        /// Explicit: the tip in planck, a compact integer.
        case tip
        /// Explicit: the tip, a compact integer, then an optional asset that pays the fee.
        case assetTip
        /// Explicit: the mode, 0 or 1. Implicit: the hash of the metadata, an option of 32 bytes.
        case metadataHash
    }

    /// Names as FRAME gives them, both as identifiers and as the last part of the type's path.
    private static let roles: [ExactText: Role] = [
        "CheckSpecVersion": .specVersion, "CheckTxVersion": .txVersion, "CheckGenesis": .genesis,
        "CheckMortality": .era,
        "CheckEra": .era, "CheckNonce": .nonce, "ChargeTransactionPayment": .tip,
        "ChargeAssetTxPayment": .assetTip,
        "CheckMetadataHash": .metadataHash,
    ]

    /// The role of an extension, found by its identifier, or else by the name of its type; nil for an
    /// extension without its own card.
    public static func role(of item: TransactionExtension, in registry: any TypeRegistry) -> Role? {
        if let role = roles[ExactText(item.identifier)] { return role }
        guard case .id(let id) = item.explicit, let definition = try? registry.definition(of: id) else {
            return nil
        }
        return roles[ExactText(definition.ident)]
    }

    /// Whether it holds the signature itself, as general transactions have it.
    public static func takesSignature(_ item: TransactionExtension, in registry: any TypeRegistry) -> Bool {
        let names = ["VerifySignature", "VerifyMultiSignature"]
        if names.containsUTF8(of: item.identifier) { return true }
        guard case .id(let id) = item.explicit, let definition = try? registry.definition(of: id) else {
            return false
        }
        return names.containsUTF8(of: definition.ident)
    }
}
