import CSQLite
import Glibc
import Keys
import SubstratePrimitives
import TestSupport
import Testing
import TrustStore
import Vault

typealias Folder = TemporaryDirectory

extension TemporaryDirectory {
    func copy(to other: TemporaryDirectory) throws {
        for name in names { try other.write(read(name), to: name) }
    }
}

/// The hand of someone who can write the file but has no passphrase.
final class Intruder {
    private var handle: OpaquePointer?

    init(_ folder: Folder) {
        #expect(
            sqlite3_open_v2("\(folder.path)/\(TrustStore.fileName)", &handle, SQLITE_OPEN_READWRITE, nil)
                == SQLITE_OK)
        sqlite3_busy_timeout(handle, 1000)
        run("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON")
    }

    deinit { sqlite3_close_v2(handle) }

    func run(_ sql: String) {
        var message: UnsafeMutablePointer<CChar>?
        let status = sqlite3_exec(handle, sql, nil, nil, &message)
        #expect(status == SQLITE_OK, "\(sql): \(message.map { String(cString: $0) } ?? "")")
        sqlite3_free(message)
    }

    /// Rows as text; a blob as hex.
    func query(_ sql: String) -> [[String]] {
        var statement: OpaquePointer?
        #expect(sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK, "\(sql)")
        defer { sqlite3_finalize(statement) }
        var all: [[String]] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            all.append(
                (0..<sqlite3_column_count(statement)).map { column in
                    sqlite3_column_text(statement, column).map { String(cString: $0) } ?? "NULL"
                })
        }
        return all
    }

    var changes: Int { Int(sqlite3_changes(handle)) }
}

/// A development vault without seeds.
func makeVault(_ folder: Folder) throws -> UnlockedVault {
    try Vault.create(
        directory: folder.path, passphrase: SecretBytes(), cost: KDFCost(passes: 1, memory: 8),
        development: true)
}

func openVault(_ folder: Folder) throws -> UnlockedVault {
    try Vault.open(directory: folder.path).unlock(passphrase: SecretBytes())
}

let verifierKey = PublicKey(scheme: .sr25519, bytes: [UInt8](repeating: 0xaa, count: 32))!
let aliceKey = PublicKey(scheme: .sr25519, bytes: [UInt8](repeating: 0xd4, count: 32))!
let ethereumKey = PublicKey(scheme: .ethereum, bytes: [2] + [UInt8](repeating: 0xe7, count: 32))!
let customChain = GenesisHash([UInt8](repeating: 9, count: 32))!
let polkadot = NetworkSpecs.defaults[0]
let kusama = NetworkSpecs.defaults[1]

/// A row in every sealed table.
let everything: [TrustChange] = {
    var custom = NetworkSpecs(
        name: "custom", title: "Custom", base58Prefix: 7, decimals: 3, unit: "CST", genesisHash: customChain)
    custom.scheme = .ed25519
    return [
        .setGeneralVerifier(verifierKey), .setVerifier(polkadot.genesisHash, .general),
        .setVerifier(kusama.genesisHash, .revoked),
        .setVerifier(customChain, .custom(aliceKey)), .putNetwork(polkadot), .putNetwork(custom),
        .addMetadata(polkadot.genesisHash, version: 1, blob: [1, 2, 3]),
        .addMetadata(polkadot.genesisHash, version: 2, blob: [4, 5]),
        .setTypes([9, 9]), .putAssetList(polkadot.genesisHash, [3, 3]),
        .addKey(
            KeyRecord(
                publicKey: aliceKey, seed: "alice", path: "//Alice", hasPassword: false, label: "savings",
                lastUsed: 5,
                networks: [polkadot.genesisHash, customChain])),
        .addKey(
            KeyRecord(
                publicKey: ethereumKey, ethereumAddress: [UInt8](repeating: 1, count: 20), seed: "bob",
                path: "//Bob", hasPassword: true)),
        .putSetting(StoreSetting.allowOnline, [1]),
    ]
}()

/// What came with the history.
let contacts: [TrustChange] = [
    .putContact(
        ContactRecord(
            scheme: .sr25519, account: [UInt8](repeating: 0xb0, count: 32), label: "bob", note: "rent",
            networks: [polkadot.genesisHash],
            sealed: [1, 2], source: "by hand")),
    .putListSigner(ListSignerRecord(publicKey: verifierKey, label: "office")),
]

let groupKey = PublicKey(scheme: .ed25519, bytes: [UInt8](repeating: 0x6a, count: 32))!
let transcript = Hash32([UInt8](repeating: 0x71, count: 32))!
let heldGroup = HeldGroup(
    transcript: transcript, name: "office", record: [0x53, 0, 0xb5], seed: "alice", hostIndex: 3, member: 2)
let groupAccount = KeyRecord(
    publicKey: groupKey, source: .group(transcript, path: ""), label: "treasury",
    networks: [polkadot.genesisHash])
let offer = GroupOffer(
    request: Hash32([UInt8](repeating: 0x72, count: 32))!, group: transcript, payload: [0x53, 0, 0xb6],
    commitment: [0x53, 0, 0xb7], time: 7
)

/// What only the present layout has tables for.
let groups: [TrustChange] = [
    .putHostContact(HostContactRecord(hostKey: [UInt8](repeating: 0x68, count: 32), name: "carol")),
    .putGroupMaking(
        GroupMaking(
            session: Hash32([UInt8](repeating: 0x73, count: 32))!, proposal: [0x53, 0, 0xb1], seed: "alice",
            hostIndex: 1,
            contribution: [0x53, 0, 0xb2], confirmation: [0x53, 0, 0xb4])),
    .putGroup(heldGroup), .addKey(groupAccount), .addGroupOffer(offer),
]

/// A store with something in every table, closed.
func makeStore(_ folder: Folder, changes: [TrustChange] = everything + contacts + groups) throws {
    let store = try TrustStore.create(
        directory: folder.path, vault: makeVault(folder), changes: changes, clock: { 1000 })
    try store.append([LogEvent(.userNote, [LogEvent.Fact("text", "one")])])
    try store.append([
        LogEvent(.transactionSigned, [], payload: [0x53, 1, 2], metadataHash: .blake2b(of: [1, 2, 3]))
    ])
}

@discardableResult
func unlock(_ folder: Folder) throws -> UnlockedStore {
    try TrustStore(directory: folder.path, clock: { 2000 }).unlock(openVault(folder))
}

/// What unlocking says of a store that must be refused.
func refusal(_ folder: Folder, sourceLocation: SourceLocation = #_sourceLocation) -> [SealDifference] {
    do {
        try unlock(folder)
        Issue.record("the store was accepted", sourceLocation: sourceLocation)
    } catch StoreError.sealBroken(let differences) {
        return differences
    } catch {
        Issue.record("refused with \(error)", sourceLocation: sourceLocation)
    }
    return []
}
