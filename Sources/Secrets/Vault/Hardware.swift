import Diagnostics
import Glibc
import HardwareProtocol
import Keys
import SCALE
import SubstratePrimitives

/// A secret that one TPM unseals, for whoever has the authorization value that belongs to it.
public struct TPMSeal: Equatable, Hashable, Sendable {
    /// The Name of the primary key, recorded when the vault was bound: sessions are salted to no other.
    public let primary: [UInt8]
    /// A bit for each PCR that must be as it was; 0 for none.
    public let pcrs: UInt32
    /// The sealed secret as the TPM keeps it outside of itself.
    public let blob: [UInt8]

    public init(primary: [UInt8], pcrs: UInt32, blob: [UInt8]) {
        (self.primary, self.pcrs, self.blob) = (primary, pcrs, blob)
    }

    /// The numbers of the PCRs.
    public var pcrNumbers: [Int] { (0..<24).filter { pcrs & (1 << UInt32($0)) != 0 } }
}

/// A secret that one FIDO2 security key makes.
public struct SecurityKeySlot: Equatable, Hashable, Sendable {
    /// The id of the key's credential, which it made for this vault and which says nothing to another key.
    public let credential: [UInt8]
    /// 32 bytes, drawn for this slot.
    public let salt: [UInt8]
    /// Whether the key was asked with its PIN: it makes another secret without.
    public let isVerified: Bool

    public init(credential: [UInt8], salt: [UInt8], isVerified: Bool) {
        (self.credential, self.salt, self.isVerified) = (credential, salt, isVerified)
    }
}

/// A security key that was just bound, and the secret that it made.
public struct BoundSecurityKey: Sendable {
    public let slot: SecurityKeySlot
    /// 32 bytes.
    public let secret: HeldSecret

    public init(_ slot: SecurityKeySlot, secret: consuming SecretBytes) {
        self.slot = slot
        self.secret = HeldSecret(secret)
    }
}

/// A secret that one token decrypts, for whoever has its PIN.
public struct TokenSlot: Equatable, Hashable, Sendable {
    /// The path of the PKCS#11 module.
    public let module: ExactText
    /// The token, and the key to which the secret is encrypted.
    public let key: TokenKey
    /// The secret, encrypted.
    public let blob: [UInt8]

    public init(module: ExactText, key: TokenKey, blob: [UInt8]) {
        (self.module, self.key, self.blob) = (module, key, blob)
    }
}

/// Hardware that takes part in opening a vault.
///
/// What it gives is one factor of several and never the data key. It sees no seed, and it signs nothing: no
/// TPM and no security key has the curves of this project's signatures.
public protocol Hardware: Sendable {
    /// Seals a secret of 32 bytes under an authorization value of 32.
    func seal(
        _ secret: borrowing SecretBytes, auth: borrowing SecretBytes, pcrs: UInt32
    ) throws(HardwareError) -> TPMSeal
    /// The sealed secret.
    func unseal(_ seal: TPMSeal, auth: borrowing SecretBytes) throws(HardwareError) -> SecretBytes
    /// Makes a counter that only goes up.
    func defineCounter(
        primary: [UInt8], auth: borrowing SecretBytes
    ) throws(HardwareError) -> (place: CounterPlace, value: UInt64)
    /// What the counter says, after counting once where asked.
    func counter(
        _ place: CounterPlace, auth: borrowing SecretBytes, counts: Bool
    ) throws(HardwareError) -> UInt64
    func removeCounter(_ place: CounterPlace) throws(HardwareError)
    /// How the TPM limits guessing.
    func facts() throws(HardwareError) -> TPMFacts
    /// Makes a credential on the security key that is plugged in. A person touches it twice, and types its
    /// PIN where it has one.
    func bindSecurityKey(salt: [UInt8]) throws(HardwareError) -> BoundSecurityKey
    /// What the security key makes of the salt, 32 bytes, once a person touches it.
    func secret(of key: SecurityKeySlot) throws(HardwareError) -> SecretBytes
    /// Encrypts a secret of 32 bytes to a key of a token, for which a person types its PIN.
    func wrap(
        _ secret: borrowing SecretBytes, to key: TokenKey, module: String
    ) throws(HardwareError) -> TokenSlot
    /// Decrypts it.
    func secret(of token: TokenSlot) throws(HardwareError) -> SecretBytes
}

