import Cards
import Diagnostics
import Hashing
import SubstratePrimitives

extension TransactionPolicy.Violation: DiagnosticError {
    public var diagnostic: Diagnostic {
        .refused(rule.code, "the policy forbids it: \(detail) (\(rule.rawValue))", hint: row.hint)
    }

    /// What breaks the rule, for a sentence that names the rule.
    public var detail: String { row.detail }

    private static let show = "heliograph policy show"

    /// What breaks the rule, and the command that helps.
    private var row: (detail: String, hint: String) {
        switch self {
        case .network(let name): ("the network \(name) is not on the list", Self.show)
        case .networkUncertain(let name):
            ("the name \(name) does not name exactly one chain of this vault", "heliograph network list")
        case .networkMissing: ("the message names no network", Self.show)
        case .signer(let account): ("the signer \(account) is not on the list", Self.show)
        case .signerUnknown:
            ("the signer's key is not derived yet, so its account is unknown", "heliograph key derive")
        case .call(let name): ("the call \(name) is not on the list", Self.show)
        case .destination(let account): ("the account \(account) is not on the list", Self.show)
        case .destinationUnknown: ("a destination is not an account's key", Self.show)
        case .amount(let total): ("the amount of \(total.text) is above the limit", Self.show)
        case .amountUnknown: ("an amount cannot be compared with the limit", Self.show)
        case .amountTooSmall(let total): ("the amount of \(total.text) is below the limit", Self.show)
        case .amountUnit(_, let unit): ("the limit has no amount in \(unit)", Self.show)
        case .amountUncounted: ("an amount cannot be counted", Self.show)
        case .assetNotListed(let asset): ("the asset \(asset.id) is not on the list", Self.show)
        case .assetAmount(let asset, let total):
            ("the amount of \(total.text), asset \(asset.id), is above the limit", Self.show)
        case .assetAmountTooSmall(let asset, let total):
            ("the amount of \(total.text), asset \(asset.id), is below the limit", Self.show)
        case .budget(let excess): (excess.detail, Self.show)
        case .tip(let tip): ("the tip of \(tip.text) is above the limit", Self.show)
        case .feeAsset(nil): ("the chain's own token pays the fee", Self.show)
        case .feeAsset(let id?): ("the asset 0x\(Hex.encode(id)) pays the fee", Self.show)
        case .feeAssetUnknown: ("the asset that pays the fee cannot be read", Self.show)
        case .immortal: ("the transaction never expires", Self.show)
        case .period(let period, let maximum):
            (
                "the transaction is valid for \(Sentence.count(period, "block")) and the limit is \(maximum)",
                Self.show
            )
        case .unknownExtension(let identifier, let bytes):
            ("the unknown extension \(identifier) carries \(Self.excerpt(bytes))", Self.show)
        case .message: ("messages are denied", Self.show)
        case .messagePrefix: ("the message does not start with the required text", Self.show)
        case .messageNotMentioned: ("it limits transactions and does not mention messages", Hints.policyHelp)
        case .metadataHash(let check): (check.detail, check.remedy ?? Self.show)
        case .stateUnproven(_, let lack): (lack.detail, lack.remedy)
        case .remainingTooSmall(let left): ("\(left.text) would be left, which is below the limit", Self.show)
        case .remainingUnknown: ("the free balance that would be left is unknown", Self.show)
        case .destinationAbsent(let account):
            ("the account \(account) does not exist at the proven block", Self.show)
        case .keyTooOld(let days?, let maximum):
            (
                "the key has been in this vault for \(Sentence.count(days, "day")) and the limit is \(maximum)",
                "heliograph seed rotate"
            )
        case .keyTooOld(nil, let maximum):
            (
                "this vault does not know the key's age, and the limit is \(Sentence.count(maximum, "day"))",
                "heliograph seed rotate"
            )
        }
    }

