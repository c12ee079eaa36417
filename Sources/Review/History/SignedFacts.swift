import Cards
import Extrinsics
import Hashing
import SCALE
import SubstratePrimitives
import TrustStore

/// What the history keeps of one payload, and the keys of its rows.
package struct SignedFacts {
    package struct Destination {
        let account: [UInt8]
        /// As the card writes it.
        let address: ExactText
        /// The largest amount of each token that one call moves to it, and all of them together.
        private(set) var largest: [PaidDestination.Largest] = []
        private(set) var sums: [PaidDestination.Largest] = []
        /// Whether it receives an amount of an asset that its call does not name alone, which no sum has: it
        /// is like no amount before.
        fileprivate(set) var receivesUnnamed = false

        init(_ named: ShownCalls.Account) { (account, address) = (named.account, named.address) }

        /// - Parameter isCertain: false for an amount of a call that runs only if another does not, or as
        ///   another account. It counts in the sums, which warn, but is not remembered as paid.
        mutating func receive(_ amount: PaidDestination.Largest, isCertain: Bool) {
            if isCertain { largest.keep(amount, max) }
            sums.keep(amount, +)
        }
    }

    /// nil for a message.
    package let network: GenesisHash?
    let prefix: UInt16
    private let unit: (decimals: UInt8, name: String)?
    /// In which look-alikes are found.
    package let forms: [LookAlike.Form]
    /// Whether somebody else than its maker vouches for how it was read.
    package var isVouched: Bool
    let signer: [UInt8]?
    let destinations: [Destination]
    let nonce: UInt128?
    /// Of a mortal era: the hash of its block and how many blocks it is valid.
    let era: (block: Hash32, period: UInt32)?
    /// BLAKE2b-256 of what is signed.
    let payload: Hash32
    /// BLAKE2b-256 of the call, and of its cards without amounts.
    let call: (exact: Hash32, shape: Hash32)?

    package init(
        network: GenesisHash?, prefix: UInt16, unit: (decimals: UInt8, name: String)?,
        forms: [LookAlike.Form], isVouched: Bool, signer: [UInt8]?, destinations: [Destination],
        nonce: UInt128?, era: (block: Hash32, period: UInt32)?, payload: Hash32,
        call: (exact: Hash32, shape: Hash32)?
    ) {
        (self.network, self.prefix, self.unit, self.forms, self.isVouched, self.signer) = (
            network, prefix, unit, forms, isVouched, signer
        )
        (self.destinations, self.nonce, self.era, self.payload, self.call) = (
            destinations, nonce, era, payload, call
        )
    }

    /// The largest amount of the chain's own token in this network's unit.
    func largest(of record: PaidDestination) -> TokenAmount? {
        record.largest.first { $0.asset == nil }.flatMap { native($0.raw) }
    }

    /// An amount of the chain's own token in this network's unit.
    func native(_ raw: Planck) -> TokenAmount? {
        unit.map { TokenAmount(planck: raw.digits.text, decimals: $0.decimals, unit: $0.name) }
    }

    // MARK: Keys

    func key(_ destination: Destination) -> HistoryKey? {
        network.map { HistoryKey(.destination, $0.bytes, destination.account) }
    }

    /// The row of the amounts of one token that an account received. Without a token it is the row of the
    /// chain's own token, which also says that other tokens were paid.
    func paymentKey(_ destination: Destination, in token: PaidDestination.Largest? = nil) -> HistoryKey? {
        guard let network else { return nil }
        guard let token, let asset = token.asset else {
            return HistoryKey(.payment, network.bytes, destination.account)
        }
        // An asset's id is as long as its sender likes.
        let name = SCALEWriter.encode { writer in
            writer.string(token.pallet?.text ?? "")
            writer.string(asset.text)
        }
        return HistoryKey(.payment, network.bytes, destination.account, Hash32.blake2b(of: name).bytes)
    }

    /// The payments of the chain's own token in its row; nil if the row only says that other tokens were
    /// paid.
    func nativePayments(in row: PaidDestination?) -> PaidDestination? {
        row.flatMap { $0.largest.isEmpty ? nil : $0 }
    }

    private func alikeKeys(_ account: [UInt8]) -> [HistoryKey] { forms.flatMap { $0.keys(account) } }

    var highestNonceKey: HistoryKey? { ofSigner(.highestNonce, []) }
    var nonceKey: HistoryKey? {
        nonce.flatMap { nonce in ofSigner(.nonce, SCALEWriter.encode { $0.integer(nonce) }) }
    }
    var callKey: HistoryKey? { call.flatMap { ofSigner(.call, $0.shape.bytes) } }
    var exactCallKey: HistoryKey? { call.flatMap { ofSigner(.exactCall, $0.exact.bytes) } }
    var blockKey: HistoryKey? {
        guard let network, let era else { return nil }
        return HistoryKey(.block, network.bytes, era.block.bytes)
    }
    package var payloadKey: HistoryKey? { signer.map { HistoryKey(.payload, $0, payload.bytes) } }

    private func ofSigner(_ historyClass: HistoryClass, _ rest: [UInt8]) -> HistoryKey? {
        guard let network, let signer else { return nil }
        return HistoryKey(historyClass, network.bytes, signer, rest)
    }

    package var keys: Set<HistoryKey> {
        let own = [highestNonceKey, nonceKey, callKey, exactCallKey, blockKey, payloadKey]
        let ofDestinations = destinations.flatMap { destination in
            let tokens = (destination.largest + destination.sums).map { paymentKey(destination, in: $0) }
            return [key(destination), paymentKey(destination)] + tokens + alikeKeys(destination.account)
        }
        return Set((own + ofDestinations).compactMap { $0 })
    }

    // MARK: Writing

    /// Warnings that say that the chain may not take it.
    private static let mayBeVoid: [ReviewWarning] = [
        .nonceReused, .nonceBelowHighest, .nonceFarAhead, .eraExpired,
    ]

    /// What a signature of this adds to the rows.
    ///
    /// The attacker may have made the transaction, so a payment or a nonce is remembered only from a reading
    /// that somebody vouched for before: a person's yes to this very payload is not enough. Otherwise a bulk
    /// by an invented runtime version could make a later payment look small, or use nonces up. Every honest
    /// transaction after it would then have a false warning, which teaches people to ignore true ones, and no
    /// rule would sign it. So the first signature under a new proof leaves no nonce, and the next has none to
    /// be compared with, as after an upgrade.
    ///
    /// An account was paid if an amount above 0 went to it from the signer, in bytes that were not signed
    /// before, without a warning that the chain may not take them. What moves another's money does not count,
    /// whoever that is: a call behind a proxy, as a multisig or as a derived account costs its signer nothing
    /// where that account has no money or never allowed it, so a person would say yes to any amount. That an
    /// account was named makes nothing safer: it is only shown, and it makes look-alikes known.
    /// - Parameters:
    ///   - warnings: of the history, on this payload.
    ///   - isWithinReview: whether the rows only compare the payloads of one review and are not written. Then
    ///     every nonce counts.
    package func record(
        in rows: inout HistoryRows, at time: UInt64, warnings: [Card], isWithinReview: Bool = false
    ) {
        let isNew = payloadKey.map { rows.latest($0, as: SignedTimes.self) == nil } ?? true
        let isVoid = warnings.contains { $0.warning?.review.map(Self.mayBeVoid.contains) ?? false }
        for destination in destinations {
            guard let key = key(destination), let paymentKey = paymentKey(destination) else { continue }
            var named = rows.latest(key) ?? PaidDestination(at: time)
            named.add([], at: time)
            rows.write(named, to: key)
            if isVouched, isNew, !isVoid, !destination.largest.isEmpty {
                // The row of the chain's own token stands first, and is there whatever was paid.
                let native = nativePayments(in: rows.latest(paymentKey))
                rows.write(native ?? PaidDestination(at: time), to: paymentKey)
                for amount in destination.largest {
                    guard let key = self.paymentKey(destination, in: amount) else { continue }
                    var paid = rows.latest(key) ?? PaidDestination(at: time)
                    paid.add([amount], at: time)
                    rows.write(paid, to: key)
                }
            }
            for alike in alikeKeys(destination.account) {
                var accounts = rows.latest(alike) ?? AlikeAccounts([])
                guard !accounts.accounts.contains(destination.account) else { continue }
                accounts.accounts.append(destination.account)
                rows.write(accounts, to: alike)
            }
        }
        if isVouched || isWithinReview, let nonce, let highestNonceKey, let nonceKey {
            let highest = rows.latest(highestNonceKey, as: HighestNonce.self)
            let generation = highest?.generation ?? 0
            if highest?.nonce.map({ $0 < nonce }) ?? true {
                rows.write(HighestNonce(nonce, at: time, generation: generation), to: highestNonceKey)
            }
            rows.write(SignedNonce(payload, at: time, generation: generation), to: nonceKey)
        }
        if let call, let callKey, let exactCallKey {
            rows.write(SignedOnce(call.exact, at: time), to: callKey)
            rows.write(SignedOnce(call.exact, at: time), to: exactCallKey)
        }
        for key in [blockKey, payloadKey].compactMap({ $0 }) {
            var times = rows.latest(key, as: SignedTimes.self)
            times?.add(at: time)
            rows.write(times ?? SignedTimes(at: time), to: key)
        }
    }
}

