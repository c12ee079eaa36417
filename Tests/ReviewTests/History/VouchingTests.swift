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
@testable import History
@testable import Review

/// A vault that knows the fixture network without metadata, and signs by proof.
private final class ProofVault {
    static let runtime = FixtureRuntime.standard
    static let policy = """
        {"approve": [{"networks": ["heliotest"], "calls": ["Balances.transfer_keep_alive"], "mortality": \
        "any", "destinations": ["0x\(Hex.encode(SigningVault.bob))"], "maximum_amount": "100", \
        "maximum_tip": "5", "maximum_count": {"per_day": 9}}]}
        """
    var rows: [HistoryKey: [UInt8]] = [:]
    var hasHistory = true
    /// What the vault holds where it holds metadata.
    var held = runtime.metadata(.v15)
    var change: (inout TrustState) -> Void = { _ in }

    func data() throws -> ChainData {
        var state = try SigningVault.data(policy: Self.policy).state
        state.metadata = []
        change(&state)
        let blob = held
        let history = ReviewHistory(now: 1_700_000_000, since: 1_600_000_000) { [rows] keys in
            rows.filter { keys.contains($0.key) }
        }
        return ChainData(state: state, history: hasHistory ? history : nil) { _ in blob }
    }

    static func payload(
        _ version: UInt32 = runtime.specVersion, amount: UInt128 = 60, nonce: UInt64 = 0,
        of runtime: FixtureRuntime = runtime
    ) throws -> [UInt8] {
        var runtime = runtime
        runtime.specVersion = version
        let metadata = try RuntimeMetadata(runtime.metadata(.v15))
        let (info, call) = (ExtraInfo(metadata.runtimeVersion, runtime.specs), SigningVault.transfer(amount))
        let hash = try MetadataDigest(of: metadata, extraInfo: info).hash
        let values = FixtureExtensionValues(nonce: nonce, metadataHash: hash)
        let parts = runtime.extensionBytes(values)
        let proof = try MetadataProof.make(
            metadata: metadata, extraInfo: info, call: call, extensions: parts.explicit + parts.implicit)
        return [0x53, 0x01, 0x06] + SigningVault.alice + proof.encoded
            + runtime.transactionBody(call: call, values)
            + runtime.genesisHash.bytes
    }

    func review(_ payload: [UInt8]) throws -> [ReviewedTransaction] {
        try TransactionReview(data()).review(try Payload(payload))
    }

    func sign(_ payload: [UInt8], isConfirmed: Bool) throws {
        let accounts = try review(payload).map { ($0, $0.signer.account(record: $0.key)) }
        for row in try data().historyRows(of: accounts, isConfirmed: isConfirmed) {
            rows[row.key] = row.value
        }
    }

    func vouching(_ payload: [UInt8]) throws -> [Vouching?] { try review(payload).map(\.vouching) }
    func needed(_ payload: [UInt8]) throws -> PersonNeeded.Cause? {
        try data().personNeeded(for: review(payload))?.cause
    }
    func rules(_ payload: [UInt8]) throws -> [Int]? {
        try data().standingApproval(of: review(payload))?.rules
    }
    func versionWarnings(_ payload: [UInt8]) throws -> [String] {
        try review(payload)[0].cards.warning.filter {
            $0.text(of: "code").utf8Equals("runtime_version_unknown")
        }.map(\.value)
    }
}

@Suite struct VouchingLaws {
    private static let blob = ProofVault.runtime.metadata(.v15)
    private static let record = MetadataRecord(
        genesis: ProofVault.runtime.genesisHash, version: ProofVault.runtime.specVersion,
        hash: .blake2b(of: blob), length: blob.count)

    @Test func `a rule signs no proof that nobody vouches for, until a person confirmed its digest`() throws {
        let vault = ProofVault()
        let payload = try ProofVault.payload()
        #expect(try vault.vouching(payload) == [.nobody] && vault.rules(payload) == nil)
        // A rule's own signature vouches for nothing, nor does an earlier payload of the same bulk.
        try vault.sign(payload, isConfirmed: false)
        #expect(try vault.vouching(payload) == [.nobody] && vault.rules(payload) == nil)
        #expect(try vault.vouching(SigningVault.bulk([payload, payload])) == [.nobody, .nobody])
        try vault.sign(payload, isConfirmed: true)
        #expect(try vault.vouching(payload) == [.earlierSignature] && vault.rules(payload) == [1])
        #expect(try vault.needed(ProofVault.payload(amount: 61, nonce: 1)) == nil)
        // Another digest is another reading, whatever its version.
        let next = try ProofVault.payload(ProofVault.runtime.specVersion + 1, nonce: 1)
        #expect(try vault.vouching(next) == [.nobody])
        #expect(try vault.needed(next) == .unvouched(version: ProofVault.runtime.specVersion + 1))
    }

