import Cards
import Extrinsics
import Testing
import TrustStore

@testable import History
@testable import Review

/// What `key_age` of the policy does with the ages under the seal.
@Suite struct KeyAgeReviewLaws {
    private static let day: UInt64 = 86_400
    private static let start = Memory.start

    /// - Parameters:
    ///   - days: since the vault has the seed; nil for a seed of unknown age.
    ///   - checked: days since the words were checked; nil for never.
    private static func reviewed(
        _ rule: String, days: UInt64?, checked: UInt64? = nil, clockBehind: UInt64 = 0
    ) throws -> ReviewedTransaction {
        let memory = Memory()
        memory.policy = "{\"key_age\": \(rule)}"
        memory.now = start + 1000 * day
        let plain = try memory.data()
        var state = plain.state
        let changes: [TrustChange?] = [
            days.map { .putSeedAdded("main", time: memory.now - $0 * day) },
            checked.map { .putSeedChecked("main", time: memory.now - $0 * day) },
        ]
        for case .putSetting(let name, let value)? in changes { state.settings[name] = value }
        memory.now -= clockBehind * day
        let data = ChainData(state: state, history: try memory.data().history, content: plain.content)
        return try TransactionReview(data).review(try .init(Memory.transfer()))[0]
    }

    private static func warnings(
        _ rule: String, days: UInt64?, checked: UInt64? = nil, clockBehind: UInt64 = 0
    ) throws -> [CardWarning] {
        let item = try reviewed(rule, days: days, checked: checked, clockBehind: clockBehind)
        #expect(item.refusal == nil)
        // The network's metadata is believed in each of them.
        return item.cards.warning.compactMap(\.warning).filter { $0.review != .metadataBelieved }
    }

    @Test func `a review warns from the day on, and without a rule of nothing`() throws {
        let rule = #"{"warn_days": 100}"#
        #expect(try Self.warnings(rule, days: 99) == [])
        #expect(try Self.warnings(rule, days: 100) == [.keyIsOld(days: 100)])
        #expect(try Self.warnings(rule, days: nil) == [.keyIsOld(days: nil)])
        #expect(try Self.warnings("null", days: 900) == [])
        #expect(try Self.warnings("null", days: nil) == [])
        // A clock that lies before the age makes the age unknown.
        #expect(try Self.warnings(rule, days: 5, clockBehind: 6) == [.keyIsOld(days: nil)])
    }

    @Test func `words are unchecked since their last check, or since the seed was made`() throws {
        let rule = #"{"check_days": 100}"#
        #expect(try Self.warnings(rule, days: 99) == [])
        #expect(try Self.warnings(rule, days: 100) == [.wordsUnchecked(days: nil)])
        #expect(try Self.warnings(rule, days: 900, checked: 99) == [])
        #expect(try Self.warnings(rule, days: 900, checked: 100) == [.wordsUnchecked(days: 100)])
        #expect(try Self.warnings(rule, days: nil) == [.wordsUnchecked(days: nil)])
    }

    @Test func `nothing is refused unless the rule says so, and then from that day on`() throws {
        let rule = #"{"refuse_days": 100}"#
        func refusal(_ days: UInt64?) throws -> ReviewError? { try Self.reviewed(rule, days: days).refusal }
        #expect(try refusal(99) == nil)
        #expect(try refusal(100) == .policy(.keyTooOld(days: 100, maximum: 100)))
        #expect(try refusal(nil) == .policy(.keyTooOld(days: nil, maximum: 100)))
        // A check of the words makes no key younger.
        let checked = try Self.reviewed(rule, days: 100, checked: 0)
        #expect(checked.refusal == .policy(.keyTooOld(days: 100, maximum: 100)))
    }

    @Test func `a warning of age stops no rule`() {
        for warning in [ReviewWarning.keyIsOld, .wordsUnchecked] { #expect(warning.effectOnRules == .passes) }
    }
}