// MARK: Payments

extension ShownCalls {
    /// The arguments of calls that say who receives what, by the names of the standard pallets. An account
    /// that any other argument names is named, not paid: a validator gains nothing by a nomination, and the
    /// amount of a delegation stays where it is. Not all pay with what the caller has: an approved transfer
    /// fails unless its owner approved it, and a forced one unless an administrator makes it. Source:
    /// paritytech/polkadot-sdk, substrate/frame/{balances,assets,vesting};
    /// open-web3-stack/open-runtime-module-library, tokens and currencies.
    private static let roles:
        [(calls: Set<ExactText>, receiver: ExactText, amount: ExactText, callerPays: Bool)] = [
            (["transfer", "transfer_allow_death", "transfer_keep_alive"], "dest", "value", true),
            (["transfer", "transfer_keep_alive"], "target", "amount", true),
            (["transfer", "transfer_keep_alive", "transfer_native_currency"], "dest", "amount", true),
            (["force_transfer"], "dest", "amount", false),
            (["transfer_approved"], "destination", "amount", false),
            (["vested_transfer"], "target", "schedule", true),
        ]

    /// Every account that may gain something, with what it receives.
    ///
    /// The account for which a proxy acts gains nothing. The other signatories of a multisig do: they may act
    /// for it. The accounts and the amounts of a call belong together, whatever their order. An amount of 0
    /// has no recipient.
    package var destinations: [SignedFacts.Destination] {
        var found: [SignedFacts.Destination] = []
        var places: [ExactText: Int] = [:]
        var named: [Int: [(argument: ExactText, place: Int)]] = [:]
        for account in accounts {
            guard let call = account.call, !calls[call].carriesCall || account.argument != "real" else {
                continue
            }
            let place = places[account.address] ?? found.count
            if place == found.count { found.append(.init(account)) }
            places[account.address] = place
            named[call, default: []].append((account.argument, place))
        }
        for (index, call) in calls.enumerated() where call.runs {
            for role in Self.roles where role.calls.contains(call.name.call) {
                let receivers = Set((named[index] ?? []).filter { $0.argument == role.receiver }.map(\.place))
                let amounts = amounts(of: index).filter { $0.call == index && $0.argument == role.amount }
                var moved: [PaidDestination.Largest] = []
                for amount in amounts where amount.raw > 0 && !amount.token.isUnclear {
                    moved.keep(
                        .init(asset: amount.token.asset, pallet: amount.token.pallet, raw: amount.raw), max)
                }
                let isCertain = call.runsAsSigner && role.callerPays && !call.isAlternative
                for place in receivers {
                    for amount in moved { found[place].receive(amount, isCertain: isCertain) }
                    if amounts.contains(where: \.token.isUnclear) { found[place].receivesUnnamed = true }
                }
            }
        }
        return found
    }
}
