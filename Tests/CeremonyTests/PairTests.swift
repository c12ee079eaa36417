import Glibc
import Hashing
import Keys
import SubstratePrimitives
import TestSupport
import Testing
import TrustStore
import Vault

@testable import Ceremony

/// The vault file and the trust store belong together: each names the other, and a crash between them leaves
/// one of two states.
@Suite struct PairLaws {
    /// Every file of a vault at one moment.
    struct Files {
        var files: [String: [UInt8]] = [:]

        init(_ fixture: CeremonyFixture) throws {
            try fixture.write(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
            for name in fixture.directory.names where name != "store.sqlite-shm" {
                files[name] = try fixture.directory.read(name)
            }
        }

        /// What was put back, and everything else as it is.
        func put(_ names: [String], in fixture: CeremonyFixture) throws {
            for name in names {
                if name == "store.sqlite" {
                    for suffix in ["-wal", "-shm"] { fixture.remove(name + suffix) }
                }
                if let bytes = files[name] {
                    try fixture.directory.write(bytes, to: name)
                } else {
                    fixture.remove(name)
                }
            }
        }
    }

    static let all = ["vault", "store.sqlite", "journal", "attempts", "intent"]
    static let old = CeremonyFixture.strong
    static let new = CeremonyFixture.next

    /// An operation that changes both files, and the passphrase that opens the vault after it.
    enum Act: CaseIterable {
        case add, remove, passphrase, samePassphrase

        var isKeyChange: Bool {
            switch self {
            case .add, .remove: false
            case .passphrase, .samePassphrase: true
            }
        }
        var passphrase: String {
            switch self {
            case .add, .remove, .samePassphrase: PairLaws.old
            case .passphrase: PairLaws.new
            }
        }

        func perform(in session: Session) throws {
            switch self {
            case .add:
                _ = try session.perform(
                    session.preview(AddSeed("second", entropy: .entropy(of: "second"), origin: .new))
                        .confirm())
            case .remove: _ = try session.perform(session.preview(RemoveSeed("main")).confirm())
            case .passphrase, .samePassphrase:
                _ = try session.perform(
                    session.preview(ChangePassphrase(to: held(passphrase), keyFile: held(""))).confirm())
            }
        }

        var seeds: [String] {
            switch self {
            case .add: ["main", "second"]
            case .remove: []
            case .passphrase, .samePassphrase: ["main"]
            }
        }
    }

    private func open(_ fixture: CeremonyFixture, _ passphrase: String) throws -> Session {
        try fixture.device.unlock { SecretBytes(utf8: passphrase) }
    }

    private func refusal(_ fixture: CeremonyFixture, _ passphrase: String) -> (any Error)? {
        do {
            _ = try open(fixture, passphrase)
            return nil
        } catch {
            return error
        }
    }

    // MARK: Put back

    /// The fault that this is about: the old vault file opened with the old passphrase and without the newer
    /// seed, and nobody noticed.
    @Test(arguments: Act.allCases)
    func `an older vault file alone is refused`(act: Act) throws {
        let fixture = try CeremonyFixture()
        _ = try fixture.session()
        let before = try Files(fixture)
        try act.perform(in: fixture.session())
        try before.put(["vault"], in: fixture)
        guard case StoreError.vaultReplaced(let found, let named)? = refusal(fixture, Self.old) else {
            Issue.record("\(String(describing: refusal(fixture, Self.old)))")
            return
        }
        #expect(named == found + 1)
    }

    @Test func `an older store alone is refused, also where only a line of its log is newer`() throws {
        let fixture = try CeremonyFixture()
        _ = try fixture.session()
        let before = try Files(fixture)
        try fixture.act(NoteInLog("signed"))
        try before.put(["store.sqlite"], in: fixture)
        guard case StoreError.rolledBack? = refusal(fixture, Self.old) else {
            Issue.record("\(String(describing: refusal(fixture, Self.old)))")
            return
        }
    }

    @Test(arguments: Act.allCases)
    func `an older store beside a newer vault file is refused`(act: Act) throws {
        let fixture = try CeremonyFixture()
        _ = try fixture.session()
        let before = try Files(fixture)
        try act.perform(in: fixture.session())
        try before.put(["store.sqlite"], in: fixture)
        let refused = try #require(refusal(fixture, act.passphrase) as? StoreError)
        switch refused {
        case .vaultReplaced(let found, let named): #expect(act.isKeyChange && found == named + 1)
        case .rolledBack(let found, let confirmed): #expect(!act.isKeyChange && found < confirmed)
        default: Issue.record("\(refused)")
        }
    }

