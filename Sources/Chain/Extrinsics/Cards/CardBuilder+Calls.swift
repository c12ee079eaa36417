import Cards
import Hashing
import Metadata
import SCALE
import SubstratePrimitives

/// Calls and their meaning. A call is recognized by the shape of its arguments, so renaming a pallet changes
/// nothing.
extension CardBuilder {
    /// The maximum depth of calls inside byte vectors or behind hashes.
    private static let hiddenDepthLimit = 4

    mutating func call(_ pallet: Variant, _ value: Value, indent: Int) throws(MetadataError) {
        guard case .variant(let number, let values) = value else { return }
        let variant = try types.variant(number, of: pallet.fields[0].type)
        writer.add(.pallet(ExactText(pallet.name)), indent)
        writer.add(.call(ExactText(variant.name), docs: ExactText(variant.docs)), indent + 1)
        let traits = try caches.traits(of: variant, types: types, callType: callType)
        if let warning = try warning(of: variant, traits, CallArguments(variant, values), pallet: pallet.name)
        {
            writer.warn(warning)
        }
        for effect in UnstatedEffect.of(pallet: pallet.name, call: variant.name) {
            switch effect {
            case .worth: writer.summary.movesUnstatedWorth = true
            case .payee: writer.summary.hasOtherAddresses = true
            }
        }
        for index in traits.callLists {
            if case .list(let calls) = values[index] { writer.tell(.batch(count: calls.count), indent + 2) }
        }
        let before = (origin, self.pallet)
        self.pallet = pallet.name
        origin = try explain(variant, traits, CallArguments(variant, values), indent: indent + 2)
        let units = try AssetReader(types: types, context: context).units(
            of: variant, traits, values, pallet: pallet.name)
        let count = variant.fields.count
        for (index, field) in variant.fields.enumerated() {
            var inner = try Hint(
                argument: field, of: variant, pallet: pallet.name, on: writer.specs.genesisHash, units, types)
            inner.isCall = traits.hashes.contains(index) || traits.opaqueCalls.contains(index)
            try show(fields: [field.named(index, of: count)], [values[index]], indent: indent + 2, inner)
            if traits.hashes.contains(index), let hash = Hash32(value: values[index]) {
                try follow(hash, indent: indent + 3)
            } else if traits.opaqueCalls.contains(index), let bytes = values[index].byteString {
                try inline(bytes, indent: indent + 3)
            }
            if pallet.name == "System", field.name == "remark",
                case .array = try types.definition(try judge.unwrapped(field.type)).shape
            {
                writer.summary.hasRemarkWithoutLength = true
            }
            if variant.name == "set_keys", field.name == "proof", Self.provesNothing(values[index]) {
                writer.tell(.noPossession, indent + 3)
            }
        }
        (origin, self.pallet) = before
    }

    /// A proof of possession holds a signature of each key, 64 bytes at least. Wallets send `0x` or `0x00`
    /// where a chain asks for none.
    private static func provesNothing(_ proof: Value) -> Bool {
        proof.byteString.map { $0.count < 64 } ?? false
    }

    private func warning(
        of variant: Variant, _ traits: CallTraits, _ arguments: CallArguments, pallet: String
    ) throws(MetadataError) -> Warning? {
        // With `allow_burn` the whole balance of the asset goes with its account.
        if variant.name == "refund", arguments["allow_burn"] == .bool(true) { return .movesEverything }
        if Warning.takesMaximum(pallet: pallet, call: variant.name),
            let (field, amount) = arguments.field("amount"), case .variant(let number, _) = amount,
            try types.variant(number, of: field.type).name.utf8Equals("Max")
        {
            return .movesEverything
        }
        let warning = traits.warning ?? Warning.ofGeneric(pallet: pallet, call: variant.name)
        // An authorization to take the primary key of an identity.
        if warning == .givesProxy, let (field, data) = arguments.field("data"),
            case .variant(let number, _) = data,
            try types.variant(number, of: field.type).name.utf8Starts(with: "RotatePrimaryKey")
        {
            return .replacesKeys
        }
        // Rewards that stay with the stake's own accounts are ordinary.
        guard warning == .redirectsRewards,
            let (field, payee) = arguments.field("payee") ?? arguments.field("new_commission"),
            case .variant(let number, _) = payee
        else { return warning }
        return Warning.ownPayees.contains(ExactText(try types.variant(number, of: field.type).name))
            ? nil : warning
    }

    /// Adds what the arguments mean, and returns in whose name nested calls run.
    private mutating func explain(
        _ variant: Variant, _ traits: CallTraits, _ arguments: CallArguments, indent: Int
    ) throws(MetadataError) -> [UInt8]? {
        guard traits.hasMeaning else { return traits.keepsSender ? origin : nil }
        // A recovered account is the one named account of its call.
        if let other = arguments["real"] ?? (variant.name == "as_recovered" ? arguments["account"] : nil),
            arguments["call"] != nil
        {
            // An index names an account that only the chain knows.
            guard let other = other.account else { return nil }
            writer.tell(.proxied(address: ExactText(writer.addresses.text(other))), indent)
            return other
        }
        if case .list(let others)? = arguments["other_signatories"]?.unwrapped {
            return try explainMultisig(arguments, others, indent: indent)
        }
        if variant.name == "as_derivative",
            let index = arguments["index"]?.number.flatMap(UInt16.init(exactly:)), let origin
        {
            let derived = DerivedAccounts.derivative(of: origin, index: index)
            writer.tell(.derived(address: ExactText(writer.addresses.text(derived))), indent)
            return derived
        }
        if arguments["call"] != nil, arguments["when"] != nil || arguments["after"] != nil {
            writer.tell(.scheduled, indent)
            return nil
        }
        // Sudo and similar calls name their origin in the arguments.
        if traits.warning == .superuser { return arguments["who"]?.account }
        return traits.keepsSender ? origin : nil
    }

