import Hashing
import SubstratePrimitives

extension TransactionPolicy {
    /// Why a text is not a policy.
    public struct Fault: Error, Sendable, Equatable {
        /// What is wrong with the text.
        public enum Reason: Sendable, Equatable {
            /// More than ``maximumBytes``.
            case tooLong
            case json(StrictJSON.Failure)
            /// No rule has this name.
            case unknownRule(String)
            /// The value has the wrong form for the rule; `found` is what stands there, shortened.
            case form(found: String)
            case notAnAddress(String)
            /// An amount without a unit; the number that stands there.
            case unitMissing(number: String)
            /// An amount with a comma, such as `1,000 DOT`.
            case commas(String)
            /// Two amounts of one limit in one unit.
            case unitTwice(String)
            /// An asset with an amount and without its decimals.
            case decimalsMissing
            /// Two amounts of one asset in two units; the second one's.
            case otherUnit(String)
            /// A rule under `approve` that leaves something open.
            case notWhole
            /// A rule under `approve` that would approve every message.
            case approvesEveryMessage
            /// A rule under `approve` that limits what is signed within a time, for signers that it does not
            /// name.
            case budgetWithoutSigners
            /// A lowest amount above the highest one: nothing would fit.
            case minimumAboveMaximum
            /// An asset that stands twice in the list.
            case duplicateAsset(String)
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
    /// The object, the list under `approve`, its rules, their lists, and the assets in one of them.
    private static let depthLimit = 5

    /// Reads a policy. A rule that cannot be read is an error, and so is an unknown or duplicate key: a
    /// policy with a mistake must not allow anything. `null` is the same as no rule.
    /// - Parameter json: UTF-8; a byte order mark in front is skipped.
    public init(json: [UInt8]) throws(Fault) {
        self = try PolicyReader(place: "").policy(try Self.value(json: json))
        guard let approve else { return }
        for (index, rule) in approve.enumerated() {
            let place = Self.place(ofRule: index)
            guard rule.isWhole else { throw Fault(place: place, reason: .notWhole) }
            guard !rule.hasBudget || rule.signers != nil else {
                throw Fault(place: place, reason: .budgetWithoutSigners)
            }
            guard rule.messages != .allow else {
                throw Fault(place: "\(place).\(Key.messages.rawValue)", reason: .approvesEveryMessage)
            }
        }
    }

    /// The text of a policy as JSON, whatever its keys are.
    public static func value(json: [UInt8]) throws(Fault) -> StrictJSON.Value {
        guard json.count <= maximumBytes else { throw Fault(place: "", reason: .tooLong) }
        let mark: [UInt8] = [0xef, 0xbb, 0xbf]
        do {
            return try StrictJSON.parse(
                json.starts(with: mark) ? Array(json.dropFirst(mark.count)) : json, depthLimit: depthLimit)
        } catch {
            throw Fault(place: "", reason: .json(error))
        }
    }

    /// The networks that the faulty rule of a policy lists, or else the policy, as far as the text can be
    /// read.
    /// - Parameters:
    ///   - place: the place of the ``Fault``.
    ///   - json: the text of the policy.
    public static func networks(at place: String, in json: [UInt8]) -> [NetworkName] {
        guard case .object(let policy)? = try? value(json: json) else { return [] }
        var objects = [policy]
        if case .array(let rules)? = policy[Key.approve.rawValue] {
            for (index, rule) in rules.enumerated()
            where "\(place).".utf8Starts(with: "\(Self.place(ofRule: index)).") {
                if case .object(let rule) = rule { objects.insert(rule, at: 0) }
            }
        }
        for object in objects {
            guard case .array(let names)? = object[Key.networks.rawValue] else { continue }
            return names.compactMap { name in
                if case .string(let text) = name { NetworkName(text: text) } else { nil }
            }
        }
        return []
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
        for member in object.members
        where !Key.allCases.contains(where: { $0.rawValue.utf8Equals(member.key) }) {
            throw Fault(place: place, reason: .unknownRule(member.key))
        }
        let policy = TransactionPolicy(
            networks: try read(.networks, of: object, names), calls: try read(.calls, of: object, calls),
            destinations: try read(.destinations, of: object, addresses),
            signers: try read(.signers, of: object, addresses),
            maximumAmount: try read(.maximumAmount, of: object, limit),
            minimumAmount: try read(.minimumAmount, of: object, limit),
            totals: TransactionPolicy.Totals(
                perDay: try read(.maximumPerDay, of: object, limit),
                perWeek: try read(.maximumPerWeek, of: object, limit),
                perMonth: try read(.maximumPerMonth, of: object, limit)),
            assets: try read(.assets, of: object, assets),
            maximumTip: try read(.maximumTip, of: object, limit),
            feeAsset: try read(.feeAsset, of: object, feeAsset),
            mortality: try read(.mortality, of: object, mortality),
            extensions: try read(.extensions, of: object, extensions),
            messages: try read(.messages, of: object, messages),
            requireMetadataHash: try read(.requireMetadataHash, of: object, metadataHashDemand),
            requireStateProof: try read(.requireStateProof, of: object, stateDemand),
            minimumRemaining: try read(.minimumRemaining, of: object, limit),
            existingDestinations: try read(.existingDestinations, of: object, demanded) ?? false,
            keyAge: try read(.keyAge, of: object, ages),
            maximumCount: try read(.maximumCount, of: object, counts),
            approve: try read(.approve, of: object, rules))
        for minimum in policy.minimumAmount?.amounts ?? [] {
            guard let maximum = policy.maximumAmount?[minimum.unit], minimum.exceeds(maximum) else {
                continue
            }
            throw Fault(place: place, reason: .minimumAboveMaximum)
        }
        return policy
    }

