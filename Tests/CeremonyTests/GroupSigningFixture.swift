import CSodium
import Extrinsics
import FixtureRuntime
import Foundation
import GroupCollect
import GroupReview
import Hashing
import Keys
import Review
import SCALE
import SubstratePrimitives
import Synchronization
import TestSupport
import Threshold
import TrustStore
import UOS

@testable import Ceremony

/// Memory for nonces in which a test can look, take things away, and let acts fail.
final class SwitchableNonces: NonceKeeper {
    enum Fault { case none, prepare, keep, take, wipe }

    let memory = Mutex(NonceMemory())
    private let fault = Mutex(Fault.none)
    private let kept = Mutex<[Hash32: [UInt8]]>([:])

    func fail(_ next: Fault) { fault.withLock { $0 = next } }
    /// The machine starts again.
    func lose() { memory.withLock { $0 = NonceMemory() } }
    /// Somebody who copied the memory puts a box back, or another one in its place.
    func put(_ box: [UInt8], for request: Hash32, of vault: [UInt8]) throws {
        try memory.withLock { memory in
            memory.wipe(request, of: vault)
            try memory.keep(box, for: request, of: vault)
        }
    }
    func copy(_ request: Hash32) -> [UInt8]? { kept.withLock { $0[request] } }

    private func failsIf(_ one: Fault) throws(NonceError) {
        if fault.withLock({ $0 }) == one { throw .notInMemory("test") }
    }

    func prepare() throws(NonceError) { try failsIf(.prepare) }
    func keep(_ box: [UInt8], for request: Hash32, of vault: [UInt8]) throws(NonceError) {
        try failsIf(.keep)
        kept.withLock { $0[request] = box }
        do { try memory.withLock { try $0.keep(box, for: request, of: vault) } } catch { throw .kept }
    }
    func take(_ request: Hash32, of vault: [UInt8]) throws(NonceError) -> [UInt8]? {
        try failsIf(.take)
        return memory.withLock { $0.take(request, of: vault) }
    }
    func wipe(_ request: Hash32, of vault: [UInt8]) throws(NonceError) {
        try failsIf(.wipe)
        memory.withLock { $0.wipe(request, of: vault) }
    }
    func requests(of vault: [UInt8]) -> Set<Hash32> { memory.withLock { $0.requests(of: vault) } }
}

/// Three machines with an active group that may sign on the fixture's network.
struct GroupSigningFixture {
    static let runtime = FixtureRuntime.standard
    static let bob = [UInt8](repeating: 0xb0, count: 32)

    let making: GroupFixture
    let record: UOS.GroupRecord
    let key: PublicKey

    /// - Parameter isKnown: whether the machines have the network; else the group's key belongs to another
    ///   one, and only a proof describes this.
    init(threshold: Int = 2, scheme: SignatureScheme = .sr25519, policy: String? = nil, isKnown: Bool = true)
        throws
    {
        making = try GroupFixture(threshold: threshold, scheme: scheme)
        record = try making.made()
        key = PublicKey(scheme: scheme, bytes: record.groupKey)!
        for machine in making.machines {
            try machine.act(ActivateGroup(record, name: nil))
            try machine.act(CompareGroup("office"))
            guard isKnown else {
                try machine.session().store.change([.allowKey(key, polkadot.genesisHash)], events: [])
                continue
            }
            var changes = Self.network(of: key)
            if let policy { changes.append(.putSetting(TransactionPolicy.setting, Array(policy.inHLO.utf8))) }
            try machine.session().store.change(changes, events: [])
        }
    }

    /// Machines that lost a group which another program made, and have it from their seeds and the record.
    init(restored making: GroupFixture) throws {
        self.making = making
        record = try making.record(of: making.names.map { try making.contribution(of: $0) })
        key = PublicKey(scheme: making.proposal.scheme, bytes: record.groupKey)!
        for (name, machine) in zip(making.names, making.machines) {
            try machine.act(RestoreGroup(record, seed: name, name: nil))
            try machine.act(CompareGroup("office"))
            try machine.session().store.change(Self.network(of: key), events: [])
        }
    }

    /// The fixture's network, on which the key may sign.
    private static func network(of key: PublicKey) -> [TrustChange] {
        var specs = runtime.specs
        specs.scheme = key.scheme
        return [
            .setVerifier(runtime.genesisHash, .custom(SigningFixture.verifier)), .putNetwork(specs),
            .addMetadata(runtime.genesisHash, version: runtime.specVersion, blob: runtime.metadata()),
            .allowKey(key, runtime.genesisHash),
        ]
    }

    var alice: CeremonyFixture { making.machines[0] }
    var bobs: CeremonyFixture { making.machines[1] }
    var carol: CeremonyFixture { making.machines[2] }

    func transfer(
        _ amount: UInt128 = 60, nonce: UInt64 = 0, period: UInt32? = 4096, from key: PublicKey? = nil
    ) throws -> Payload {
        let call = Self.runtime.call(
            "Balances", "transfer_keep_alive", [FixtureValue.address(Self.bob), FixtureValue.compact(amount)])
        let values = FixtureExtensionValues(
            era: period.map { .mortal(MortalEra(period: $0, phase: 0)!) } ?? .immortal,
            blockHash: period.map { _ in Hash32.blake2b(of: [1]) }, nonce: nonce)
        var bytes = Self.runtime.transactionPayload(signer: (key ?? self.key).bytes, call: call, values)
        bytes[1] = self.key.scheme.rawValue
        return try Payload(bytes)
    }

