import Ceremony
import Testing

@Suite struct ConsentTests {
    @Test func `a person is a person`() { #expect(Consent.person == .person) }
}
