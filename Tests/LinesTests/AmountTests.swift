import Cards
import Lines
import Testing

/// Amounts as a person reads them.
@Suite struct AmountTests {
    @Test(arguments: [
        ("0", "0 DOT"), ("1.5", "1.5 DOT"), ("999", "999 DOT"), ("1000", "1,000 DOT"),
        ("1234.5678901234", "1,234.5678901234 DOT"),
        ("0.0000000001", "0.0000000001 DOT"), ("12345678", "12,345,678 DOT"), ("123456", "123,456 DOT"),
        (
            "340282366920938463463374607431768211455",
            "340,282,366,920,938,463,463,374,607,431,768,211,455 DOT"
        ),
    ])
    func digitsBeforeThePointStandInThrees(number: String, shown: String) {
        #expect(Amount.plain(number, unit: "DOT") == shown)
    }

    private static func card(unit: String = "HLO") -> Card {
        Card(.balance(.init(raw: 1_234_500_000_000_000, decimals: 12, unit: unit)))
    }

    @Test func aBalanceHasThreeForms() {
        #expect(CardLine(Self.card()).text == "1.234500000000000 kHLO")
        #expect(CardLine(Self.card(), amounts: .prefixed).text == "1.234500000000000 kHLO")
        #expect(CardLine(Self.card(), amounts: .plain).text == "1,234.5 HLO")
        #expect(CardLine(Self.card(), amounts: .raw).text == "1234500000000000 x 10^-12 HLO")
    }

    @Test func aUnitIsOneWordInEveryForm() {
        let card = Self.card(unit: "HLO to \"Bob\"")
        #expect(CardLine(card, amounts: .plain).text == #"1,234.5 HLO\u{20}to\u{20}\u{22}Bob\u{22}"#)
        #expect(
            CardLine(card, amounts: .raw).text
                == #"1234500000000000 x 10^-12 HLO\u{20}to\u{20}\u{22}Bob\u{22}"#)
        #expect(Amount.plain("5", unit: "") == "5 (no unit)")
    }
}