    @Test func `a yes vouches for the one digest that the review names, and for no other`() throws {
        func named(_ payload: [UInt8], _ vault: ProofVault) throws -> [Hash32?] {
            try vault.review(payload).map { ReviewSummary($0).provenance.yesVouches }
        }
        let vault = ProofVault()
        let (first, second) = (try ProofVault.payload(), try ProofVault.payload(nonce: 1))
        let other = try ProofVault.payload(ProofVault.runtime.specVersion + 1, nonce: 2)
        let digest = try #require(try vault.review(first)[0].metadataHash)
        #expect(
            try named(first, vault) == [digest]
                && named(SigningVault.bulk([first, second]), vault) == [digest, digest])
        let pair = try vault.review(SigningVault.bulk([first, second])).map { ReviewSummary($0) }
        #expect(ReviewSummary(whole: pair).provenance.yesVouches == digest)
        // Of several digests nobody judges one by one: the answer vouches for none of them.
        let both = SigningVault.bulk([first, other])
        #expect(try named(both, vault) == [nil, nil])
        try vault.sign(both, isConfirmed: true)
        #expect(
            try vault.vouching(both) == [.nobody, .nobody]
                && !vault.rows.keys.contains { $0.historyClass == .reading })
        // What a yes would do is part of what was shown.
        let (alone, inBulk) = (try vault.review(first)[0], try vault.review(both)[0])
        #expect(alone.yesVouches && !inBulk.yesVouches && alone.cards == inBulk.cards)
        #expect(!alone.shows(the: inBulk) && !inBulk.shows(the: alone) && alone.shows(the: alone))
        try vault.sign(SigningVault.bulk([first, second]), isConfirmed: true)
        #expect(try vault.vouching(both) == [.earlierSignature, .nobody])
        // Said once, and for the one that is new.
        #expect(try named(first, vault) == [nil])
        #expect(
            try named(both, vault)[1] == vault.review(other)[0].metadataHash && named(both, vault)[0] == nil)
        vault.hasHistory = false
        #expect(try named(first, vault) == [nil])
    }

    @Test func `a yes makes nobody vouch for what is refused, and for unsigned metadata`() throws {
        let vault = ProofVault()
        vault.change = { state in
            state.metadata = [Self.record]
            state.verifiers[Self.record.genesis] = .custom(nil)
        }
        // The chain checks the digest; without it nothing is left but the file that nobody signed.
        #expect(try vault.review(ProofVault.payload())[0].yesVouches)
        let believed = SigningVault.payload(SigningVault.transfer())
        let reviewed = try vault.review(believed)[0]
        #expect(reviewed.vouching == .nobody && reviewed.refusal == nil && !reviewed.yesVouches)
        try vault.sign(believed, isConfirmed: true)
        #expect(
            try vault.vouching(believed) == [.nobody]
                && !vault.rows.keys.contains { $0.historyClass == .reading })
        vault.change = { $0.keys = [] }
        let refused = try vault.review(ProofVault.payload())[0]
        #expect(
            refused.refusal != nil && !refused.yesVouches
                && ReviewSummary(refused).provenance.yesVouches == nil)
    }

    /// Formats 14 and 16 have no digest to compare: a proof that reads these bytes alike may differ in all
    /// else.
    @Test(arguments: [FixtureRuntime.MetadataVersion.v14, .v15, .v16])
    func `held metadata vouches for a proof by its digest alone`(format: FixtureRuntime.MetadataVersion)
        throws
    {
        let vault = ProofVault()
        vault.held = ProofVault.runtime.metadata(format)
        vault.change = { [held = vault.held] state in
            state.metadata = [
                MetadataRecord(
                    genesis: ProofVault.runtime.genesisHash, version: ProofVault.runtime.specVersion,
                    hash: .blake2b(of: held),
                    length: held.count)
            ]
        }
        // A proof of the same version with one more call that this transaction does not make.
        var changed = ProofVault.runtime
        let place = try #require(changed.pallets.firstIndex { $0.name == "System" })
        changed.pallets[place].calls[0].fields[0].name = "other"
        let (honest, forged) = (try ProofVault.payload(), try ProofVault.payload(of: changed))
        switch format {
        case .v14, .v16:
            for payload in [honest, forged] {
                #expect(try vault.vouching(payload) == [.nobody] && vault.rules(payload) == nil)
                #expect(try vault.needed(payload) == .unvouched(version: ProofVault.runtime.specVersion))
                #expect(try vault.review(payload)[0].yesVouches)
            }
            try vault.sign(honest, isConfirmed: true)
            #expect(try vault.needed(ProofVault.payload(amount: 61, nonce: 1)) == nil)
            #expect(try vault.rules(forged) == nil)
        case .v15:
            #expect(try vault.vouching(honest) == [.metadata] && vault.rules(honest) == [1])
            #expect(try !vault.review(honest)[0].yesVouches)
            let network = ProofVault.runtime.specs.name
            #expect(
                throws: ReviewError.heldMetadataDiffers(
                    network: network, version: ProofVault.runtime.specVersion)
            ) {
                try vault.review(forged)
            }
        }
    }

    @Test func `a digest that was confirmed for one network vouches for no other`() throws {
        let vault = ProofVault()
        try vault.sign(ProofVault.payload(), isConfirmed: true)
        vault.rows = Dictionary(
            uniqueKeysWithValues: vault.rows.map { key, value in
                guard key.historyClass == .reading else { return (key, value) }
                return (
                    HistoryKey(.reading, Hash32.blake2b(of: [1]).bytes, Array(key.bytes.dropFirst(32))), value
                )
            })
        #expect(try vault.vouching(ProofVault.payload()) == [.nobody])
    }

    @Test func `metadata of a verifier vouches, and unsigned metadata does not`() throws {
        let vault = ProofVault()
        vault.change = { $0.metadata = [Self.record] }
        #expect(
            try vault.vouching(ProofVault.payload()) == [.metadata]
                && vault.rules(ProofVault.payload()) == [1])
        vault.change = { state in
            state.metadata = [Self.record]
            state.verifiers[Self.record.genesis] = .custom(nil)
        }
        #expect(try vault.vouching(ProofVault.payload()) == [.nobody])
        #expect(try vault.needed(ProofVault.payload()) == .unvouched(version: Self.record.version))
        #expect(try vault.review(SigningVault.message("hello"))[0].isVouched)
    }

    /// What a person confirmed, what the vault holds, and 10,000 above either.
    @Test func `a version that nothing here knows is remarked`() throws {
        let (vault, known) = (ProofVault(), ProofVault.runtime.specVersion)
        let line = "Only the metadata proof knows this runtime version"
        #expect(try vault.versionWarnings(ProofVault.payload()) == ["\(line): \(known)"])
        try vault.sign(ProofVault.payload(), isConfirmed: true)
        for version in [known, known + 1, known + 10_000] {
            #expect(try vault.versionWarnings(ProofVault.payload(version)) == [])
        }
        for version in [known - 1, known + 10_001, .max] {
            let far = ["\(line): \(version), and the newest known here is \(known) (signed before)"]
            #expect(try vault.versionWarnings(ProofVault.payload(version)) == far)
        }
        // A confirmed version is the last one, so that a wrong one does not stay for good.
        try vault.sign(ProofVault.payload(.max), isConfirmed: true)
        #expect(try vault.versionWarnings(ProofVault.payload(known + 1)).count == 1)
        try vault.sign(ProofVault.payload(known + 1), isConfirmed: true)
        #expect(try vault.versionWarnings(ProofVault.payload(known + 2)) == [])
        vault.rows = [:]
        vault.change = { $0.metadata = [Self.record] }
        #expect(try vault.versionWarnings(ProofVault.payload(known + 1)) == [])
        #expect(try vault.versionWarnings(ProofVault.payload(known + 10_001)).count == 1)
        (vault.hasHistory, vault.change) = (false, { _ in })
        #expect(try vault.versionWarnings(ProofVault.payload(known + 10_001)) == [])
    }

    @Test func `the listed versions are those of published metadata`() throws {
        let files = [("polkadot", "polkadot-2003000-v16"), ("statemint", "asset-hub-polkadot-2000000-v15")]
        for (name, file) in files {
            guard let blob = try SharedData.read("metadata/\(file).scale") else { return }
            let genesis = WellKnownChain.chains(named: name)[0].genesisHash
            #expect(
                try KnownChains.listedVersion(genesis: genesis)
                    == RuntimeMetadata(blob).runtimeVersion.specVersion)
        }
        #expect(
            KnownChains.listedVersions.allSatisfy { row in
                WellKnownChain.chains(named: row.specName).count == 1
            })
        #expect(KnownChains.listedVersion(genesis: .blake2b(of: [1])) == nil)
    }
}

