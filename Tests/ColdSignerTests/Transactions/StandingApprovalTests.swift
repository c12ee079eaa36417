import Cards
import ColdSigner
import ColdStore
import Extrinsics
import FixtureRuntime
import Hashing
import Keys
import Metadata
import SubstratePrimitives
import Testing
import UOS

/// A vault that holds //Alice of the development phrase, and the fixture network.
enum SigningVault {
    static let runtime = FixtureRuntime.standard
    static let alice = Hex.decode("d43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d")!
    static let bob = Hex.decode("8eaf04151687736326c9fea17e25fc5287613693c912909cb226aa4794f26a48")!

    static func data(policy: String? = nil, labels: [(key: [UInt8], label: String)] = []) throws -> ChainData {
        let blob = runtime.metadata()
        var state = TrustState()
        state.networks = [runtime.specs]
        state.metadata = [
            MetadataRecord(
                genesis: runtime.genesisHash, version: runtime.specVersion, hash: .blake2b(of: blob), length: blob.count)
        ]
        let labels = labels.isEmpty ? [(alice, "")] : labels
        state.keys = labels.enumerated().map { place, item in
            KeyRecord(
                publicKey: PublicKey(scheme: .sr25519, bytes: item.key)!, seed: "main", path: "//\(place)", hasPassword: false,
                label: item.label.isEmpty ? nil : item.label, networks: [runtime.genesisHash])
        }
        if let policy { state.settings[TransactionPolicy.setting] = Array(policy.utf8) }
        return ChainData(state: state) { _ in blob }
    }

    static func transfer(_ amount: UInt128 = 60, to account: [UInt8] = bob) -> [UInt8] {
        runtime.call("Balances", "transfer_keep_alive", [FixtureValue.address(account), FixtureValue.compact(amount)])
    }

    static func payload(_ call: [UInt8], tip: UInt128 = 0, signer: [UInt8] = alice) -> [UInt8] {
        runtime.transactionPayload(signer: signer, call: call, FixtureExtensionValues(tip: tip))
    }

    static func bulk(_ payloads: [[UInt8]]) -> [UInt8] {
        [0x53, 0xff, 0x04, 0x00] + FixtureValue.vector(payloads.map { FixtureValue.bytes(Array($0.dropFirst())) })
    }
}

@Suite struct StandingApprovalLaws {
    static let whole = """
        {"networks": ["heliotest"], "calls": ["Balances.transfer_keep_alive"], "destinations": ["0x\(Hex.encode(SigningVault.bob))"], \
        "maximum_amount": "100", "maximum_tip": "5"}
        """
    static let policy = "{\"approve\": [\(whole)]}"

    static func rules(_ payload: [UInt8], policy: String = policy) throws -> [Int]? {
        let data = try SigningVault.data(policy: policy)
        return try data.standingApproval(of: try TransactionReview(data).review(try Payload(payload)))?.rules
    }

