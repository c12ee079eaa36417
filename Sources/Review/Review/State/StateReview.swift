import Cards
import Diagnostics
import Extrinsics
import Hashing
import Metadata
import StateProof
import SubstratePrimitives
import TrustStore
import UOS

/// The facts of a state proof beside a transaction, and what contradicts the transaction.
///
/// It is a value of its own: no card, total or sentence, no signed byte and no warning of the review depends
/// on it. A false block makes the signature worthless, and nothing else makes a fact true.
public struct StateReview: Sendable, Equatable {
    /// Whose reading of the signed bytes it is that they name the block, its era, the nonce and the runtime.
    public enum Ground: String, Sendable {
        case chain, verifier, unsigned
    }

    /// A proven fact, and what its account is to the transaction.
    public struct Fact: Sendable, Equatable {
        public let item: StateItem
        public let reading: StateFact.Reading
        /// nil for a fact without an account.
        public let role: StateSubjects.Role?
    }

    /// What was to be proven and is not; the raw value is its word in JSON.
    public enum Missing: String, Sendable, CaseIterable {
        case signer, destinations
        case assets, assetAccounts = "asset_accounts"
        case real, realProxies = "real_proxies", signerProxies = "signer_proxies"
        case multisig, multisigCall = "multisig_call"
        case staking
        case nextKeys = "next_keys"
    }

    /// How the facts contradict the transaction, the asset list or this device.
    public enum Warning: Sendable, Equatable {
        case nonceUsed(UInt128)
        case nonceGap(UInt128)
        case notCovered
        case newAccount(AccountID32)
        case assetDiffers(StateItem, listed: UInt8, chain: UInt8)
        case assetNameDiffers(StateItem, listed: ExactText)
        case assetShort
        case assetFrozen
        case multisigMissing
        case multisigDiffers
        case proxies([ProxyState.Delegate])
        case longEra(UInt32)
        case clock(days: UInt64, isBefore: Bool)
        case layoutNewer(name: ExactText, last: UInt32, version: UInt32)

        /// The stable word in JSON.
        public var code: String {
            switch self {
            case .nonceUsed: "state_nonce_used"
            case .nonceGap: "state_nonce_gap"
            case .notCovered: "state_not_covered"
            case .newAccount: "state_new_account"
            case .assetDiffers, .assetNameDiffers: "state_asset_differs"
            case .assetShort: "state_asset_short"
            case .assetFrozen: "state_asset_frozen"
            case .multisigMissing, .multisigDiffers: "state_multisig_differs"
            case .proxies: "state_proxies"
            case .longEra: "state_long_era"
            case .clock: "state_clock"
            case .layoutNewer: "state_layout_newer"
            }
        }
    }

    /// Blocks beyond which the state is old enough to warn of.
    static let longAge: UInt32 = 1_023

    public let proven: ProvenState
    public let ground: Ground
    /// Of the reading, where the chain does not check it; of the layouts, where they come from metadata.
    public let voucher: MetadataVoucher
    public let facts: [Fact]
    /// On the other chain of a hop.
    public let otherFacts: [Fact]
    /// What is left of the signer's free balance after the amounts and the tip; nil where that is not known.
    public let remaining: UInt128?
    public let missing: [Missing]
    /// Whether the proven session keys are those of the call; nil where they are not compared.
    public let keysAgree: Bool?
    /// Of the network's own token.
    public let decimals: UInt8
    public let unit: ExactText
    /// Of the network's addresses.
    public let prefix: UInt16
    /// Those that no clock decides.
    let settled: [Warning]
    /// What a policy asks of it.
    let evidence: StateEvidence
}

// MARK: Words

extension StateReview {
    /// Delegates that a warning names; an account may have 32.
    private static let namedDelegates = 3

    /// The sentence of a warning. Texts of the asset list are escaped where it is printed.
    public func words(_ warning: Warning) -> String {
        switch warning {
        case .nonceUsed(let nonce):
            return "nonce \(nonce) was used before this block: the chain refuses the transaction"
        case .nonceGap(let count):
            let come = count == 1 ? "comes" : "come"
            return """
                \(Diagnostics.Sentence.count(count, "other transaction")) of this account \(come) first, and may change \
                these numbers
                """
        case .notCovered: return "the account held less than the amounts and the tip"
        case .newAccount(let account):
            return """
                \(address(account)) does not exist at this block: it is created if the amount reaches the \
                existential deposit
                """
        case .assetDiffers(_, let listed, let chain):
            return "the asset list says \(Diagnostics.Sentence.count(listed, "decimal")), the chain \(chain)"
        case .assetNameDiffers(let asset, let listed):
            return "the asset list calls \(Self.asset(asset)) \(listed.text), the chain does not"
        case .assetShort: return "the account held less of the asset than the amount"
        case .assetFrozen: return "the account's balance of the asset is frozen or blocked"
        case .multisigMissing: return "no such multisig call is pending at this block"
        case .multisigDiffers:
            return """
                the multisig call that is pending at this block has another timepoint, depositor or approvals than \
                this call needs
                """
        case .proxies(let delegates):
            let named = delegates.prefix(Self.namedDelegates).map(words)
            let more = delegates.count - named.count
            let may = delegates.count == 1 ? "1 account may" : "\(delegates.count) accounts may"
            return "\(may) act for yours: " + named.joined(separator: ", ")
                + (more > 0 ? " and \(more) more" : "")
        case .longEra(let age):
            return """
                the state may be \(Diagnostics.Sentence.grouped(age)) blocks old when this transaction is included
                """
        case .clock(let days, let isBefore):
            let side = isBefore ? "before" : "after"
            return "the block is \(Diagnostics.Sentence.count(days, "day")) \(side) the clock of this device"
        case .layoutNewer(let name, let last, let version):
            return "built-in layout last checked for \(name.text) \(last); this block runs \(version)"
        }
    }

    /// What names an asset to whoever reads: never what it calls itself.
    public static func asset(_ item: StateItem) -> String {
        switch item {
        case .assetMetadata(let asset), .assetAccount(let asset, _): "asset \(asset)"
        case .foreignMetadata(let location), .foreignAccount(let location, _):
            "the asset at 0x\(Hex.encode(location))"
        case .account, .proxies, .multisig, .bonded, .ledger, .nextKeys, .identity, .superIdentity, .codeHash,
            .migration:
            "no asset"
        }
    }

    /// Only the number of "Any" means the same on every listed chain.
    public func words(_ delegate: ProxyState.Delegate) -> String {
        "\(address(delegate.account)) (type \(delegate.type)\(delegate.type == 0 ? ", Any" : ""))"
    }

    /// The whole address as the network writes it: another account whose address starts alike is made within
    /// hours, and such a multisig within minutes.
    public func address(_ account: AccountID32) -> String {
        SS58Address(prefix: prefix, account: account.bytes)?.text ?? "0x\(account.hex)"
    }
}

extension StateReview.Fact {
    /// Whether it says that an account has nothing of the chain's own token, reserved or free.
    package func isNothing(of account: [UInt8]?) -> Bool {
        guard case .account(let named) = item, named.bytes == account else { return false }
        switch reading {
        case .absent: return true
        case .present(.account(let state)): return state.free == 0 && state.reserved == 0
        case .present: return false
        }
    }
}
