import Cards
import FixtureRuntime
import Glibc
import Hashing
import Keys
import Metadata
import Review
import SCALE
import SubstratePrimitives
import TestSupport
import Testing
import TrustStore
import TrustUpdates
import UOS
import Vault

/// A vault's folder with a store in it, gone with its test.
final class TrustFixture {
    private let folder = TemporaryDirectory()
    var directory: String { folder.path }

    init(verifier: PublicKey? = nil, networks: [NetworkSpecs] = []) throws {
        let (changes, events) = TrustSetup.initial(verifier: verifier, networks: networks, allowOnline: false)
        let vault = try Vault.create(
            directory: folder.path, passphrase: SecretBytes(), cost: KDFCost(passes: 1, memory: 8),
            development: true)
        _ = try TrustStore.create(directory: folder.path, vault: vault, changes: changes, events: events)
    }

    var store: UnlockedStore {
        get throws {
            try TrustStore(directory: directory).unlock(
                Vault.open(directory: directory).unlock(passphrase: SecretBytes()))
        }
    }
    var state: TrustState { get throws { try store.trust().state } }

    /// Reviews and applies; the cards that a person saw.
    @discardableResult
    func accept(_ update: UnverifiedUpdate) throws -> CardSet {
        let store = try store
        let verified = try UpdateReviewer.review(update, state: store.trust().state)
        try store.change(since: store.trust(), verified.changes, events: verified.events)
        return verified.cards
    }

    /// Why an update is refused; nothing in the store has changed.
    func refusal(_ update: UnverifiedUpdate, sourceLocation: SourceLocation = #_sourceLocation) throws
        -> UpdateRefusal?
    {
        let before = try state
        do throws(UpdateRefusal) {
            _ = try UpdateReviewer.review(update, state: before)
            Issue.record("the update was accepted", sourceLocation: sourceLocation)
            return nil
        } catch {
            #expect(try state == before, sourceLocation: sourceLocation)
            return error
        }
    }
}

/// Signs as the verifier of a name would.
struct Signer {
    let name: String
    let scheme: SignatureScheme

    init(_ name: String, _ scheme: SignatureScheme = .sr25519) {
        self.name = name
        self.scheme = scheme
    }

    func pair() throws -> KeyPair {
        var seed = BLAKE2b.hash(Array(name.utf8))
        return try KeyPair.derive(miniSecret: SecretBytes(wiping: &seed), scheme: scheme)
    }

    var key: PublicKey { get throws { try pair().publicKey } }

    func sign(_ bytes: [UInt8]) throws -> UpdateSignature {
        let pair = try pair()
        return UpdateSignature(key: pair.publicKey, signature: try pair.sign(bytes))
    }

    func sign(_ content: UnverifiedUpdate.Content) throws -> UnverifiedUpdate {
        UnverifiedUpdate(content, signature: try sign(content.signedBytes))
    }
}

func unsigned(_ content: UnverifiedUpdate.Content) -> UnverifiedUpdate {
    UnverifiedUpdate(content, signature: nil)
}

/// Metadata of the fixture runtime as an update's content.
func metadata(
    _ version: UInt32, of specs: NetworkSpecs, prefix: UInt16? = nil,
    change: (inout FixtureRuntime) -> Void = { _ in }
) throws
    -> UnverifiedUpdate.Content
{
    var runtime = FixtureRuntime(
        specName: specs.name, specVersion: version, ss58Prefix: prefix ?? specs.base58Prefix)
    change(&runtime)
    let blob = runtime.metadata()
    return .loadMetadata(
        blob: blob, genesis: specs.genesisHash, facts: MetadataFacts(try RuntimeMetadata(blob)))
}

func network(
    _ name: String, prefix: UInt16 = 7, decimals: UInt8 = 12, unit: String = "UNT",
    scheme: SignatureScheme = .sr25519
)
    -> NetworkSpecs
{
    NetworkSpecs(
        name: name, title: name.uppercased(), base58Prefix: prefix, decimals: decimals, unit: unit,
        genesisHash: .blake2b(of: Array(name.utf8)), scheme: scheme)
}

extension CardSet {
    /// The codes of the warnings, in order.
    var codes: [String] {
        warning.compactMap { $0.warning?.code }
    }
}

extension Attestation {
    init(_ subject: Subject, store: UnlockedStore) throws {
        try self.init(subject, ChainData(state: store.trust().state) { try store.store.content($0) })
    }
}

extension SCALEError.Reason {
    /// Whether the bytes ended too soon, or hold fewer elements than they announce.
    var isCut: Bool {
        switch self {
        case .truncated, .countExceedsInput: true
        case .leftover, .compactNotShortest, .compactTooWide, .invalidDiscriminant, .invalidUTF8: false
        }
    }
}

/// Every proper prefix of an update's payload is refused because its bytes end, by the decoder; one more byte
/// is refused as such.
func expectCutsRefused(
    _ payload: [UInt8], of place: String, sourceLocation: SourceLocation = #_sourceLocation,
    _ review: ([UInt8]) throws -> Void
) {
    for length in payload.indices {
        let error = #expect(throws: PayloadError.self, sourceLocation: sourceLocation) {
            try review(Array(payload[..<length]))
        }
        switch error {
        case .tooShort(length)? where length < Prelude.length: break
        case .malformed(let part, let error)?:
            let isCut = part.utf8.elementsEqual(place.utf8) && error.reason.isCut && length >= Prelude.length
            #expect(isCut, "\(length) of \(payload.count) bytes: \(error)", sourceLocation: sourceLocation)
        default:
            Issue.record(
                "\(length) of \(payload.count) bytes: \(String(describing: error))",
                sourceLocation: sourceLocation)
        }
    }
    #expect(throws: PayloadError.reservedTail(bytes: 1), sourceLocation: sourceLocation) {
        try review(payload + [0])
    }
}
