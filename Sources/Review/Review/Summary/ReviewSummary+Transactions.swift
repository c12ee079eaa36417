import Cards
import Extrinsics
import Hashing
import History
import SubstratePrimitives

extension ReviewSummary {
    public init(_ reviewed: ReviewedTransaction) {
        if let specs = reviewed.specs {
            networks = [
                Network(
                    name: specs.name, genesisHash: specs.genesisHash, specVersion: reviewed.specVersion,
                    mark: reviewed.provedNetwork?.mark)
            ]
        }
        signers = reviewed.cards.author.map { Signer(card: $0) }
        warnings = reviewed.cards.warning
        switch reviewed.subject {
        case .transaction: if let decoded = reviewed.decoded { read(decoded, reviewed) }
        case .message:
            sentences = reviewed.cards.message.prefix(1).compactMap { Sentence(message: $0) }
        }
        (budgets, clockJump) = (reviewed.budgets, reviewed.clockJump)
        provenance = SummaryProvenance(reviewed.provenance, network: reviewed.specs?.genesisHash)
        if reviewed.yesVouches, reviewed.refusal == nil { provenance.yesVouches = reviewed.metadataHash }
        provenBlock = reviewed.state.map {
            ProvenBlock(
                number: $0.proven.chain.header.number, maximumAge: $0.proven.checkpoint.maximumAge)
        }
        word = TypedWord(calls: calls, warnings: warnings)
    }

    private mutating func read(_ decoded: DecodedTransaction, _ reviewed: ReviewedTransaction) {
        let cards = reviewed.cards.method
        // Not those of the decoded transaction: these cards have labels, and a person reads these.
        let shown = ShownCalls(cards)
        sentences = [CallPhrases(shown, cards).sentence]
        totals = Total.all(of: shown.amounts, network: reviewed.specs?.genesisHash)
        hasAlternatives = shown.calls.indices.contains(where: shown.hasAlternatives)
        recipients = Self.recipients(shown, cards)
        calls = shown.calls.map { CallCount(name: $0.name, count: 1) }.merged(by: \.name) {
            $0.count += $1.count
        }
        for index in recipients.indices {
            recipients[index].history = reviewed.history?.payments[recipients[index].address]
        }
        unread = UnreadAmount.allCases.filter { amount in
            switch amount {
            case .everything: decoded.summary.warnings.contains(.movesEverything)
            case .hiddenCalls: !decoded.summary.hiddenCalls.isEmpty
            case .numbers: decoded.summary.hasBareNumbers
            case .choices: decoded.summary.hasBareChoices
            case .assets: shown.amounts.contains(where: \.token.isUnclear)
            }
        }
        hasOtherAddresses =
            decoded.summary.hasOtherAddresses || decoded.summary.hasLocations
            || decoded.summary.possibleRecipients.contains { $0.count == 32 || $0.count == 20 }
        limits = reviewed.cards.extensions.filter { $0.kind == .tip }.compactMap { card in
            card.amount.map {
                .tip(
                    Total(
                        ShownCalls.Token($0, pallet: nil), network: reviewed.specs?.genesisHash, raw: $0.raw),
                    count: $0.raw > 0 ? 1 : 0)
            }
        }
        limits.append(.feeAsset(ExtensionContent(of: decoded).feeAsset))
        limits += Self.validity(reviewed.cards.extensions)
    }

    /// - Parameter cards: those that were read.
    static func recipients(_ shown: ShownCalls, _ cards: [Card]) -> [Recipient] {
        shown.recipients.map { named in
            let card = cards[named.card]
            return Recipient(
                address: named.address, account: named.account, label: card.known?.label,
                relation: card.relation, arguments: [named.argument], count: 1)
        }.merged(by: \.address) { $0.add($1) }
    }

    private static func validity(_ cards: [Card]) -> [Limit] {
        cards.enumerated().compactMap { index, card in
            switch card.kind {
            case .eraMortal, .eraImmortal:
                let next = index + 1 < cards.count ? cards[index + 1] : nil
                return .validity(era: card, notice: next?.kind == .notice ? next : nil)
            case .pallet, .call, .fieldName, .fieldNumber, .enumVariant, .account, .balance, .tip, .number,
                .text, .bytes, .bits, .bool,
                .none, .identityField, .nonce, .blockHash, .genesisHash, .specVersion, .txVersion,
                .metadataHash, .extension, .author,
                .authorUnknown, .warning, .verifier, .metadata, .types, .newSpecs, .network,
                .derivation, .message, .notice:
                return nil
            }
        }
    }
}

extension ReviewSummary.Signer {
    package init(card: Card) {
        let signer = card.signer
        self.init(
            address: signer?.address?.text, publicKey: signer?.publicKey.map { Hex.encode($0) },
            seed: signer?.seed?.text,
            group: signer?.group?.text, isImported: signer?.isImported ?? false,
            isUnstored: signer?.role == .unstored,
            path: signer?.path.text ?? "", label: signer?.label?.text,
            otherNetworks: (signer?.otherNetworks ?? []).map {
                ReviewSummary.Fact(name: $0.name.text, value: $0.genesis.hex)
            })
    }
}

extension Sentence {
    /// The longest message that stands in its sentence, in bytes.
    private static let messageLimit = 200

    fileprivate init?(message card: Card) {
        guard case .message(let message) = card.content else { return nil }
        switch message {
        case .text(let text) where text.utf8.count <= Self.messageLimit:
            self.init([.words("signs the text "), .quoted(text)])
        case .text(let text): self.init("signs a text of \(text.utf8.count) bytes")
        case .bytes(let bytes): self.init("signs \(bytes.count) bytes that are no text")
        }
    }
}

// MARK: Warnings

extension ReviewSummary {
    /// The warnings that ``provenance`` does not say.
    public var warningsBesideProvenance: [Card] { warnings.filter { !$0.warnsOfProvenance } }
}

extension Card {
    fileprivate var warnsOfProvenance: Bool {
        switch warning?.review {
        case .metadataBelieved, .unsignedMetadata: true
        case .unknownAuthor, .keyNotForNetwork, .olderRuntime, .networkOnlyProved, .keyNotDerived,
            .keyNotStored,
            .listedNetworkOnlyProved,
            .knownNameOnUnknownChain, .lookAlike, .paymentFarAbove, .nonceReused, .nonceBelowHighest,
            .nonceFarAhead, .callRepeated,
            .signedBefore, .eraExpired, .shortEraForGroup, .runtimeVersionUnknown, .unusualCall,
            .tipAboveAmounts, .unreadableMessage, .keyIsOld, .wordsUnchecked, nil:
            false
        }
    }
}
