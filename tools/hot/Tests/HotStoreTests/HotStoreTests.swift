import Foundation
import Glibc
import HotStore
import SQLite
import SubstratePrimitives
import Testing

/// A database in a folder of its own that goes away with the test.
final class Scratch {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("hot-store-\(UUID().uuidString)")
        .path

    func open() throws -> HotStore { try HotStore(directory: path) }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

private func blob(_ format: UInt8, _ seed: UInt8) -> [UInt8] { Array("meta".utf8) + [format, seed] }

@Suite struct HotStoreLaws {
    private let scratch = Scratch()

    @Test func aNewDatabaseKnowsTheDefaultNetworks() throws {
        let store = try scratch.open()
        #expect(try store.networks().map(\.specs) == NetworkSpecs.defaults.sorted { $0.name < $1.name })
        #expect(try store.networks().allSatisfy { !$0.endpoints.isEmpty })
    }

    @Test func whatIsWrittenIsThereAfterARestart() throws {
        let specs = NetworkSpecs(
            name: "a", title: "A", base58Prefix: 7, decimals: 3, unit: "U", genesisHash: .blake2b(of: [1]),
            scheme: .ecdsa)
        let network = HotNetwork(name: "alias", specs: specs, endpoints: ["ws://one", "ws://two"])
        try scratch.open().save(network)
        #expect(try scratch.open().network("alias") == network)
        #expect(try scratch.open().name(genesis: specs.genesisHash, scheme: .ecdsa) == "alias")
        #expect(try scratch.open().name(genesis: specs.genesisHash, scheme: .sr25519) == nil)
    }

    @Test func `a link on the way to the database is named with the place behind it`() throws {
        _ = try scratch.open()
        let real = try #require(realpath(scratch.path, nil).map { String(cString: $0) })
        let other = Scratch()
        let files = FileManager.default
        try files.createSymbolicLink(atPath: other.path, withDestinationPath: scratch.path)
        #expect(throws: HotStoreError.behindLink(path: other.path, directory: real)) { try other.open() }
        try files.removeItem(atPath: other.path)
        try files.createDirectory(atPath: other.path, withIntermediateDirectories: true)
        let file = "\(other.path)/hot.sqlite"
        for (target, directory) in [(scratch.path + "/hot.sqlite", Optional(real)), ("nowhere", nil)] {
            try files.createSymbolicLink(atPath: file, withDestinationPath: target)
            #expect(throws: HotStoreError.behindLink(path: file, directory: directory)) { try other.open() }
            try files.removeItem(atPath: file)
        }
        // The database itself is as it was.
        #expect(try scratch.open().networks().isEmpty == false)
    }

    @Test func `a pipe or a directory in the place of the database is named`() throws {
        try FileManager.default.createDirectory(atPath: scratch.path, withIntermediateDirectories: true)
        let file = "\(scratch.path)/hot.sqlite"
        #expect(mkfifo(file, 0o600) == 0)
        #expect(throws: HotStoreError.notAFile(path: file)) { try scratch.open() }
        #expect(unlink(file) == 0 && mkdir(file, 0o700) == 0)
        #expect(throws: HotStoreError.notAFile(path: file)) { try scratch.open() }
    }

    /// Layout 1, from before signatures were kept and from after, layouts 2 to 6: all gain what they lack and
    /// lose nothing.
    @Test(arguments: [
        """
        DROP TABLE guarded; DROP TABLE derived; DROP TABLE verifier; DROP TABLE pin; DROP TABLE attestation; PRAGMA user_version \
        = 1
        """,
        "DROP TABLE guarded; DROP TABLE derived; DROP TABLE verifier; DROP TABLE pin; PRAGMA user_version = 1",
        "DROP TABLE guarded; DROP TABLE derived; DROP TABLE verifier; DROP TABLE pin; PRAGMA user_version = 2",
        "DROP TABLE guarded; DROP TABLE derived; PRAGMA user_version = 3",
        "DROP TABLE guarded; PRAGMA user_version = 4",
        "PRAGMA user_version = 5", "PRAGMA user_version = 6",
    ])
    func anOlderDatabaseOpensAndKeepsSignatures(older: String) throws {
        let key = try #require(PublicKey(scheme: .ed25519, bytes: [UInt8](repeating: 2, count: 32)))
        let specs = NetworkSpecs(
            name: "a", title: "A", base58Prefix: 7, decimals: 3, unit: "U", genesisHash: .blake2b(of: [1]),
            scheme: .ecdsa)
        let network = HotNetwork(name: "alias", specs: specs, endpoints: ["ws://one"])
        try scratch.open().save(network)
        try connection().script(
            (older.hasSuffix("6") ? "" : "DROP TABLE life;") + "DROP TABLE backup_pin;" + older)
        try scratch.open().keepSignature([7], by: key, over: [1, 2, 3])
        let kept = try scratch.open().signature(over: [1, 2, 3])
        #expect(kept?.key == key && kept?.signature == [7])
        #expect(try scratch.open().network("alias") == network)
        #expect(try scratch.open().verifierLabels().isEmpty && scratch.open().pins().isEmpty)
        #expect(try scratch.open().backupPins().isEmpty)
        let root = try #require(PublicKey(scheme: .sr25519, bytes: [UInt8](repeating: 3, count: 32)))
        #expect(try scratch.open().derivedKey(root: root, path: "//a", scheme: .sr25519) == nil)
        #expect(try scratch.open().guarded([7]) == nil)
        #expect(try scratch.open().transactions().isEmpty)
        #expect(try connection().query("PRAGMA user_version") == [[.integer(7)]])
    }

