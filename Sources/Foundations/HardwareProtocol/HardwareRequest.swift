import SCALE

/// A request to the program that talks to hardware, `heliograph-hardware`.
///
/// On the pipe: the length of the open part, u32, the open part in SCALE, then the secrets, whose length
/// follows from the request. The secrets stand apart, so that no encoder makes copies of them.
public enum HardwareRequest: Equatable, Sendable {
    /// Seals a secret, 32 bytes, under an authorization value, 32 bytes, to PCRs of the TPM: a bit for each.
    case seal(pcrs: UInt32)
    /// Unseals it by its authorization value.
    case unseal(primary: [UInt8], blob: [UInt8], pcrs: UInt32)
    /// Defines a counter with an authorization value.
    case defineCounter(primary: [UInt8])
    /// Reads the counter by its authorization value, after counting once where asked.
    case readCounter(CounterPlace, counts: Bool)
    /// Removes a counter, if it still is the one of that Name.
    case removeCounter(CounterPlace)
    /// Asks how the TPM limits guessing.
    case facts
    /// Asks whether the security key that is plugged in has a PIN.
    case keyFacts
    /// Makes a credential on the security key, and its secret of a salt, 32 bytes; with its PIN where it has
    /// one.
    case enrollKey(salt: [UInt8], withPIN: Bool)
    /// Asks the security key that has a credential for its secret of a salt.
    case keySecret(credential: [UInt8], salt: [UInt8], withPIN: Bool)
    /// Encrypts a secret, 32 bytes, to a key of a token, with its PIN.
    case wrapByToken(TokenKey)
    /// Decrypts it with the PIN.
    case unwrapByToken(TokenKey, blob: [UInt8])

    /// What a request is for. The process that answers it sees no other device.
    public enum Device: Sendable {
        case tpm
        case securityKey
        /// A smart card, by the module that the program was started with.
        case token
    }

    /// What the request is for.
    public var device: Device {
        switch self {
        case .seal, .unseal, .defineCounter, .readCounter, .removeCounter, .facts: .tpm
        case .keyFacts, .enrollKey, .keySecret: .securityKey
        case .wrapByToken, .unwrapByToken: .token
        }
    }

    /// Bytes of a PIN and the zeros behind it, one at least.
    public static let pinLength = 64
    /// Bytes of a secret, and of an authorization value.
    public static let secretLength = 32
    /// Bytes of a Name: the number of SHA-256 and its digest.
    public static let nameLength = 34
    /// A sealed secret is shorter.
    public static let blobLimit = 1024
    /// The open part of any request is shorter.
    public static let lengthLimit = 2048

    /// Bytes of the secrets behind the open part.
    public var secretCount: Int {
        switch self {
        case .seal: 2 * Self.secretLength
        case .unseal, .defineCounter, .readCounter: Self.secretLength
        case .enrollKey(_, let withPIN), .keySecret(_, _, let withPIN): withPIN ? Self.pinLength : 0
        case .wrapByToken: Self.pinLength + Self.secretLength
        case .unwrapByToken: Self.pinLength
        case .removeCounter, .facts, .keyFacts: 0
        }
    }

    /// Whether a secret stands behind the answer.
    public var givesSecret: Bool {
        switch self {
        case .unseal, .enrollKey, .keySecret, .unwrapByToken: true
        case .seal, .defineCounter, .readCounter, .removeCounter, .facts, .keyFacts, .wrapByToken: false
        }
    }

    /// The open part.
    public var encoded: [UInt8] {
        SCALEWriter.encode { writer in
            switch self {
            case .seal(let pcrs):
                writer.u8(0)
                writer.integer(pcrs)
            case .unseal(let primary, let blob, let pcrs):
                writer.u8(1)
                writer.raw(primary)
                writer.byteVector(blob)
                writer.integer(pcrs)
            case .defineCounter(let primary):
                writer.u8(2)
                writer.raw(primary)
            case .readCounter(let place, let counts):
                writer.u8(3)
                place.write(to: &writer)
                writer.bool(counts)
            case .removeCounter(let place):
                writer.u8(4)
                place.write(to: &writer)
            case .facts: writer.u8(5)
            case .keyFacts: writer.u8(6)
            case .enrollKey(let salt, let withPIN):
                writer.u8(7)
                writer.raw(salt)
                writer.bool(withPIN)
            case .keySecret(let credential, let salt, let withPIN):
                writer.u8(8)
                writer.byteVector(credential)
                writer.raw(salt)
                writer.bool(withPIN)
            case .wrapByToken(let key):
                writer.u8(9)
                key.write(to: &writer)
            case .unwrapByToken(let key, let blob):
                writer.u8(10)
                key.write(to: &writer)
                writer.byteVector(blob)
            }
        }
    }

