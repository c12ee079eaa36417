import Cards
import Extrinsics
import FixtureRuntime
import Forge
import Hashing
import Metadata
import SubstratePrimitives
import TestSupport
import Testing
import TrustStore
import UOS

@testable import Accounts
@testable import Review
@testable import TrustUpdates

/// What may be signed, by what the chain checks of the metadata and by what its owner demands.
@Suite struct MetadataHashDemandLaws {
    /// A transfer, and what is stored to read it.
    private enum Sent: CaseIterable {
        case proof
        case hashOverVersion15
        case hashOverVersion14
        case hashOverVersion16
        case disabled
        case withoutExtension

        var check: MetadataHashCheck {
            switch self {
            case .proof, .hashOverVersion15: .passed
            case .hashOverVersion14: .notCompared(version: 14)
            case .hashOverVersion16: .notCompared(version: 16)
            case .disabled: .disabled
            case .withoutExtension: .unsupported
            }
        }

        /// Written out here and not asked of the code: which demands allow it.
        var allowed: [MetadataHashDemand] {
            switch self {
            case .proof, .hashOverVersion15: [.always, .wherePossible, .never]
            case .withoutExtension: [.wherePossible, .never]
            case .hashOverVersion14, .hashOverVersion16, .disabled: [.never]
            }
        }

        var runtime: FixtureRuntime {
            var runtime = SigningVault.runtime
            if self == .withoutExtension { runtime.extensions.removeAll { $0.role == .metadataHash } }
            return runtime
        }

        var blob: [UInt8] {
            switch self {
            case .hashOverVersion14: runtime.metadata(.v14)
            case .hashOverVersion16: runtime.metadata(.v16)
            case .proof, .hashOverVersion15, .disabled, .withoutExtension: runtime.metadata(.v15)
            }
        }

        func payload() throws -> [UInt8] {
            let runtime = runtime
            let call = SigningVault.transfer()
            var values = FixtureExtensionValues(era: SigningVault.mortal, blockHash: Hash32(SigningVault.bob))
            switch self {
            // It is immortal.
            case .proof: return try runtime.provedPayload(signer: SigningVault.alice, call: call)
            case .hashOverVersion14, .hashOverVersion15, .hashOverVersion16:
                let metadata = try RuntimeMetadata(runtime.metadata(.v15))
                values.metadataHash = try MetadataDigest(
                    of: metadata, extraInfo: ExtraInfo(metadata.runtimeVersion, runtime.specs)
                ).hash
            case .disabled, .withoutExtension: break
            }
            return runtime.transactionPayload(signer: SigningVault.alice, call: call, values)
        }
    }

    private static let setting = "require_metadata_hash.\(SigningVault.runtime.genesisHash.hex)"

    private static func key(_ demand: MetadataHashDemand?) -> String {
        demand.map { "\"require_metadata_hash\": \"\($0.rawValue)\", " } ?? ""
    }

    /// - Parameters:
    ///   - policy: of the whole policy.
    ///   - rule: of its one rule under `approve`.
    private static func data(
        _ sent: Sent, setting value: [UInt8]?, policy: MetadataHashDemand? = nil,
        rule: MetadataHashDemand? = nil,
        change: (inout TrustState) -> Void = { _ in }
    ) throws -> ChainData {
        let whole = StandingApprovalLaws.bare.replacing("{", with: "{\(key(rule))\"mortality\": \"any\", ")
        let blob = sent.blob
        var state = try SigningVault.data(policy: "{\(key(policy))\"approve\": [\(whole)]}").state
        state.settings[setting] = value
        state.metadata = state.metadata.map {
            MetadataRecord(
                genesis: $0.genesis, version: $0.version, hash: .blake2b(of: blob), length: blob.count)
        }
        change(&state)
        return ChainData(state: state) { _ in blob }
    }

    private static func stored(_ demand: MetadataHashDemand) -> [UInt8]? {
        demand == .never ? nil : Array(demand.rawValue.utf8)
    }

