import Extrinsics
import Hashing
import Metadata
import StateProof
import SubstratePrimitives
import TrustStore
import UOS

/// Compares proven facts with the transaction.
struct StateJudge {
    let proven: ProvenState
    let subjects: StateSubjects
    let decoded: DecodedTransaction
    let summary: ReviewSummary
    let assets: AssetUnits?

    private func reading(_ item: StateItem) -> StateFact.Reading? {
        proven.chain.facts.first { $0.item == item }?.reading
    }

    private func value(_ item: StateItem) -> StateValue? {
        guard case .present(let value)? = reading(item) else { return nil }
        return value
    }

    /// nil where the account is not proven. One that is proven absent has nothing, and its next nonce is 0.
    private var signerAccount: AccountState? {
        guard let signer = subjects.signer else { return nil }
        switch reading(.account(signer)) {
        case .present(.account(let account)): return account
        case .absent: return .absent
        case .present, nil: return nil
        }
    }

    /// The sum of the amounts and the tip in the chain's own token, as on the cards; nil if another account
    /// pays. A sum beyond u128 counts as its largest number.
    private var leaving: UInt128? { subjects.actsForOthers ? nil : summary.ownTokenTotal }

    /// A sum that no number holds is more than any balance, the largest one too.
    private func isCovered(_ leaving: UInt128, by account: AccountState) -> Bool {
        leaving < .max && leaving <= account.free
    }

    /// Free − amounts − tip; nil if an amount is unreadable, may be in the own token under another name, or
    /// if the sum exceeds the free balance.
    var remaining: UInt128? {
        guard let account = signerAccount, let leaving, summary.unread.isEmpty,
            !decoded.summary.mayNameOwnTokenAsAsset, isCovered(leaving, by: account)
        else { return nil }
        return account.free - leaving
    }

    var keysAgree: Bool? {
        guard let signer = subjects.signer, let keys = subjects.sessionKeys,
            case .nextKeys(let proven)? = value(.nextKeys(signer))
        else { return nil }
        return proven == keys
    }

    /// What a policy asks for.
    func evidence(isReadingChecked: Bool) -> StateEvidence {
        var destinations: [[UInt8]: Bool] = [:]
        for account in subjects.destinations {
            guard let reading = reading(.account(account)) else { continue }
            destinations[account.bytes] = reading != .absent
        }
        return StateEvidence(
            isReadingChecked: isReadingChecked, isLayoutOlder: !layouts.isEmpty,
            hasSigner: subjects.signer.map { reading(.account($0)) != nil } ?? false,
            destinations: destinations, hasDestinations: hasAll(destinations), remaining: remaining)
    }

    /// Whether every recipient is among those that are proven. One on another chain, and one that is not told
    /// by its key, has no account here.
    private func hasAll(_ destinations: [[UInt8]: Bool]) -> Bool {
        let (found, own) = (decoded.summary, subjects.signer?.bytes)
        func isProven(_ account: [UInt8]) -> Bool { account == own || destinations[account] != nil }
        return summary.recipients.allSatisfy { isProven($0.account) }
            && found.possibleRecipients.allSatisfy(isProven) && found.chainAccounts.isEmpty
            && found.hiddenCalls.isEmpty && !found.hasOtherAddresses && !found.hasLocations
    }

    // MARK: Missing

    var missing: [StateReview.Missing] {
        var found = Set(subjects.expected.filter { reading($0) == nil }.compactMap(kind))
        // Nothing here says that nobody else acts for the account.
        if let signer = subjects.signer, reading(.proxies(signer)) == nil { found.insert(.signerProxies) }
        // A proof has room for the first of many, and says nothing of the others.
        if subjects.destinations.contains(where: { reading(.account($0)) == nil }) {
            found.insert(.destinations)
        }
        return StateReview.Missing.allCases.filter(found.contains)
    }

    private func kind(_ item: StateItem) -> StateReview.Missing? {
        switch item {
        case .account:
            switch subjects.role(item) {
            case .signer: .signer
            case .real: .real
            case .multisig: .multisig
            case .destination, .controller, .parent, .other, nil: .destinations
            }
        case .proxies: subjects.role(item) == .signer ? .signerProxies : .realProxies
        case .assetMetadata, .foreignMetadata: .assets
        case .assetAccount, .foreignAccount: .assetAccounts
        case .multisig: .multisigCall
        case .bonded, .ledger: .staking
        case .nextKeys: .nextKeys
        case .identity, .superIdentity, .codeHash, .migration: nil
        }
    }

    // MARK: Warnings