    private mutating func explainMultisig(
        _ arguments: CallArguments, _ others: [Value], indent: Int
    ) throws(MetadataError) -> [UInt8]? {
        let threshold = arguments["threshold"]?.number.flatMap(UInt16.init(exactly:)) ?? 1
        if let (field, call) = arguments.field("call"), try isCall(field.type) {
            let bytes: [UInt8]
            do throws(ValueError) {
                bytes = try ValueEncoder.encode(call.unwrapped, callType, types: types)
            } catch {
                throw MetadataError(.unknownType(0), place: "call")
            }
            writer.tell(.callHash(.blake2b(of: bytes)), indent)
        }
        let accounts = others.compactMap(\.account)
        guard let origin, accounts.count == others.count else { return nil }
        let multisig = DerivedAccounts.multisig(signatories: accounts + [origin], threshold: threshold)
        let address = ExactText(writer.addresses.text(multisig))
        writer.tell(
            .multisig(address: address, threshold: threshold, signatories: accounts.count + 1), indent)
        return multisig
    }

    /// The runtime's call, also inside the byte vector that older multisigs take.
    private func isCall(_ type: TypeReference) throws(MetadataError) -> Bool {
        if type == callType { return true }
        return try types.opaqueContent(of: try types.definition(type)) == callType
    }

    // MARK: calls inside bytes and behind hashes

    /// Shows the call behind a hash if it is known; otherwise the call counts as hidden.
    private mutating func follow(_ hash: Hash32, indent: Int) throws(MetadataError) {
        if let call = context.knownCalls.first(where: { Hash32.blake2b(of: $0) == hash }),
            try hidden(call, .callOfHash, indent: indent)
        {
            return
        }
        writer.tell(.onlyAHash, indent)
        writer.hide(hash)
    }

    /// A call in place is shown; bytes that are not exactly one call may still run as one on the chain, so
    /// they count as hidden.
    private mutating func inline(_ bytes: [UInt8], indent: Int) throws(MetadataError) {
        if try !hidden(bytes, .inlineCall, indent: indent) { writer.hide(.blake2b(of: bytes)) }
    }

    /// `Bounded`: a call in place, or by its hash.
    mutating func boundedCall(in variant: Variant, _ values: [Value], indent: Int, _ hint: Hint)
        throws(MetadataError)
    {
        var place = hint.place
        place.isCall = ["Inline", "Lookup", "Legacy"].contains(ExactText(variant.name))
        try show(fields: variant.fields, values, indent: indent, place)
        switch variant.name {
        case "Inline":
            if let bytes = values.first?.byteString { try inline(bytes, indent: indent) }
        case "Lookup", "Legacy":
            if let hash = values.first.flatMap({ Hash32(value: $0) }) { try follow(hash, indent: indent) }
        default: break
        }
    }

    /// Shows a call that stands in bytes; false when the bytes are not exactly one call.
    private mutating func hidden(_ bytes: [UInt8], _ notice: Notice, indent: Int) throws(MetadataError)
        -> Bool
    {
        guard writer.hiddenDepth < Self.hiddenDepthLimit, hiddenValues > 0, !writer.isFull else {
            return false
        }
        var decoder = ValueDecoder(
            types: types, reader: SCALEReader(bytes), rules: context.rules, limit: hiddenValues, depth: depth)
        let value = try? decoder.whole(callType)
        // Decoding may fail late and be tried again: all attempts share one limit.
        hiddenValues -= decoder.used
        guard let value else { return false }
        writer.tell(notice, indent)
        writer.hiddenDepth += 1
        defer { writer.hiddenDepth -= 1 }
        try show(value, callType, indent: indent + 1, Hint())
        return true
    }
}

/// The arguments of a call by name.
struct CallArguments {
    let fields: [(Field, Value)]

    init(_ variant: Variant, _ values: [Value]) { fields = Array(zip(variant.fields, values)) }

    subscript(_ name: String) -> Value? { field(name)?.1 }

    func field(_ name: String) -> (Field, Value)? { fields.first { $0.0.name.utf8Equals(name) } }
}

/// Accounts that runtimes compute from others.
///
/// Source: paritytech/polkadot-sdk, pallet-multisig `multi_account_id` and pallet-utility
/// `derivative_account_id`.
public enum DerivedAccounts {
    private static let tag = Array("modlpy/utilisuba".utf8)

    /// The account of a multisig: signatories in ascending order, then the threshold.
    public static func multisig(signatories: [[UInt8]], threshold: UInt16) -> [UInt8] {
        hash(length: signatories.first?.count ?? 32) { writer in
            writer.vector(signatories.sorted { $0.lexicographicallyPrecedes($1) }) { $0.raw($1) }
            writer.integer(threshold)
        }
    }

    /// The account of `utility.as_derivative`.
    public static func derivative(of account: [UInt8], index: UInt16) -> [UInt8] {
        hash(length: account.count) { writer in
            writer.raw(account)
            writer.integer(index)
        }
    }

    private static func hash(length: Int, _ body: (inout SCALEWriter) -> Void) -> [UInt8] {
        let digest = BLAKE2b.hash(
            SCALEWriter.encode {
                $0.raw(tag)
                body(&$0)
            })
        return Array(digest.prefix(length))
    }
}
