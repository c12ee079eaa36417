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

    /// What a request is for. The process that answers it sees no other device.
    public enum Device: Sendable {
        case tpm
        case securityKey
    }

    /// What the request is for.
    public var device: Device {
        switch self {
        case .seal, .unseal, .defineCounter, .readCounter, .removeCounter, .facts: .tpm
        case .keyFacts, .enrollKey, .keySecret: .securityKey
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
        case .removeCounter, .facts, .keyFacts: 0
        }
    }

    /// Whether a secret stands behind the answer.
    public var givesSecret: Bool {
        switch self {
        case .unseal, .enrollKey, .keySecret: true
        case .seal, .defineCounter, .readCounter, .removeCounter, .facts, .keyFacts: false
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

/// How a request ended. The first nine are those of `heliograph_tpm.h`, and those from ``noKey`` on those of
/// `heliograph_fido.h`.
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
