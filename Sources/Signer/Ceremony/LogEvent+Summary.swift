import Extrinsics
import Hashing
import Review
import SubstratePrimitives
import TrustStore

/// What a signed transaction does, as the log keeps it for a reader without its metadata.
extension LogEvent {
    /// The largest number of addresses that one entry names; the logged transaction has all of them.
    private static let recipientLimit = 8

    /// The calls by name, the sum of all amounts in the smallest unit of the chain's own token with its unit,
    /// the tip unless it is 0, and the accounts among the arguments. Empty for a message.
    static func summary(of reviewed: ReviewedTransaction) -> [Fact] {
        guard let decoded = reviewed.decoded else { return [] }
        let summary = decoded.summary
        var names: [String] = []
        for call in summary.calls.map(\.description) where !names.containsUTF8(of: call) {
            names.append(call)
        }
        var facts = [Fact("call", names.joined(separator: ", "))]
        let total = summary.nativeAmounts.isEmpty ? nil : sum(summary.nativeAmounts)
        let tip = decoded.facts.tip.flatMap { $0 > 0 ? $0 : nil }
        if let specs = reviewed.specs {
            if let total { facts.append(Fact("total", String(total))) }
            if total != nil || tip != nil {
                facts += [Fact("decimals", String(specs.decimals)), Fact("unit", specs.unit)]
            }
        }
        // A tip is paid in what pays the fee, and another asset has other decimals.
        if let tip {
            facts.append(Fact("tip", String(tip)))
            switch ExtensionContent(of: decoded).feeAsset {
            case .native: break
            case .unknown, .asset: facts.append(Fact("tip_asset", "other"))
            }
        }
        if summary.hasAssetAmounts { facts.append(Fact("other_assets", "yes")) }
        if !summary.accounts.isEmpty {
            let prefix = reviewed.specs?.base58Prefix ?? 42
            let shown = summary.accounts.prefix(recipientLimit).map { address($0, prefix: prefix) }
            let more = summary.accounts.count - shown.count
            facts.append(Fact("recipients", shown.joined(separator: ", ")))
            if more > 0 { facts.append(Fact("more_recipients", String(more))) }
        }
        return facts
    }

    /// The codes of the warnings that were shown.
    static func facts(ofWarnings summary: ReviewSummary) -> [Fact] {
        let codes = summary.warningCodes
        return codes.isEmpty ? [] : [Fact("warnings", codes.joined(separator: ", "))]
    }

    /// nil where the sum has more than 128 bits.
    private static func sum(_ amounts: [UInt128]) -> UInt128? {
        var total: UInt128 = 0
        for amount in amounts {
            let (next, overflows) = total.addingReportingOverflow(amount)
            guard !overflows else { return nil }
            total = next
        }
        return total
    }

    private static func address(_ account: [UInt8], prefix: UInt16) -> String {
        guard account.count == 32 else { return "0x" + Hex.encode(account) }
        return SS58Address(prefix: prefix, account: account)?.text ?? "0x" + Hex.encode(account)
    }
}
