import Diagnostics
import Extrinsics
import Hashing
import Review
import SubstratePrimitives
import Terminal

/// Policies: what a file gets wrong, what it may mean by mistake, and what it forbids.
extension Wording {
    static let policySet = "the policy is now in force"
    static let policyCleared = "the policy was removed: everything is allowed"
    static let clearPolicy = "Remove the policy? Everything is allowed then."
    static let noPolicy = "no policy is set: everything is allowed"

    static func policy(_ violation: TransactionPolicy.Violation) -> Diagnostic {
        Diagnostic(
            "policy-\(violation.rule.rawValue.replacingUnderscores)", "the policy forbids it: \(policyText(violation))",
            hint: policyHint(violation), exit: .refused)
    }

    private static func policyText(_ violation: TransactionPolicy.Violation) -> String {
        switch violation {
        case .network(let name): "the network \(name) is not on the list (networks)"
        case .networkMissing: "the message names no network (networks)"
        case .signer(let account): "the signer 0x\(account) is not on the list (signers)"
        case .signerUnknown: "the signer's key is not derived yet, so its account is unknown (signers)"
        case .call(let name): "the call \(name) is not on the list (calls)"
        case .destination(let account): "the account 0x\(account) is not on the list (destinations)"
        case .destinationUnknown: "an address names no account by its key (destinations)"
        case .amount(let total): "the amount of \(total) planck is above the limit (maximum_amount)"
        case .amountUnknown: "an amount cannot be compared with the limit (maximum_amount)"
        case .tip(let tip): "the tip of \(tip) planck is above the limit (maximum_tip)"
        case .feeAsset(nil): "the chain's own token pays the fee (fee_asset)"
        case .feeAsset(let id?): "the asset 0x\(Hex.encode(id)) pays the fee (fee_asset)"
        case .feeAssetUnknown: "the asset that pays the fee cannot be read (fee_asset)"
        case .immortal: "the transaction never expires (mortality)"
        case .period(let period, let maximum): "the transaction is valid for \(period) blocks and the limit is \(maximum) (mortality)"
        case .unknownExtension(let identifier, let bytes):
            "the unknown extension \(identifier) carries \(excerpt(bytes)) (extensions)"
        case .message: "messages are denied (messages)"
        case .messagePrefix: "the message does not start with the required text (messages)"
        case .messageNotMentioned: "it limits transactions and says nothing about messages (messages)"
        }
    }

    private static func policyHint(_ violation: TransactionPolicy.Violation) -> String? {
        switch violation {
        case .messageNotMentioned: "heliograph help policy"
        case .signerUnknown: "heliograph key derive"
        case .network, .networkMissing, .signer, .call, .destination, .destinationUnknown, .amount, .amountUnknown, .tip, .feeAsset,
            .feeAssetUnknown, .immortal, .period, .unknownExtension, .message, .messagePrefix:
            nil
        }
    }

    /// Enough of the bytes to tell them apart; the cards show them all.
    private static func excerpt(_ bytes: [UInt8]) -> String {
        let limit = 32
        guard bytes.count > limit else { return "0x\(Hex.encode(bytes))" }
        return "\(bytes.count) bytes that start with 0x\(Hex.encode(bytes.prefix(limit)))"
    }

    /// Where a policy file is wrong, and how.
    static func policyFault(_ fault: TransactionPolicy.Fault) -> String {
        let place = fault.place.isEmpty ? "" : "\(fault.place): "
        return place + policyFaultText(fault)
    }

    private static func policyFaultText(_ fault: TransactionPolicy.Fault) -> String {
        switch fault.reason {
        case .tooLong: "it is longer than \(TransactionPolicy.maximumBytes) bytes"
        case .json(.malformed(let offset)): "invalid JSON at byte \(offset)"
        case .json(.duplicateKey(let key)): "duplicate key \(key)"
        case .json(.tooDeep(let limit)): "more than \(limit) levels of lists and objects"
        case .unknownRule(let key): "unknown rule \(key)"
        case .form: "the value must be \(form(of: fault.place))"
        case .notAnAddress(let text): "\(text) is not an address"
        case .notWhole:
            "it must state networks, calls without *, destinations, maximum_amount and maximum_tip"
        case .approvesEveryMessage: "messages can be approved without a person only by a prefix"
        }
    }

    /// What may stand at a place: the rule is the last part of it.
    private static func form(of place: String) -> String {
        let last = place.utf8.split(separator: UInt8(ascii: ".")).last.map { String(decoding: $0, as: UTF8.self) } ?? ""
        return switch TransactionPolicy.Key(rawValue: last) {
        case .networks, .calls: "a list of names"
        case .destinations, .signers: "a list of addresses"
        case .maximumAmount, .maximumTip: "planck as decimal digits in quotes"
        case .feeAsset: "\"native\", \"any\", or a list of \"native\" and asset ids as 0x and hex"
        case .mortality: "\"any\", \"mortal\", or {\"maximum_period\": BLOCKS} with 4 to \(MortalEra.longestPeriod) blocks"
        case .extensions: "\"allow\", \"deny\", or an object of identifiers, each with \"any\" or its bytes as 0x and hex"
        case .messages: "\"allow\", \"deny\", or {\"prefix\": TEXT} with a text that is not empty"
        case .approve: "a list of rules outside of another rule"
        case nil: "an object"
        }
    }

    static func unmatched(_ entry: UnmatchedEntry) -> String {
        let reason =
            switch entry.reason {
            case .unknownNetwork: "no network in this vault has this name"
            case .unknownCall: "the metadata in this vault has no such call"
            case .noMetadata: "no metadata in this vault to check it against"
            }
        return "\(entry.place): \(entry.entry): \(reason)"
    }

    static func code(_ reason: UnmatchedEntry.Reason) -> String {
        switch reason {
        case .unknownNetwork: "unknown-network"
        case .unknownCall: "unknown-call"
        case .noMetadata: "no-metadata"
        }
    }
}
