import Diagnostics
import Extrinsics
import Hashing
import Metadata
import StateProof
import SubstratePrimitives
import TrustStore
import UOS

/// What a state proof says beside a transaction, and what contradicts the transaction.
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
        case assetDiffers(UInt32, listed: UInt8, chain: UInt8)
        case assetNameDiffers(UInt32, listed: ExactText)
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
    /// How far the block's time may be from this device's, in seconds, as for claims.
    static let clockTolerance = ClaimReview.clockTolerance

    public let proven: ProvenState
    public let ground: Ground
    /// Of the reading, where the chain does not check it; of the layouts, where they come from metadata.
    public let voucher: Provenance.Voucher
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

    /// All warnings.
    /// - Parameter time: of this device, in seconds since 1970.
    public func warnings(time: UInt64) -> [Warning] {
        let block = proven.chain.time / 1_000
        let distance = block > time ? block - time : time - block
        guard distance > Self.clockTolerance else { return settled }
        return settled + [.clock(days: distance / 86_400, isBefore: block < time)]
    }
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
            return "the asset list calls asset \(asset) \(listed.text), the chain does not"
        case .assetShort: return "the account held less of the asset than the amount"
        case .assetFrozen: return "the account's balance of the asset is frozen or blocked"
        case .multisigMissing: return "no such multisig call is pending at this block"
        case .multisigDiffers:
            return "the multisig call that is pending at this block is not the one that this call needs"
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

    /// Only the number of "Any" means the same on every listed chain.
    public func words(_ delegate: ProxyState.Delegate) -> String {
        "\(address(delegate.account)) (type \(delegate.type)\(delegate.type == 0 ? ", Any" : ""))"
    }

    /// As the network writes it, and whole: another account whose address starts alike is made within hours,
    /// and that of a multisig within minutes.
    public func address(_ account: AccountID32) -> String {
        SS58Address(prefix: prefix, account: account.bytes)?.text ?? "0x\(account.hex)"
    }
}

extension StateReview {
    /// Checks a proof beside a transaction that was reviewed as if alone.
    /// - Throws: ``StateProofError``, and `PayloadError` for an account of 20 bytes
    init(_ envelope: StateEnvelope, beside reviewed: ReviewedTransaction, _ data: ChainData) throws {
        guard let reading = reviewed.reading, reviewed.signingAccount?.count != 20 else {
            throw PayloadError.stateProof(.content(.transaction))
        }
        let (decoded, specs) = (reading.decoded, reading.specs)
        let checkpoint = try StateCheckpoint(signedBy: decoded, network: specs)
        let authority = StateAuthority { genesis, runtime in data.metadata(genesis, runtime) }
        proven = try envelope.verified(checkpoint, by: authority)
        let summary = ReviewSummary(reviewed)
        var subjects = StateSubjects(decoded, signer: reviewed.signingAccount.flatMap { AccountID32($0) })
        try subjects.check(proven, prefix: specs.base58Prefix)
        (ground, voucher) = (Ground(reading.provenance), reading.voucher)
        (decimals, unit, prefix) = (specs.decimals, ExactText(specs.unit), specs.base58Prefix)
        func facts(_ facts: [StateFact]) -> [Fact] {
            facts.map { Fact(item: $0.item, reading: $0.reading, role: subjects.role($0.item)) }
        }
        self.facts = facts(proven.chain.facts)
        otherFacts = facts(proven.hop?.chain.facts ?? [])
        let judge = StateJudge(
            proven: proven, subjects: subjects, decoded: decoded, summary: summary,
            assets: data.state.assetUnits(genesis: specs.genesisHash))
        remaining = judge.remaining
        missing = judge.missing
        keysAgree = judge.keysAgree
        settled = judge.warnings
        evidence = judge.evidence(isReadingChecked: ground == .chain)
    }
}

extension StateReview.Ground {
    fileprivate init(_ provenance: Provenance) {
        switch provenance {
        case .chain: self = .chain
        case .stored(let metadata):
            switch metadata.voucher {
            case .verifier, .verifiers, .file: self = .verifier
            case .nobody: self = .unsigned
            }
        }
    }
}

extension TransactionPolicy {
    /// The first key about proven state that a payload breaks; a message has no state.
    func stateViolation(of reviewed: ReviewedTransaction) -> Violation? {
        guard let reading = reviewed.reading else { return nil }
        return stateViolation(
            of: reading.decoded.summary, on: reading.specs, beside: reviewed.state?.evidence)
    }
}

extension ChainData {
    /// The stored metadata of exactly that name and spec version.
    fileprivate func metadata(_ genesis: GenesisHash, _ runtime: RuntimeVersion) -> RuntimeMetadata? {
        let record = state.metadata(genesis: genesis).first { $0.version == runtime.specVersion }
        guard let metadata = record.flatMap({ try? self.metadata($0) }), metadata.runtimeVersion == runtime
        else { return nil }
        return metadata
    }
}
