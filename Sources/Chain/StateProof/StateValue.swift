import SCALE
import SubstratePrimitives
import UOS

/// A value of the state, read by the layout of its row.
public enum StateValue: Equatable, Sendable {
    case account(AccountState)
    case asset(AssetState)
    case assetAccount(AssetAccountState)
    case proxies(ProxyState)
    case multisig(MultisigState)
    /// The account that controls the bond.
    case bonded(AccountID32)
    case ledger(LedgerState)
    /// Session keys, one after the other; only compared with those of a call.
    case nextKeys([UInt8])
    case identity(IdentityState)
    case superIdentity(parent: AccountID32, name: IdentityText)
    /// BLAKE2b-256 of the stored runtime file.
    case codeHash(Hash32)
}

/// What the chain holds for an account in its own token, in the smallest unit.
public struct AccountState: Equatable, Sendable {
    public let nonce: UInt32
    public let free: UInt128
    /// Held on top of ``free``.
    public let reserved: UInt128
    /// Part of ``free`` or of ``reserved`` that may not leave.
    public let frozen: UInt128

    /// Of an account that does not exist.
    public static let absent = AccountState(nonce: 0, free: 0, reserved: 0, frozen: 0)
}

/// What an asset calls itself. Whoever made the asset wrote the texts.
public struct AssetState: Equatable, Sendable {
    public let name: [UInt8]
    public let symbol: [UInt8]
    /// 0 to 38: an amount of 128 bits has 39 digits.
    public let decimals: UInt8
    public let isFrozen: Bool
}

/// What an account holds of an asset.
public struct AssetAccountState: Equatable, Sendable {
    /// What may leave the account.
    public enum Status: UInt8, Sendable {
        case liquid = 0
        case frozen = 1
        case blocked = 2
    }
    public let balance: UInt128
    public let status: Status
}

/// Who may act for an account.
public struct ProxyState: Equatable, Sendable {
    /// An account that may act, as what, and after how many blocks.
    public struct Delegate: Equatable, Sendable {
        public let account: AccountID32
        /// 0 is "Any" on every listed chain; every other number means something else on each.
        public let type: UInt8
        /// In blocks.
        public let delay: UInt32
    }
    public let delegates: [Delegate]
}

/// A multisig call that waits for approvals.
public struct MultisigState: Equatable, Sendable {
    public let height: UInt32
    public let index: UInt32
    public let depositor: AccountID32
    public let approvals: [AccountID32]
}

/// What an account has bonded, in the smallest unit.
public struct LedgerState: Equatable, Sendable {
    /// An amount that is released in an era.
    public struct Chunk: Equatable, Sendable {
        public let value: UInt128
        public let era: UInt32
    }
    public let stash: AccountID32
    public let total: UInt128
    public let active: UInt128
    public let unlocking: [Chunk]
}

/// A text of an identity, written by its owner; nil for none, and for one that is only a hash.
public struct IdentityText: Equatable, Sendable {
    public let bytes: [UInt8]?
}

/// What an account calls itself, and what registrars said of it.
public struct IdentityState: Equatable, Sendable {
    /// What a registrar says of an identity.
    public struct Judgement: Equatable, Sendable {
        /// How sure the registrar is.
        public enum Kind: UInt8, Sendable {
            case unknown, feePaid, reasonable, knownGood, outOfDate, lowQuality, erroneous
        }
        public let registrar: UInt32
        public let kind: Kind
    }
    public let judgements: [Judgement]
    public let display: IdentityText
}

// MARK: Decoding

extension StateValue {
    /// Why bytes do not fit the layout of their row.
    struct Misfit: Error {}

