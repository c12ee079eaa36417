import ColdSigner
import ColdStore
import SubstratePrimitives
import Testing
import UOS
import UpdateGenerator

@Suite struct RefusalEventLaws {
    /// Strangers wrote what a refused payload says: however much it is, a line fits the journal.
    @Test func aLongFactIsCutAndTheLineIsKept() throws {
        let fixture = try TrustFixture()
        var specs = network("alpha")
        specs.title = String(repeating: "long ", count: 1 << 18)
        let event = LogEvent.refusal(of: try Payload(OutgoingUpdate.addSpecs(specs).bytes()), reason: "some-code")
        #expect(event.kind == .updateRefused && event["reason"] == "some-code" && event["kind"] == "add_specs")
        #expect(event.facts.allSatisfy { $0.value.count <= 128 })
        let store = try ColdStore(directory: fixture.directory)
        #expect(try store.journal(event))
        #expect(store.journalled == [event])
    }

    @Test func everyRefusalCanBeWrittenWhileTheStoreIsLocked() {
        for kind in [LogEvent.Kind.updateRefused, .transactionRefused, .messageRefused, .derivationsRefused] {
            #expect(kind.isWrittenWhileLocked)
        }
    }
}
