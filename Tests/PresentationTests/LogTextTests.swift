import Testing
import TrustStore

@testable import Presentation

/// The log as a person reads it.
@Suite struct LogTextLaws {
    private static func lines(_ event: LogEvent, at time: UInt64 = 1_795_253_200, whole: Bool = false)
        -> [String]
    {
        LogText(
            facts: LogFacts(event, waitingSince: time), networkName: { $0.hasPrefix("aa") ? "alpha" : nil }
        ).lines(whole: whole)
    }

    private static let hash = String(repeating: "0123456789abcdef", count: 4)

    @Test func `a signed transaction says what, how much, to whom and on which network`() {
        let facts = [
            ("signer", "15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5"),
            ("signature", Self.hash + Self.hash), ("network", "polkadot"),
            ("call", "Balances.transfer_keep_alive"), ("total", "12345678901"), ("decimals", "10"),
            ("unit", "DOT"),
            ("recipients", "14E5nqKAp3oAJcmzgZhUD2RcptBeUBScxKHgJKU4HPNcKVf3"), ("more_recipients", "2"),
        ]
        let lines = Self.lines(LogEvent(.transactionSigned, facts.map { LogEvent.Fact($0.0, $0.1) }))
        #expect(
            lines == [
                "-  2026-11-21 09:26:40 UTC  transaction signed (not in the log yet)",
                "    Balances.transfer_keep_alive, 1.2345678901 DOT",
                "    to 14E5nqKAp3oAJcmzgZhUD2RcptBeUBScxKHgJKU4HPNcKVf3, and 2 more",
                "    network polkadot, by 15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5",
            ])
    }

    @Test func `a tip stands behind the sum, in the token that pays it`() {
        let facts = [
            ("call", "Balances.transfer_keep_alive"), ("total", "10000000000"), ("decimals", "10"),
            ("unit", "DOT"), ("tip", "5000000000"),
        ].map { LogEvent.Fact($0.0, $0.1) }
        let called = "    Balances.transfer_keep_alive, 1 DOT, "
        #expect(Self.lines(LogEvent(.transactionSigned, facts)).last == called + "tip 0.5 DOT")
        #expect(
            Self.lines(LogEvent(.transactionSigned, facts + [LogEvent.Fact("tip_asset", "other")]))
                .dropFirst()
                .map { $0.drop { $0 == " " } }.joined(separator: " ")
                == "Balances.transfer_keep_alive, 1 DOT "
                + "tip 5000000000 of the smallest unit of what pays the fee")
    }

    @Test func `an entry of an older program prints as it is`() {
        let lines = Self.lines(
            LogEvent(
                .transactionSigned, [LogEvent.Fact("signer", "5Grw"), LogEvent.Fact("network", "westend")]))
        #expect(lines.last == "    network westend, by 5Grw")
    }

    @Test func `an event of a locked vault has its own time`() {
        let event = LogEvent(
            .wrongPassphrase, [LogEvent.Fact("locked", "true"), LogEvent.Fact("at", "1795253100")])
        let lines = Self.lines(event)
        #expect(lines.count == 1 && lines[0].contains("2026-11-21 09:25:00 UTC  ! wrong passphrase"))
        // When it was noticed, and the last moment when all was well.
        let tampered = LogEvent(
            .fileTampered, [LogEvent.Fact("file", "journal"), LogEvent.Fact("after", "1795253100")])
        #expect(Self.lines(tampered).last == "    after 2026-11-21 09:25:00 UTC, file journal")
    }

    @Test func `a hash has its 0x, its ends in the list and all of it in the whole`() {
        let facts = [
            LogEvent.Fact("hash", Self.hash), LogEvent.Fact("genesis_hash", "aa" + Self.hash.dropFirst(2)),
        ]
        let event = LogEvent(.metadataAdded, facts)
        #expect(Self.lines(event).last == "    network alpha, hash 0x01234567...89abcdef")
        #expect(Self.lines(event, whole: true).contains("    hash 0x" + Self.hash))
    }

    /// Whatever the facts are, no line of the list is wider than a terminal, and nothing in it moves the
    /// cursor.
    @Test func `no line is longer than 80 columns`() {
        for kind in LogEvent.Kind.allCases {
            let facts = ["text", "name", "reason", "signer", "recipients", "call", "key", "root"].map {
                name in
                LogEvent.Fact(name, String(repeating: "a long\u{1b}[31m word ", count: 20) + name)
            }
            for line in Self.lines(LogEvent(kind, facts)) {
                #expect(line.unicodeScalars.count <= 80 && !line.contains("\u{1b}"), "\(kind): \(line)")
            }
        }
    }

    @Test(arguments: [
        ("0", 10, "0"), ("1", 10, "0.0000000001"), ("10000000000", 10, "1"),
        ("12345678901", 10, "1.2345678901"), ("150", 0, "150"),
        ("340282366920938463463374607431768211455", 18, "340282366920938463463.374607431768211455"),
    ])
    func `an amount is a plain decimal`(planck: String, decimals: Int, text: String) {
        #expect(LogAmount.text(planck, decimals: UInt8(decimals)) == text)
    }
}
