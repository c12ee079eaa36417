import HardwareProtocol
import SCALE
import SubstratePrimitives

/// The data key, wrapped for one way to open the vault. All of its factors are needed together; the slots of
/// a file are alternatives.
///
/// SCALE, fields in this order: factors Vec<Factor>, nonce [24], ciphertext [48]. A factor is its kind, u8,
/// and a body Vec<u8>: of 0, passphrase: salt [16], passes u32, KiB u32; of 1, recovery key: public key [32],
/// ephemeral public key [32]; of 2, key file: nothing; of 3, TPM: Name of the primary key [34], PCRs
/// u32, sealed secret Vec<u8>; of 4, security key: credential Vec<u8>, salt [32], with PIN bool. The factors stand in the order of their kinds.
struct KeySlot: Equatable, Sendable {
    enum Factor: Equatable, Sendable {
        case passphrase(Stretching)
        /// The public part of the words, X25519, and of the pair that was drawn for this slot alone.
        /// And what only the owner of the words and whoever has the data key know, sealed under the latter.
        case recoveryKey(lock: [UInt8], ephemeral: [UInt8], proof: SealedBox.Box)
        case keyFile
        case tpm(TPMSeal)
        case securityKey(SecurityKeySlot)
        case token(TokenSlot)
    }

    /// How a passphrase becomes a key.
    struct Stretching: Equatable, Sendable {
        /// 16 bytes.
        var salt: [UInt8]
        var cost: KDFCost
    }

    var factors: [Factor]
    /// 24 bytes of nonce, 48 of ciphertext.
    var box: SealedBox.Box

    var needsKeyFile: Bool { factors.contains(.keyFile) }

    /// Whether a passphrase is told to be wrong here without hardware.
    var needsPassphraseAlone: Bool {
        stretching != nil
            && factors.allSatisfy {
                switch $0 {
                case .passphrase, .recoveryKey, .keyFile: true
                case .tpm, .securityKey, .token: false
                }
            }
    }

    var stretching: Stretching? {
        guard case .passphrase(let stretching)? = factors.first else { return nil }
        return stretching
    }

    /// What deriving a key from the passphrase costs; nil for a slot without a passphrase.
    var cost: KDFCost? {
        get { stretching?.cost }
        set {
            guard let stretching, let newValue else { return }
            factors[0] = .passphrase(Stretching(salt: stretching.salt, cost: newValue))
        }
    }

    var recoveryLock: [UInt8]? {
        guard case .recoveryKey(let lock, _, _)? = factors.first else { return nil }
        return lock
    }

    var tpmSeal: TPMSeal? {
        for case .tpm(let seal) in factors { return seal }
        return nil
    }

    var token: TokenSlot? {
        for case .token(let token) in factors { return token }
        return nil
    }

    var securityKey: SecurityKeySlot? {
        for case .securityKey(let key) in factors { return key }
        return nil
    }

    /// Whether the factors are a rule that this program makes: a passphrase with further factors in the order
    /// of their kinds, or a recovery key alone. Each needs something that a person knows or keeps on
    /// paper, because whoever takes the machine has its files and its hardware.
    var isRule: Bool {
        let kinds = factors.map(\.kind)
        guard zip(kinds, kinds.dropFirst()).allSatisfy(<) else { return false }
        return factors.first.map {
            switch $0 {
            case .passphrase: !kinds.contains(Factor.recoveryKind)
            case .recoveryKey: factors.count == 1
            case .keyFile, .tpm, .securityKey, .token: false
            }
        } ?? false
    }

    func writeHeader(to writer: inout SCALEWriter) {
        writer.vector(factors) { writer, factor in
            writer.u8(factor.kind)
            writer.byteVector(factor.body)
        }
    }
}

extension KeySlot.Factor {
    fileprivate static let recoveryKind: UInt8 = 1

    fileprivate var kind: UInt8 {
        switch self {
        case .passphrase: 0
        case .recoveryKey: Self.recoveryKind
        case .keyFile: 2
        case .tpm: 3
        case .securityKey: 4
        case .token: 5
        }
    }

    fileprivate var body: [UInt8] {
        SCALEWriter.encode { writer in
            switch self {
            case .passphrase(let stretching):
                writer.raw(stretching.salt)
                writer.integer(stretching.cost.passes)
                writer.integer(stretching.cost.memory)
            case .recoveryKey(let lock, let ephemeral, let proof):
                writer.raw(lock)
                writer.raw(ephemeral)
                writer.raw(proof.nonce)
                writer.raw(proof.ciphertext)
            case .keyFile: break
            case .tpm(let seal):
                writer.raw(seal.primary)
                writer.integer(seal.pcrs)
                writer.byteVector(seal.blob)
            case .securityKey(let key):
                writer.byteVector(key.credential)
                writer.raw(key.salt)
                writer.bool(key.isVerified)
            case .token(let token):
                writer.string(token.module.text)
                token.key.write(to: &writer)
                writer.byteVector(token.blob)
            }
        }
    }