    /// Another content with the same revision: the number alone would not tell.
    @Test func `a vault file of the same revision with other seeds is refused`() throws {
        let fixture = try CeremonyFixture()
        _ = try fixture.session()
        let before = try Files(fixture)
        try Act.add.perform(in: fixture.session())
        let first = try Files(fixture)
        try before.put(Self.all, in: fixture)
        let other = AddSeed("third", entropy: .entropy(of: "third"), origin: .new)
        do {
            let session = try fixture.session()
            _ = try session.perform(session.preview(other).confirm())
        }
        try first.put(["vault"], in: fixture)
        guard case StoreError.vaultReplaced(let found, let named)? = refusal(fixture, Self.old) else {
            Issue.record("\(String(describing: refusal(fixture, Self.old)))")
            return
        }
        #expect(found == named)
    }

    @Test func `everything put back together is not noticed: only a head of the log tells`() throws {
        let fixture = try CeremonyFixture()
        _ = try fixture.session()
        let before = try Files(fixture)
        try Act.passphrase.perform(in: fixture.session())
        try before.put(Self.all, in: fixture)
        #expect(refusal(fixture, Self.old) == nil)
    }

    @Test func `an old passphrase opens nothing that was sealed after its change`() throws {
        let fixture = try CeremonyFixture()
        let key = try fixture.session().vault.derivedKey(context: "test")
        try Act.passphrase.perform(in: fixture.session())
        let now = try open(fixture, Self.new).vault.derivedKey(context: "test")
        let isSame = key.isEqual(to: now)
        #expect(!isSame)
        #expect(refusal(fixture, Self.old) as? VaultError == .wrongPassphrase(failures: 1, delay: 0))
    }

    // MARK: Crashes

    /// The files as a crash leaves them: before the store's transaction, and between it and the vault file.
    private func interrupted(_ act: Act, in fixture: CeremonyFixture) throws -> (
        announced: Files, committed: Files, done: Files
    ) {
        _ = try fixture.session()
        let before = try Files(fixture)
        do {
            let session = try fixture.session()
            fixture.block(CeremonyFixture.vaultFile)
            #expect(throws: StoreError.vaultFileUnwritten(code: EEXIST)) { try act.perform(in: session) }
            fixture.unblock(CeremonyFixture.vaultFile)
        }
        let committed = try Files(fixture)
        try #require(committed.files["vault"] == before.files["vault"])
        var announced = before
        announced.files["intent"] = committed.files["intent"]
        announced.files["attempts"] = committed.files["attempts"]
        _ = try open(fixture, act.passphrase)
        return (announced, committed, try Files(fixture))
    }

    @Test(arguments: Act.allCases)
    func `after a crash between the two files the change holds`(act: Act) throws {
        let fixture = try CeremonyFixture()
        let states = try interrupted(act, in: fixture)
        #expect(try open(fixture, act.passphrase).seedNames == act.seeds)
        #expect(states.done.files["intent"] == nil)
        #expect(
            try fixture.events.count {
                $0.kind == .seedAdded || $0.kind == .seedRemoved || $0.kind == .passphraseChanged
            } == 1)
    }

