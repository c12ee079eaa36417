import GroupReview
import SubstratePrimitives
import Testing
import TrustStore
import UOS

@Suite struct RefusalEventLaws {
    /// Strangers wrote what a refused payload says: however much it is, a line fits the journal.
    @Test func aLongFactIsCutAndTheLineIsKept() throws {
        let fixture = try TrustFixture()
        var specs = network("alpha")
        specs.title = String(repeating: "long ", count: 1 << 18)
        let event = LogEvent.refusal(
            of: try Payload(OutgoingUpdate.addSpecs(specs).bytes()), reason: "must-be-signed-by")
        #expect(
            event.kind == .updateRefused && event["reason"] == "must-be-signed-by"
                && event["kind"] == "add_specs")
        #expect(event.facts.allSatisfy { $0.value.count <= 128 })
        let store = try TrustStore(directory: fixture.directory)
        #expect(try store.journal(event))
        #expect(store.journalled == [event])
    }

    @Test func aRefusedTransactionCanBeDecodedAgainAndARefusedUpdateIsNamedByItsHash() throws {
        let specs = try Payload(OutgoingUpdate.addSpecs(network("alpha")).bytes())
        let update = LogEvent.refusal(of: specs, reason: "answered-no", metadataHash: .blake2b(of: []))
        #expect(update.payload == nil && update.metadataHash == nil)
        let message =
            [0x53, 0x01, 0x08] + [UInt8](repeating: 7, count: 32) + Array("<Bytes>hello</Bytes>".utf8)
        let event = LogEvent.refusal(
            of: try Payload(message), reason: "answered-no", metadataHash: .blake2b(of: [1]))
        #expect(
            event.kind == .messageRefused && event.payload == message
                && event.metadataHash == .blake2b(of: [1]))
    }

    @Test func everyRefusalCanBeWrittenWhileTheStoreIsLocked() {
        for kind in [LogEvent.Kind.updateRefused, .transactionRefused, .messageRefused, .derivationsRefused] {
            #expect(kind.isWrittenWhileLocked)
        }
    }
}
