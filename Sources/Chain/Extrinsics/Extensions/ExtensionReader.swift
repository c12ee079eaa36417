import Metadata
import SCALE
import SubstratePrimitives

/// The extension parts of one transaction.
struct DecodedExtensions {
    var explicit: [Value] = []
    var implicit: [Value] = []
    var facts = TransactionFacts()
    /// The role of each extension, nil for one that is shown by its name.
    var roles: [TransactionExtension.Role?] = []
    /// Extensions without a role that carry bytes.
    var unknown: [UnknownExtension] = []
    /// Parts that no fact explains and that are shown by their own types.
    var unexplained: [Part] = []

    struct Part: Equatable {
        let index: Int
        let isExplicit: Bool
    }
}

/// Reads all explicit parts, then all implicit parts, by the types of the runtime's extensions.
struct ExtensionReader {
    let source: TransactionSource
    let types: TypeView
    var rules = ReadingRules.all

    func read(_ reader: SCALEReader) throws(ExtrinsicError) -> DecodedExtensions {
        var decoder = ValueDecoder(types: types, reader: reader, rules: rules)
        var result = DecodedExtensions()
        let items = source.extrinsic.extensions
        for item in items {
            result.explicit.append(try value(item.explicit, of: item, &decoder))
        }
        for item in items {
            result.implicit.append(try value(item.implicit, of: item, &decoder))
        }
        guard decoder.reader.remaining == 0 else {
            throw ExtrinsicError(
                .leftoverAfterExtensions(count: decoder.reader.remaining), place: "extensions")
        }
        return try explained(explicit: result.explicit, implicit: result.implicit)
    }

    /// The facts that the values of all extensions state, and the parts that state none.
    func explained(explicit: [Value], implicit: [Value]) throws(ExtrinsicError) -> DecodedExtensions {
        let items = source.extrinsic.extensions
        var result = DecodedExtensions(explicit: explicit, implicit: implicit)
        result.roles = items.map { role(of: $0) }
        for index in items.indices { try explain(index, &result) }
        for index in items.indices where result.roles[index] == nil {
            let bytes = try encoded(items[index], result.explicit[index], result.implicit[index])
            if !bytes.isEmpty {
                result.unknown.append(
                    UnknownExtension(identifier: ExactText(items[index].identifier), bytes: bytes))
            }
        }
        return result
    }

    private func encoded(_ item: TransactionExtension, _ explicit: Value, _ implicit: Value)
        throws(ExtrinsicError) -> [UInt8]
    {
        do throws(ValueError) {
            return try ValueEncoder.encode(explicit, item.explicit, types: types)
                + ValueEncoder.encode(implicit, item.implicit, types: types)
        } catch {
            throw ExtrinsicError(error, in: "extensions.\(item.identifier)")
        }
    }

    private func role(of item: TransactionExtension) -> TransactionExtension.Role? {
        TransactionExtension.role(of: item, in: source.registry)
    }

    private func value(
        _ type: TypeReference, of item: TransactionExtension, _ decoder: inout ValueDecoder
    ) throws(ExtrinsicError) -> Value {
        do throws(ValueError) {
            return try decoder.value(type)
        } catch {
            throw ExtrinsicError(error, in: "extensions.\(item.identifier)")
        }
    }

    /// Adds what an extension says to the facts; any other part is shown by its own type.
    private func explain(_ index: Int, _ result: inout DecodedExtensions) throws(ExtrinsicError) {
        let item = source.extrinsic.extensions[index]
        let fault = "extensions.\(item.identifier)"
        let (explicit, implicit) = (result.explicit[index], result.implicit[index])
        var explained = (explicit: explicit.isVoid, implicit: implicit.isVoid)
        switch result.roles[index] {
        case .specVersion:
            explained.implicit = try set(\.specVersion, UInt32(value: implicit), &result.facts, fault)
        case .txVersion:
            explained.implicit = try set(\.txVersion, UInt32(value: implicit), &result.facts, fault)
        case .genesis:
            explained.implicit = try set(\.genesisHash, Hash32(value: implicit), &result.facts, fault)
        case .era:
            explained.explicit = try set(\.era, try era(explicit, fault), &result.facts, fault)
            explained.implicit = try set(\.blockHash, Hash32(value: implicit), &result.facts, fault)
        case .nonce: explained.explicit = try set(\.nonce, explicit.number, &result.facts, fault)
        case .tip, .assetTip:
            if case .record(let parts) = explicit, parts.count > 1 {
                // The tip stands first; what follows (the asset that pays) is shown by its own type.
                _ = try set(\.tip, parts[0].number, &result.facts, fault)
            } else {
                explained.explicit = try set(\.tip, explicit.number, &result.facts, fault)
            }
        case .metadataHash:
            explained.explicit = try set(\.metadataHashEnabled, mode(explicit), &result.facts, fault)
            // Without a mode nothing says whether the hash counts; then both parts are shown by their own
            // types.
            guard explained.explicit else { break }
            switch implicit.unwrapped {
            case .variant(0, let inner) where inner.isEmpty: explained.implicit = true
            case .variant(1, let inner) where inner.count == 1:
                explained.implicit = try set(\.metadataHash, Hash32(value: inner[0]), &result.facts, fault)
            default: explained.implicit = false
            }
        case nil: break
        }
        // A part without bytes has nothing to show.
        if !explained.explicit, !explicit.isVoid {
            result.unexplained.append(.init(index: index, isExplicit: true))
        }
        if !explained.implicit, !implicit.isVoid {
            result.unexplained.append(.init(index: index, isExplicit: false))
        }
    }

    private func set<T>(
        _ fact: WritableKeyPath<TransactionFacts, T?>, _ value: T?, _ facts: inout TransactionFacts,
        _ place: String
    ) throws(ExtrinsicError) -> Bool {
        guard let value else { return false }
        guard facts[keyPath: fact] == nil else { throw ExtrinsicError(.repeatedExtension, place: place) }
        facts[keyPath: fact] = value
        return true
    }

    private func mode(_ value: Value) -> Bool? {
        guard case .variant(let index, let fields) = value.unwrapped, fields.isEmpty, index <= 1 else {
            return nil
        }
        return index == 1
    }

    /// An era is one byte, or two: the first is the variant, the second its field.
    private func era(_ value: Value, _ place: String) throws(ExtrinsicError) -> Era? {
        guard case .variant(let first, let fields) = value.unwrapped else { return nil }
        do {
            guard let era = try Era(variant: first, fields: fields) else { return nil }
            return era
        } catch {
            throw ExtrinsicError(.malformedValue, place: place)
        }
    }
}