/// For programs without hardware: it refuses every request.
public struct NoHardware: Hardware {
    public init() {}

    public func seal(
        _ secret: borrowing SecretBytes, auth: borrowing SecretBytes, pcrs: UInt32
    ) throws(HardwareError) -> TPMSeal { throw .noProgram }
    public func unseal(_ seal: TPMSeal, auth: borrowing SecretBytes) throws(HardwareError) -> SecretBytes {
        throw .noProgram
    }
    public func defineCounter(
        primary: [UInt8], auth: borrowing SecretBytes
    ) throws(HardwareError) -> (place: CounterPlace, value: UInt64) { throw .noProgram }
    public func counter(
        _ place: CounterPlace, auth: borrowing SecretBytes, counts: Bool
    ) throws(HardwareError) -> UInt64 { throw .noProgram }
    public func removeCounter(_ place: CounterPlace) throws(HardwareError) { throw .noProgram }
    public func facts() throws(HardwareError) -> TPMFacts { throw .noProgram }
    public func bindSecurityKey(salt: [UInt8]) throws(HardwareError) -> BoundSecurityKey { throw .noProgram }
    public func secret(of key: SecurityKeySlot) throws(HardwareError) -> SecretBytes { throw .noProgram }
    public func wrap(
        _ secret: borrowing SecretBytes, to key: TokenKey, module: String
    ) throws(HardwareError) -> TokenSlot { throw .noProgram }
    public func secret(of token: TokenSlot) throws(HardwareError) -> SecretBytes { throw .noProgram }
}

/// Why hardware gave nothing.
public enum HardwareError: Error, Equatable, Sendable {
    /// The TPM has counted a wrong passphrase.
    case wrongAuth
    /// It takes none for a while, after too many wrong ones.
    case lockedOut
    /// What the machine started with is not what the vault was bound to.
    case pcrsChanged
    /// Another TPM than that of the binding, or a cleared one.
    case otherTPM
    /// The counter is gone, or something else has its place.
    case otherCounter
    /// Somebody else administers the TPM.
    case owned
    /// There is no TPM, or this user may not use it: the system's error number.
    case noDevice(Int32)
    /// The device does not answer.
    case device
    /// A code of the TPM.
    case failed(UInt32)
    /// No security key is plugged in, or this user may not use it: the system's error number.
    case noKey(Int32)
    /// None of the security keys that are plugged in belongs to the vault.
    case otherKey
    /// More than one is plugged in, and one is to be bound.
    case severalKeys
    /// Another PIN was typed: how many attempts are left; nil where the device does not say.
    case wrongPIN(left: UInt32?)
    /// Too many wrong ones were.
    case pinLocked
    /// The PIN was set or removed since the vault was bound.
    case pinChanged
    /// Nobody typed the PIN.
    case noPIN
    /// A PIN has 1 to 63 bytes.
    case pinLength
    case notTouched
    /// The security key has no hmac-secret.
    case unfitKey
    case keySilent
    /// A code of CTAP.
    case keyFailed(UInt32)
    /// The PKCS#11 module cannot be loaded, or others than root can change it.
    case noModule
    /// No token of this name is in a reader.
    case noToken
    /// Another token of this name, or its key is gone.
    case otherToken
    /// The token has no RSA key that decrypts, and makes none.
    case unfitToken
    /// A code of PKCS#11.
    case tokenFailed(UInt32)
    /// heliograph-hardware does not answer.
    case silent
    /// The program that talks to hardware is not installed.
    case noProgram
    /// It ended, or could not shut itself in.
    case ended
    /// It is of another build.
    case notUnderstood