@Suite struct CallShapeLaws {
    private static let line =
        "Balances.transfer_keep_alive has 3 fields, and the known runtimes give it at most 2"

    /// A transfer with one more field, alone and inside a batch.
    @Test func `a known call with a field more is remarked, and no rule approves it`() throws {
        var runtime = SigningVault.runtime
        let place = try #require(runtime.pallets.firstIndex { $0.name == "Balances" })
        let call = try #require(runtime.pallets[place].calls.firstIndex { $0.name == "transfer_keep_alive" })
        let plain = SigningVault.transfer()
        func warnings(_ call: [UInt8]) throws -> [String] {
            let data = try SigningVault.data(policy: StandingApprovalLaws.policy, runtime: runtime)
            let reviewed = try TransactionReview(data).review(
                try Payload(SigningVault.payload(call, runtime: runtime)))
            let found = reviewed[0].cards.warning.filter { $0.text(of: "code").utf8Equals("unusual_call") }
            let isUnbatched = runtime.pallets[place].index == call[0]
            #expect(try !isUnbatched || (data.standingApproval(of: reviewed) != nil) == found.isEmpty)
            return found.map(\.value)
        }
        #expect(try warnings(plain) == [])
        runtime.pallets[place].calls[call].fields.append(FixtureField("salt", .u8, typeName: "u8"))
        let longer = plain + [7]
        #expect(try warnings(longer) == [Self.line])
        let batch = runtime.call("Utility", "batch_all", [FixtureValue.vector([longer, longer])])
        #expect(try warnings(batch) == [Self.line])
    }