    private static func review(_ payload: [UInt8], _ data: ChainData) throws -> [ReviewedTransaction] {
        try TransactionReview(data).review(try Payload(payload))
    }

    @Test(arguments: Sent.allCases) private func `the setting, the policy and its rule each demand alone`(
        sent: Sent
    ) throws {
        let payload = try sent.payload()
        for demand in MetadataHashDemand.allCases {
            for policy in [nil] + MetadataHashDemand.allCases.map(Optional.some) {
                for rule in [nil] + MetadataHashDemand.allCases.map(Optional.some) {
                    let data = try Self.data(sent, setting: Self.stored(demand), policy: policy, rule: rule)
                    let reviewed = try Self.review(payload, data)
                    let name =
                        """
                        \(demand), policy \(policy.map { "\($0)" } ?? "-"), rule \
                        \(rule.map { "\($0)" } ?? "-")
                        """
                    #expect(reviewed[0].decoded?.hashCheck == sent.check)
                    let refusal: ReviewError? =
                        if !sent.allowed.contains(demand) {
                            .metadataHashRequired(network: "heliotest", sent.check)
                        } else if let policy, !sent.allowed.contains(policy) {
                            .policy(.metadataHash(sent.check))
                        } else {
                            nil
                        }
                    #expect(reviewed[0].refusal == refusal, "\(name)")
                    let isApproved = refusal == nil && sent.allowed.contains(rule ?? .always)
                    #expect((try data.standingApproval(of: reviewed) != nil) == isApproved, "\(name)")
                }
            }
        }
    }

    @Test(arguments: Sent.allCases) private func `a stored demand that cannot be read allows nothing`(
        sent: Sent
    ) throws {
        let payload = try sent.payload()
        for text in ["", "never", "Always", "always\n", "where-possible", "where_possible ", "\u{0}"] {
            let data = try Self.data(sent, setting: Array(text.utf8), rule: .never)
            let reviewed = try Self.review(payload, data)
            #expect(data.state.metadataHashDemand(genesis: SigningVault.runtime.genesisHash) == nil)
            #expect(reviewed[0].refusal == .metadataHashDemandUnreadable("heliotest"), "\(text)")
            #expect(!reviewed[0].cards.method.isEmpty)
            #expect(try data.standingApproval(of: reviewed) == nil)
        }
    }

    @Test func `a demand is its own chain's`() throws {
        let other = Hash32(SigningVault.bob)!
        let data = try Self.data(.disabled, setting: nil) {
            $0.settings["require_metadata_hash.\(other.hex)"] = Array("always".utf8)
        }
        #expect(try Self.review(Sent.disabled.payload(), data)[0].refusal == nil)
        #expect(data.state.metadataHashDemand(genesis: other) == .always)
        #expect(data.state.metadataHashDemands.map(\.genesis) == [other.hex])
    }

