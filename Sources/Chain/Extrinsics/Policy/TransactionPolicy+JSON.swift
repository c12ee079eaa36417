import Hashing
import SubstratePrimitives

extension TransactionPolicy {
    /// The keys of a policy file; no other key may stand in one.
    public enum Key: String, Sendable, CaseIterable {
        case networks, calls, destinations, signers, mortality, extensions, messages, approve
        case maximumAmount = "maximum_amount"
        case maximumTip = "maximum_tip"
        case feeAsset = "fee_asset"
        case requireMetadataHash = "require_metadata_hash"
    }

    /// Why a text is not a policy.
    public struct Fault: Error, Sendable, Equatable {
        public enum Reason: Sendable, Equatable {
            /// More than ``maximumBytes``.
            case tooLong
            case json(StrictJSON.Failure)
            /// No rule has this name.
            case unknownRule(String)
            /// The value has the wrong form for the rule; `found` is what stands there, shortened.
            case form(found: String)
            case notAnAddress(String)
            /// A rule under `approve` that leaves something open.
            case notWhole
            /// A rule under `approve` that would approve every message.
            case approvesEveryMessage
        }

        /// `fee_asset`, `approve[1].calls`; rules are counted from 1, and the whole text is empty.
        public let place: String
        public let reason: Reason

        public init(place: String, reason: Reason) {
            self.place = place
            self.reason = reason
        }
    }

    /// The longest policy, in bytes: a thousand addresses.
    public static let maximumBytes = 1 << 16
    /// The object, the list under `approve`, its rules, and their lists.
    private static let depthLimit = 4

    /// Reads a policy. A rule that cannot be read is an error, and so is an unknown or duplicate key: a policy with a mistake must not allow
    /// anything. `null` is the same as no rule.
    /// - Parameter json: UTF-8; a byte order mark in front is skipped.
    public init(json: [UInt8]) throws(Fault) {
        self = try PolicyReader(place: "").policy(try Self.value(json: json))
        guard let approve else { return }
        for (index, rule) in approve.enumerated() {
            let place = Self.place(ofRule: index)
            guard rule.isWhole else { throw Fault(place: place, reason: .notWhole) }
            guard rule.messages != .allow else { throw Fault(place: "\(place).\(Key.messages.rawValue)", reason: .approvesEveryMessage) }
        }
    }

    /// The text of a policy as JSON, whatever its keys are.
    public static func value(json: [UInt8]) throws(Fault) -> StrictJSON.Value {
        guard json.count <= maximumBytes else { throw Fault(place: "", reason: .tooLong) }
        let mark: [UInt8] = [0xef, 0xbb, 0xbf]
        do {
            return try StrictJSON.parse(json.starts(with: mark) ? Array(json.dropFirst(mark.count)) : json, depthLimit: depthLimit)
        } catch {
            throw Fault(place: "", reason: .json(error))
        }
    }

    /// The place of a rule under `approve`; `index` counts from 0, the place from 1.
    public static func place(ofRule index: Int) -> String { "\(Key.approve.rawValue)[\(index + 1)]" }
}

/// Reads the values of one object of a policy.
private struct PolicyReader {
    typealias Fault = TransactionPolicy.Fault
    typealias Key = TransactionPolicy.Key

    /// The place of the object; empty for the outermost.
    let place: String

    func policy(_ value: StrictJSON.Value) throws(Fault) -> TransactionPolicy {
        guard case .object(let object) = value else { throw Fault(form: value, place) }
        for member in object.members where !Key.allCases.contains(where: { $0.rawValue.utf8Equals(member.key) }) {
            throw Fault(place: place, reason: .unknownRule(member.key))
        }
        return TransactionPolicy(
            networks: try read(.networks, of: object, texts), calls: try read(.calls, of: object, texts),
            destinations: try read(.destinations, of: object, addresses), signers: try read(.signers, of: object, addresses),
            maximumAmount: try read(.maximumAmount, of: object, planck), maximumTip: try read(.maximumTip, of: object, planck),
            feeAsset: try read(.feeAsset, of: object, feeAsset), mortality: try read(.mortality, of: object, mortality),
            extensions: try read(.extensions, of: object, extensions), messages: try read(.messages, of: object, messages),
            requireMetadataHash: try read(.requireMetadataHash, of: object, metadataHashDemand),
            approve: try read(.approve, of: object, rules))
    }

    private func read<T>(
        _ key: Key, of object: StrictJSON.Object, _ form: (StrictJSON.Value, String) throws(Fault) -> T
    ) throws(Fault) -> T? {
        guard let value = object[key.rawValue], value != .null else { return nil }
        return try form(value, place.isEmpty ? key.rawValue : "\(place).\(key.rawValue)")
    }

    private func rules(_ value: StrictJSON.Value, _ place: String) throws(Fault) -> [TransactionPolicy] {
        // A rule that stands for a person approves nothing by rules of its own.
        guard self.place.isEmpty, case .array(let items) = value else { throw Fault(form: value, place) }
        var rules: [TransactionPolicy] = []
        for (index, item) in items.enumerated() {
            rules.append(try PolicyReader(place: TransactionPolicy.place(ofRule: index)).policy(item))
        }
        return rules
    }