    /// Fields inside of the known ones, the number of which a person sees and a rule does not: beside the
    /// account, in it, beside the amount, wider than it.
    @Test func `a known call with a field inside a field is remarked, and no rule approves it`() throws {
        let standard = SigningVault.runtime
        let place = try #require(standard.pallets.firstIndex { $0.name == "Balances" })
        let call = try #require(standard.pallets[place].calls.firstIndex { $0.name == "transfer_keep_alive" })
        let fields = standard.pallets[place].calls[call].fields
        let plain = SigningVault.transfer()
        // MultiAddress::Id, then a compact number.
        let (dest, value) = (Array(plain[2..<35]), Array(plain[35...]))
        let salt = FixtureField("salt", .array(5, .u8), typeName: nil)
        func beside(_ field: FixtureField) -> FixtureField {
            let inner = FixtureField("inner", field.type, typeName: field.typeName)
            return FixtureField(
                field.name, .composite(path: ["any", "Salted"], fields: [inner, salt]), typeName: nil)
        }
        let address = FixtureType.variant(
            path: ["sp_runtime", "multiaddress", "MultiAddress"],
            variants: [
                FixtureVariant(
                    "Id", index: 0, fields: [FixtureField(nil, .array(32, .u8), typeName: nil), salt])
            ])
        let raw = FixtureType.variant(
            path: ["sp_runtime", "multiaddress", "MultiAddress"],
            variants: [
                FixtureVariant("Raw", index: 0, fields: [FixtureField(nil, .array(32, .u8), typeName: nil)])
            ])
        let noise = [1, 2, 3, 4, 5] as [UInt8]
        let cases: [(fields: [FixtureField], arguments: [UInt8], number: Int)] = [
            ([beside(fields[0]), fields[1]], dest + noise + value, 1),
            ([fields[0], beside(fields[1])], dest + value + noise, 2),
            ([FixtureField("dest", address, typeName: nil), fields[1]], dest + noise + value, 1),
            ([FixtureField("dest", raw, typeName: nil), fields[1]], dest + value, 1),
            (
                [fields[0], FixtureField("value", .array(4, .u64), typeName: nil)],
                dest + [UInt8](repeating: 1, count: 32), 2
            ),
            (
                [fields[0], FixtureField("amount_", fields[1].type, typeName: fields[1].typeName)],
                dest + value, 2
            ),
            (
                [fields[0], FixtureField("value", .tuple([fields[1].type, .array(5, .u8)]), typeName: nil)],
                dest + value + noise, 2
            ),
        ]
        for (fields, arguments, number) in cases {
            var runtime = standard
            runtime.pallets[place].calls[call].fields = fields
            let bytes: [UInt8] = Array(plain.prefix(2)) + arguments
            let line =
                """
                Balances.transfer_keep_alive has a field, number \(number), that the known runtimes give \
                another name or shape
                """
            for call in [bytes, runtime.call("Utility", "batch_all", [FixtureValue.vector([bytes, bytes])])] {
                let data = try SigningVault.data(policy: StandingApprovalLaws.policy, runtime: runtime)
                let reviewed = try TransactionReview(data).review(
                    try Payload(SigningVault.payload(call, runtime: runtime)))
                let found = reviewed[0].cards.warning.filter {
                    $0.text(of: "code").utf8Equals("unusual_call")
                }
                #expect(found.map(\.value) == [line])
                #expect(try data.standingApproval(of: reviewed) == nil)
            }
        }
    }