    @Test func `each transaction of a bulk must meet it`() throws {
        let data = try Self.data(.disabled, setting: Array("always".utf8), rule: .never)
        let bulk = try SigningVault.bulk([Sent.proof.payload(), Sent.disabled.payload()])
        let reviewed = try Self.review(bulk, data)
        #expect(reviewed.map(\.refusal) == [nil, .metadataHashRequired(network: "heliotest", .disabled)])
        #expect(try data.standingApproval(of: reviewed) == nil)
        #expect(
            try data.personNeeded(for: reviewed)
                == PersonNeeded(
                    transaction: 2, cause: .refused(.metadataHashRequired(network: "heliotest", .disabled))))
    }

    /// A message has no metadata, so a rule for messages approves it without a word about the hash.
    @Test func `a message is not asked for a hash`() throws {
        let data = try Self.data(.disabled, setting: Array("always".utf8)) {
            let rule = StandingApprovalLaws.bare.replacing("{", with: "{\"messages\": {\"prefix\": \"h\"}, ")
            $0.settings[TransactionPolicy.setting] = Array("{\"approve\": [\(rule)]}".inHLO.utf8)
        }
        let reviewed = try Self.review(SigningVault.message("hello"), data)
        #expect(reviewed[0].refusal == nil)
        #expect(try data.standingApproval(of: reviewed)?.rules == [1])
    }

    /// Whoever brings a transaction may have brought unsigned metadata too, and a rule reads neither.
    @Test func `what nobody vouches for needs a person, whatever the rule says`() throws {
        for verifier in [Verifier.custom(nil), .general, nil] {
            func person(_ sent: Sent) throws -> PersonNeeded? {
                let data = try Self.data(sent, setting: nil, rule: .never) {
                    $0.verifiers[SigningVault.runtime.genesisHash] = verifier
                }
                return try data.personNeeded(for: Self.review(sent.payload(), data))
            }
            for sent in [Sent.disabled, .hashOverVersion14, .withoutExtension] {
                #expect(try person(sent) == PersonNeeded(transaction: nil, cause: .unsignedMetadata))
            }
            // The chain checks, and nobody says what.
            let version = SigningVault.runtime.specVersion
            for sent in [Sent.proof, .hashOverVersion15] {
                #expect(
                    try person(sent) == PersonNeeded(transaction: nil, cause: .unvouched(version: version)))
            }
        }
    }

    @Test func `an owner learns what keeps each rule from approving`() throws {
        func detail(_ rules: [String], _ payload: [UInt8]) throws -> String? {
            var state = try Self.data(.disabled, setting: nil).state
            state.settings[TransactionPolicy.setting] = Array(
                "{\"approve\": [\(rules.joined(separator: ", "))]}".inHLO.utf8)
            let data = ChainData(state: state) { _ in Sent.disabled.blob }
            return try data.personNeeded(for: Self.review(payload, data))?.detail
        }
        let (old, open) = (StandingApprovalLaws.bare, StandingApprovalLaws.whole)
        let far = old.replacing("heliotest", with: "polkadot")
        let small = open.replacing("\"100\"", with: "\"59\"")
        let payload = try Sent.disabled.payload()
        #expect(
            try detail([far, old, small, far], payload)
                == """
                rule 2: the transaction turns the check of the metadata hash off (require_metadata_hash, \
                always unless the rule says 
                """
                + "otherwise); rule 3: the amount of 0.00000000006 HLO is above the limit (maximum_amount); rule 1: the network heliotest is not on "
                + "the list (networks); and 1 more")
        #expect(
            try detail([open], SigningVault.bulk([payload, payload]))
                == "transaction 2: rule 1: all amounts together are above the limit (maximum_amount)")
        #expect(try detail([], payload) == "the policy has no rules under approve")
        #expect(try detail([open], payload) == nil)
    }
}

/// The change of a demand, and what outlives what.
@Suite struct MetadataHashSettingLaws {
    private static let genesis = SigningVault.runtime.genesisHash

    private static func state(_ demand: MetadataHashDemand) throws -> TrustState {
        var state = try SigningVault.data().state
        apply(try TrustSetup.requireMetadataHash(genesis, demand, state: state).changes, to: &state)
        return state
    }

    private static func apply(_ changes: [TrustChange], to state: inout TrustState) {
        for change in changes {
            switch change {
            case .putSetting(let name, let value): state.settings[name] = value
            case .removeSetting(let name): state.settings[name] = nil
            case .setGeneralVerifier, .setVerifier, .forgetVerifier, .putNetwork, .removeNetwork,
                .addMetadata, .removeMetadata, .setTypes,
                .removeTypes, .putAssetList, .removeAssetList, .addKey, .removeKey, .labelKey, .allowKey,
                .forbidKey, .markUsed,
                .putContact, .removeContact, .putListSigner, .removeListSigner, .putHostContact,
                .removeHostContact, .putGroupMaking,
                .removeGroupMaking, .putGroup, .removeGroup, .addGroupOffer, .removeGroupOffer:
                continue
            }
        }
    }

