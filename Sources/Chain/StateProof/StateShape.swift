import Metadata
import SubstratePrimitives
import UOS

/// The encoding of an entry's value, in one form for a row of the table and for metadata, so that the two can
/// be compared.
///
/// Wrappers of one unnamed field are left out, because they change neither bytes nor meaning.
public indirect enum StateShape: Equatable, Sendable {
    case primitive(PrimitiveType)
    case compact(StateShape)
    case array(UInt32, StateShape)
    case vector(StateShape)
    /// Fields by their names; a tuple has none.
    case record([Field])
    case choice([Choice])
    /// Unit variants whose numbers mean something else on each chain: only 0 has a name here.
    case openChoice
    /// Whatever stands there, it is only compared.
    case opaque

    /// A field of a structure.
    public struct Field: Equatable, Sendable {
        let name: ExactText
        let shape: StateShape
    }

    /// A variant of an enumeration.
    public struct Choice: Equatable, Sendable {
        let index: UInt8
        let name: ExactText
        let fields: [StateShape]
    }

    /// Whether a runtime that says `other` is read by this shape.
    func reads(_ other: StateShape) -> Bool {
        switch (self, other) {
        case (.opaque, _): true
        case (.openChoice, .choice(let choices)):
            choices.allSatisfy { $0.fields.isEmpty }
                && choices.contains { $0.index == 0 && $0.name == "Any" }
        case (.compact(let one), .compact(let other)), (.vector(let one), .vector(let other)):
            one.reads(other)
        case (.array(let one, let element), .array(let other, let that)):
            one == other && element.reads(that)
        case (.record(let one), .record(let other)):
            one.elementsEqual(other) { $0.name == $1.name && $0.shape.reads($1.shape) }
        case (.choice(let one), .choice(let other)):
            one.elementsEqual(other) {
                $0.index == $1.index && $0.name == $1.name
                    && $0.fields.elementsEqual($1.fields) { $0.reads($1) }
            }
        case (.primitive(let one), .primitive(let other)): one == other
        case (.openChoice, _), (.compact, _), (.vector, _), (.array, _), (.record, _), (.choice, _),
            (.primitive, _):
            false
        }
    }
}

// MARK: The shapes of the table

extension StateShape {
    static let u32 = StateShape.primitive(.u32)
    static let u128 = StateShape.primitive(.u128)
    /// An account, or the hash of a call.
    static let bytes32 = StateShape.array(32, .primitive(.u8))
    static let byteVector = StateShape.vector(.primitive(.u8))
    static let parachainHead = byteVector

    static func fields(_ fields: (ExactText, StateShape)...) -> StateShape {
        .record(fields.map { Field(name: $0.0, shape: $0.1) })
    }

    static func tuple(_ elements: StateShape...) -> StateShape {
        .record(elements.map { Field(name: "", shape: $0) })
    }

    private static func choices(_ choices: (ExactText, [StateShape])...) -> StateShape {
        .choice(choices.enumerated().map { Choice(index: UInt8($0), name: $1.0, fields: $1.1) })
    }

    /// What a value of the kind looks like; nil for a value that is never read.
    /// - `hasClaimedRewards`: whether a ledger ends with a list of eras, as on relay chains.
    static func of(_ kind: StateItem.Kind, hasClaimedRewards: Bool) -> StateShape? {
        switch kind {
        case .runtime: fields(("spec_version", .compact(u32)), ("spec_name", .primitive(.str)))
        case .time: .primitive(.u64)
        case .account:
            fields(
                ("nonce", u32), ("consumers", u32), ("providers", u32), ("sufficients", u32),
                ("data", fields(("free", u128), ("reserved", u128), ("frozen", u128), ("flags", u128))))
        case .assetMetadata, .foreignMetadata:
            fields(
                ("deposit", u128), ("name", byteVector), ("symbol", byteVector),
                ("decimals", .primitive(.u8)), ("is_frozen", .primitive(.bool)))
        case .assetAccount, .foreignAccount:
            fields(
                ("balance", u128), ("status", choices(("Liquid", []), ("Frozen", []), ("Blocked", []))),
                (
                    "reason",
                    choices(
                        ("Consumer", []), ("Sufficient", []), ("DepositHeld", [u128]),
                        ("DepositRefunded", []), ("DepositFrom", [bytes32, u128]))
                ), ("extra", tuple()))
        case .proxies:
            tuple(
                .vector(fields(("delegate", bytes32), ("proxy_type", .openChoice), ("delay", u32))), u128)
        case .multisig:
            fields(
                ("when", fields(("height", u32), ("index", u32))), ("deposit", u128),
                ("depositor", bytes32), ("approvals", .vector(bytes32)))
        case .bonded: bytes32
        case .ledger: ledger(hasClaimedRewards: hasClaimedRewards)
        case .nextKeys: .opaque
        case .identity: identity
        case .superIdentity: tuple(bytes32, text)
        case .codeHash, .migration: nil
        }
    }