    /// Enough of the bytes to tell them apart; the cards show them all.
    private static func excerpt(_ bytes: [UInt8]) -> String {
        let limit = 32
        guard bytes.count > limit else { return "0x\(Hex.encode(bytes))" }
        return "\(bytes.count) bytes that start with 0x\(Hex.encode(bytes.prefix(limit)))"
    }

    public static var examples: [Self] {
        let bob = "14E5nqKAp3oAJcmzgZhUD2RcptBeUBScxKHgJKU4HPNcKVf3"
        let dot = AssetUnit(symbol: "DOT", decimals: 10)
        let (asset, usdt) = (AssetKey.pallet("Assets", id: "1984"), AssetUnit(symbol: "USDT", decimals: 6))
        func budget(
            _ window: BudgetWindow, _ spent: BudgetExcess.Spent, reserved: UInt128 = 0,
            frees: String? = "2026-11-23 10:00 UTC"
        ) -> Self {
            .budget(
                BudgetExcess(
                    window: window, asset: nil, unit: dot, limit: 100_000_000_000, spent: spent,
                    reserved: reserved, amount: 30_000_000_000, frees: frees))
        }
        let uncountable = BudgetExcess(
            window: .month, asset: asset, unit: usdt, limit: 100_000_000, spent: .uncountable,
            amount: 30_000_000, frees: "2026-12-22 10:00 UTC")
        return [
            .network("polkadot"), .networkUncertain("polkadot"), .networkMissing, .signer(bob),
            .signerUnknown, .call("Balances.transfer_all"), .destination(bob), .destinationUnknown,
            .amount(total: Tokens(200_000_000_000, dot)), .amountUnknown,
            .amountTooSmall(total: Tokens(5_000_000_000, dot)), .amountUnit(.maximumAmount, unit: "WND"),
            .amountUncounted(.maximumPerDay), .assetNotListed(asset),
            .assetAmount(asset, total: Tokens(200_000_000, usdt)),
            .assetAmountTooSmall(asset, total: Tokens(500_000, usdt)),
            budget(.day, .amount(80_000_000_000)),
            budget(.day, .amount(80_000_000_000), reserved: 60_000_000_000),
            budget(.week, .unknownSinceRestore, frees: nil), .budget(uncountable),
            .tip(Tokens(100_000_000, dot)), .feeAsset(nil), .feeAsset([7]), .feeAssetUnknown, .immortal,
            .period(128, maximum: 64), .unknownExtension("CheckOrigin", [1]), .message, .messagePrefix,
            .messageNotMentioned, .metadataHash(.disabled), .metadataHash(.notCompared(version: 16)),
            .metadataHash(.unsupported), .remainingTooSmall(Tokens(5_000_000_000, dot)), .remainingUnknown,
            .destinationAbsent(bob), .keyTooOld(days: 800, maximum: 730),
            .keyTooOld(days: nil, maximum: 730),
        ] + StateEvidence.Lack.allCases.map { .stateUnproven(.requireStateProof, $0) }
            + [
                .stateUnproven(.minimumRemaining, .proof),
                .stateUnproven(.existingDestinations, .destinations),
            ]
    }
}

extension TransactionPolicy.Key {
    /// The code of what breaks the rule.
    public var code: Diagnostic.Code {
        switch self {
        case .networks: "policy-networks"
        case .calls: "policy-calls"
        case .destinations: "policy-destinations"
        case .signers: "policy-signers"
        case .maximumAmount: "policy-maximum-amount"
        case .minimumAmount: "policy-minimum-amount"
        case .maximumPerDay: "policy-maximum-per-day"
        case .maximumPerWeek: "policy-maximum-per-week"
        case .maximumPerMonth: "policy-maximum-per-month"
        // No violation is of the list of rules itself.
        case .assets, .approve, .maximumCount: "policy-assets"
        case .maximumTip: "policy-maximum-tip"
        case .feeAsset: "policy-fee-asset"
        case .mortality: "policy-mortality"
        case .extensions: "policy-extensions"
        case .messages: "policy-messages"
        case .requireMetadataHash: "policy-require-metadata-hash"
        case .requireStateProof: "policy-require-state-proof"
        case .minimumRemaining: "policy-minimum-remaining"
        case .existingDestinations: "policy-existing-destinations"
        case .keyAge: "policy-key-age"
        }
    }
}

