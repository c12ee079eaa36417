import Diagnostics
import Forge
import Hashing
import StateProof
import TestSupport
import Testing
import UOS

@testable import Review

/// `fixtures/state/kinds`, which the sessions read.
@Suite struct StateSampleLaws {
    @Test(arguments: StateSamples.all.map(\.name))
    func `A file for each kind of item is what its sample makes`(name: String) throws {
        let sample = try #require(StateSamples.all.first { $0.name == name }).transaction
        let payload = try sample.proof().around(sample.transaction())
        let text = String(decoding: try Checkout.read("fixtures/state/kinds/\(name).hex"), as: UTF8.self)
        #expect(text == Hex.encode(payload) + "\n", "tools/dev golden state writes it")
    }

    @Test func `7 Payloads of the largest size are read or refused, each with its code`() throws {
        let outcomes = try StateSamples.hostile().map { name, payload in
            #expect(payload.count < 65_536)
            do {
                let proven = try Payload(payload)
                let vault = StateVault(StateSamples.crowded(0))
                _ = try TransactionReview(vault.data()).review(proven)
                return "\(name): read"
            } catch let error as StateProofError {
                return "\(name): \(error.diagnostic.code.rawValue)"
            } catch let error as PayloadError {
                return "\(name): \(error.diagnostic.code.rawValue)"
            }
        }
        #expect(
            outcomes == [
                "a branch at every nibble: read", "64 digests: read", "24 items: read",
                "one long partial three times: state-node-hash", "256 tiny nodes: state-leftover",
                "256 nodes of 173 bytes: state-leftover", "nested inline nodes: state-node-hash",
            ])
    }

    @Test func `Every kind of item has a sample`() {
        let kinds = StateSamples.all.flatMap {
            ($0.transaction.items + ($0.transaction.hop?.hop.items ?? [])).map(\.kind)
        }
        #expect(Set(kinds) == Set(StateItem.Kind.allCases).subtracting([.runtime, .time]))
    }
}
