import Cards
import Extrinsics
import SubstratePrimitives
import TrustStore

/// What the history says of one payload.
public struct HistoryFindings: Sendable, Equatable {
    /// What is known of an account that receives or gains something.
    public enum Payment: Sendable, Equatable {
        /// An own key or a contact, which needs no history. For a contact also what was paid to it, if
        /// anything.
        case named(PaidDestination? = nil, largest: TokenAmount? = nil)
        /// This vault has signed no amount for it on this network, as far as the history goes; at most it was
        /// named.
        case notPaid(extent: String, named: PaidDestination? = nil)
        /// With its largest amount of the chain's own token in this network's unit, where there is one.
        case paid(PaidDestination, largest: TokenAmount?)
        /// It received other assets before, but never one of these; and what it received of the chain's own
        /// token, if any.
        case firstInAsset(PaidDestination?, largest: TokenAmount?)

        public static func == (one: Payment, other: Payment) -> Bool {
            switch (one, other) {
            case (.named(let one, _), .named(let other, _)): one == other
            case (.notPaid(let one, let named), .notPaid(let other, let otherNamed)):
                one.utf8Equals(other) && named == otherNamed
            case (.paid(let one, _), .paid(let other, _)): one == other
            case (.firstInAsset(let one, _), .firstInAsset(let other, _)): one == other
            case (.named, _), (.notPaid, _), (.paid, _), (.firstInAsset, _): false
            }
        }

        /// For one address in two payloads, the less reassuring finding: networks with the same prefix write
        /// an account alike, and one of them may never have paid it.
        package static func lessKnown(_ one: Payment?, _ other: Payment?) -> Payment? {
            guard let one, let other else { return one }
            return other.rank < one.rank ? other : one
        }

        private var rank: Int {
            switch self {
            case .notPaid: 0
            case .firstInAsset: 1
            case .named, .paid: 2
            }
        }
    }

    /// By the address on the card.
    public package(set) var payments: [ExactText: Payment] = [:]
    /// Look-alikes first, because they are what a summary must not cut off.
    public package(set) var warnings: [Card] = []
    /// The nonce, if none of this account is remembered here and it is too high for a rule to begin with.
    public package(set) var highFirstNonce: UInt128?

    package init() {}
}

