import Hashing
import Keys
import Review
import SubstratePrimitives
import TrustStore
import Vault

/// The parts that an operation needs to act: the open vault, the trust store checked under its seal, and the
/// person. Only ``Session/perform(_:asking:)`` makes one.
public final class CommitContext<O: Operation> {
    let session: Session
    /// What the store vouches for. The commit refuses if the store has changed since.
    let trust: SealedTrust
    let view: VaultView
    let consent: Consent
    /// The rules of the policy that said yes; nil for every other consent.
    let standing: StandingApproval?
    private let person: any Person

    /// Whether somebody confirmed what was shown: a person, or a test in the place of one. A rule confirms
    /// nothing.
    var isConfirmed: Bool {
        switch consent {
        case .person, .developmentVault: true
        case .policy: false
        }
    }

    init(
        _ session: Session, _ trust: SealedTrust, _ view: VaultView, _ person: any Person, consent: Consent,
        standing: StandingApproval?
    ) {
        self.session = session
        self.trust = trust
        self.view = view
        self.person = person
        self.consent = consent
        self.standing = standing
    }

    /// The person's word for rolls that do not look random.
    /// - Throws: ``CeremonyError/predictableRolls``
    func requireWord(for concerns: [DiceRolls.Concern]) throws {
        try person.requireWord(for: concerns, isDevelopment: session.vault.isDevelopment)
    }

    /// The person's word for a seed of too few sources, or of rolls that count as nothing.
    /// - Throws: ``CeremonyError/tooFewSources``, ``CeremonyError/uncountedRolls``
    func requireWord(for sources: SeedSources?) throws {
        try person.requireWord(for: sources, isDevelopment: session.vault.isDevelopment)
    }

    var now: UInt64 { session.device.clock() }

    /// The public key of a seed at a path, without a password.
    func key(of seed: String, path: DerivationPath, scheme: SignatureScheme) throws -> PublicKey {
        try session.vault.key(of: seed, path: path, scheme: scheme)
    }

    /// The public keys of a seed at some paths, all with one password.
    /// - Parameter asksPassword: whether the person is asked for a `///password`, once.
    /// - Parameter base: the path that the question names.
    func keys(
        of seed: String, paths: [AccountPath], scheme: SignatureScheme, asksPassword: Bool,
        below base: AccountPath
    ) throws -> [PublicKey] {
        let password =
            asksPassword ? try person.password(path: base.description, address: nil) : SecretBytes()
        let stored = try session.vault.stored(seed: seed)
        var keys: [PublicKey] = []
        for path in paths {
            keys.append(
                try KeyPair.derive(stored, path: path, password: password, scheme: scheme).publicKey)
        }
        return keys
    }

    /// Lends the entropy of a seed's phrase to `body`.
    func withSeed<R: ~Copyable>(_ name: String, _ body: (borrowing SecretBytes) throws -> R) throws -> R {
        try session.vault.withSeed(name, body)
    }

    /// The key pair of a record: of its seed, or the imported one. The person is asked for the password where
    /// the key has one. A wrong password is logged.
    /// - Parameter address: the address of the key in the question, shown with its path; by default with
    ///   prefix 42.
    func keyPair(_ record: KeyRecord, address: String? = nil) throws -> KeyPair {
        try trust.state.requireHeldHere(record)
        guard let seed = record.seed else { return try session.vault.keyPair(imported: record.publicKey) }
        let path = try AccountPath(record.path, scheme: record.publicKey.scheme)
        let address = address ?? record.publicKey.address(prefix: 42)
        while true {
            let password =
                record.hasPassword ? try person.password(path: record.path, address: address) : SecretBytes()
            let key = try KeyPair.derive(
                session.vault.stored(seed: seed), path: path, password: password,
                scheme: record.publicKey.scheme)
            if key.publicKey == record.publicKey { return key }
            let error = ReviewError.derivedKeyDiffers(hasPassword: record.hasPassword)
            guard record.hasPassword else { throw error }
            let event = LogEvent(.wrongPassword, [LogEvent.Fact("key", Hex.encode(record.publicKey.bytes))])
            guard person.isAskedAgain(afterWrong: error) else {
                try session.store.append([event])
                throw error
            }
            // Beside the store, which stays the one that was confirmed.
            try session.device.store().journal(event)
        }
    }
}