    @Test func `every argument of the list has the shape that real runtimes give it`() throws {
        let specs = NetworkSpecs(
            name: "known", title: "known", base58Prefix: 0, decimals: 10, unit: "DOT",
            genesisHash: .blake2b(of: [1]), scheme: .sr25519)
        for name in [
            "polkadot-1002005-v14", "polkadot-2000000-v15", "polkadot-2003000-v16",
            "asset-hub-polkadot-2000000-v15", "westend-9122-v14",
            "westend-9150-v14",
        ] {
            guard let blob = try SharedData.read("metadata/\(name).scale") else { return }
            let metadata = try RuntimeMetadata(blob)
            let types = TypeView(metadata.registry)
            for pallet in metadata.pallets {
                guard case .id(let id)? = pallet.calls else { continue }
                for call in try metadata.registry.variants(of: id)
                where CallShape.mostFields(pallet: pallet.name, call: call.name) != nil {
                    // In runtimes of 2022 this argument is a call behind its length, and a sample of the type
                    // has another length.
                    let isOpaque =
                        pallet.name == "Multisig" && call.name == "as_multi" && name.hasPrefix("westend-91")
                    if isOpaque { continue }
                    let bytes =
                        try [pallet.index, call.index] + call.fields.flatMap { try types.sample($0.type) }
                    let cards = try Extrinsics.decodeCall(bytes, metadata: metadata, specs: specs).cards
                    #expect(CallShape.warnings(cards).map(\.value) == [], "\(name)")
                }
            }
        }
    }

    @Test func `every call of the list has as many fields as real runtimes give it`() throws {
        var most: [String: Int] = [:]
        for name in [
            "polkadot-1002005-v14", "polkadot-2000000-v15", "polkadot-2003000-v16",
            "asset-hub-polkadot-2000000-v15", "westend-9122-v14",
        ] {
            guard let blob = try SharedData.read("metadata/\(name).scale") else { return }
            let metadata = try RuntimeMetadata(blob)
            for pallet in metadata.pallets {
                guard case .id(let id)? = pallet.calls else { continue }
                for call in try metadata.registry.variants(of: id) {
                    let key = "\(pallet.name).\(call.name)"
                    most[key] = max(most[key] ?? 0, call.fields.count)
                }
            }
        }
        for row in CallShape.fields {
            for call in row.calls {
                let found = row.pallets.compactMap { most["\($0).\(call.name)"] }
                #expect(found.max() == call.most, "\(row.pallets[0]).\(call.name)")
            }
        }
    }
}
