import Cards
import FixtureRuntime
import Forge
import Hashing
import Keys
import Metadata
import SubstratePrimitives
import Testing
import TrustStore
import UOS

@testable import Accounts
@testable import History
@testable import Review

/// Each warning of a review where its reason is there, alone, and none of them elsewhere.
@Suite struct ReviewWarningLaws {
    /// How a payload asks for a signature.
    enum Form: CaseIterable {
        case transaction, proved, inBulk, message, anyNetworkMessage

        func payload(signer: [UInt8] = SigningVault.alice, isDerived: Bool = false) throws -> [UInt8]? {
            let runtime = SigningVault.runtime
            switch self {
            case .transaction:
                return runtime.transactionPayload(
                    signer: signer, code: isDerived ? 0x05 : 0x02, call: SigningVault.transfer(),
                    FixtureExtensionValues(era: SigningVault.mortal, blockHash: Hash32(SigningVault.bob)))
            case .proved:
                return try runtime.provedPayload(
                    signer: signer, code: isDerived ? 0x07 : 0x06, call: SigningVault.transfer())
            case .inBulk:
                return try Self.transaction.payload(signer: signer, isDerived: isDerived).map {
                    SigningVault.bulk([$0, $0])
                }
            case .message: return isDerived ? nil : SigningVault.message("hello", signer: signer)
            case .anyNetworkMessage:
                return isDerived ? nil : SigningVault.message("hello", signer: signer, isBound: false)
            }
        }

        var isTransaction: Bool {
            switch self {
            case .transaction, .proved, .inBulk: true
            case .message, .anyNetworkMessage: false
            }
        }

        /// What every transaction has that turns the hash off.
        var always: [String] {
            switch self {
            case .transaction, .inBulk: [ReviewWarning.metadataBelieved.rawValue]
            case .proved, .message, .anyNetworkMessage: []
            }
        }
    }

    /// Approves everything that the forms ask for, but for what is warned of.
    private static let policy =
        "{\"approve\": ["
        + StandingApprovalLaws.whole.replacing("\"100\"", with: "\"1000\"").replacing(
            "\"maximum_tip\"",
            with: "\"messages\": {\"prefix\": \"h\"}, \"mortality\": \"any\", \"maximum_tip\"") + "]}"

    /// The codes of the warnings of every transaction of a payload, and whether a rule approves it.
    private static func codes(_ payload: [UInt8], _ data: ChainData) throws -> (
        codes: [[String]], isApproved: Bool
    ) {
        let reviewed = try TransactionReview(data).review(try Payload(payload))
        let codes = reviewed.map { reviewed in
            reviewed.cards.warning.map { $0.warning?.code ?? "" }
        }
        return (codes, try data.standingApproval(of: reviewed) != nil)
    }

    private static func data(_ change: (inout TrustState) -> Void = { _ in }) throws -> ChainData {
        var state = try SigningVault.data(policy: policy).state
        change(&state)
        return ChainData(state: state) { _ in SigningVault.runtime.metadata(.v15) }
    }

