import Accounts
import Keys
import SubstratePrimitives
import TestSupport
import Testing
import TrustStore
import TrustUpdates
import UOS

@Suite struct ContactListPlanLaws {
    static func pair(_ byte: UInt8, _ scheme: SignatureScheme = .sr25519) -> KeyPair {
        let seed = SecretBytes(count: 32)
        seed.withUnsafeMutableBytes { $0[0] = byte }
        return try! KeyPair.derive(miniSecret: seed, scheme: scheme)
    }

    static func account(_ byte: UInt8) -> [UInt8] { [UInt8](repeating: byte, count: 32) }

    static func payload(
        _ number: UInt32, _ entries: [(UInt8, String)], by byte: UInt8 = 1,
        _ scheme: SignatureScheme = .sr25519
    ) throws -> ContactListPayload {
        let pair = pair(byte, scheme)
        let list = try ContactList(
            issuer: pair.publicKey, number: number,
            entries: entries.map { ContactList.Entry(account: account($0.0), label: $0.1) })
        return ContactListPayload(list, signature: try pair.sign(list.signedBytes, domain: .heliograph))
    }

    static func trust(_ scheme: SignatureScheme = .sr25519) -> TrustState {
        var trust = TrustState()
        trust.listSigners = [ListSignerRecord(publicKey: pair(1, scheme).publicKey, label: "Office")]
        return trust
    }

    /// As the store does it.
    static func apply(_ plan: ContactListPlan, to trust: inout TrustState) {
        for change in plan.trustChanges {
            switch change {
            case .putContact(let contact):
                trust.contacts.removeAll { $0.account == contact.account }
                trust.contacts.append(contact)
            case .removeContact(let account): trust.contacts.removeAll { $0.account == account }
            case .putSetting(let name, let value): trust.settings[name] = value
            default: Issue.record("an import makes no such change")
            }
        }
    }

    static func refusal(_ payload: ContactListPayload, _ trust: TrustState, seeds: [String] = [])
        -> ContactRefusal?
    {
        do throws(ContactRefusal) { _ = try ContactListPlan(payload, in: trust, seeds: seeds) } catch {
            return error
        }
        return nil
    }

