import Cards
import Extrinsics
import Hashing
import SCALE
import SubstratePrimitives
import TrustStore

/// What the history keeps of one payload, and the keys of its rows.
struct SignedFacts {
    struct Destination {
        let account: [UInt8]
        /// As the card writes it.
        let address: String
        let amounts: [PaidDestination.Largest]
    }

    /// nil for a message.
    let network: GenesisHash?
    let prefix: UInt16
    private let unit: (decimals: UInt8, name: String)?
    /// Of accounts of 32 and of 20 bytes.
    private let forms: (substrate: LookAlike.Form?, ethereum: LookAlike.Form?)
    let signer: [UInt8]?
    let destinations: [Destination]
    let nonce: UInt128?
    /// Of a mortal era: the hash of its block and how many blocks it is valid.
    let era: (block: Hash32, period: UInt32)?
    /// BLAKE2b-256 of what is signed.
    let payload: Hash32
    /// BLAKE2b-256 of the call, and of its cards without amounts.
    let call: (exact: Hash32, shape: Hash32)?

    /// - Parameter signer: the account that signs, where it is known.
    init(_ reviewed: ReviewedTransaction, signer: [UInt8]?) {
        self.signer = signer
        prefix = reviewed.specs?.base58Prefix ?? 42
        unit = reviewed.specs.map { ($0.decimals, $0.unit) }
        forms = (LookAlike.Form(accountLength: 32, prefix: prefix), LookAlike.Form(accountLength: 20, prefix: prefix))
        payload = Hash32.blake2b(of: reviewed.signingBytes)
        guard let decoded = reviewed.decoded, let genesis = reviewed.specs?.genesisHash else {
            (network, destinations, nonce, era, call) = (nil, [], nil, nil, nil)
            return
        }
        network = genesis
        destinations = SummaryWalk(reviewed.cards.method, network: genesis).payments.compactMap { payment in
            guard let account = Hex.decode(payment.publicKey) else { return nil }
            return Destination(
                account: account, address: payment.address,
                amounts: payment.largest.map { .init(asset: $0.asset ?? "", pallet: $0.pallet ?? "", raw: $0.raw) })
        }
        nonce = decoded.facts.nonce
        era =
            switch (decoded.facts.era, decoded.facts.blockHash) {
            case (.mortal(let era), let block?): (block, era.period)
            case (.mortal, nil), (.immortal, _), (nil, _): nil
            }
        call = (Hash32.blake2b(of: decoded.callBytes), Self.shape(reviewed.cards.method))
    }

    /// The cards of a call, with nothing where an amount stands.
    private static func shape(_ cards: [Card]) -> Hash32 {
        Hash32.blake2b(
            of: SCALEWriter.encode { writer in
                for (index, card) in cards.enumerated() {
                    // Notices say what this side makes of the others, sums among them.
                    guard card.kind != .notice else { continue }
                    let next = index + 1 < cards.count ? cards[index + 1] : nil
                    writer.integer(UInt32(clamping: card.indent))
                    writer.string(card.kind.rawValue)
                    writer.string(card.kind == .balance || card.kind == .number && next?.unknownAsset != nil ? "" : card.value)
                }
            })
    }

    /// The largest amount of the chain's own token in this network's unit.
    func largest(of record: PaidDestination) -> TokenAmount? {
        guard let unit, let largest = record.largest.first(where: { $0.asset.utf8.isEmpty }) else { return nil }
        return TokenAmount(planck: largest.raw, decimals: unit.decimals, unit: unit.name)
    }

    // MARK: Keys

    func key(_ destination: Destination) -> HistoryKey? {
        network.map { HistoryKey(.destination, $0.bytes, destination.account) }
    }

    func alikeKey(_ account: [UInt8]) -> HistoryKey? { LookAlike.key(account, prefix: prefix, forms) }

    var highestNonceKey: HistoryKey? { ofSigner(.highestNonce, []) }
    var nonceKey: HistoryKey? { nonce.flatMap { nonce in ofSigner(.nonce, SCALEWriter.encode { $0.integer(nonce) }) } }
    var callKey: HistoryKey? { call.flatMap { ofSigner(.call, $0.shape.bytes) } }
    var exactCallKey: HistoryKey? { call.flatMap { ofSigner(.exactCall, $0.exact.bytes) } }
    var blockKey: HistoryKey? {
        guard let network, let era else { return nil }
        return HistoryKey(.block, network.bytes, era.block.bytes)
    }
    var payloadKey: HistoryKey? { signer.map { HistoryKey(.payload, $0, payload.bytes) } }

    private func ofSigner(_ historyClass: HistoryClass, _ rest: [UInt8]) -> HistoryKey? {
        guard let network, let signer else { return nil }
        return HistoryKey(historyClass, network.bytes, signer, rest)
    }

    var keys: Set<HistoryKey> {
        let own = [highestNonceKey, nonceKey, callKey, exactCallKey, blockKey, payloadKey]
        return Set((own + destinations.flatMap { [key($0), alikeKey($0.account)] }).compactMap { $0 })
    }

    // MARK: Writing

    /// What a signature of this adds to the rows.
    func record(in rows: inout HistoryRows, at time: UInt64) {
        for destination in destinations {
            guard let key = key(destination) else { continue }
            var record = rows.latest(key) ?? PaidDestination(at: time)
            record.add(destination.amounts, at: time)
            rows.write(record, to: key)
            guard let alike = alikeKey(destination.account) else { continue }
            var accounts = rows.latest(alike) ?? AlikeAccounts([])
            guard !accounts.accounts.contains(destination.account) else { continue }
            accounts.accounts.append(destination.account)
            rows.write(accounts, to: alike)
        }
        if let nonce, let highestNonceKey, let nonceKey {
            let highest = rows.latest(highestNonceKey, as: HighestNonce.self)
            if highest.map({ $0.nonce < nonce }) ?? true { rows.write(HighestNonce(nonce, at: time), to: highestNonceKey) }
            rows.write(SignedOnce(payload, at: time), to: nonceKey)
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