    @Test func aVerifierHasOneNameForItsKeyAndScheme() throws {
        let bytes = [UInt8](repeating: 2, count: 32)
        let key = try #require(PublicKey(scheme: .ed25519, bytes: bytes))
        let other = try #require(PublicKey(scheme: .sr25519, bytes: bytes))
        try scratch.open().label(key, "old")
        try scratch.open().label(key, "one")
        try scratch.open().label(other, "other")
        #expect(try scratch.open().verifierLabels().map(\.text) == ["one", "other"])
        #expect(try scratch.open().verifierLabels().map(\.key) == [key, other])
        try scratch.open().label(key, nil)
        #expect(try scratch.open().verifierLabels().map(\.key) == [other])
    }

    @Test func aServerHasOnePin() throws {
        let (one, other) = (Hash32.blake2b(of: [1]), Hash32.blake2b(of: [2]))
        try scratch.open().pin(HotPin(server: "a:443", url: "wss://a", subject: "key", hash: one))
        let newer = HotPin(server: "a:443", url: "https://a/x", subject: "certificate", hash: other)
        try scratch.open().pin(newer)
        #expect(try scratch.open().pins() == [newer])
        #expect(try scratch.open().backupPins().isEmpty)
        // A backup goes with the pin that it belongs to.
        let backup = HotPin(server: "a:443", url: "https://a/x", subject: "key", hash: one)
        try scratch.open().pin(newer, backup: backup)
        #expect(try scratch.open().pins() == [newer] && scratch.open().backupPins() == [backup])
        try scratch.open().pin(newer)
        #expect(try scratch.open().backupPins().isEmpty)
        try scratch.open().pin(newer, backup: backup)
        #expect(try !scratch.open().removePin(of: "b:443"))
        #expect(try scratch.open().removePin(of: "a:443") && scratch.open().pins().isEmpty)
        let root = try #require(PublicKey(scheme: .sr25519, bytes: [UInt8](repeating: 3, count: 32)))
        #expect(try scratch.open().derivedKey(root: root, path: "//a", scheme: .sr25519) == nil)
    }

    /// A signer that sees the random bytes may refuse until it likes them: they must not change with the next
    /// try, and neither may its own point.
    @Test func aGuardedPayloadKeepsItsRandomBytesAndItsPoint() throws {
        func begin(_ fresh: UInt8, _ payload: UInt8 = 1) throws -> HotGuard {
            try scratch.open().beginGuard(
                [payload], key: [1, 2], sent: [payload, 9], fresh: [UInt8](repeating: fresh, count: 32))
        }
        #expect(try scratch.open().guarded([1]) == nil)
        let first = try begin(5)
        #expect(first.rounds == 1 && first.reveal[0] == 5 && first.point == nil && !first.isDone)
        #expect(try begin(6).reveal == first.reveal && begin(7).rounds == 3)
        #expect(try scratch.open().keepPoint([3], of: [1]))
        #expect(try scratch.open().keepPoint([3], of: [1]))
        #expect(try !scratch.open().keepPoint([4], of: [1]))
        #expect(try !scratch.open().keepPoint([4], of: [8]))
        try scratch.open().countRefusal(of: [1])
        _ = try begin(8, 2)
        let kept = try #require(try scratch.open().guarded([1]))
        #expect(kept.point == [3] && kept.refused == 2 && kept.reveal == first.reveal && kept.sent == [1, 9])
        #expect(try begin(8).point == [3])
        #expect(try scratch.open().openGuards(of: [1, 2], but: [1]) == 1)
        #expect(try scratch.open().openGuards(of: [1, 3], but: [1]) == 0)
        try scratch.open().finishGuard([2])
        #expect(try scratch.open().guarded([2])?.isDone == true)
        #expect(try scratch.open().openGuards(of: [1, 2], but: [1]) == 0)
    }