    @Test(arguments: Act.allCases)
    func `after a crash before the store's transaction nothing has changed`(act: Act) throws {
        let fixture = try CeremonyFixture()
        let states = try interrupted(act, in: fixture)
        try states.announced.put(Self.all, in: fixture)
        if act == .passphrase {
            #expect(refusal(fixture, Self.new) as? VaultError == .passphraseNotChanged)
        }
        #expect(try open(fixture, Self.old).seedNames == ["main"])
        #expect(!fixture.exists("intent"))
        #expect(
            try fixture.events.allSatisfy {
                $0.kind != .seedAdded && $0.kind != .seedRemoved && $0.kind != .passphraseChanged
            })
    }

    @Test func `after the change the old passphrase only says which one to use`() throws {
        let fixture = try CeremonyFixture()
        let states = try interrupted(.passphrase, in: fixture)
        try states.committed.put(Self.all, in: fixture)
        #expect(refusal(fixture, Self.old) as? VaultError == .passphraseWasChanged)
        #expect(try open(fixture, Self.new).seedNames == ["main"])
        #expect(refusal(fixture, Self.old) as? VaultError == .wrongPassphrase(failures: 1, delay: 0))
    }

    /// A leftover that the last step did not remove.
    @Test(arguments: Act.allCases)
    func `an intent that is in place already is removed`(act: Act) throws {
        let fixture = try CeremonyFixture()
        let states = try interrupted(act, in: fixture)
        try states.committed.put(["intent"], in: fixture)
        // Exactly the vault file of the intent, as a crash before its removal leaves it.
        try fixture.directory.write(Self.vaultFile(inIntent: states.committed.files["intent"]!), to: "vault")
        #expect(try open(fixture, act.passphrase).seedNames == act.seeds)
        #expect(!fixture.exists("intent"))
    }

    /// HELIOGIN, format, id, revision, then the vault file with its compact length in two or four bytes, then
    /// the seal.
    private static func vaultFile(inIntent bytes: [UInt8]) -> [UInt8] {
        let start = 8 + 1 + 16 + 8
        let lengthBytes = bytes[start] & 3 == 1 ? 2 : 4
        return Array(bytes[(start + lengthBytes)..<(bytes.count - 32)])
    }

    /// Every other mixture of the states is tampering.
    @Test(arguments: Act.allCases)
    func `mixtures that no crash leaves are refused`(act: Act) throws {
        let fixture = try CeremonyFixture()
        let states = try interrupted(act, in: fixture)
        // Everything but what is put back stands as `now`, so that nothing else refuses.
        func expectRefused(
            _ what: String, now: Files, old: any Error, new: any Error, _ mix: () throws -> Void
        ) throws {
            for (passphrase, expected) in [(Self.old, old), (Self.new, new)] {
                try now.put(Self.all, in: fixture)
                try mix()
                let error = try #require(refusal(fixture, passphrase), "\(what) with \(passphrase)")
                #expect(
                    "\(expected)".utf8.elementsEqual("\(error)".utf8), "\(what) with \(passphrase): \(error)")
            }
        }
        let revision = try revisions(states)
        let wrong = VaultError.wrongPassphrase(failures: 1, delay: 0)
        let isOldRight = act.passphrase == Self.old
        func replaced(_ found: UInt64, _ named: UInt64) -> StoreError {
            .vaultReplaced(found: found, named: named)
        }
        // The change committed, its intent removed by somebody.
        let lost = replaced(revision.before, revision.after)
        try expectRefused("old vault file, new store", now: states.done, old: lost, new: wrong) {
            try states.committed.put(["vault"], in: fixture)
        }
        // The announced file in place, the store without the change.
        let back: any Error
        if act.isKeyChange {
            back = replaced(revision.after, revision.before)
        } else {
            back = try rolledBack(to: states.announced, beside: states.done, in: fixture)
        }
        try expectRefused(
            "new vault file, old store", now: states.done, old: isOldRight ? back : wrong,
            new: isOldRight ? wrong : back
        ) {
            try states.announced.put(["store.sqlite"], in: fixture)
        }
        // The state of a crash, after the store went on: only its generation tells, for everything else is as
        // the crash left it.
        try states.done.put(Self.all, in: fixture)
        do {
            let session = try open(fixture, act.passphrase)
            _ = try session.perform(session.preview(NoteInLog("later")).confirm())
        }
        let later = try Files(fixture)
        try expectRefused(
            "old vault file and intent, later store", now: later,
            old: isOldRight ? lost : VaultError.passphraseWasChanged,
            new: isOldRight ? wrong : replaced(revision.after, revision.after)
        ) { try states.committed.put(["vault", "intent"], in: fixture) }
        // An intent of another time: refused before a passphrase is tried.
        let tampered = VaultError.tampered("intent")
        try expectRefused("current files, old intent", now: later, old: tampered, new: tampered) {
            try states.committed.put(["intent"], in: fixture)
        }
    }

    /// Two changes of one state have equal revisions and generations. The store made the one, and the intent
    /// is of the other: its vault file would hold seeds that nobody agreed to.
    @Test func `the intent of another change than the one that the store made is refused`() throws {
        let fixture = try CeremonyFixture()
        let states = try interrupted(.add, in: fixture)
        let revision = try revisions(states)
        try states.announced.put(Self.all, in: fixture)
        do {
            let session = try open(fixture, Self.old)
            let other = AddSeed("third", entropy: .entropy(of: "third"), origin: .new)
            let approval = try session.preview(other).confirm()
            fixture.block(CeremonyFixture.vaultFile)
            #expect(throws: StoreError.vaultFileUnwritten(code: EEXIST)) { try session.perform(approval) }
            fixture.unblock(CeremonyFixture.vaultFile)
        }
        let own = try Files(fixture)
        try states.committed.put(["intent"], in: fixture)
        #expect(throws: StoreError.vaultReplaced(found: revision.before, named: revision.after)) {
            _ = try open(fixture, Self.old)
        }
        // With its own intent the same store opens.
        try own.put(Self.all, in: fixture)
        #expect(try open(fixture, Self.old).seedNames == ["main", "third"])
    }

    /// Of the vault file before the change and after it.
    private func revisions(_ states: (announced: Files, committed: Files, done: Files)) throws -> (
        before: UInt64, after: UInt64
    ) {
        func revision(_ files: Files) throws -> UInt64 {
            // Magic, format, id, mark of a development vault, revision.
            try #require(files.files["vault"])[26..<34].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        return (try revision(states.committed), try revision(states.done))
    }

    /// The refusal of an older store by its generation, which stands in the seal and in the vault file.
    private func rolledBack(to old: Files, beside now: Files, in fixture: CeremonyFixture) throws
        -> StoreError
    {
        try old.put(Self.all, in: fixture)
        let found = try fixture.device.store().uncheckedTrust().state.generation
        let file = try #require(now.files["vault"])
        return .rolledBack(
            found: found, confirmed: file[34..<42].reversed().reduce(0) { $0 << 8 | UInt64($1) })
    }

    @Test func `an intent cut short is refused`() throws {
        let fixture = try CeremonyFixture()
        let states = try interrupted(.add, in: fixture)
        let whole = states.committed.files["intent"]!
        try states.committed.put(Self.all, in: fixture)
        try fixture.directory.write(Array(whole.dropLast()), to: "intent")
        #expect(refusal(fixture, Self.old) as? VaultError == .tampered("intent"))
    }

    @Test func `a session whose vault file could not be written puts it in place before the next change`()
        throws
    {
        let fixture = try CeremonyFixture()
        do {
            let session = try fixture.session()
            fixture.block(CeremonyFixture.vaultFile)
            #expect(throws: StoreError.vaultFileUnwritten(code: EEXIST)) { try Act.add.perform(in: session) }
            // Still blocked: nothing more is committed on top of it, and the log is not cleared.
            #expect(throws: StoreError.inputOutput(code: EEXIST)) {
                _ = try session.perform(session.preview(ClearLog()).confirm())
            }
            let approval = try session.preview(NoteInLog("more")).confirm()
            #expect(throws: StoreError.inputOutput(code: EEXIST)) { try session.perform(approval) }
            fixture.unblock(CeremonyFixture.vaultFile)
            _ = try session.perform(session.preview(NoteInLog("more")).confirm())
        }
        #expect(!fixture.exists("intent"))
        #expect(try fixture.session().seedNames == ["main", "second"])
        #expect(try fixture.names.suffix(2) == [.seedAdded, .userNote])
    }
}