    /// Reads an open part.
    public init(_ bytes: [UInt8]) throws(SCALEError) {
        var reader = SCALEReader(bytes)
        switch try reader.u8() {
        case 0: self = .seal(pcrs: try reader.integer())
        case 1:
            self = .unseal(
                primary: try reader.bytes(count: Self.nameLength), blob: try reader.byteVector(),
                pcrs: try reader.integer())
        case 2: self = .defineCounter(primary: try reader.bytes(count: Self.nameLength))
        case 3: self = .readCounter(try CounterPlace(&reader), counts: try reader.bool())
        case 4: self = .removeCounter(try CounterPlace(&reader))
        case 5: self = .facts
        case 6: self = .keyFacts
        case 7:
            self = .enrollKey(
                salt: try reader.bytes(count: Self.secretLength), withPIN: try reader.bool())
        case 8:
            self = .keySecret(
                credential: try reader.byteVector(), salt: try reader.bytes(count: Self.secretLength),
                withPIN: try reader.bool())
        case 9: self = .wrapByToken(try TokenKey(&reader))
        case 10: self = .unwrapByToken(try TokenKey(&reader), blob: try reader.byteVector())
        case let kind: throw SCALEError(.invalidDiscriminant(kind), offset: 0)
        }
        try reader.finish()
    }
}

/// Where a counter is, and what it is.
public struct CounterPlace: Equatable, Sendable {
    /// The Name of the primary key to which sessions are salted.
    public let primary: [UInt8]
    /// The handle of the NV index.
    public let index: UInt32
    /// The index's Name, which holds its type and attributes: an ordinary index has another one.
    public let name: [UInt8]

    public init(primary: [UInt8], index: UInt32, name: [UInt8]) {
        (self.primary, self.index, self.name) = (primary, index, name)
    }

    public func write(to writer: inout SCALEWriter) {
        writer.raw(primary)
        writer.integer(index)
        writer.raw(name)
    }

    public init(_ reader: inout SCALEReader) throws(SCALEError) {
        primary = try reader.bytes(count: HardwareRequest.nameLength)
        index = try reader.integer()
        name = try reader.bytes(count: HardwareRequest.nameLength)
    }
}

/// Which token, and which key of it.
public struct TokenKey: Equatable, Hashable, Sendable {
    /// As the token has it: 32 bytes, with blanks behind it.
    public let label: [UInt8]
    /// 16 bytes; zeros before it was bound.
    public let serial: [UInt8]
    /// The key's `CKA_ID`, at most 64 bytes; empty before it was bound.
    public let id: [UInt8]

    /// The label without the blanks behind it. Nobody has proven it before the vault is open: what a terminal
    /// would obey, or show as other letters, is a question mark.
    public var name: String {
        let end = label.lastIndex { $0 != 0x20 }.map { $0 + 1 } ?? 0
        return String(decoding: label[..<end].map { (0x20...0x7e) ~= $0 ? $0 : 0x3f }, as: UTF8.self)
    }

    /// Bytes of a label.
    public static let labelLength = 32
    /// Bytes of a serial number.
    public static let serialLength = 16
    /// The id of a key is at most as long.
    public static let idLimit = 64

    public init(label: [UInt8], serial: [UInt8], id: [UInt8]) {
        (self.label, self.serial, self.id) = (label, serial, id)
    }

    /// A token that is to be bound.
    /// - Parameter label: 1 to 32 bytes, without the blanks.
    /// - Returns: nil for another length.
    public init?(label: String) {
        let bytes = Array(label.utf8)
        guard (1...Self.labelLength) ~= bytes.count else { return nil }
        self.init(
            label: bytes + [UInt8](repeating: 0x20, count: Self.labelLength - bytes.count),
            serial: [UInt8](repeating: 0, count: Self.serialLength), id: [])
    }

    public func write(to writer: inout SCALEWriter) {
        writer.raw(label)
        writer.raw(serial)
        writer.byteVector(id)
    }

    public init(_ reader: inout SCALEReader) throws(SCALEError) {
        label = try reader.bytes(count: Self.labelLength)
        serial = try reader.bytes(count: Self.serialLength)
        let offset = reader.offset
        id = try reader.byteVector()
        guard id.count <= Self.idLimit else {
            throw SCALEError(.invalidDiscriminant(UInt8.max), offset: offset)
        }
    }
}