    private static func expect(
        _ warning: ReviewWarning, _ form: Form, _ payload: [UInt8]?, _ data: ChainData,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        guard let payload else { return }
        let found = try codes(payload, data)
        #expect(
            found.codes.allSatisfy { $0 == [warning.rawValue] + form.always }, "\(form): \(found.codes)",
            sourceLocation: sourceLocation)
        #expect(!found.codes.isEmpty && !found.isApproved, sourceLocation: sourceLocation)
    }

    @Test(arguments: Form.allCases)
    func anOrdinaryPayloadSaysAtMostWhoIsBelievedAndARuleMayApproveIt(form: Form) throws {
        let found = try Self.codes(try #require(try form.payload()), Self.data())
        #expect(found.codes.allSatisfy { $0 == form.always } && !found.codes.isEmpty)
        #expect(found.isApproved == (form != .anyNetworkMessage))
    }

    @Test(arguments: Form.allCases)
    func aStrangerIsAnUnknownAuthor(form: Form) throws {
        try Self.expect(.unknownAuthor, form, form.payload(signer: SigningVault.bob), Self.data())
    }

    @Test(arguments: Form.allCases)
    func aKeyOfOtherNetworksIsNotForThisOne(form: Form) throws {
        let data = try Self.data { $0.keys[0].networks = [.blake2b(of: [1])] }
        // A message to any network is for all networks of the key.
        guard form != .anyNetworkMessage else {
            #expect(try Self.codes(try #require(try form.payload()), data).codes == [[]])
            return
        }
        try Self.expect(.keyNotForNetwork, form, form.payload(), data)
    }

    @Test(arguments: Form.allCases.filter(\.isTransaction))
    func aRuntimeThatIsNotTheNewestIsOlder(form: Form) throws {
        let data = try Self.data { state in
            let record = state.metadata[0]
            state.metadata.append(
                MetadataRecord(
                    genesis: record.genesis, version: record.version + 1, hash: record.hash,
                    length: record.length))
        }
        try Self.expect(.olderRuntime, form, form.payload(), data)
        // The newest of another chain says nothing of this one.
        let other = try Self.data { state in
            let record = state.metadata[0]
            state.metadata.append(
                MetadataRecord(
                    genesis: .blake2b(of: [1]), version: record.version + 1, hash: record.hash,
                    length: record.length))
        }
        #expect(
            try Self.codes(try #require(try form.payload()), other).codes.allSatisfy { $0 == form.always })
    }

    @Test(arguments: Form.allCases.filter(\.isTransaction))
    func aKeyThatIsDerivedForTheSignatureIsNew(form: Form) throws {
        let data = try Self.data { $0.settings[TrustState.seedRootPrefix + "main"] = SigningVault.bob }
        let signer = SigningVault.bob + FixtureValue.bytes(Array("//new".utf8))
        try Self.expect(.keyNotDerived, form, form.payload(signer: signer, isDerived: true), data)
    }

    /// Whoever signs with it, a rule says nothing for it.
    @Test(arguments: Form.allCases)
    func aKeyOfAPhraseThatIsNotStoredIsWarnedOfAndNoRuleApprovesIt(form: Form) throws {
        let bob = try #require(PublicKey(scheme: .sr25519, bytes: SigningVault.bob))
        let root = try #require(PublicKey(scheme: .sr25519, bytes: [UInt8](repeating: 7, count: 32)))
        let key = UnstoredKey(publicKey: bob, root: root, path: "//0", hasPassword: false)
        let payload = try Payload(try #require(try form.payload(signer: SigningVault.bob)))
        var additions = TransactionReview.Additions()
        additions.unstored = [key]
        let data = try Self.data()
        let reviewed = try TransactionReview(data, additions: additions).review(payload)
        for item in reviewed {
            #expect(item.unstored == key && item.refusal == nil)
            let codes = item.cards.warning.map { $0.warning?.code ?? "" }
            #expect(codes == ["key_not_stored"] + form.always)
            _ = try item.signable()
        }
        let standing = try data.standingApproval(of: reviewed)
        #expect(!reviewed.isEmpty && standing == nil)
        // A member of a group signs with no such key, and the vault's own keys sign as its own.
        let member = TransactionReview(data, additions: additions, signing: .member(of: .blake2b(of: [1])))
        #expect(try member.review(payload).allSatisfy { $0.refusal == .unknownSigner })
        // Its phrase, or its bytes under another scheme, are in the vault.
        let seed = try Self.data { $0.settings[TrustState.seedRootPrefix + "main"] = root.bytes }
        let refused = try TransactionReview(seed, additions: additions).review(payload)
        #expect(refused.allSatisfy { $0.refusal == .phraseIsStored("seed main") })
        let imported = try Self.data {
            $0.keys.append(KeyRecord(imported: PublicKey(scheme: .ed25519, bytes: bob.bytes)!))
        }
        #expect(
            try TransactionReview(imported, additions: additions).review(payload).allSatisfy {
                $0.refusal == .phraseIsStored("an imported key")
            })
    }

    @Test func aNetworkThatOnlyAProofDescribesIsOnlyProved() throws {
        let data = try Self.data { state in
            state.networks = []
            state.metadata = []
        }
        try Self.expect(.networkOnlyProved, .proved, Form.proved.payload(), data)
    }

    /// Codes are stable: programs read them.
    @Test func theCodesAreThese() {
        #expect(
            ReviewWarning.allCases.map(\.rawValue) == [
                "unknown_author", "key_not_for_network", "older_runtime", "network_only_proved",
                "key_not_derived", "key_not_stored",
                "listed_network_only_proved", "known_name_on_unknown_chain", "metadata_believed",
                "unsigned_metadata",
                "look_alike", "payment_far_above", "nonce_reused", "nonce_below_highest", "nonce_far_ahead",
                "call_repeated",
                "signed_before", "era_expired", "short_era_for_group", "runtime_version_unknown",
                "unusual_call", "tip_above_amounts", "unreadable_message", "key_is_old", "words_unchecked",
            ])
        #expect(
            Set(ReviewWarning.allCases.map { Card(warning: $0).value }).count == ReviewWarning.allCases.count)
    }
}