/// The rules of the memory of signatures. Each is a function of the payload, the rows and the time.
package struct HistoryRules {
    /// A nonce so far above the highest waits for others that this vault has not signed.
    static let nonceGap: UInt128 = 16
    /// The same call within this time is a repetition.
    static let repetitionSeconds: UInt64 = 86_400
    /// A block of most chains takes so long; one of a faster chain only expires earlier.
    static let blockSeconds: UInt64 = 6
    /// A payment of more than so many times the largest before is told.
    static let farAbove = 10

    let now: UInt64
    let extent: String
    let known: KnownAccounts

    package init(now: UInt64, extent: String, known: KnownAccounts) {
        (self.now, self.extent, self.known) = (now, extent, known)
    }

    package func findings(_ facts: SignedFacts, _ rows: HistoryRows) -> HistoryFindings {
        var findings = HistoryFindings()
        let own = facts.destinations.map {
            KnownAccounts.Entry(account: $0.account, name: "another account of this transaction")
        }
        let known = known.adding(own, forms: facts.forms)
        for destination in facts.destinations {
            findings.payments[destination.address] =
                known.isOwn(destination.account) ? .named() : payment(destination, facts, rows)
            // An account that was named before is compared like any other: a sender may have had dust paid to
            // it so that it is known. So a friend whose look-alike was paid has the alarm as well, until he
            // is a contact. Only an account that a person named is spared. The payload itself may name both:
            // the friend's address for the eye, and the other for the money.
            if !known.isNamed(destination.account),
                let found = known.lookAlike(of: destination.account, facts.forms, rows)
            {
                findings.warnings.append(Card(.warning(.lookAlike(found))))
            }
        }
        for destination in facts.destinations where !known.isOwn(destination.account) {
            findings.warnings += farAbove(destination, facts, rows)
        }
        if let nonce = facts.nonce, nonce > Self.nonceGap, let key = facts.highestNonceKey,
            rows.latest(key, as: HighestNonce.self)?.nonce == nil
        {
            findings.highFirstNonce = nonce
        }
        findings.warnings += nonce(facts, rows) + repetition(facts, rows) + era(facts, rows)
        return findings
    }

    /// Earlier payments to an account that is not an own key, in the assets that the payload moves to it.
    /// Anybody can make a worthless asset, and a payment in it says nothing about the chain's own token.
    ///
    /// Earlier transactions of the same payload do not make an account known.
    private func payment(
        _ destination: SignedFacts.Destination, _ facts: SignedFacts, _ rows: HistoryRows
    ) -> HistoryFindings.Payment {
        func held(_ key: HistoryKey?) -> PaidDestination? {
            key.flatMap { rows.held($0, as: PaidDestination.self) }
        }
        let anything: PaidDestination? = held(facts.paymentKey(destination))
        let native = facts.nativePayments(in: anything)
        var moved = destination.sums.map { sum in
            sum.asset == nil ? native : held(facts.paymentKey(destination, in: sum))
        }
        if destination.receivesUnnamed { moved.append(nil) }
        if anything != nil, moved.contains(nil) {
            return .firstInAsset(native, largest: native.flatMap { facts.largest(of: $0) })
        }
        let isNative = moved.isEmpty || destination.sums.contains { $0.asset == nil }
        let paid = moved.contains(nil) ? nil : isNative ? native : moved[0]
        let largest = paid.flatMap { facts.largest(of: $0) }
        if known.isNamed(destination.account) { return .named(paid, largest: largest) }
        guard let paid else { return .notPaid(extent: extent, named: held(facts.key(destination))) }
        return .paid(paid, largest: largest)
    }

    /// Compares everything that the payload moves to an account with the largest earlier amount of one call.
    /// An asset that the account never received has no largest amount; then its line says that this is the
    /// first payment.
    private func farAbove(_ destination: SignedFacts.Destination, _ facts: SignedFacts, _ rows: HistoryRows)
        -> [Card]
    {
        for sum in destination.sums {
            let paid = facts.paymentKey(destination, in: sum).flatMap {
                rows.held($0, as: PaidDestination.self)
            }
            let before = paid?.largest.first { $0.isSameToken(as: sum) }
            guard let before, before.raw.tenfold < sum.raw else { continue }
            let factor = sum.raw.number.flatMap { sum in before.raw.number.map { sum / $0 } }
            let largest = sum.asset == nil ? facts.native(before.raw) : nil
            return [Card(.warning(.paymentFarAbove(destination.address, factor: factor, largest: largest)))]
        }
        return []
    }

    private func nonce(_ facts: SignedFacts, _ rows: HistoryRows) -> [Card] {
        // The same bytes can be in a chain once, whatever their nonce.
        guard let nonce = facts.nonce, let nonceKey = facts.nonceKey, let highestKey = facts.highestNonceKey,
            facts.payloadKey.flatMap({ rows.latest($0, as: SignedTimes.self) }) == nil
        else { return [] }
        let memory = rows.latest(highestKey, as: HighestNonce.self)
        if let former = rows.latest(nonceKey, as: SignedNonce.self), former.hash != facts.payload,
            former.generation == memory?.generation ?? 0
        {
            return [Card(.warning(.nonceReused(nonce, rows.former(nonceKey, at: former.time))))]
        }
        guard let highest = memory?.nonce else { return [] }
        if nonce <= highest { return [Card(.warning(.nonceBelowHighest(nonce, highest: highest)))] }
        guard nonce - highest > Self.nonceGap else { return [] }
        return [Card(.warning(.nonceFarAhead(nonce, highest: highest)))]
    }

    /// The same bytes, or else the same call with the same or other amounts.
    private func repetition(_ facts: SignedFacts, _ rows: HistoryRows) -> [Card] {
        if let key = facts.payloadKey, let times = rows.latest(key, as: SignedTimes.self) {
            return [Card(.warning(.signedBefore(rows.former(key, at: times.last))))]
        }
        for (key, isSameAmount) in [(facts.exactCallKey, true), (facts.callKey, false)] {
            guard let key, let former = rows.latest(key, as: SignedOnce.self) else { continue }
            // A clock that went back leaves a former time ahead of now: that is near, too.
            guard
                rows.written[key] != nil || former.time >= now || now - former.time <= Self.repetitionSeconds
            else { continue }
            let when = rows.former(key, at: former.time)
            return [Card(.warning(.callRepeated(isSameAmount: isSameAmount, when)))]
        }
        return []
    }

    private func era(_ facts: SignedFacts, _ rows: HistoryRows) -> [Card] {
        guard let era = facts.era, let key = facts.blockKey, let times = rows.held(key, as: SignedTimes.self),
            now > times.first,
            now - times.first > UInt64(era.period) * Self.blockSeconds
        else { return [] }
        return [Card(.warning(.eraExpired(since: UTCMinute(seconds: times.first))))]
    }
}

extension HistoryRows {
    /// When a row was written last: by the payload that is shown, or at its time.
    fileprivate func former(_ key: HistoryKey, at time: UInt64) -> FormerSignature {
        written[key] == nil ? .on(UTCMinute(seconds: time)) : .inThisPayload
    }
}
