import Cards
import Extrinsics
import Hashing
import SubstratePrimitives

extension ReviewSummary {
    /// The sum of all amounts of one token.
    ///
    /// Every amount among the arguments counts, nested calls included. `TransactionPolicy` compares the same
    /// sum.
    public struct Total: Sendable, Equatable {
        /// A token of the network that the payload is for.
        struct Token: Hashable {
            let network: GenesisHash?
            let token: ShownCalls.Token
        }

        let token: Token
        /// In the smallest unit; as many digits as the sum has.
        public package(set) var raw: Planck
        /// Set where the whole has several networks.
        public package(set) var network: Network?

        /// The text of the asset's id; nil for the chain's own token.
        public var asset: ExactText? { token.token.asset }
        public var pallet: ExactText? { token.token.pallet }
        /// nil where the decimals of the asset are unknown: ``raw`` is all that is known.
        public var symbol: ExactText? { token.token.symbol }
        /// The number in the unit; ``raw`` where its decimals are unknown.
        public var plain: ExactText {
            symbol.map {
                let decimals = token.token.decimals
                return ExactText(
                    TokenAmount(planck: raw.digits.text, decimals: decimals, unit: $0.text).plain)
            } ?? raw.digits
        }

        /// The totals of amounts, in the order of reading; without those whose asset nothing names.
        static func all(of amounts: some Sequence<ShownCalls.Amount>, network: GenesisHash?) -> [Total] {
            amounts.filter { !$0.token.isUnclear }.map { Total($0.token, network: network, raw: $0.raw) }
                .merged(by: \.token) { $0.add($1) }
        }

        mutating func add(_ other: Total) { raw = raw + other.raw }

        init(_ token: ShownCalls.Token, network: GenesisHash?, raw: Planck) {
            (self.token, self.raw) = (Token(network: network, token: token), raw)
        }
    }
}