    /// The value of a kind; every byte of it, within the guards of its row.
    /// - `hasClaimedRewards`: whether a ledger ends with a list of eras, as on relay chains.
    init(_ kind: StateItem.Kind, _ bytes: [UInt8], hasClaimedRewards: Bool) throws(Misfit) {
        guard bytes.count <= StateLimit.value.maximum else { throw Misfit() }
        var reader = GuardedReader(reader: SCALEReader(bytes))
        switch kind {
        case .account: self = .account(try reader.account())
        case .assetMetadata, .foreignMetadata: self = .asset(try reader.asset())
        case .assetAccount, .foreignAccount: self = .assetAccount(try reader.assetAccount())
        case .proxies: self = .proxies(try reader.proxies())
        case .multisig: self = .multisig(try reader.multisig())
        case .bonded: self = .bonded(try reader.hash())
        case .ledger: self = .ledger(try reader.ledger(hasClaimedRewards: hasClaimedRewards))
        case .nextKeys: self = .nextKeys(reader.reader.rest())
        case .identity: self = .identity(try reader.identity())
        case .superIdentity: self = .superIdentity(parent: try reader.hash(), name: try reader.text())
        // The first two are read by functions of their own, the last two have no value.
        case .runtime, .time, .codeHash, .migration: throw Misfit()
        }
        guard reader.reader.remaining == 0 else { throw Misfit() }
    }

    /// `LastRuntimeUpgrade`: compact spec version ‖ name of at most 64 bytes.
    static func runtime(_ bytes: [UInt8]) throws(Misfit) -> RuntimeVersion {
        var reader = GuardedReader(reader: SCALEReader(bytes))
        let version = try reader.scale { (reader) throws(SCALEError) in try reader.compactU32() }
        let name = try reader.scale { (reader) throws(SCALEError) in try reader.string() }
        guard name.utf8.count <= 64, reader.reader.remaining == 0 else { throw Misfit() }
        return RuntimeVersion(specName: name, specVersion: version)
    }

    /// Milliseconds of the years 2020 to 2099.
    static let times: Range<UInt64> = 1_577_836_800_000..<4_102_444_800_000

    /// `Timestamp.Now`: u64 milliseconds since 1970.
    static func time(_ bytes: [UInt8]) throws(Misfit) -> UInt64 {
        var reader = GuardedReader(reader: SCALEReader(bytes))
        let time: UInt64 = try reader.integer()
        guard reader.reader.remaining == 0, times.contains(time) else { throw Misfit() }
        return time
    }
}

/// Reads the layouts that `StateShape` names, with their guards.
private struct GuardedReader {
    var reader: SCALEReader

    mutating func scale<T>(
        _ read: (inout SCALEReader) throws(SCALEError) -> T
    ) throws(StateValue.Misfit) -> T {
        do throws(SCALEError) { return try read(&reader) } catch { throw StateValue.Misfit() }
    }

    mutating func integer<T: FixedWidthInteger>() throws(StateValue.Misfit) -> T {
        try scale { (reader) throws(SCALEError) in try reader.integer() }
    }

    mutating func hash() throws(StateValue.Misfit) -> Hash32 {
        try scale { (reader) throws(SCALEError) in try reader.hash32() }
    }

    private mutating func count(_ maximum: Int) throws(StateValue.Misfit) -> Int {
        let count = try scale { (reader) throws(SCALEError) in try reader.count() }
        guard count <= maximum else { throw StateValue.Misfit() }
        return count
    }

    private mutating func compactU128() throws(StateValue.Misfit) -> UInt128 {
        let wide = try scale { (reader) throws(SCALEError) in try reader.compactLittleEndian() }
        guard wide.count <= 16 else { throw StateValue.Misfit() }
        return wide.reversed().reduce(0) { $0 << 8 | UInt128($1) }
    }

    /// The last word marks the layout of 2023: the account was moved to it, or had nothing to move. In the
    /// older layout an amount stands there, and without the mark the bytes have another meaning.
    mutating func account() throws(StateValue.Misfit) -> AccountState {
        let nonce: UInt32 = try integer()
        for _ in 0..<3 { let _: UInt32 = try integer() }
        let (free, reserved, frozen): (UInt128, UInt128, UInt128) = (
            try integer(), try integer(), try integer()
        )
        let flags: UInt128 = try integer()
        guard flags == 0 || flags == 1 << 127 else { throw StateValue.Misfit() }
        return AccountState(nonce: nonce, free: free, reserved: reserved, frozen: frozen)
    }