extension MetadataHashCheck {
    /// How to get a transaction that the chain checks; nil if that is impossible. The advice is never to
    /// require less: whoever owns the online machine can turn the hash off in every transaction until
    /// somebody follows such advice.
    public var remedy: String? {
        switch self {
        case .disabled, .notCompared:
            "make the transaction again with a metadata proof: heliograph-hot make transaction --with-proof"
        case .passed, .unsupported: nil
        }
    }

    /// What the chain compares of the metadata, as part of a sentence.
    public var detail: String {
        switch self {
        case .passed: "the chain checks the metadata hash"
        case .notCompared(let version):
            "the metadata hash cannot be compared with metadata of version \(version)"
        case .disabled: "the transaction turns the check of the metadata hash off"
        case .unsupported: "by its metadata, the runtime cannot check the metadata hash"
        }
    }
}

extension TransactionPolicy.Fault: DiagnosticError {
    public var diagnostic: Diagnostic {
        .badInput("bad-policy", "the policy is invalid: \(detail())", hint: Hints.policyHelp)
    }

    /// The place and what is wrong there, for a sentence that names the file.
    /// - Parameter unit: of the network that an amount without one is probably for.
    public func detail(unit: String = "DOT") -> String { Sentence.at(place, text(unit)) }

    private func text(_ unit: String) -> String {
        switch reason {
        case .tooLong: "it is longer than \(TransactionPolicy.maximumBytes) bytes"
        case .json(let error): error.sentence
        case .unknownRule(let key):
            "unknown key \(key), expected one of \(Self.isAsset(place) ? Self.assetMembers : Self.keys)"
        case .form(let found): "found \(found), expected \(Self.form(of: place))"
        case .notAnAddress(let text) where Self.isMistyped(text):
            "the address \"\(text)\" has an invalid checksum: it was mistyped"
        case .notAnAddress(let text):
            "found \"\(text)\", expected an SS58 address or a public key in hex with 0x"
        case .notWhole: "it must have networks, calls without *, destinations, maximum_amount and maximum_tip"
        case .approvesEveryMessage: "messages can only be approved by a prefix"
        case .unitMissing(let number):
            """
            the amount has no unit: write "\(Self.last(place))": "\(number) \(unit)"
            """
        case .commas(let text): TokenAmount.commas(in: text)
        case .unitTwice(let unit): "two amounts are in \(unit)"
        case .decimalsMissing: "an asset with an amount must have decimals, as the network counts it"
        case .otherUnit(let unit): "an asset has one unit, and another amount is in \(unit)"
        case .budgetWithoutSigners: "a rule with a limit per day, week or month must have signers"
        case .minimumAboveMaximum: "minimum_amount is above maximum_amount"
        case .duplicateAsset(let id): "the asset \(id) is on the list already"
        }
    }

    /// Whether a text has the form of an address, and only its checksum differs.
    private static func isMistyped(_ text: String) -> Bool {
        do throws(SS58Address.Failure) {
            _ = try SS58Address(text)
            return false
        } catch {
            return error == .wrongChecksum
        }
    }

    private static let keys = TransactionPolicy.Key.allCases.map(\.rawValue).sorted().joined(separator: ", ")

    private static let assetMembers = TransactionPolicy.AssetMember.allCases.map(\.rawValue).sorted().joined(
        separator: ", ")

    private static let amount = "an amount with its unit in quotes, such as \"20 DOT\""

    /// Whether a place is an item of a list of assets.
    private static func isAsset(_ place: String) -> Bool {
        let last = place.utf8.split(separator: UInt8(ascii: ".")).last ?? place.utf8[...]
        return last.starts(with: Array("\(TransactionPolicy.Key.assets.rawValue)[".utf8))
    }

