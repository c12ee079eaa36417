import Cards
import SubstratePrimitives

/// What a state proof beside a transaction says, as far as a policy asks.
///
/// It can only forbid: what a policy refuses without a proof, it refuses with any.
public struct StateEvidence: Sendable, Equatable {
    /// Why a policy takes something for not proven.
    public enum Lack: Sendable, CaseIterable {
        /// Nothing is proven beside the transaction.
        case proof
        /// The chain does not check how the transaction was read, and so neither which bytes name the block.
        case reading
        /// The runtime of the block is newer than the built-in layouts.
        case layout
        case signer, destinations
    }

    /// Whether the chain checks the reading of the transaction.
    public let isReadingChecked: Bool
    /// Whether a built-in layout is older than the runtime.
    public let isLayoutOlder: Bool
    /// Whether something is proven of the signer's account, and be it that it does not exist.
    public let hasSigner: Bool
    /// The recipients whose accounts are proven, 32 bytes each, and whether they exist.
    public let destinations: [[UInt8]: Bool]
    /// Whether every recipient is among ``destinations``; no, where one is not told by an account.
    public let hasDestinations: Bool
    /// Of the signer's free balance after the amounts and the tip, in the smallest unit; nil where that is
    /// not known.
    public let remaining: UInt128?

    /// - Parameters:
    ///   - isReadingChecked: whether the chain checks the reading.
    ///   - isLayoutOlder: whether a built-in layout is older than the runtime.
    ///   - hasSigner: whether the signer's account is proven.
    ///   - destinations: proven recipients, and whether they exist.
    ///   - hasDestinations: whether these are all.
    ///   - remaining: of the free balance; nil where that is not known.
    public init(
        isReadingChecked: Bool, isLayoutOlder: Bool, hasSigner: Bool, destinations: [[UInt8]: Bool],
        hasDestinations: Bool, remaining: UInt128?
    ) {
        self.isReadingChecked = isReadingChecked
        self.isLayoutOlder = isLayoutOlder
        self.hasSigner = hasSigner
        self.destinations = destinations
        self.hasDestinations = hasDestinations
        self.remaining = remaining
    }
}

extension TransactionPolicy {
    /// The first key about proven state that a transaction breaks; nil when it breaks none.
    /// - Parameters:
    ///   - summary: of the transaction.
    ///   - network: that it is for.
    ///   - evidence: what is proven beside it; nil without a state proof.
    public func stateViolation(
        of summary: CallSummary, on network: NetworkSpecs, beside evidence: StateEvidence?
    ) -> Violation? {
        if let requireStateProof {
            let all = requireStateProof == .signerAndDestinations
            if let lack = lack(evidence, signer: true, destinations: all) {
                return .stateUnproven(.requireStateProof, lack)
            }
        }
        if let minimumRemaining {
            if let lack = lack(evidence, signer: true, destinations: false) {
                return .stateUnproven(.minimumRemaining, lack)
            }
            // Whatever may move more than what is stated leaves nobody knows how much.
            guard let remaining = evidence?.remaining, summary.hasOnlyCountableAmounts else {
                return .remainingUnknown
            }
            guard let minimum = minimumRemaining.minimum(network.tokenUnit) else {
                return .amountUnit(.minimumRemaining, unit: network.tokenUnit.symbol)
            }
            guard remaining >= minimum else {
                return .remainingTooSmall(Tokens(remaining, network.tokenUnit))
            }
        }
        if existingDestinations {
            if let lack = lack(evidence, signer: false, destinations: true) {
                return .stateUnproven(.existingDestinations, lack)
            }
            let absent = (evidence?.destinations ?? [:]).filter { !$0.value }.map(\.key)
            if let account = absent.min(by: { $0.lexicographicallyPrecedes($1) }) {
                return .destinationAbsent(Account.address(of: account, prefix: network.base58Prefix))
            }
        }
        return nil
    }

    private func lack(_ evidence: StateEvidence?, signer: Bool, destinations: Bool) -> StateEvidence.Lack? {
        guard let evidence else { return .proof }
        if !evidence.isReadingChecked { return .reading }
        if evidence.isLayoutOlder { return .layout }
        if signer, !evidence.hasSigner { return .signer }
        return destinations && !evidence.hasDestinations ? .destinations : nil
    }
}

extension StateEvidence.Lack {
    /// As part of a sentence.
    var detail: String {
        switch self {
        case .proof: "nothing is proven of the chain's state"
        case .reading: "the chain does not check how the transaction was read beside the state proof"
        case .layout: "the runtime is newer than the built-in layouts of the state proof"
        case .signer: "the state proof does not hold the signer's account"
        case .destinations: "the state proof does not hold the account of every destination"
        }
    }

    /// What gives the proof. It never is to demand less.
    var remedy: String {
        switch self {
        case .proof, .signer, .destinations:
            "make the transaction again with a state proof: heliograph-hot make transaction --state"
        case .reading:
            "make the transaction again with a metadata proof: heliograph-hot make transaction --with-proof"
        case .layout: "heliograph policy show"
        }
    }
}
