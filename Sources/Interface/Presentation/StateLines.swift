import Cards
import Diagnostics
import Extrinsics
import Hashing
import History
import Lines
import Review
import StateProof
import SubstratePrimitives
import TerminalIO
import UOS

/// The block of proven facts, below the cards and above claims. Every line of it carries its mark, so that no
/// line reads as one of the review wherever a screen breaks.
struct StateLines {
    let state: StateReview
    let view: CardView
    /// Of this device, in seconds since 1970.
    let time: UInt64

    var lines: [StyledLine] {
        let proven = state.proven
        let mark = StateWording.proven
        var lines = [StyledLine(StateWording.heading(state), .heading)]
        lines.append(Self.line(mark, "block \(block(proven.chain))"))
        let age = Amount.grouped(String(proven.checkpoint.maximumAge))
        lines.append(Self.line(mark, "at most \(age) blocks old when this transaction is included"))
        // A payload has its items in the order of their bytes. A person reads the own account first, then
        // what is left of it, then the others.
        let own = state.facts.filter { $0.role == .signer }
        lines += own.filter { $0.item.kind == .account }.map { Self.line(mark, words($0)) }
        if let remaining = state.remaining {
            lines.append(
                Self.line(
                    mark,
                    "free after the amounts and the tip, before the fee: \(amount(remaining))\(frozenPart)"))
        }
        let others = state.facts.filter { $0.role != .signer }
        lines += (own.filter { $0.item.kind != .account } + others).map { Self.line(mark, words($0)) }
        if let hop = proven.hop {
            let name =
                WellKnownChain.chain(genesis: hop.chain.genesisHash)?.name ?? hop.chain.runtime.specName
            let there = "proven on \(Escape.ascii(name)), block \(block(hop.chain)):"
            lines += state.otherFacts.map { Self.line(there, words($0, isElsewhere: true)) }
            lines += layout(hop.chain, name)
        }
        lines += state.warnings(time: time).map { warning in
            StyledLine(
                indent: 2,
                [
                    .init(StateWording.mark(of: warning) + " ", .dim), .init("WARNING ", .warning),
                    .init(Escape.terminal(state.words(warning)), .warning),
                ])
        }
        lines += layout(proven.chain)
        let missing = ["the fee", "the existential deposit"] + state.missing.map(StateWording.missing)
        lines.append(Self.line("not proven:", missing.joined(separator: ", ")))
        lines.append(Self.line("note:", StateWording.note))
        return lines
    }

    /// What is frozen lies in the free or in the reserved balance, and which of it can be sent is code:
    /// without a word here the number reads as what is left to spend.
    private var frozenPart: String {
        let isFrozen = state.facts.contains { fact in
            guard fact.role == .signer, case .present(.account(let held)) = fact.reading else { return false }
            return held.frozen > 0
        }
        return isFrozen ? ", some of it may be frozen" : ""
    }

    private func layout(_ chain: ProvenChain, _ name: String? = nil) -> [StyledLine] {
        StateWording.layout(chain.source, state.voucher, name).map { [Self.line("layout:", $0)] } ?? []
    }

    private static func line(_ mark: String, _ words: String) -> StyledLine {
        StyledLine(indent: 2, [.init(mark + " ", .dim), .init(words)])
    }

    /// `28,123,456 of 2026-11-23 13:05 UTC`
    private func block(_ chain: ProvenChain) -> String {
        "\(Amount.grouped(String(chain.header.number))) of \(UTCDate.minute(chain.time / 1_000))"
    }

    private func amount(_ planck: UInt128) -> String {
        let amount = TokenAmount(planck: planck, decimals: state.decimals, unit: state.unit.text)
        switch view.amounts {
        case .plain: return Amount.plain(amount.plain, unit: amount.symbol)
        case .prefixed: return "\(amount.number) \(Amount.unit(amount.unit))"
        case .raw: return Amount.grouped(String(planck))
        }
    }

    // MARK: Facts

    private func words(_ fact: StateReview.Fact, isElsewhere: Bool = false) -> String {
        switch fact.item {
        case .account(let account): words(account, fact)
        case .assetMetadata, .foreignMetadata: words(asset: StateReview.asset(fact.item), fact.reading)
        case .assetAccount(_, let account), .foreignAccount(_, let account):
            words(account, holdsOf: StateReview.asset(fact.item), fact)
        case .proxies(let account): words(proxiesOf: who(account, fact), fact.reading)
        case .multisig(_, let hash): words(multisig: hash, fact.reading)
        case .bonded(let account), .ledger(let account): words(stakingOf: account, fact)
        case .nextKeys(let account): words(keysOf: account, fact, isCompared: !isElsewhere)
        case .identity(let account), .superIdentity(let account): words(nameOf: who(account, fact), fact)
        case .codeHash, .migration: words(code: fact.reading)
        }
    }

