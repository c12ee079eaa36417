import SubstratePrimitives
import Testing
import TrustStore

@Suite struct RemovedNetworkLaws {
    @Test func aNewStoreRemembersNone() throws {
        let folder = Folder()
        try makeStore(folder)
        #expect(try unlock(folder).trust().state.removedNetworks.isEmpty)
    }

    @Test func aRemovedNetworkIsRememberedByName() throws {
        let folder = Folder()
        try makeStore(folder)
        try unlock(folder).change([.removeNetwork(customChain, .ed25519)], events: [])
        let state = try unlock(folder).trust().state
        #expect(state.networks(genesis: customChain).isEmpty)
        #expect(state.removedNetworks == [customChain: "custom"])
    }

    @Test func itIsRememberedWhenItsVerifierIsForgottenToo() throws {
        let folder = Folder()
        try makeStore(folder)
        try unlock(folder).change(
            [.removeNetwork(customChain, .ed25519), .forgetVerifier(customChain)], events: [])
        let state = try unlock(folder).trust().state
        #expect(state.verifiers[customChain] == nil)
        #expect(state.removedNetworks == [customChain: "custom"])
    }

    @Test func aChainOfWhichOnlyTheVerifierWasLeftIsRememberedWithoutAName() throws {
        let folder = Folder()
        try makeStore(folder)
        try unlock(folder).change([.forgetVerifier(kusama.genesisHash)], events: [])
        #expect(try unlock(folder).trust().state.removedNetworks == [kusama.genesisHash: nil])
    }

    @Test func theMemoryIsUnderTheSeal() throws {
        let folder = Folder()
        try makeStore(folder)
        try unlock(folder).change([.removeNetwork(customChain, .ed25519)], events: [])
        Intruder(folder).run("DELETE FROM setting WHERE name LIKE 'removed_network.%'")
        #expect(refusal(folder).allSatisfy { if case .rowRemoved("setting", _) = $0 { true } else { false } })
        #expect(refusal(folder).count == 1)
    }
}
