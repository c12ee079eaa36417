import SubstratePrimitives

/// The answer to `state_getRuntimeVersion`.
public struct NodeRuntimeVersion: Sendable, Equatable {
    public let runtime: RuntimeVersion
    /// The version of the transaction format.
    public let transactionVersion: UInt32

    /// nil if a field is missing or has another kind.
    public init?(_ answer: StrictJSON.Value) {
        guard let name = answer["specName"]?.string,
            let version = answer["specVersion"]?.number.flatMap({ UInt32(exactly: $0) }),
            let transactions = answer["transactionVersion"]?.number.flatMap({ UInt32(exactly: $0) })
        else { return nil }
        runtime = RuntimeVersion(specName: name, specVersion: version)
        transactionVersion = transactions
    }
}

/// The answer to `chain_getHeader`.
public enum BlockHeader {
    /// The block's number, which nodes write as `0x` and hex digits; nil if it is missing or malformed.
    public static func number(_ answer: StrictJSON.Value) -> UInt32? {
        guard let text = answer["number"]?.string, text.utf8Starts(with: "0x") else { return nil }
        let digits = text.utf8.dropFirst(2)
        guard digits.first != UInt8(ascii: "+") else { return nil }
        return String(digits).flatMap { UInt32($0, radix: 16) }
    }
}