    private static func ledger(hasClaimedRewards: Bool) -> StateShape {
        let chunk = fields(("value", .compact(u128)), ("era", .compact(u32)))
        let plain: [(ExactText, StateShape)] = [
            ("stash", bytes32), ("total", .compact(u128)), ("active", .compact(u128)),
            ("unlocking", .vector(chunk)),
        ]
        let claimed: [(ExactText, StateShape)] =
            hasClaimedRewards ? [("legacy_claimed_rewards", .vector(u32))] : []
        return .record((plain + claimed).map { Field(name: $0.0, shape: $0.1) })
    }

    /// Text of up to 32 bytes, or one of four hashes of it.
    private static let text = StateShape.choice(
        [Choice(index: 0, name: "None", fields: [])]
            + (UInt8(0)...32).map {
                Choice(
                    index: $0 + 1, name: ExactText("Raw\($0)"),
                    fields: [.array(UInt32($0), .primitive(.u8))])
            }
            + ["BlakeTwo256", "Sha256", "Keccak256", "ShaThree256"].enumerated().map {
                Choice(index: UInt8(34 + $0), name: ExactText($1), fields: [bytes32])
            })

    private static let identity: StateShape = {
        let judgement = choices(
            ("Unknown", []), ("FeePaid", [u128]), ("Reasonable", []), ("KnownGood", []), ("OutOfDate", []),
            ("LowQuality", []), ("Erroneous", []))
        let fingerprint = choices(("None", []), ("Some", [.array(20, .primitive(.u8))]))
        let texts: [ExactText] = ["display", "legal", "web", "matrix", "email"]
        let more: [ExactText] = ["image", "twitter", "github", "discord"]
        let info: [(ExactText, StateShape)] =
            texts.map { ($0, text) } + [("pgp_fingerprint", fingerprint)] + more.map { ($0, text) }
        return fields(
            ("judgements", .vector(tuple(u32, judgement))), ("deposit", u128),
            ("info", .record(info.map { Field(name: $0.0, shape: $0.1) })))
    }()
}

// MARK: From metadata

extension StateShape {
    /// How metadata describes a type; a fault of the metadata, a type of other kinds and a nest deeper than
    /// any row are not a shape.
    init?(_ type: TypeReference, in registry: any TypeRegistry, depth: Int = 0) {
        guard depth < 12 else { return nil }
        func inner(_ type: TypeReference) -> StateShape? { StateShape(type, in: registry, depth: depth + 1) }
        func all(_ types: [TypeReference]) -> [StateShape]? {
            let shapes = types.compactMap(inner)
            return shapes.count == types.count ? shapes : nil
        }
        switch type {
        case .primitive(let primitive): self = .primitive(primitive)
        case .compact(let primitive): self = .compact(.primitive(primitive))
        case .void: self = .record([])
        case .id(let id):
            guard let definition = try? registry.definition(of: id) else { return nil }
            switch definition.shape {
            case .composite(let fields) where fields.count == 1 && fields[0].name == nil:
                guard let shape = inner(fields[0].type) else { return nil }
                self = shape
            case .composite(let fields):
                guard let shapes = all(fields.map(\.type)) else { return nil }
                self = .record(
                    zip(fields, shapes).map { Field(name: ExactText($0.0.name ?? ""), shape: $0.1) })
            case .tuple(let elements):
                guard let shapes = all(elements) else { return nil }
                self = .record(shapes.map { Field(name: "", shape: $0) })
            case .enumeration:
                guard let variants = try? registry.variants(of: id) else { return nil }
                var choices: [Choice] = []
                for variant in variants.sorted(by: { $0.index < $1.index }) {
                    guard let fields = all(variant.fields.map(\.type)) else { return nil }
                    choices.append(
                        Choice(index: variant.index, name: ExactText(variant.name), fields: fields))
                }
                self = .choice(choices)
            case .sequence(let element):
                guard let shape = inner(element) else { return nil }
                self = .vector(shape)
            case .array(let count, let element):
                guard let shape = inner(element) else { return nil }
                self = .array(count, shape)
            case .primitive(let primitive): self = .primitive(primitive)
            case .compact(let integer):
                guard let shape = inner(integer) else { return nil }
                self = .compact(shape)
            case .bits: return nil
            }
        }
    }
}

// MARK: For people and for the table that a tool makes

extension StateShape: CustomStringConvertible {
    /// In the words of `fixtures/state/layouts.tsv`.
    public var description: String {
        switch self {
        case .primitive(let primitive): "\(primitive)"
        case .compact(let shape): "compact(\(shape))"
        case .array(let count, let shape): "[\(shape); \(count)]"
        case .vector(let shape): "[\(shape)]"
        case .record(let fields):
            "{\(fields.map { $0.name.text.isEmpty ? "\($0.shape)" : "\($0.name.text): \($0.shape)" }.joined(separator: ", "))}"
        case .choice(let choices): "<\(choices.map(\.description).joined(separator: " | "))>"
        case .openChoice: "<0 Any | …>"
        case .opaque: "…"
        }
    }
}

extension StateShape.Choice: CustomStringConvertible {
    public var description: String {
        let fields = fields.isEmpty ? "" : "(\(fields.map(\.description).joined(separator: ", ")))"
        return "\(index) \(name.text)\(fields)"
    }
}