    private static func last(_ place: String) -> String {
        place.utf8.split(separator: UInt8(ascii: ".")).last.map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// What may stand at a place: the rule is the last part of it.
    private static func form(of place: String) -> String {
        var last = last(place)
        // `calls[2]` is an item of a list.
        let isItem = last.utf8.last == UInt8(ascii: "]")
        if isItem { last = String(last.unicodeScalars.prefix { $0 != "[" }) }
        let key = TransactionPolicy.Key(rawValue: last)
        switch TransactionPolicy.AssetMember(rawValue: last) {
        case .asset:
            return "the id of an asset in quotes: decimal digits with a pallet, or lower-case hex with 0x"
        case .pallet: return "the name of a pallet in quotes"
        case .decimals: return "the decimals of the asset, a number from 0 to 38"
        case .maximumAmount, .minimumAmount, .maximumPerDay, .maximumPerWeek, .maximumPerMonth, nil: break
        }
        if isItem, key == .assets { return "an object with an asset" }
        if isItem, key != .approve {
            return switch key {
            case .destinations, .signers: "an address in quotes"
            case .calls: "Pallet.call or Pallet.* in quotes"
            case .maximumAmount, .minimumAmount, .maximumPerDay, .maximumPerWeek, .maximumPerMonth,
                .maximumTip, .minimumRemaining:
                amount
            case .networks, .assets, .feeAsset, .mortality, .extensions, .messages, .requireMetadataHash,
                .requireStateProof, .existingDestinations, .keyAge,
                .maximumCount, .approve, nil:
                "a text in quotes"
            }
        }
        return switch key {
        case .networks, .calls: "a list of names"
        case .destinations, .signers: "a list of addresses"
        case .assets: "a list of objects, each with an asset"
        case .maximumAmount, .minimumAmount, .maximumPerDay, .maximumPerWeek, .maximumPerMonth, .maximumTip,
            .minimumRemaining:
            amount
        case .feeAsset: "\"native\", \"any\", or a list of \"native\" and asset ids in hex with 0x"
        case .mortality:
            "\"any\", \"mortal\", or {\"maximum_period\": BLOCKS} with 4 to \(MortalEra.longestPeriod) blocks"
        case .extensions:
            "\"allow\", \"deny\", or an object of identifiers, each with \"any\" or its bytes in hex with 0x"
        case .messages: "\"allow\", \"deny\", or {\"prefix\": TEXT} with a text that is not empty"
        case .requireMetadataHash: "\"always\", \"where_possible\" or \"never\""
        case .requireStateProof: "\"signer\" or \"signer_and_destinations\""
        case .existingDestinations: "true"
        case .keyAge:
            "an object with warn_days, check_days or refuse_days, each a number from 1, outside of another rule"
        case .maximumCount: "an object with per_hour or per_day, each a number, in a rule under approve"
        case .approve: "a list of rules outside of another rule"
        case nil: "an object"
        }
    }

    public static var examples: [Self] {
        [
            Self(place: "", reason: .tooLong), Self(place: "", reason: .json(.malformed(offset: 7))),
            Self(place: "approve[1]", reason: .unknownRule("call")),
            Self(place: "mortality", reason: .form(found: "\"immortal\"")),
            Self(place: "signers", reason: .notAnAddress("Bob")),
            Self(place: "approve[2]", reason: .notWhole),
            Self(place: "approve[1].messages", reason: .approvesEveryMessage),
            Self(place: "maximum_amount", reason: .unitMissing(number: "20")),
            Self(place: "maximum_amount", reason: .commas("1,000 DOT")),
            Self(place: "maximum_tip", reason: .unitTwice("DOT")),
            Self(place: "assets[1]", reason: .decimalsMissing),
            Self(place: "assets[1]", reason: .otherUnit("USDT")),
            Self(place: "approve[1]", reason: .budgetWithoutSigners),
            Self(place: "", reason: .minimumAboveMaximum),
            Self(place: "assets[1]", reason: .unknownRule("minimum")),
            Self(place: "assets[2]", reason: .duplicateAsset("1984")),
        ]
    }
}
