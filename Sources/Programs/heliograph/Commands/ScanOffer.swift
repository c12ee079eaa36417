import Ceremony
import CommandKit
import Presentation
import Review
import SubstratePrimitives
import TerminalIO

/// Storing a listed network whose transaction came before it.
extension Scan {
    /// Asks the person, below the cards, whether to store the networks that alone keep the transactions from
    /// being signed, and stores them.
    ///
    /// Only chains of the built-in list are offered, where two sources give each value and the proof has the
    /// same ones. What is stored is the row of the list, so that whoever made the transaction can bring about
    /// the question, but none of what is stored by it. No key may sign for the network by this.
    /// - Returns: whether something was stored.
    func storeListed(
        _ shown: [ReviewedTransaction], _ device: Device, _ session: ReviewSession
    ) throws -> Bool {
        guard !approve, session.console.terminal != nil, let chains = Self.offered(shown) else {
            return false
        }
        for (count, chain) in chains.enumerated() {
            let change = ChangeTrust.Change.addListedNetwork(chain.genesisHash)
            let (question, preview) = try device.preview(ChangeTrust(change)).reading { _, trust in
                ([Wording.storeQuestion(chain)] + Wording.effects(of: change, in: trust)).joined(
                    separator: " ")
            }
            let approval: Approval<ChangeTrust>
            do {
                approval = try preview.confirm { try session.ask(question, isAct: false) }
            } catch CeremonyError.declined {
                // The transaction is refused as it would be without the question.
                return count > 0
            }
            _ = try session.open().perform(approval)
            session.console.note(Wording.stored(chain))
        }
        return true
    }

    /// The chains without which nothing can be signed; nil where storing them is not enough to go on.
    private static func offered(_ shown: [ReviewedTransaction]) -> [WellKnownChain]? {
        var chains: [WellKnownChain] = []
        for transaction in shown {
            guard let refusal = transaction.refusal else { continue }
            guard case .networkOnlyProved(_, let genesis?) = refusal,
                let chain = WellKnownChain.chain(genesis: genesis)
            else { return nil }
            if !chains.contains(where: { $0.genesisHash == genesis }) { chains.append(chain) }
        }
        return chains.isEmpty ? nil : chains
    }
}
