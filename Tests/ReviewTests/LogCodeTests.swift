import Diagnostics
import Extrinsics
import Metadata
import Review
import Testing
import TrustStore

@Suite struct LogCodeLaws {
    @Test func `a rule's code is its key in the policy`() {
        for key in TransactionPolicy.Key.allCases {
            // A violation is of one of the rules, never of the list of rules.
            let isOfList = key == .assets || key == .approve || key == .maximumCount
            let name = isOfList ? TransactionPolicy.Key.assets.rawValue : key.rawValue
            #expect(key.code.rawValue == "policy-" + name.replacing("_", with: "-"))
        }
    }

    @Test func `a refusal by the policy has the code of its rule`() {
        for violation in TransactionPolicy.Violation.examples {
            #expect(ReviewError.policy(violation).code == violation.rule.code)
        }
    }

    @Test func `one case has two codes where a person helps himself in two ways`() {
        #expect(ReviewError.derivedKeyDiffers(hasPassword: true).code == "wrong-password")
        #expect(ReviewError.derivedKeyDiffers(hasPassword: false).code == "derived-key-differs")
        let needed = ExtrinsicError(.metadata(.typesNeeded), place: "call")
        #expect(ReviewError.transaction(needed, network: "alpha").code == "types-needed")
        let deep = ExtrinsicError(.tooDeep, place: "call")
        #expect(ReviewError.transaction(deep, network: "alpha").code == "bad-transaction")
    }

    @Test func `a broken seal is logged with the code that a person was told, not a sentence`() {
        for error in StoreError.examples {
            let event = LogEvent.sealBroken(error.code)
            #expect(event.kind == .sealBroken && event["reason"] == error.diagnostic.code.rawValue)
        }
        #expect(
            LogEvent.sealBroken(StoreError.rolledBack(found: 3, confirmed: 4).code)["reason"] == "rolled-back"
        )
    }
}