    private func who(_ account: AccountID32, _ fact: StateReview.Fact) -> String {
        switch fact.role {
        case .signer: "your account"
        case .real: "the proxied account \(state.address(account))"
        case .multisig: "the multisig \(state.address(account))"
        case .destination, .controller, .parent, .other, nil: state.address(account)
        }
    }

    private func words(_ account: AccountID32, _ fact: StateReview.Fact) -> String {
        guard case .present(.account(let held)) = fact.reading else {
            return "\(who(account, fact)) does not exist"
        }
        let nonce = fact.role == .signer ? "; nonce \(held.nonce) is next" : ""
        let verb = fact.role == .signer ? ":" : " exists:"
        let free = "\(who(account, fact))\(verb) free \(amount(held.free))"
        guard fact.role != .destination || held.reserved > 0 || held.frozen > 0 else { return free }
        return "\(free), reserved \(amount(held.reserved)), frozen \(amount(held.frozen))\(nonce)"
    }

    private func words(asset: String, _ reading: StateFact.Reading) -> String {
        guard case .present(.asset(let state)) = reading else { return "\(asset) does not exist" }
        let decimals = Sentence.count(state.decimals, "decimal") + (state.isFrozen ? ", and is frozen" : "")
        return "\(asset) calls itself \(StateWording.text(state.symbol)), with \(decimals)"
    }

    private func words(_ account: AccountID32, holdsOf asset: String, _ fact: StateReview.Fact) -> String {
        guard case .present(.assetAccount(let held)) = fact.reading else {
            return "\(who(account, fact)) has no account of \(asset)"
        }
        let status =
            switch held.status {
            case .liquid: ""
            case .frozen: ", frozen"
            case .blocked: ", blocked"
            }
        let balance = "\(Amount.grouped(String(held.balance))) of the smallest unit of \(asset)"
        return "\(who(account, fact)) held \(balance)\(status)"
    }

    private func words(proxiesOf whose: String, _ reading: StateFact.Reading) -> String {
        guard case .present(.proxies(let proxies)) = reading, !proxies.delegates.isEmpty else {
            return "\(whose) has no entry of proxies"
        }
        let named = proxies.delegates.map { delegate in
            state.words(delegate) + (delegate.delay > 0 ? " after \(delegate.delay) blocks" : "")
        }
        let count = Sentence.count(named.count, "proxy", plural: "proxies")
        return "\(whose) has \(count): \(named.joined(separator: ", "))"
    }

    private func words(multisig hash: Hash32, _ reading: StateFact.Reading) -> String {
        // Only the call of the transaction is named by one.
        let call = "the multisig call of this transaction (\(Wording.shortened(hash.hex)))"
        guard case .present(.multisig(let pending)) = reading else { return "\(call) is not pending" }
        return """
            \(call) is pending since block \(Amount.grouped(String(pending.height))), index \
            \(pending.index), with \(Sentence.count(pending.approvals.count, "approval")), its deposit from \
            \(state.address(pending.depositor))
            """
    }

    private func words(stakingOf account: AccountID32, _ fact: StateReview.Fact) -> String {
        let whose = who(account, fact)
        switch fact.reading {
        case .present(.bonded(let controller)) where controller == account:
            return "\(whose) is bonded, and controls the bond"
        case .present(.bonded(let controller)):
            return "\(whose) is bonded, and \(state.address(controller)) controls the bond"
        case .present(.ledger(let ledger)):
            let unlocking = ledger.unlocking.reduce(UInt128(0)) { $0.addingSaturating($1.value) }
            return """
                \(whose) has \(amount(ledger.total)) bonded, \(amount(ledger.active)) of it active, \
                \(amount(unlocking)) unlocking
                """
        case .present, .absent:
            return fact.item.kind == .bonded ? "\(whose) is not bonded" : "\(whose) has no staking ledger"
        }
    }

    /// - `isCompared`: whether these keys are those that the call would replace; those of another chain are
    ///   not.
    private func words(keysOf account: AccountID32, _ fact: StateReview.Fact, isCompared: Bool) -> String {
        let whose = who(account, fact)
        guard case .present(.nextKeys) = fact.reading else { return "\(whose) has no session keys" }
        switch isCompared ? state.keysAgree : nil {
        case true?: return "\(whose) has the session keys of this call already"
        case false?: return "\(whose) has other session keys than this call sets"
        case nil: return "\(whose) has session keys"
        }
    }

