/// Why the practice node refuses a request, in the words and numbers of Substrate's nodes, which other
/// programs know.
///
/// Source: polkadot-sdk, `substrate/client/rpc-api/src/author/error.rs`;
/// `substrate/primitives/runtime/src/transaction_validity.rs`.
public enum PracticeRefusal: Error, Equatable, Sendable, CaseIterable {
    case malformedRequest
    case unknownMethod
    case badParameters
    case unknownBlock
    /// An account that no transaction has touched: its balance is not in the trie, so nothing proves it.
    case notStored
    /// The runtime has no such function, or its arguments are malformed.
    case noSuchFunction
    case malformedExtrinsic
    /// The signature covers other bytes than this chain requires: another key, chain, version, metadata hash
    /// or start of the era.
    case badSignature
    /// The nonce was used.
    case outdated
    /// The nonce is not the next one.
    case early
    /// The era starts at a block that is not there.
    case ancientBirthBlock
    case cannotPay
    /// The disk does not take the transaction.
    case cannotKeep

    /// The number of the error.
    public var code: Int {
        switch self {
        case .malformedRequest: -32600
        case .unknownMethod: -32601
        case .badParameters: -32602
        case .cannotKeep: -32603
        case .unknownBlock, .notStored, .noSuchFunction: 4003
        case .malformedExtrinsic: 1002
        case .badSignature, .outdated, .early, .ancientBirthBlock, .cannotPay: 1010
        }
    }

    /// The sentence of the error, with what Substrate puts into its `data`.
    public var message: String {
        switch self {
        case .malformedRequest: "Invalid request"
        case .unknownMethod: "Method not found"
        case .badParameters: "Invalid params"
        case .unknownBlock: "Client error: UnknownBlock: header not found"
        case .notStored:
            "Client error: this practice chain stores an account with its first transaction or payment; "
                + "before that nothing proves its balance"
        case .noSuchFunction: "Client error: Execution failed: no such function, or other arguments"
        case .malformedExtrinsic: "Verification Error: cannot decode the extrinsic"
        case .badSignature: "Invalid Transaction: Transaction has a bad signature"
        case .outdated: "Invalid Transaction: Transaction is outdated"
        case .early: "Invalid Transaction: Transaction will be valid in the future"
        case .ancientBirthBlock: "Invalid Transaction: Transaction has an ancient birth block"
        case .cannotPay:
            "Invalid Transaction: Inability to pay some fees (e.g. account balance too low)"
        case .cannotKeep: "Internal error: the transaction cannot be kept, so it is in no block"
        }
    }

    /// The index of `InvalidTransaction`; nil for what is not a word on a transaction.
    var invalidTransaction: UInt8? {
        switch self {
        case .cannotPay: 1
        case .early: 2
        case .outdated: 3
        case .badSignature: 4
        case .ancientBirthBlock: 5
        case .malformedRequest, .unknownMethod, .badParameters, .unknownBlock, .notStored, .noSuchFunction,
            .malformedExtrinsic, .cannotKeep:
            nil
        }
    }
}
