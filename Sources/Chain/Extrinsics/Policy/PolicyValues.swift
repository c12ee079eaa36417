import Hashing
import SubstratePrimitives

/// The values of a policy: read once from its text, and compared as what they are.
extension TransactionPolicy {
    /// The keys of a policy file; no other key may stand in one.
    public enum Key: String, Sendable, CaseIterable {
        case networks, calls, destinations, signers, assets, mortality, extensions, messages, approve
        case maximumAmount = "maximum_amount"
        case minimumAmount = "minimum_amount"
        case maximumPerDay = "maximum_per_day"
        case maximumPerWeek = "maximum_per_week"
        case maximumPerMonth = "maximum_per_month"
        case maximumTip = "maximum_tip"
        case feeAsset = "fee_asset"
        case requireMetadataHash = "require_metadata_hash"
        case maximumCount = "maximum_count"
        case requireStateProof = "require_state_proof"
        case minimumRemaining = "minimum_remaining"
        case existingDestinations = "existing_destinations"
        case keyAge = "key_age"
    }

    /// The members of ``Key/keyAge``.
    public enum AgeMember: String, Sendable, CaseIterable {
        case warnDays = "warn_days"
        case checkDays = "check_days"
        case refuseDays = "refuse_days"
    }

    /// How old the seed of a key may be, or the key itself where no seed gives it. It warns, and refuses only
    /// where it says so. Days of 24 hours, at least 1.
    public struct AgeRule: Sendable, Equatable {
        /// From this age on a review warns; nil for never.
        public var warnDays: UInt32?
        /// So long after a copy of the seed's words was last compared, or the seed was made, a review warns.
        public var checkDays: UInt32?
        /// From this age on nothing is signed; nil for never.
        public var refuseDays: UInt32?

        public init(warnDays: UInt32? = nil, checkDays: UInt32? = nil, refuseDays: UInt32? = nil) {
            (self.warnDays, self.checkDays, self.refuseDays) = (warnDays, checkDays, refuseDays)
        }

        public subscript(member: AgeMember) -> UInt32? {
            get {
                switch member {
                case .warnDays: warnDays
                case .checkDays: checkDays
                case .refuseDays: refuseDays
                }
            }
            set {
                switch member {
                case .warnDays: warnDays = newValue
                case .checkDays: checkDays = newValue
                case .refuseDays: refuseDays = newValue
                }
            }
        }

        /// Whether an age reaches a limit. An unknown one reaches each: whoever wrote the rule asked for keys
        /// of a known age.
        public static func isReached(_ limit: UInt32?, by days: UInt64?) -> Bool {
            guard let limit else { return false }
            return days.map { $0 >= UInt64(limit) } ?? true
        }
    }

    /// The keys of an asset under ``Key/assets``.
    public enum AssetMember: String, Sendable, CaseIterable {
        case asset, pallet, decimals
        case maximumAmount = "maximum_amount"
        case minimumAmount = "minimum_amount"
        case maximumPerDay = "maximum_per_day"
        case maximumPerWeek = "maximum_per_week"
        case maximumPerMonth = "maximum_per_month"
    }

    /// An entry of ``networks``: `westend` for all its keys, `westend/ed25519` for those of one scheme.
    public struct NetworkName: Sendable, Hashable {
        public let name: ExactText
        /// nil for every scheme.
        public let scheme: SignatureScheme?

        /// - Parameters:
        ///   - name: as the vault spells it.
        ///   - scheme: of the keys that are meant; nil for every scheme.
        public init(_ name: String, scheme: SignatureScheme? = nil) {
            (self.name, self.scheme) = (ExactText(name), scheme)
        }

        /// - Parameter text: as a policy spells it. After the last `/` stands a scheme if one has that name;
        ///   otherwise it is a part of the network's name.
        public init(text: String) {
            for scheme in SignatureScheme.allCases where text.utf8Ends(with: "/\(scheme.name)") {
                let name = text.utf8.dropLast(scheme.name.utf8.count + 1)
                self.init(String(decoding: name, as: UTF8.self), scheme: scheme)
                return
            }
            self.init(text)
        }

        /// As a policy spells it.
        public var text: String { scheme.map { "\(name.text)/\($0.name)" } ?? name.text }

        /// Whether a network has the name, for keys of the scheme.
        /// - Parameters:
        ///   - name: of the network.
        ///   - scheme: of its keys; nil where nobody says it.
        public func isName(of name: String, _ scheme: SignatureScheme?) -> Bool {
            self.name == ExactText(name) && (self.scheme == nil || self.scheme == scheme)
        }
    }

    /// An entry of ``calls``.
    public enum CallPattern: Sendable, Hashable {
        /// `Pallet.call`
        case call(pallet: ExactText, call: ExactText)
        /// `Pallet.*`: every call of a pallet.
        case pallet(ExactText)

