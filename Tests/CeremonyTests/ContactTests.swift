import Accounts
import Foundation
import Hashing
import Keys
import SubstratePrimitives
import TestSupport
import Testing
import TrustStore
import TrustUpdates
import UOS

@testable import Ceremony

@Suite struct ContactTests {
    private static func account(_ byte: UInt8) -> [UInt8] { [UInt8](repeating: byte, count: 32) }

    private static func address(_ byte: UInt8) -> String { TrustState.address(of: account(byte), prefix: 42) }

    private static func add(_ byte: UInt8, _ label: String, note: String = "", isPrivate: Bool = false)
        -> ChangeContact
    {
        ChangeContact(
            .add(
                label: label, account: account(byte), note: note, networks: [], source: .typed(prefix: nil),
                isPrivate: isPrivate))
    }

    private static func pair(_ byte: UInt8) throws -> KeyPair {
        let seed = SecretBytes(count: 32)
        seed.withUnsafeMutableBytes { $0[0] = byte }
        return try KeyPair.derive(miniSecret: seed, scheme: .sr25519)
    }

    /// A list as its signer sends it.
    private static func list(_ number: UInt32, _ entries: [(UInt8, String)], by signer: UInt8 = 1) throws
        -> ImportContacts
    {
        let pair = try pair(signer)
        let list = try ContactList(
            issuer: pair.publicKey, number: number,
            entries: entries.map { .init(account: account($0.0), label: $0.1) })
        let payload = ContactListPayload(
            list, signature: try pair.sign(list.signedBytes, domain: .heliograph))
        return try #require(ImportContacts(try Payload(payload.bytes)))
    }

    private static func withSigner() throws -> CeremonyFixture {
        let fixture = try CeremonyFixture()
        try fixture.act(ChangeListSigner(.add(try pair(1).publicKey, label: "Office")))
        return fixture
    }

    private static func kinds(_ fixture: CeremonyFixture, since before: [LogEntry]) throws -> [LogEvent.Kind]
    {
        try fixture.events(since: before).map(\.kind)
    }

    // MARK: One contact