    private func texts(_ value: StrictJSON.Value, _ place: String) throws(Fault) -> [String] {
        guard case .array(let items) = value else { throw Fault(form: value, place) }
        var texts: [String] = []
        for (index, item) in items.enumerated() {
            guard case .string(let text) = item else { throw Fault(form: item, "\(place)[\(index + 1)]") }
            texts.append(text)
        }
        return texts
    }

    private func addresses(_ value: StrictJSON.Value, _ place: String) throws(Fault) -> [String] {
        let texts = try texts(value, place)
        for text in texts where TransactionPolicy.account(text) == nil { throw Fault(place: place, reason: .notAnAddress(text)) }
        return texts
    }

    private func planck(_ value: StrictJSON.Value, _ place: String) throws(Fault) -> String {
        guard case .string(let text) = value, UInt128(text) != nil else { throw Fault(form: value, place) }
        return text
    }

    private func feeAsset(_ value: StrictJSON.Value, _ place: String) throws(Fault) -> TransactionPolicy.FeeAssetRule {
        if Self.isWord(value, "native") { return .native }
        if Self.isWord(value, "any") { return .any }
        var (native, assets) = (false, Set<[UInt8]>())
        for text in try texts(value, place) {
            if text.utf8Equals("native") {
                native = true
            } else {
                assets.insert(try bytes(text, place))
            }
        }
        return .only(native: native, assets: assets)
    }

    private func mortality(_ value: StrictJSON.Value, _ place: String) throws(Fault) -> TransactionPolicy.MortalityRule {
        if Self.isWord(value, "any") { return .any }
        if Self.isWord(value, "mortal") { return .mortal }
        guard case .number(let number) = try member("maximum_period", of: value, place),
            let period = UInt32(exactly: number), (4...MortalEra.longestPeriod).contains(period)
        else { throw Fault(form: value, place) }
        return .mortal(maximumPeriod: period)
    }

    private func extensions(_ value: StrictJSON.Value, _ place: String) throws(Fault) -> TransactionPolicy.ExtensionRule {
        if Self.isWord(value, "allow") { return .allow }
        if Self.isWord(value, "deny") { return .deny }
        guard case .object(let object) = value else { throw Fault(form: value, place) }
        var allowed: [[UInt8]: TransactionPolicy.ExtensionRule.Content] = [:]
        for member in object.members {
            guard case .string(let text) = member.value else { throw Fault(form: value, place) }
            allowed[Array(member.key.utf8)] = Self.isWord(member.value, "any") ? .any : .exactly(try bytes(text, place))
        }
        return .only(allowed)
    }

    private func messages(_ value: StrictJSON.Value, _ place: String) throws(Fault) -> TransactionPolicy.MessageRule {
        if Self.isWord(value, "allow") { return .allow }
        if Self.isWord(value, "deny") { return .deny }
        guard case .string(let prefix) = try member("prefix", of: value, place), !prefix.isEmpty else {
            throw Fault(form: value, place)
        }
        return .prefix(Array(prefix.utf8))
    }

    private func metadataHashDemand(_ value: StrictJSON.Value, _ place: String) throws(Fault) -> MetadataHashDemand {
        guard case .string(let text) = value, let demand = MetadataHashDemand.allCases.first(where: { $0.rawValue.utf8Equals(text) }) else {
            throw Fault(form: value, place)
        }
        return demand
    }

    /// The only member of an object.
    private func member(_ key: String, of value: StrictJSON.Value, _ place: String) throws(Fault) -> StrictJSON.Value {
        guard case .object(let object) = value, object.members.count == 1, let member = object[key] else {
            throw Fault(form: value, place)
        }
        return member
    }

    private func bytes(_ text: String, _ place: String) throws(Fault) -> [UInt8] {
        guard text.utf8Starts(with: "0x"), let bytes = Hex.decode(text), !bytes.isEmpty else { throw Fault(form: .string(text), place) }
        return bytes
    }

    private static func isWord(_ value: StrictJSON.Value, _ word: String) -> Bool {
        guard case .string(let text) = value else { return false }
        return text.utf8Equals(word)
    }
}

extension TransactionPolicy.Fault {
    fileprivate init(form value: StrictJSON.Value, _ place: String) {
        self.init(place: place, reason: .form(found: Self.shown(value)))
    }

    /// A value in few words.
    private static func shown(_ value: StrictJSON.Value) -> String {
        switch value {
        case .null: "null"
        case .bool(let flag): flag ? "true" : "false"
        case .number(let number): String(number)
        case .otherNumber(let text): text
        case .string(let text): "\"\(text.unicodeScalars.count > 40 ? String(text.unicodeScalars.prefix(40)) + "..." : text)\""
        case .array(let items): items.isEmpty ? "an empty list" : "a list"
        case .object(let object): object.members.isEmpty ? "an empty object" : "an object"
        }
    }
}
