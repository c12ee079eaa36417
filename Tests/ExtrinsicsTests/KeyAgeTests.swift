import Extrinsics
import Testing

@Suite struct KeyAgeLaws {
    private static func read(_ value: String) throws -> TransactionPolicy.AgeRule? {
        try TransactionPolicy(json: Array("{\"key_age\": \(value)}".utf8)).keyAge
    }

    @Test func `each member is a number of days from 1, and one of them must be there`() throws {
        #expect(try Self.read("null") == nil)
        #expect(try Self.read(#"{"warn_days": 1}"#) == .init(warnDays: 1))
        #expect(
            try Self.read(#"{"refuse_days": 4294967295, "check_days": 3}"#)
                == .init(checkDays: 3, refuseDays: .max))
        for text in [
            "{}", "5", "[]", "true", #"{"warn_days": 0}"#, #"{"warn_days": "5"}"#, #"{"warn_days": -1}"#,
            #"{"warn_days": 4294967296}"#, #"{"days": 5}"#, #"{"warn_days": null}"#,
        ] {
            let error = #expect(throws: TransactionPolicy.Fault.self, "\(text)") { try Self.read(text) }
            guard case .form? = error?.reason, error?.place == "key_age" else {
                Issue.record("\(text): \(String(describing: error))")
                continue
            }
        }
        // A rule signs without a person, whom nothing could warn.
        #expect(throws: TransactionPolicy.Fault.self) {
            try TransactionPolicy(json: Array(#"{"approve": [{"key_age": {"warn_days": 1}}]}"#.utf8))
        }
    }

    @Test func `a limit is reached at its day, and by every unknown age`() {
        typealias Rule = TransactionPolicy.AgeRule
        #expect(!Rule.isReached(5, by: 4) && Rule.isReached(5, by: 5) && Rule.isReached(5, by: .max))
        #expect(Rule.isReached(5, by: nil) && Rule.isReached(.max, by: nil))
        #expect(!Rule.isReached(nil, by: nil) && !Rule.isReached(nil, by: .max))
    }

    @Test func `only a later refusal allows more, and no warning limits messages`() {
        let limits: [UInt32?] = [nil, 9, 5]
        for (new, days) in limits.enumerated() {
            for (old, formerDays) in limits.enumerated() {
                let policy = TransactionPolicy(keyAge: .init(warnDays: 3, refuseDays: days))
                let former = TransactionPolicy(
                    keyAge: .init(warnDays: 1, checkDays: 1, refuseDays: formerDays))
                #expect(policy.keysAllowingMore(than: former).contains(.keyAge) == (new < old))
            }
        }
        let refusing = TransactionPolicy(keyAge: .init(refuseDays: 5))
        #expect(TransactionPolicy().keysAllowingMore(than: refusing) == [.keyAge])
        #expect(refusing.violation(ofMessage: [1], on: nil, signer: nil) == nil)
    }
}
