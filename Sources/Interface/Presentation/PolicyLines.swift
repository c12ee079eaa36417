import Accounts
import Diagnostics
import Extrinsics
import Hashing
import Lines
import SubstratePrimitives
import TerminalIO
import TrustStore

/// A policy, or what a new one changes, one key a line, in the units and with the names of this vault.
package struct PolicyLines {
    private let trust: TrustState
    package private(set) var lines: [String] = []

    /// - Parameters:
    ///   - former: the text of the policy in force; nil where there is none.
    ///   - policy: the new one.
    ///   - trust: whose accounts and networks have names.
    package init(from former: [UInt8]?, to policy: TransactionPolicy, in trust: TrustState) {
        self.trust = trust
        let before = former.flatMap { try? TransactionPolicy(json: $0) }
        add(before ?? TransactionPolicy(), policy)
        let title =
            switch (former, before) {
            case (nil, _): "the first policy of this vault:"
            case (_?, nil): "the policy in force is unreadable:"
            case (_?, _?): lines.isEmpty ? "nothing changes" : "changes of the policy:"
            }
        lines.insert(title, at: 0)
    }

    /// The keys of a policy, and the meaning of the keys that its rules leave out.
    /// - Parameters:
    ///   - policy: the one in force.
    ///   - trust: whose accounts and networks have names.
    package init(showing policy: TransactionPolicy, in trust: TrustState) {
        self.trust = trust
        show(policy, "")
        for (index, rule) in (policy.approve ?? []).enumerated() {
            let place = "rule \(index + 1): "
            lines.append("  \(place)signs without a question")
            show(rule, place)
            if rule.maximumCount == nil { lines.append("  \(place)maximum count: \(Self.counts(rule))") }
        }
        lines.insert(lines.isEmpty ? "the policy limits nothing" : "the policy in force:", at: 0)
    }

    private mutating func show(_ policy: TransactionPolicy, _ place: String) {
        for key in TransactionPolicy.Key.allCases where key != .approve {
            let value = value(key, policy)
            lines += changes(from: value.none, to: value).map { "  \(place)\(Self.name(key)): \($0)" }
        }
    }

    private static func name(_ key: TransactionPolicy.Key) -> String {
        let name = key.rawValue.utf8.map { $0 == UInt8(ascii: "_") ? UInt8(ascii: " ") : $0 }
        return String(decoding: name, as: UTF8.self)
    }

    private mutating func add(_ former: TransactionPolicy, _ policy: TransactionPolicy) {
        let more = policy.keysAllowingMore(than: former)
        for key in TransactionPolicy.Key.allCases where key != .approve {
            add(key, former, policy, isMore: more.contains(key), "")
        }
        let rules = (policy.approve ?? [], former.approve ?? [])
        let pairs = TransactionPolicy.pairs(rules.0, rules.1)
        for pair in pairs { add(pair, rules.0[pair.number - 1], pair.former.map { rules.1[$0 - 1] }) }
        for number in rules.1.indices.map({ $0 + 1 }) where !pairs.contains(where: { $0.former == number }) {
            lines.append("  former rule \(number): removed")
        }
        guard TransactionPolicy.sharesOtherwise(rules.0, rules.1) else { return }
        lines.append(
            "  rules: a payload of several transactions may be shared among them otherwise\(Self.more)")
    }

    private mutating func add(
        _ pair: TransactionPolicy.RulePair, _ rule: TransactionPolicy, _ former: TransactionPolicy?
    ) {
        let place = "rule \(pair.number): "
        if former == nil { lines.append("  \(place)new, signs without a question\(Self.more)") }
        let more = former.map { rule.keysAllowingMore(than: $0) } ?? []
        for key in TransactionPolicy.Key.allCases where key != .approve {
            add(key, former ?? .emptyRule, rule, isMore: more.contains(key), place)
        }
        guard let former else {
            // What the person does not write counts as well.
            if rule.maximumCount == nil { lines.append("  \(place)maximum count: \(Self.counts(rule))") }
            return
        }
        if !pair.keepsCounters { lines.append("  \(place)counts what it signs from zero\(Self.more)") }
        if rule.limitsRepetition, !former.limitsRepetition {
            lines.append("  \(place)signs the same call again within a day\(Self.more)")
        }
    }

    private static let more = " (allows more)"

    private mutating func add(
        _ key: TransactionPolicy.Key, _ former: TransactionPolicy, _ policy: TransactionPolicy, isMore: Bool,
        _ place: String
    ) {
        let found = changes(from: value(key, former), to: value(key, policy))
        for text in found {
            // Removing an entry from a list never allows more.
            let mark = isMore && !text.utf8Starts(with: "removed ") ? Self.more : ""
            lines.append("  \(place)\(Self.name(key)): \(text)\(mark)")
        }
    }

    // MARK: Values

    /// The value of a key, escaped.
    private enum Value {
        /// nil where the key limits nothing.
        case text(String?)
        /// In one line.
        case list([String]?)
        /// A line for each, because an address takes most of one.
        case lines([String]?)

        /// The value of the same kind that limits nothing.
        var none: Value {
            switch self {
            case .text: .text(nil)
            case .list: .list(nil)
            case .lines: .lines(nil)
            }
        }
    }

    private func changes(from former: Value, to value: Value) -> [String] {
        switch (former, value) {
        case (.text(let old), .text(let new)): change(from: old, to: new)
        case (.list(let old), .list(let new)):
            change(from: old, to: new) { $0.isEmpty ? [] : [$0.joined(separator: ", ")] }
        case (.lines(let old), .lines(let new)): change(from: old, to: new) { $0 }
        // A key has values of one kind.
        case (.text, _), (.list, _), (.lines, _): []
        }
    }

    private func change(from former: String?, to value: String?) -> [String] {
        if former.utf8Equals(value) { return [] }
        guard let former else { return value.map { [$0] } ?? [] }
        return ["\(former) → \(value ?? "no limit")"]
    }

    private func change(from former: [String]?, to value: [String]?, _ text: ([String]) -> [String])
        -> [String]
    {
        guard let value else { return former == nil ? [] : ["any"] }
        guard let former else { return value.isEmpty ? ["none"] : text(value).map { "only \($0)" } }
        let removed = former.filter { !value.containsUTF8(of: $0) }
        let added = value.filter { !former.containsUTF8(of: $0) }
        if value.isEmpty, !removed.isEmpty { return ["none"] }
        return text(removed).map { "removed \($0)" } + text(added).map { "added \($0)" }
    }

    private func value(_ key: TransactionPolicy.Key, _ policy: TransactionPolicy) -> Value {
        switch key {
        case .networks: .list(policy.networks?.map { Escape.terminal($0.text) })
        case .calls: .list(policy.calls?.map { Escape.terminal($0.text) })
        case .destinations: .lines(policy.destinations?.map { account($0, policy) })
        case .signers: .lines(policy.signers?.map { account($0, policy) })
        case .assets: .lines(policy.assets?.map(Self.asset))
        case .maximumAmount: .text(Self.text(policy.maximumAmount))
        case .minimumAmount: .text(Self.text(policy.minimumAmount))
        case .maximumPerDay: .text(Self.text(policy.totals.perDay))
        case .maximumPerWeek: .text(Self.text(policy.totals.perWeek))
        case .maximumPerMonth: .text(Self.text(policy.totals.perMonth))
        case .maximumTip: .text(Self.text(policy.maximumTip))
        case .feeAsset: .text(policy.feeAsset.flatMap(Self.text))
        case .mortality: .text(policy.mortality.flatMap(Self.text))
        case .extensions: .text(policy.extensions.flatMap(Self.text))
        case .messages: .text(Self.text(policy.messagesInEffect))
        case .requireMetadataHash: .text(policy.requireMetadataHash?.rawValue)
        case .requireStateProof: .text(policy.requireStateProof.map(Self.text))
        case .minimumRemaining: .text(Self.text(policy.minimumRemaining))
        case .existingDestinations: .text(policy.existingDestinations ? "demanded" : nil)
        case .keyAge: .text(policy.keyAge.map(Self.text))
        case .maximumCount: .text(policy.maximumCount.map { _ in Self.counts(policy) })
        // Each of its rules has lines of its own.
        case .approve: .text(nil)
        }
    }

    private func account(_ account: TransactionPolicy.Account, _ policy: TransactionPolicy) -> String {
        let networks = trust.networks.filter { policy.names($0.name, $0.scheme) }
        let prefix = (networks.first ?? trust.networks.first)?.base58Prefix ?? 42
        let known = trust.known(account.bytes, genesis: nil)
        let whose = Wording.whose(known.relation, label: known.label?.text).map { " \($0)" } ?? ""
        return Escape.ascii(account.address(prefix: prefix)) + whose
    }

    private static func text(_ limit: TransactionPolicy.Limit?) -> String? {
        limit.map { limit in
            limit.amounts.map { Amount.plain($0.number, unit: $0.unit.text) }.joined(separator: ", ")
        }
    }

    private static func asset(_ rule: TransactionPolicy.AssetRule) -> String {
        func part(_ name: String, _ raw: UInt128?) -> [String] {
            raw.map { ["\(name) \(Escape.terminal(rule.tokens($0).text))"] } ?? []
        }
        let name =
            switch rule.asset {
            case .pallet(let pallet, let id): "\(id) of \(pallet)"
            case .location(let id): id.text
            }
        let limits =
            part("maximum amount", rule.maximumAmount) + part("minimum amount", rule.minimumAmount)
            + BudgetWindow.allCases.flatMap { part("at most in \($0.text)", rule.totals[$0]) }
        return ([Escape.terminal(name)] + limits).joined(separator: ", ")
    }

    private static func text(_ rule: TransactionPolicy.FeeAssetRule) -> String? {
        switch rule {
        case .any: return nil
        case .only(let native, let assets):
            let own = native ? ["the chain's own token"] : []
            let others = assets.map { "asset 0x\(Hex.encode($0))" }.sorted()
            return own.isEmpty && others.isEmpty ? "none" : (own + others).joined(separator: ", ")
        }
    }

    private static func text(_ rule: TransactionPolicy.MortalityRule) -> String? {
        switch rule {
        case .any: nil
        case .mortal(MortalEra.longestPeriod): "every transaction that expires"
        case .mortal(let period): "at most \(period) blocks"
        }
    }

    private static func text(_ rule: TransactionPolicy.ExtensionRule) -> String? {
        switch rule {
        case .allow: return nil
        case .deny: return "deny"
        case .only(let allowed):
            let parts = allowed.map { name, content in
                let name = Escape.terminal(String(decoding: name, as: UTF8.self))
                switch content {
                case .any: return name
                case .exactly(let bytes): return "\(name) with 0x\(Hex.encode(bytes))"
                }
            }
            return parts.isEmpty ? "deny" : "only " + parts.sorted().joined(separator: ", ")
        }
    }

    private static func text(_ rule: TransactionPolicy.MessageRule) -> String {
        switch rule {
        case .allow: "allow"
        case .deny: "deny"
        case .prefix(let prefix):
            "only those that start with \(Escape.quoted(String(decoding: prefix, as: UTF8.self)))"
        }
    }

    private static func text(_ demand: StateDemand) -> String {
        switch demand {
        case .signer: "of the signer's account"
        case .signerAndDestinations: "of the signer's account and of every destination"
        }
    }

    private static func text(_ rule: TransactionPolicy.AgeRule) -> String {
        func part(_ words: String, _ days: UInt32?) -> [String] {
            days.map { ["\(words) \(Sentence.count($0, "day"))"] } ?? []
        }
        let parts =
            part("warns from", rule.warnDays)
            + part("warns where the words were not checked for", rule.checkDays)
            + part("refuses from", rule.refuseDays)
        return parts.joined(separator: ", ")
    }

    private static func counts(_ rule: TransactionPolicy) -> String {
        let parts = CountWindow.allCases.map {
            "\(rule.maximumCount(within: $0)) in \($0 == .hour ? "an hour" : $0.text)"
        }
        return parts.joined(separator: ", ")
    }
}