/// How a request ended. The first nine are those of `heliograph_tpm.h`, and those from ``noKey`` on those of
/// `heliograph_fido.h` and `heliograph_token.h`.
public enum HardwareOutcome: UInt8, CaseIterable, Sendable {
    case done = 0
    /// The TPM counted a wrong authorization value.
    case wrongAuth
    /// It takes none for a while.
    case lockedOut
    case pcrsChanged
    /// Another TPM, or a cleared one.
    case otherTPM
    case otherCounter
    /// The owner hierarchy has an authorization value.
    case owned
    /// The device does not answer.
    case device
    case failed
    /// There is no TPM, or it may not be opened.
    case noDevice
    /// The program could not shut itself in.
    case sandbox
    /// The request is malformed: the two programs are of different builds.
    case notUnderstood
    /// No security key is plugged in, or none may be opened.
    case noKey
    /// None of those that are made the credential.
    case otherKey
    case severalKeys
    /// The code says how many attempts are left.
    case wrongPIN
    case pinLocked
    /// The key has a PIN where it had none, or the other way round.
    case pinChanged
    case notTouched
    /// The key cannot make secrets.
    case unfitKey
    /// The key does not answer.
    case keySilent
    case keyFailed
    /// A token does not say how many attempts are left.
    case wrongTokenPIN
    /// The module cannot be loaded, or others than root can change it.
    case noModule
    case noToken
    /// Another token, or its key is gone.
    case otherToken
    /// The token has no RSA key that decrypts, and makes none.
    case unfitToken
    case tokenFailed
}

/// An answer. On the pipe: the outcome, u8, a code, u32, the length of the open part, u32, the open part, and
/// behind a done request that ``HardwareRequest/givesSecret`` the secret, 32 bytes.
public struct HardwareReply: Equatable, Sendable {
    public let outcome: HardwareOutcome
    /// The device's own code, the system's error number, or the attempts that are left.
    public let code: UInt32
    public let open: [UInt8]

    public init(_ outcome: HardwareOutcome, code: UInt32 = 0, open: [UInt8] = []) {
        (self.outcome, self.code, self.open) = (outcome, code, open)
    }

    /// Bytes before the open part.
    public static let headerLength = 1 + 4 + 4

    public var encoded: [UInt8] {
        SCALEWriter.encode { writer in
            writer.u8(outcome.rawValue)
            writer.integer(code)
            writer.integer(UInt32(open.count))
            writer.raw(open)
        }
    }

    /// Reads the bytes before the open part, and its length; nil for anything else.
    public static func header(_ bytes: [UInt8]) -> (outcome: HardwareOutcome, code: UInt32, length: Int)? {
        var reader = SCALEReader(bytes)
        guard let number = try? reader.u8(), let outcome = HardwareOutcome(rawValue: number),
            let code = try? reader.integer(UInt32.self), let length = try? reader.integer(UInt32.self),
            length <= UInt32(HardwareRequest.lengthLimit)
        else { return nil }
        return (outcome, code, Int(length))
    }
}

/// How a TPM limits guessing.
public struct TPMFacts: Equatable, Sendable {
    /// Wrong values that it has counted, and how many it takes before it locks.
    public let failures: UInt32
    public let failuresAllowed: UInt32
    /// Seconds until it forgets one of them.
    public let recoverySeconds: UInt32
    /// Whether somebody who starts the machine needs a value to reset the count.
    public let isLockoutGuarded: Bool
    public let isLockedOut: Bool

    public init(
        failures: UInt32, failuresAllowed: UInt32, recoverySeconds: UInt32, isLockoutGuarded: Bool,
        isLockedOut: Bool
    ) {
        (self.failures, self.failuresAllowed) = (failures, failuresAllowed)
        self.recoverySeconds = recoverySeconds
        (self.isLockoutGuarded, self.isLockedOut) = (isLockoutGuarded, isLockedOut)
    }

    public var encoded: [UInt8] {
        SCALEWriter.encode { writer in
            for number in [failures, failuresAllowed, recoverySeconds] { writer.integer(number) }
            writer.bool(isLockoutGuarded)
            writer.bool(isLockedOut)
        }
    }

    public init(_ bytes: [UInt8]) throws(SCALEError) {
        var reader = SCALEReader(bytes)
        failures = try reader.integer()
        failuresAllowed = try reader.integer()
        recoverySeconds = try reader.integer()
        isLockoutGuarded = try reader.bool()
        isLockedOut = try reader.bool()
        try reader.finish()
    }
}
