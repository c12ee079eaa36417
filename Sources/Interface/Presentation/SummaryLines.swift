import Cards
import Extrinsics
import GroupReview
import Lines
import Review
import SubstratePrimitives
import TerminalIO
import TrustUpdates

/// A summary as lines: a name, and what there is to say of it.
package struct SummaryLines {
    let summary: ReviewSummary
    /// How much is listed; nil for everything.
    var bound: Bound?

    package init(summary: ReviewSummary, bound: Bound? = nil) {
        (self.summary, self.bound) = (summary, bound)
    }

    package var lines: [StyledLine] {
        dangers + networks + signers + sentences + totals + recipients + limits + budgets + calls
            + facts + provenance + warnings
    }

    /// One name, and a line for each value.
    /// - Parameter need: the need of the first value. Further values of a list are needed less than a
    ///   warning, so that a long list pushes no warning away.
    func entry(
        _ name: String, _ values: [[StyledLine.Run]], _ style: TextStyle = .dim,
        need: StyledLine.Need = .usual
    ) -> [StyledLine] {
        values.enumerated().map { index, runs in
            let name = index == 0 ? name : ""
            let column = name + String(repeating: " ", count: Swift.max(1, Self.column - name.utf8.count))
            var line = StyledLine(indent: 2, [.init(column, style)] + runs)
            line.need = index == 0 ? need : min(need, .listed)
            return bound.map { line.shortened(to: $0) } ?? line
        }
    }

    /// As many values as the bound lets through, and how many more there are.
    private func bounded(_ values: [[StyledLine.Run]]) -> [[StyledLine.Run]] {
        guard let bound, values.count > bound.entries else { return values }
        let shown = Swift.max(1, bound.entries - 1)
        return values.prefix(shown) + [[.init(Wording.more(values.count - shown))]]
    }

    /// Where the values start.
    private static let column = 10

    private var networks: [StyledLine] {
        // Updates and shares need no signature, so a missing network is not shown for them.
        if summary.networks.isEmpty {
            return summary.signers.isEmpty ? [] : entry("network", [[.init("any network")]])
        }
        return entry("network", bounded(summary.networks.map { [.init(Wording.network($0), .heading)] }))
    }

    private var signers: [StyledLine] {
        let shown = bound.map {
            summary.signers.count > $0.entries ? Swift.max(1, $0.entries - 1) : summary.signers.count
        }
        let left = summary.signers.count - (shown ?? summary.signers.count)
        return entry(
            "signer",
            summary.signers.prefix(shown ?? .max).flatMap { signer -> [[StyledLine.Run]] in
                let style: TextStyle = signer.isOfThisVault ? .ownAccount : .warning
                let runs = [
                    StyledLine.Run(signer.address.map { Escape.line($0) + " " } ?? "", style),
                    .init(Wording.signer(signer), style),
                ]
                let others = signer.otherNetworks.map {
                    [StyledLine.Run(Wording.alsoSigns(network: $0.name, genesis: $0.value), .warning)]
                }
                return [runs.filter { !$0.text.utf8.isEmpty }] + bounded(others)
            } + (left > 0 ? [[.init(Wording.more(left))]] : []), need: .signer)
    }

    private var sentences: [StyledLine] {
        let several = summary.sentences.count > 1
        let lines = entry(
            "does",
            bounded(
                summary.sentences.enumerated().map { index, sentence in
                    (several ? [.init("\(index + 1). ", .dim)] : []) + sentence.parts.map(Self.run)
                }), need: .named)
        // A second destination says more than a second sentence, which may be long.
        return lines.map { line in
            var line = line
            line.need = line.need == .listed ? .act : line.need
            return line
        }
    }

    private static func run(_ part: Sentence.Part) -> StyledLine.Run {
        switch part {
        case .words(let words): .init(words.text)
        case .call(let name): run(name)
        case .quoted(let text): .init(Escape.quoted(text.text))
        case .name(let name): .init(Wording.name(name.text))
        case .place(let place): .init(Escape.ascii(place.text))
        case .amount(let number, let unit):
            .init(unit.map { Amount.plain(number.text, unit: $0.text) } ?? Escape.ascii(number.text), .amount)
        case .account(let address): .init(Escape.ascii(address.text), .account)
        }
    }

    private static func run(_ name: ShownCalls.Name) -> StyledLine.Run {
        .init("\(Escape.name(name.pallet.text)).\(Escape.name(name.call.text))", .call)
    }

    private var totals: [StyledLine] {
        // Only calls move amounts.
        guard !summary.calls.isEmpty else { return [] }
        let amounts = bounded(
            summary.totals.map { total -> [StyledLine.Run] in
                let network = total.network.map { " on \(Wording.networkName($0))" } ?? ""
                let bound = summary.hasAlternatives ? [StyledLine.Run("at most ")] : []
                guard let symbol = total.symbol else {
                    return bound + [
                        .init(Amount.grouped(total.plain.text), .amount),
                        .init(" " + Wording.unknownUnit(of: total) + network),
                    ]
                }
                let asset = total.asset == nil ? "" : " (\(Wording.asset(total)))"
                let amount = [
                    StyledLine.Run(Amount.plain(total.plain.text, unit: symbol.text), .amount),
                    .init(asset + network),
                ]
                return bound + amount.filter { !$0.text.utf8.isEmpty }
            })
        let unread = summary.unread.map {
            [StyledLine.Run((amounts.isEmpty ? "" : "and ") + Wording.unread($0), .warning)]
        }
        guard amounts.isEmpty, unread.isEmpty else {
            return entry("total", amounts + unread, need: .compared)
        }
        let sendsNothing = summary.calls.allSatisfy(\.name.movesNothing)
        return entry(
            "total", [[.init(Wording.noAmount(sendsNothing: sendsNothing))]], need: .compared)
    }

    private var recipients: [StyledLine] {
        let others =
            summary.hasOtherAddresses
            ? [
                [
                    StyledLine.Run(
                        "addresses that name no account by its key, or places on other chains: see the cards",
                        .warning)
                ]
            ] : []
        guard bound.map({ summary.recipients.count <= $0.recipients }) ?? true else {
            let own = summary.recipients.count { $0.relation.isOfThisVault }
            let contacts = summary.recipients.count { if case .contact = $0.relation { true } else { false } }
            let unpaid = summary.recipients.count { if case .notPaid = $0.history { true } else { false } }
            let count = Wording.recipients(
                own: own, contacts: contacts, others: summary.recipients.count - own - contacts,
                unpaid: unpaid)
            return entry("to", [[.init(count, .account)]] + others, need: .compared)
        }
        return entry("to", summary.recipients.map(Self.runs) + others, need: .compared)
    }

    private static func runs(_ recipient: ReviewSummary.Recipient) -> [StyledLine.Run] {
        let style: TextStyle =
            switch recipient.relation {
            case .own, .group, .imported: .ownAccount
            case .contact(let mark): mark.isOfOtherNetwork ? .warning : .account
            case .stranger, .unchecked: .account
            }
        let whose = Wording.whose(recipient.relation, label: recipient.label?.text).map { " " + $0 } ?? ""
        let names = recipient.arguments.filter { !$0.utf8.isEmpty }.map { Escape.name($0.text) }
            .joined(separator: ", ")
        let paid = recipient.history.flatMap(Wording.paid).map { " " + $0 } ?? ""
        let role =
            (names.isEmpty ? "" : "\(paid.isEmpty ? "" : ",") as \(names)")
            + (recipient.count > 1 ? ", \(recipient.count) times" : "")
        return [
            .init(Escape.ascii(recipient.address.text), style),
            .init(whose, style == .ownAccount ? style : .plain), .init(paid, .plain),
            .init(role, .dim),
        ]
        .filter { !$0.text.utf8.isEmpty }
    }

    private var limits: [StyledLine] {
        var (tips, fees, validities): ([[StyledLine.Run]], [[StyledLine.Run]], [[StyledLine.Run]]) = (
            [], [], []
        )
        // No tip, and a fee in the chain's own token, are what most transactions have.
        var (tipNeed, feeNeed) = (StyledLine.Need.usual, StyledLine.Need.usual)
        for limit in summary.limits {
            switch limit {
            case .tip(let total, let count):
                if total.raw != 0 { tipNeed = .named }
                let network = total.network.map { " on \(Wording.networkName($0))" } ?? ""
                let amount =
                    total.symbol.map { Amount.plain(total.plain.text, unit: $0.text) }
                    ?? Amount.grouped(total.plain.text)
                let rest = network + (count > 1 ? " (\(count) tips)" : "")
                tips.append([StyledLine.Run(amount, .amount)] + (rest.utf8.isEmpty ? [] : [.init(rest)]))
            case .feeAsset(let asset):
                if asset != .native { feeNeed = .named }
                fees.append([.init(Wording.feeAsset(asset))])
            case .validity(let era, let notice):
                validities.append([.init(Wording.validity(era: era, notice: notice))])
            }
        }
        return entry("tip", bounded(tips), need: tipNeed) + entry("fee", bounded(fees), need: feeNeed)
            + entry("valid", bounded(validities))
    }

    private var budgets: [StyledLine] {
        let uses = bounded(summary.budgets.map { [StyledLine.Run(Wording.budget($0), .amount)] })
        let ahead = summary.clockJump.map { [[StyledLine.Run(Wording.clockIsAhead($0), .warning)]] } ?? []
        return entry("budget", uses + ahead)
    }

    private var calls: [StyledLine] {
        let count = summary.calls.reduce(0) { $0 + $1.count }
        guard count > 1 else { return [] }
        let names = summary.calls.enumerated().flatMap { index, call -> [StyledLine.Run] in
            [.init("\(index == 0 ? ": " : ", ")\(call.count) x "), Self.run(call.name)]
        }
        return entry("calls", [[.init(Wording.calls(count))] + names])
    }

    private var facts: [StyledLine] {
        if bound != nil, summary.needsAllFacts { return SummaryLines(summary: summary).facts }
        // Words that a person says to have compared stay longer than other facts, whole.
        let need = summary.needsAllFacts ? StyledLine.Need.act : .usual
        let lines = summary.facts.flatMap { entry($0.name, [[.init(Escape.ascii($0.value))]], need: need) }
        guard let bound, lines.count > bound.entries else { return lines }
        let shown = Swift.max(1, bound.entries - 1)
        return lines.prefix(shown) + entry("", [[.init(Wording.more(lines.count - shown))]])
    }

    /// First and whole, whatever the bound: above all facts, where no window cuts it.
    private var dangers: [StyledLine] {
        let whole = SummaryLines(summary: summary)
        return summary.warningsBesideProvenance.filter(Self.isDanger).flatMap { card in
            whole.entry("WARNING", [[.init(CardLine(card).text, .error)]], .error)
        }
    }

    private static func isDanger(_ card: Card) -> Bool {
        if case .update(let warning)? = card.warning { return TypedWord.isDanger(warning) }
        return TypedWord.isDanger(card)
    }

    private var warnings: [StyledLine] {
        let lines = summary.warningsBesideProvenance.filter { !Self.isDanger($0) }.flatMap { card in
            entry("WARNING", [[.init(CardLine(card).text, .warning)]], .warning)
        }
        guard bound != nil, lines.count > Self.warningLimit else { return lines }
        let more = Wording.moreWarnings(lines.count - Self.warningLimit)
        return lines.prefix(Self.warningLimit) + entry("", [[.init(more, .warning)]])
    }
}