    @Test func `lowering a demand is dangerous in the log, raising it is not, and no change is no line`()
        throws
    {
        let order: [MetadataHashDemand] = [.never, .wherePossible, .always]
        for (from, former) in order.enumerated() {
            for (to, demand) in order.enumerated() {
                let state = try Self.state(former)
                #expect(state.metadataHashDemand(genesis: Self.genesis) == former)
                let step = try TrustSetup.requireMetadataHash(Self.genesis, demand, state: state)
                guard from != to else {
                    #expect(step.changes.isEmpty && step.events.isEmpty)
                    continue
                }
                let event = try #require(step.events.first)
                #expect(event.kind == (to < from ? .metadataHashDemandLowered : .metadataHashDemandRaised))
                #expect(event.kind.isDangerous == (to < from))
                #expect(event["before"] == former.rawValue && event["now"] == demand.rawValue)
                #expect(event["genesis_hash"] == Self.genesis.hex && event["name"] == "heliotest")
                var after = state
                Self.apply(step.changes, to: &after)
                #expect(after.metadataHashDemand(genesis: Self.genesis) == demand)
            }
        }
    }

    /// Nothing was allowed before, so any readable demand allows more.
    @Test func `what replaces an unreadable demand is dangerous`() throws {
        var state = try SigningVault.data().state
        state.settings["require_metadata_hash.\(Self.genesis.hex)"] = [1]
        for demand in MetadataHashDemand.allCases {
            let step = try TrustSetup.requireMetadataHash(Self.genesis, demand, state: state)
            #expect(
                step.events.map(\.kind) == [.metadataHashDemandLowered]
                    && step.events[0]["before"] == "unreadable")
            var after = state
            Self.apply(step.changes, to: &after)
            #expect(after.metadataHashDemand(genesis: Self.genesis) == demand)
        }
    }

    @Test func `neither removing nor revoking a network nor a reset lowers a demand`() throws {
        var state = try Self.state(.always)
        let name = "require_metadata_hash.\(Self.genesis.hex)"
        state.verifiers[Self.genesis] = .custom(nil)
        let reset = TrustSetup.reset(state, verifier: nil, networks: [])
        for step in [
            try TrustSetup.removeNetwork(Self.genesis, state: state),
            try TrustSetup.revokeNetwork(Self.genesis, state: state),
            TrustSetup.restoreDefaults(state), reset,
        ] {
            #expect(!step.changes.contains { if case .removeSetting(name) = $0 { true } else { false } })
            #expect(!step.changes.contains { if case .putSetting(name, _) = $0 { true } else { false } })
        }
        // A reset says so.
        let event = try #require(reset.events.first { $0.kind == .verifiersReset })
        #expect(event["kept_metadata_hash_demands"] == "\(Self.genesis.hex) always")
        #expect(
            TrustSetup.reset(try Self.state(.never), verifier: nil, networks: []).events.allSatisfy {
                $0[event.facts.last!.name] == nil
            })
    }

    @Test func `a chain that the vault can name may have a demand, stored or not`() throws {
        var state = TrustState()
        let stranger = Hash32.blake2b(of: [9])
        #expect(throws: TrustSetup.Failure.unknownNetwork(stranger)) {
            try TrustSetup.requireMetadataHash(stranger, .always, state: state)
        }
        #expect(throws: LookupError.noSuchNetwork(stranger.hex)) { try state.knownChain(named: stranger.hex) }
        let listed = try #require(WellKnownChain.all.first)
        #expect(try state.knownChain(named: listed.genesisHash.hex) == listed.genesisHash)
        #expect(
            try TrustSetup.requireMetadataHash(listed.genesisHash, .always, state: state).events[0]["name"]
                == listed.name)
        state.settings["removed_network.\(stranger.hex)"] = []
        #expect(try state.knownChain(named: stranger.hex) == stranger)
        #expect(try TrustSetup.requireMetadataHash(stranger, .always, state: state).changes.count == 1)
    }
}
