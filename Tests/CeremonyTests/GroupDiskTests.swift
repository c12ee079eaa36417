import Diagnostics
import Foundation
import Glibc
import GroupReview
import Hashing
import SQLite
import SubstratePrimitives
import TestSupport
import Testing
import TrustStore
import UOS

@testable import Ceremony

/// A disk that is full somewhere in the middle of a member's answer. The process goes on, as a shell does,
/// and asks again about other packages; a second reader keeps the write-ahead log from being emptied. Whoever
/// owns the machine's disk reads every byte of it after each failure.
@Suite struct GroupDiskLaws {
    @Test func `nonces that waited give one share at most, whenever the disk is full`() async {
        await #expect(processExitsWith: .exitCode(0)) { try Self.walk(isLast: false) }
    }

    @Test func `the last signer gives one share at most, whenever the disk is full`() async {
        await #expect(processExitsWith: .exitCode(0)) { try Self.walk(isLast: true) }
    }

    /// One answer for each size that the disk may have left, until it is enough. The random source repeats
    /// itself, so that the shares of both packages are known before and can be searched for.
    private static func walk(isLast: Bool) throws {
        signal(SIGXFSZ, SIG_IGN)
        let group = try GroupSigningFixture()
        let machine = isLast ? group.bobs : group.alice
        let request = try group.request()
        RepeatingSource.replaceRandomness()
        let own = isLast ? [] : [try group.commitment(request, machine)]
        let packages = try [1, 2].map { fill in
            try group.package(request, own + [try group.foreign(isLast ? 1 : 2, request, fill: fill)])
        }
        let (older, box) = (try OlderVault(of: machine), machine.nonces.copy(request.id))
        let vault = try machine.device.vault().id
        func rolledBack() throws {
            try older.putBack()
            if let box { try machine.nonces.put(box, for: request.id, of: vault) }
        }
        let shares = try packages.map { package in
            try rolledBack()
            let share = try group.share(package, machine).share
            #expect(try onDisk(machine, [share]) == [share], "what is stored is found")
            return share
        }
        #expect(shares[0] != shares[1])
        var seen: Set<Outcome> = []
        var room = 0
        while !seen.contains(.shared) {
            try rolledBack()
            let outcome = try answer(packages, shares, machine, room: room) { try group.share($0, machine) }
            if !isLast { #expect(machine.nonces.requests(of: vault).isEmpty, "\(room)") }
            seen.insert(outcome)
            room += 1024
        }
        #expect(seen == Set(Outcome.allCases), "the disk was full before, between and after both commits")
    }

    private enum Outcome: CaseIterable { case nothing, ended, shared }

    /// Asks for a share of each package while a file may have no more than so many bytes above what the log
    /// has now; then once more on a whole disk.
    private static func answer(
        _ packages: [GroupMessage], _ shares: [[UInt8]], _ machine: CeremonyFixture, room: Int,
        again: (GroupMessage) throws -> GroupShare
    ) throws -> Outcome {
        var found: Set<[UInt8]> = []
        var outcome = Outcome.nothing
        do {
            let session = try machine.session()
            let reader = try SQLiteConnection(
                path: "\(machine.path)/\(TrustStore.fileName)", busyMilliseconds: 1000, create: false)
            try reader.script("BEGIN")
            try reader.query("SELECT count(*) FROM log")
            let size =
                try FileManager.default.attributesOfItem(
                    atPath: "\(machine.path)/\(TrustStore.fileName)-wal")[.size] as? Int
            for package in [packages[0], packages[1], packages[0]] {
                var error: (any Error)?
                do {
                    let approval = try machine.device.preview(SignForGroup(package)!).confirm()
                    try limitingFiles(to: (size ?? 0) + room) {
                        if case .share = try session.perform(approval).outcome.answer { outcome = .shared }
                    }
                } catch let failure {
                    error = failure
                }
                switch error as? GroupSigningRefusal {
                case .ended, .notStored: outcome = .ended
                case .storedUnshown, .maybeStored: outcome = .shared
                default: break
                }
                let left = try onDisk(machine, shares)
                // Before the commit that spends the request no page has the share.
                if !left.isEmpty {
                    #expect(
                        try machine.state.groupOffers.isEmpty,
                        "\(room): a share on the disk, and the request is open")
                }
                found.formUnion(left)
            }
        }
        // What the log says is what happened, wherever the disk was full.
        let rounds = try machine.events.map(\.kind).filter { [.groupSpent, .groupShared].contains($0) }
        switch outcome {
        case .nothing: #expect(rounds.isEmpty, "\(room)")
        case .ended: #expect(rounds == [.groupSpent], "\(room)")
        case .shared: #expect(rounds == [.groupSpent, .groupShared], "\(room)")
        }
        for package in packages {
            if let share = try? again(package) { found.insert(share.share) }
            found.formUnion(try onDisk(machine, shares))
        }
        #expect(found.count <= 1, "\(room): two shares of one pair of nonces")
        return outcome
    }

    /// Which of the shares stand anywhere in the vault's folder.
    private static func onDisk(_ machine: CeremonyFixture, _ shares: [[UInt8]]) throws -> Set<[UInt8]> {
        let names = try FileManager.default.contentsOfDirectory(atPath: machine.path)
        let files = try names.map { try Data(contentsOf: URL(fileURLWithPath: "\(machine.path)/\($0)")) }
        return Set(shares.filter { share in files.contains { $0.range(of: Data(share)) != nil } })
    }

    /// A write beyond that many bytes of a file fails.
    private static func limitingFiles<R>(to bytes: Int, _ body: () throws -> R) throws -> R {
        var former = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &former)
        var limit = rlimit(rlim_cur: rlim_t(bytes), rlim_max: former.rlim_max)
        #expect(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
        defer { setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &former) }
        return try body()
    }
}

/// The vault's file comes after the store's commit, and has no room of its own.
@Suite struct GroupVaultFileLaws {
    @Test
    func
        `a share that is stored although the vault's file cannot be written is said to be stored, and shown afterwards`()
        throws
    {
        let group = try GroupSigningFixture()
        let machine = group.alice
        let request = try group.request()
        let own = try group.commitment(request, machine)
        let package = try group.package(request, [own, try group.foreign(2, request, fill: 1)])
        let plain = machine.device
        // The clock is read for each commit: once the request is spent, nothing takes the place of the
        // vault's file.
        let device = Device(
            directory: machine.path, detector: { plain.report() },
            clock: {
                if (try? machine.state.groupOffers.isEmpty) == true {
                    machine.block(CeremonyFixture.vaultFile)
                }
                return plain.clock()
            }, boot: plain.boot, nonces: machine.nonces)
        do {
            let session = try device.unlock { CeremonyFixture.passphrase }
            let approval = try device.preview(SignForGroup(package)!).confirm()
            let error = #expect(throws: GroupSigningRefusal.self) { _ = try session.perform(approval) }
            #expect(error == .storedUnshown(Sentence.systemError(EEXIST)))
        }
        machine.unblock(CeremonyFixture.vaultFile)
        #expect(try machine.events.map(\.kind).suffix(2) == [.groupSpent, .groupShared])
        #expect(try group.share(package, machine).nonces == own.nonces)
    }
}