        /// - Parameter text: pallet and call with one dot between them; nil for any other text.
        public init?(text: String) {
            let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
                .map { ExactText(String(decoding: $0, as: UTF8.self)) }
            guard parts.count == 2, parts[0] != "", parts[1] != "" else { return nil }
            self = parts[1] == "*" ? .pallet(parts[0]) : .call(pallet: parts[0], call: parts[1])
        }

        /// As a policy spells it.
        public var text: String {
            switch self {
            case .call(let pallet, let call): "\(pallet.text).\(call.text)"
            case .pallet(let pallet): "\(pallet.text).*"
            }
        }

        /// Whether a call is one of those that are meant.
        public func matches(_ name: ShownCalls.Name) -> Bool {
            switch self {
            case .call(let pallet, let call):
                pallet == name.pallet && call == name.call
            case .pallet(let pallet): pallet == name.pallet
            }
        }

        /// Whether it means every call that another entry means.
        func covers(_ other: CallPattern) -> Bool {
            switch (self, other) {
            case (.pallet(let own), .pallet(let other)), (.pallet(let own), .call(let other, _)): own == other
            case (.call, .call): self == other
            case (.call, .pallet): false
            }
        }
    }

    /// An entry of ``destinations`` and ``signers``. Two spellings of one account are the same.
    public struct Account: Sendable, Hashable {
        /// 32 bytes, or the 20 of an Ethereum-style account.
        public let bytes: [UInt8]
        /// The address as it was typed; nil where it was typed as hex.
        public let typed: ExactText?

        /// - Parameter bytes: 32 or 20 of them.
        public init(_ bytes: [UInt8]) { self.init(bytes, typed: nil) }

        private init(_ bytes: [UInt8], typed: ExactText?) { (self.bytes, self.typed) = (bytes, typed) }

        /// - Parameter text: an SS58 address of any prefix, whose 33 bytes are an ECDSA key with its
        ///   BLAKE2b-256 as the account; or `0x` and 32 or 20 bytes in hex. nil for any other.
        public init?(text: String) {
            if text.utf8Starts(with: "0x") {
                guard let bytes = Hex.decode(text), [20, 32].contains(bytes.count) else { return nil }
                self.init(bytes)
                return
            }
            guard let account = (try? SS58Address(text))?.account else { return nil }
            self.init(account.count == 33 ? BLAKE2b.hash(account) : account, typed: ExactText(text))
        }

        public static func == (one: Account, other: Account) -> Bool { one.bytes == other.bytes }

        public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }

        /// As it was typed, else as a network writes it.
        /// - Parameter prefix: of the network's addresses.
        public func address(prefix: UInt16) -> String {
            typed?.text ?? Self.address(of: bytes, prefix: prefix)
        }