    func request(_ payload: Payload? = nil, signers: [Int] = [1, 2], path: String = "", salt: UInt8 = 1)
        throws -> GroupRequest
    {
        try GroupRequest(
            groupKey: key.bytes, nonce: [UInt8](repeating: salt, count: 16), signers: GroupMembers(signers),
            path: path,
            payload: try payload ?? transfer())
    }

    // MARK: Acts

    func sign(_ message: GroupMessage, _ machine: CeremonyFixture, in session: Session? = nil) throws
        -> SignForGroup.Result
    {
        try machine.act(SignForGroup(message)!, in: session)
    }

    func commitment(_ request: GroupRequest, _ machine: CeremonyFixture) throws -> GroupCommitment {
        guard case .commitment(let bytes) = try sign(.request(request), machine).answer,
            case .group(.commitment(let message)) = try Payload(bytes).content
        else { throw GroupSigningRefusal.unknownRequest }
        return message
    }

    func share(_ message: GroupMessage, _ machine: CeremonyFixture) throws -> GroupShare {
        guard case .share(let bytes) = try sign(message, machine).answer,
            case .group(.share(let share)) = try Payload(bytes).content
        else {
            throw GroupSigningRefusal.unknownRequest
        }
        return share
    }

    func package(_ request: GroupRequest, _ commitments: [GroupCommitment], carries: Bool = true) throws
        -> GroupMessage
    {
        .package(
            try GroupPackage(
                scheme: key.scheme, requestID: request.id, entries: commitments.map(\.nonces),
                request: carries ? request : nil))
    }

    /// A commitment of a member, signed with its host key beside its vault, of nonces that nobody has.
    func foreign(_ index: Int, _ request: GroupRequest, fill: UInt8) throws -> GroupCommitment {
        let nonces = try FrostPoint.pair(fill, key.scheme)
        return try commitment(index, request, nonces.0, nonces.1)
    }

    func commitment(_ index: Int, _ request: GroupRequest, _ hiding: [UInt8], _ binding: [UInt8]) throws
        -> GroupCommitment
    {
        try GroupFixture.withHost(making.names[index - 1]) { (host: borrowing HostKey) in
            func message(_ signature: [UInt8]) -> GroupCommitment {
                GroupCommitment(
                    scheme: key.scheme, request: request.id,
                    nonces: GroupNonces(index: index, hiding: hiding, binding: binding, signature: signature))
            }
            return message(try host.sign(message([UInt8](repeating: 0, count: 64)).signedBytes))
        }
    }

    /// A share that its member's host key signs again after a change.
    func resigned(_ share: GroupShare, _ change: (GroupShare) -> GroupShare) throws -> GroupShare {
        let changed = change(share)
        return try GroupFixture.withHost(making.names[share.nonces.index - 1]) { (host: borrowing HostKey) in
            let signature = try host.sign(changed.signedBytes)
            return GroupShare(
                scheme: changed.scheme, request: changed.request, nonces: changed.nonces,
                packageHash: changed.packageHash,
                share: changed.share, signature: signature)
        }
    }

    func verifies(_ signed: SignedTransaction?) throws -> Bool {
        guard let signed else { return false }
        let message = try SigningMessage.bytes(signed.reviewed, scheme: key.scheme)
        return signed.key == key && Signature.verify(signed.signature, message: message, key: key)
    }
}

/// Points of a group, for commitments that nobody can answer.
enum FrostPoint {
    static func pair(_ fill: UInt8, _ scheme: SignatureScheme) throws -> ([UInt8], [UInt8]) {
        let keys = try (0..<2).map { try CeremonyFixture.key("nonce \(fill) \($0)", scheme: scheme).bytes }
        return (keys[0], keys[1])
    }
}

/// A copy of a vault's folder that can be put back. The machine runs on, and its memory stays as it is.
struct OlderVault {
    private let copy = TemporaryDirectory(inMemory: true)
    private let path: String

    init(of machine: CeremonyFixture) throws {
        path = machine.path
        for name in try FileManager.default.contentsOfDirectory(atPath: path) {
            try FileManager.default.copyItem(atPath: "\(path)/\(name)", toPath: copy.path(name))
        }
    }

    func putBack() throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: path) {
            try FileManager.default.removeItem(atPath: "\(path)/\(name)")
        }
        for name in copy.names {
            try FileManager.default.copyItem(atPath: copy.path(name), toPath: "\(path)/\(name)")
        }
    }
}

/// A random source that always gives the same, for a whole process.
enum RepeatingSource {
    static func replaceRandomness() {
        let source = UnsafeMutablePointer<randombytes_implementation>.allocate(capacity: 1)
        source.initialize(
            to: randombytes_implementation(
                implementation_name: { nil }, random: { 7 }, stir: nil, uniform: nil,
                buf: { memory, count in
                    if let memory { memset(memory, 7, count) }
                }, close: nil))
        randombytes_set_implementation(source)
    }
}
