import Cards
import Extrinsics
import SubstratePrimitives
import TestSupport
import Testing

@testable import Lines
@testable import Presentation
@testable import Review
@testable import TerminalIO

/// The summary right above a question fits a screen of 24 rows, whatever the payloads say.
@Suite struct BriefSummaryTests {
    private static func warnings(_ count: Int) -> [Card] {
        (0..<count).map {
            let call: ExactText = "warning number \($0): what it says takes more than one row of a terminal"
            return Card(.warning(.unusualCall(.fields(pallet: call, call: "x", count: 1, most: 0))))
        }
    }

    private static func drawn(_ generator: inout SeededGenerator) -> ReviewSummary {
        var summary = ReviewSummary()
        func count() -> Int { [0, 1, 2, 3, 4, 5, 40].randomElement(using: &generator)! }
        let name = String(repeating: "long name ", count: [1, 40].randomElement(using: &generator)!)
        let address = "5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty"
        summary.networks = (0..<count()).map {
            .init(name: "\($0) \(name)", genesisHash: nil, specVersion: 1)
        }
        summary.signers = (0..<count()).map { number in
            .init(
                address: address, publicKey: nil, seed: "main", path: "//\(number)", label: name,
                otherNetworks: (0..<number % 3).map {
                    .init(name: "\($0)", value: String(repeating: "ab", count: 32))
                })
        }
        summary.sentences = (0..<count()).map {
            Sentence([.words("sends \($0) to "), .account(ExactText(address)), .quoted(ExactText(name))])
        }
        summary.totals = (0..<count()).map { number in
            .init(
                .init(asset: "\(number)", pallet: "Assets", symbol: nil, decimals: 0), network: nil,
                raw: Planck(String(repeating: "9", count: 60)) ?? 0)
        }
        summary.recipients = (0..<count()).map { number in
            .init(
                address: "\(number) \(address)", account: [], label: ExactText(name),
                relation: .own(seed: "main", path: "//1"), arguments: ["dest"],
                count: 3)
        }
        summary.calls = (0..<count()).map {
            .init(name: .init(pallet: "Assets", call: "transfer_\($0)"), count: 2)
        }
        summary.limits =
            summary.totals.map { .tip($0, count: 3) } + [.feeAsset(.asset(Array(repeating: 1, count: 200)))]
            + (0..<count()).map {
                .validity(
                    era: Card(.era(.mortal(MortalEra(period: 64, phase: UInt32($0))!))),
                    notice: Card(.notice, name))
            }
        summary.unread = ReviewSummary.UnreadAmount.allCases
        summary.hasOtherAddresses = true
        summary.provenance = provenance(count(), summary.networks)
        summary.warnings = warnings(count())
        return summary
    }