        /// - Parameters:
        ///   - account: 32 or 20 bytes.
        ///   - prefix: of the network's addresses.
        public static func address(of account: [UInt8], prefix: UInt16) -> String {
            EthereumAddress(bytes: account)?.text ?? SS58Address(prefix: prefix, account: account)?.text
                ?? "0x\(Hex.encode(account))"
        }
    }

    /// `20.5 DOT`: how many units a limit is. What that is in the smallest unit depends on the chain.
    public struct Amount: Sendable, Hashable {
        /// The decimal digits without the point.
        let digits: UInt128
        /// How many of them stand behind the point; the last of these is not 0.
        let fraction: UInt8
        /// The unit as the network spells it, without a prefix such as milli.
        public let unit: ExactText

        /// As many as a u128 has.
        private static let longestFraction = 38

        /// - Parameter text: a decimal number in ASCII, a space and a unit; nil for any other.
        public init?(text: String) {
            let parts = text.utf8.split(
                separator: UInt8(ascii: " "), maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let unit = String(parts[1]), NetworkSpecs.isUnit(unit),
                parts[1].first != UInt8(ascii: " "), parts[1].last != UInt8(ascii: " "),
                let number = String(parts[0])
            else { return nil }
            self.init(number: number, unit: unit)
        }

        /// - Parameters:
        ///   - number: decimal digits, and at most one point between two of them; nil for any other text, for
        ///     zeros in front, and for more than a u128 holds.
        ///   - unit: as the network spells it.
        public init?(number: String, unit: String) {
            let parts = number.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            let zero = UInt8(ascii: "0")
            guard (1...2).contains(parts.count),
                parts.allSatisfy({ part in
                    !part.isEmpty && part.allSatisfy { (zero...UInt8(ascii: "9")).contains($0) }
                }), parts[0].count == 1 || parts[0].first != zero
            else { return nil }
            let fraction = parts.count == 2 ? Array(parts[1]).droppingLast(zero) : []
            guard fraction.count <= Self.longestFraction,
                let digits = UInt128(String(decoding: Array(parts[0]) + fraction, as: UTF8.self))
            else { return nil }
            (self.digits, self.fraction, self.unit) = (digits, UInt8(fraction.count), ExactText(unit))
        }

        /// - Parameters:
        ///   - raw: in the smallest unit.
        ///   - unit: with at most 38 decimals.
        public init?(raw: UInt128, _ unit: AssetUnit) {
            self.init(
                number: TokenAmount(planck: raw, decimals: unit.decimals, unit: "").plain, unit: unit.symbol)
        }

        /// The number without its unit, with no zero at its end.
        public var number: String { TokenAmount(planck: digits, decimals: fraction, unit: "").plain }

        public var text: String { "\(number) \(unit.text)" }

        /// In the smallest unit; nil for more than a u128 holds.
        /// - Parameters:
        ///   - decimals: the decimals of the unit.
        ///   - roundingUp: whether a part of the smallest unit counts as a whole one.
        func raw(decimals: UInt8, roundingUp: Bool) -> UInt128? {
            if decimals >= fraction {
                return Self.power(decimals - fraction).flatMap {
                    let (product, overflows) = digits.multipliedReportingOverflow(by: $0)
                    return overflows ? nil : product
                } ?? (digits == 0 ? 0 : nil)
            }
            guard let divisor = Self.power(fraction - decimals) else { return nil }
            let (quotient, rest) = digits.quotientAndRemainder(dividingBy: divisor)
            return roundingUp && rest > 0 ? quotient + 1 : quotient
        }

        /// Whether it is a whole number of the smallest unit.
        public func isWhole(decimals: UInt8) -> Bool { fraction <= decimals }

        /// Whether it is more than another amount in the same unit.
        func exceeds(_ other: Amount) -> Bool {
            // Only the one with fewer digits behind the point is extended; if that overflows, it is more.
            let fractions = max(fraction, other.fraction)
            guard let own = raw(decimals: fractions, roundingUp: false) else { return true }
            guard let other = other.raw(decimals: fractions, roundingUp: false) else { return false }
            return own > other
        }

        private static func power(_ exponent: UInt8) -> UInt128? {
            var power: UInt128 = 1
            for _ in 0..<exponent {
                let (product, overflows) = power.multipliedReportingOverflow(by: 10)
                guard !overflows else { return nil }
                power = product
            }
            return power
        }
    }

    /// A limit of amounts, with one amount for each unit. An amount in another unit breaks the limit, because
    /// chains differ in decimals and their tokens in value.
    public struct Limit: Sendable, Hashable {
        /// Ascending by the bytes of the unit, each unit once.
        public let amounts: [Amount]

        /// - Parameter amounts: in any order; nil for none, and for two in one unit.
        public init?(_ amounts: [Amount]) {
            guard !amounts.isEmpty, Set(amounts.map(\.unit)).count == amounts.count else { return nil }
            self.amounts = amounts.sorted {
                $0.unit.text.utf8.lexicographicallyPrecedes($1.unit.text.utf8)
            }
        }

        public init(_ amount: Amount) { amounts = [amount] }

        public subscript(unit: ExactText) -> Amount? { amounts.first { $0.unit == unit } }

        /// The highest allowed amount in the smallest unit, at most the largest u128; nil if the limit does
        /// not name the unit.
        /// - Parameter unit: of the network.
        public func maximum(_ unit: AssetUnit) -> UInt128? {
            self[ExactText(unit.symbol)].map { $0.raw(decimals: unit.decimals, roundingUp: false) ?? .max }
        }

        /// The lowest amount that it lets through; otherwise as ``maximum(_:)``.
        /// - Parameter unit: of the network.
        public func minimum(_ unit: AssetUnit) -> UInt128? {
            self[ExactText(unit.symbol)].map { $0.raw(decimals: unit.decimals, roundingUp: true) ?? .max }
        }

        /// `20 DOT`, `20 DOT, 1 KSM`.
        public var text: String { amounts.map(\.text).joined(separator: ", ") }
    }
}

/// An amount with its unit, for a sentence.
public struct Tokens: Sendable, Equatable {
    /// In the smallest unit.
    public let raw: UInt128
    public let unit: AssetUnit

    /// - Parameters:
    ///   - raw: in the smallest unit.
    ///   - unit: that it is shown in.
    public init(_ raw: UInt128, _ unit: AssetUnit) { (self.raw, self.unit) = (raw, unit) }

    /// `1.5 DOT`
    public var text: String {
        let number = TokenAmount(planck: raw, decimals: unit.decimals, unit: unit.symbol).plain
        return unit.symbol.utf8.isEmpty ? number : "\(number) \(unit.symbol)"
    }
}

extension NetworkSpecs {
    /// The unit of the chain's own token.
    public var tokenUnit: AssetUnit { AssetUnit(symbol: unit, decimals: decimals) }
}

extension [UInt8] {
    fileprivate func droppingLast(_ byte: UInt8) -> [UInt8] {
        Array(prefix((lastIndex { $0 != byte } ?? -1) + 1))
    }
}

/// Whose accounts a policy wants proven beside a transaction.
///
/// The raw value is stable: it is in policies.
public enum StateDemand: String, Sendable, CaseIterable {
    case signer
    case signerAndDestinations = "signer_and_destinations"

    /// Whoever demands more of it allows less.
    var strength: Int {
        switch self {
        case .signer: 1
        case .signerAndDestinations: 2
        }
    }
}
