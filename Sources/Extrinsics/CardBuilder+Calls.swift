import Cards
import Hashing
import Metadata
import SCALE
import SubstratePrimitives

/// Calls, and what they mean. A call is known by the shape of its arguments, so that a renamed pallet changes nothing.
extension CardBuilder {
    /// Calls inside byte vectors or behind hashes that may stand inside each other.
    private static let hiddenDepthLimit = 4

    mutating func call(_ pallet: Variant, _ value: Value, indent: Int) throws(MetadataError) {
        guard case .variant(let index, let values) = value else { return }
        let variant = try types.variant(index, of: pallet.fields[0].type)
        add(.pallet, pallet.name, indent)
        add(.call, variant.name, indent + 1, [.init("docs", variant.docs)])
        summary.calls.append(.init(pallet: pallet.name, call: variant.name))
        if let warning = Warning.of(call: variant.name), !summary.warnings.contains(warning) { summary.warnings.append(warning) }
        let arguments = CallArguments(variant, values)
        let before = origin
        origin = try explain(variant, arguments, indent: indent + 2)
        let hint = Hint(typeName: nil, asset: try assetContext(variant, values, pallet: pallet.name))
        for (place, field) in variant.fields.enumerated() {
            try show(fields: [field.named(place, of: variant.fields.count)], [values[place]], indent: indent + 2, hint)
            try followHash(field, values[place], indent: indent + 3)
        }
        origin = before
    }

    /// Adds what the arguments mean, and returns in whose name nested calls run.
    private mutating func explain(_ variant: Variant, _ arguments: CallArguments, indent: Int) throws(MetadataError) -> [UInt8]? {
        for (field, value) in arguments.fields {
            guard case .list(let calls) = value, try isCallList(field.type) else { continue }
            add(.batch(count: calls.count), indent)
        }
        if let real = arguments["real"]?.account, arguments["call"] != nil {
            add(.proxied(address: address(real)), indent)
            return real
        }
        if case .list(let others)? = arguments["other_signatories"]?.unwrapped {
            return try explainMultisig(arguments, others, indent: indent)
        }
        if variant.name == "as_derivative", let index = arguments["index"]?.number.flatMap(UInt16.init(exactly:)), let origin {
            let derived = DerivedAccounts.derivative(of: origin, index: index)
            add(.derived(address: address(derived)), indent)
            return derived
        }
        if arguments["call"] != nil, arguments["when"] != nil || arguments["after"] != nil {
            add(.scheduled, indent)
            return nil
        }
        // Sudo and the like run with an origin that the arguments tell; only a batch keeps the sender.
        return Warning.of(call: variant.name) == .superuser ? arguments["who"]?.account : origin
    }

    private func isCallList(_ type: TypeReference) throws(MetadataError) -> Bool {
        guard case .sequence(let element) = try types.definition(type).shape else { return false }
        return element == callType
    }

    private mutating func explainMultisig(
        _ arguments: CallArguments, _ others: [Value], indent: Int
    ) throws(MetadataError) -> [UInt8]? {
        let threshold = arguments["threshold"]?.number.flatMap(UInt16.init(exactly:)) ?? 1
        if let (field, call) = arguments.field("call"), field.type == callType {
            let bytes: [UInt8]
            do throws(ValueError) {
                bytes = try ValueEncoder.encode(call, callType, types: types)
            } catch {
                throw MetadataError(.unknownType(0), place: "call")
            }
            add(.callHash(.blake2b(of: bytes)), indent)
        }
        let accounts = others.compactMap(\.account)
        guard let origin, accounts.count == others.count else { return nil }
        let multisig = DerivedAccounts.multisig(signatories: accounts + [origin], threshold: threshold)
        add(.multisig(address: address(multisig), threshold: threshold, signatories: accounts.count + 1), indent)
        return multisig
    }

    // MARK: calls that are not there in full

    /// The argument that holds the hash of a call gets the call beside it when it is known.
    private mutating func followHash(_ field: Field, _ value: Value, indent: Int) throws(MetadataError) {
        guard let name = field.name, name == "call_hash" || name == "proposal_hash" || field.typeName?.contains("CallHash") == true,
            let hash = Hash32(value: value)
        else {
            if field.typeName?.contains("OpaqueCall") == true, let bytes = value.byteString {
                _ = try hidden(bytes, .inlineCall, indent: indent)
            }
            return
        }
        try follow(hash, indent: indent)
    }

    private mutating func follow(_ hash: Hash32, indent: Int) throws(MetadataError) {
        if let call = context.knownCalls.first(where: { Hash32.blake2b(of: $0) == hash }),
            try hidden(call, .callOfHash, indent: indent)
        {
            return
        }
        add(.onlyAHash, indent)
        summary.hiddenCalls.append(hash)
        if !summary.warnings.contains(.hiddenCall) { summary.warnings.append(.hiddenCall) }
    }

    /// `Bounded`: a call in place, or by its hash.
    mutating func hiddenCall(in variant: Variant, _ values: [Value], indent: Int) throws(MetadataError) -> Bool {
        try show(fields: variant.fields, values, indent: indent, Hint())
        switch variant.name {
        case "Inline":
            if let bytes = values.first?.byteString { _ = try hidden(bytes, .inlineCall, indent: indent) }
        case "Lookup", "Legacy":
            if let hash = values.first.flatMap({ Hash32(value: $0) }) { try follow(hash, indent: indent) }
        default: break
        }
        return true
    }

    /// Shows a call that stands in bytes; false when the bytes are not exactly one call.
    private mutating func hidden(_ bytes: [UInt8], _ notice: Notice, indent: Int) throws(MetadataError) -> Bool {
        guard hiddenDepth < Self.hiddenDepthLimit else { return false }
        var decoder = ValueDecoder(types: types, reader: SCALEReader(bytes))
        guard let value = try? decoder.whole(callType) else { return false }
        hiddenDepth += 1
        add(notice, indent)
        try show(value, callType, indent: indent + 1, Hint())
        hiddenDepth -= 1
        return true
    }

    func address(_ account: [UInt8]) -> String {
        if account.count == 20 { return EthereumAddress.text(account) }
        return SS58Address(prefix: specs.base58Prefix, account: account)?.text ?? "0x" + Hex.encode(account)
    }
}

/// The arguments of a call by name.
struct CallArguments {
    let fields: [(Field, Value)]

    init(_ variant: Variant, _ values: [Value]) { fields = Array(zip(variant.fields, values)) }

    subscript(_ name: String) -> Value? { field(name)?.1 }

    func field(_ name: String) -> (Field, Value)? { fields.first { $0.0.name == name } }
}

extension Field {
    /// A field with the name or number it has among others, so that it can be shown alone.
    func named(_ place: Int, of count: Int) -> Field {
        guard name == nil, count > 1 else { return self }
        return Field(name: "\(place + 1)", type: type, typeName: typeName, docs: docs)
    }
}

extension Value {
    /// 32 or 20 bytes inside wrappers, or inside the variant of an address that holds an account.
    var account: [UInt8]? {
        switch unwrapped {
        case .bytes(let bytes): return bytes.count == 32 || bytes.count == 20 ? bytes : nil
        case .variant(0, let fields) where fields.count == 1: return fields[0].account
        default: return nil
        }
    }
}