    @Test func exactlyWhatARuleNamesIsApproved() throws {
        #expect(try Self.rules(SigningVault.payload(SigningVault.transfer(100), tip: 5)) == [1])
        #expect(try Self.rules(SigningVault.payload(SigningVault.transfer()), policy: "{\"approve\": []}") == nil)
        #expect(try Self.rules(SigningVault.payload(SigningVault.transfer()), policy: "{}") == nil)
        let second = Self.whole.replacing("100", with: "200")
        #expect(
            try Self.rules(SigningVault.payload(SigningVault.transfer(150)), policy: "{\"approve\": [\(Self.whole), \(second)]}") == [2])
    }

    @Test func anotherDestinationNetworkCallAmountOrTipNeedsAPerson() throws {
        #expect(try Self.rules(SigningVault.payload(SigningVault.transfer(60, to: SigningVault.alice))) == nil)
        #expect(try Self.rules(SigningVault.payload(SigningVault.transfer(101))) == nil)
        #expect(try Self.rules(SigningVault.payload(SigningVault.transfer(), tip: 6)) == nil)
        let remark = SigningVault.runtime.call("System", "remark", [FixtureValue.bytes([1])])
        #expect(try Self.rules(SigningVault.payload(remark)) == nil)
        #expect(
            try Self.rules(SigningVault.payload(SigningVault.transfer()), policy: Self.policy.replacing("heliotest", with: "polkadot"))
                == nil)
    }

    @Test func aNestedCallNeedsItsOwnNameAndCountsItsAmounts() throws {
        let batch = SigningVault.runtime.call(
            "Utility", "batch_all", [FixtureValue.vector([SigningVault.transfer(50), SigningVault.transfer(50)])])
        let both = Self.policy.replacing(
            "\"Balances.transfer_keep_alive\"", with: "\"Balances.transfer_keep_alive\", \"Utility.batch_all\"")
        #expect(try Self.rules(SigningVault.payload(batch)) == nil)
        #expect(try Self.rules(SigningVault.payload(batch), policy: both) == [1])
        let more = SigningVault.runtime.call(
            "Utility", "batch_all", [FixtureValue.vector([SigningVault.transfer(50), SigningVault.transfer(51)])])
        #expect(try Self.rules(SigningVault.payload(more), policy: both) == nil)
    }

    @Test func theTransactionsOfABulkAreHeldTogetherAgainstTheLimit() throws {
        let (forty, sixty) = (SigningVault.payload(SigningVault.transfer(40)), SigningVault.payload(SigningVault.transfer(60)))
        #expect(try Self.rules(SigningVault.bulk([forty, sixty])) == [1, 1])
        #expect(try Self.rules(SigningVault.bulk([sixty, sixty])) == nil)
        let remark = SigningVault.payload(SigningVault.runtime.call("System", "remark", [FixtureValue.bytes([1])]))
        #expect(try Self.rules(SigningVault.bulk([forty, remark])) == nil)
    }

    @Test func anAddressThatIsNoKeyNeedsAPerson() throws {
        let index = SigningVault.runtime.call(
            "Balances", "transfer_keep_alive", [[1], FixtureValue.compact(1)])
        #expect(try Self.rules(SigningVault.payload(index)) == nil)
        let data = try SigningVault.data(policy: "{\"destinations\": [\"0x\(Hex.encode(SigningVault.bob))\"]}")
        let reviewed = try TransactionReview(data).review(try Payload(SigningVault.payload(index)))
        #expect(reviewed[0].refusal == .policy(.destinationUnknown))
    }

    @Test func messagesWarningsAndStrangersNeedAPerson() throws {
        let message = [0x53, 0x01, 0x03] + SigningVault.alice + Array("<Bytes>hello</Bytes>".utf8) + SigningVault.runtime.genesisHash.bytes
        #expect(try Self.rules(message) == nil)
        #expect(try Self.rules(SigningVault.payload(SigningVault.transfer(), signer: SigningVault.bob)) == nil)
        let data = try SigningVault.data(policy: Self.policy)
        var state = data.state
        let record = state.metadata[0]
        state.metadata.append(
            MetadataRecord(genesis: record.genesis, version: record.version + 1, hash: record.hash, length: record.length))
        let newer = ChainData(state: state) { _ in SigningVault.runtime.metadata() }
        let reviewed = try TransactionReview(newer).review(try Payload(SigningVault.payload(SigningVault.transfer())))
        #expect(reviewed[0].cards.warning.count == 1)
        #expect(try newer.standingApproval(of: reviewed) == nil)
        #expect(try newer.standingApproval(of: []) == nil)
    }

    @Test func aRuleThatLeavesSomethingOpenIsNoRule() throws {
        for (key, place) in [("networks", 1), ("calls", 2), ("destinations", 3), ("maximum_amount", 4), ("maximum_tip", 5)] {
            let open = Self.whole.replacing("\"\(key)\"", with: "\"x\(place)\"")
            #expect(throws: (any Error).self) { try TransactionPolicy(json: Array("{\"approve\": [\(open)]}".utf8)) }
        }
        for (whole, open) in [
            ("Balances.transfer_keep_alive", "Balances.*"), ("\"networks\"", "\"approve\": [], \"networks\""), ("\"heliotest\"", ""),
        ] {
            let text = Self.policy.replacing(whole, with: open)
            #expect(throws: (any Error).self) { try TransactionPolicy(json: Array(text.utf8)) }
        }
        let closed = #"{"networks": ["n"], "calls": ["A.b"], "destinations": [], "maximum_amount": "1"}"#
        #expect(throws: (any Error).self) { try TransactionPolicy(json: Array("{\"approve\": [\(closed)]}".utf8)) }
    }
}

@Suite struct LabelLaws {
    @Test func anAccountOfTheVaultHasItsLabelOnEveryCard() throws {
        let data = try SigningVault.data(labels: [(SigningVault.alice, "savings"), (SigningVault.bob, "rent")])
        let call = SigningVault.runtime.call(
            "Utility", "batch_all",
            [FixtureValue.vector([SigningVault.transfer(), SigningVault.transfer(1, to: [UInt8](repeating: 9, count: 32))])])
        let cards = try TransactionReview(data).review(try Payload(SigningVault.payload(call)))[0].cards
        func labels(_ cards: [Card], _ kind: Card.Kind) -> [Card.Fact?] {
            cards.filter { $0.kind == kind }.map { card in card.fields.first { $0.name == "label" }?.fact }
        }
        #expect(labels(cards.author, .author) == [.text("savings")])
        #expect(labels(cards.method, .account) == [.text("rent"), .absent])
    }
}