/// Whether the chain checks what is shown, or who is believed instead.
extension SummaryLines {
    /// How many readings with stored metadata are listed above a question. A single one is shown in full; of
    /// several each has one row, so that they push no warning away.
    private static let readingLimit = 3

    var provenance: [StyledLine] { checked + readings + vouched + proven }

    private var proven: [StyledLine] {
        summary.provenBlock.map { entry("proven", [[.init(StateWording.block($0))]]) } ?? []
    }

    /// Nobody else vouches for the hash, so the line warns.
    private var vouched: [StyledLine] {
        summary.provenance.yesVouches.map {
            entry("vouches", [[.init(Wording.yesVouches($0), .warning)]])
        } ?? []
    }

    /// The claim is left out before facts: without it a review looks less checked than it is. Unchecked
    /// content is a warning, so in a small window it stays longer than the claim that it limits.
    private var checked: [StyledLine] {
        let provenance = summary.provenance
        guard provenance.checked > 0 else { return [] }
        let claim = [StyledLine.Run(Wording.checked(provenance.checked, of: provenance.payloads))]
        let limits =
            provenance.beyond.isEmpty
            ? [] : [[StyledLine.Run(Wording.unreached(provenance.beyond), .warning)]]
        return entry("checked", [claim] + limits)
    }

    private var readings: [StyledLine] {
        let readings = summary.provenance.readings
        let count =
            bound == nil || readings.count <= Self.readingLimit ? readings.count : Self.readingLimit - 1
        let lines = readings.prefix(count).flatMap { reading in
            let payloads = summary.provenance.payloads
            guard reading.warns else {
                return entry("read", [[.init(Wording.reading(reading, of: payloads))]])
            }
            return entry(
                "WARNING", [[.init(Wording.reading(reading, of: payloads, verb: "read "), .warning)]],
                .warning)
        }
        let left = readings.dropFirst(count)
        let more = StyledLine.Run(Wording.more(left.count), left.contains(where: \.warns) ? .warning : .plain)
        return (bound == nil || readings.count == 1 ? lines : lines.map { $0.shortened(toRows: 1) })
            + (left.isEmpty ? [] : entry("", [[more]]))
    }
}
