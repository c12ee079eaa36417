import Accounts
import Cards
import GroupCollect
import GroupReview
import Hashing
import Keys
import Review
import SubstratePrimitives
import TestSupport
import Testing
import Threshold
import TrustStore
import TrustUpdates
import UOS

@testable import Ceremony

/// From host cards to an active group: what each step keeps, shows again, and refuses by itself.
@Suite struct GroupMakingLaws {
    private static func reasons(_ fixture: CeremonyFixture) throws -> [String] {
        _ = try fixture.session()
        return try fixture.events.filter { $0.kind == .groupRefused }.compactMap { $0["reason"] }
    }

    // MARK: A whole making

    @Test(arguments: [(SignatureScheme.sr25519, 2), (.ed25519, 3)])
    func `a group is active after all have confirmed, with one key everywhere and on no network`(
        scheme: SignatureScheme, threshold: Int
    ) throws {
        let group = try GroupFixture(threshold: threshold, scheme: scheme)
        let record = try group.made()
        for (index, machine) in group.machines.enumerated() {
            // No account before the record.
            #expect(try machine.state.keys.isEmpty && machine.state.groups.isEmpty)
            let held = try machine.act(ActivateGroup(record, name: nil))
            #expect(try machine.state.groups == [held])
            #expect(
                held.member == index + 1 && held.name == "office" && !held.isCompared
                    && held.record == record.bytes)
            let key = try #require(try machine.state.keys.first)
            #expect(key.publicKey == PublicKey(scheme: scheme, bytes: record.groupKey))
            #expect(key.source == .group(record.transcript, path: "") && key.networks.isEmpty)
            #expect(
                try machine.events.map(\.kind).suffix(3) == [
                    .groupContributed, .groupConfirmed, .groupActivated,
                ])
            for _ in 0..<2 { try machine.act(CompareGroup("office")) }
            #expect(try machine.state.groups[0].isCompared)
            #expect(try machine.events.filter { $0.kind == .groupCompared }.count == 1)
        }
    }

    @Test func `what is shown was stored before, and the same message shows the same again`() throws {
        let group = try GroupFixture()
        let machine = group.machines[0]
        let first = try machine.act(JoinGroup(group.proposal))
        #expect(try machine.state.groupMakings.map(\.contribution) == [first])
        #expect(try machine.act(JoinGroup(group.proposal)) == first)
        // Also for another process with the same vault.
        #expect(try machine.act(JoinGroup(group.proposal), in: try machine.session()) == first)
        var contributions = try group.machines.dropFirst().map {
            try GroupFixture.contribution(try $0.act(JoinGroup(group.proposal)) ?? [])
        }
        contributions.append(try GroupFixture.contribution(first ?? []))
        let bundle = try group.bundle(contributions)
        let confirmation = try machine.act(ConfirmGroup(bundle))
        #expect(try machine.state.groupMakings.map(\.confirmation) == [confirmation])
        #expect(try machine.act(ConfirmGroup(bundle)) == confirmation)
        #expect(try machine.act(JoinGroup(group.proposal)) == first)
        #expect(
            try machine.events.filter { $0.kind == .groupContributed || $0.kind == .groupConfirmed }.count
                == 2)
    }

    @Test func `a no leaves nothing`() throws {
        let group = try GroupFixture()
        let machine = group.machines[0]
        let before = try machine.state
        #expect(throws: CeremonyError.declined) {
            try machine.device.preview(JoinGroup(group.proposal)).confirm { false }
        }
        #expect(try machine.state.groupMakings == before.groupMakings)
    }

    // MARK: Proposals

    @Test func `a vault that is no member makes no contribution`() throws {
        let group = try GroupFixture()
        let stranger = try CeremonyFixture(seeds: ["eve"])
        #expect(throws: GroupRefusal.notAMember) { try stranger.act(JoinGroup(group.proposal)) }
        #expect(try stranger.state.groupMakings.isEmpty)
        #expect(try Self.reasons(stranger) == ["group-not-a-member"])
    }

    @Test func `two host keys of one vault are two votes of one machine, outside development vaults`() throws
    {
        let group = try GroupFixture(["alice", "bob"])
        for isDevelopment in [true, false] {
            let both = try CeremonyFixture(isDevelopment: isDevelopment, seeds: ["alice", "bob"])
            if isDevelopment {
                #expect(try both.act(JoinGroup(group.proposal)) != nil)
            } else {
                #expect(throws: GroupRefusal.severalOwn(["alice", "bob"])) {
                    try both.act(JoinGroup(group.proposal))
                }
                #expect(try both.state.groupMakings.isEmpty)
            }
        }
        // Two indices of one seed are two keys as well.
        let one = try CeremonyFixture(isDevelopment: false, seeds: ["alice"])
        let cards = try [0, 5].map { index in
            try one.act(MakeHostCard(seed: "alice", index: index, name: "a\(index)"))
        }
        let proposal = try GroupProposal.make(cards: cards, threshold: 2, scheme: .sr25519, label: "")
        #expect(throws: GroupRefusal.severalOwn(["a0", "a5"])) { try one.act(JoinGroup(proposal)) }
        // The vault remembers what it showed on a card, so a person learns it before the passphrase.
        #expect(throws: GroupRefusal.severalOwn(["a0", "a5"])) { try one.device.preview(JoinGroup(proposal)) }
    }

    @Test(arguments: ["cleo\", \"dora", "own", "1", "a, b", "c\u{430}rol", "bob ", "(own: main)"])
    func `a name that is not a label is no member's, on a card, in a proposal and by option`(name: String)
        throws
    {
        let machine = try CeremonyFixture(seeds: ["alice"])
        func isNamed(_ error: any Error) -> Bool {
            guard case GroupRefusal.memberName(let refused, _)? = error as? GroupRefusal else { return false }
            return refused.utf8Equals(name)
        }
        // What a card cannot hold at all is refused when it is read.
        if String.printableLine(Array(name.utf8)) != nil {
            let cards = [try GroupFixture.card(of: "alice"), try GroupFixture.card(of: "eve", name: name)]
            let proposal = try GroupProposal.make(cards: cards, threshold: 2, scheme: .sr25519, label: "")
            #expect { try machine.device.preview(JoinGroup(proposal)) } throws: { isNamed($0) }
            #expect { try machine.device.preview(MakeHostCard(seed: "alice", name: name)) } throws: {
                isNamed($0)
            }
            // A name of this vault's own stands beside the key here, but other machines and their lists show
            // the proposal's.
            try machine.act(AddHostContact(GroupFixture.card(of: "eve", name: name), name: "Eve"))
            #expect { try machine.device.preview(JoinGroup(proposal)) } throws: { isNamed($0) }
        } else {
            #expect { try machine.device.preview(MakeHostCard(seed: "alice", name: name)) } throws: {
                $0 is PayloadError
            }
        }
    }

    @Test func `a quotation mark in a name of an older group ends no name`() {
        #expect("cleo\", \"dora".inQuotationMarks == #""cleo', 'dora""#)
        #expect(#"a\"#.inQuotationMarks == #""a\""#, "whoever prints it escapes the backslash")
        let refusal = GroupSigningRefusal.commitmentsMissing(["bob", "cleo, dora"])
        #expect(refusal.sentence == #"the commitments of bob, "cleo, dora" are missing"#)
    }

    @Test
    func `an ed25519 key signs for a listed chain of 32-byte accounts, and not for an Ethereum-style one`()
        throws
    {
        let polkadot = NetworkSpecs.defaults[0].genesisHash
        let moonbeam = try #require(WellKnownChain.all.first { $0.scheme == .ethereum })
        var state = TrustState()
        state.networks = [NetworkSpecs.defaults[0]]
        for scheme in [SignatureScheme.ed25519, .ecdsa] {
            guard
                case .putNetwork(let specs)? = try TrustSetup.addListed(
                    polkadot, scheme: scheme, state: state
                ).changes.last
            else {
                Issue.record("nothing is added")
                continue
            }
            #expect(specs.scheme == scheme && specs.genesisHash == polkadot && specs.name == "polkadot")
            #expect(
                throws: LookupError.networkOfOtherScheme(moonbeam.specName, has: [.ethereum], asked: scheme)
            ) {
                try TrustSetup.addListed(moonbeam.genesisHash, scheme: scheme, state: TrustState())
            }
        }
        #expect(throws: TrustSetup.Failure.knownNetwork("polkadot")) {
            try TrustSetup.addListed(polkadot, scheme: .sr25519, state: state)
        }
        #expect(throws: LookupError.networkOfOtherScheme("polkadot", has: [.sr25519], asked: .ethereum)) {
            try TrustSetup.addListed(polkadot, scheme: .ethereum, state: TrustState())
        }
    }

    @Test func `keys that nobody compared ask for the word, and contacts stand under this vault's names`()
        throws
    {
        let group = try GroupFixture()
        let machine = group.machines[0]
        try machine.act(MakeHostCard(seed: "alice", name: "alice"))
        #expect(try machine.device.preview(JoinGroup(group.proposal)).shown.word == "compared")
        try machine.act(AddHostContact(GroupFixture.card(of: "bob"), name: "Robert"))
        let half = try machine.device.preview(JoinGroup(group.proposal)).shown
        #expect(half.unknown.map(\.name) == ["carol"] && half.word == "compared")
        #expect(half.members.map(\.shownName) == ["alice", "Robert", "carol"])
        #expect(half.warnings == [.renamed(contact: "Robert", proposed: "bob")])
        try machine.act(AddHostContact(GroupFixture.card(of: "carol"), name: nil))
        #expect(try machine.device.preview(JoinGroup(group.proposal)).shown.word == nil)
        #expect(try machine.state.contacts.isEmpty)
        #expect(ReviewSummary(half).word?.text == "compared")
    }

    @Test func `a key under a friend's name, names that look alike, and t of t are warnings`() throws {
        let machine = try CeremonyFixture(seeds: ["alice"])
        try machine.act(AddHostContact(GroupFixture.card(of: "bob"), name: nil))
        let cards = [
            try GroupFixture.card(of: "alice"), try GroupFixture.card(of: "eve", name: "B0b"),
            try GroupFixture.card(of: "carol", name: "bob"),
        ]
        let proposal = try GroupProposal.make(cards: cards, threshold: 3, scheme: .sr25519, label: "")
        let shown = try machine.device.preview(JoinGroup(proposal)).shown
        #expect(
            shown.warnings == [
                .borrowed(name: "B0b", contact: "bob"), .borrowed(name: "bob", contact: "bob"),
                .alike("B0b", "bob"), .allSign(3),
            ])
    }

    // MARK: Host contacts

    @Test
    func `a host contact is never the own machine, and never has a name that may be taken for another's`()
        throws
    {
        let machine = try CeremonyFixture(seeds: ["alice"])
        // The vault has not shown the card yet: only the seed knows whose key it is.
        #expect(throws: GroupRefusal.ownCard(seed: "alice")) {
            try machine.act(AddHostContact(GroupFixture.card(of: "alice"), name: "Bo"))
        }
        try machine.act(MakeHostCard(seed: "alice", name: "alice"))
        #expect(throws: GroupRefusal.ownCard(seed: "alice")) {
            try machine.device.preview(AddHostContact(GroupFixture.card(of: "alice"), name: "Bo"))
        }
        try machine.act(AddHostContact(GroupFixture.card(of: "bob"), name: nil))
        #expect(throws: GroupRefusal.nameTaken("B0b", by: "bob")) {
            try machine.device.preview(AddHostContact(GroupFixture.card(of: "carol"), name: "B0b"))
        }
        #expect(throws: ContactRefusal.label("own: main", .character(":"))) {
            try machine.device.preview(AddHostContact(GroupFixture.card(of: "carol"), name: "own: main"))
        }
        var forged = try GroupFixture.card(of: "carol").bytes
        forged[forged.count - 1] ^= 1
        guard case .group(.host(let card)) = try Payload(forged).content else { return }
        #expect(throws: GroupCollectError.hostSignature(kind: "group_host", members: ["carol"])) {
            try machine.device.preview(AddHostContact(card, name: nil))
        }
        // The name of a seed is a warning: a contact of groups labels no account.
        #expect(
            try machine.device.preview(AddHostContact(GroupFixture.card(of: "carol"), name: "Alice")).shown
                .warnings.map(\.code) == ["group_name_taken"])
        // The same card again changes nothing, another name does.
        try machine.act(AddHostContact(GroupFixture.card(of: "bob", name: "Mallory"), name: nil))
        #expect(
            try machine.events.filter { $0.kind == .hostContactAdded }.count == 1
                && machine.state.hostContacts.map(\.name) == ["bob"])
        try machine.act(AddHostContact(GroupFixture.card(of: "bob"), name: "Robert"))
        #expect(try machine.state.hostContacts.map(\.name) == ["Robert"])
        try machine.act(RemoveHostContact("Robert"))
        #expect(try machine.state.hostContacts.isEmpty)
        #expect(throws: GroupRefusal.noSuchHostContact("Robert")) {
            try machine.device.preview(RemoveHostContact("Robert"))
        }
    }

    // MARK: Bundles

    @Test func `a bundle is nothing without its proposal, and nothing where a member is missing`() throws {
        let group = try GroupFixture()
        let bundle = try group.bundle(try group.join())
        let other = try CeremonyFixture(seeds: ["alice"])
        #expect(throws: GroupRefusal.unknownSession) { try other.device.preview(ConfirmGroup(bundle)) }
        // Two entries where three are needed.
        var bytes = bundle.bytes
        bytes[36] = 2
        bytes.removeLast((bundle.bytes.count - 37) / 3)
        guard case .group(.contributions(let less)) = try Payload(bytes).content else { return }
        #expect(throws: GroupRefusal.otherProposal) {
            try group.machines[0].device.preview(ConfirmGroup(less))
        }
        #expect(try Self.reasons(group.machines[0]) == ["group-other-proposal"])
    }

    @Test func `a wrong contribution names its sender, and what is wrong`() throws {
        let group = try GroupFixture()
        let contributions = try group.join()
        let machine = group.machines[0]
        func refused(_ changed: GroupContribution, _ reason: ContributionFault.Reason) throws {
            let bundle = try GroupContributions(
                [contributions[0], changed, contributions[2]], to: group.proposal)
            #expect(throws: GroupRefusal.contributions([.init(member: 2, name: "bob", reason: reason)])) {
                try machine.act(ConfirmGroup(bundle))
            }
            #expect(try machine.state.groupMakings[0].confirmation == nil)
        }
        func changed(_ change: (Contribution) -> Contribution) throws -> GroupContribution {
            try group.contribution(of: "bob", change)
        }
        func with(
            _ made: Contribution, proof: [UInt8]? = nil, commitments: [[UInt8]]? = nil,
            shares: [[UInt8]]? = nil
        ) -> Contribution {
            Contribution(
                index: made.index, ephemeral: made.ephemeral, commitments: commitments ?? made.commitments,
                proof: proof ?? made.proof,
                encryptedShares: shares ?? made.encryptedShares)
        }
        var forged = contributions[1].bytes
        forged[forged.count - 1] ^= 1
        try refused(try GroupFixture.contribution(forged), .hostSignature)
        // A proof of another session's polynomial.
        let other = try group.contribution(of: "bob")
        let proof = try other.parts(in: group.proposal).proof
        try refused(try changed { with($0, proof: proof) }, .proof)
        try refused(
            try changed { with($0, commitments: [$0.commitments[0], [UInt8](repeating: 0, count: 32)]) },
            .point)
        try refused(
            try changed {
                with($0, shares: [[UInt8](repeating: 0xff, count: 32)] + $0.encryptedShares.dropFirst())
            }, .scalar)
        // The share for this machine: one that a person must believe, and that no other machine sees.
        let swapped = try changed {
            with($0, shares: [$0.encryptedShares[1], $0.encryptedShares[1], $0.encryptedShares[2]])
        }
        try refused(swapped, .share)
        #expect(try Self.reasons(machine).allSatisfy { $0 == "group-bad-contribution" })
        #expect(try Self.reasons(machine).count == 5)
    }

    @Test func `where host signatures are wrong, nobody else is named`() throws {
        let group = try GroupFixture()
        let contributions = try group.join()
        var forged = contributions[2].bytes
        forged[forged.count - 1] ^= 1
        let wrong = try group.contribution(of: "bob") {
            Contribution(
                index: $0.index, ephemeral: $0.ephemeral, commitments: $0.commitments.reversed(),
                proof: $0.proof,
                encryptedShares: $0.encryptedShares)
        }
        let bundle = try GroupContributions(
            [contributions[0], wrong, try GroupFixture.contribution(forged)], to: group.proposal)
        #expect(throws: GroupRefusal.contributions([.init(member: 3, name: "carol", reason: .hostSignature)]))
        {
            try group.machines[0].device.preview(ConfirmGroup(bundle))
        }
    }

    @Test
    func `one bundle of a session is confirmed, and none with a contribution that this vault did not make`()
        throws
    {
        let group = try GroupFixture()
        let contributions = try group.join()
        let machine = group.machines[0]
        let first = try group.bundle(contributions)
        let second = try group.bundle([contributions[0], try group.contribution(of: "bob"), contributions[2]])
        let forged = try group.bundle([
            try group.contribution(of: "alice"), contributions[1], contributions[2],
        ])
        #expect(throws: GroupRefusal.ownContributionDiffers) {
            try machine.device.preview(ConfirmGroup(forged))
        }
        let confirmation = try machine.act(ConfirmGroup(first))
        #expect(throws: GroupRefusal.otherBundle) { try machine.device.preview(ConfirmGroup(second)) }
        #expect(try machine.act(ConfirmGroup(first)) == confirmation)
        #expect(try Self.reasons(machine) == ["group-own-contribution", "group-other-bundle"])
    }

    // MARK: Records

    @Test func `a record needs every signature, and what this vault confirmed`() throws {
        let group = try GroupFixture()
        let machine = group.machines[0]
        let contributions = try group.join()
        let bundle = try group.bundle(contributions)
        let record = try group.record(of: contributions)
        // All signatures are right, this machine's key among them, and this vault has confirmed nothing.
        #expect(throws: GroupRefusal.notConfirmed) {
            try machine.device.preview(ActivateGroup(record, name: nil))
        }
        let confirmations = try group.confirm(bundle)
        let good = try group.record(bundle, confirmations)
        for index in good.signatures.indices {
            var bytes = good.bytes
            bytes[bytes.count - 64 * (3 - index)] ^= 1
            guard case .group(.record(let changed)) = try Payload(bytes).content else { return }
            #expect(throws: GroupCollectError.record(members: [group.names[index]])) {
                try machine.device.preview(ActivateGroup(changed, name: nil))
            }
        }
        // Signed by all, of other contributions than those that were confirmed.
        let other = try group.record(of: [
            contributions[0], try group.contribution(of: "bob"), contributions[2],
        ])
        #expect(throws: GroupRefusal.otherBundle) {
            try machine.device.preview(ActivateGroup(other, name: nil))
        }
        let stranger = try CeremonyFixture(seeds: ["alice"])
        #expect(throws: GroupRefusal.unknownRecord) {
            try stranger.device.preview(ActivateGroup(good, name: nil))
        }
        #expect(try machine.state.groups.isEmpty && machine.state.keys.isEmpty)
        try machine.act(ActivateGroup(good, name: nil))
        #expect(
            try Self.reasons(machine)
                == [
                    "group-not-confirmed", "group-invalid", "group-invalid", "group-invalid",
                    "group-other-bundle",
                ])
    }

    @Test func `an active group takes no part again, and its record shows it`() throws {
        let group = try GroupFixture()
        let contributions = try group.join()
        let bundle = try group.bundle(contributions)
        let record = try group.record(bundle, try group.confirm(bundle))
        let machine = group.machines[0]
        let held = try machine.act(ActivateGroup(record, name: nil))
        let events = try machine.log.count
        #expect(try machine.act(ActivateGroup(record, name: "Other")) == held)
        #expect(try machine.log.count == events)
        let active = GroupRefusal.active("office")
        #expect(throws: active) { try machine.device.preview(JoinGroup(group.proposal)) }
        #expect(throws: active) { try machine.device.preview(ConfirmGroup(bundle)) }
        #expect(throws: active) { try machine.device.preview(RestoreGroup(record, seed: "alice", name: nil)) }
    }

    @Test func `a group's name is this vault's own, and nothing else has it`() throws {
        let group = try GroupFixture()
        let record = try group.made()
        #expect(throws: ContactRefusal.taken("Alice", by: .seed("alice"))) {
            try group.machines[0].device.preview(ActivateGroup(record, name: "Alice"))
        }
        #expect(throws: ContactRefusal.label("own", .reserved(word: "own"))) {
            try group.machines[0].device.preview(ActivateGroup(record, name: "own"))
        }
        // The label of the proposal is what its maker chose: here it is a seed's name.
        let taken = try CeremonyFixture(seeds: ["alice", "0ffice"])
        let renamed = try taken.device.preview(RestoreGroup(record, seed: "alice", name: nil)).shown
        #expect(renamed.warnings == [.labelTaken(label: "office", name: "group")])
        #expect(
            try taken.device.preview(RestoreGroup(record, seed: "alice", name: "Till")).shown.warnings.isEmpty
        )
        try taken.act(RestoreGroup(record, seed: "alice", name: nil))
        #expect(try taken.state.groups.map(\.name) == ["group"])
        // A second group of one label is told, too.
        let second = try GroupFixture()
        for contact in try second.join() { _ = contact }
        let other = try second.record(
            second.bundle(second.join()), second.confirm(second.bundle(second.join())))
        try group.machines[0].act(ActivateGroup(record, name: nil))
        #expect(
            try group.machines[0].device.preview(RestoreGroup(other, seed: "alice", name: nil)).shown.warnings
                == [.labelTaken(label: "office", name: "group")])
    }

    // MARK: Restoring, removing

    @Test func `a seed and the record bring a lost member back`() throws {
        let group = try GroupFixture()
        let record = try group.made()
        for name in group.names {
            let machine = try CeremonyFixture(seeds: ["other", name])
            #expect(throws: GroupRefusal.notOfSeed("other")) {
                try machine.act(RestoreGroup(record, seed: "other", name: nil))
            }
            // The review calls this machine by its place, and asks for the words of all others.
            #expect(throws: GroupRefusal.notOfSeed("other")) {
                try machine.act(FindHostKey(record, seed: "other"))
            }
            try machine.act(FindHostKey(record, seed: name))
            let shown = try machine.device.preview(RestoreGroup(record, seed: name, name: nil)).shown
            #expect(shown.members.filter { $0.standing == .own(seed: name, index: 0) }.map(\.name) == [name])
            #expect(
                shown.unknown.map(\.name) == group.names.filter { $0 != name } && shown.word == "compared")
            #expect(ReviewSummary(shown).word?.text == "compared" && ReviewSummary(shown).needsAllFacts)
            let held = try machine.act(RestoreGroup(record, seed: name, name: nil))
            #expect(
                held.member == group.names.firstIndex(of: name)! + 1 && held.seed == name && !held.isCompared)
            #expect(try machine.state.keys.map(\.source) == [.group(record.transcript, path: "")])
            #expect(try machine.events.last?.kind == .groupRestored)
        }
    }

    /// Another program may have made the group, with names that no proposal here has. The seed still brings
    /// its member back.
    @Test func `a restored member with an invalid name stands under its number, with a warning`() throws {
        let odd = "a\" (this machine), \"bob"
        let group = try GroupFixture(called: [2: odd, 3: "own"])
        let record = try group.record(of: try group.names.map { try group.contribution(of: $0) })
        let machine = try CeremonyFixture(seeds: ["alice"])
        let restoring = RestoreGroup(record, seed: "alice", name: nil)
        let shown = try machine.device.preview(restoring).shown
        #expect(shown.members.map(\.shownName) == ["alice", "member 2", "member 3"])
        #expect(
            Array(shown.warnings.prefix(2)) == [
                .notAName(member: 2, name: ExactText(odd)), .notAName(member: 3, name: "own"),
            ])
        #expect(shown.members[1].line.utf8Starts(with: #""member 2", NOT one of your host contacts: "#))
        // A person's own name for the key goes before.
        try machine.act(AddHostContact(GroupFixture.card(of: "bob"), name: "Robert"))
        let known = try machine.device.preview(restoring).shown
        #expect(known.members.map(\.shownName) == ["alice", "Robert", "member 3"])
        _ = try machine.act(restoring)
        // A name on a card begins with no word that a number does.
        #expect(throws: GroupRefusal.memberName("member 3", .reserved(word: "member"))) {
            try machine.device.preview(MakeHostCard(seed: "alice", name: "member 3"))
        }
    }

    @Test func `a record that is restored has the warnings of names that its proposal has`() throws {
        let group = try GroupFixture(called: [3: "B0b"])
        let record = try group.record(of: try group.names.map { try group.contribution(of: $0) })
        let machine = try CeremonyFixture(seeds: ["alice"])
        try machine.act(FindHostKey(record, seed: "alice"))
        try machine.act(AddHostContact(GroupFixture.card(of: "eve"), name: "bob"))
        let shown = try machine.device.preview(RestoreGroup(record, seed: "alice", name: nil)).shown
        let expected: [GroupWarning] = [
            .borrowed(name: "bob", contact: "bob"), .borrowed(name: "B0b", contact: "bob"),
            .alike("bob", "B0b"),
        ]
        #expect(shown.warnings == expected)
        #expect(try machine.device.preview(JoinGroup(group.proposal)).shown.warnings == expected)
        #expect(ReviewSummary(shown).warningCodes.contains("group_name_borrowed"))
    }

    @Test func `a record whose share does not fit is refused, whoever signed it`() throws {
        let group = try GroupFixture()
        let contributions = try group.join()
        let record = try group.record(of: contributions) { $0[0] = $0[1] }
        let machine = try CeremonyFixture(seeds: ["alice"])
        #expect(throws: GroupRefusal.wrongShare) {
            try machine.act(RestoreGroup(record, seed: "alice", name: nil))
        }
        #expect(try machine.state.groups.isEmpty && machine.state.keys.isEmpty)
        #expect(try Self.reasons(machine) == ["group-wrong-share"])
    }

    /// Who owns the online machine makes a record of two host keys of his own around any address that he has
    /// read. Where it said that the address is held, and how to remove the key, an imported key or a group
    /// was lost for nothing.
    @Test(arguments: ["imported", "seed", "group"])
    func `a record of strangers around a held account removes nothing, and no hint says how`(kind: String)
        throws
    {
        let group = try GroupFixture()
        let machine = group.machines[0]
        switch kind {
        case "imported": try machine.act(ImportKeys([ImportKeysTests.secret(7)], origin: .secret))
        case "seed": try machine.act(DeriveKeys(seed: "alice", path: DerivationPath("//v")))
        default: try machine.act(ActivateGroup(try group.made(), name: nil))
        }
        let held = try machine.state.keys
        let account = try #require(held.first).publicKey
        let strangers = try GroupFixture(["eve", "mallory"])
        let record = try strangers.record(
            of: strangers.names.map { try strangers.contribution(of: $0) }, around: account.bytes)
        #expect(record.groupKey == account.bytes)
        func refusal(_ body: () throws -> Void) throws -> GroupRefusal {
            let refusal = try #require(#expect(throws: GroupRefusal.self, performing: body))
            #expect(refusal.hint?.contains("remove") == false, "\(refusal.diagnostic)")
            return refusal
        }
        #expect(
            try refusal { _ = try machine.device.preview(ActivateGroup(record, name: nil)) }
                == .unknownRecord)
        // What `group restore` does: it looks first, then the open seed tells which member it is.
        let restoring = RestoreGroup(record, seed: "alice", name: nil)
        _ = try machine.device.preview(restoring)
        #expect(try refusal { try machine.act(FindHostKey(record, seed: "alice")) } == .notOfSeed("alice"))
        #expect(try refusal { try machine.act(restoring) } == .notOfSeed("alice"))
        #expect(try machine.state.keys == held)
        let address = account.address(prefix: 42)
        #expect(GroupRefusal.accountHeld(address).hint == "heliograph key show \(address)")
    }

    /// A copy that nobody checked is missed years later, on the new machine.
    @Test func `a copy of a record is what restores its member, and no other bytes are handed out`() throws {
        let group = try GroupFixture()
        let record = try group.made()
        let machine = group.machines[0]
        try machine.act(ActivateGroup(record, name: nil))
        let copying = CopyGroupRecord("office")
        #expect(try machine.act(copying) == record.bytes)
        let before = try machine.state.groups
        for place in record.bytes.indices where place % 29 == 0 || place == record.bytes.count - 1 {
            var bytes = record.bytes
            bytes[place] ^= 1
            try machine.write(sql: "UPDATE held_group SET record = x'\(Hex.encode(bytes))'")
            #expect(throws: (any Error).self, "byte \(place)") { try machine.act(copying) }
        }
        try machine.write(sql: "UPDATE held_group SET record = x'\(Hex.encode(record.bytes))'")
        #expect(try machine.act(copying) == record.bytes && machine.state.groups == before)
        // A share that does not fit, under the seal: some older program may have stored it.
        let wrong = try group.record(of: group.names.map { try group.contribution(of: $0) }) { $0[0] = $0[1] }
        var held = try #require(try machine.state.groups.first)
        held = HeldGroup(
            transcript: held.transcript, name: held.name, record: wrong.bytes, seed: held.seed,
            hostIndex: held.hostIndex, member: held.member)
        do {
            let session = try machine.session()
            try session.store.change([.putGroup(held)], events: [])
        }
        #expect(throws: GroupRefusal.wrongShare) { try machine.act(copying) }
    }

    @Test func `a group goes with its accounts and its making`() throws {
        let group = try GroupFixture()
        let record = try group.made()
        let machine = group.machines[0]
        #expect(try machine.state.openMakings().count == 1)
        try machine.act(ActivateGroup(record, name: nil))
        #expect(try machine.state.openMakings().isEmpty)
        try machine.act(RemoveGroup("office"))
        let state = try machine.state
        #expect(state.groups.isEmpty && state.keys.isEmpty && state.groupMakings.isEmpty)
        #expect(throws: GroupRefusal.noSuchGroup("office")) {
            try machine.device.preview(RemoveGroup("office"))
        }
        try machine.act(RestoreGroup(record, seed: "alice", name: "Back"))
        #expect(try machine.state.groups.map(\.name) == ["Back"])
        // One that is being made goes by its label.
        try group.machines[1].act(RemoveGroup("office"))
        #expect(try group.machines[1].state.groupMakings.isEmpty)
    }

    /// Two contributions of one member for one session make it look like a cheat, and two confirmations could
    /// end in two groups.
    @Test func `a making that was left is not answered again, however it went`() throws {
        let group = try GroupFixture()
        let bundle = try group.bundle(try group.join())
        let confirmations = try group.confirm(bundle)
        let (alice, bob, carol) = (group.machines[0], group.machines[1], group.machines[2])
        // By itself, with an active group, and with its seed.
        try alice.act(RemoveGroup("office"))
        try bob.act(ActivateGroup(try group.record(bundle, confirmations), name: nil))
        try bob.act(RemoveGroup("office"))
        try carol.act(RemoveSeed("carol"))
        try carol.act(AddSeed("carol", entropy: .entropy(of: "carol"), origin: .new))
        for machine in group.machines {
            #expect(throws: GroupRefusal.left) { try machine.device.preview(JoinGroup(group.proposal)) }
            #expect(throws: GroupRefusal.left) { try machine.act(JoinGroup(group.proposal)) }
            #expect(throws: GroupRefusal.left) { try machine.act(ConfirmGroup(bundle)) }
            #expect(try machine.state.groupMakings.isEmpty)
        }
        // Another proposal of the same members is another session.
        let cards = try group.names.map { try GroupFixture.card(of: $0) }
        let next = try GroupProposal.make(cards: cards, threshold: 2, scheme: .sr25519, label: "office")
        for machine in group.machines { #expect(try machine.act(JoinGroup(next)) != nil) }
        // The record still brings a member back.
        try bob.act(
            RestoreGroup(try group.record(bundle, confirmations), seed: "bob", name: "Back"))
    }

    @Test func `a seed stays while a group needs it, and takes its makings along`() throws {
        let group = try GroupFixture()
        let record = try group.made()
        let machine = group.machines[0]
        try machine.act(ActivateGroup(record, name: nil))
        #expect(throws: GroupRefusal.seedOfGroups("alice", groups: ["office"])) {
            try machine.device.preview(RemoveSeed("alice"))
        }
        try machine.act(RemoveGroup("office"))
        let cards = try group.names.map { try GroupFixture.card(of: $0) }
        try machine.act(
            JoinGroup(GroupProposal.make(cards: cards, threshold: 2, scheme: .sr25519, label: "next")))
        #expect(try machine.state.settings.contains { $0.name.hasPrefix("host_key.") })
        try machine.act(RemoveSeed("alice"))
        #expect(
            try machine.state.groupMakings.isEmpty
                && !machine.state.settings.contains { $0.name.hasPrefix("host_key.") })
    }

    // MARK: Dealing

    @Test func `a dealt group has the dealt key, and its dealer may be a member only with one host key`()
        throws
    {
        let dealer = try CeremonyFixture(seeds: ["alice"])
        try dealer.act(DeriveKeys(seed: "alice", path: DerivationPath("//vault")))
        let key = try #require(try dealer.state.keys.first)
        let address = key.publicKey.address(prefix: 42)
        let cards = try ["alice", "bob", "carol"].map { try GroupFixture.card(of: $0) }
        let operation = DealGroup(address: address, threshold: 2, label: "savings", cards: cards)
        #expect(try dealer.device.preview(operation).shown.word == "compared")
        #expect(try dealer.device.preview(operation).shown.warnings == [.dealt])
        let dealt = try dealer.act(operation)
        guard case .group(.proposal(let proposal)) = try Payload(dealt.proposal).content else { return }
        #expect(proposal.origin == .dealt(dealer: cards[0].member.hostKey, publicKey: key.publicKey.bytes))
        #expect(try dealer.act(JoinGroup(proposal)) == dealt.contribution)
        let others = try ["bob", "carol"].map { try CeremonyFixture(seeds: [$0]) }
        for machine in others {
            #expect(try machine.device.preview(JoinGroup(proposal)).shown.warnings.contains(.dealt))
            #expect(try machine.act(JoinGroup(proposal)) == nil)
        }
        guard
            case .contributions(let bundle)? = try GroupFixture.collect([
                .proposal(proposal), .contribution(try GroupFixture.contribution(dealt.contribution)),
            ])
        else { return }
        let confirmations = try ([dealer] + others).map {
            try GroupFixture.confirmation(try $0.act(ConfirmGroup(bundle)))
        }
        guard
            case .record(let record)? = try GroupFixture.collect(
                [.proposal(proposal), .contributions(bundle)] + confirmations.map { .confirmation($0) })
        else { return }
        #expect(record.groupKey == key.publicKey.bytes)
        for machine in others {
            #expect(
                try machine.device.preview(ActivateGroup(record, name: nil)).shown.warnings.contains(.dealt))
            try machine.act(ActivateGroup(record, name: nil))
            #expect(try machine.state.keys.map(\.publicKey) == [key.publicKey])
        }
        // The dealer's vault still has the key itself, which signs alone until the group is active here.
        let own = try dealer.device.preview(ActivateGroup(record, name: nil)).shown
        #expect(own.warnings.contains(.takesKey(address: ExactText(address), seed: "alice")))
        try dealer.act(ActivateGroup(record, name: nil))
        #expect(try dealer.state.keys.map(\.group) == [record.transcript])
    }

    /// A key that is dealt to a group of its dealer and bob, and the group's record.
    private static func record(of address: String, dealtBy dealer: CeremonyFixture) throws -> UOS.GroupRecord
    {
        let bob = try CeremonyFixture(seeds: ["bob"])
        let cards = try ["alice", "bob"].map { try GroupFixture.card(of: $0) }
        let dealt = try dealer.act(DealGroup(address: address, threshold: 2, label: "savings", cards: cards))
        guard case .group(.proposal(let proposal)) = try Payload(dealt.proposal).content else {
            throw GroupCollectError.nothing
        }
        for machine in [dealer, bob] { try machine.act(JoinGroup(proposal)) }
        guard
            case .contributions(let bundle)? = try GroupFixture.collect([
                .proposal(proposal), .contribution(try GroupFixture.contribution(dealt.contribution)),
            ])
        else { throw GroupCollectError.nothing }
        let confirmations = try [dealer, bob].map {
            GroupMessage.confirmation(try GroupFixture.confirmation(try $0.act(ConfirmGroup(bundle))))
        }
        guard
            case .record(let record)? = try GroupFixture.collect(
                [.proposal(proposal), .contributions(bundle)] + confirmations)
        else { throw GroupCollectError.nothing }
        return record
    }

    /// He was told to remove the key first. Whoever then kept the record back had destroyed the only copy.
    @Test(arguments: [true, false])
    func `a dealer who is a member holds the key until the record is stored, and then the group`(
        isImported: Bool
    ) throws {
        let dealer = try CeremonyFixture(seeds: ["alice"])
        let network = NetworkSpecs.defaults[0]
        if isImported {
            let imported = ImportKeys(
                [try ImportKeysTests.secret(7)], origin: .secret, network: network.name)
            try dealer.act(imported)
        } else {
            try dealer.act(
                DeriveKeys(seed: "alice", path: DerivationPath("//v"), network: network.name))
        }
        let key = try #require(try dealer.state.keys.first)
        let address = key.publicKey.address(prefix: 42)
        try dealer.act(ChangeKey(address, .label("cold")))
        let record = try Self.record(of: address, dealtBy: dealer)
        // The line of the log says what gave the key, and no seed that did not.
        let dealt = try #require(try dealer.events.last { $0.kind == .groupDealt }).facts
        #expect(dealt.contains { $0.name == "seed" } == !isImported)
        #expect(dealt.contains(LogEvent.Fact("how", "imported")) == isImported)
        let activating = ActivateGroup(record, name: nil)
        let shown = try dealer.device.preview(activating).shown
        #expect(shown.word == "give up the key" && ReviewSummary(shown).word?.text == "give up the key")
        #expect(shown.own?.publicKey == key.publicKey)
        #expect(ReviewSummary(shown).warningCodes.contains("group_takes_key"))
        // Nothing goes where the store refuses.
        do {
            let session = try dealer.session()
            try dealer.blockLog(after: 1)
            #expect(throws: (any Error).self) { try dealer.act(activating, in: session) }
            try dealer.unblockLog()
            session.isKept = isImported
            if isImported {
                #expect(throws: CeremonyError.passphraseNeeded) { try dealer.act(activating, in: session) }
            }
        }
        #expect(try dealer.state.keys.map(\.source) == [key.source] && dealer.state.groups.isEmpty)
        #expect(try dealer.session().vault.importedKeys == (isImported ? [key.publicKey] : []))
        _ = try dealer.act(RevealKeySecret(key: address))
        // Then both files have the group alone. The seed stays.
        let held = try dealer.act(activating)
        let account = try #require(try dealer.state.keys.first)
        #expect(try dealer.state.keys.count == 1 && dealer.state.groups == [held])
        #expect(account.group == record.transcript && account.label == "cold")
        #expect(account.networks == key.networks)
        do {
            let opened = try dealer.session().vault
            #expect(opened.importedKeys.isEmpty && opened.seedNames == ["alice"])
        }
        #expect(try dealer.events.suffix(2).map(\.kind) == [.keyRemoved, .groupActivated])
        #expect(throws: (any Error).self) { try dealer.act(RevealKeySecret(key: address)) }
        // The group gone, its record brings it back to a vault that has the key again.
        guard isImported else { return }
        try dealer.act(RemoveGroup("savings"))
        try dealer.act(ImportKeys([try ImportKeysTests.secret(7)], origin: .secret))
        let restoring = RestoreGroup(record, seed: "alice", name: nil)
        #expect(try dealer.device.preview(restoring).shown.word == "give up the key and compared")
        try dealer.act(restoring)
        #expect(try dealer.state.keys.map(\.group) == [record.transcript])
        #expect(try dealer.session().vault.importedKeys.isEmpty)
    }

    @Test func `a key that was dealt to two groups is the account of the first`() throws {
        let dealer = try CeremonyFixture(seeds: ["alice"])
        try dealer.act(ImportKeys([try ImportKeysTests.secret(7)], origin: .secret))
        let address = try #require(try dealer.state.keys.first).publicKey.address(prefix: 42)
        let records = try (0..<2).map { _ in try Self.record(of: address, dealtBy: dealer) }
        try dealer.act(ActivateGroup(records[0], name: nil))
        #expect(throws: GroupRefusal.accountHeld(address)) {
            try dealer.device.preview(ActivateGroup(records[1], name: "other"))
        }
        #expect(throws: GroupRefusal.accountHeld(address)) {
            try dealer.act(RestoreGroup(records[1], seed: "alice", name: "other"))
        }
        #expect(try dealer.state.keys.map(\.group) == [records[0].transcript])
    }

    @Test func `a dealer that is no member deals, and cannot confirm`() throws {
        let dealer = try CeremonyFixture(seeds: ["dan"])
        try dealer.act(DeriveKeys(seed: "dan", path: DerivationPath("//v"), scheme: .ed25519))
        let key = try #require(try dealer.state.keys.first)
        let cards = try ["alice", "bob"].map { try GroupFixture.card(of: $0) }
        let dealt = try dealer.act(
            DealGroup(address: key.publicKey.address(prefix: 0), threshold: 2, label: "", cards: cards))
        guard case .group(.proposal(let proposal)) = try Payload(dealt.proposal).content,
            case .contributions(let bundle)? = try GroupFixture.collect([
                .proposal(proposal), .contribution(try GroupFixture.contribution(dealt.contribution)),
            ])
        else { return }
        #expect(throws: GroupRefusal.notAMember) { try dealer.act(ConfirmGroup(bundle)) }
        let machine = try CeremonyFixture(seeds: ["alice"])
        // An unknown dealer has words to compare, too.
        #expect(try machine.device.preview(JoinGroup(proposal)).shown.unknown.map(\.index).contains(0))
        try machine.act(JoinGroup(proposal))
        // The contribution of a dealer for another key, signed by his host key.
        let other = try KeyPair.derive(
            entropy: CeremonyFixture.entropy(of: "dan"), path: DerivationPath("//w"), scheme: .ed25519)
        let forged = try GroupFixture.withHost("dan") { (host: borrowing HostKey) in
            let generation = try KeyGeneration(of: proposal)
            let made = try KeyGeneration(
                proposal: proposal.bytes, scheme: .ed25519, threshold: 2, members: generation.members,
                origin: .dealt(dealer: host.publicKey, publicKey: other.publicKey.bytes)
            ).deal(other, host: host)
            return try GroupContribution(made, to: proposal, by: host)
        }
        let wrong = try GroupContributions([forged], to: proposal)
        #expect(throws: GroupRefusal.contributions([.init(member: 0, name: "dealer", reason: .dealtKey)])) {
            try machine.device.preview(ConfirmGroup(wrong))
        }
        _ = try machine.act(ConfirmGroup(bundle))
    }

    @Test func `a dealer that is a member deals with that member's host key, whatever seed gives the key`()
        throws
    {
        let dealer = try CeremonyFixture(seeds: ["dan", "alice"])
        try dealer.act(DeriveKeys(seed: "dan", path: DerivationPath("//v")))
        let address = try #require(try dealer.state.keys.first).publicKey.address(prefix: 42)
        let cards = try ["bob", "alice"].map { try GroupFixture.card(of: $0) }
        let dealt = try dealer.act(DealGroup(address: address, threshold: 2, label: "", cards: cards))
        guard case .group(.proposal(let proposal)) = try Payload(dealt.proposal).content,
            case .dealt(let key, _) = proposal.origin
        else {
            return
        }
        #expect(key == cards[1].member.hostKey)
        #expect(try dealer.state.groupMakings.map(\.seed) == ["alice"])
    }

    @Test func `an imported key is dealt as one of a seed, by a dealer that has a seed for its host key`()
        throws
    {
        let foreign = try ImportKeysTests.secret(9)
        let address = foreign.publicKey.address(prefix: 42)
        let cards = try ["alice", "bob"].map { try GroupFixture.card(of: $0) }
        let operation = DealGroup(address: address, threshold: 2, label: "", cards: cards)
        let dealer = try CeremonyFixture(seeds: ["alice"])
        try dealer.act(ImportKeys([foreign], origin: .secret))
        let dealt = try dealer.act(operation)
        guard case .group(.proposal(let proposal)) = try Payload(dealt.proposal).content else { return }
        #expect(
            proposal.origin
                == .dealt(dealer: cards[0].member.hostKey, publicKey: foreign.publicKey.bytes))
        let other = try CeremonyFixture(seeds: ["bob"])
        try other.act(JoinGroup(proposal))
        guard
            case .contributions(let bundle)? = try GroupFixture.collect([
                .proposal(proposal), .contribution(try GroupFixture.contribution(dealt.contribution)),
            ])
        else { return }
        let confirmations = try [dealer, other].map {
            try GroupFixture.confirmation(try $0.act(ConfirmGroup(bundle)))
        }
        guard
            case .record(let record)? = try GroupFixture.collect(
                [.proposal(proposal), .contributions(bundle)] + confirmations.map { .confirmation($0) })
        else {
            Issue.record("the group was not made")
            return
        }
        #expect(record.groupKey == foreign.publicKey.bytes)
        let empty = try CeremonyFixture(seeds: [])
        try empty.act(ImportKeys([foreign], origin: .secret))
        #expect(throws: GroupRefusal.cannotDeal(address)) { try empty.act(operation) }
    }

    @Test func `only an sr25519 or ed25519 key of a seed is dealt`() throws {
        let dealer = try CeremonyFixture(seeds: ["dan"])
        try dealer.act(DeriveKeys(seed: "dan", path: DerivationPath("//v"), scheme: .ecdsa))
        let address = try #require(try dealer.state.keys.first).publicKey.address(prefix: 42)
        let cards = try ["alice", "bob"].map { try GroupFixture.card(of: $0) }
        #expect(throws: GroupRefusal.cannotDeal(address)) {
            try dealer.device.preview(DealGroup(address: address, threshold: 2, label: "", cards: cards))
        }
        let group = try GroupFixture(["alice", "bob"])
        let record = try group.made()
        try group.machines[0].act(ActivateGroup(record, name: nil))
        let account = try #require(PublicKey(scheme: .sr25519, bytes: record.groupKey)).address(prefix: 42)
        #expect(throws: GroupRefusal.cannotDeal(account)) {
            try group.machines[0].device.preview(
                DealGroup(address: account, threshold: 2, label: "", cards: cards))
        }
    }
}
