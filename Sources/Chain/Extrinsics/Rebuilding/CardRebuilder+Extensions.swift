import Cards
import Metadata
import SubstratePrimitives

/// The parts of the extensions, explicit ones first.
extension CardRebuilder {
    mutating func extensions(_ source: TransactionSource) throws {
        let items = source.extrinsic.extensions
        for item in items { try explicit(item, source) }
        for item in items { try implicit(item, source) }
    }

    private mutating func explicit(_ item: TransactionExtension, _ source: TransactionSource) throws {
        let role = TransactionExtension.role(of: item, in: source.registry)
        if try isVoid(item.explicit) {
            if role == nil, try isVoid(item.implicit) { try reader.take(.extension, 0, item.identifier) }
            return
        }
        switch role {
        case .era where reader.isNext(.eraImmortal, 0) || reader.isNext(.eraMortal, 0):
            return try reader.era(0)
        case .nonce where reader.isNext(.nonce, 0):
            return try number(try reader.take(.nonce, 0), item.explicit)
        case .tip where reader.isNext(.tip, 0), .assetTip where reader.isNext(.tip, 0):
            let text = try reader.take(.tip, 0)
            guard let planck = reader.planck(text, .native) else { throw reader.mismatch }
            return try reader.state(.unsigned(planck), try innermost(item.explicit))
        case .metadataHash where !reader.isNext(.extension, 0, item.identifier): return try reader.addMode()
        case .specVersion, .txVersion, .genesis, .era, .nonce, .tip, .assetTip, .metadataHash, nil:
            try content(item, item.explicit, role)
        }
    }

    private mutating func implicit(_ item: TransactionExtension, _ source: TransactionSource) throws {
        if try isVoid(item.implicit) { return }
        let role = TransactionExtension.role(of: item, in: source.registry)
        switch role {
        case .era where reader.isNext(.blockHash, 0):
            let line = try reader.take(.blockHash, 0)
            reader.state(try reader.hash(line))
        case .genesis where reader.isNext(.genesisHash, 0):
            let line = try reader.take(.genesisHash, 0)
            reader.state(try reader.hash(line))
        case .txVersion where reader.isNext(.txVersion, 0):
            try number(try reader.take(.txVersion, 0), item.implicit)
        case .specVersion where reader.isNext(.specVersion, 0):
            let line = try reader.take(.specVersion, 0).utf8
            let name = source.runtimeVersion.specName.utf8
            guard line.starts(with: name), let version = String(line.dropFirst(name.count + 1)) else {
                throw reader.mismatch
            }
            try number(version, item.implicit)
        case .metadataHash where reader.isNext(.metadataHash, 0):
            let line = try reader.take(.metadataHash, 0)
            reader.state(line.utf8Equals("None") ? [0] : [1] + (try reader.hash(line)))
        case .specVersion, .txVersion, .genesis, .era, .nonce, .tip, .assetTip, .metadataHash, nil:
            try content(item, item.implicit, role)
        }
    }

    /// A part that shows by its own type, below the name of its extension.
    private mutating func content(
        _ item: TransactionExtension, _ type: TypeReference, _ role: TransactionExtension.Role?
    ) throws {
        try reader.take(.extension, 0, item.identifier)
        try value(type, 1, Hint(extension: role))
    }

    private mutating func number(_ text: String, _ type: TypeReference) throws {
        try reader.state(.unsigned(try reader.unsigned(text)), try innermost(type))
    }

    /// The type inside wrappers of one field, named or not.
    private func innermost(_ type: TypeReference) throws -> TypeReference {
        var inner = type
        for _ in 0..<MetadataLimits.nesting {
            switch try types.definition(inner).shape {
            case .composite(let fields) where fields.count == 1: inner = fields[0].type
            case .tuple(let elements) where elements.count == 1: inner = elements[0]
            case .composite, .enumeration, .sequence, .array, .tuple, .primitive, .compact, .bits:
                return inner
            }
        }
        throw reader.mismatch
    }

    /// Whether values of the type encode to nothing.
    private func isVoid(_ type: TypeReference, depth: Int = 0) throws -> Bool {
        guard depth < ValueLimits.depth else { throw reader.mismatch }
        switch try types.definition(type).shape {
        case .composite(let fields): return try fields.allSatisfy { try isVoid($0.type, depth: depth + 1) }
        case .tuple(let elements): return try elements.allSatisfy { try isVoid($0, depth: depth + 1) }
        case .compact(let inner): return try types.compactInteger(inner) == nil
        case .enumeration, .sequence, .array, .primitive, .bits: return false
        }
    }
}
