import Hashing
import SubstratePrimitives

/// What a transaction may do, as the owner of the machine wrote it down. A rule that is absent allows everything.
///
/// `approve` is another matter: it is a list of such objects, and what one of them allows is approved without a person. Each must have all
/// rules, and name its calls whole, so that nothing is approved that nobody thought of.
public struct TransactionPolicy: Sendable, Equatable, Decodable {
    /// Names of networks.
    public var networks: [String]?
    /// `Pallet.call`, or `Pallet.*` for all calls of a pallet; nested calls count.
    public var calls: [String]?
    /// Every account among the arguments of calls must be one of these: SS58 addresses of any prefix, or `0x` and hex.
    public var destinations: [String]?
    /// Planck as decimal digits, for all amounts of a transaction together. Amounts of other assets, and calls that move everything or
    /// are not shown, cannot be compared and so are refused.
    public var maximumAmount: String?
    /// Planck as decimal digits.
    public var maximumTip: String?
    /// What is approved without a person.
    public var approve: [TransactionPolicy]?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case networks, calls, destinations, approve
        case maximumAmount = "maximum_amount"
        case maximumTip = "maximum_tip"
    }

    public init(
        networks: [String]? = nil, calls: [String]? = nil, destinations: [String]? = nil, maximumAmount: String? = nil,
        maximumTip: String? = nil, approve: [TransactionPolicy]? = nil
    ) {
        self.networks = networks
        self.calls = calls
        self.destinations = destinations
        self.maximumAmount = maximumAmount
        self.maximumTip = maximumTip
        self.approve = approve
    }

    /// A rule that cannot be read is an error, and so is a key that is no rule: a policy with a spelling mistake must not allow.
    public init(from decoder: any Decoder) throws {
        let names = try decoder.container(keyedBy: AnyName.self).allKeys.map(\.stringValue)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let unknown = names.first(where: { CodingKeys(stringValue: $0) == nil }) {
            throw DecodingError.dataCorrupted(.init(codingPath: [AnyName(unknown)], debugDescription: "unknown rule \(unknown)"))
        }
        networks = try container.decodeIfPresent([String].self, forKey: .networks)
        calls = try container.decodeIfPresent([String].self, forKey: .calls)
        destinations = try container.decodeIfPresent([String].self, forKey: .destinations)
        maximumAmount = try container.decodeIfPresent(String.self, forKey: .maximumAmount)
        maximumTip = try container.decodeIfPresent(String.self, forKey: .maximumTip)
        for (key, text) in [(CodingKeys.maximumAmount, maximumAmount), (.maximumTip, maximumTip)] where text != nil {
            guard text.flatMap({ UInt128($0) }) != nil else {
                throw DecodingError.dataCorruptedError(forKey: key, in: container, debugDescription: "planck as decimal digits")
            }
        }
        approve = try container.decodeIfPresent([TransactionPolicy].self, forKey: .approve)
        for (place, rule) in (approve ?? []).enumerated() where !rule.isWhole {
            throw DecodingError.dataCorruptedError(
                forKey: .approve, in: container,
                debugDescription: "rule \(place + 1) lacks one of networks, calls, destinations, maximum_amount and maximum_tip, or has a *"
            )
        }
        for destination in destinations ?? [] where Self.account(destination) == nil {
            throw DecodingError.dataCorruptedError(forKey: .destinations, in: container, debugDescription: "no address: \(destination)")
        }
    }

    /// Whether nothing is left open, as a rule must be that stands for a person.
    private var isWhole: Bool {
        guard networks?.isEmpty == false, let calls, !calls.isEmpty, destinations != nil else { return false }
        return maximumAmount != nil && maximumTip != nil && approve == nil && !calls.contains { $0.hasSuffix("*") }
    }

    private struct AnyName: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// The rule that a transaction breaks.
    public enum Violation: Error, Sendable, Equatable {
        case network(String)
        case call(String)
        /// Hex of the account.
        case destination(String)
        /// An address that names no account by its key.
        case destinationUnknown
        case amount(total: UInt128)
        /// An amount that cannot be compared: of another asset, everything, or inside a call that is not shown.
        case amountUnknown
        case tip(UInt128)

        /// The name of the rule in the policy file.
        public var rule: String {
            switch self {
            case .network: CodingKeys.networks.rawValue
            case .call: CodingKeys.calls.rawValue
            case .destination, .destinationUnknown: CodingKeys.destinations.rawValue
            case .amount, .amountUnknown: CodingKeys.maximumAmount.rawValue
            case .tip: CodingKeys.maximumTip.rawValue
            }
        }
    }

    /// - Returns: the first rule that the transaction breaks; nil when it breaks none.
    public func violation(of transaction: DecodedTransaction, network: String) -> Violation? {
        let summary = transaction.summary
        if let networks, !networks.contains(network) { return .network(network) }
        if let calls {
            // A call that is not shown may be any call.
            if let hidden = summary.hiddenCalls.first { return .call("0x\(hidden.hex)") }
            for name in summary.calls where !calls.contains("\(name.pallet).\(name.call)") && !calls.contains("\(name.pallet).*") {
                return .call("\(name.pallet).\(name.call)")
            }
        }
        if let destinations {
            let allowed = Set(destinations.compactMap(Self.account))
            for account in summary.accounts where !allowed.contains(account) { return .destination(Hex.encode(account)) }
            if summary.hasOtherAddresses { return .destinationUnknown }
            if let hidden = summary.hiddenCalls.first { return .destination(hidden.hex) }
        }
        return amountViolation(of: transaction)
    }

    private func amountViolation(of transaction: DecodedTransaction) -> Violation? {
        let summary = transaction.summary
        if let maximumAmount {
            guard let maximum = UInt128(maximumAmount) else { return .amountUnknown }
            let isUnknown = summary.hasAssetAmounts || !summary.hiddenCalls.isEmpty || summary.warnings.contains(.movesEverything)
            if isUnknown { return .amountUnknown }
            if summary.nativeTotal > maximum { return .amount(total: summary.nativeTotal) }
        }
        if let maximumTip, let tip = transaction.facts.tip {
            guard let maximum = UInt128(maximumTip), tip <= maximum else { return .tip(tip) }
        }
        return nil
    }

    private static func account(_ text: String) -> [UInt8]? {
        if text.hasPrefix("0x") { return Hex.decode(text).flatMap { [20, 32].contains($0.count) ? $0 : nil } }
        return (try? SS58Address(text))?.account
    }
}

extension CallSummary {
    /// All amounts of the chain's own token together; the largest number where they are more.
    public var nativeTotal: UInt128 { nativeAmounts.reduce(0) { $0.addingSaturating($1) } }
}

extension UInt128 {
    /// The sum, or the largest number.
    public func addingSaturating(_ other: UInt128) -> UInt128 {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? .max : sum
    }
}