    mutating func asset() throws(StateValue.Misfit) -> AssetState {
        let _: UInt128 = try integer()
        var texts: [[UInt8]] = []
        for _ in 0..<2 {
            let length = try count(64)
            texts.append(try scale { (reader) throws(SCALEError) in try reader.bytes(count: length) })
        }
        let decimals: UInt8 = try integer()
        let isFrozen = try scale { (reader) throws(SCALEError) in try reader.bool() }
        guard decimals <= 38 else { throw StateValue.Misfit() }
        return AssetState(name: texts[0], symbol: texts[1], decimals: decimals, isFrozen: isFrozen)
    }

    mutating func assetAccount() throws(StateValue.Misfit) -> AssetAccountState {
        let balance: UInt128 = try integer()
        guard let status = AssetAccountState.Status(rawValue: try integer()) else {
            throw StateValue.Misfit()
        }
        let reason: UInt8 = try integer()
        guard reason <= 4 else { throw StateValue.Misfit() }
        if reason == 4 { _ = try hash() }
        if reason == 2 || reason == 4 { let _: UInt128 = try integer() }
        return AssetAccountState(balance: balance, status: status)
    }

    mutating func proxies() throws(StateValue.Misfit) -> ProxyState {
        var delegates: [ProxyState.Delegate] = []
        for _ in 0..<(try count(32)) {
            delegates.append(.init(account: try hash(), type: try integer(), delay: try integer()))
        }
        let _: UInt128 = try integer()
        return ProxyState(delegates: delegates)
    }

    mutating func multisig() throws(StateValue.Misfit) -> MultisigState {
        let (height, index): (UInt32, UInt32) = (try integer(), try integer())
        let _: UInt128 = try integer()
        let depositor = try hash()
        var approvals: [AccountID32] = []
        for _ in 0..<(try count(100)) { approvals.append(try hash()) }
        return MultisigState(height: height, index: index, depositor: depositor, approvals: approvals)
    }

    mutating func ledger(hasClaimedRewards: Bool) throws(StateValue.Misfit) -> LedgerState {
        let stash = try hash()
        let (total, active) = (try compactU128(), try compactU128())
        var unlocking: [LedgerState.Chunk] = []
        for _ in 0..<(try count(64)) {
            let value = try compactU128()
            let era = try scale { (reader) throws(SCALEError) in try reader.compactU32() }
            unlocking.append(.init(value: value, era: era))
        }
        if hasClaimedRewards {
            for _ in 0..<(try count(StateLimit.value.maximum)) { let _: UInt32 = try integer() }
        }
        guard active <= total else { throw StateValue.Misfit() }
        return LedgerState(stash: stash, total: total, active: active, unlocking: unlocking)
    }

    /// 0 none, 1 to 33 a text of 0 to 32 bytes, 34 to 37 a hash.
    mutating func text() throws(StateValue.Misfit) -> IdentityText {
        let kind: UInt8 = try integer()
        switch kind {
        case 0: return IdentityText(bytes: nil)
        case 1...33:
            return IdentityText(
                bytes: try scale { (reader) throws(SCALEError) in try reader.bytes(count: Int(kind) - 1) })
        case 34...37:
            _ = try hash()
            return IdentityText(bytes: nil)
        default: throw StateValue.Misfit()
        }
    }

    /// The fields of a people chain: display, legal, web, matrix, email, an optional fingerprint, image,
    /// twitter, github, discord.
    mutating func identity() throws(StateValue.Misfit) -> IdentityState {
        var judgements: [IdentityState.Judgement] = []
        for _ in 0..<(try count(32)) {
            let registrar: UInt32 = try integer()
            guard let kind = IdentityState.Judgement.Kind(rawValue: try integer()) else {
                throw StateValue.Misfit()
            }
            if kind == .feePaid { let _: UInt128 = try integer() }
            judgements.append(.init(registrar: registrar, kind: kind))
        }
        let _: UInt128 = try integer()
        let display = try text()
        for _ in 0..<4 { _ = try text() }
        if try scale({ (reader) throws(SCALEError) in try reader.bool() }) {
            _ = try scale { (reader) throws(SCALEError) in try reader.bytes(count: 20) }
        }
        for _ in 0..<4 { _ = try text() }
        return IdentityState(judgements: judgements, display: display)
    }
}
