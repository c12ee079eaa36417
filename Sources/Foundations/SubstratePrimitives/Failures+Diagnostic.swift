import Diagnostics
import SCALE

extension SS58Address.Failure: DiagnosticError {
    public enum Code: String, CaseIterable, Sendable {
        case badAddress = "bad-address"
        case checksum = "address-checksum"
    }

    public var code: Code {
        switch self {
        case .notBase58, .wrongLength, .reservedPrefix: .badAddress
        case .wrongChecksum: .checksum
        }
    }

    public var sentence: String {
        switch self {
        case .notBase58: "the address is not valid base58"
        case .wrongLength(let bytes): "the address has \(Sentence.count(bytes, "byte")), which is not the length of an account"
        case .wrongChecksum: "the address has an invalid checksum: it was mistyped or truncated"
        case .reservedPrefix(let prefix): "the address has the reserved prefix \(prefix)"
        }
    }

    public static var examples: [Self] { [.notBase58, .wrongLength(20), .wrongChecksum, .reservedPrefix(46)] }
}

extension Era.Failure: DiagnosticError {
    public enum Code: String, CaseIterable, Sendable { case badEra = "bad-era" }

    public var code: Code { .badEra }

    public var sentence: String {
        switch self {
        case .invalid(let value): "the bytes \(Sentence.byte(UInt8(value & 0xff))) \(Sentence.byte(UInt8(value >> 8))) are not a valid era"
        }
    }

    public static var examples: [Self] { [.invalid(0x0001)] }
}

extension AssetUnits.Failure: DiagnosticError {
    public enum Code: String, CaseIterable, Sendable { case badAssetList = "bad-asset-list" }

    public var code: Code { .badAssetList }

    public var sentence: String {
        switch self {
        case .encoding(let error): "the asset list is invalid: \(error.sentence)"
        case .notAList: "the data is not an asset list"
        case .entries: "the asset list is invalid: an entry is malformed, out of order or duplicate"
        }
    }

    public static var examples: [Self] { [.encoding(SCALEError(.invalidUTF8, offset: 40)), .notAList, .entries] }
}

extension StrictJSON.Failure: DiagnosticError {
    public enum Code: String, CaseIterable, Sendable {
        case invalid = "invalid-json"
        case duplicateKey = "duplicate-key"
        case tooDeep = "json-too-deep"
        case tooManyValues = "json-too-many-values"
        case outOfTime = "json-out-of-time"
    }

    public var code: Code {
        switch self {
        case .malformed: .invalid
        case .duplicateKey: .duplicateKey
        case .tooDeep: .tooDeep
        case .tooManyValues: .tooManyValues
        case .outOfTime: .outOfTime
        }
    }

    public var sentence: String {
        switch self {
        case .malformed(let offset): "invalid JSON at byte \(offset)"
        case .duplicateKey(let key): "duplicate key \(key)"
        case .tooDeep(let limit): "more than \(Sentence.count(limit, "level")) of lists and objects"
        case .tooManyValues(let limit): "more than \(Sentence.count(limit, "value"))"
        case .outOfTime: "no time is left to read the JSON"
        }
    }

    public static var examples: [Self] {
        [.malformed(offset: 7), .duplicateKey("calls"), .tooDeep(limit: 4), .tooManyValues(limit: 64), .outOfTime]
    }
}

extension EthereumAddress.Failure: DiagnosticError {
    public enum Code: String, CaseIterable, Sendable {
        case badAddress = "bad-address"
        case checksum = "address-checksum"
    }

    public var code: Code {
        switch self {
        case .malformed: .badAddress
        case .wrongChecksum: .checksum
        }
    }

    public var sentence: String {
        switch self {
        case .malformed: "the address is not 0x and 40 hex digits"
        case .wrongChecksum: "the address has an invalid checksum: it was mistyped"
        }
    }

    public static var examples: [Self] { [.malformed, .wrongChecksum] }
}
