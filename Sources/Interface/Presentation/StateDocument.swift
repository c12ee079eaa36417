import Cards
import Diagnostics
import Extrinsics
import Hashing
import History
import Lines
import Review
import StateProof
import SubstratePrimitives
import TerminalIO
import UOS

/// `items[].state` of `inspect` and `scan`; programs read it, so its keys stay.
struct StateDocument: Encodable {
    struct Block: Encodable {
        let number: UInt32
        let hash: String
        /// In seconds since 1970.
        let time: UInt64
        /// nil for a block of another chain.
        let maximum_age: UInt32?
    }
    struct Runtime: Encodable {
        let name: String
        let version: UInt32

        init(_ runtime: RuntimeVersion) { (name, version) = (runtime.specName, runtime.specVersion) }
    }
    struct Layout: Encodable {
        let source: String
        let first: Nullable<UInt32>
        let last: UInt32
        let newer: Bool

        init(_ source: LayoutSource) {
            switch source {
            case .metadata(let version):
                (self.source, first, last, newer) = ("metadata", Nullable(version), version, false)
            case .builtIn(_, let from, let to, let newest):
                (self.source, first, last, newer) = ("built_in", Nullable(from), to, newest != nil)
            }
        }
    }
    struct Hop: Encodable {
        let para: UInt32
        let network: String
        let block: Block
        let runtime: Runtime
        let layout: Layout
        let facts: [StateFactDocument]
    }
    struct Warning: Encodable {
        let code: String
        let text: String
    }

    let block: Block
    let ground: String
    let runtime: Runtime
    let layout: Layout
    let facts: [StateFactDocument]
    /// In the smallest unit, as decimal digits.
    let remaining: Nullable<String>
    let missing: [String]
    let hop: Nullable<Hop>
    let warnings: [Warning]

    init(_ state: StateReview, time: UInt64) {
        let proven = state.proven
        block = Block(
            number: proven.chain.header.number, hash: proven.checkpoint.blockHash.hex,
            time: proven.chain.time / 1_000, maximum_age: proven.checkpoint.maximumAge)
        ground = state.ground.rawValue
        runtime = Runtime(proven.chain.runtime)
        layout = Layout(proven.chain.source)
        facts = state.facts.map { StateFactDocument($0, state) }
        remaining = Nullable(state.remaining.map { String($0) })
        missing = state.missing.map(\.rawValue)
        hop = Nullable(
            proven.hop.map { hop in
                Hop(
                    para: hop.para, network: hop.chain.runtime.specName,
                    block: .init(
                        number: hop.chain.header.number, hash: hop.chain.header.hash.hex,
                        time: hop.chain.time / 1_000, maximum_age: nil),
                    runtime: Runtime(hop.chain.runtime), layout: Layout(hop.chain.source),
                    facts: state.otherFacts.map { StateFactDocument($0, state) })
            })
        warnings = state.warnings(time: time).map { Warning(code: $0.code, text: state.words($0)) }
    }
}

/// A fact of ``StateDocument``: its kind says which of the keys it has.
struct StateFactDocument: Encodable {
    struct Delegate: Encodable {
        let account: String
        let type: UInt8
        let delay: UInt32
    }
    struct Judgement: Encodable {
        let registrar: UInt32
        let judgement: String
    }
    struct Chunk: Encodable {
        let value: String
        let era: UInt32
    }

    let kind: String
    var role: String?
    var account: String?
    var asset: UInt32?
    var location: String?
    var call_hash: String?
    let exists: Bool
    var nonce: UInt32?
    var free: String?
    var reserved: String?
    var frozen: String?
    var name: String?
    var symbol: String?
    var decimals: UInt8?
    var is_frozen: Bool?
    var balance: String?
    var status: UInt8?
    var delegates: [Delegate]?
    var height: UInt32?
    var index: UInt32?
    var depositor: String?
    var approvals: [String]?
    var controller: String?
    var total: String?
    var active: String?
    var unlocking: [Chunk]?
    var keys: String?
    var display: String?
    var judgements: [Judgement]?
    var parent: String?
    var hash: String?

    init(_ fact: StateReview.Fact, _ state: StateReview) {
        role = fact.role?.rawValue
        exists = fact.reading != .absent
        switch fact.item {
        case .account(let account): (kind, self.account) = ("account", state.address(account))
        case .assetMetadata(let asset): (kind, self.asset) = ("asset", asset)
        case .assetAccount(let asset, let account):
            (kind, self.asset, self.account) = ("asset_account", asset, state.address(account))
        case .foreignMetadata(let location): (kind, self.location) = ("foreign_asset", Hex.encode(location))
        case .foreignAccount(let location, let account):
            (kind, self.location) = ("foreign_asset_account", Hex.encode(location))
            self.account = state.address(account)
        case .proxies(let account): (kind, self.account) = ("proxies", state.address(account))
        case .multisig(let account, let hash):
            (kind, self.account, call_hash) = ("multisig", state.address(account), hash.hex)
        case .bonded(let account): (kind, self.account) = ("bonded", state.address(account))
        case .ledger(let account): (kind, self.account) = ("ledger", state.address(account))
        case .nextKeys(let account): (kind, self.account) = ("next_keys", state.address(account))
        case .identity(let account): (kind, self.account) = ("identity", state.address(account))
        case .superIdentity(let account): (kind, self.account) = ("super_identity", state.address(account))
        case .codeHash: kind = "code_hash"
        case .migration: kind = "migration"
        }
        if case .present(let value) = fact.reading { read(value, state) }
    }

    private mutating func read(_ value: StateValue, _ state: StateReview) {
        func text(_ bytes: [UInt8]) -> String {
            String(validating: bytes, as: UTF8.self) ?? "0x" + Hex.encode(bytes)
        }
        switch value {
        case .account(let held):
            nonce = held.nonce
            (free, reserved, frozen) = (String(held.free), String(held.reserved), String(held.frozen))
        case .asset(let asset):
            (name, symbol, decimals, is_frozen) = (
                text(asset.name), text(asset.symbol), asset.decimals, asset.isFrozen
            )
        case .assetAccount(let held): (balance, status) = (String(held.balance), held.status.rawValue)
        case .proxies(let proxies):
            delegates = proxies.delegates.map {
                Delegate(account: state.address($0.account), type: $0.type, delay: $0.delay)
            }
        case .multisig(let pending):
            (height, index, depositor) = (pending.height, pending.index, state.address(pending.depositor))
            approvals = pending.approvals.map(state.address)
        case .bonded(let account): controller = state.address(account)
        case .ledger(let ledger):
            (total, active) = (String(ledger.total), String(ledger.active))
            unlocking = ledger.unlocking.map { Chunk(value: String($0.value), era: $0.era) }
        case .nextKeys(let bytes): keys = Hex.encode(bytes)
        case .identity(let identity):
            display = identity.display.bytes.map(text)
            judgements = identity.judgements.map {
                Judgement(registrar: $0.registrar, judgement: StateWording.judgement($0.kind))
            }
        case .superIdentity(let account, let given):
            (parent, name) = (state.address(account), given.bytes.map(text))
        case .codeHash(let code): hash = code.hex
        }
    }
}