    /// - Returns: nil for what is done.
    public init?(_ outcome: HardwareOutcome, code: UInt32) {
        switch outcome {
        case .done: return nil
        case .wrongAuth: self = .wrongAuth
        case .lockedOut: self = .lockedOut
        case .pcrsChanged: self = .pcrsChanged
        case .otherTPM: self = .otherTPM
        case .otherCounter: self = .otherCounter
        case .owned: self = .owned
        case .device: self = .device
        case .failed: self = .failed(code)
        case .noDevice: self = .noDevice(Int32(truncatingIfNeeded: code))
        case .sandbox: self = .ended
        case .notUnderstood: self = .notUnderstood
        case .noKey: self = .noKey(Int32(truncatingIfNeeded: code))
        case .otherKey: self = .otherKey
        case .severalKeys: self = .severalKeys
        case .wrongPIN: self = .wrongPIN(left: code)
        case .pinLocked: self = .pinLocked
        case .pinChanged: self = .pinChanged
        case .notTouched: self = .notTouched
        case .unfitKey: self = .unfitKey
        case .keySilent: self = .keySilent
        case .keyFailed: self = .keyFailed(code)
        case .wrongTokenPIN: self = .wrongPIN(left: nil)
        case .noModule: self = .noModule
        case .noToken: self = .noToken
        case .otherToken: self = .otherToken
        case .unfitToken: self = .unfitToken
        case .tokenFailed: self = .tokenFailed(code)
        }
    }
}

extension HardwareError: DiagnosticError {
    private static let useRecovery = "type the recovery key in place of the passphrase"

