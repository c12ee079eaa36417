import Extrinsics
import Review
import Testing
import TrustStore

/// The log's word for every error that refuses a payload.
@Suite struct LogReasonTableTests {
    /// The code of each error and the log's word for it, where the two differ.
    private func differing(_ pairs: [(code: String, reason: LogReason)]) -> [String: String] {
        Dictionary(pairs.filter { $0.code != $0.reason.rawValue }.map { ($0.code, $0.reason.rawValue) }) { $0 + ", " + $1 }
    }

    @Test func `an error's word in the log is its code, but for these`() {
        #expect(differing(ReviewError.examples.map { ($0.code.rawValue, LogReason($0)) }) == ["bad-transaction": "transaction"])
        #expect(differing(UpdateRefusal.examples.map { ($0.code.rawValue, LogReason($0)) }) == [:])
        #expect(differing(DerivationRefusal.examples.map { ($0.code.rawValue, LogReason($0)) }) == [:])
        // What a person names leaves no line.
        let named = ["group-cannot-deal", "group-contacts-full", "group-needs-seed", "group-unknown", "group-unknown-contact"]
        #expect(
            differing(GroupRefusal.examples.map { ($0.code.rawValue, LogReason($0)) })
                == Dictionary(uniqueKeysWithValues: named.map { ($0, "other") }))
        #expect(
            differing(StoreError.examples.map { ($0.code.rawValue, LogReason($0)) })
                == [
                    "vault-exists": "store-exists", "not-a-store": "store-damaged", "store-layout": "store-damaged",
                    "vault-file-unwritten": "input-output", "journal-too-large": "input-output",
                ])
    }

    @Test func `a rule's word in the log is its key in the policy`() {
        for key in TransactionPolicy.Key.allCases {
            #expect(LogReason(key).rawValue == "policy-" + key.rawValue.replacing("_", with: "-"))
        }
    }
}
