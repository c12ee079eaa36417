import Dispatch
import Extrinsics
import FixtureRuntime
import Foundation
import Glibc
import GroupCollect
import GroupReview
import Hashing
import Keys
import Review
import SubstratePrimitives
import Synchronization
import TestSupport
import Testing
import Threshold
import TrustStore
import UOS

@testable import Ceremony

/// Round one, round two, and what is refused between them: section by section of the two tables that the
/// format page of group messages has.
@Suite struct GroupSigningLaws {
    /// What a member's log says of one request, in this order.
    private static let rounds: [LogEvent.Kind] = [.groupOffered, .groupSpent, .groupShared]

    // MARK: A whole signature

    @Test(arguments: [SignatureScheme.sr25519, .ed25519])
    func `two rounds make a signature that everybody verifies`(scheme: SignatureScheme) throws {
        let group = try GroupSigningFixture(threshold: 3, scheme: scheme)
        let request = try group.request(signers: [1, 2, 3])
        let commitments = try group.making.machines.map { try group.commitment(request, $0) }
        let package = try group.package(request, commitments, carries: false)
        let shares = try group.making.machines.map { try group.share(package, $0) }
        let all: [GroupMessage] =
            [.record(group.record), .request(request), package] + shares.map { .share($0) }
        guard case .signature(let answer) = try GroupCollect.collect(all).output else {
            Issue.record("no signature")
            return
        }
        let signature = answer.text
        #expect(signature.utf8.count == 130)
        // Each machine finishes it as well, from what it kept and the others' shares; here none has all.
        #expect(throws: GroupSigningRefusal.sharesMissing(["carol"])) {
            try group.sign(.share(shares[1]), group.alice)
        }
        for machine in group.making.machines {
            #expect(
                try machine.state.groupOffers.isEmpty
                    && machine.nonces.requests(of: machine.device.vault().id).isEmpty)
            #expect(try machine.events.map(\.kind).filter { Self.rounds.contains($0) } == Self.rounds)
        }
    }

    @Test func `the last signer answers at once, and the first finishes the signature`() throws {
        let group = try GroupSigningFixture()
        let request = try group.request()
        let first = try group.commitment(request, group.alice)
        let share = try group.share(try group.package(request, [first]), group.bobs)
        #expect(
            try group.bobs.state.groupOffers.isEmpty
                && group.bobs.nonces.requests(of: group.bobs.device.vault().id).isEmpty)
        #expect(group.bobs.nonces.copy(request.id) == nil, "the last signer's nonces wait nowhere")
        let result = try group.sign(.share(share), group.alice)
        #expect(try group.verifies(result.signed))
        // The same again, from the row that stays: no key is needed and no other share comes of it.
        let again = try group.sign(.share(share), group.alice)
        #expect(again.answer == result.answer && again.signed?.signature == result.signed?.signature)
        #expect(try group.alice.events.filter { $0.kind == .groupShared }.count == 1)
        #expect(
            try group.alice.events.last { $0.kind == .groupSigned }?["signature"]
                == Hex.encode(result.signed?.signature ?? []))
    }

    @Test func `a message is signed as one key signs it`() throws {
        let group = try GroupSigningFixture()
        let payload = try Payload(
            [0x53, 0x01, 0x03] + group.key.bytes + Array("<Bytes>hello</Bytes>".utf8)
                + GroupSigningFixture.runtime.genesisHash.bytes)
        let request = try group.request(payload)
        let share = try group.share(
            try group.package(request, [group.commitment(request, group.alice)]), group.bobs)
        let signed = try #require(try group.sign(.share(share), group.alice).signed)
        #expect(
            Signature.verify(signed.signature, message: Array("<Bytes>hello</Bytes>".utf8), key: group.key))
    }

    @Test func `an account below a soft path signs with the same shares, and only under its own path`() throws
    {
        let group = try GroupSigningFixture()
        var child: PublicKey?
        for machine in group.making.machines {
            child = try machine.act(DeriveGroupAccount("office", path: "/kusama", network: "heliotest"))
        }
        let key = try #require(child)
        let payload = try group.transfer(from: key)
        let request = try group.request(payload, path: "/kusama")
        let share = try group.share(
            try group.package(request, [group.commitment(request, group.alice)]), group.bobs)
        let signed = try #require(try group.sign(.share(share), group.alice).signed)
        #expect(signed.key == key)
        #expect(
            Signature.verify(
                signed.signature, message: try SigningMessage.bytes(signed.reviewed, scheme: .sr25519),
                key: key))
        #expect(throws: ThresholdError.path) {
            try group.alice.device.preview(DeriveGroupAccount("office", path: "/kusama///password"))
        }
        let other = try group.request(payload, path: "/polkadot", salt: 2)
        #expect(throws: GroupSigningRefusal.otherAccount(group: "office")) {
            try group.sign(.request(other), group.alice)
        }
        // A path that the vault has not derived is no account of it, although everyone can compute it.
        let account = try group.record.checked().key.account(at: DerivationPath("/westend"))
        let westend = try group.transfer(from: PublicKey(scheme: .sr25519, bytes: account.publicKey)!)
        #expect(throws: GroupSigningRefusal.accountNotDerived(group: "office", path: "/westend")) {
            try group.sign(.request(try group.request(westend, path: "/westend", salt: 3)), group.alice)
        }
    }

    @Test func `an account of a group is derived once`() throws {
        let machine = try GroupSigningFixture().alice
        func derive(_ network: String?) throws -> PublicKey {
            try machine.act(DeriveGroupAccount("office", path: "/kusama", network: network))
        }
        let key = try derive("heliotest")
        #expect(try machine.state.key(key)?.networks == [GroupSigningFixture.runtime.genesisHash])
        for network in ["heliotest", nil] {
            #expect(throws: KeyRefusal.exists(holder: "group office", path: "/kusama")) {
                try derive(network)
            }
        }
    }

    /// It is one key, and each network is another permission of it.
    @Test func `an account of a group takes one network after the other`() throws {
        let machine = try GroupSigningFixture().alice
        var other = GroupSigningFixture.runtime.specs
        (other.name, other.title) = ("second", "Second")
        other.genesisHash = .blake2b(of: [2])
        try machine.session().store.change(
            [.setVerifier(other.genesisHash, .custom(SigningFixture.verifier)), .putNetwork(other)],
            events: [])
        func derive(_ network: String?, _ word: String? = nil) throws -> PublicKey {
            try machine.act(
                DeriveGroupAccount("office", path: "/kusama", network: network),
                asking: Answers(word: word.map { .typed($0) }))
        }
        let key = try derive(nil)
        #expect(try machine.state.key(key)?.networks == [])
        var networks: Set<GenesisHash> = []
        for (name, genesis) in [
            ("heliotest", GroupSigningFixture.runtime.genesisHash), ("second", other.genesisHash),
        ] {
            // A second network needs a person's word, as for every key.
            if !networks.isEmpty { #expect(throws: CeremonyError.keyOnTwoNetworks(1)) { try derive(name) } }
            #expect(try derive(name, "reuse key") == key)
            networks.insert(genesis)
            #expect(try machine.state.key(key)?.networks == networks)
            #expect(try machine.events.last?["network"] == name)
            #expect(throws: KeyRefusal.exists(holder: "group office", path: "/kusama")) { try derive(name) }
        }
        #expect(try machine.state.keys.filter { $0.publicKey == key }.count == 1)
    }

    /// Its address is for money, and a request is the only way to move it.
    @Test func `an account of a group is derived only where a request can name its path`() throws {
        let group = try GroupSigningFixture()
        let machine = group.alice
        for path in ["/" + String(repeating: "a", count: 64), "/savings ", "/a\u{202e}b", "/a/\u{a0}b"] {
            #expect(throws: GroupRefusal.pathOfNoRequest) {
                try machine.device.preview(DeriveGroupAccount("office", path: path))
            }
        }
        let longest = "/" + String(repeating: "a", count: 63)
        let key = try machine.act(DeriveGroupAccount("office", path: longest, network: "heliotest"))
        _ = try group.commitment(try group.request(try group.transfer(from: key), path: longest), machine)
    }

    // MARK: Round one

    @Test func `the commitment is stored before it is shown, and the same request shows the same one`() throws
    {
        let group = try GroupSigningFixture()
        let request = try group.request()
        let first = try group.commitment(request, group.alice)
        let offer = try #require(try group.alice.state.groupOffers.first)
        #expect(
            offer.request == request.id && offer.payload == request.bytes && offer.commitment == first.bytes)
        #expect(try group.commitment(request, group.alice) == first)
        #expect(try group.alice.state.groupOffers == [offer])
        #expect(try group.alice.events.filter { $0.kind == .groupOffered }.count == 1)
        // The store has nothing of the nonces: without the memory there is no round two.
        group.alice.nonces.lose()
        #expect(throws: GroupSigningRefusal.noncesGone) { try group.commitment(request, group.alice) }
    }

    @Test func `where nonces cannot wait there is no commitment`() throws {
        let group = try GroupSigningFixture()
        group.alice.nonces.fail(.keep)
        let request = try group.request()
        #expect(throws: NonceError.notInMemory("test")) { try group.commitment(request, group.alice) }
        #expect(try group.alice.state.groupOffers.isEmpty)
    }

    /// Before anybody reads cards, says yes and types a passphrase; and only where nonces would have to wait.
    @Test func `a first round is refused at its preview where nonces cannot wait`() throws {
        let group = try GroupSigningFixture()
        let (one, two) = (try group.request(salt: 1), try group.request(salt: 2))
        let own = try group.commitment(one, group.alice)
        group.alice.nonces.fail(.prepare)
        let error = NonceError.notInMemory("test")
        #expect(throws: error) { try group.alice.device.preview(SignForGroup(.request(two))!) }
        #expect(throws: error) { try group.alice.session().preview(SignForGroup(.request(two))!) }
        // What was offered before, and an answer at once, keep nothing.
        #expect(try group.commitment(one, group.alice) == own)
        let package = try group.package(two, [try group.foreign(2, two, fill: 1)])
        _ = try group.share(package, group.alice)
    }

    /// A folder that others may read is not looked into: what waits there is not gone, and the folder can be
    /// mended.
    @Test func `nonces that cannot be reached are not called gone`() throws {
        let group = try GroupSigningFixture()
        let request = try group.request()
        let own = try group.commitment(request, group.alice)
        let package = try group.package(request, [own, try group.foreign(2, request, fill: 1)])
        group.alice.nonces.lose()
        group.alice.nonces.fail(.prepare)
        for message in [package, .request(request)] {
            #expect(throws: NonceError.notInMemory("test")) {
                try group.alice.device.preview(SignForGroup(message)!)
            }
        }
        group.alice.nonces.fail(.none)
        #expect(throws: GroupSigningRefusal.noncesGone) {
            try group.alice.device.preview(SignForGroup(package)!)
        }
    }

    /// Killed between the nonces and their row: what waits was never shown.
    @Test func `nonces without a row are wiped at the next unlock, and others are drawn`() throws {
        let group = try GroupSigningFixture()
        let request = try group.request()
        do {
            let session = try group.alice.session()
            let approval = try group.alice.device.preview(SignForGroup(.request(request))!).confirm()
            try group.alice.blockLog()
            #expect(throws: StoreError.conflict(table: "constraint")) { try session.perform(approval) }
        }
        let lost = try #require(group.alice.nonces.copy(request.id))
        #expect(try group.alice.nonces.requests(of: group.alice.device.vault().id) == [request.id])
        try group.alice.unblockLog()
        _ = try group.alice.session()
        #expect(try group.alice.nonces.requests(of: group.alice.device.vault().id).isEmpty)
        _ = try group.commitment(request, group.alice)
        #expect(group.alice.nonces.copy(request.id) != lost)
    }

    /// No unlock comes between two acts of a shell.
    @Test func `in one session, too, nonces without a row give way to others`() throws {
        let group = try GroupSigningFixture()
        let request = try group.request()
        let session = try group.alice.session()
        let approval = try group.alice.device.preview(SignForGroup(.request(request))!).confirm()
        try group.alice.blockLog()
        #expect(throws: StoreError.conflict(table: "constraint")) { try session.perform(approval) }
        let lost = try #require(group.alice.nonces.copy(request.id))
        try group.alice.unblockLog()
        _ = try session.perform(approval)
        #expect(group.alice.nonces.copy(request.id) != lost)
    }

    @Test func `a group has eight open requests at most, and those whose nonces are gone do not count`()
        throws
    {
        let group = try GroupSigningFixture()
        for salt in 1...8 { _ = try group.commitment(try group.request(salt: UInt8(salt)), group.alice) }
        let ninth = try group.request(salt: 9)
        #expect(throws: GroupSigningRefusal.tooManyOpen(group: "office")) {
            try group.commitment(ninth, group.alice)
        }
        // The last signer keeps nothing, so it is no ninth.
        _ = try group.share(try group.package(ninth, [try group.commitment(ninth, group.bobs)]), group.alice)
        group.alice.nonces.lose()
        _ = try group.commitment(try group.request(salt: 10), group.alice)
        #expect(try group.alice.state.groupOffers.count == 9)
    }

    // MARK: Round two

    @Test func `the same package shows the same share, and any other finds the nonces spent`() throws {
        let group = try GroupSigningFixture()
        let request = try group.request()
        let own = try group.commitment(request, group.alice)
        let one = try group.package(request, [own, try group.foreign(2, request, fill: 1)])
        let other = try group.package(request, [own, try group.foreign(2, request, fill: 2)])
        let share = try group.share(one, group.alice)
        #expect(try group.share(one, group.alice) == share)
        #expect(throws: GroupSigningRefusal.spent) { try group.share(other, group.alice) }
        #expect(throws: GroupSigningRefusal.spent) { try group.commitment(request, group.alice) }
        let replaced = try group.foreign(1, request, fill: 7)
        #expect(throws: GroupSigningRefusal.spent) {
            try group.share(
                try group.package(request, [replaced, try group.foreign(2, request, fill: 1)]), group.alice)
        }
        // Copied out of the memory before, and put back after.
        let vault = try group.alice.device.vault().id
        try group.alice.nonces.put(
            try #require(group.alice.nonces.copy(request.id)), for: request.id, of: vault)
        #expect(throws: GroupSigningRefusal.spent) { try group.share(other, group.alice) }
        _ = try group.alice.session()
        #expect(group.alice.nonces.requests(of: vault).isEmpty)
        #expect(
            try group.alice.events.filter { $0.kind == .groupRefused }.compactMap { $0["reason"] }
                == Array(repeating: "group-nonces-spent", count: 4))
    }

    /// The loser shows nothing: its yes was for an offer that is no more.
    @Test func `of two packages that were confirmed at the same time one gets a share`() throws {
        let group = try GroupSigningFixture()
        let request = try group.request()
        let own = try group.commitment(request, group.alice)
        let approvals = try [1, 2].map { fill in
            let package = try group.package(request, [own, try group.foreign(2, request, fill: UInt8(fill))])
            return try group.alice.device.preview(SignForGroup(package)!).confirm()
        }
        let session = try group.alice.session()
        _ = try session.perform(approvals[0])
        #expect(throws: GroupSigningRefusal.spent) { try session.perform(approvals[1]) }
        #expect(try group.alice.events.filter { $0.kind == .groupShared }.count == 1)
    }

    @Test func `a yes is for the step that was shown, and for the cards that were shown`() throws {
        let group = try GroupSigningFixture()
        let request = try group.request()
        let approvals = try (0..<2).map { _ in
            try group.alice.device.preview(SignForGroup(.request(request))!).confirm()
        }
        let session = try group.alice.session()
        guard case .commitment(let bytes) = try session.perform(approvals[0]).outcome.answer,
            case .group(.commitment(let own)) = try Payload(bytes).content
        else { throw GroupSigningRefusal.unknownRequest }
        #expect(throws: CeremonyError.changedSinceShown) { try session.perform(approvals[1]) }
        let package = try group.package(request, [own, try group.foreign(2, request, fill: 1)])
        let approval = try group.alice.device.preview(SignForGroup(package)!).confirm()
        // The same bytes are now another amount in the eyes of a person.
        var specs = GroupSigningFixture.runtime.specs
        specs.decimals += 3
        try session.store.change([.putNetwork(specs)], events: [])
        #expect(throws: CeremonyError.changedSinceShown) { try session.perform(approval) }
        #expect(try group.alice.events.filter { $0.kind == .groupShared }.isEmpty)
        _ = try group.sign(package, group.alice, in: session)
    }

    /// The share is not made yet, and the nonces are gone all the same: whoever reads the disk must not find
    /// out what a commit left there.
    @Test func `a commit that fails ends the request, and no share came of it`() throws {
        let group = try GroupSigningFixture()
        let request = try group.request()
        let own = try group.commitment(request, group.alice)
        let packages = try [1, 2].map {
            try group.package(request, [own, try group.foreign(2, request, fill: $0)])
        }
        let vault = try group.alice.device.vault().id
        do {
            let session = try group.alice.session()
            let approval = try group.alice.device.preview(SignForGroup(packages[0])!).confirm()
            try group.alice.blockLog()
            // The sentence says what is over, not only what failed.
            let reason = StoreError.conflict(table: "constraint").sentence
            #expect(throws: GroupSigningRefusal.notMade(reason)) { try session.perform(approval) }
            #expect(group.alice.nonces.requests(of: vault).isEmpty)
            try group.alice.unblockLog()
            // In the same session, as in a shell, and in another one.
            #expect(throws: GroupSigningRefusal.noncesGone) { try session.perform(approval) }
        }
        #expect(try group.alice.state.groupOffers.count == 1)
        for package in packages + [.request(request)] {
            #expect(throws: GroupSigningRefusal.noncesGone) { try group.sign(package, group.alice) }
        }
        #expect(try group.alice.events.filter { $0.kind == .groupShared }.isEmpty)
    }

    /// What the last signer drew is wiped, and nothing was kept or shown: the next answer has other nonces.
    @Test func `a commit that fails leaves the last signer's request open`() throws {
        let group = try GroupSigningFixture()
        let request = try group.request()
        let packages = try [1, 2].map {
            try group.package(request, [try group.foreign(1, request, fill: $0)])
        }
        do {
            let session = try group.bobs.session()
            let approval = try group.bobs.device.preview(SignForGroup(packages[0])!).confirm()
            try group.bobs.blockLog()
            #expect(throws: StoreError.conflict(table: "constraint")) { try session.perform(approval) }
            try group.bobs.unblockLog()
        }
        let share = try group.share(packages[1], group.bobs)
        #expect(throws: GroupSigningRefusal.spent) { try group.share(packages[0], group.bobs) }
        #expect(try group.share(packages[1], group.bobs) == share)
    }

    /// Between the commit that spends the request and the one that stores the share: the log has a line for
    /// each, and the second cannot be written here.
    @Test func `a share that could not be stored ends its request`() throws {
        let group = try GroupSigningFixture()
        let request = try group.request()
        let own = try group.commitment(request, group.alice)
        let message = GroupMessage.share(try group.share(try group.package(request, [own]), group.bobs))
        let other = try group.package(request, [own, try group.foreign(2, request, fill: 3)])
        do {
            let session = try group.alice.session()
            let approval = try group.alice.device.preview(SignForGroup(message)!).confirm()
            try group.alice.blockLog(after: 1)
            let reason = StoreError.conflict(table: "constraint").sentence
            #expect(throws: GroupSigningRefusal.notStored(reason)) { try session.perform(approval) }
            try group.alice.unblockLog()
            // The log says that the nonces are used up, and for what; it does not say that a share was given.
            let last = try #require(try group.alice.events.last)
            #expect(
                last.kind == .groupSpent && last["request"] == request.id.hex && last["package_hash"] != nil)
            #expect(
                try group.alice.events.map(\.kind).filter { Self.rounds.contains($0) } == [
                    .groupOffered, .groupSpent,
                ])
            #expect(try group.alice.state.groupOffers.isEmpty)
            // No message brings the share back: neither a yes from before, nor in the same session, as in a
            // shell, nor in another one.
            #expect(throws: GroupSigningRefusal.ended) { try session.preview(SignForGroup(message)!) }
            #expect(throws: CeremonyError.changedSinceShown) { try session.perform(approval) }
        }
        for message in [message, other, .request(request)] {
            #expect(throws: GroupSigningRefusal.ended) { try group.sign(message, group.alice) }
        }
        // Nonces that somebody copied before, and puts back beside the row, are wiped at the next unlock as
        // those of any request that is spent.
        let vault = try group.alice.device.vault().id
        try group.alice.nonces.put(
            try #require(group.alice.nonces.copy(request.id)), for: request.id, of: vault)
        #expect(throws: GroupSigningRefusal.ended) { try group.sign(other, group.alice) }
        _ = try group.alice.session()
        #expect(group.alice.nonces.requests(of: vault).isEmpty)
        #expect(try group.alice.events.filter { $0["reason"] == "group-share-not-stored" }.count == 1)
        #expect(try group.alice.events.allSatisfy { $0.kind != .groupShared && $0.kind != .groupSigned })
    }

    /// A disk that does not confirm a commit may have it all the same, and then the row is read.
    @Test func `what a commit that failed left decides what is said of the share`() {
        let empty: [UInt8] = [1, 2]
        #expect(SignForGroup.refusal("x", stored: empty, withoutShare: empty) == .notStored("x"))
        for stored in [[1, 2, 3], nil] as [[UInt8]?] {
            #expect(SignForGroup.refusal("x", stored: stored, withoutShare: empty) == .maybeStored("x"))
        }
        // Of the last signer nothing was taken before the first commit, unless that is on the disk.
        let (full, unwritten) = (
            StoreError.inputOutput(code: ENOSPC), StoreError.vaultFileUnwritten(code: EIO)
        )
        #expect(SignForGroup.refusal(of: full, taken: false) as? StoreError == full)
        for (error, isTaken) in [(full, true), (unwritten, true), (unwritten, false)] {
            #expect(
                SignForGroup.refusal(of: error, taken: isTaken) as? GroupSigningRefusal
                    == .notMade(error.sentence))
        }
    }

    /// Killed at any step of round two, and then an older copy of the vault's folder is put back: a share
    /// that was stored may be read from the newer one.
    @Test func `a kill and a rollback of the vault's folder give no second share`() throws {
        for fault in [SwitchableNonces.Fault.none, .keep, .take, .wipe] {
            let group = try GroupSigningFixture()
            let request = try group.request()
            let own = try group.commitment(request, group.alice)
            let older = try OlderVault(of: group.alice)
            group.alice.nonces.fail(fault)
            let shares = try (1...2).compactMap { fill in
                let package = try group.package(
                    request, [own, try group.foreign(2, request, fill: UInt8(fill))])
                let share = try? group.share(package, group.alice)
                group.alice.nonces.fail(.none)
                try older.putBack()
                return share
            }
            #expect(shares.count <= 1, "\(fault)")
        }
    }

    /// Each share is for other nonces, or for the same package. The random source is that of the whole
    /// process, so the test has one of its own.
    @Test
    func
        `a random source that repeats itself after a rollback gives the last signer other nonces for another package`()
        async
    {
        await #expect(processExitsWith: .exitCode(0)) {
            let group = try GroupSigningFixture()
            let request = try group.request()
            let packages = try (1...2).map {
                try group.package(request, [try group.foreign(1, request, fill: $0)])
            }
            let older = try OlderVault(of: group.bobs)
            RepeatingSource.replaceRandomness()
            let shares = try [packages[0], packages[1], packages[0]].map { package in
                let share = try group.share(package, group.bobs)
                try older.putBack()
                return share
            }
            #expect(
                shares[0].nonces.hiding == shares[2].nonces.hiding && shares[0].share == shares[2].share,
                "the source repeats itself")
            #expect(
                shares[0].nonces.hiding != shares[1].nonces.hiding
                    && shares[0].nonces.binding != shares[1].nonces.binding)
            #expect(shares.allSatisfy { $0.nonces.hiding != $0.nonces.binding })
        }
    }

    @Test
    func
        `nonces that cannot be taken out of the memory give no share, and those of a dropped request are wiped at the next unlock`()
        throws
    {
        let group = try GroupSigningFixture()
        let request = try group.request()
        let own = try group.commitment(request, group.alice)
        let package = try group.package(request, [own, try group.foreign(2, request, fill: 1)])
        let vault = try group.alice.device.vault().id
        group.alice.nonces.fail(.take)
        #expect(throws: NonceError.notInMemory("test")) { try group.share(package, group.alice) }
        #expect(
            try group.alice.state.groupOffers.count == 1
                && group.alice.nonces.requests(of: vault) == [request.id])
        group.alice.nonces.fail(.wipe)
        try group.alice.act(DropOffer(request.id.hex))
        #expect(group.alice.nonces.requests(of: vault) == [request.id])
        group.alice.nonces.fail(.none)
        #expect(throws: GroupSigningRefusal.dropped) { try group.share(package, group.alice) }
        _ = try group.alice.session()
        #expect(group.alice.nonces.requests(of: vault).isEmpty)
    }

    @Test func `nonces that are gone, of another request, or of another start of the machine give no share`()
        throws
    {
        for fault in 0..<3 {
            let group = try GroupSigningFixture()
            let request = try group.request()
            let own = try group.commitment(request, group.alice)
            let package = try group.package(request, [own, try group.foreign(2, request, fill: 1)])
            let vault = try group.alice.device.vault().id
            let expected: GroupSigningRefusal
            switch fault {
            case 0:
                group.alice.nonces.lose()
                expected = .noncesGone
            case 1:
                let other = try group.request(salt: 2)
                _ = try group.commitment(other, group.alice)
                try group.alice.nonces.put(
                    try #require(group.alice.nonces.copy(other.id)), for: request.id, of: vault)
                expected = .noncesBroken
            default:
                // The folder outlived the machine's start, as a snapshot of it does.
                group.alice.restart(after: 10)
                expected = .noncesBroken
            }
            #expect(throws: expected, "\(fault)") { try group.share(package, group.alice) }
            #expect(try group.alice.events.filter { $0.kind == .groupShared }.isEmpty)
        }
    }

    /// From a vault's backup the offer comes back, or is not there at all; the nonces never come with it.
    @Test func `a commitment that this vault does not know is not answered`() throws {
        let group = try GroupSigningFixture()
        let request = try group.request()
        let forgotten = try group.foreign(1, request, fill: 9)
        #expect(throws: GroupSigningRefusal.noncesGone) {
            try group.share(
                try group.package(request, [forgotten, try group.foreign(2, request, fill: 1)]), group.alice)
        }
        let own = try group.commitment(request, group.alice)
        #expect(throws: GroupSigningRefusal.ownEntryDiffers) {
            try group.share(
                try group.package(request, [forgotten, try group.foreign(2, request, fill: 1)]), group.alice)
        }
        _ = try group.share(
            try group.package(request, [own, try group.foreign(2, request, fill: 1)]), group.alice)
    }

    /// Whoever has a copy of the seed can sign such commitments. One right half is not enough, and the nonces
    /// stay for the commitment that was shown.
    @Test func `a commitment that differs from the shown one in one point is refused`() throws {
        let group = try GroupSigningFixture()
        let request = try group.request()
        let own = try group.commitment(request, group.alice)
        let strange = try group.foreign(1, request, fill: 9).nonces
        for (hiding, binding) in [(own.nonces.hiding, strange.binding), (strange.hiding, own.nonces.binding)]
        {
            let half = try group.commitment(1, request, hiding, binding)
            #expect(throws: GroupSigningRefusal.ownEntryDiffers) {
                try group.share(
                    try group.package(request, [half, try group.foreign(2, request, fill: 1)]), group.alice)
            }
        }
        _ = try group.share(
            try group.package(request, [own, try group.foreign(2, request, fill: 1)]), group.alice)
    }

    @Test func `the last signer answers one package for a request, too`() throws {
        let group = try GroupSigningFixture()
        let request = try group.request()
        let one = try group.package(request, [try group.foreign(1, request, fill: 1)])
        let share = try group.share(one, group.bobs)
        #expect(try group.share(one, group.bobs) == share)
        for other in [
            try group.package(request, [try group.foreign(1, request, fill: 2)]), .request(request),
        ] {
            #expect(throws: GroupSigningRefusal.spent) { try group.sign(other, group.bobs) }
        }
        #expect(try group.bobs.events.filter { $0.kind == .groupShared }.count == 1)
    }

    @Test func `a dropped request is spent for ever, and one of a removed group too`() throws {
        let group = try GroupSigningFixture()
        let (one, two) = (try group.request(salt: 1), try group.request(salt: 2))
        for request in [one, two] { _ = try group.commitment(request, group.alice) }
        try group.alice.act(DropOffer(GroupWords.text(of: one.id)))
        let vault = try group.alice.device.vault().id
        #expect(group.alice.nonces.requests(of: vault) == [two.id])
        #expect(throws: GroupSigningRefusal.dropped) { try group.commitment(one, group.alice) }
        #expect(throws: GroupSigningRefusal.noSuchOffer(one.id.hex)) {
            try group.alice.act(DropOffer(one.id.hex))
        }
        try group.alice.act(RemoveGroup("office"))
        #expect(group.alice.nonces.requests(of: vault).isEmpty)
        try group.alice.act(RestoreGroup(group.record, seed: "alice", name: nil))
        #expect(throws: GroupSigningRefusal.dropped) { try group.commitment(two, group.alice) }
    }

    // MARK: What a message says wrongly

    @Test func `requests for others are refused, each by its own reason`() throws {
        let group = try GroupSigningFixture()
        let stranger = try CeremonyFixture.key("stranger")
        let cases: [(GroupRequest, GroupSigningRefusal)] = [
            (
                try GroupRequest(
                    groupKey: stranger.bytes, nonce: [UInt8](repeating: 1, count: 16),
                    signers: GroupMembers([1, 2]), path: "",
                    payload: try group.transfer(from: stranger)), .unknownGroup
            ),
            (try group.request(signers: [2, 3]), .notASigner(group: "office")),
            (try group.request(signers: [1, 4]), .signers(group: "office")),
        ]
        for (request, refusal) in cases {
            #expect(throws: refusal) { try group.sign(.request(request), group.alice) }
        }
        let big = try GroupSigningFixture(threshold: 3)
        #expect(throws: GroupSigningRefusal.signers(group: "office")) {
            try big.sign(.request(try big.request(signers: [1, 2])), big.alice)
        }
        #expect(try group.alice.state.groupOffers.isEmpty)
    }

    /// An own key as the group's key of a request: nobody signs with a key of a seed because a request says
    /// so.
    @Test func `a key of a seed is no group`() throws {
        let group = try GroupSigningFixture()
        let own = try CeremonyFixture.key("alice", "//0")
        try group.alice.session().store.change(
            [
                .addKey(
                    KeyRecord(
                        publicKey: own, seed: "alice", path: "//0", hasPassword: false,
                        networks: [GroupSigningFixture.runtime.genesisHash])
                )
            ],
            events: [])
        let request = try GroupRequest(
            groupKey: own.bytes, nonce: [UInt8](repeating: 1, count: 16), signers: GroupMembers([1, 2]),
            path: "",
            payload: try group.transfer(from: own))
        #expect(throws: GroupSigningRefusal.unknownGroup) { try group.sign(.request(request), group.alice) }
    }

    @Test func `a package needs its request, all commitments, and right signatures`() throws {
        let group = try GroupSigningFixture(threshold: 3)
        let request = try group.request(signers: [1, 2, 3])
        let (two, three) = (try group.foreign(2, request, fill: 2), try group.foreign(3, request, fill: 3))
        #expect(throws: GroupSigningRefusal.unknownRequest) {
            try group.sign(try group.package(request, [two, three], carries: false), group.alice)
        }
        let own = try group.commitment(request, group.alice)
        #expect(throws: GroupSigningRefusal.commitmentsMissing(["carol"])) {
            try group.sign(try group.package(request, [own, two]), group.alice)
        }
        let broken = GroupCommitment(
            scheme: .sr25519, request: request.id,
            nonces: GroupNonces(
                index: 3, hiding: three.nonces.hiding, binding: three.nonces.binding,
                signature: two.nonces.signature))
        #expect(throws: GroupSigningRefusal.entry(["carol"])) {
            try group.sign(try group.package(request, [own, two, broken]), group.alice)
        }
        #expect(try group.alice.events.filter { $0.kind == .groupShared }.isEmpty)
    }

    /// Nobody signs a package, and each entry is signed under the scheme of its own message.
    @Test func `a package of another scheme is refused, also where it carries no request`() throws {
        let group = try GroupSigningFixture()
        let request = try group.request()
        let own = try group.commitment(request, group.alice)
        let entries = [own.nonces, try group.foreign(2, request, fill: 1).nonces]
        func package(_ scheme: SignatureScheme) throws -> GroupMessage {
            .package(
                try GroupPackage(scheme: scheme, requestID: request.id, entries: entries, request: nil))
        }
        #expect(throws: GroupSigningRefusal.otherScheme) {
            try group.sign(try package(.ed25519), group.alice)
        }
        _ = try group.share(try package(.sr25519), group.alice)
        #expect(throws: GroupSigningRefusal.otherScheme) {
            try group.sign(try package(.ed25519), group.alice)
        }
    }

    /// Its member signed it, and nobody can answer it: what comes after the yes would be a request that ended
    /// and a history of a signature that never was.
    @Test(arguments: [SignatureScheme.sr25519, .ed25519])
    func `a commitment that is no point costs the last signer nothing`(scheme: SignatureScheme) throws {
        let group = try GroupSigningFixture(scheme: scheme)
        let request = try group.request()
        let point = try FrostPoint.pair(1, scheme)
        let identity: [UInt8] =
            scheme == .sr25519 ? [UInt8](repeating: 0, count: 32) : [1] + [UInt8](repeating: 0, count: 31)
        let noPoint = [UInt8](repeating: 0xff, count: 32)
        // The identity of ristretto255 with a bit that libsodium passes over; of ed25519 a point of order 4.
        let disguised = [UInt8](repeating: 0, count: 31) + [0x80]
        for (hiding, binding) in [
            (identity, point.1), (point.0, identity), (noPoint, point.1), (point.0, noPoint),
            (disguised, point.1), (point.0, disguised),
        ] {
            let wrong = try group.commitment(1, request, hiding, binding)
            #expect(throws: GroupSigningRefusal.entry(["alice"])) {
                try group.bobs.device.preview(
                    SignForGroup(try group.package(request, [wrong]))!)
            }
        }
        #expect(try !group.bobs.events.contains { $0.kind == .groupSpent })
        // What the hint says helps: the same request with a right commitment.
        let right = try group.commitment(request, group.alice)
        _ = try group.share(try group.package(request, [right]), group.bobs)
    }

    @Test func `a wrong share is named, and so is one for other commitments`() throws {
        let group = try GroupSigningFixture()
        let request = try group.request()
        let own = try group.commitment(request, group.alice)
        let right = try group.share(try group.package(request, [own]), group.bobs)
        let wrong = try group.resigned(right) { share in
            GroupShare(
                scheme: share.scheme, request: share.request, nonces: share.nonces,
                packageHash: share.packageHash,
                share: [share.share[0] ^ 1] + share.share.dropFirst(), signature: share.signature)
        }
        #expect(throws: GroupSigningRefusal.share("bob")) { try group.sign(.share(wrong), group.alice) }
        let elsewhere = try group.resigned(right) { share in
            GroupShare(
                scheme: share.scheme, request: share.request, nonces: share.nonces,
                packageHash: .blake2b(of: [1]), share: share.share,
                signature: share.signature)
        }
        #expect(throws: GroupSigningRefusal.otherPackage("bob")) {
            try group.sign(.share(elsewhere), group.alice)
        }
        let unsigned = GroupShare(
            scheme: right.scheme, request: right.request, nonces: right.nonces,
            packageHash: right.packageHash, share: right.share,
            signature: [UInt8](repeating: 0, count: 64))
        // The commitment in it is right: to ask for that again would lead nowhere.
        #expect(throws: GroupSigningRefusal.shareSignature("bob")) {
            try group.sign(.share(unsigned), group.alice)
        }
        let otherScheme = try group.resigned(right) { share in
            GroupShare(
                scheme: .ed25519, request: share.request, nonces: share.nonces,
                packageHash: share.packageHash, share: share.share,
                signature: share.signature)
        }
        #expect(throws: GroupSigningRefusal.otherScheme) { try group.sign(.share(otherScheme), group.alice) }
        // None of them took the nonces.
        #expect(try group.verifies(try group.sign(.share(right), group.alice).signed))
    }

    /// Its name would say of another member that it is this machine.
    @Test func `a signer with an invalid name stands under its number on the screen and in the log`() throws {
        let making = try GroupFixture(called: [2: "a\" (this machine), \"bob", 3: "alice,bob"])
        let group = try GroupSigningFixture(restored: making)
        let request = try group.request(signers: [1, 2, 3])
        let shown = try group.alice.device.preview(SignForGroup(.request(request))!).shown
        var summary = ReviewSummary(shown.transaction)
        summary.add(shown)
        #expect(
            summary.facts.first { $0.name == "signers" }?.value
                == #""alice" (this machine), "member 2", "member 3""#)
        _ = try group.commitment(request, group.alice)
        #expect(
            try group.alice.events.last { $0.kind == .groupOffered }?["signers"]
                == "alice, member 2, member 3")
        let missing = try group.package(request, [try group.foreign(2, request, fill: 2)])
        #expect(throws: GroupSigningRefusal.commitmentsMissing(["member 3"])) {
            try group.sign(missing, group.alice)
        }
    }

    /// Whoever made the proposal chose its names. The name of a contact is that of the machine whose words a
    /// person compared, on the screen and where it is typed.
    @Test(arguments: ["bob", "B0b"])
    func `a signer under a contact's name stands under its number, and the name does not mean it`(
        name: String
    ) throws {
        let group = try GroupSigningFixture()
        try group.alice.act(AddHostContact(GroupFixture.card(of: "eve", name: name), name: nil))
        let request = try group.request(signers: [1, 2, 3])
        let shown = try group.alice.device.preview(SignForGroup(.request(request))!).shown
        var summary = ReviewSummary(shown.transaction)
        summary.add(shown)
        #expect(
            summary.facts.first { $0.name == "signers" }?.value
                == #""alice" (this machine), "member 2", "carol""#)
        _ = try group.commitment(request, group.alice)
        #expect(
            try group.alice.events.last { $0.kind == .groupOffered }?["signers"] == "alice, member 2, carol")
        func asked(_ signers: String) throws -> [Int] {
            try GroupRequest(
                asking: group.transfer(), signers: signers, path: nil, in: group.alice.state
            ).signers.indices
        }
        for typed in ["bob", name] {
            #expect(throws: GroupCollectError.unknownMember(typed)) { try asked("alice,\(typed)") }
        }
        #expect(try asked("alice,member 2") == [1, 2] && asked("1,2") == [1, 2])
        // The contact is in the group, under the name that it has here.
        try group.alice.act(AddHostContact(GroupFixture.card(of: "bob"), name: "Robert"))
        #expect(try asked("Robert,alice") == [1, 2])
        #expect(throws: GroupCollectError.unknownMember("bob")) { try asked("alice,bob") }
    }

    // MARK: Cards, policy and budgets

    @Test func `a signer without metadata gives no share, whatever others saw`() throws {
        let group = try GroupSigningFixture()
        let request = try group.request()
        let own = try group.commitment(request, group.alice)
        try group.alice.session().store.change(
            [
                .removeMetadata(
                    GroupSigningFixture.runtime.genesisHash, version: GroupSigningFixture.runtime.specVersion)
            ], events: [])
        #expect(throws: ReviewError.noMetadata(network: "heliotest")) {
            try group.share(
                try group.package(request, [own, try group.foreign(2, request, fill: 1)]), group.alice)
        }
        try group.bobs.session().store.change(
            [.forbidKey(group.key, GroupSigningFixture.runtime.genesisHash)], events: [])
        #expect(throws: ReviewError.keyNotAllowed(network: "heliotest")) {
            try group.share(try group.package(request, [own]), group.bobs)
        }
    }

    @Test func `an account whose address nobody compared is used nowhere`() throws {
        let group = try GroupSigningFixture()
        let machine = group.alice
        let request = try group.request()
        let own = try group.commitment(request, machine)
        let package = try group.package(request, [own, try group.foreign(2, request, fill: 1)])
        var held = try machine.state.heldGroup(named: "office")
        held.isCompared = false
        try machine.session().store.change([.putGroup(held)], events: [])
        let refusal = KeyRefusal.addressNotCompared("office")
        let address = group.key.address(prefix: 42)
        #expect(throws: refusal) {
            try machine.device.preview(SignForGroup(.request(try group.request(salt: 9)))!)
        }
        #expect(throws: refusal) { try machine.device.preview(SignForGroup(package)!) }
        #expect(throws: refusal) {
            try machine.device.preview(ChangeKey(address, .allow(network: "heliotest")))
        }
        #expect(throws: refusal) { try machine.device.preview(DeriveGroupAccount("office", path: "/a")) }
        #expect(throws: refusal) {
            try machine.state.requireCompared(try machine.state.key(address: address))
        }
        // What takes rights away needs no comparison.
        _ = try machine.device.preview(ChangeKey(address, .forbid(network: "heliotest")))
        try machine.act(CompareGroup("office"))
        _ = try group.share(package, machine)
    }

    /// Nobody knows whether its members can sign for it: money for it is money for a stranger, in the names
    /// of a card as in what was paid before.
    @Test func `a payment to a group's address that nobody compared is one to a stranger`() throws {
        let group = try GroupSigningFixture()
        let (machine, runtime) = (group.alice, GroupSigningFixture.runtime)
        let payer = try #require(try machine.derive("//pay", seed: "alice", network: "heliotest").first)
        let call = runtime.call(
            "Balances", "transfer_keep_alive",
            [FixtureValue.address(group.key.bytes), FixtureValue.compact(60)])
        let payload = try Payload(
            runtime.transactionPayload(signer: payer.bytes, call: call, FixtureExtensionValues()))
        func recipient() throws -> ReviewSummary.Recipient {
            try #require(
                ReviewSummary(machine.device.preview(SignPayload(payload)).shown[0]).recipients.first)
        }
        let own = try recipient()
        #expect(own.relation == .group("office", path: "") && own.history == .named())
        var held = try machine.state.heldGroup(named: "office")
        held.isCompared = false
        try machine.session().store.change([.putGroup(held)], events: [])
        let stranger = try recipient()
        #expect(stranger.relation == .stranger)
        guard case .notPaid? = stranger.history else {
            Issue.record("known by its history: \(String(describing: stranger.history))")
            return
        }
    }

    /// Each act by itself: what is signed for a network that stays unknown is signed with a key of two
    /// networks.
    @Test
    func
        `a group's key of another network needs the word for one that only a proof describes, in both rounds`()
        throws
    {
        let group = try GroupSigningFixture(isKnown: false)
        let runtime = GroupSigningFixture.runtime
        let call = runtime.call("System", "remark", [FixtureValue.bytes([1])])
        let request = try group.request(
            try Payload(runtime.provedPayload(signer: group.key.bytes, call: call)))
        func answer(_ message: GroupMessage, _ machine: CeremonyFixture, _ word: String?) throws
            -> SignForGroup.Answer
        {
            var additions = TransactionReview.Additions()
            additions.acceptsProvedNetwork = true
            let person = Answers(word: word.map { .typed($0) })
            let answer = try machine.act(SignForGroup(message, additions: additions)!, asking: person).answer
            #expect(person.shownReuse.map { $0.map(\.key) } == [[group.key]])
            return answer
        }
        #expect(throws: CeremonyError.keyOnTwoNetworks(1)) { try answer(.request(request), group.alice, nil) }
        #expect(try group.alice.state.groupOffers.isEmpty)
        guard case .commitment(let bytes) = try answer(.request(request), group.alice, "reuse key"),
            case .group(.commitment(let own)) = try Payload(bytes).content
        else { throw GroupSigningRefusal.unknownRequest }
        let package = try group.package(request, [own])
        #expect(throws: CeremonyError.keyOnTwoNetworks(1)) { try answer(package, group.bobs, nil) }
        guard case .share(let bytes) = try answer(package, group.bobs, "reuse key"),
            case .group(.share(let share)) = try Payload(bytes).content
        else { throw GroupSigningRefusal.unknownRequest }
        // The store keeps nothing of it.
        #expect(try group.bobs.state.key(group.key)?.networks == [polkadot.genesisHash])
        // A word that is not typed costs no nonces.
        #expect(throws: CeremonyError.keyOnTwoNetworks(1)) { try answer(.share(share), group.alice, nil) }
        _ = try answer(.share(share), group.alice, "reuse key")
    }

    @Test func `what open requests reserve is missing in what is left of a budget`() throws {
        let group = try GroupSigningFixture(policy: #"{"maximum_per_day": "100"}"#)
        let machine = group.alice
        func left() throws -> [[UInt128]] {
            let open = try machine.state.groupOffers.filter { try machine.device.isOpen($0) }
            return try machine.device.chain().budgetsLeft(reserving: open).map { [$0.use.left, $0.reserved] }
        }
        #expect(try left() == [[100, 0]])
        let request = try group.request()
        _ = try group.commitment(request, machine)
        #expect(try left() == [[40, 60]])
        try machine.act(DropOffer(request.id.hex))
        #expect(try left() == [[100, 0]])
    }

    @Test func `a short life is warned of in both rounds`() throws {
        let group = try GroupSigningFixture()
        let request = try group.request(try group.transfer(period: 64))
        func warnings(_ message: GroupMessage, _ machine: CeremonyFixture) throws -> [String] {
            try machine.device.preview(SignForGroup(message)!).shown.transaction.warningCodes
        }
        #expect(try warnings(.request(request), group.alice).contains("short_era_for_group"))
        let own = try group.commitment(request, group.alice)
        #expect(try warnings(try group.package(request, [own]), group.bobs).contains("short_era_for_group"))
        let long = try group.request(try group.transfer(period: 1024), salt: 2)
        #expect(
            try !warnings(try group.package(long, [try group.commitment(long, group.alice)]), group.bobs)
                .contains("short_era_for_group"))
        // What never expires is not short.
        #expect(
            try !warnings(.request(try group.request(try group.transfer(period: nil), salt: 3)), group.alice)
                .contains(
                    "short_era_for_group"))
    }

    @Test
    func `an open request reserves its budget, a dropped one frees it, and a share charges it for good`()
        throws
    {
        let group = try GroupSigningFixture(policy: #"{"maximum_per_day": "100"}"#)
        let (one, two) = (
            try group.request(salt: 1), try group.request(try group.transfer(60, nonce: 1), salt: 2)
        )
        _ = try group.commitment(one, group.alice)
        func isRefused(_ message: GroupMessage) throws -> Bool {
            try group.alice.device.preview(SignForGroup(message)!).shown.transaction.refusal != nil
        }
        #expect(try isRefused(.request(two)))
        let error = #expect(throws: ReviewError.self) { try group.commitment(two, group.alice) }
        guard case .policy(.budget(let excess)) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        // Nothing is spent: the sentence says what an open request reserves, and that a drop frees it.
        #expect(excess.window == .day && excess.spent == .amount(60) && excess.reserved == 60)
        let sentence = ReviewError.policy(.budget(excess)).sentence
        #expect(
            sentence.contains(
                "0 HLO of 0.0000000001 HLO are spent in the last 24 hours, and open requests of groups reserve "
                    + "0.00000000006 HLO"))
        #expect(sentence.contains("or when such a request is dropped"))
        try group.alice.act(DropOffer(one.id.hex))
        let own = try group.commitment(two, group.alice)
        _ = try group.share(try group.package(two, [own, try group.foreign(2, two, fill: 1)]), group.alice)
        let three = try group.request(try group.transfer(60, nonce: 2), salt: 3)
        #expect(try isRefused(.request(three)))
        let spent = #expect(throws: ReviewError.self) { try group.commitment(three, group.alice) }
        let left = "0.00000000006 HLO of 0.0000000001 HLO are spent in the last 24 hours; possible again from"
        #expect(spent?.sentence.contains(left) == true)
        // The same again takes nothing more.
        #expect(try !isRefused(try group.package(two, [own, try group.foreign(2, two, fill: 1)])))
        #expect(try !isRefused(.request(try group.request(try group.transfer(40, nonce: 2), salt: 4))))
    }

    @Test func `a policy is asked in both rounds`() throws {
        let group = try GroupSigningFixture()
        let request = try group.request()
        let own = try group.commitment(request, group.alice)
        try group.alice.session().store.change(
            [.putSetting(TransactionPolicy.setting, Array(#"{"maximum_amount": "50"}"#.inHLO.utf8))],
            events: [])
        let violation = ReviewError.policy(.amount(total: .hlo(60)))
        #expect(throws: violation) {
            try group.share(
                try group.package(request, [own, try group.foreign(2, request, fill: 1)]), group.alice)
        }
        #expect(throws: violation) { try group.commitment(try group.request(salt: 2), group.alice) }
        #expect(try group.alice.state.groupOffers.count == 1)
    }

    @Test func `a rule of the policy answers both rounds, and counts what is open`() throws {
        let group = try GroupSigningFixture()
        let rule = """
            {"networks": ["heliotest"], "calls": ["Balances.transfer_keep_alive"], "destinations": \
            ["0x\(Hex.encode(GroupSigningFixture.bob))"], "signers": ["0x\(Hex.encode(group.key.bytes))"], \
            "maximum_amount": "100", "maximum_tip": "5", "maximum_per_day": "100", "require_metadata_hash": \
            "never"}
            """
        try group.alice.session().store.change(
            [.putSetting(TransactionPolicy.setting, Array(#"{"approve": [\#(rule)]}"#.inHLO.utf8))],
            events: [])
        func approve(_ message: GroupMessage) throws -> SignForGroup.Result {
            let approval = try group.alice.device.preview(SignForGroup(message)!).confirmUnattended()
            #expect(approval.consent == .policy)
            return try group.alice.session().perform(approval).outcome
        }
        let request = try group.request()
        guard case .commitment(let bytes) = try approve(.request(request)).answer,
            case .group(.commitment(let own)) = try Payload(bytes).content
        else { return }
        let standing = try group.alice.device.preview(
            SignForGroup(.request(try group.request(try group.transfer(60, nonce: 1), salt: 2)))!)
        // A development vault would say yes in the rule's place.
        #expect(try standing.confirmUnattended().consent == .developmentVault)
        _ = try approve(try group.package(request, [own, try group.foreign(2, request, fill: 1)]))
        let event = try #require(try group.alice.events.last { $0.kind == .groupShared })
        #expect(
            event["approved_by"] == "policy rule 1" && event["signers"] == "alice, bob"
                && event["group"] == "office")
        // The share was charged to the rule's budget.
        #expect(
            try group.alice.device.preview(standing.operation).confirmUnattended().consent
                == .developmentVault)
    }

    @Test func `what was signed for a group is remembered as for any key`() throws {
        let group = try GroupSigningFixture()
        let request = try group.request()
        let own = try group.commitment(request, group.alice)
        _ = try group.share(
            try group.package(request, [own, try group.foreign(2, request, fill: 1)]), group.alice)
        let other = try group.request(try group.transfer(70), salt: 2)
        let codes = try group.alice.device.preview(SignForGroup(.request(other))!).shown.transaction
            .warningCodes
        #expect(codes.contains("nonce_reused"))
        #expect(try group.alice.state.key(group.key)?.lastUsed == group.alice.now)
    }
}

/// The folder in memory.
@Suite struct NonceFolderLaws {
    private let vault = [UInt8](repeating: 7, count: 16)
    private let request = Hash32.blake2b(of: [1])

    @Test func `what waits is kept once, read, and wiped`() throws {
        let directory = TemporaryDirectory(inMemory: true)
        let folder = NonceFolder(directory.path + "/nonces")
        #expect(try folder.box(for: request, of: vault) == nil && folder.requests(of: vault).isEmpty)
        try folder.keep([1, 2, 3], for: request, of: vault)
        #expect(
            try folder.box(for: request, of: vault) == [1, 2, 3] && folder.requests(of: vault) == [request])
        #expect(throws: NonceError.kept) { try folder.keep([4], for: request, of: vault) }
        #expect(try folder.box(for: request, of: vault) == [1, 2, 3])
        // Another vault of the same user has its own.
        let other = [UInt8](repeating: 8, count: 16)
        #expect(try folder.requests(of: other).isEmpty && folder.box(for: request, of: other) == nil)
        try folder.wipe(request, of: other)
        #expect(try folder.requests(of: vault) == [request])
        try folder.wipe(request, of: vault)
        try folder.wipe(request, of: vault)
        #expect(try folder.requests(of: vault).isEmpty)
    }

    /// Two copies of a vault's folder have a lock each, and one memory.
    @Test func `of many that take at the same time one gets what waits`() throws {
        let directory = TemporaryDirectory(inMemory: true)
        let folder = NonceFolder(directory.path + "/nonces")
        for _ in 0..<200 {
            try folder.keep([1, 2, 3], for: request, of: vault)
            let taken = Mutex<[[UInt8]]>([])
            DispatchQueue.concurrentPerform(iterations: 4) { _ in
                guard let box = try? folder.take(request, of: vault) else { return }
                taken.withLock { $0.append(box) }
            }
            #expect(taken.withLock { $0 } == [[1, 2, 3]])
        }
        #expect(try folder.take(request, of: vault) == nil)
    }

    private final class Taken: Sendable {
        let bytes = Mutex<[UInt8]?>(nil)
    }

    /// Two copies of a vault's folder have a lock each, so this folder has the lock that counts: between the
    /// reading and the removal of a file nobody else reads it, and what another copy keeps under the same
    /// name meanwhile is not removed in its place.
    @Test func `whoever takes waits for whoever works in the folder, and gets nothing that is gone by then`()
        throws
    {
        let directory = TemporaryDirectory(inMemory: true)
        let folder = NonceFolder(directory.path + "/nonces")
        try folder.keep([1, 2, 3], for: request, of: vault)
        let other = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        #expect(flock(other, LOCK_EX) == 0)
        let box = Taken()
        let isBack = DispatchSemaphore(value: 0)
        Thread.detachNewThread { [folder, request, vault] in
            let taken = try? folder.take(request, of: vault)
            box.bytes.withLock { $0 = taken }
            isBack.signal()
        }
        #expect(isBack.wait(timeout: .now() + 0.3) == .timedOut)
        #expect(unlink(folder.path + "/\(Hex.encode(vault))-\(request.hex)") == 0)
        close(other)
        isBack.wait()
        #expect(box.bytes.withLock { $0 } == nil)
    }

    /// Boxes are encrypted, and still nothing of them is left for whoever reads this process's memory later,
    /// beside an opened vault.
    @Test func `what is wiped in memory is overwritten, so the next allocation of its size holds none of it`()
        throws
    {
        let memory = NonceMemory()
        func keep() throws -> UnsafeRawPointer {
            let box = [UInt8](repeating: 0xa7, count: 104)
            try memory.keep(box, for: request, of: vault)
            return box.withUnsafeBytes { $0.baseAddress! }
        }
        let place = try keep()
        memory.wipe(request, of: vault)
        var (held, left): ([[UInt8]], [UInt8]?) = ([], nil)
        for _ in 0..<64 where left == nil {
            held.append(
                [UInt8](unsafeUninitializedCapacity: 104) { buffer, _ in
                    if UnsafeRawPointer(buffer.baseAddress!) == place { left = Array(buffer) }
                })
        }
        #expect(try !#require(left).contains(0xa7))
        #expect(memory.requests(of: vault).isEmpty)
    }

    @Test func `a file that is held open elsewhere is overwritten before it goes`() throws {
        let directory = TemporaryDirectory(inMemory: true)
        let folder = NonceFolder(directory.path + "/nonces")
        try folder.keep([9, 9, 9], for: request, of: vault)
        let name = "nonces/\(Hex.encode(vault))-\(request.hex)"
        let link = directory.path + "/copy"
        #expect(Glibc.link(directory.path + "/" + name, link) == 0)
        try folder.wipe(request, of: vault)
        #expect(try directory.read("copy") == [0, 0, 0])
        try folder.keep([8, 8], for: request, of: vault)
        #expect(Glibc.link(directory.path + "/" + name, link + "-2") == 0)
        #expect(try folder.take(request, of: vault) == [8, 8] && directory.read("copy-2") == [0, 0])
    }

    /// By the list of mounts, which the folder itself does not ask.
    private static func isInMemory(_ path: String) throws -> Bool {
        let mounts = try String(contentsOfFile: "/proc/self/mounts", encoding: .utf8).split(separator: "\n")
            .map {
                $0.split(separator: " ")
            }
        let fitting = mounts.filter { path.hasPrefix($0[1] == "/" ? "/" : $0[1] + "/") || path == $0[1] }
        return ["tmpfs", "ramfs"].contains(
            fitting.max { $0[1].count < $1[1].count }.map { String($0[2]) } ?? "")
    }

    @Test func `a folder on a disk, a link, and a folder for others are refused`() throws {
        // The root of a system is on no file system in memory that this user could make a folder in, but for
        // a container's, which is left out.
        let disks = try ["/tmp", "/var/tmp", FileManager.default.currentDirectoryPath].filter {
            try !Self.isInMemory($0)
        }
        for disk in disks.prefix(1) {
            let onDisk = NonceFolder("\(disk)/heliograph-nonces-\(getpid())")
            defer { rmdir(onDisk.path) }
            #expect(throws: NonceError.notInMemory(onDisk.path)) {
                try onDisk.keep([1], for: request, of: vault)
            }
        }
        let directory = TemporaryDirectory(inMemory: true)
        let open = NonceFolder(directory.path + "/open")
        #expect(mkdir(open.path, 0o755) == 0)
        #expect(throws: NonceError.notPrivate(open.path)) { try open.keep([1], for: request, of: vault) }
        #expect(throws: NonceError.notPrivate(open.path)) { try open.requests(of: vault) }
        #expect(mkdir(directory.path + "/real", 0o700) == 0)
        let link = NonceFolder(directory.path + "/link")
        #expect(symlink(directory.path + "/real", link.path) == 0)
        let error = #expect(throws: NonceError.self) { try link.keep([1], for: request, of: vault) }
        guard case .system(let cause) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(cause.errno == ENOTDIR)
    }

    @Test func `a file that is a link or that others may read is not believed`() throws {
        let directory = TemporaryDirectory(inMemory: true)
        let folder = NonceFolder(directory.path + "/nonces")
        try folder.prepare()
        let path = folder.path + "/\(Hex.encode(vault))-\(request.hex)"
        try directory.write([1, 2], to: "target")
        #expect(symlink(directory.path + "/target", path) == 0)
        #expect(throws: NonceError.notPrivate(path)) { try folder.box(for: request, of: vault) }
        #expect(throws: NonceError.kept) { try folder.keep([1], for: request, of: vault) }
        try folder.wipe(request, of: vault)
        #expect(try directory.read("target") == [1, 2])
        try folder.keep([5], for: request, of: vault)
        #expect(chmod(path, 0o644) == 0)
        #expect(throws: NonceError.notPrivate(path)) { try folder.box(for: request, of: vault) }
    }

    @Test func `a shell keeps in memory, and finds what a command left before`() throws {
        let directory = TemporaryDirectory(inMemory: true)
        let folder = NonceFolder(directory.path + "/nonces")
        let shell = ShellNonces(memory: NonceMemory(), folder: folder)
        try folder.keep([1], for: request, of: vault)
        let other = Hash32.blake2b(of: [2])
        try shell.keep([2], for: other, of: vault)
        #expect(try folder.requests(of: vault) == [request] && shell.requests(of: vault) == [request, other])
        #expect(throws: NonceError.kept) { try shell.keep([3], for: request, of: vault) }
        #expect(try shell.take(request, of: vault) == [1] && shell.take(other, of: vault) == [2])
        #expect(try folder.requests(of: vault).isEmpty && shell.requests(of: vault).isEmpty)
        try folder.keep([1], for: request, of: vault)
        try shell.keep([2], for: other, of: vault)
        for one in [request, other] { try shell.wipe(one, of: vault) }
        #expect(try folder.requests(of: vault).isEmpty && shell.requests(of: vault).isEmpty)
    }

    /// A shell's own memory is the way out that the refusals of a folder name.
    @Test func `a shell needs no folder, and believes none that is on a disk or open to others`() throws {
        let directory = TemporaryDirectory(inMemory: true)
        var folders = [NonceFolder(directory.path + "/open"), NonceFolder(directory.path + "/none/none")]
        #expect(mkdir(folders[0].path, 0o755) == 0)
        if try !Self.isInMemory("/var/tmp") {
            folders.append(NonceFolder("/var/tmp/heliograph-nonces-shell-\(getpid())"))
            #expect(mkdir(folders[2].path, 0o700) == 0)
        }
        defer { for folder in folders { rmdir(folder.path) } }
        for folder in folders.map({ $0.checked() }) {
            let refusal = try #require(folder.refusal)
            #expect(throws: refusal) { try folder.prepare() }
            #expect(throws: refusal) { try folder.keep([1], for: request, of: vault) }
            #expect(try folder.requests(of: vault).isEmpty && folder.take(request, of: vault) == nil)
            let shell = ShellNonces(memory: NonceMemory(), folder: folder)
            shell.prepare()
            try shell.keep([2], for: request, of: vault)
            #expect(throws: NonceError.kept) { try shell.keep([3], for: request, of: vault) }
            #expect(try shell.requests(of: vault) == [request])
            #expect(try shell.take(request, of: vault) == [2] && shell.take(request, of: vault) == nil)
            try shell.keep([4], for: request, of: vault)
            try shell.wipe(request, of: vault)
            #expect(try shell.requests(of: vault).isEmpty)
        }
        // A file that others may read, in a folder that is this user's, is no reason to go on as if it were
        // not there.
        let real = NonceFolder(directory.path + "/real").checked()
        #expect(real.refusal == nil)
        try real.keep([1], for: request, of: vault)
        let file = real.path + "/\(Hex.encode(vault))-\(request.hex)"
        #expect(chmod(file, 0o644) == 0)
        let shell = ShellNonces(memory: NonceMemory(), folder: real)
        #expect(throws: NonceError.notPrivate(file)) { try shell.keep([2], for: request, of: vault) }
        #expect(throws: NonceError.notPrivate(file)) { try shell.take(request, of: vault) }
    }

    @Test func `the folder is the system's for this user, or one in memory with the user's number`() {
        #expect(NonceFolder.ofUser(runtime: "/run/user/1000").path == "/run/user/1000/heliograph")
        for other in [nil, "", "relative"] {
            #expect(NonceFolder.ofUser(runtime: other).path == "/dev/shm/heliograph-\(getuid())")
        }
    }
}

extension ReviewedTransaction {
    fileprivate var warningCodes: [String] {
        cards.warning.compactMap { $0.warning?.code }
    }
}