    @Test(arguments: SignatureScheme.allCases)
    func `a list of a signer that was added is accepted in every scheme`(scheme: SignatureScheme)
        throws
    {
        let payload = try Self.payload(1, [(5, "Ana"), (6, "Bob")], scheme)
        let plan = try ContactListPlan(payload, in: Self.trust(scheme))
        #expect(
            plan.additions.map(\.label) == ["Ana", "Bob"] && plan.changes.isEmpty && plan.removals.isEmpty
                && plan.word == nil)
        #expect(plan.signerName == "Office")
    }

    @Test(arguments: SignatureScheme.allCases)
    func `a signature of the other domain, or of other bytes, is refused`(
        scheme: SignatureScheme
    ) throws {
        let pair = Self.pair(1, scheme)
        let list = try Self.payload(1, [(5, "Ana")], scheme).list
        for signature in [try pair.sign(list.signedBytes), try pair.sign(list.body, domain: .heliograph)] {
            #expect(
                Self.refusal(ContactListPayload(list, signature: signature), Self.trust(scheme))
                    == .wrongSignature(pair.publicKey))
        }
    }

    @Test func `who was not added signs nothing`() throws {
        let payload = try Self.payload(1, [(5, "Ana")], by: 2)
        #expect(Self.refusal(payload, Self.trust()) == .unknownListSigner(Self.pair(2).publicKey))
    }

    @Test func `a verifier of metadata signs no list`() throws {
        let payload = try Self.payload(1, [(5, "Ana")])
        let key = Self.pair(1).publicKey
        var trust = TrustState()
        trust.generalVerifier = key
        #expect(Self.refusal(payload, trust) == .unknownListSigner(key))
        // Added before it became a verifier.
        trust = Self.trust()
        trust.verifiers[GenesisHash(Self.account(9))!] = .custom(key)
        #expect(Self.refusal(payload, trust) == .signerIsVerifier(key))
        trust = Self.trust()
        trust.generalVerifier = key
        #expect(Self.refusal(payload, trust) == .signerIsVerifier(key))
    }

    @Test func `an own key needs nobody's leave, and is called by its seed and path`() throws {
        var trust = TrustState()
        trust.keys = [
            KeyRecord(publicKey: Self.pair(1).publicKey, seed: "main", path: "//office", hasPassword: false)
        ]
        let plan = try ContactListPlan(try Self.payload(1, [(5, "Ana")]), in: trust)
        #expect(plan.signerName == "main//office" && plan.additions.count == 1)
    }

    @Test func `an older number is refused, the same list again is not, another of its number is`() throws {
        var trust = Self.trust()
        Self.apply(try ContactListPlan(try Self.payload(5, [(5, "Ana")]), in: trust), to: &trust)
        #expect(Self.refusal(try Self.payload(4, [(5, "Ana")]), trust) == .olderList(4, held: 5))
        #expect(try ContactListPlan(try Self.payload(5, [(5, "Ana")]), in: trust).isEmpty)
        #expect(Self.refusal(try Self.payload(5, [(5, "Ana"), (6, "Bob")]), trust) == .otherListOfNumber(5))
        #expect(Self.refusal(try Self.payload(6, [(5, "Ana"), (6, "Bob")]), trust) == nil)
        // Removed and added again, the signer cannot bring an older list back.
        trust.listSigners = []
        #expect(Self.refusal(try Self.payload(6, []), trust) == .unknownListSigner(Self.pair(1).publicKey))
        trust.listSigners = Self.trust().listSigners
        #expect(Self.refusal(try Self.payload(4, []), trust) == .olderList(4, held: 5))
        // Each signer counts alone.
        trust.listSigners.append(ListSignerRecord(publicKey: Self.pair(2).publicKey, label: "Branch"))
        #expect(Self.refusal(try Self.payload(1, [], by: 2), trust) == nil)
    }

    @Test func `what is kept of a list is a number and a hash, and nothing longer or shorter`() throws {
        var trust = Self.trust()
        let key = Self.pair(1).publicKey
        Self.apply(try ContactListPlan(try Self.payload(5, [(5, "Ana")]), in: trust), to: &trust)
        let (name, value) = Array(trust.settings)[0]
        #expect(trust.lastList(of: key)?.number == 5 && value.count == 36)
        for wrong in [value + [0], Array(value.dropLast()), []] {
            trust.settings[name] = wrong
            #expect(trust.lastList(of: key) == nil)
        }
    }

    @Test func `additions, changes and removals are told apart`() throws {
        var trust = Self.trust()
        Self.apply(
            try ContactListPlan(try Self.payload(1, [(5, "Ana"), (6, "Bob"), (7, "Cid")]), in: trust),
            to: &trust)
        let plan = try ContactListPlan(
            try Self.payload(2, [(5, "Ana"), (6, "Bert"), (8, "Dora")]), in: trust)
        #expect(plan.additions.map(\.label) == ["Dora"] && plan.removals.map(\.label) == ["Cid"])
        #expect(plan.changes.map(\.before.label) == ["Bob"] && plan.changes.map(\.after.label) == ["Bert"])
        #expect(plan.word == "relabel" && plan.moved.isEmpty)
        Self.apply(plan, to: &trust)
        #expect(trust.contacts.map(\.label).sorted() == ["Ana", "Bert", "Dora"])
    }

    @Test func `a name that moves to another account needs the word, however the list does it`() throws {
        var trust = Self.trust()
        Self.apply(try ContactListPlan(try Self.payload(1, [(5, "Ana"), (6, "Bob")]), in: trust), to: &trust)
        // Removed here, added there.
        let moved = try ContactListPlan(try Self.payload(2, [(6, "Bob"), (9, "Ana")]), in: trust)
        #expect(moved.changes.isEmpty && moved.moved == ["Ana"] && moved.word == "relabel")
        // Under a name that looks the same.
        let alike = try ContactListPlan(try Self.payload(2, [(6, "Bob"), (9, "ANA")]), in: trust)
        #expect(alike.moved == ["ANA"] && alike.word == "relabel")
        // Exchanged.
        let exchanged = try ContactListPlan(try Self.payload(2, [(5, "Bob"), (6, "Ana")]), in: trust)
        #expect(exchanged.moved.sorted() == ["Ana", "Bob"] && exchanged.word == "relabel")
        // An addition alone needs no word, and neither does a removal.
        #expect(try ContactListPlan(try Self.payload(2, [(6, "Bob"), (9, "Eva")]), in: trust).word == nil)
    }

    @Test func `a list changes and removes nothing but what came from its signer`() throws {
        var trust = Self.trust()
        trust.contacts = [
            ContactRecord(scheme: nil, account: Self.account(5), label: "Mother", source: "typed"),
            ContactRecord(
                scheme: nil, account: Self.account(6), label: "Branch",
                source: ContactSource.list(Self.pair(2).publicKey).text),
            ContactRecord(scheme: nil, account: Self.account(7), label: "", sealed: [1], source: "typed"),
        ]
        trust.keys = [
            KeyRecord(
                publicKey: PublicKey(scheme: .sr25519, bytes: Self.account(8))!, seed: "main", path: "",
                hasPassword: false)
        ]
        let plan = try ContactListPlan(
            try Self.payload(1, [(5, "Ana"), (6, "Bob"), (7, "Cid"), (8, "Dora")]), in: trust)
        #expect(plan.isEmpty && plan.word == nil && plan.removals.isEmpty)
        #expect(
            plan.kept.map(\.reason) == [
                .contact(label: "Mother"), .contact(label: "Branch"), .contact(label: nil), .ownKey,
            ])
    }

    @Test(
        arguments: [
            ("main", .seed("main")), ("Savings", .ownKey("Savings")), ("Polkadot", .network("Polkadot")),
            ("0ffice", .listSigner("Office")),
            ("M0ther", .contact("Mother")),
        ] as [(String, ContactLabel.Holder)])
    func `a list names nobody as a key, a network or another contact`(
        label: String, holder: ContactLabel.Holder
    ) throws {
        var trust = Self.trust()
        trust.contacts = [
            ContactRecord(scheme: nil, account: Self.account(5), label: "Mother", source: "typed")
        ]
        trust.keys = [
            KeyRecord(
                publicKey: PublicKey(scheme: .sr25519, bytes: Self.account(8))!, seed: "cold", path: "",
                hasPassword: false,
                label: "Savings")
        ]
        #expect(
            Self.refusal(try Self.payload(1, [(9, label)]), trust, seeds: ["main"])
                == .taken(label, by: holder))
    }

    @Test func `a list brings no two names that may be taken for each other, and no word of this program`()
        throws
    {
        #expect(
            Self.refusal(try Self.payload(1, [(5, "Ana"), (6, "ana")]), Self.trust())
                == .taken("ana", by: .contact("Ana")))
        #expect(
            Self.refusal(try Self.payload(1, [(5, "own main")]), Self.trust())
                == .label("own main", .reserved(word: "own")))
        #expect(
            Self.refusal(try Self.payload(1, [(5, "own: main")]), Self.trust())
                == .label("own: main", .character(":")))
    }

    @Test func `a vault is never filled beyond its bound`() throws {
        var trust = Self.trust()
        trust.contacts = (0..<1024).map { index in
            let account = [UInt8(index >> 8), UInt8(index & 255)] + [UInt8](repeating: 0, count: 30)
            return ContactRecord(scheme: nil, account: account, label: "", sealed: [1], source: "typed")
        }
        #expect(Self.refusal(try Self.payload(1, [(200, "Ana")]), trust) == .full)
        trust.contacts.removeLast()
        #expect(Self.refusal(try Self.payload(1, [(200, "Ana")]), trust) == nil)
    }
}
