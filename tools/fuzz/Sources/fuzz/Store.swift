import Glibc
import Keys
import SubstratePrimitives
import TestSupport
import Vault

@testable import TrustStore

/// A store with a row in most tables, as its one file, and the files beside it.
private let genuine: (store: [UInt8], beside: [(name: String, bytes: [UInt8])], state: TrustState) = {
    let folder = TemporaryDirectory(inMemory: true)
    let network = NetworkSpecs.defaults[0]
    let key = PublicKey(scheme: .sr25519, bytes: [UInt8](repeating: 7, count: 32))!
    let record = KeyRecord(
        publicKey: key, seed: "main", path: "//a", hasPassword: false, networks: [network.genesisHash])
    let changes: [TrustChange] = [
        .setGeneralVerifier(key), .setVerifier(network.genesisHash, .general), .putNetwork(network),
        .addMetadata(network.genesisHash, version: 1, blob: [1, 2, 3]), .setTypes([9, 9]), .addKey(record),
    ]
    let cost = KDFCost(passes: 1, memory: 8)
    let vault = try! Vault.create(
        directory: folder.path, passphrase: SecretBytes(), cost: cost, development: true)
    let store = try! TrustStore.create(directory: folder.path, vault: vault, changes: changes)
    let state = try! store.trust().state
    let beside = ["vault", "attempts", "journal"].map { (name: $0, bytes: try! folder.read($0)) }
    return (try! store.backup()[0].bytes, beside, state)
}()

private func inFolder(store: [UInt8], _ body: (TrustStore) throws -> Void) {
    let folder = TemporaryDirectory(inMemory: true)
    for (name, bytes) in genuine.beside where (try? folder.write(bytes, to: name)) == nil { return }
    guard (try? folder.write(store, to: TrustStore.fileName)) != nil,
        let store = try? TrustStore(directory: folder.path, clock: { 1 })
    else {
        return
    }
    try? body(store)
}

let storeTargets = [
    // A whole SQLite file, as someone who owns the disk puts it there.
    FuzzTarget(name: "store", longest: 131_072, memory: 2048, seconds: 20, seeds: { [genuine.store] }) {
        input in
        inFolder(store: input) { store in
            _ = try? store.uncheckedTrust()
            _ = try? store.log(limit: 100)
            _ = try? store.checkLog()
        }
    },
    // Changes to a sealed store: place (3 bytes), new byte (1). What opens says what was sealed.
    FuzzTarget(
        name: "sealed", longest: 64, memory: 2048, seconds: 20,
        seeds: { [[0, 0, 100, 1], [0, 16, 0, 255, 0, 32, 1, 7]] }
    ) { input in
        var store = genuine.store
        for start in stride(from: 0, to: input.count - 3, by: 4) {
            let place = Int(input[start]) << 16 | Int(input[start + 1]) << 8 | Int(input[start + 2])
            store[place % store.count] = input[start + 3]
        }
        inFolder(store: store) { store in
            let unlocked = try store.unlock(
                Vault.open(directory: store.directory).unlock(passphrase: SecretBytes()))
            let state = try unlocked.trust().state
            precondition(state == genuine.state, "a changed store opens and says something else")
        }
    },
    FuzzTarget(
        name: "journal",
        seeds: {
            let folder = TemporaryDirectory(inMemory: true)
            let journal = Journal(directory: folder.path)
            for kind in LogEvent.Kind.allCases where kind.isWrittenWhileLocked {
                try journal.append(LogEvent(kind, [LogEvent.Fact("id", "1")], payload: [1, 2]), time: 5)
            }
            return [try folder.read(Journal.name)]
        }
    ) { input in
        let contents = Journal.parse(input)
        precondition(contents.readable <= input.count, "more is readable than there is")
        precondition(
            contents.records.allSatisfy { $0.record.event.kind.isWrittenWhileLocked },
            "an event that needs the open store")
        let again = Journal.parse(Array(input.prefix(contents.readable)))
        precondition(
            again.records.count == contents.records.count && !again.isDamaged,
            "the readable part reads as another")
    },
]
