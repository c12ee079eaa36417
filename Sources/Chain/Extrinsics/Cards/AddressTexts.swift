import Hashing
import SubstratePrimitives

/// Accounts as a person reads them, each worked out once: SS58 with the prefix of the network, EIP-55 for 20
/// bytes.
final class AddressTexts {
    private let prefix: UInt16
    private var known: [ByteKey: String] = [:]
    /// Addresses that are kept; more would only cost memory.
    static let limit = 1024

    init(prefix: UInt16) { self.prefix = prefix }

    /// - Parameter account: 20 bytes, or a length that SS58 has; any other shows as hex.
    func text(_ account: [UInt8]) -> String {
        let key = ByteKey(account)
        if let text = known[key] { return text }
        let text =
            EthereumAddress(bytes: account)?.text ?? SS58Address(prefix: prefix, account: account)?.text
            ?? "0x" + Hex.encode(account)
        if known.count < Self.limit { known[key] = text }
        return text
    }
}
