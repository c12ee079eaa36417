import Extrinsics
import Metadata
import SubstratePrimitives

/// A call of a transaction, nested ones too, with the account that it acts for.
struct NamedCall {
    struct Argument {
        let name: ExactText
        let value: Value
        let type: TypeReference
    }

    let pallet: ExactText
    let call: ExactText
    /// nil where the call is made by nobody's account, or by one that the bytes do not name.
    let origin: AccountID32?
    let arguments: [Argument]

    func argument(_ name: ExactText) -> Argument? { arguments.first { $0.name == name } }

    /// The account of an argument that names one by its key.
    func account(_ name: ExactText) -> AccountID32? { argument(name).flatMap { AccountID32($0.value) } }
}

extension AccountID32 {
    /// An account as arguments have it: by itself, or as the first variant of an address.
    init?(_ value: Value) {
        switch value.unwrapped {
        case .bytes(let bytes): self.init(bytes)
        case .variant(0, let fields) where fields.count == 1: self.init(fields[0])
        case .bool, .char, .text, .unsigned, .signed, .wide, .bits, .list, .record, .variant: return nil
        }
    }
}

/// Finds the calls in a decoded transaction.
struct NamedCalls {
    /// More levels than any value has that the limits of decoding let through.
    private static let maximumDepth = 512

    private let types: TypeView
    private let callType: TypeReference
    private(set) var all: [NamedCall] = []

    /// - `signer`: nil where the vault has not derived the key.
    init(_ decoded: DecodedTransaction, signer: AccountID32?) {
        types = TypeView(decoded.source.registry)
        callType = decoded.source.extrinsic.call
        visit(decoded.call, callType, origin: signer, depth: 0)
    }

    /// The encoding of a value, as the signed bytes have it.
    func encoding(_ value: Value, _ type: TypeReference) -> [UInt8]? {
        try? ValueEncoder.encode(value, type, types: types)
    }

    /// Values were decoded within the limits of their bytes, so their nest ends.
    private mutating func visit(_ value: Value, _ type: TypeReference, origin: AccountID32?, depth: Int) {
        guard depth < Self.maximumDepth, let definition = try? types.definition(type) else { return }
        func parts(_ types: [TypeReference], _ values: [Value]) -> [(Value, TypeReference)] {
            Array(zip(values, types))
        }
        let inner: [(Value, TypeReference)]
        switch (definition.shape, value) {
        case (.composite(let fields), .record(let values)): inner = parts(fields.map(\.type), values)
        case (.tuple(let elements), .record(let values)): inner = parts(elements, values)
        case (.sequence(let element), .list(let values)), (.array(_, let element), .list(let values)):
            inner = values.map { ($0, element) }
        case (.enumeration, .variant(let index, let values)):
            guard let variant = try? types.variant(index, of: type) else { return }
            if type == callType, let call = values.first, let calls = variant.fields.first {
                return visitCall(ExactText(variant.name), call, calls.type, origin: origin, depth: depth + 1)
            }
            inner = parts(variant.fields.map(\.type), values)
        default: inner = []
        }
        for (value, type) in inner { visit(value, type, origin: origin, depth: depth + 1) }
    }

    private mutating func visitCall(
        _ pallet: ExactText, _ value: Value, _ type: TypeReference, origin: AccountID32?, depth: Int
    ) {
        guard case .variant(let index, let values) = value, let variant = try? types.variant(index, of: type)
        else { return }
        let call = NamedCall(
            pallet: pallet, call: ExactText(variant.name), origin: origin,
            arguments: zip(variant.fields, values).map {
                .init(name: ExactText($0.name ?? ""), value: $1, type: $0.type)
            })
        all.append(call)
        let below = Self.origin(below: call)
        for argument in call.arguments {
            visit(argument.value, argument.type, origin: below, depth: depth + 1)
        }
    }

    /// Who makes the calls inside a call; nil where that is not known to be the account that makes the call.
    private static func origin(below call: NamedCall) -> AccountID32? {
        switch (call.pallet.text, call.call.text) {
        case ("Proxy", "proxy"), ("Proxy", "proxy_announced"): call.account("real")
        case ("Multisig", _): call.multisig
        case ("Utility", "as_derivative"): call.derivative
        case ("Utility", "batch"), ("Utility", "batch_all"), ("Utility", "force_batch"),
            ("Utility", "if_else"):
            call.origin
        // A recovered account, another origin, or one that the chain holds: the bytes do not name it.
        default: nil
        }
    }
}

extension NamedCall {
    /// The account of the multisig that the call is made for.
    var multisig: AccountID32? {
        guard pallet == "Multisig", let origin,
            case .list(let values)? = argument("other_signatories")?.value.unwrapped
        else { return nil }
        let others = values.compactMap { AccountID32($0) }
        let threshold = argument("threshold")?.value.number ?? (call == "as_multi_threshold_1" ? 1 : nil)
        guard others.count == values.count, let threshold = threshold.flatMap({ UInt16(exactly: $0) }) else {
            return nil
        }
        return AccountID32(
            DerivedAccounts.multisig(
                signatories: (others + [origin]).map(\.bytes), threshold: threshold))
    }

    /// The account that `as_derivative` acts for.
    fileprivate var derivative: AccountID32? {
        guard let origin, let index = argument("index")?.value.number.flatMap({ UInt16(exactly: $0) }) else {
            return nil
        }
        return AccountID32(DerivedAccounts.derivative(of: origin.bytes, index: index))
    }
}
