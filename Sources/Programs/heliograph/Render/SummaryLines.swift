import Cards
import Extrinsics
import Review
import SubstratePrimitives
import Terminal

/// A summary as lines: a name, and what there is to say of it.
struct SummaryLines {
    let summary: ReviewSummary
    /// Recipients that are listed; where there are more, their count stands for them.
    var recipientLimit = Int.max

    /// How many recipients stand in the lines right above a question, so that the other lines stay on a screen of 24.
    static let briefRecipients = 6

    var lines: [StyledLine] {
        networks + signers + sentences + totals + recipients + limits + calls
            + summary.facts.flatMap { entry($0.name, [[.init(Escape.ascii($0.value))]]) } + checks + warnings
    }

    /// One name, and a line for each value.
    private func entry(_ name: String, _ values: [[StyledLine.Run]], _ style: TextStyle = .dim) -> [StyledLine] {
        values.enumerated().map { index, runs in
            let name = index == 0 ? name : ""
            let column = name + String(repeating: " ", count: Swift.max(1, Self.column - name.utf8.count))
            return StyledLine(indent: 2, [.init(column, style)] + runs)
        }
    }

    /// Where the values start.
    private static let column = 10

    private var networks: [StyledLine] {
        // Nobody signs updates and shares: a network that they do not name is none.
        if summary.networks.isEmpty { return summary.signers.isEmpty ? [] : entry("network", [[.init(Wording.anyNetwork)]]) }
        return entry("network", summary.networks.map { [.init(Wording.network($0), .heading)] })
    }

    private var signers: [StyledLine] {
        entry(
            "signer",
            summary.signers.flatMap { signer -> [[StyledLine.Run]] in
                let style: TextStyle = signer.seed == nil ? .warning : .ownAccount
                let runs = [
                    StyledLine.Run(signer.address.map { Escape.line($0) + " " } ?? "", style), .init(Wording.signer(signer), style),
                ]
                let others = signer.otherNetworks.map { [StyledLine.Run(Wording.alsoSigns(network: $0.name, genesis: $0.value), .warning)] }
                return [runs.filter { !$0.text.utf8.isEmpty }] + others
            })
    }

    private var sentences: [StyledLine] {
        let several = summary.sentences.count > 1
        return entry(
            "does",
            summary.sentences.enumerated().map { index, sentence in
                (several ? [.init("\(index + 1). ", .dim)] : []) + sentence.parts.map(Self.run)
            })
    }

    private static func run(_ part: Sentence.Part) -> StyledLine.Run {
        switch part {
        case .words(let words): .init(words)
        case .call(let pallet, let call): .init("\(Escape.name(pallet)).\(Escape.name(call))", .call)
        case .quoted(let text): .init(Escape.quoted(text))
        case .name(let name): .init(Wording.name(name))
        case .place(let place): .init(Escape.ascii(place))
        case .amount(let card): .init(CardLine(card, amounts: .plain).text, .amount)
        case .account(let address): .init(Escape.ascii(address), .account)
        }
    }

    private var totals: [StyledLine] {
        // Only calls move amounts.
        guard !summary.calls.isEmpty else { return [] }
        let amounts = summary.totals.map { total -> [StyledLine.Run] in
            let network = total.network.map { " on \(Wording.name($0))" } ?? ""
            guard let symbol = total.symbol else {
                return [.init(Amount.grouped(total.raw), .amount), .init(" " + Wording.unknownUnit(of: total) + network)]
            }
            let asset = total.asset == nil ? "" : " (\(Wording.asset(total)))"
            return [.init(Amount.plain(total.plain, unit: symbol), .amount), .init(asset + network)].filter { !$0.text.utf8.isEmpty }
        }
        let unread = summary.unread.map { [StyledLine.Run((amounts.isEmpty ? "" : "and ") + Wording.unread($0), .warning)] }
        return entry("total", amounts.isEmpty && unread.isEmpty ? [[.init(Wording.noAmounts)]] : amounts + unread)
    }

    private var recipients: [StyledLine] {
        let others = summary.hasOtherAddresses ? [[StyledLine.Run(Wording.otherAddresses, .warning)]] : []
        guard summary.recipients.count <= recipientLimit else {
            let own = summary.recipients.count { if case .own = $0.relation { true } else { false } }
            return entry("to", [[.init(Wording.recipients(own: own, others: summary.recipients.count - own), .account)]] + others)
        }
        return entry("to", summary.recipients.map(Self.runs) + others)
    }

    private static func runs(_ recipient: ReviewSummary.Recipient) -> [StyledLine.Run] {
        let style: TextStyle =
            switch recipient.relation {
            case .own: .ownAccount
            case .stranger, .unchecked: .account
            }
        let whose = Wording.whose(recipient.relation, label: recipient.label).map { " " + $0 } ?? ""
        let names = recipient.arguments.filter { !$0.utf8.isEmpty }.map(Escape.name).joined(separator: ", ")
        let role = (names.isEmpty ? "" : " as \(names)") + (recipient.count > 1 ? ", \(recipient.count) times" : "")
        return [.init(Escape.ascii(recipient.address), style), .init(whose, style == .ownAccount ? style : .plain), .init(role, .dim)]
            .filter { !$0.text.utf8.isEmpty }
    }

    private var limits: [StyledLine] {
        summary.limits.flatMap { limit in
            switch limit {
            case .tip(let card): entry("tip", [[.init(CardLine(card, amounts: .plain).text, .amount)]])
            case .feeAsset(let asset): entry("fee", [[.init(Wording.feeAsset(asset))]])
            case .validity(let era, let notice): entry("valid", [[.init(Wording.validity(era: era, notice: notice))]])
            }
        }
    }

    private var calls: [StyledLine] {
        let count = summary.calls.reduce(0) { $0 + $1.count }
        guard count > 1 else { return [] }
        let names = summary.calls.enumerated().flatMap { index, call -> [StyledLine.Run] in
            [
                .init("\(index == 0 ? ": " : ", ")\(call.count) x "),
                .init("\(Escape.name(call.name.pallet)).\(Escape.name(call.name.call))", .call),
            ]
        }
        return entry("calls", [[.init(Wording.calls(count))] + names])
    }

    private var checks: [StyledLine] { summary.checkedByChain == true ? entry("checked", [[.init(Wording.checkedByChain)]]) : [] }

    private var warnings: [StyledLine] {
        summary.warnings.flatMap { card in
            let style: TextStyle = card.kind == .error ? .error : .warning
            return entry(card.kind == .error ? "ERROR" : "WARNING", [[.init(CardLine(card).text, style)]], style)
        }
    }
}
