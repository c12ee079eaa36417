import Diagnostics
import SubstratePrimitives

/// Why a JSON description is not a value of its type.
public struct DescriptionError: Error, Equatable, Sendable {
    public enum Reason: Sendable, Equatable {
        /// `wanted` names what the type takes: `number`, `text`, `list`, `object`, `bool`, `variant`,
        /// `address`, `bits`.
        case wrongKind(wanted: String, found: String)
        case outOfRange(String)
        /// Not the digits of a whole number; the unit of the chain's token where an amount may carry it.
        case notWhole(String, unit: String?)
        case wrongLength(expected: Int, found: Int)
        case unknownName(String)
        case missingName(String)
        case notHex(String)
        case badAddress(String)
        /// An address of another network; the prefixes.
        case otherNetwork(expected: UInt16, found: UInt16)
        case notOneCharacter(String)
        /// An amount with a unit, where the argument is not of the chain's own token.
        case takesNoUnit(String)
        /// An amount in another unit, or with more decimals than the token has.
        case badAmount(String, unit: String, decimals: UInt8)
        /// An amount with a comma, such as `1,000 DOT`.
        case commas(String)
        case tooDeep
        /// The metadata has no such type.
        case noType
    }

    public let reason: Reason
    /// Names from the outside in, dotted.
    public let path: String

    public init(_ reason: Reason, path: String) {
        self.reason = reason
        self.path = path
    }
}

extension DescriptionError: DiagnosticError {
    public var diagnostic: Diagnostic { .badInput("bad-description", "\(path): \(words)", hint: hint) }

    /// Nobody but the owner of an account says where it takes funds: the form of another network is not
    /// turned into the one that is wanted here.
    private var hint: String? {
        switch reason {
        case .otherNetwork: "ask its owner for the address on this network"
        case .wrongKind, .outOfRange, .notWhole, .wrongLength, .unknownName, .missingName, .notHex,
            .badAddress,
            .notOneCharacter, .takesNoUnit, .badAmount, .commas, .tooDeep, .noType:
            nil
        }
    }

    private var words: String {
        switch reason {
        case .wrongKind(let wanted, let found): "expected \(wanted), found \(found)"
        case .outOfRange(let text): "\(text) is out of range"
        case .notWhole(let text, let unit?):
            "\(text) is not a whole number in the smallest unit, nor an amount with its unit, as \"1.5 \(unit)\""
        case .notWhole(let text, nil): "\(text) is not a whole number"
        case .wrongLength(let expected, let found):
            "expected \(Sentence.count(expected, "item")), found \(found)"
        case .unknownName(let name): "unknown name \(name)"
        case .missingName(let name): "\(name) is missing"
        case .notHex(let text): "\(text) is not hexadecimal"
        case .badAddress(let text): "\(text) is not a valid address"
        case .otherNetwork(let expected, let found):
            "the address has prefix \(found), but this network has \(expected)"
        case .notOneCharacter(let text): "expected one character, found \(text)"
        case .takesNoUnit(let text):
            "expected a whole number in the smallest unit, found \(text): only amounts of the chain's own "
                + "token carry its unit"
        case .badAmount(let text, let unit, let decimals):
            "\(text) is not an amount in \(unit) with at most \(Sentence.count(Int(decimals), "decimal"))"
        case .commas(let text): TokenAmount.commas(in: text)
        case .tooDeep: "nested too deeply"
        case .noType: "the metadata does not define the type"
        }
    }

    public static var examples: [DescriptionError] {
        [
            DescriptionError(
                .wrongKind(wanted: "number", found: "text"), path: "call.Balances.transfer_keep_alive.value")
        ]
    }
}
