import Diagnostics
import Extrinsics
import Hashing
import HotStore
import HotTransactions
import Lines
import Metadata
import SubstratePrimitives

/// The lines of `tx list`: at most 80 columns.
enum TxTable {
    private static let columns = (id: 4, state: 10, network: 12, nonce: 6, call: 28, changed: 10)

    static let heading = row("ID", "STATE", "NETWORK", "NONCE", "CALL", "CHANGED")

    static func line(_ row: HotTransaction) -> String {
        self.row(
            "\(row.id)", row.state.rawValue, row.content.network, row.content.nonce.map { "\($0)" } ?? "-",
            row.content.call, String(Clock.text(row.changed).prefix(10)))
    }

    private static func row(
        _ id: String, _ state: String, _ network: String, _ nonce: String, _ call: String, _ changed: String
    ) -> String {
        [
            fitted(id, columns.id), fitted(state, columns.state), fitted(network, columns.network),
            fitted(nonce, columns.nonce), fitted(call, columns.call), changed,
        ].joined(separator: "  ")
    }

    /// Names are ASCII here: what a runtime calls itself is escaped before, a byte for a column.
    private static func fitted(_ text: String, _ width: Int) -> String {
        let text = Escape.terminal(text)
        guard text.count > width else { return text + String(repeating: " ", count: width - text.count) }
        return String(text.prefix(width - 1)) + "…"
    }
}

/// A transaction as `tx show` and `tx list --json` print it.
struct TxDocument: Encodable {
    struct Era: Encodable {
        let period: UInt32
        let block: String?
    }

    let id: Int64
    /// The first transaction for the same intent.
    let intent: Int64
    let state: String
    let network: String
    let genesis_hash: String
    /// As the network writes it; nil where the network is not known any more.
    let signer: String?
    let account: String
    let nonce: UInt64?
    /// nil for one that never expires.
    let era: Era?
    let call: String
    let call_hash: String
    let payload: String
    let payload_blake2b_256: String
    /// nil without a signature.
    let extrinsic: String?
    let hash: String?
    let block: String?
    let detail: String?
    let witness: String?
    let replaced_by: Int64?
    let added: String
    let changed: String

    init(_ row: HotTransaction, _ store: HotStore) {
        let content = row.content
        (id, intent, state) = (row.id, row.intent, row.state.rawValue)
        (network, genesis_hash) = (content.network, content.genesisHash.hex)
        signer = (try? store.network(content.network))?.specs.address(of: content.account)
        account = Hex.encode(content.account)
        nonce = content.nonce
        era = content.period.map { Era(period: $0, block: content.eraBlock?.hex) }
        (call, call_hash) = (content.call, content.callHash.hex)
        payload = Hex.encode(content.payload)
        payload_blake2b_256 = Hash32.blake2b(of: content.payload).hex
        extrinsic = row.extrinsic.map { Hex.encode($0) }
        hash = row.extrinsic.map { SignedExtrinsic.hash($0).hex }
        (block, detail, witness) = (row.block?.hex, row.detail, row.witness)
        replaced_by = row.successor
        (added, changed) = (Clock.text(row.added), Clock.text(row.changed))
    }

    /// For a person.
    var lines: [String] {
        func line(_ label: String, _ text: String?) -> String? {
            text.map { label + String(repeating: " ", count: max(1, 10 - label.count)) + $0 }
        }
        let era = era.map { era in
            "\(era.period) blocks" + (era.block.map { " from block 0x\($0)" } ?? "")
        }
        return [
            "transaction \(id): \(state)" + (detail.map { ", \($0)" } ?? ""),
            line("network", network), line("signer", signer ?? "0x\(account)"), line("call", call),
            line("nonce", nonce.map { "\($0)" } ?? "unknown"),
            line("era", era ?? "never expires (valid until its nonce is used)"),
            line("payload", "\(payload.count / 2) bytes, BLAKE2b-256 0x\(payload_blake2b_256)"),
            line("hash", hash.map { "0x\($0)" }), line("block", block.map { "0x\($0)" }),
            line("says", witness), line("replaced", replaced_by.map { "by transaction \($0)" }),
            line("intent", intent == id ? nil : "the same as that of transaction \(intent)"),
            line("made", added), line("changed", changed),
        ].compactMap { $0 }
    }
}

extension NetworkSpecs {
    /// - Parameter account: 32 or 20 bytes.
    fileprivate func address(of account: [UInt8]) -> String? {
        scheme == .ethereum
            ? EthereumAddress(bytes: account)?.text
            : SS58Address(prefix: base58Prefix, account: account)?.text
    }
}
