import Cards
import Extrinsics
import Hashing
import History
import SCALE
import SubstratePrimitives
import TrustStore

extension SignedFacts {
    /// - Parameter signer: the account that signs, where it is known.
    init(_ reviewed: ReviewedTransaction, signer: [UInt8]?) {
        let prefix = reviewed.specs?.base58Prefix ?? 42
        let forms = LookAlike.forms(prefix: prefix)
        let unit = reviewed.specs.map { (decimals: $0.decimals, name: $0.unit) }
        let payload = Hash32.blake2b(of: reviewed.signingBytes)
        guard let decoded = reviewed.decoded, let genesis = reviewed.specs?.genesisHash else {
            self.init(
                network: nil, prefix: prefix, unit: unit, forms: forms, isVouched: reviewed.isVouched,
                signer: signer,
                destinations: [], nonce: nil, era: nil, payload: payload, call: nil)
            return
        }
        let era: (block: Hash32, period: UInt32)? =
            switch (decoded.facts.era, decoded.facts.blockHash) {
            case (.mortal(let era), let block?): (block, era.period)
            case (.mortal, nil), (.immortal, _), (nil, _): nil
            }
        self.init(
            network: genesis, prefix: prefix, unit: unit, forms: forms, isVouched: reviewed.isVouched,
            signer: signer,
            destinations: decoded.summary.shown.destinations, nonce: decoded.facts.nonce, era: era,
            payload: payload,
            call: (Hash32.blake2b(of: decoded.callBytes), Self.shape(reviewed.cards.method)))
    }

    /// A hash of a call's cards without its amounts, so that calls that differ only in amounts have the same
    /// hash.
    private static func shape(_ cards: [Card]) -> Hash32 {
        Hash32.blake2b(
            of: SCALEWriter.encode { writer in
                for (index, card) in cards.enumerated() {
                    // Notices are derived from the other cards and may repeat their amounts.
                    guard card.kind != .notice else { continue }
                    let next = index + 1 < cards.count ? cards[index + 1].notice : nil
                    let isAmount = if case .foreignUnit? = next { card.kind == .number } else { false }
                    writer.integer(UInt32(clamping: card.indent))
                    writer.string(card.kind.rawValue)
                    writer.string(card.kind == .balance || isAmount ? "" : card.value)
                }
            })
    }
}