    /// A person types that each of them was compared.
    @Test func `words that are to be compared are neither left out nor cut`() {
        var summary = ReviewSummary()
        summary.facts = (1...16).map {
            .init(name: "member \($0)", value: "\"m\($0)\": " + String(repeating: "letter\($0) ", count: 20))
        }
        summary.needsAllFacts = true
        summary.warnings = Self.warnings(9)
        let text = SummaryLines.brief(summary).map(\.text).joined(separator: "\n")
        for fact in summary.facts { #expect(text.contains(fact.value)) }
        summary.needsAllFacts = false
        #expect(SummaryLines.brief(summary).map(\.text).count { $0.contains("letter") } < 16)
    }

    /// Whoever fills a summary with other warnings does not push a danger away.
    @Test(arguments: [(80, 24), (60, 20), (48, 10)])
    func `dangers stand first and whole, above all facts and at the question`(columns: Int, rows: Int) {
        var generator = SeededGenerator.printed("dangers of a summary")
        let dangers = [
            Warning.movesEverything.card,
            Card(
                .warning(
                    .unknownNetwork(
                        ExactText("name " + String(repeating: "and ", count: 30) + "end"), isKnownName: true))
            ),
        ]
        for _ in 0..<30 {
            var summary = Self.drawn(&generator)
            summary.warnings.insert(contentsOf: dangers, at: summary.warnings.count / 2)
            let (brief, full) = (SummaryLines.brief(summary), SummaryLines(summary: summary).lines)
            for lines in [brief, full] {
                #expect(lines.prefix(2).map(\.isDanger) == [true, true])
                #expect(!lines.dropFirst(2).map(\.isDanger).contains(true))
                #expect(zip(lines, dangers).allSatisfy { $0.text.hasSuffix($1.value) })
            }
            var pager = Pager(
                ReviewPage(summary: full, brief: brief, question: ReviewQuestion("Sign?")) { _ in
                    [StyledLine("card")]
                }, columns: columns, rows: rows)
            var presses = 0
            while !pager.press(.character(" ")), presses < 1_000 { presses += 1 }
            let whole = brief.prefix(2).flatMap { $0.wrapped(to: columns) }.map(\.text)
            #expect(
                Array(pager.frame.text.prefix(min(whole.count, rows - 3))) == Array(whole.prefix(rows - 3)))
            let left = brief.mostNeeded(whole.count, columns: columns)
            #expect(left.rows.map(\.text) == whole)
            #expect(
                left.hidden == brief.reduce(0) { $0 + $1.wrapped(to: columns).count } - whole.count)
        }
    }

    /// Half of a fact reads as another fact. Destination and amount stay before warnings.
    @Test(arguments: [(80, 18), (60, 14), (48, 9)])
    func `a line is there with all its rows or with none, and what is compared stays`(
        columns: Int, room: Int
    ) {
        var generator = SeededGenerator.printed("lines that fit")
        for _ in 0..<60 {
            var summary = Self.drawn(&generator)
            summary.recipients = Array(summary.recipients.prefix(1))
            summary.totals = Array(summary.totals.prefix(1))
            summary.provenance.readings = []
            let brief = SummaryLines.brief(summary)
            let kept = brief.mostNeeded(room, columns: columns)
            let fitted = brief.map { $0.wrapped(to: columns).map(\.text) }
            var rest = kept.rows.map(\.text)[...]
            for rows in fitted {
                if rest.starts(with: rows) {
                    rest = rest.dropFirst(rows.count)
                } else if rest.starts(with: [rows[0]]), rest.dropFirst().first?.hasSuffix("...") == true {
                    rest = rest.dropFirst(2)
                }
            }
            #expect(rest.isEmpty)
            #expect(kept.rows.count <= room && kept.hidden == fitted.joined().count - kept.rows.count)
            let compared = brief.filter { $0.need == .compared }.map { $0.wrapped(to: columns)[0].text }
            #expect(compared.allSatisfy { row in kept.rows.contains { $0.text == row } })
            // None of what a person needs is hidden where all of it fits.
            let needed = brief.filter { $0.warns || $0.need >= .signer }
            let rows = needed.map { $0.wrapped(to: columns).map(\.text) }
            if rows.joined().count <= room {
                #expect(rows.joined().allSatisfy { row in kept.rows.contains { $0.text == row } })
            }
        }
    }

    /// The rows that the question and the passphrase leave to the summary in a window of 60 x 20.
    @Test(arguments: [17, 14])
    func `sentences that every review has make room for what is done, for a tip and for warnings`(
        room: Int
    ) {
        let address: ExactText = "5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty"
        let other: ExactText = "5FLSigC9HGRKVhB9FiEo4Y3koPsNmBmLJbpXg2mp1hXcS59Y"
        func hlo(_ raw: Planck) -> ReviewSummary.Total {
            .init(.init(asset: nil, pallet: "Balances", symbol: "HLO", decimals: 0), network: nil, raw: raw)
        }
        func texts(tip: Planck, _ fee: ExtensionContent.FeeAsset) -> String {
            var summary = ReviewSummary()
            summary.networks = [.init(name: "heliotest", genesisHash: nil, specVersion: 1000)]
            summary.signers = [
                .init(
                    address: address.text, publicKey: nil, seed: "main", path: "//Alice", label: nil,
                    otherNetworks: []
                )
            ]
            summary.sentences = [Sentence([.words("sends 1 HLO to "), .account(address)])]
            summary.totals = [hlo(1)]
            summary.recipients = [address, other].map {
                .init(
                    address: $0, account: [], label: nil, relation: .stranger, arguments: ["dest"], count: 1)
            }
            summary.calls = [.init(name: .init(pallet: "Balances", call: "transfer_keep_alive"), count: 1)]
            summary.limits = [
                .tip(hlo(tip), count: 1), .feeAsset(fee),
                .validity(era: Card(.era(.mortal(MortalEra(period: 64, phase: 1)!))), notice: nil),
            ]
            summary.provenance.checked = 1
            summary.provenance.payloads = 1
            summary.warnings = [Card(.warning(.nonceReused(1, .inThisPayload)))]
            return SummaryLines.brief(summary).mostNeeded(room, columns: 60).rows
                .flatMap { $0.text.split(separator: " ").filter { $0 != "|" } }.joined(separator: " ")
        }
        let tipped = texts(tip: 5, .native)
        for part in [
            "Nonce 1 was used", "the chain takes one of the two", "does sends 1 HLO to \(address.text)",
            "total 1 HLO", "to \(address.text)", " \(other.text)", "tip 5 HLO", "signer \(address.text)",
        ] {
            #expect(tipped.contains(part), "\(part)")
        }
        #expect(texts(tip: 0, .asset([1, 2])).contains("in asset 0x0102"))
    }

    /// Readings of all kinds, and what the chain checks of the others.
    private static func provenance(_ count: Int, _ networks: [ReviewSummary.Network]) -> SummaryProvenance {
        let key = PublicKey(
            scheme: .sr25519, bytes: [0xc4, 0x6a] + [UInt8](repeating: 7, count: 28) + [0xbd, 0x57])!
        let kinds: [(MetadataVoucher, MetadataHashCheck)] = [
            (.nobody, .unsupported), (.verifier(key), .disabled), (.file, .notCompared(version: 16)),
            (.verifier(key), .unsupported),
        ]
        var provenance = SummaryProvenance()
        (provenance.payloads, provenance.checked, provenance.beyond) = (
            count + 1, 1, Provenance.Unreached.allCases
        )
        provenance.readings = (0..<count).map { number in
            let (voucher, check) = kinds[number * kinds.count / count]
            return .init(
                metadata: .init(version: 1_002_005, voucher: voucher, check: check), network: nil,
                networkName: networks.first?.name,
                count: 1)
        }
        return provenance
    }

    @Test func aBriefSummaryHasFewRowsBesideItsWarnings() {
        var generator = SeededGenerator.printed("brief summaries")
        for _ in 0..<150 {
            let summary = Self.drawn(&generator)
            let head = [StyledLine("All 40 together")]
            let brief = SummaryLines.brief(summary, head: head)
            #expect(SummaryLines.rows(brief) <= SummaryLines.briefRows)
            let texts = brief.map(\.text)
            for warning in summary.warnings.prefix(5) {
                #expect(texts.contains { $0.contains(warning.value) })
            }
            #expect(
                texts.contains { $0.contains("by the chain: ") }
                    && texts.contains { $0.contains("it cannot check hidden calls") })
            let readings = summary.provenance.readings
            #expect(
                texts.count { $0.contains("metadata 1002005") } == (readings.count > 3 ? 2 : readings.count))
            let left = summary.warnings.count - 5
            #expect(texts.contains { $0.contains("more warning") } == (left > 0))
            // The whole summary lists everything.
            let full = SummaryLines(summary: summary).lines
            #expect(full.count { $0.text.contains("warning number") } == summary.warnings.count)
            #expect(full.count { $0.text.contains("sends") } == summary.sentences.count)
            #expect(full.count { $0.text.contains("metadata 1002005") } == readings.count)
            #expect(!full.contains { $0.text.contains(" more") && !$0.text.contains("more than") })
            // What a window of 24 rows shows beside the question.
            var pager = Pager(
                ReviewPage(summary: head + full, brief: brief, question: ReviewQuestion("Sign?")) { _ in
                    (0..<40).map { StyledLine("card \($0)") }
                }, columns: 80, rows: 24)
            var presses = 0
            while !pager.press(.character(" ")), presses < 1_000 { presses += 1 }
            let shown = pager.frame.text.joined(separator: "\n")
            for number in 0..<min(5, summary.warnings.count) {
                #expect(shown.contains("warning number \(number)"))
            }
        }
    }

    /// A longer sign would take a row more, and that row pushes a fact out of the summary.
    @Test func `a cut line says how many bytes are missing, in the rows that it has`() {
        for (words, sign) in [
            (40, " bytes more"), (41, " bytes more"), (400, " bytes more"), (1_900, " bytes more"),
            (2_300, " KiB more"), (200_000, " KiB more"),
        ] {
            let line = StyledLine(indent: 2, [.init(String(repeating: "word ", count: words))])
            let cut = line.shortened(toRows: 2)
            #expect(cut.wrapped(to: 80).count == 2)
            let said = cut.text.split(separator: " ").suffix(4)
            #expect(said.first == "..." && cut.text.hasSuffix(sign), "\(words): \(said)")
            if let bytes = said.dropFirst().first.flatMap({ Int($0) }), sign == " bytes more" {
                let kept = cut.text.utf8.count - " ... \(bytes) bytes more".utf8.count
                #expect(kept + bytes == line.text.utf8.count, "\(words)")
            }
        }
    }

    @Test func aLongListSaysHowManyMoreThereAre() {
        var summary = ReviewSummary()
        summary.sentences = (1...40).map { Sentence("act \($0)") }
        summary.warnings = Self.warnings(7)
        let texts = SummaryLines.brief(summary).map(\.text)
        #expect(
            Array(texts.prefix(3)) == [
                "  does      1. act 1", "            2. act 2", "            and 38 more",
            ])
        #expect(texts.last == "            and 2 more warnings")
    }
    /// What each line says, in the window that most terminals have.
    @Test func theGroundIsOneLineOf80Columns() {
        let key = PublicKey(
            scheme: .sr25519, bytes: [0xc4, 0x6a] + [UInt8](repeating: 7, count: 28) + [0xbd, 0x57])!
        func lines(_ provenance: Provenance, beside others: Int = 0) -> [String] {
            var summary = ReviewSummary()
            summary.provenance = .init(provenance, network: nil)
            summary.provenance.payloads += others
            let brief = SummaryLines.brief(summary).filter {
                $0.text.contains("read") || $0.text.contains("check")
            }
            #expect(brief.allSatisfy { $0.wrapped(to: 80).count == 1 })
            return brief.map(\.text)
        }
        func stored(_ voucher: MetadataVoucher, _ check: MetadataHashCheck) -> Provenance {
            .stored(.init(version: 1_002_005, voucher: voucher, check: check))
        }
        #expect(
            lines(.chain(beyond: [])) == [
                "  checked   by the chain: a wrong reading is worthless as a transaction there"
            ])
        #expect(
            lines(.chain(beyond: Provenance.Unreached.allCases), beside: 199) == [
                "  checked   1 of 200 by the chain: a wrong reading is no transaction there",
                "            it cannot check hidden calls, calls for other chains, asset units",
            ])
        #expect(
            lines(stored(.verifier(key), .disabled)) == [
                "  WARNING   read with metadata 1002005, believed from 0xc46a...bd57"
            ])
        #expect(
            lines(stored(.verifier(key), .notCompared(version: 16)), beside: 2) == [
                "  WARNING   1 of 3 read with metadata 1002005, believed from 0xc46a...bd57"
            ])
        #expect(
            lines(stored(.verifier(key), .unsupported)) == [
                "  read      with metadata 1002005, believed from 0xc46a...bd57"
            ])
        for check in [MetadataHashCheck.disabled, .unsupported] {
            #expect(
                lines(stored(.nobody, check)) == [
                    "  WARNING   read with unsigned metadata 1002005: nobody vouches for it"
                ])
        }
        #expect(
            lines(stored(.file, .unsupported)) == [
                "  read      with metadata 1002005 from a file: nobody vouches for it"
            ])
    }
}