    private func assets(_ value: StrictJSON.Value, _ place: String) throws(Fault) -> [TransactionPolicy
        .AssetRule]
    {
        guard case .array(let items) = value else { throw Fault(form: value, place) }
        var rules: [TransactionPolicy.AssetRule] = []
        for (index, item) in items.enumerated() {
            let rule = try asset(item, "\(place)[\(index + 1)]")
            guard !rules.contains(where: { $0.asset == rule.asset }) else {
                throw Fault(place: "\(place)[\(index + 1)]", reason: .duplicateAsset(rule.asset.id.text))
            }
            rules.append(rule)
        }
        return rules
    }

    private func asset(_ value: StrictJSON.Value, _ place: String) throws(Fault)
        -> TransactionPolicy.AssetRule
    {
        typealias Member = TransactionPolicy.AssetMember
        guard case .object(let object) = value else { throw Fault(form: value, place) }
        for member in object.members
        where !Member.allCases.contains(where: { $0.rawValue.utf8Equals(member.key) }) {
            throw Fault(place: place, reason: .unknownRule(member.key))
        }
        func read<T>(
            _ member: Member, _ form: (StrictJSON.Value, String) throws(Fault) -> T
        ) throws(Fault) -> T? {
            guard let value = object[member.rawValue], value != .null else { return nil }
            return try form(value, "\(place).\(member.rawValue)")
        }
        guard let id = try read(.asset, assetID) else { throw Fault(form: value, place) }
        let pallet = try read(.pallet) { (value, place) throws(Fault) in
            guard case .string(let text) = value, !text.isEmpty else { throw Fault(form: value, place) }
            return text
        }
        // Only a pallet numbers its assets.
        guard pallet != nil || id.utf8Starts(with: "0x") else {
            throw Fault(form: .string(id), "\(place).\(Member.asset.rawValue)")
        }
        let decimals = try read(.decimals) { (value, place) throws(Fault) in
            guard case .number(let number) = value, let decimals = UInt8(exactly: number), decimals <= 38
            else { throw Fault(form: value, place) }
            return decimals
        }
        var unit: AssetUnit?
        func amount(_ member: Member) throws(Fault) -> UInt128? {
            guard let amount = try read(member, self.amount) else { return nil }
            guard let decimals else { throw Fault(place: place, reason: .decimalsMissing) }
            let own = unit ?? AssetUnit(symbol: amount.unit.text, decimals: decimals)
            guard amount.unit == ExactText(own.symbol) else {
                throw Fault(place: place, reason: .otherUnit(amount.unit.text))
            }
            unit = own
            guard amount.isWhole(decimals: decimals),
                let raw = amount.raw(decimals: decimals, roundingUp: false)
            else { throw Fault(form: .string(amount.text), "\(place).\(member.rawValue)") }
            return raw
        }
        let (maximum, minimum) = (try amount(.maximumAmount), try amount(.minimumAmount))
        if let minimum, let maximum, minimum > maximum {
            throw Fault(place: place, reason: .minimumAboveMaximum)
        }
        let totals = TransactionPolicy.Totals(
            perDay: try amount(.maximumPerDay), perWeek: try amount(.maximumPerWeek),
            perMonth: try amount(.maximumPerMonth))
        return TransactionPolicy.AssetRule(
            pallet.map { .pallet(ExactText($0), id: ExactText(id)) } ?? .location(ExactText(id)), unit: unit,
            maximumAmount: maximum,
            minimumAmount: minimum, totals: totals)
    }

