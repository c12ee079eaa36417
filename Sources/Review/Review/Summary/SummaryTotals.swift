import Cards
import Hashing
import SubstratePrimitives

extension ReviewSummary {
    /// All amounts of one token together.
    ///
    /// Every amount among the arguments counts, nested calls included, and also one that is only a limit,
    /// such as the least that a swap may return: a total can be too large, never too small.
    /// `TransactionPolicy` compares the same sum.
    public struct Total: Sendable, Equatable {
        /// What keeps two tokens apart that print the same unit.
        struct Token: Hashable {
            let network: GenesisHash?
            /// nil for the chain's own token.
            let asset: ExactText?
            /// Of the call that names the asset: ids of two pallets are two assets.
            let pallet: ExactText?
            let symbol: ExactText?
            let decimals: UInt8
        }

        let token: Token
        /// Decimal digits in the smallest unit; as many as the sum has.
        public package(set) var raw: String
        /// Set where the whole has several networks.
        public package(set) var network: Network?

        /// The text of the asset's id; nil for the chain's own token.
        public var asset: String? { token.asset?.text }
        public var pallet: String? { token.pallet?.text }
        /// nil where the decimals of the asset are unknown: ``raw`` is all that is known.
        public var symbol: String? { token.symbol?.text }
        /// The number in the unit; ``raw`` where its decimals are unknown.
        public var plain: String { amount?.plain ?? raw }

        private var amount: TokenAmount? {
            symbol.map { TokenAmount(planck: raw, decimals: token.decimals, unit: $0) }
        }

        /// The amount of a card; nil for a card that has no amount in a unit.
        init?(_ card: Card, network: GenesisHash?, pallet: String? = nil) {
            guard let amount = card.amount else { return nil }
            self.init(
                token: Token(
                    network: network, asset: amount.asset,
                    pallet: amount.asset == nil ? nil : pallet.map { ExactText($0) },
                    symbol: ExactText(amount.text.symbol), decimals: amount.decimals), raw: amount.raw.text)
        }

        init(token: Token, raw: String) {
            self.token = token
            self.raw = raw
        }

        public static func == (one: Total, other: Total) -> Bool {
            one.token == other.token && one.raw.utf8Equals(other.raw) && one.network == other.network
        }
    }
}
