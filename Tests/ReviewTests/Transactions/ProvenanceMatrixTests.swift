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

@testable import History
@testable import Review

/// What is shown, asked and refused, by what the runtime can check, what the transaction turns on, what it
/// was read with, who vouches for that, and what the owner demands. Every row of the matrix is compared with
/// rules that are written here a second time.
@Suite struct ProvenanceMatrix {
    enum Form: CaseIterable { case proof, version14, version15, version16 }

    enum Mode: CaseIterable { case disabled, enabled }

    enum Vouching: CaseIterable { case general, custom, nobody }

    struct Row: CustomStringConvertible {
        let canCheck: Bool
        let mode: Mode
        let form: Form
        let vouching: Vouching
        let setting: MetadataHashDemand
        /// Of the policy itself; nil without a policy.
        let policy: MetadataHashDemand?
        /// Of a rule that approves the transfer otherwise; nil for a rule without the key.
        let rule: MetadataHashDemand?

        var description: String {
            """
            \(canCheck ? "can" : "cannot") check, \(mode), \(form), \(vouching), setting \(setting), policy \
            \(policy.map { "\($0)" } ?? "-"), rule \(rule.map { "\($0)" } ?? "-")
            """
        }
    }

    private static let runtimes: (can: FixtureRuntime, cannot: FixtureRuntime) = {
        var without = SigningVault.runtime
        without.extensions.removeAll { $0.role == .metadataHash }
        return (SigningVault.runtime, without)
    }()

    private static let states: (can: TrustState, cannot: TrustState) = (
        try! SigningVault.data(runtime: runtimes.can).state,
        try! SigningVault.data(runtime: runtimes.cannot).state
    )

    /// Metadata by version, as the stored form of each row has it.
    private static let blobs: (can: [Form: [UInt8]], cannot: [Form: [UInt8]]) = (
        blobs(of: runtimes.can), blobs(of: runtimes.cannot)
    )

    private static func blobs(of runtime: FixtureRuntime) -> [Form: [UInt8]] {
        [
            .version14: runtime.metadata(.v14), .version15: runtime.metadata(.v15),
            .version16: runtime.metadata(.v16),
        ]
    }

    private static let verifier = PublicKey(scheme: .sr25519, bytes: SigningVault.bob)!

    /// All rows that can be: a runtime without the extension has no mode and no proof.
    static let rows: [Row] = {
        var rows: [Row] = []
        for canCheck in [true, false] {
            for mode in Mode.allCases where canCheck || mode == .disabled {
                for form in Form.allCases where canCheck || form != .proof {
                    for vouching in Vouching.allCases {
                        for setting in MetadataHashDemand.allCases {
                            for policy in [nil] + MetadataHashDemand.allCases.map(Optional.some) {
                                for rule in [nil] + MetadataHashDemand.allCases.map(Optional.some) {
                                    rows.append(
                                        Row(
                                            canCheck: canCheck, mode: mode, form: form, vouching: vouching,
                                            setting: setting,
                                            policy: policy, rule: rule))
                                }
                            }
                        }
                    }
                }
            }
        }
        return rows
    }()

    /// What a row leads to.
    struct Outcome: Equatable {
        /// nil where the payload cannot even be read.
        var provenance: Provenance?
        var refusal: ReviewError?
        var isApproved = false
        /// The code of the only warning.
        var warning: String?
        var word: String?
    }