    public var diagnostic: Diagnostic {
        switch self {
        case .wrongAuth: VaultError.wrongPassphrase(failures: 0, delay: 0).diagnostic
        case .lockedOut:
            .notPermitted(
                "tpm-locked", "the TPM takes no passphrase for now: too many wrong ones were tried",
                hint: "wait, or " + Self.useRecovery)
        case .pcrsChanged:
            .notPermitted(
                "tpm-pcrs-changed",
                "this machine did not start as it did when the vault was bound to it: "
                    + "its firmware, its settings or its boot loader changed",
                hint: "if you changed them, \(Self.useRecovery), then heliograph vault passphrase; "
                    + "was somebody else at this device?")
        case .otherTPM:
            .notPermitted(
                "tpm-other", "the vault is bound to another TPM, or this one was cleared",
                hint: Self.useRecovery)
        case .otherCounter:
            .notPermitted(
                "tpm-counter-gone",
                "the counter of this vault is not in the TPM any more: somebody removed or replaced it",
                hint: "heliograph vault unbind tpm gives the counter up; was somebody else at this device?")
        case .owned:
            .refused(
                "tpm-owned", "the TPM's owner hierarchy has a password, so nothing can be made in it",
                hint: "whoever administers this machine can clear it: tpm2_changeauth -c owner")
        case .noDevice(let number):
            .inputOutput(
                "no-tpm", "the TPM cannot be opened: \(Sentence.systemError(number))",
                hint: "as root: usermod --append --groups tss USER; or " + Self.useRecovery)
        case .device:
            .inputOutput("tpm-silent", "the TPM does not answer", hint: "restart the machine")
        case .failed(let code):
            .inputOutput(
                "tpm-failed", "the TPM refuses with code 0x\(String(code, radix: 16))",
                hint: "tpm2_rc_decode explains the code")
        case .noKey(let number):
            .inputOutput(
                "no-security-key",
                number == ENODEV
                    ? "no security key is plugged in"
                    : "the security key cannot be opened: \(Sentence.systemError(number))",
                hint: (number == ENODEV
                    ? "plug it in, and run the command again; or "
                    : "a rule of udev lets a user open it: package libfido2-1; or ") + Self.useRecovery)
        case .otherKey:
            .notPermitted(
                "security-key-other", "the vault is bound to another security key, or this one was reset",
                hint: "plug the right one in; or " + Self.useRecovery)
        case .severalKeys:
            .refused(
                "security-keys", "more than one security key is plugged in",
                hint: "leave only the one that is to be bound")
        case .wrongPIN(let left):
            .notPermitted(
                "wrong-pin",
                "wrong PIN"
                    + (left.map { ": \(Sentence.count($0, "attempt")) left before it locks" } ?? ""),
                hint: "run the command again; or " + Self.useRecovery)
        case .pinLocked:
            .notPermitted(
                "pin-locked", "too many wrong PINs were tried: no PIN is taken any more",
                hint: "plug it in again, which may help; or " + Self.useRecovery)
        case .pinChanged:
            .notPermitted(
                "pin-changed",
                "the security key asks for a PIN where it had none when the vault was bound, "
                    + "or the other way round",
                hint: "undo that; or \(Self.useRecovery), then heliograph vault passphrase")
        case .noPIN:
            .usage(
                "no-hardware-pin", "the vault needs a PIN, and none was typed",
                hint: "type it at a terminal, or --pin-fd N reads it from a descriptor")
        case .pinLength: .usage("pin-length", "a PIN has 1 to 63 bytes", hint: "type it again")
        case .notTouched:
            .notPermitted(
                "not-touched", "nobody touched the security key",
                hint: "run the command again, and touch the key when it blinks")
        case .unfitKey:
            .refused(
                "security-key-unfit", "this security key makes no secrets: it has no hmac-secret of FIDO2",
                hint: "fido2-token -I shows what a key has")
        case .keySilent:
            .inputOutput(
                "security-key-silent", "the security key does not answer", hint: "plug it in again")
        case .keyFailed(let code):
            .inputOutput(
                "security-key-failed",
                "the security key refuses with code 0x\(String(code, radix: 16))",
                hint: "plug it in again; or " + Self.useRecovery)
        case .noModule:
            .refused(
                "no-pkcs11-module",
                "the PKCS#11 module cannot be loaded, or somebody else than root can change it",
                hint: "--module names one that a package installed, such as opensc-pkcs11.so; or "
                    + Self.useRecovery)
        case .noToken:
            .inputOutput(
                "no-token", "the token is in no reader", hint: "plug it in; or " + Self.useRecovery)
        case .otherToken:
            .notPermitted(
                "token-other", "the vault is bound to another token, or to a key that this one lost",
                hint: "plug the right one in; or " + Self.useRecovery)
        case .unfitToken:
            .refused(
                "token-unfit", "the token has no RSA key that decrypts, and makes none",
                hint: "pkcs11-tool --keypairgen --key-type rsa:2048 makes one")
        case .tokenFailed(let code):
            .inputOutput(
                "token-failed", "the token refuses with code 0x\(String(code, radix: 16))",
                hint: "plug it in again; or " + Self.useRecovery)
        case .silent:
            .inputOutput(
                "hardware-silent", "heliograph-hardware gave no answer in time",
                hint: "run the command again, or restart the machine")
        case .noProgram:
            .inputOutput(
                "no-hardware-program", "the vault needs hardware, and heliograph-hardware is not installed",
                hint: "keep heliograph-hardware in the directory of heliograph; or " + Self.useRecovery)
        case .ended:
            .inputOutput(
                "hardware-ended", "heliograph-hardware ended before it answered",
                hint: "run the command again")
        case .notUnderstood:
            .badInput(
                "hardware-other-build", "heliograph and heliograph-hardware are of different builds",
                hint: "install both from one release")
        }
    }

    public static var examples: [HardwareError] {
        [
            .lockedOut, .pcrsChanged, .otherTPM, .otherCounter, .owned, .noDevice(2), .device,
            .failed(0x184), .noProgram, .ended, .notUnderstood,
            .noKey(ENODEV), .noKey(EACCES), .otherKey, .severalKeys, .wrongPIN(left: 7), .pinLocked,
            .pinChanged, .noPIN, .pinLength, .notTouched, .unfitKey, .keySilent, .keyFailed(0x3f), .silent,
            .wrongPIN(left: nil), .noModule, .noToken, .otherToken, .unfitToken,
            .tokenFailed(0x5),
        ]
    }
}