/// What a missing or older file beside the vault costs.
@Suite struct CompanionLaws {
    private func events(_ fixture: CeremonyFixture) throws -> [String] {
        try fixture.events.filter { $0.kind == .fileTampered }.compactMap { $0["file"] }
    }

    /// As if the longest delay had passed.
    private func letPass(_ fixture: CeremonyFixture) throws {
        var attempts = try fixture.directory.read("attempts")
        for index in 8..<12 { attempts[index] = 0 }
        try fixture.directory.write(attempts, to: "attempts")
    }

    private func expectTold(_ file: VaultError.Companion, _ fixture: CeremonyFixture) throws {
        #expect(throws: VaultError.companionTampered(file, delay: 3600)) { _ = try fixture.session() }
        let error = #expect(throws: VaultError.self) { _ = try fixture.session() }
        guard case .mustWait(let seconds, _)? = error else {
            Issue.record("no delay: \(String(describing: error))")
            return
        }
        #expect((3590...3600).contains(seconds))
        try letPass(fixture)
        _ = try fixture.session()
        #expect(try events(fixture) == [file.rawValue])
        // Once is enough.
        _ = try fixture.session()
        #expect(try events(fixture) == [file.rawValue])
    }

    @Test(arguments: VaultError.Companion.allCases)
    func `a file that is removed is told, logged, and costs the longest delay`(file: VaultError.Companion)
        throws
    {
        let fixture = try CeremonyFixture()
        _ = try fixture.session()
        fixture.remove(file.rawValue)
        try expectTold(file, fixture)
    }