    private static func data(_ row: Row) throws -> ChainData {
        let runtime = row.canCheck ? runtimes.can : runtimes.cannot
        let blob = (row.canCheck ? blobs.can : blobs.cannot)[row.form]
        let rule =
            StandingApprovalLaws.bare.dropLast()
            + (row.rule.map { ", \"require_metadata_hash\": \"\($0.rawValue)\"" } ?? "") + "}"
        let own = row.policy.map { "\"require_metadata_hash\": \"\($0.rawValue)\", " } ?? ""
        var state = row.canCheck ? states.can : states.cannot
        state.settings[TransactionPolicy.setting] = Array("{\(own)\"approve\": [\(rule)]}".inHLO.utf8)
        state.metadata =
            blob.map {
                [
                    MetadataRecord(
                        genesis: runtime.genesisHash, version: runtime.specVersion, hash: .blake2b(of: $0),
                        length: $0.count)
                ]
            } ?? []
        switch row.vouching {
        case .general:
            state.generalVerifier = verifier
            state.verifiers[runtime.genesisHash] = .general
        case .custom: state.verifiers[runtime.genesisHash] = .custom(verifier)
        case .nobody: state.verifiers[runtime.genesisHash] = .custom(nil)
        }
        if case .putSetting(let name, let value) = TrustState.putMetadataHashDemand(
            row.setting, genesis: runtime.genesisHash)
        {
            state.settings[name] = value
        }
        return ChainData(state: state) { _ in try #require(blob) }
    }

    private static func payload(_ row: Row) throws -> [UInt8] {
        let runtime = row.canCheck ? runtimes.can : runtimes.cannot
        let metadata = try RuntimeMetadata(runtime.metadata(.v15))
        let digest = try MetadataDigest(
            of: metadata, extraInfo: ExtraInfo(metadata.runtimeVersion, runtime.specs)
        ).hash
        let values = FixtureExtensionValues(
            era: SigningVault.mortal, blockHash: Hash32(SigningVault.bob),
            metadataHash: row.mode == .enabled ? digest : nil)
        let call = SigningVault.transfer()
        guard row.form == .proof else {
            return runtime.transactionPayload(signer: SigningVault.alice, call: call, values)
        }
        let parts = runtime.extensionBytes(values)
        let proof = try MetadataProof.make(
            metadata: metadata, extraInfo: ExtraInfo(metadata.runtimeVersion, runtime.specs), call: call,
            extensions: parts.explicit + parts.implicit)
        return [0x53, 0x01, 0x06] + SigningVault.alice + proof.encoded
            + runtime.transactionBody(call: call, values)
            + runtime.genesisHash.bytes
    }

    private static func found(_ row: Row) throws -> Outcome {
        let data = try data(row)
        do {
            let reviewed = try TransactionReview(data).review(try Payload(payload(row)))
            return Outcome(
                provenance: reviewed[0].provenance, refusal: reviewed[0].refusal,
                isApproved: try data.standingApproval(of: reviewed) != nil,
                warning: reviewed[0].cards.warning.first.flatMap { $0.text(of: "code") },
                word: ReviewSummary(reviewed[0]).word?.text)
        } catch let error as ReviewError {
            return Outcome(refusal: error)
        }
    }

    // MARK: The rules, once more

    private static func check(_ row: Row) -> MetadataHashCheck {
        guard row.canCheck else { return .unsupported }
        guard row.mode == .enabled else { return .disabled }
        switch row.form {
        case .proof, .version15: return .passed
        case .version14: return .notCompared(version: 14)
        case .version16: return .notCompared(version: 16)
        }
    }

    private static func meets(_ demand: MetadataHashDemand, _ check: MetadataHashCheck) -> Bool {
        demand == .never || check == .passed || demand == .wherePossible && check == .unsupported
    }

    private static func expected(_ row: Row) -> Outcome {
        // A proof whose hash is turned off proves nothing.
        if row.form == .proof, row.mode == .disabled {
            return Outcome(
                refusal: .transaction(
                    ExtrinsicError(.metadataHashDisabled, place: "extensions.CheckMetadataHash"),
                    network: "heliotest"))
        }
        let check = check(row)
        let voucher: MetadataVoucher = row.vouching == .nobody ? .nobody : .verifier(verifier)
        var outcome = Outcome()
        outcome.provenance =
            check == .passed
            ? .chain(beyond: [])
            : .stored(.init(version: SigningVault.runtime.specVersion, voucher: voucher, check: check))
        // What nobody signed is warned of wherever it is; what a verifier signed, where the chain could have
        // checked it.
        if check != .passed {
            outcome.warning =
                row.vouching == .nobody ? "unsigned_metadata" : row.canCheck ? "metadata_believed" : nil
        }
        outcome.word = check != .passed && row.vouching == .nobody ? "unsigned metadata" : nil
        // What nobody signed does not say what the runtime cannot do.
        func meets(_ demand: MetadataHashDemand, _ check: MetadataHashCheck) -> Bool {
            Self.meets(demand, check)
                && !(demand == .wherePossible && check == .unsupported && row.vouching == .nobody)
        }
        if !meets(row.setting, check) {
            outcome.refusal =
                Self.meets(row.setting, check)
                ? .unsignedAboutHash(network: "heliotest")
                : .metadataHashRequired(network: "heliotest", check)
        } else if let policy = row.policy, !meets(policy, check) {
            outcome.refusal = .policy(.metadataHash(check))
        }
        outcome.isApproved =
            outcome.refusal == nil && meets(row.rule ?? .always, check) && row.vouching != .nobody
            && row.form != .proof
        return outcome
    }

    @Test func everyRowDoesWhatTheRulesSay() throws {
        #expect(Self.rows.count == (2 * 4 + 3) * 3 * 3 * 4 * 4)
        var outcomes: [Outcome] = []
        for row in Self.rows {
            let (found, expected) = (try Self.found(row), Self.expected(row))
            #expect(found == expected, "\(row)")
            if !outcomes.contains(expected) { outcomes.append(expected) }
        }
        // The matrix is no empty one: each kind of outcome is in it.
        #expect(
            outcomes.contains { $0.isApproved } && outcomes.contains { $0.word != nil }
                && outcomes.contains { $0.refusal != nil })
    }
}