    private func words(nameOf whose: String, _ fact: StateReview.Fact) -> String {
        switch fact.reading {
        case .present(.identity(let identity)):
            let judgements = identity.judgements.map {
                "; judgement of registrar \($0.registrar): \(StateWording.judgement($0.kind))"
            }
            let name = identity.display.bytes.map { StateWording.text($0) } ?? "nothing"
            return "\(whose) calls itself \(name)" + judgements.joined()
        case .present(.superIdentity(let parent, let name)):
            let name = name.bytes.map { StateWording.text($0) } ?? "nothing"
            return "\(whose) is called \(name) by \(state.address(parent))"
        case .present, .absent:
            return fact.item.kind == .identity ? "\(whose) has no identity" : "\(whose) is below no identity"
        }
    }

    private func words(code: StateFact.Reading) -> String {
        guard case .present(.codeHash(let hash)) = code else { return "the chain has no runtime code" }
        return "the runtime's code has the hash 0x\(hash.hex)"
    }
}

enum StateWording {
    /// Starts each line that the signed block hash proves.
    static let proven = "proven:"

    /// Where the facts stand, so does what they depend on, and what they are not good for.
    static let note = """
        if the block is false, the signature is worthless on the chain. Rely on these lines for this \
        signature only: they are no receipt.
        """

    /// The source of a warning. No proof covers the clock of this device, or which runtimes this program has
    /// examined.
    static func mark(of warning: StateReview.Warning) -> String {
        switch warning {
        case .clock: "this device:"
        case .layoutNewer: "layout:"
        case .nonceUsed, .nonceGap, .notCovered, .newAccount, .assetDiffers, .assetNameDiffers, .assetShort,
            .assetFrozen, .multisigMissing, .multisigDiffers, .proxies, .longEra:
            proven
        }
    }

    /// One line of the summary.
    static func block(_ block: ReviewSummary.ProvenBlock) -> String {
        """
        state of block \(Amount.grouped(String(block.number))), at most \
        \(Amount.grouped(String(block.maximumAge))) blocks old
        """
    }

    static func heading(_ state: StateReview) -> String {
        switch state.ground {
        case .chain: "State of the chain (proven by the block hash in the signed bytes)"
        case .verifier, .unsigned:
            """
            State of the chain, according to \
            \(metadata(state.proven.checkpoint.runtime.specVersion, state.voucher))
            """
        }
    }

    private static func metadata(_ version: UInt32, _ voucher: MetadataVoucher) -> String {
        switch voucher {
        case .verifier(let key):
            "metadata \(version), believed from \(Wording.shortened(Hex.encode(key.bytes)))"
        case .verifiers(let key, let types):
            metadata(version, .verifier(key)) + ", types from \(Wording.shortened(Hex.encode(types.bytes)))"
        case .nobody: "unsigned metadata \(version)"
        case .file: "metadata \(version) from a file"
        }
    }

    /// nil for a runtime that is newer than what was examined: its warning says it.
    /// - Parameter chain: of a hop; the layouts of the transaction's own chain need no name.
    static func layout(_ source: LayoutSource, _ voucher: MetadataVoucher, _ chain: String? = nil)
        -> String?
    {
        let there = chain.map { "\(Escape.ascii($0)): " } ?? ""
        switch source {
        case .metadata(let version): return "\(there)read with \(metadata(version, voucher))"
        case .builtIn(let name, let first, let last, nil):
            return "\(there)read by the built-in layout of \(Escape.ascii(name.text)) \(first) to \(last)"
        case .builtIn(_, _, _, .some): return nil
        }
    }

    static func missing(_ missing: StateReview.Missing) -> String {
        switch missing {
        case .signer: "your account"
        case .destinations: "whether the accounts that it goes to exist"
        case .assets: "what the asset calls itself"
        case .assetAccounts: "balances of the asset"
        case .real: "the proxied account"
        case .realProxies: "its proxies"
        case .signerProxies: "proxies of your account"
        case .multisig: "the account of the multisig"
        case .multisigCall: "the pending multisig call"
        case .staking: "what is staked"
        case .nextKeys: "the session keys"
        }
    }

    static func judgement(_ kind: IdentityState.Judgement.Kind) -> String {
        switch kind {
        case .unknown: "Unknown"
        case .feePaid: "FeePaid"
        case .reasonable: "Reasonable"
        case .knownGood: "KnownGood"
        case .outOfDate: "OutOfDate"
        case .lowQuality: "LowQuality"
        case .erroneous: "Erroneous"
        }
    }

    /// What somebody wrote into the state: in quotes, or as bytes where it is no text.
    static func text(_ bytes: [UInt8]) -> String {
        String(validating: bytes, as: UTF8.self).map { "text \(Escape.quoted($0))" }
            ?? "bytes 0x\(Hex.encode(bytes))"
    }
}