    /// The one spelling of an id that a review shows: another one would match nothing.
    private func assetID(_ value: StrictJSON.Value, _ place: String) throws(Fault) -> String {
        guard case .string(let text) = value else { throw Fault(form: value, place) }
        if let number = UInt128(text), String(number).utf8Equals(text) { return text }
        let bytes = try bytes(text, place)
        guard "0x\(Hex.encode(bytes))".utf8Equals(text) else { throw Fault(form: value, place) }
        return text
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

    private func names(_ value: StrictJSON.Value, _ place: String) throws(Fault)
        -> [TransactionPolicy.NetworkName]
    {
        try texts(value, place).map { TransactionPolicy.NetworkName(text: $0) }
    }

    private func calls(_ value: StrictJSON.Value, _ place: String) throws(Fault)
        -> [TransactionPolicy.CallPattern]
    {
        var calls: [TransactionPolicy.CallPattern] = []
        for (index, text) in try texts(value, place).enumerated() {
            guard let call = TransactionPolicy.CallPattern(text: text) else {
                throw Fault(form: .string(text), "\(place)[\(index + 1)]")
            }
            calls.append(call)
        }
        return calls
    }

    private func addresses(_ value: StrictJSON.Value, _ place: String) throws(Fault)
        -> [TransactionPolicy.Account]
    {
        var accounts: [TransactionPolicy.Account] = []
        for text in try texts(value, place) {
            guard let account = TransactionPolicy.Account(text: text) else {
                throw Fault(place: place, reason: .notAnAddress(text))
            }
            accounts.append(account)
        }
        return accounts
    }

    /// One amount, or a list of them in different units.
    private func limit(_ value: StrictJSON.Value, _ place: String) throws(Fault) -> TransactionPolicy.Limit {
        guard case .array(let items) = value else { return .init(try amount(value, place)) }
        var amounts: [TransactionPolicy.Amount] = []
        for item in items {
            let amount = try amount(item, place)
            guard !amounts.contains(where: { $0.unit == amount.unit }) else {
                throw Fault(place: place, reason: .unitTwice(amount.unit.text))
            }
            amounts.append(amount)
        }
        guard let limit = TransactionPolicy.Limit(amounts) else { throw Fault(form: value, place) }
        return limit
    }

    private func amount(_ value: StrictJSON.Value, _ place: String) throws(Fault) -> TransactionPolicy.Amount
    {
        switch value {
        case .string(let text):
            if let amount = TransactionPolicy.Amount(text: text) { return amount }
            if TokenAmount.hasCommas(text) { throw Fault(place: place, reason: .commas(text)) }
            guard let number = TransactionPolicy.Amount(number: text, unit: "") else { break }
            throw Fault(place: place, reason: .unitMissing(number: number.number))
        case .number(let number) where number >= 0:
            throw Fault(place: place, reason: .unitMissing(number: String(number)))
        case .otherNumber(let text):
            guard let number = TransactionPolicy.Amount(number: text, unit: "") else { break }
            throw Fault(place: place, reason: .unitMissing(number: number.number))
        case .null, .bool, .number, .array, .object: break
        }
        throw Fault(form: value, place)
    }

    private func feeAsset(_ value: StrictJSON.Value, _ place: String) throws(Fault)
        -> TransactionPolicy.FeeAssetRule
    {
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

    private func mortality(_ value: StrictJSON.Value, _ place: String) throws(Fault)
        -> TransactionPolicy.MortalityRule
    {
        if Self.isWord(value, "any") { return .any }
        if Self.isWord(value, "mortal") { return .mortal }
        guard case .number(let number) = try member("maximum_period", of: value, place),
            let period = UInt32(exactly: number), (4...MortalEra.longestPeriod).contains(period)
        else { throw Fault(form: value, place) }
        return .mortal(maximumPeriod: period)
    }

    /// Only the policy itself: what warns a person does not belong into a rule that asks none.
    private func ages(_ value: StrictJSON.Value, _ place: String) throws(Fault) -> TransactionPolicy.AgeRule {
        guard self.place.isEmpty, case .object(let object) = value, !object.members.isEmpty else {
            throw Fault(form: value, place)
        }
        var rule = TransactionPolicy.AgeRule()
        for member in object.members {
            guard
                let key = TransactionPolicy.AgeMember.allCases.first(where: {
                    $0.rawValue.utf8Equals(member.key)
                }), case .number(let number) = member.value, let days = UInt32(exactly: number), days > 0
            else { throw Fault(form: value, place) }
            rule[key] = days
        }
        return rule
    }

    /// Only a rule that stands for a person gives signatures that nobody sees.
    private func counts(_ value: StrictJSON.Value, _ place: String) throws(Fault) -> [CountWindow: UInt32] {
        guard !self.place.isEmpty, case .object(let object) = value, !object.members.isEmpty else {
            throw Fault(form: value, place)
        }
        var counts: [CountWindow: UInt32] = [:]
        for member in object.members {
            guard let window = CountWindow.allCases.first(where: { $0.member.utf8Equals(member.key) }),
                case .number(let number) = member.value,
                let count = UInt32(exactly: number)
            else { throw Fault(form: value, place) }
            counts[window] = count
        }
        return counts
    }

    private func extensions(_ value: StrictJSON.Value, _ place: String) throws(Fault)
        -> TransactionPolicy.ExtensionRule
    {
        if Self.isWord(value, "allow") { return .allow }
        if Self.isWord(value, "deny") { return .deny }
        guard case .object(let object) = value else { throw Fault(form: value, place) }
        var allowed: [[UInt8]: TransactionPolicy.ExtensionRule.Content] = [:]
        for member in object.members {
            guard case .string(let text) = member.value else { throw Fault(form: value, place) }
            allowed[Array(member.key.utf8)] =
                Self.isWord(member.value, "any") ? .any : .exactly(try bytes(text, place))
        }
        return .only(allowed)
    }

    private func messages(_ value: StrictJSON.Value, _ place: String) throws(Fault)
        -> TransactionPolicy.MessageRule
    {
        if Self.isWord(value, "allow") { return .allow }
        if Self.isWord(value, "deny") { return .deny }
        guard case .string(let prefix) = try member("prefix", of: value, place), !prefix.isEmpty else {
            throw Fault(form: value, place)
        }
        return .prefix(Array(prefix.utf8))
    }

    private func metadataHashDemand(_ value: StrictJSON.Value, _ place: String) throws(Fault)
        -> MetadataHashDemand
    {
        guard case .string(let text) = value,
            let demand = MetadataHashDemand.allCases.first(where: { $0.rawValue.utf8Equals(text) })
        else {
            throw Fault(form: value, place)
        }
        return demand
    }

    private func stateDemand(_ value: StrictJSON.Value, _ place: String) throws(Fault) -> StateDemand {
        guard let demand = StateDemand.allCases.first(where: { Self.isWord(value, $0.rawValue) }) else {
            throw Fault(form: value, place)
        }
        return demand
    }

    /// A key that only demands: a missing one demands nothing, and `false` would read as if it forbade.
    private func demanded(_ value: StrictJSON.Value, _ place: String) throws(Fault) -> Bool {
        guard value == .bool(true) else { throw Fault(form: value, place) }
        return true
    }

    /// The only member of an object.
    private func member(_ key: String, of value: StrictJSON.Value, _ place: String) throws(Fault)
        -> StrictJSON.Value
    {
        guard case .object(let object) = value, object.members.count == 1, let member = object[key] else {
            throw Fault(form: value, place)
        }
        return member
    }

    private func bytes(_ text: String, _ place: String) throws(Fault) -> [UInt8] {
        guard text.utf8Starts(with: "0x"), let bytes = Hex.decode(text), !bytes.isEmpty else {
            throw Fault(form: .string(text), place)
        }
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
        case .string(let text):
            "\"\(text.unicodeScalars.count > 40 ? String(text.unicodeScalars.prefix(40)) + "..." : text)\""
        case .array(let items): items.isEmpty ? "an empty list" : "a list"
        case .object(let object): object.members.isEmpty ? "an empty object" : "an object"
        }
    }
}
