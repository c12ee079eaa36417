import SubstratePrimitives

/// The subject of a history row. The raw value is the first byte of the row's key, so it stays as it is; a
/// new class takes the next number.
public enum HistoryClass: UInt8, Sendable, CaseIterable {
    /// Signatures that named an account on one network.
    case destination = 1
    /// The accounts on one network whose address begins and ends alike.
    case lookAlike = 2
    /// The highest nonce that a signer used on one network.
    case highestNonce = 3
    /// What a signer signed with one nonce.
    case nonce = 4
    /// When a signer last signed a call, whatever its amounts.
    case call = 5
    /// When a signer last signed a call with these amounts.
    case exactCall = 6
    /// When a block's hash was first signed with.
    case block = 7
    /// When the same bytes were signed.
    case payload = 8
    /// What a signer signed of one token on one network under one rule of the policy.
    case budget = 9
    /// A signing request of a group that is spent, or the making of a group that was left; never removed.
    case groupRequest = 10
    /// A reading of a network's transactions, by its metadata's digest, that a person confirmed; without a
    /// digest the last one.
    case reading = 11
    /// The amounts of one token that an account received on one network in signatures that can take effect.
    case payment = 12
}

/// The key of a history row: its class, and bytes whose meaning depends on the class. Content that is long or
/// chosen in secret goes in as a hash.
public struct HistoryKey: Sendable, Hashable {
    public let historyClass: HistoryClass
    public let bytes: [UInt8]

    public init(_ historyClass: HistoryClass, _ parts: [UInt8]...) {
        self.historyClass = historyClass
        bytes = Array(parts.joined())
    }

    /// The key as column `key` has it.
    var stored: [UInt8] { [historyClass.rawValue] + bytes }
}

/// A row of the history.
public struct HistoryRow: Sendable, Equatable {
    public let key: HistoryKey
    public let value: [UInt8]

    public init(_ key: HistoryKey, _ value: [UInt8]) {
        self.key = key
        self.value = value
    }
}

/// The rows that a commit writes into the history. Each replaces the row with the same key.
///
/// The caller first reads the former row under the seal (``UnlockedStore/history(_:)``), and gives the commit
/// the trust that he read it from. So no count, such as a budget's, is lost between the two.
public struct HistoryWrite: Sendable, Equatable {
    public var rows: [HistoryRow]

    public init(_ rows: [HistoryRow] = []) { self.rows = rows }
}
