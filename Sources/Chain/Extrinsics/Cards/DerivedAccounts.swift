import Hashing
import SCALE

/// Accounts that runtimes compute from others.
///
/// Source: paritytech/polkadot-sdk, pallet-multisig `multi_account_id` and pallet-utility
/// `derivative_account_id`.
public enum DerivedAccounts {
    private static let tag = Array("modlpy/utilisuba".utf8)

    /// The account of a multisig: signatories in ascending order, then the threshold.
    public static func multisig(signatories: [[UInt8]], threshold: UInt16) -> [UInt8] {
        hash(length: signatories.first?.count ?? 32) { writer in
            writer.vector(signatories.sorted { $0.lexicographicallyPrecedes($1) }) { $0.raw($1) }
            writer.integer(threshold)
        }
    }

    /// The account of `utility.as_derivative`.
    public static func derivative(of account: [UInt8], index: UInt16) -> [UInt8] {
        hash(length: account.count) { writer in
            writer.raw(account)
            writer.integer(index)
        }
    }

    private static func hash(length: Int, _ body: (inout SCALEWriter) -> Void) -> [UInt8] {
        let digest = BLAKE2b.hash(
            SCALEWriter.encode {
                $0.raw(tag)
                body(&$0)
            })
        return Array(digest.prefix(length))
    }
}