    var warnings: [StateReview.Warning] {
        nonces + balances + assetWarnings + multisigs + proxies + age + layouts
    }

    private var nonces: [StateReview.Warning] {
        guard let account = signerAccount, let nonce = decoded.facts.nonce else { return [] }
        let next = UInt128(account.nonce)
        if next > nonce { return [.nonceUsed(nonce)] }
        return next < nonce ? [.nonceGap(nonce - next)] : []
    }

    private var balances: [StateReview.Warning] {
        var found: [StateReview.Warning] = []
        if let account = signerAccount, let leaving, !isCovered(leaving, by: account) {
            found.append(.notCovered)
        }
        for account in subjects.destinations where reading(.account(account)) == .absent {
            found.append(.newAccount(account))
        }
        return found
    }

    private var assetWarnings: [StateReview.Warning] {
        var found: [StateReview.Warning] = []
        for item in subjects.expected {
            guard case .asset(let state)? = value(item), let listed = listed(item) else { continue }
            if listed.decimals != state.decimals {
                found.append(.assetDiffers(item, listed: listed.decimals, chain: state.decimals))
            } else if !listed.symbol.utf8.elementsEqual(state.symbol) {
                found.append(.assetNameDiffers(item, listed: ExactText(listed.symbol)))
            }
        }
        // Several transfers of one asset need all of it together.
        let spent = subjects.spent.merged(by: \.item) { $0.amount = $0.amount.addingSaturating($1.amount) }
        for (item, amount) in spent {
            switch reading(item) {
            case .absent: found.append(.assetShort)
            case .present(.assetAccount(let account)):
                if account.balance < amount { found.append(.assetShort) }
                if account.status != .liquid { found.append(.assetFrozen) }
            case .present, nil: break
            }
        }
        return found.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// What the asset list says of an asset: the unit in which its amounts stand on the cards.
    private func listed(_ item: StateItem) -> AssetUnit? {
        switch item {
        case .assetMetadata(let asset):
            return assets?.unit(of: .pallet("Assets", id: ExactText(String(asset))))
        case .foreignMetadata(let location):
            let id = ExactText("0x" + Hex.encode(location))
            return assets?.unit(of: .pallet("ForeignAssets", id: id)) ?? assets?.unit(of: .location(id))
        case .account, .assetAccount, .foreignAccount, .proxies, .multisig, .bonded, .ledger, .nextKeys,
            .identity, .superIdentity, .codeHash, .migration:
            return nil
        }
    }

    private var multisigs: [StateReview.Warning] {
        subjects.pending.compactMap { pending in
            switch (reading(pending.item), pending.timepoint) {
            case (nil, _), (.absent, nil): return nil
            case (.absent, .some): return .multisigMissing
            case (.present(.multisig(let state)), let timepoint):
                // A first approval of what is pending already, or an approval of what began elsewhere.
                guard let timepoint, timepoint == (state.height, state.index) else { return .multisigDiffers }
                if pending.isCancelled {
                    return state.depositor == pending.origin ? nil : .multisigDiffers
                }
                let isTwice = state.approvals.contains(pending.origin)
                let isEnough = state.approvals.count >= Int(pending.threshold)
                return isTwice && (pending.isApproval || !isEnough) ? .multisigDiffers : nil
            case (.present, _): return .multisigDiffers
            }
        }
    }

    private var proxies: [StateReview.Warning] {
        guard let signer = subjects.signer, case .proxies(let state)? = value(.proxies(signer)),
            !state.delegates.isEmpty,
            subjects.addsProxy || decoded.summary.warnings.contains(.movesEverything)
        else { return [] }
        return [.proxies(state.delegates)]
    }

    private var age: [StateReview.Warning] {
        let age = proven.checkpoint.maximumAge
        return age > StateReview.longAge ? [.longEra(age)] : []
    }

    private var layouts: [StateReview.Warning] {
        [proven.chain.source, proven.hop?.chain.source].compactMap { source in
            guard case .builtIn(let name, _, let last, let newer?)? = source else { return nil }
            return .layoutNewer(name: name, last: last, version: newer)
        }
    }
}

// MARK: The check

extension StateReview {
    /// How far the block's time may be from this device's, in seconds, as for claims.
    static let clockTolerance = ClaimReview.clockTolerance

    /// All warnings.
    /// - Parameter time: of this device, in seconds since 1970.
    public func warnings(time: UInt64) -> [Warning] {
        let block = proven.chain.time / 1_000
        let distance = block > time ? block - time : time - block
        guard distance > Self.clockTolerance else { return settled }
        return settled + [.clock(days: distance / 86_400, isBefore: block < time)]
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
