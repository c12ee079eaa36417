import Glibc
import SubstratePrimitives
import TestSupport
import Testing
import Vault

@testable import TrustStore

/// The authenticated history: what was written is found, and nothing else is believed.
@Suite struct HistoryLaws {
    static func key(_ number: Int, _ historyClass: HistoryClass = .destination) -> HistoryKey {
        HistoryKey(historyClass, Array("key \(number)".utf8))
    }

    static func row(_ number: Int, _ value: String = "value") -> HistoryRow {
        HistoryRow(key(number), Array("\(value) \(number)".utf8))
    }

    /// Rows 0 to 299, written by three commits.
    /// While the store that it returns is held, nobody else unlocks the vault.
    @discardableResult
    static func fill(_ folder: Folder) throws -> UnlockedStore {
        try makeStore(folder)
        let store = try unlock(folder)
        for part in 0..<3 {
            try store.change([], events: [], writing: HistoryWrite((0..<100).map { row(part * 100 + $0) }))
        }
        return store
    }

    static func read(_ store: UnlockedStore, _ number: Int) throws -> [UInt8]? {
        try #require(try store.history(store.trust())).values(of: [key(number)])[key(number)]
    }

    @Test func `random writes are found again as in a dictionary, whatever the order and the commits`() throws
    {
        var generator = SeededGenerator(seed: 18)
        let folder = Folder()
        try makeStore(folder)
        var store: UnlockedStore? = try unlock(folder)
        var expected: [HistoryKey: [UInt8]] = [:]
        for round in 0..<40 {
            let rows = (0..<Int.random(in: 0...30, using: &generator)).map { _ in
                HistoryRow(
                    Self.key(
                        Int.random(in: 0..<200, using: &generator),
                        HistoryClass.allCases.randomElement(using: &generator)!),
                    (0..<Int.random(in: 0...40, using: &generator)).map { _ in
                        UInt8.random(in: 0...255, using: &generator)
                    })
            }
            try store?.change([], events: [], writing: HistoryWrite(rows))
            for row in rows { expected[row.key] = row.value }
            if round.isMultiple(of: 10) {
                store = nil
                store = try unlock(folder)
            }
            let store = try #require(store)
            let keys = HistoryClass.allCases.flatMap { each in (0..<200).map { Self.key($0, each) } }
            #expect(try #require(try store.history(store.trust())).values(of: keys) == expected)
            #expect(
                try #require(try store.store.uncheckedHistory(store.store.uncheckedTrust())).values(of: keys)
                    == expected)
        }
        try store?.check()
    }

    @Test func `the root depends on the rows alone`() throws {
        var generator = SeededGenerator(seed: 19)
        let roots = try (0..<3).map { _ in
            let folder = Folder()
            try makeStore(folder)
            let store = try unlock(folder)
            for row in (0..<50).map({ Self.row($0) }).shuffled(using: &generator) {
                try store.change([], events: [], writing: HistoryWrite([row]))
            }
            return try #require(try store.trust().state.history).root
        }
        #expect(Set(roots).count == 1)
    }

    /// What somebody who can write the file does to row 7, and what he may have done to the tree.
    static let bucket = Int(HistoryTree.bucket(of: key(7).stored))
    static let edits: [String] = [
        "UPDATE history SET value = X'00' WHERE bucket = \(bucket)",
        "UPDATE history SET key = X'00' WHERE bucket = \(bucket)",
        "DELETE FROM history WHERE bucket = \(bucket)",
        "UPDATE history SET bucket = bucket + 1 WHERE bucket = \(bucket)",
        "UPDATE history SET bucket = bucket + 65536 WHERE bucket = \(bucket)",
        "INSERT INTO history VALUES (\(bucket), X'0101', X'00')",
        "DELETE FROM history_node WHERE level = 4 AND prefix = \(bucket)",
        "DELETE FROM history_node WHERE level = 3 AND prefix = \(bucket >> 4)",
        "DELETE FROM history_node WHERE level = 2 AND prefix = \(bucket >> 8)",
        "DELETE FROM history_node WHERE level = 1 AND prefix = \(bucket >> 12)",
        "UPDATE history_node SET digest = zeroblob(32) WHERE level = 4 AND prefix = \(bucket)",
        "UPDATE history_node SET digest = X'00' WHERE level = 1 AND prefix = \(bucket >> 12)",
        "DELETE FROM history; DELETE FROM history_node",
        "DELETE FROM history_node",
    ]

    /// One test an attack: the lookup that depends on the row refuses, and so does a commit that would write
    /// beside it; the unlock, which reads nothing of the history, does not.
    @Test(arguments: edits)
    func `an edited row or digest is noticed by the lookup that depends on it`(sql: String) throws {
        let folder = Folder()
        try Self.fill(folder)
        Intruder(folder).run(sql)
        let store = try unlock(folder)
        let root = try #require(try store.trust().state.history).root
        // The row's own place, or that of a digest above it.
        let leaf = UInt32(Self.bucket)
        var places: [SealDifference] = [.historyBucket(leaf)]
        for level in 0...3 { places.append(.history(level: level, prefix: leaf >> UInt32(16 - 4 * level))) }
        let error = try #require(#expect(throws: StoreError.self) { try Self.read(store, 7) })
        #expect(places.contains { error == .sealBroken([$0]) }, "\(error)")
        #expect(throws: error) {
            try #require(try store.store.uncheckedHistory(store.store.uncheckedTrust())).values(of: [
                Self.key(7)
            ])
        }
        #expect(throws: error) { try store.check() }
        #expect(throws: error) {
            try store.change([], events: [], writing: HistoryWrite([Self.row(7, "other")]))
        }
        #expect(try store.trust().state.history?.root == root)
    }

    @Test func `a row that others depend on is not needed to read them`() throws {
        let folder = Folder()
        try Self.fill(folder)
        Intruder(folder).run("UPDATE history SET value = X'00' WHERE bucket = \(Self.bucket)")
        let store = try unlock(folder)
        let other = try #require(
            (0..<300).first { HistoryTree.bucket(of: Self.key($0).stored) != Self.bucket })
        #expect(try Self.read(store, other) == Array("value \(other)".utf8))
    }

    @Test func `rows in no bucket are noticed by the check of everything`() throws {
        let folder = Folder()
        let store = try Self.fill(folder)
        Intruder(folder).run("INSERT INTO history VALUES (70000, X'0101', X'00')")
        #expect(throws: StoreError.sealBroken([.historyExtra])) { try store.check() }
    }

    /// The row, its bucket's digest and all digests above it as an older tree had them; only the root is
    /// newer.
    @Test func `a row that is put back with its whole path is noticed by the root`() throws {
        let folder = Folder()
        try Self.fill(folder)
        let intruder = Intruder(folder)
        intruder.run(
            """
            CREATE TEMP TABLE old AS SELECT * FROM history; CREATE TEMP TABLE old_node AS SELECT * FROM \
            history_node
            """
        )
        do {
            let store = try unlock(folder)
            try store.change([], events: [], writing: HistoryWrite([Self.row(7, "new")]))
            #expect(try Self.read(store, 7) == Array("new 7".utf8))
        }
        intruder.run("DELETE FROM history; INSERT INTO history SELECT * FROM old")
        intruder.run("DELETE FROM history_node; INSERT INTO history_node SELECT * FROM old_node")
        #expect(throws: StoreError.sealBroken([.history(level: 0, prefix: 0)])) {
            try Self.read(unlock(folder), 7)
        }
    }

    /// With the older root in the seal's row, too, the tag refuses the unlock.
    @Test func `the root of an older generation is refused by the seal`() throws {
        let folder = Folder()
        try Self.fill(folder)
        let intruder = Intruder(folder)
        intruder.run(
            """
            CREATE TEMP TABLE old AS SELECT * FROM history; CREATE TEMP TABLE old_node AS SELECT * FROM \
            history_node
            """
        )
        intruder.run("CREATE TEMP TABLE old_seal AS SELECT history FROM seal")
        try unlock(folder).change([], events: [], writing: HistoryWrite([Self.row(7, "new")]))
        intruder.run("DELETE FROM history; INSERT INTO history SELECT * FROM old")
        intruder.run("DELETE FROM history_node; INSERT INTO history_node SELECT * FROM old_node")
        intruder.run("UPDATE seal SET history = (SELECT history FROM old_seal)")
        // Without the key everything fits.
        let locked = try TrustStore(directory: folder.path)
        #expect(
            try #require(try locked.uncheckedHistory(locked.uncheckedTrust())).values(of: [Self.key(7)]) == [
                Self.key(7): Array("value 7".utf8)
            ])
        #expect(refusal(folder) == [.seal])
    }

    /// What is read without the passphrase belongs to one moment, too.
    @Test func `a history that went on since the unchecked trust was read says so`() throws {
        let folder = Folder()
        let store = try Self.fill(folder)
        let locked = try TrustStore(directory: folder.path)
        let source = try #require(try locked.uncheckedHistory(locked.uncheckedTrust()))
        try store.change([], events: [], writing: HistoryWrite([Self.row(7, "new")]))
        #expect(throws: StoreError.busy) { try source.values(of: [Self.key(7)]) }
    }

    /// While a store is open nobody else changes it, so what does not fit its root is not called busy.
    @Test func `a sealed history that its own store went on from is refused by its root`() throws {
        let folder = Folder()
        let store = try Self.fill(folder)
        let source = try #require(try store.history(store.trust()))
        try store.change([], events: [], writing: HistoryWrite([Self.row(7, "new")]))
        #expect(throws: StoreError.sealBroken([.history(level: 0, prefix: 0)])) {
            try source.values(of: [Self.key(7)])
        }
    }

    @Test func `a refused change leaves the history as it was`() throws {
        let folder = Folder()
        let store = try Self.fill(folder)
        let trust = try store.trust()
        try store.append([LogEvent(.userNote)])
        #expect(throws: StoreError.changedSinceShown) {
            try store.change(since: trust, [], events: [], writing: HistoryWrite([Self.row(7, "new")]))
        }
        #expect(throws: StoreError.conflict(table: "types")) {
            try store.change(
                [.removeTypes, .removeTypes], events: [], writing: HistoryWrite([Self.row(7, "new")]))
        }
        #expect(try Self.read(store, 7) == Array("value 7".utf8))
        try store.check()
    }

    @Test func `clearing the log, a new passphrase's key and a backup keep the history`() throws {
        let folder = Folder()
        let store = try Self.fill(folder)
        let before = try #require(try store.trust().state.history)
        try store.clearLog()
        #expect(try store.trust().state.history == before)
        #expect(try Self.read(store, 299) == Array("value 299".utf8))
        var backup = try store.backup()[0].bytes
        let state = try TrustStore.trust(inBackup: &backup).state
        #expect(state.history == before)
        try store.check()
    }

    @Test func `the bounds say since when`() throws {
        let folder = Folder()
        try makeStore(folder)
        let store = try unlock(folder)
        #expect(try store.trust().state.history == HistoryBounds(root: HistoryTree.empty, since: 1000))
    }

    /// The bytes are those of the description above ``HistoryTree``, made here without it.
    @Test func `a tree of one row has the documented digests`() throws {
        let folder = Folder()
        try makeStore(folder)
        let store = try unlock(folder)
        try store.change(
            [], events: [], writing: HistoryWrite([HistoryRow(HistoryKey(.nonce, [0xaa]), [0xbb, 0xcc])]))
        func text(_ string: String) -> [UInt8] { [UInt8(string.utf8.count << 2)] + Array(string.utf8) }
        func little(_ number: Int) -> [UInt8] {
            (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
        let hash = Hash32.blake2b(of: text("heliograph history row") + [4, 0xaa]).bytes
        let bucket = Int(hash[0]) << 8 | Int(hash[1])
        var digest = Hash32.blake2b(
            of: text("heliograph history bucket") + little(bucket) + [8, 4, 0xaa, 8, 0xbb, 0xcc])
        for level in (0..<4).reversed() {
            var children = [UInt8](repeating: 0, count: 16 * 32)
            let place = (bucket >> (4 * (3 - level))) & 15
            children.replaceSubrange(place * 32..<(place + 1) * 32, with: digest.bytes)
            let prefix = bucket >> (4 * (4 - level))
            digest = Hash32.blake2b(
                of: text("heliograph history node") + [UInt8(level)] + little(prefix) + children)
        }
        #expect(try store.trust().state.history?.root == digest)
    }
}

/// The rows of groups.
@Suite struct GroupRowLaws {
    @Test func `what is written is read, and a key of a group has no seed`() throws {
        let folder = Folder()
        try makeStore(folder)
        let state = try unlock(folder).trust().state
        #expect(
            state.groups == [heldGroup] && state.group(named: "office") == heldGroup
                && state.group(transcript) == heldGroup)
        #expect(state.groupOffers == [offer] && state.groupOffer(offer.request) == offer)
        #expect(state.hostContacts.map(\.name) == ["carol"] && state.groupMakings.count == 1)
        let key = try #require(state.key(groupKey))
        #expect(
            key == groupAccount && key.seed == nil && key.group == transcript
                && state.accounts(of: transcript) == [key])
        #expect(state.place(of: key) == "group office" && state.keys(seed: "").isEmpty)
    }

    @Test func `a group goes only after its accounts and offers`() throws {
        let folder = Folder()
        try makeStore(folder)
        let store = try unlock(folder)
        #expect(throws: StoreError.self) {
            try store.change([.removeGroup(transcript: transcript)], events: [])
        }
        let all: [TrustChange] = [
            .removeGroupOffer(request: offer.request), .removeKey(groupKey),
            .removeGroup(transcript: transcript),
        ]
        try store.change(all, events: [])
        #expect(try store.trust().state.groups.isEmpty && store.trust().state.key(groupKey) == nil)
        #expect(Intruder(folder).query("SELECT count(*) FROM group_account") == [["0"]])
    }

    /// Otherwise a second commitment would stand for one request, and two shares could be made with it.
    @Test func `an offer is never replaced`() throws {
        let folder = Folder()
        try makeStore(folder)
        let other = GroupOffer(
            request: offer.request, group: transcript, payload: offer.payload, commitment: [1], time: 8)
        #expect(throws: StoreError.conflict(table: "group_offer")) {
            try unlock(folder).change([.addGroupOffer(other)], events: [])
        }
        #expect(try unlock(folder).trust().state.groupOffers == [offer])
        // What is not there cannot be spent, and nothing else of the change is kept.
        let store = try unlock(folder)
        try store.change([.removeGroupOffer(request: offer.request)], events: [])
        #expect(throws: StoreError.conflict(table: "group_offer")) {
            try store.change([.addGroupOffer(other), .removeGroupOffer(request: transcript)], events: [])
        }
        #expect(try store.trust().state.groupOffers.isEmpty)
    }

    /// Under a right seal, so that only the reader of rows can notice.
    @Test(
        arguments: [
            ("UPDATE key SET seed = 'alice' WHERE seed = ''", "key"),
            ("UPDATE key SET seed = '' WHERE seed = 'alice'", "key"),
            ("UPDATE key SET has_password = 1 WHERE seed = ''", "key"),
            ("UPDATE held_group SET is_compared = 2", "held_group"),
            ("UPDATE host_contact SET host_key = x'01'", "host_contact"),
            ("UPDATE group_offer SET request = x'01'", "group_offer"),
            ("UPDATE group_making SET host_index = -1", "group_making"),
            ("UPDATE contact SET networks = x'01'", "contact"),
            ("UPDATE contact SET account = x'01'", "contact"),
            ("UPDATE contact SET scheme = 256", "contact"),
            ("UPDATE list_signer SET scheme = 9", "list_signer"),
        ])
    func `a row that cannot be is not read`(sql: String, table: String) throws {
        let folder = Folder()
        try makeStore(folder)
        Intruder(folder).run(sql)
        #expect(throws: StoreError.unreadable(table: table)) {
            try TrustStore(directory: folder.path).uncheckedTrust()
        }
    }
}