    @Test(arguments: VaultError.Companion.allCases)
    func `a file that is older than the seal says is told, logged, and costs the longest delay`(
        file: VaultError.Companion
    ) throws {
        let fixture = try CeremonyFixture()
        _ = try fixture.session()
        let old = try fixture.directory.read(file.rawValue)
        // Two rounds: the journal is emptied by the first, so that its former state is older than the one
        // before the last.
        for _ in 0..<2 {
            #expect(throws: VaultError.wrongPassphrase(failures: 1, delay: 0)) {
                _ = try fixture.device.unlock { SecretBytes(utf8: "wrong") }
            }
            try fixture.act(NoteInLog("x"))
        }
        try fixture.directory.write(old, to: file.rawValue)
        try expectTold(file, fixture)
    }

    @Test func `a journal cut short, or of another vault, is told`() throws {
        let fixture = try CeremonyFixture()
        let other = try CeremonyFixture()
        _ = try (fixture.session(), other.session())
        other.copy("journal", to: fixture)
        try expectTold(.journal, fixture)
    }

    @Test func `events of a journal are merged once, also when a crash kept them in the file`() throws {
        let fixture = try CeremonyFixture()
        _ = try fixture.session()
        try fixture.device.store().journal(LogEvent(.wrongPassphrase))
        let full = try fixture.directory.read("journal")
        _ = try fixture.session()
        #expect(try fixture.names.count { $0 == .wrongPassphrase } == 1)
        // The crash came before the file was emptied, or between its new number and the emptying.
        for number in [0, 1] as [UInt8] {
            var left = full
            left[24] += number
            try fixture.directory.write(left, to: "journal")
            _ = try fixture.session()
            #expect(try fixture.names.count { $0 == .wrongPassphrase } == 1)
            #expect(try events(fixture).isEmpty)
            try fixture.directory.write(full, to: "journal")
            _ = try? fixture.session()
        }
    }

    /// The lines of a file that a crash left are known by their digest: edited, they are not the ones that
    /// the log has.
    @Test(arguments: [0, 1] as [UInt8])
    func `a line that is in the log already cannot be edited in the journal`(number: UInt8) throws {
        let fixture = try CeremonyFixture()
        _ = try fixture.session()
        try fixture.device.store().journal(LogEvent(.wrongPassphrase))
        var left = try fixture.directory.read("journal")
        _ = try fixture.session()
        // Magic, id and number of the file, then the line: length, body that starts with the time, digest of
        // the body.
        let (header, length) = (28, 4)
        let body = (header + length)..<(left.count - 8)
        #expect(left.suffix(8).elementsEqual(BLAKE2b.hash(Array(left[body]), length: 8)))
        left[body.lowerBound] ^= 1
        left.replaceSubrange(body.upperBound..., with: BLAKE2b.hash(Array(left[body]), length: 8))
        left[24] += number
        try fixture.directory.write(left, to: "journal")
        let edited = String(fixture.now ^ 1)
        if number == 0 {
            try expectTold(.journal, fixture)
        } else {
            // The file's next number may have new lines: this one is.
            _ = try fixture.session()
            #expect(try events(fixture).isEmpty)
        }
        #expect(
            try fixture.events.filter { $0.kind == .wrongPassphrase }.map { $0["at"] } == [
                String(fixture.now), edited,
            ])
    }

    /// A file is emptied under its next number. One that was emptied twice since is not the one that the seal
    /// names.
    @Test func `a journal that was emptied behind the store's back is told`() throws {
        let fixture = try CeremonyFixture()
        _ = try fixture.session()
        var journal = try fixture.directory.read("journal")
        #expect(journal.count == 28)
        journal[24] += 1
        try fixture.directory.write(journal, to: "journal")
        try expectTold(.journal, fixture)
    }

    @Test func `a wrong passphrase after the journal is gone does not hide that it was`() throws {
        let fixture = try CeremonyFixture()
        _ = try fixture.session()
        fixture.remove("journal")
        #expect(throws: VaultError.companionTampered(.journal, delay: 3600)) {
            _ = try fixture.device.unlock { SecretBytes(utf8: "wrong") }
        }
    }

    @Test func `wrong passphrases that an older journal does not have are in the log`() throws {
        let fixture = try CeremonyFixture()
        _ = try fixture.session()
        let journal = try fixture.directory.read("journal")
        for count in UInt32(1)...2 {
            #expect(throws: VaultError.wrongPassphrase(failures: count, delay: 0)) {
                _ = try fixture.device.unlock { SecretBytes(utf8: "wrong") }
            }
        }
        try fixture.directory.write(journal, to: "journal")
        _ = try fixture.session()
        let counted = LogEvent(
            .wrongPassphrase, [LogEvent.Fact("counted", "2"), LogEvent.Fact("written", "0")])
        #expect(try fixture.events.last == counted)
        _ = try fixture.session()
        #expect(try fixture.events.last == counted)
    }

    @Test(arguments: ["vault", "journal"])
    func `a file of another user is refused`(name: String) throws {
        let fixture = try CeremonyFixture()
        _ = try fixture.session()
        guard try Requirement.isMet(geteuid() == 0, "root, to give a file away") else { return }
        chown("\(fixture.path)/\(name)", 4711, 4711)
        #expect(throws: VaultError.foreign("\(fixture.path)/\(name)", isDirectory: false)) {
            _ = try fixture.session()
        }
        chown("\(fixture.path)/\(name)", 0, 0)
        chown(fixture.path, 4711, 4711)
        #expect(throws: VaultError.foreign(fixture.path, isDirectory: true)) {
            _ = try fixture.device.vault()
        }
    }

    // MARK: Modes

    @Test(arguments: [0o777, 0o770, 0o722] as [mode_t])
    func `a directory that others can write to is refused`(mode: mode_t) throws {
        let fixture = try CeremonyFixture()
        _ = try fixture.session()
        chmod(fixture.path, mode)
        #expect(throws: VaultError.exposed(fixture.path, isDirectory: true)) {
            _ = try fixture.device.vault()
        }
        #expect(throws: VaultError.exposed(fixture.path, isDirectory: true)) {
            _ = try fixture.device.store()
        }
        #expect(throws: VaultError.exposed(fixture.path, isDirectory: true)) { _ = try fixture.session() }
        chmod(fixture.path, 0o755)
        _ = try fixture.session()
    }

    @Test(
        arguments: ["vault", "attempts", "journal", "store.sqlite", "lock"],
        [0o666, 0o640, 0o604] as [mode_t])
    func `a file that others can read or write is refused`(name: String, mode: mode_t) throws {
        let fixture = try CeremonyFixture()
        _ = try fixture.session()
        let path = "\(fixture.path)/\(name)"
        chmod(path, mode)
        #expect(throws: VaultError.exposed(path, isDirectory: false)) { _ = try fixture.session() }
        chmod(path, 0o600)
        _ = try fixture.session()
    }

    /// `chmod 700` would close /tmp for everybody.
    @Test func `a directory that is there for many users is not to be closed`() throws {
        let fixture = try CeremonyFixture()
        _ = try fixture.session()
        chmod(fixture.path, 0o1777)
        #expect(throws: VaultError.shared(fixture.path)) { _ = try fixture.device.vault() }
        guard try Requirement.isMet(geteuid() == 0, "root, to give a directory away") else { return }
        chmod(fixture.path, 0o777)
        chown(fixture.path, 4711, 4711)
        #expect(throws: VaultError.shared(fixture.path)) { _ = try fixture.device.vault() }
    }

    @Test(arguments: ["/dev/null", "/proc/self/status"])
    func `what is no directory is named, whatever its mode is`(path: String) {
        #expect(throws: VaultError.notADirectory(path)) { try Vault.requirePrivate(directory: path) }
    }

    @Test func `no vault is made or restored where others can write`() throws {
        let fixture = CeremonyFixture(empty: ())
        chmod(fixture.path, 0o777)
        let operation = CreateVault(verifier: nil, networks: [], isDevelopment: true, cost: .development)
        #expect(throws: VaultError.exposed(fixture.path, isDirectory: true)) {
            _ = try fixture.device.preview(operation)
        }
        let backup = try CeremonyFixture().act(BackUpVault())
        let restore = RestoreVault(
            backup, passphrase: HeldSecret(CeremonyFixture.passphrase), keyFile: held(""))
        #expect(throws: VaultError.exposed(fixture.path, isDirectory: true)) {
            _ = try fixture.device.preview(restore)
        }
    }

    @Test func `what a killed program left half written is cleared at the next start`() throws {
        let fixture = try CeremonyFixture()
        for name in [
            ".attempts.4711.new", ".vault.4711.new", ".intent.4711.new", "backup.new", ".vaults.1.new",
        ] {
            try fixture.directory.write([1], to: name)
        }
        _ = try fixture.session()
        let left = fixture.directory.names.filter { $0.hasSuffix(".new") }
        #expect(left.sorted() == [".vaults.1.new", "backup.new"])
    }
}