    @Test func aLayoutThatIsNotKnownIsLeftAlone() throws {
        _ = try scratch.open()
        try connection().script("PRAGMA user_version = 8")
        #expect(throws: HotStoreError.notAStore) { _ = try scratch.open() }
    }

    private func connection() throws -> SQLiteConnection {
        try SQLiteConnection(path: scratch.path + "/hot.sqlite", busyMilliseconds: 1000, create: false)
    }

    private func metadata(_ version: UInt32, format: UInt8 = 14) -> HotMetadata {
        HotMetadata(
            network: "westend", version: version, blob: blob(format, UInt8(version)), blockHash: nil, added: 1
        )
    }

    @Test func theNewestVersionsStayAndWhatGoesIsSaid() throws {
        let store = try scratch.open()
        for (version, dropped) in [(5, []), (7, []), (6, []), (8, [5]), (9, [6])] as [(UInt32, [UInt32])] {
            #expect(try store.add(metadata(version)) == .init(isNew: true, dropped: dropped))
        }
        #expect(try store.metadata().map(\.version) == [9, 8, 7])
        // What is there already pushes nothing out, whatever is asked.
        #expect(try store.add(metadata(7), keep: 1) == .init(isNew: false, dropped: []))
        #expect(throws: HotStoreError.olderThanKept(network: "westend", version: 6, kept: 3)) {
            try store.add(metadata(6))
        }
        #expect(throws: HotStoreError.olderThanKept(network: "westend", version: 6, kept: 2)) {
            try store.add(metadata(6), keep: 2)
        }
        #expect(try store.metadata().map(\.version) == [9, 8, 7])
        #expect(try store.add(metadata(6), keep: 5) == .init(isNew: true, dropped: []))
        #expect(try store.add(metadata(5), keep: 5) == .init(isNew: true, dropped: []))
        // As many as there are stay without a wish.
        #expect(try store.add(metadata(10)) == .init(isNew: true, dropped: [5]))
        #expect(try store.add(metadata(11), keep: 2) == .init(isNew: true, dropped: [9, 8, 7, 6]))
        #expect(try store.metadata().map(\.version) == [11, 10])
    }

    @Test func theNewestOfTheKeptIsTheDefault() throws {
        let store = try scratch.open()
        for version in [5, 7, 6] as [UInt32] {
            for format in [14, 15] as [UInt8] {
                #expect(try store.add(metadata(version, format: format), keep: 2).isNew == true)
            }
        }
        #expect(try store.metadata().map(\.version) == [7, 7, 6, 6])
        #expect(try store.metadata(of: "westend").version == 7)
        #expect(try store.metadata(of: "westend").format == 14)
        #expect(try store.metadata(of: "westend", format: 15).blob == blob(15, 7))
        #expect(throws: HotStoreError.unknownMetadata(network: "westend", version: 5)) {
            try store.metadata(of: "westend", version: 5)
        }
        #expect(throws: HotStoreError.noMetadata(network: "kusama")) { try store.metadata(of: "kusama") }
    }

    /// An older version that has the format never stands in for the newest.
    @Test func theNewestVersionInAnyFormatDecides() throws {
        let store = try scratch.open()
        #expect(try store.newestVersion(of: "westend") == nil)
        for (format, version) in [(15, 6), (14, 7), (16, 7)] as [(UInt8, UInt8)] {
            _ = try store.add(
                HotMetadata(
                    network: "westend", version: UInt32(version), blob: blob(format, version), blockHash: nil,
                    added: 1))
        }
        #expect(try store.newestVersion(of: "westend") == 7)
        #expect(try store.formats(of: "westend", version: 7) == [14, 16])
        #expect(try store.formats(of: "westend", version: 5).isEmpty)
        #expect(try store.metadata(of: "westend", format: 16).blob == blob(16, 7))
        #expect(throws: HotStoreError.otherFormats(network: "westend", version: 7, format: 15)) {
            try store.metadata(of: "westend", format: 15)
        }
        #expect(try store.metadata(of: "westend", version: 6, format: 15).blob == blob(15, 6))
        #expect(throws: HotStoreError.unknownNetwork("eastend")) { try store.newestVersion(of: "eastend") }
    }

    /// The count is of versions: the formats of one version do not push another out.
    @Test func theFormatsOfAVersionStayTogether() throws {
        let store = try scratch.open()
        for version in [1, 2, 3] as [UInt8] {
            for format in [14, 15, 16] as [UInt8] {
                _ = try store.add(metadata(UInt32(version), format: format), keep: 2)
            }
        }
        #expect(try store.metadata().map(\.format) == [14, 15, 16, 14, 15, 16])
    }

    @Test func aSilentChangeIsRefusedAndBothBlocksAreNamed() throws {
        let store = try scratch.open()
        let first = HotMetadata(
            network: "westend", version: 1, blob: blob(14, 1), blockHash: .blake2b(of: [1]), added: 1)
        let second = HotMetadata(
            network: "westend", version: 1, blob: blob(14, 2), blockHash: .blake2b(of: [2]), added: 2)
        #expect(try store.add(first).isNew)
        #expect(try !store.add(first).isNew)
        #expect(
            throws: HotStoreError.silentChange(
                network: "westend", version: 1, known: first.origin, found: second.origin)
        ) { try store.add(second) }
        #expect(try store.metadata(of: "westend").blob == first.blob)
    }

    @Test func whatNeverChangesIsRefused() throws {
        let store = try scratch.open()
        let westend = try store.network("westend").specs
        func changed(_ change: (inout NetworkSpecs) -> Void) -> HotNetwork {
            var specs = westend
            change(&specs)
            return HotNetwork(name: "westend", specs: specs)
        }
        #expect(throws: HotStoreError.immutableField(network: "westend", field: "base58prefix")) {
            try store.save(changed { $0.base58Prefix = 1 })
        }
        #expect(throws: HotStoreError.immutableField(network: "westend", field: "name")) {
            try store.save(changed { $0.name = "eastend" })
        }
        let other = GenesisHash.blake2b(of: [9])
        #expect(
            throws: HotStoreError.otherGenesis(network: "westend", known: westend.genesisHash, found: other)
        ) {
            try store.save(changed { $0.genesisHash = other })
        }
        #expect(throws: HotStoreError.alreadyNamed("westend")) {
            try store.save(HotNetwork(name: "again", specs: westend))
        }
        #expect(try store.network("westend").specs == westend)
    }

    @Test func anOverrideOutlivesNewSpecsAndGivesWayToNothing() throws {
        let store = try scratch.open()
        let westend = try store.network("westend")
        #expect(try store.override("westend", .title, "Mine"))
        #expect(try store.override("westend", .color, "#12aB09"))
        #expect(try !store.override("westend", .color, "red"))
        #expect(try !store.override("westend", .decimals, "256"))
        try store.save(westend)
        #expect(try store.network("westend").specs.title == "Mine")
        #expect(try store.network("westend").specs.color == "#12aB09")
        #expect(try store.override("westend", .title, nil))
        #expect(try store.network("westend").specs.title == westend.specs.title)
        try store.restoreDefaults()
        #expect(try store.network("westend") == westend)
    }

    @Test func aRemovedNetworkTakesItsMetadataAlong() throws {
        let store = try scratch.open()
        _ = try store.add(
            HotMetadata(network: "westend", version: 1, blob: blob(14, 1), blockHash: nil, added: 1))
        try store.removeNetwork("westend")
        #expect(try store.metadata().isEmpty)
        #expect(throws: HotStoreError.unknownNetwork("westend")) { try store.removeNetwork("westend") }
    }

    @Test func theNewestRequestComesFirst() throws {
        let store = try scratch.open()
        for number in 0..<120 { try store.remember(payload: [UInt8(number)], network: "westend", at: 1) }
        #expect(try store.requests().first == [119])
        #expect(try store.requests().count == 100)
    }

    @Test func anotherProgramsDatabaseIsRefused() throws {
        try FileManager.default.createDirectory(atPath: scratch.path, withIntermediateDirectories: true)
        try Data("no database".utf8).write(to: URL(fileURLWithPath: scratch.path + "/hot.sqlite"))
        #expect(throws: HotStoreError.notAStore) { try scratch.open() }
    }
}
