import Glibc
import SubstratePrimitives
import Testing
import TrustStore

@Suite struct TrustStoreLaws {
    /// Only a store that is not there is missing: a person who is told so makes a new one.
    @Test func aStoreThatCannotBeOpenedIsNotMissing() throws {
        let folder = Folder()
        #expect(throws: StoreError.missing) { try TrustStore(directory: folder.path) }
        mkdir(folder.path + "/" + TrustStore.fileName, 0o700)
        do {
            _ = try TrustStore(directory: folder.path)
            Issue.record("a folder was opened as a store")
        } catch let error {
            #expect(error != .missing)
        }
    }

    @Test func whatWasWrittenIsRead() throws {
        let folder = Folder()
        try makeStore(folder)
        let state = try unlock(folder).trust().state
        #expect(state.generalVerifier == verifierKey)
        #expect(
            state.verifiers == [
                polkadot.genesisHash: .general, kusama.genesisHash: .revoked, customChain: .custom(aliceKey),
            ])
        #expect(state.networks.map(\.name) == ["custom", "polkadot"])
        #expect(state.network(genesis: polkadot.genesisHash, scheme: .sr25519) == polkadot)
        #expect(state.network(genesis: polkadot.genesisHash, scheme: .ed25519) == nil)
        #expect(state.networks(named: "polkadot") == [polkadot])
        #expect(state.networks(named: polkadot.genesisHash.hex) == [polkadot])
        #expect(state.metadata(genesis: polkadot.genesisHash).map(\.version) == [2, 1])
        #expect(state.types == ContentRecord(hash: .blake2b(of: [9, 9]), length: 2))
        #expect(state.assetLists == [polkadot.genesisHash: [3, 3]])
        #expect(state.key(aliceKey)?.networks == [polkadot.genesisHash, customChain])
        #expect(state.key(aliceKey)?.label == "savings")
        #expect(state.key(scheme: .ethereum, payloadKey: [UInt8](repeating: 1, count: 20))?.seed == "bob")
        #expect(state.key(scheme: .ethereum, payloadKey: ethereumKey.bytes) == nil)
        #expect(state.settings[StoreSetting.allowOnline] == [1])
    }

    @Test func contentHasTheHashThatNamesIt() throws {
        let folder = Folder()
        try makeStore(folder)
        let store = try unlock(folder)
        let record = try #require(try store.trust().state.metadata(genesis: polkadot.genesisHash, version: 1))
        #expect(try store.store.content(record.hash) == [1, 2, 3])
        Intruder(folder).run("UPDATE content SET bytes = X'010204' WHERE bytes = X'010203'")
        #expect(throws: StoreError.contentBroken(record.hash)) { try store.store.content(record.hash) }
        #expect(throws: StoreError.sealBroken([.content(record.hash)])) { try store.checkContents() }
    }

    /// Metadata of many versions come and go for years.
    @Test func `what is removed gives its place on the disk back`() throws {
        let folder = Folder()
        try makeStore(folder)
        func length() throws -> Int { try folder.read(TrustStore.fileName).count }
        let before = try length()
        for round in 0..<2 {
            try unlock(folder).change(
                [
                    .addMetadata(
                        customChain, version: 8, blob: [UInt8](repeating: UInt8(round), count: 2_000_000))
                ], events: [])
            #expect(try length() > 2_000_000)
            try unlock(folder).change([.removeMetadata(customChain, version: 8)], events: [])
            // 64 pages stay free for what comes next.
            #expect(try length() < before + 65 * 4096 + 65_536)
        }
        let store = try unlock(folder)
        try store.check()
        try store.checkContents()
        #expect(Intruder(folder).query("PRAGMA integrity_check") == [["ok"]])
        let copy = try #require(try store.backup().first?.bytes)
        #expect(try copy.count <= store.usedBytes() + 4096)
    }

    @Test func contentGoesWithItsLastRecord() throws {
        let folder = Folder()
        try makeStore(folder)
        let store = try unlock(folder)
        let hash = Hash32.blake2b(of: [1, 2, 3])
        try store.change([.addMetadata(customChain, version: 8, blob: [1, 2, 3])], events: [])
        try store.change([.removeMetadata(polkadot.genesisHash, version: 1)], events: [])
        #expect(try store.store.content(hash) == [1, 2, 3])
        try store.change([.removeMetadata(customChain, version: 8)], events: [])
        #expect(throws: StoreError.contentBroken(hash)) { try store.store.content(hash) }
        try store.check()
    }

    @Test func aSecondStoreIsNotMadeOverTheFirst() throws {
        let folder = Folder()
        try makeStore(folder)
        #expect(throws: StoreError.alreadyExists) {
            _ = try TrustStore.create(directory: folder.path, vault: openVault(folder), changes: everything)
        }
        try unlock(folder)
    }

    @Test func aFolderWithoutAStoreSaysSo() {
        #expect(throws: StoreError.missing) { try TrustStore(directory: Folder().path) }
    }

    @Test func anotherFileIsNotAStore() throws {
        let folder = Folder()
        try folder.write([UInt8](repeating: 65, count: 4096), to: TrustStore.fileName)
        #expect(throws: StoreError.notAStore) { try TrustStore(directory: folder.path) }
    }

    @Test func anotherKeyOpensNothing() throws {
        let folder = Folder()
        try makeStore(folder)
        let other = Folder()
        let error = #expect(throws: StoreError.self) {
            try TrustStore(directory: folder.path).unlock(makeVault(other))
        }
        guard case .sealBroken(let differences)? = error else {
            Issue.record("\(error.map { "\($0)" } ?? "opened")")
            return
        }
        #expect(!differences.isEmpty)
    }

    @Test func filesAreForTheirOwnerAlone() throws {
        let folder = Folder()
        try makeStore(folder)
        let store = try unlock(folder)
        try store.store.journal(LogEvent(.wrongPassphrase))
        for name in folder.names {
            var facts = stat()
            #expect(stat("\(folder.path)/\(name)", &facts) == 0)
            #expect(facts.st_mode & 0o777 == 0o600, "\(name)")
        }
    }

    @Test func aPlanThatThrowsLeavesEverything() throws {
        struct No: Error {}
        let folder = Folder()
        try makeStore(folder)
        let store = try unlock(folder)
        let before = try store.trust().state
        #expect(throws: No.self) { try store.change { (_: SealedTrust) throws(No) in throw No() } }
        #expect(throws: StoreError.conflict(table: "metadata")) {
            try store.change(
                [.removeTypes, .removeMetadata(polkadot.genesisHash, version: 77)],
                events: [LogEvent(.userNote)])
        }
        #expect(throws: StoreError.conflict(table: "constraint")) {
            try store.change([.addMetadata(Hash32.blake2b(of: []), version: 77, blob: [])], events: [])
        }
        #expect(try store.trust().state == before)
    }

    @Test func aChangeIsNoticedByItsGeneration() throws {
        let folder = Folder()
        try makeStore(folder)
        let store = try unlock(folder)
        let shown = try store.trust()
        try store.change(since: shown, [], events: [LogEvent(.userNote)])
        let seen = try store.trust()
        try store.append([LogEvent(.userNote)])
        #expect(throws: StoreError.changedSinceShown) {
            try store.change(since: seen, [], events: [LogEvent(.userNote)])
        }
        #expect(throws: StoreError.changedSinceShown) { try store.clearLog(since: seen) }
        #expect(try store.trust().state.log.last == seen.state.log.last + 1)
    }

    @Test func aProgramThatWaitsTooLongSaysBusy() throws {
        let folder = Folder()
        try makeStore(folder)
        let store = try unlock(folder)
        let other = Intruder(folder)
        other.run("BEGIN IMMEDIATE")
        #expect(throws: StoreError.busy) { try store.append([LogEvent(.userNote)]) }
        other.run("COMMIT")
        try store.append([LogEvent(.userNote)])
    }

    @Test func aBrokenStoreIsPutAsideAndKept() throws {
        let folder = Folder()
        try makeStore(folder)
        Intruder(folder).run("UPDATE key SET path = '//Mallory' WHERE seed = 'alice'")
        #expect(
            refusal(folder) == [
                .cell(table: "key", row: "1/" + String(repeating: "d4", count: 32), column: "path")
            ])
        let fresh = try TrustStore.replaceBroken(
            directory: folder.path, vault: openVault(folder), changes: [], events: [LogEvent(.sealBroken)],
            clock: { 3000 })
        #expect(try fresh.trust().state.keys.isEmpty)
        #expect(folder.names.contains("store.sqlite.refused-3000"))
    }
}
