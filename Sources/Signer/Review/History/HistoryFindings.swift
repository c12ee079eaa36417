import Cards
import Extrinsics
import SubstratePrimitives
import TrustStore

/// What the history says of one payload.
public struct HistoryFindings: Sendable, Equatable {
    /// What is known of an account that receives or gains something.
    public enum Payment: Sendable, Equatable {
        /// An own key or a contact: nothing needs to be known.
        case named
        /// This vault has signed nothing for it on this network, as far as the history goes.
        case notPaid(extent: String)
        /// With its largest amount of the chain's own token in this network's unit, where there is one.
        case paid(PaidDestination, largest: TokenAmount?)

        public static func == (one: Payment, other: Payment) -> Bool {
            switch (one, other) {
            case (.named, .named): true
            case (.notPaid(let one), .notPaid(let other)): one.utf8Equals(other)
            case (.paid(let one, _), .paid(let other, _)): one == other
            case (.named, _), (.notPaid, _), (.paid, _): false
            }
        }
    }

    /// By the address on the card.
    public internal(set) var payments: [ExactText: Payment] = [:]
    /// Look-alikes first, because they are what a summary must not cut off.
    public internal(set) var warnings: [Card] = []

    init() {}
}

/// The rules of the memory of signatures. Each is a function of the payload, the rows and the time.
struct HistoryRules {
    /// A nonce so far above the highest waits for others that this vault has not signed.
    static let nonceGap: UInt128 = 16
    /// The same call within this time is a repetition.
    static let repetitionSeconds: UInt64 = 86_400
    /// A block of most chains takes so long; one of a faster chain only expires earlier.
    static let blockSeconds: UInt64 = 6

    let now: UInt64
    let extent: String
    let known: KnownAccounts

    func findings(_ facts: SignedFacts, _ rows: HistoryRows) -> HistoryFindings {
        var findings = HistoryFindings()
        // Addresses that resemble each other have one key, so that no two of them are compared but those.
        var alike: [HistoryKey: [KnownAccounts.Entry]] = [:]
        for entry in known.entries { if let key = facts.alikeKey(entry.account) { alike[key, default: []].append(entry) } }
        for destination in facts.destinations {
            guard let key = facts.alikeKey(destination.account) else { continue }
            alike[key, default: []].append(.init(account: destination.account, name: "another account of this transaction"))
        }
        for destination in facts.destinations {
            // What the same payload would sign before it makes nobody known.
            let record = facts.key(destination).flatMap { rows.held($0, as: PaidDestination.self) }
            findings.payments[ExactText(destination.address)] =
                known.isNamed(destination.account)
                ? .named : record.map { .paid($0, largest: facts.largest(of: $0)) } ?? .notPaid(extent: extent)
            if let card = lookAlike(destination, alike, facts, rows) { findings.warnings.append(card) }
        }
        findings.warnings += nonce(facts, rows) + repetition(facts, rows) + era(facts, rows)
        return findings
    }

    /// A look-alike of an own key, a contact or an account that was paid before.
    ///
    /// An account that was paid before is compared like any other: a sender may have had dust paid to it so that it is known. So a friend whose look-alike
    /// was paid has the alarm as well, until he is a contact. Only an account that a person named is spared.
    ///
    /// The payload itself may name both: the friend's address for the eye, and the other for the money.
    private func lookAlike(
        _ destination: SignedFacts.Destination, _ alike: [HistoryKey: [KnownAccounts.Entry]], _ facts: SignedFacts, _ rows: HistoryRows
    ) -> Card? {
        guard !known.isNamed(destination.account), let key = facts.alikeKey(destination.account) else { return nil }
        return ((alike[key] ?? []) + KnownAccounts.paid(rows, key)).lazy.compactMap { entry in
            LookAlike(destination.account, resembling: entry.account, prefix: facts.prefix).map {
                Card(Resemblance(found: $0, name: entry.name))
            }
        }.first
    }

    private func nonce(_ facts: SignedFacts, _ rows: HistoryRows) -> [Card] {
        // The same bytes can be in a chain once, whatever their nonce.
        guard let nonce = facts.nonce, let nonceKey = facts.nonceKey, let highestKey = facts.highestNonceKey,
            facts.payloadKey.flatMap({ rows.latest($0, as: SignedTimes.self) }) == nil
        else { return [] }
        if let former = rows.latest(nonceKey, as: SignedOnce.self), former.hash != facts.payload {
            let place = rows.written[nonceKey] == nil ? "on \(UTCDate.minute(former.time))" : "earlier in this payload"
            return [Card(.nonceReused, "Nonce \(nonce) was used for another transaction \(place): the chain takes one of the two")]
        }
        guard let highest = rows.latest(highestKey, as: HighestNonce.self) else { return [] }
        if nonce <= highest.nonce {
            return [Card(.nonceBelowHighest, "Nonce \(nonce) is not above \(highest.nonce), the highest that this key has signed here")]
        }
        guard nonce - highest.nonce > Self.nonceGap else { return [] }
        return [
            Card(
                .nonceFarAhead,
                "Nonce \(nonce) is far above \(highest.nonce), the highest that this key has signed here: it waits for those between")
        ]
    }

    /// The same bytes, or else the same call with the same or other amounts.
    private func repetition(_ facts: SignedFacts, _ rows: HistoryRows) -> [Card] {
        if let key = facts.payloadKey, let times = rows.latest(key, as: SignedTimes.self) {
            let place = rows.written[key] == nil ? "on \(UTCDate.minute(times.last))" : "earlier in this payload"
            return [Card(.signedBefore, "The same bytes were signed before, last \(place)")]
        }
        for (key, amounts) in [(facts.exactCallKey, "the same amounts"), (facts.callKey, "other amounts")] {
            guard let key, let former = rows.latest(key, as: SignedOnce.self) else { continue }
            let isWritten = rows.written[key] != nil
            // A clock that went back leaves a former time ahead of now: that is near, too.
            guard isWritten || former.time >= now || now - former.time <= Self.repetitionSeconds else { continue }
            let place = isWritten ? "earlier in this payload" : "on \(UTCDate.minute(former.time))"
            return [Card(.callRepeated, "The same call with \(amounts) was signed \(place)")]
        }
        return []
    }

    private func era(_ facts: SignedFacts, _ rows: HistoryRows) -> [Card] {
        guard let era = facts.era, let key = facts.blockKey, let times = rows.held(key, as: SignedTimes.self), now > times.first,
            now - times.first > UInt64(era.period) * Self.blockSeconds
        else { return [] }
        return [
            Card(
                .eraExpired,
                "The transaction probably expired: it starts at a block that this vault signed with on \(UTCDate.minute(times.first))")
        ]
    }
}

extension Card {
    fileprivate init(_ found: Resemblance) {
        self.init(
            .warning, found.sentence,
            fields: [
                Field("code", ReviewWarning.lookAlike.rawValue), Field("address", found.address), Field("resembles", found.other),
                Field("known_as", found.name), Field("word", found.word),
            ])
    }
}