    init(_ source: inout SCALEReader) throws(SCALEError) {
        let offset = source.offset
        let kind = try source.u8()
        var reader = SCALEReader(try source.byteVector())
        switch kind {
        case 0:
            self = .passphrase(
                KeySlot.Stretching(
                    salt: try reader.bytes(count: Argon2id.saltLength),
                    cost: KDFCost(passes: try reader.integer(), memory: try reader.integer())))
        case Self.recoveryKind:
            self = .recoveryKey(
                lock: try reader.bytes(count: RecoveryLock.length),
                ephemeral: try reader.bytes(count: RecoveryLock.length),
                proof: SealedBox.Box(
                    nonce: try reader.bytes(count: SealedBox.nonceLength),
                    ciphertext: try reader.bytes(count: SealedBox.keyLength + SealedBox.tagLength)))
        case 2: self = .keyFile
        case 3:
            self = .tpm(
                TPMSeal(
                    primary: try reader.bytes(count: HardwareRequest.nameLength),
                    pcrs: try reader.integer(), blob: try reader.byteVector()))
        case 4:
            self = .securityKey(
                SecurityKeySlot(
                    credential: try reader.byteVector(),
                    salt: try reader.bytes(count: HardwareRequest.secretLength),
                    isVerified: try reader.bool()))
        case 5:
            self = .token(
                TokenSlot(
                    module: ExactText(try reader.string()), key: try TokenKey(&reader),
                    blob: try reader.byteVector()))
        case let kind: throw SCALEError(.invalidDiscriminant(kind), offset: offset)
        }
        try reader.finish()
    }
}

/// What a key slot shows without a passphrase.
public struct KeySlotInfo: Sendable, Hashable {
    /// Something that is needed to open a vault.
    public enum Factor: Sendable, Hashable {
        /// What a person knows.
        case passphrase
        /// Fourteen words on paper.
        case recoveryKey
        /// A file on a medium of its own.
        case keyFile
        /// The TPM of one machine, where that started with these PCRs as they were.
        case tpm(pcrs: [Int])
        /// A FIDO2 security key, with its PIN where it had one.
        case securityKey(isVerified: Bool)
        /// A token of this name, by a PKCS#11 module.
        case token(label: ExactText, module: ExactText)

        /// As it stands in a sentence.
        public var name: String {
            switch self {
            case .passphrase: "the passphrase"
            case .recoveryKey: "the printed recovery key"
            case .keyFile: "the key file"
            case .tpm(let pcrs):
                pcrs.isEmpty
                    ? "this machine's TPM"
                    : "this machine's TPM as it started (PCR \(pcrs.map(String.init).joined(separator: ", ")))"
            case .securityKey(let isVerified):
                isVerified ? "the security key with its PIN" : "the security key"
            case .token(let label, _): "the token \(label) with its PIN"
            }
        }
    }

    /// All of them are needed.
    public let factors: [Factor]
    /// The public part of the recovery key; nil for a slot without one.
    public let recoveryLock: [UInt8]?
    /// What deriving a key from the passphrase costs; nil for a slot without one.
    public let cost: KDFCost?

    /// Whether a TPM is one of the factors.
    public var needsTPM: Bool {
        factors.contains { if case .tpm = $0 { true } else { false } }
    }

    /// Whether a security key is one of the factors.
    public var needsSecurityKey: Bool {
        factors.contains { if case .securityKey = $0 { true } else { false } }
    }

    /// Whether one of the factors is hardware, which breaks, is reset or gets lost.
    public var needsHardware: Bool { needsTPM || needsSecurityKey || tokenModule != nil }

    /// The PKCS#11 module of a token that is one of the factors.
    public var tokenModule: String? {
        for case .token(_, let module) in factors { return module.text }
        return nil
    }

    /// Whether a key file is one of the factors.
    public var needsKeyFile: Bool { factors.contains(.keyFile) }

    init(_ slot: KeySlot) {
        factors = slot.factors.map {
            switch $0 {
            case .passphrase: .passphrase
            case .recoveryKey: .recoveryKey
            case .keyFile: .keyFile
            case .tpm(let seal): .tpm(pcrs: seal.pcrNumbers)
            case .securityKey(let key): .securityKey(isVerified: key.isVerified)
            case .token(let token):
                .token(label: ExactText(token.key.name), module: token.module)
            }
        }
        recoveryLock = slot.recoveryLock
        cost = slot.cost
    }

    /// The whole rule in one sentence, such as "opens with the passphrase and the key file; or with the
    /// printed recovery key".
    public static func rule(of slots: [KeySlotInfo]) -> String {
        "opens "
            + slots.map { slot in
                let names = slot.factors.map(\.name)
                let last = names.last ?? ""
                return "with " + (names.count > 1 ? names.dropLast().joined(separator: ", ") + " and " : "")
                    + last
            }.joined(separator: "; or ")
    }
}
