import ArgumentParser
import Cards
import ChainRPC
import Extrinsics
import Hashing
import HotStore
import HotTransactions
import Lines
import Metadata
import SubstratePrimitives
import UOS

extension TxCommand {
    struct Remake: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make a transaction again for the same intent, so that it takes effect at most once.",
            discussion: """
                The new payload has the same call, signer, tip and nonce, and a new era: a chain takes one of \
                the two. The old one is marked as replaced and is not sent any more. --new-nonce is for an old \
                one that no block can have any more, as a finalized block shows.
                """)
        @Argument(help: "The transaction's number.") var id: Int64
        @Option(help: "A picture, .hex or .bin file; with --separate a directory.") var out: String?
        @Option(help: "The era in blocks, or immortal (default: as long as before).") var era: String?
        @Flag(help: "Take the account's next nonce, if the old transaction is proven to be impossible.")
        var newNonce = false
        @Flag(help: "With --new-nonce, believe one node: for a node of your own.") var oneNode = false
        @Option(help: "NAME={\"explicit\": …, \"implicit\": …} for an extension unknown to this program.")
        var `extension`: [String] = []
        @OptionGroup var nodes: TxNodeOptions
        @OptionGroup var picture: PictureOptions
        @OptionGroup var drawing: TerminalOptions
        @OptionGroup var database: DatabaseOptions

        func validate() throws {
            guard out != nil || drawing.terminal else {
                throw ValidationError("give --out FILE, or --terminal")
            }
            guard newNonce || !oneNode else { throw ValidationError("--one-node is for --new-nonce") }
        }

        func run() async throws {
            try picture.require(out, or: drawing)
            let store = try database.open()
            let old = try store.transaction(id)
            switch old.state {
            case .replaced: throw HotStoreError.replacedTransaction(id, by: old.successor ?? id)
            case .final, .failed: throw HotStoreError.transactionIsOver(id, state: old.state.rawValue)
            case .made, .signed, .submitted, .inBlock, .expired: break
            }
            if let over = try store.transactions(of: old.intent).first(where: \.state.isFinal) {
                throw HotStoreError.transactionIsOver(over.id, state: over.state.rawValue)
            }
            let inquiry = try await TxInquiry(old, nodes, store)
            try await allow(inquiry, store)
            let request = try old.request(store)
            let made = try await command(old, request, store).made(in: store)
            let new = try SignedRequest.all(in: made.payload, store)[0]
            try compare(old, request, made.drafts[0].decoded, new, store)
            // The record of both is on the disk before anybody sees the new payload: a kill from here on
            // leaves the new one, which tx show --out draws.
            let nonce = old.content.nonce.map { "\($0)" } ?? "unknown"
            try store.remember(payload: made.payload, network: made.network.name, at: Clock.now)
            let kept = try store.replace(
                // One that was signed while the nodes were asked is proven by nothing yet.
                id, with: new.content(store),
                impossible: newNonce
                    ? Set(inquiry.asked.filter { inquiry.fate.running([$0]) == nil }.map(\.id)) : [],
                detail: newNonce ? reason(inquiry) : "made again with its nonce \(nonce)",
                witness: newNonce ? inquiry.witness : nil, at: Clock.now)
            if let out { try picture.write(made.payload, to: out, or: drawing) }
            Console.print(
                kept.id == id
                    ? "transaction \(id) is the same again: its era starts at the newest final block"
                    : "transaction \(kept.id) replaces transaction \(id)")
            if out == nil, drawing.terminal { _ = try picture.show(made.payload) }
        }

        /// Refuses what could make the intent take effect twice.
        private func allow(_ inquiry: TxInquiry, _ store: HotStore) async throws {
            let (fate, block) = (inquiry.fate, inquiry.fate.block.number)
            let own = inquiry.row.content.nonce
            switch inquiry.verdict {
            case .found(let found):
                try await inquiry.settle(found, store)
                throw HotStoreError.transactionIsOver(found.id, state: "final")
            case .overtaken:
                guard newNonce else {
                    throw TxError.nonceUsed(id, nonce: own ?? 0, block: block)
                }
            case .over: break
            case .open(let until, let unseen):
                if newNonce { throw TxError.stillPossible(id, until: until, block: block) }
                if let unseen { try allowUnseen(unseen, fate, own) }
            case .unknown(let reason): try allowUnseen(reason, fate, own)
            }
            guard newNonce else { return }
            // That its nonce is used ends no signature while its era runs: the account may be emptied, and
            // its nonces come to this one again.
            if let end = fate.running(inquiry.asked.filter(\.isSigned)) {
                throw TxError.eraRuns(id, until: end, block: block)
            }
            guard nodes.quorum.quorum == 1 else { return }
            guard oneNode else { throw TxError.oneNode }
            Console.note("the old transaction is impossible by \(Witness.oneNode) alone")
        }

        /// Where not every block was searched, the nonce has to tell.
        ///
        /// With its own nonce the new one competes with the old one: while the account's nonce is not beyond
        /// that, the old one did not come, unless the account was emptied since. An account that the chain
        /// does not know has the nonce 0 and may have been emptied by this very transaction, so a nonce of 0
        /// tells nothing. A higher one is of an account that exists and sent something: for it to mislead, the
        /// account has to be emptied, filled and used again since. Whoever did that knows it, and is told.
        private func allowUnseen(_ reason: String, _ fate: Fate, _ own: UInt64?) throws {
            guard !newNonce, let own, let nonce = fate.nonce, nonce > 0, nonce <= own, fate.similar == nil
            else { throw TxError.unproven(id, reason: reason) }
            Console.note(
                Escape.terminal(
                    """
                    not every block was searched: \(reason); by the account's nonce \(nonce), transaction \
                    \(id) did not take effect, unless the account was emptied and used again since
                    """))
        }

        private func reason(_ inquiry: TxInquiry) -> String {
            let block = inquiry.fate.block.number
            if case .over(let end) = inquiry.verdict { return "its era ended at block \(end)" }
            return "another transaction used its nonce, up to block \(block)"
        }

        /// The command that makes it again.
        private func command(_ old: HotTransaction, _ request: SignedRequest, _ store: HotStore) throws
            -> MakeTransaction
        {
            let known = try request.owner(store)
            guard case .transaction(let payload) = try Payload(old.content.payload).content else {
                throw HotError.notATransaction
            }
            let signer: [String] =
                switch payload.signer {
                case .key(let key): ["--signer", "0x" + Hex.encode(key.bytes)]
                case .ethereum(let address): ["--signer", "0x" + Hex.encode(address)]
                case .derived(let root, let path, _):
                    ["--root", "0x" + Hex.encode(root.bytes), "--path", path]
                }
            let tip = try request.decoded(store: store).facts.tip ?? 0
            var words = ["--network", try store.shownName(of: known), "--tip", "\(tip)"] + signer
            words += ["--call-hex", Hex.encode(request.call), "--era"]
            words.append(era ?? old.content.period.map { "\($0)" } ?? "immortal")
            if !payload.hasProof { words.append("--without-proof") }
            if !newNonce, let nonce = old.content.nonce { words += ["--nonce", "\(nonce)"] }
            for value in `extension` { words += ["--extension", value] }
            for address in nodes.addresses(known) { words += ["--url", address] }
            var command = try MakeTransaction.parse(words)
            command.values.quorum = nodes.quorum
            command.values.network = nodes.network
            return command
        }

        /// Prints how the new payload differs, and refuses one that does more than that.
        private func compare(
            _ old: HotTransaction, _ request: SignedRequest, _ decoded: DecodedTransaction,
            _ new: SignedRequest, _ store: HotStore
        ) throws {
            guard new.call == request.call, new.signer.payloadKey == request.signer.payloadKey,
                new.signer.scheme == request.signer.scheme, new.genesisHash == request.genesisHash
            else { throw TxError.otherContent(id, line: "call or signer") }
            let (was, isNow) = (
                CardRow.compared(try request.decoded(store: store).extensions),
                CardRow.compared(decoded.extensions)
            )
            let (before, after) = (was.filter { !isNow.has($0) }, isNow.filter { !was.has($0) })
            for row in before + after where !row.mayDiffer(nonce: newNonce) {
                throw TxError.otherContent(id, line: row.text.trimmed)
            }
            for row in before { Console.note("- \(row.text.trimmed)") }
            for row in after { Console.note("+ \(row.text.trimmed)") }
        }
    }
}

extension [CardRow] {
    fileprivate func has(_ row: CardRow) -> Bool { contains { $0.text.utf8Equals(row.text) } }
}

extension CardRow {
    /// Without the notices, which say in words what the rows before them say.
    fileprivate static func compared(_ cards: [Card]) -> [CardRow] {
        rows(cards).filter { $0.cards.last?.kind != .notice }
    }

    /// Whether a transaction that is made again for the same intent may differ in this. Everything else is
    /// what the intent is about, tips and assets for the fee among it.
    fileprivate func mayDiffer(nonce: Bool) -> Bool {
        let allowed: [Card.Kind] = [
            .eraMortal, .eraImmortal, .blockHash, .specVersion, .txVersion, .metadataHash,
        ]
        guard let kind = cards.last?.kind else { return false }
        return allowed.contains(kind) || nonce && kind == .nonce
    }
}

extension String {
    /// Without the blanks that a row begins with.
    fileprivate var trimmed: String { String(drop { $0 == " " }) }
}