    @Test func `a contact is added, renamed and removed, each with a line of the log`() throws {
        let fixture = try CeremonyFixture()
        let before = try fixture.log
        #expect(try fixture.device.preview(Self.add(5, "Ana")).shown.isFirst)
        try fixture.act(Self.add(5, "Ana", note: "from school"))
        let added = ContactRecord(
            scheme: nil, account: Self.account(5), label: "Ana", note: "from school", source: "typed")
        #expect(try fixture.state.contacts == [added])
        #expect(try !fixture.device.preview(Self.add(6, "Bob")).shown.isFirst)
        let shown = try fixture.device.preview(ChangeContact(.label("Ana", "Eva"))).shown
        #expect(shown.word == ContactListPlan.word && shown.before == "Ana" && shown.contact.label == "Eva")
        try fixture.act(ChangeContact(.label("Ana", "Eva")))
        // The same name in another case is no conflict with itself.
        try fixture.act(ChangeContact(.label("Eva", "EVA")))
        #expect(try fixture.state.contacts.map(\.label) == ["EVA"])
        #expect(try fixture.state.contacts.map(\.note) == ["from school"])
        try fixture.act(ChangeContact(.remove(Self.address(5))))
        #expect(try fixture.state.contacts.isEmpty)
        #expect(
            try Self.kinds(fixture, since: before) == [
                .contactAdded, .contactChanged, .contactChanged, .contactRemoved,
            ])
    }

    @Test func `an own account, an account with a name and a name that is taken are refused`() throws {
        let fixture = try CeremonyFixture.withKey()
        try fixture.act(Self.add(5, "Ana"))
        let own = ChangeContact(
            .add(
                label: "Me too", account: try CeremonyFixture.key("main", "//0").bytes, note: "",
                networks: [], source: .typed(prefix: nil),
                isPrivate: false))
        let address = try #require(
            SS58Address(prefix: 42, account: CeremonyFixture.key("main", "//0").bytes)?.text)
        #expect(throws: ContactRefusal.ownAccount(address)) { try fixture.act(own) }
        #expect(throws: ContactRefusal.exists("Ana")) { try fixture.act(Self.add(5, "Eva")) }
        #expect(throws: ContactRefusal.taken("ANA", by: .contact("Ana"))) {
            try fixture.act(Self.add(6, "ANA"))
        }
        #expect(throws: ContactRefusal.taken("Ma1n", by: .seed("main"))) {
            try fixture.act(Self.add(6, "Ma1n"))
        }
        #expect(throws: ContactRefusal.noteTooLong(ContactList.maximumNote + 1)) {
            try fixture.act(
                Self.add(6, "Bob", note: String(repeating: "x", count: ContactList.maximumNote + 1)))
        }
        #expect(try fixture.state.contacts.map(\.label) == ["Ana"])
    }

    @Test func `a private contact's name is on the disk only under the data key`() throws {
        let fixture = try CeremonyFixture()
        try fixture.act(Self.add(5, "Ana Belmonte", note: "from school", isPrivate: true))
        let held = try #require(try fixture.state.contacts.first)
        #expect(held.isPrivate && held.label.isEmpty && held.note.isEmpty)
        for name in ["store.sqlite", "store.sqlite-wal"] where fixture.exists(name) {
            let bytes = try readBytes("\(fixture.path)/\(name)")
            for text in ["Ana Belmonte", "from school"] { #expect(!bytes.contains(Array(text.utf8))) }
        }
        #expect(
            try fixture.events.allSatisfy { event in event.facts.allSatisfy { !$0.value.contains("Belmonte") }
            })
        // The log says why it has no name of the contact.
        let added = try #require(try fixture.events.last { $0.kind == .contactAdded })
        #expect(
            added.facts.contains(LogEvent.Fact("private", "true"))
                && !added.facts.contains { $0.name == "label" })
        // A new name keeps the note, which only the data key opens.
        try fixture.act(ChangeContact(.label(Self.address(5), "Eva Belmonte")))
        let named = try #require(try fixture.session().contacts().first)
        #expect(named.label == "Eva Belmonte" && named.note == "from school" && named.record.isPrivate)
        // Names of private contacts are compared where they can be read.
        #expect(throws: ContactRefusal.taken("Eva Be1monte", by: .contact("Eva Belmonte"))) {
            try fixture.act(Self.add(6, "Eva Be1monte"))
        }
        #expect(throws: ContactRefusal.taken("Eva Be1monte", by: .contact("Eva Belmonte"))) {
            try fixture.act(ChangeListSigner(.add(try Self.pair(1).publicKey, label: "Eva Be1monte")))
        }
    }

    @Test func `a private contact that somebody puts in another's place opens nothing`() throws {
        let fixture = try CeremonyFixture()
        try fixture.act(Self.add(5, "Ana", isPrivate: true))
        try fixture.act(Self.add(6, "Bob", isPrivate: true))
        let session = try fixture.session()
        let (one, other) = (
            try #require(try fixture.state.contact(account: Self.account(5))), Self.account(6)
        )
        let moved = ContactRecord(scheme: nil, account: other, label: "", sealed: one.sealed)
        #expect(throws: StoreError.unreadable(table: "contact")) {
            _ = try PrivateName(moved, in: session.vault)
        }
    }

    @Test(arguments: [ChangeContact.Change.label("Ana", "Eva"), .remove("Ana")])
    func `the laws of every operation hold for a contact that changes`(change: ChangeContact.Change) throws {
        try expectLaws(of: ChangeContact(change)) {
            let fixture = try CeremonyFixture()
            try fixture.act(Self.add(5, "Ana"))
            return fixture
        } whenChanged: { fixture, session in
            // The name stands for another account by now.
            try fixture.act(ChangeContact(.remove("Ana")), in: session)
            try fixture.act(Self.add(6, "Ana"), in: session)
        }
    }

    /// Whether it is the first decides what a person is told.
    @Test(arguments: [false, true]) func `the laws of every operation hold for a contact that is added`(
        isPrivate: Bool
    ) throws {
        try expectLaws(of: Self.add(5, "Ana", isPrivate: isPrivate)) {
            try CeremonyFixture()
        } whenChanged: { fixture, session in
            try fixture.act(Self.add(6, "Bob"), in: session)
        }
    }

    // MARK: Signers and lists

    @Test func `a signer is added by the end of its fingerprint and removed by its name`() throws {
        let fixture = try CeremonyFixture.withKey()
        let key = try Self.pair(1).publicKey
        let before = try fixture.log
        let shown = try fixture.device.preview(ChangeListSigner(.add(key, label: "Office"))).shown
        #expect(shown.fingerprint == key.fingerprint && shown.word == String(key.fingerprint.suffix(9)))
        try fixture.act(ChangeListSigner(.add(key, label: "Office")))
        #expect(try fixture.state.listSigners == [ListSignerRecord(publicKey: key, label: "Office")])
        #expect(throws: ContactRefusal.listSignerExists("Office")) {
            try fixture.act(ChangeListSigner(.add(key, label: "Branch")))
        }
        let own = try CeremonyFixture.key("main", "//0")
        #expect(throws: ContactRefusal.signerIsOwn(own)) {
            try fixture.act(ChangeListSigner(.add(own, label: "Branch")))
        }
        #expect(throws: ContactRefusal.noSuchListSigner("office")) {
            try fixture.act(ChangeListSigner(.remove("office")))
        }
        try fixture.act(ChangeListSigner(.remove("Office")))
        #expect(try fixture.state.listSigners.isEmpty)
        #expect(try Self.kinds(fixture, since: before) == [.listSignerAdded, .listSignerRemoved])
    }

    @Test func `a verifier of metadata becomes no signer of lists`() throws {
        let key = try Self.pair(1).publicKey
        let fixture = try CeremonyFixture(verifier: key)
        #expect(throws: ContactRefusal.signerIsVerifier(key)) {
            try fixture.act(ChangeListSigner(.add(key, label: "Office")))
        }
    }

    @Test func `the laws of every operation hold for signers of lists`() throws {
        try expectLaws(of: ChangeListSigner(.remove("Office")), in: Self.withSigner) { fixture, session in
            try fixture.act(ChangeListSigner(.remove("Office")), in: session)
            try fixture.act(ChangeListSigner(.add(try Self.pair(2).publicKey, label: "Office")), in: session)
        }
        let key = try Self.pair(1).publicKey
        let session = try CeremonyFixture()
        try expectNothing(of: ChangeListSigner(.add(key, label: "Office")), after: .logBlocked, in: session)
        // The name was free when the person compared the fingerprint.
        let fixture = try CeremonyFixture()
        let open = try fixture.session()
        let approval = try open.preview(ChangeListSigner(.add(key, label: "Office"))).confirm()
        try fixture.act(Self.add(5, "Office"), in: open)
        #expect(throws: ContactRefusal.taken("Office", by: .contact("Office"))) { try open.perform(approval) }
        #expect(try fixture.state.listSigners.isEmpty)
    }

    @Test func `a list is taken whole, with a line for each contact`() throws {
        let fixture = try Self.withSigner()
        try fixture.act(try Self.list(3, [(5, "Ana"), (6, "Bob"), (7, "Cem")]))
        let before = try fixture.log
        try fixture.act(try Self.list(4, [(5, "Ana"), (6, "Bert"), (8, "Dora")]))
        #expect(try Set(fixture.state.contacts.map(\.label)) == ["Ana", "Bert", "Dora"])
        #expect(
            try Self.kinds(fixture, since: before) == [
                .contactListImported, .contactRemoved, .contactChanged, .contactAdded,
            ])
        #expect(throws: ContactRefusal.olderList(3, held: 4)) {
            try fixture.act(try Self.list(3, [(5, "Ana")]))
        }
    }

    @Test func `a list with the name of a private contact is refused under the seal`() throws {
        let fixture = try Self.withSigner()
        try fixture.act(Self.add(5, "Ana", isPrivate: true))
        let before = try fixture.state
        #expect(throws: ContactRefusal.taken("An\u{e1}", by: .contact("Ana"))) {
            try fixture.act(try Self.list(1, [(6, "An\u{e1}")]))
        }
        #expect(try fixture.state.contacts == before.contacts && fixture.state.settings == before.settings)
    }

    @Test func `a refused list leaves a line that says why`() throws {
        let fixture = try Self.withSigner()
        let stranger = try Self.list(1, [(5, "Ana")], by: 2)
        #expect(throws: ContactRefusal.unknownListSigner(try Self.pair(2).publicKey)) {
            try fixture.act(stranger)
        }
        #expect(try fixture.device.store().journalled.map(\.kind) == [.contactListRefused])
        #expect(try fixture.device.store().journalled.last?["number"] == "1")
    }

    @Test func `the laws of every operation hold for lists`() throws {
        // The same names as before, but for one that the person gave to another account meanwhile.
        try expectLaws(of: try Self.list(2, [(5, "Ana"), (6, "Bob")])) {
            let fixture = try Self.withSigner()
            try fixture.act(try Self.list(1, [(5, "Ana")]))
            return fixture
        } whenChanged: { fixture, session in
            try fixture.act(ChangeContact(.remove("Ana")), in: session)
        }
    }

    // MARK: Signing a list

    private static func withContacts() throws -> CeremonyFixture {
        let fixture = try CeremonyFixture.withKey()
        try fixture.act(add(5, "Ana", note: "from school"))
        try fixture.act(add(6, "Bob", isPrivate: true))
        return fixture
    }

    @Test func `a list that is signed here is one that another vault takes`() throws {
        let fixture = try Self.withContacts()
        let operation = ExportContacts(key: try CeremonyFixture.address())
        #expect(try fixture.device.preview(operation).shown.leftOut == 1)
        let before = try fixture.log
        let bytes = try fixture.act(operation)
        let event = try #require(try fixture.events(since: before).first)
        #expect(event.kind == .contactListSigned && event["number"] == "1" && event["contacts"] == "1")
        let other = try CeremonyFixture(seeds: ["other"])
        try other.act(ChangeListSigner(.add(try CeremonyFixture.key("main", "//0"), label: "Office")))
        try other.act(try #require(ImportContacts(try Payload(bytes))))
        #expect(
            try other.state.contacts.map(\.label) == ["Ana"]
                && other.state.contacts.map(\.note) == ["from school"])
        // The next list has the next number.
        #expect(try fixture.device.preview(operation).shown.list.number == 2)
    }

    @Test func `a new passphrase keeps every contact, and seals the private ones again`() throws {
        let fixture = try Self.withContacts()
        let before = try fixture.state.contacts
        let next = CeremonyFixture.next
        try fixture.act(ChangePassphrase(to: held(next), keyFile: held("")))
        let session = try fixture.device.unlock { SecretBytes(utf8: next) }
        let named = try session.contacts()
        #expect(named.map(\.label) == ["Ana", "Bob"] && named.map(\.note) == ["from school", ""])
        for (old, new) in zip(before, named.map(\.record)) {
            #expect(old.account == new.account && old.isPrivate == new.isPrivate)
            #expect((old == new) == !old.isPrivate, "only the private one is written again")
        }
        #expect(before.map(\.isPrivate) == [false, true])
    }

    @Test func `no list is signed without a contact that may leave`() throws {
        let fixture = try CeremonyFixture.withKey()
        try fixture.act(Self.add(6, "Bob", isPrivate: true))
        #expect(throws: ContactRefusal.noContacts) {
            try fixture.act(ExportContacts(key: try CeremonyFixture.address()))
        }
    }

    @Test func `the laws of every operation hold for a list that is signed`() throws {
        try expectLaws(of: ExportContacts(key: try CeremonyFixture.address()), in: Self.withContacts) {
            fixture, session in
            try fixture.act(Self.add(7, "Cem"), in: session)
        }
    }

    // MARK: Erasing

    @Test func `an erased vault opens with no passphrase`() throws {
        let fixture = try Self.withContacts()
        let approval = try fixture.device.preview(EraseVault()).confirm()
        #expect(try fixture.device.preview(EraseVault()).shown.seedNames == ["main"])
        let erasure = try fixture.device.perform(approval) { SecretBytes() }.outcome
        #expect(erasure.left.isEmpty && !fixture.opens(with: CeremonyFixture.strong))
    }

    @Test func `erasing needs no network detector that is content`() throws {
        let fixture = try CeremonyFixture()
        fixture.goOnline()
        let approval = try fixture.device.preview(EraseVault()).confirm()
        _ = try fixture.device.perform(approval) { SecretBytes() }
        #expect(!fixture.opens(with: CeremonyFixture.strong))
    }

    @Test func `a no, and a vault that changed after it was shown, erase nothing`() throws {
        let fixture = try CeremonyFixture()
        let preview = try fixture.device.preview(EraseVault())
        #expect(throws: CeremonyError.declined) { try preview.confirm { false } }
        let approval = try preview.confirm()
        do {
            let session = try fixture.session()
            try session.vault.apply(
                session.vault.adding(seed: "second", entropy: CeremonyFixture.entropy(of: "second")))
        }
        #expect(throws: CeremonyError.changedSinceShown) {
            _ = try fixture.device.perform(approval) { SecretBytes() }
        }
        #expect(fixture.opens(with: CeremonyFixture.strong))
    }

    @Test func `a vault of real keys is erased by a person only`() throws {
        let fixture = try CeremonyFixture(isDevelopment: false)
        #expect(throws: CeremonyError.approveNeedsDevelopmentVault) {
            try fixture.device.preview(EraseVault()).confirmUnattended()
        }
    }
}

private func readBytes(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path))) }
