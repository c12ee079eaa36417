import Extrinsics
import FixtureRuntime
import Forge
import Hashing
import Metadata
import SCALE
import SubstratePrimitives
import TestSupport
import Testing
import TrustStore
import UOS

@testable import Review

/// Bytes of statements that runtimes verify outside of transactions.
private enum Statements {
    static let account = [UInt8](repeating: 0xa7, count: 32)

    /// Collection 5 and item 7, as the asset hubs number them.
    static let ids = SCALEWriter.encode { writer in
        writer.integer(UInt32(5))
        writer.integer(UInt32(7))
    }

    /// As many bytes, of which none begins a length: no other width reads them.
    static let closed = closed(8)
    static func closed(_ width: Int) -> [UInt8] { [UInt8](repeating: 0xff, count: width) }

    /// - Parameter price: nil leaves the field out, as older runtimes do; `[0]` is no price.
    static func mint(
        ids: [UInt8] = closed, attributes: [([UInt8], [UInt8])] = [], metadata: Int = 0, only: [UInt8]? = nil, price: [UInt8]? = [0]
    ) -> [UInt8] {
        SCALEWriter.encode { writer in
            writer.raw(ids)
            writer.vector(attributes) { writer, attribute in
                writer.byteVector(attribute.0)
                writer.byteVector(attribute.1)
            }
            writer.byteVector(closed(metadata))
            writer.option(only) { $0.raw($1) }
            writer.raw(closed(4))
            if let price { writer.raw(price) }
        }
    }

    static func attributes(_ namespace: [UInt8], ids: [UInt8] = closed) -> [UInt8] {
        ids + [8, 4, 0xff, 4, 0xff, 8, 0xff, 0xff, 4, 0xff] + namespace + closed(4)
    }

    static let topic: [UInt8] = [4] + [UInt8](repeating: 1, count: 32)
    private static let small = [1] + [UInt8](repeating: 0, count: 15)
    static let contribution: [UInt8] = [0xd0, 7, 0, 0] + account + small + small
    static let relayed: [UInt8] = [0x90] + Array("authorization for transfer operation".utf8) + account

    private static let other = [UInt8](repeating: 0xb7, count: 32)
    /// Of collections and items with 16 to 256 bits each, by the bytes of both.
    private static let widths = Set([2, 4, 8, 16, 32].flatMap { one in [2, 4, 8, 16, 32].map { one + $0 } }).sorted()
    private static let mints: [[UInt8]] =
        [
            mint(), mint(metadata: 100), mint(attributes: [([0xff], []), ([0xff, 0xff], [0xff])]), mint(only: account), mint(price: nil),
            mint(only: Array(account.prefix(20))), mint(price: [1] + other.prefix(16)),
        ]
        + widths.flatMap { width in
            [nil, account, Array(account.prefix(20))].map { mint(ids: closed(width), metadata: 40, only: $0) }
        } + [mint().dropLast() + [0, 0, 0, 0, 0]]
    private static let attributes: [[UInt8]] =
        [
            attributes([0]), attributes([1]), attributes([2]), attributes([3] + account), attributes([3] + account.prefix(20)),
            attributes([1]) + [0, 0, 0, 0],
        ] + widths.flatMap { width in [[1], [3] + account, [3] + account.prefix(20)].map { attributes($0, ids: closed(width)) } }
    private static let topics: [UInt8] = [5] + other + [6] + other + [7] + other
    private static let stored: [[UInt8]] = [
        topic, topic + [8, 8, 1, 2], [2, 1, 2, 3, 4, 5, 6, 7, 8] + topic, [2, 1, 2, 3, 4] + topic, [1] + other + [3] + other,
        topic + topics + [8, 0],
        // Data alone, in which the signer says what others chose, and beside a key.
        [8, 8, 1, 2], [8, 1, 2] + closed(128), [1] + other + [8, 0],
    ]
    /// Longer than one byte of a length says.
    private static let longRelayed = [[0x91, 0x01] + relayed.dropFirst(1), [2, 0, 1, 0] + relayed.dropFirst(1)]

    /// Complete statements. No other form takes them.
    static let all: [(form: StatementForm, bytes: [UInt8])] =
        mints.map { (StatementForm.preSignedMint, $0) } + attributes.map { (StatementForm.preSignedAttributes, $0) }
        + stored.map { (StatementForm.storeStatement, $0) }
        + [(.crowdloanContribution, contribution), (.ownAccount, account + [1, 2]), (.ownAccount, [0] + account), (.relayedCall, relayed)]
        + longRelayed.map { (.relayedCall, $0) }
}

@Suite struct StatementFormLaws {
    private func form(_ bytes: [UInt8]) -> StatementForm? { StatementForm(bytes[...], account: Statements.account) }

    @Test func `each statement is told by its form`() {
        for (form, bytes) in Statements.all {
            #expect(self.form(bytes) == form, "\(bytes)")
            // Whatever the slice begins with.
            #expect(StatementForm(([7, 7] + bytes).dropFirst(2), account: Statements.account) == form)
        }
    }

    /// A byte too many or too few is another statement or none. A statement of fields ends where one of them does, and a mint of the hubs' first
    /// runtimes where the price of a later one begins.
    @Test func `a form takes all of its bytes`() {
        for (form, bytes) in Statements.all where [.preSignedMint, .preSignedAttributes, .storeStatement].contains(form) {
            let (longer, shorter) = (self.form(bytes + [0xee]), self.form(Array(bytes.dropLast())))
            #expect(longer != form, "\(form): \(bytes)")
            #expect(shorter != form || bytes.last == 0 && form == .preSignedMint, "\(form): \(bytes)")
        }
        #expect(form(Statements.contribution + [0]) == nil && form(Array(Statements.contribution.dropLast())) == nil)
    }

    @Test func `a form demands the fields that make it one`() {
        var mint = Statements.mint(only: Statements.account)
        // `Some` is 01, the attributes are as many as the count, and a length is in its shortest form.
        mint[10] = 2
        #expect(form(mint) == nil)
        #expect(form(Statements.closed + [4] + Statements.mint().dropFirst(9)) == nil)
        #expect(
            form(Statements.closed + [0, 1, 0, 0, 1, 0, 0, 0, 0]) == nil
                && form(Statements.closed + [3, 0, 0, 0xff, 0xff, 0xff, 0xff, 0]) == nil)
        #expect(form(Statements.mint(price: [2])) == nil && form(Statements.mint(price: [2] + [UInt8](repeating: 3, count: 16))) == nil)
        #expect(form(Statements.attributes([4])) == nil && form(Statements.attributes([1, 1])) == nil)
        // Fields ascend, end with the eighth, and one of them is a channel or a topic.
        let rest = Array(Statements.topic.dropFirst())
        #expect(form(Statements.topic + Statements.topic) == nil && form([5] + rest + Statements.topic) == nil)
        #expect(form([9] + rest) == nil && form([0] + rest) == nil)
        #expect(
            form([1] + [UInt8](repeating: 0, count: 32)) == nil && form([2] + [UInt8](repeating: 0, count: 8)) == nil && form([]) == nil)
        // 32 bytes are a hash, unless they have a length that no hash has.
        let data = [UInt8](repeating: 5, count: 30)
        #expect(form([8, 30 << 2] + data) == nil && form([8, 29 << 2] + data.dropLast()) == .storeStatement)
        #expect(form([8, 31 << 2] + data + [5]) == .storeStatement)
        for place in [2, 3, 48, 51, 64, 67] {
            var contribution = Statements.contribution
            contribution[place] = 1
            #expect(form(contribution) != .crowdloanContribution)
        }
        #expect(form([0, 0] + Statements.account) == nil && form(Array(Statements.account.dropLast())) == nil)
        #expect(StatementForm(Statements.account[...], account: nil) == nil && StatementForm([1, 2], account: []) == nil)
        let text = Array(Statements.relayed.dropFirst())
        #expect(form([0x91] + text) == nil && form([0x90] + Array("authorization of ".utf8)) == nil)
        // Two bytes of a length below 64, and four of one below 2¹⁴, are no shortest forms.
        #expect(form([0x91, 0] + text) == nil && form([0x92, 0xff, 0, 0] + text) == nil && form([3] + text) == nil)
        // Only the hubs' ids had no price.
        #expect(form(Statements.mint(ids: [UInt8](repeating: 8, count: 12), price: nil)) == nil)
    }

    /// A meta-transaction's marker stands behind the call: its last fields follow.
    @Test func `a hashed payload with the marker of a meta-transaction near its end is one`() {
        let marker = Array("_meta_tx".utf8)
        let (long, end) = ([UInt8](repeating: 1, count: 300), StatementForm.longestEnd - 8)
        #expect(StatementForm(hashed: long + marker + [UInt8](repeating: 2, count: 105)) == .metaTransaction)
        #expect(StatementForm(hashed: long + marker) == .metaTransaction)
        #expect(StatementForm(hashed: long + marker + [UInt8](repeating: 2, count: end)) == .metaTransaction)
        #expect(StatementForm(hashed: long + marker + [UInt8](repeating: 2, count: end + 1)) == nil)
        #expect(StatementForm(hashed: long + marker.dropLast() + [0]) == nil && StatementForm(hashed: []) == nil)
    }

    /// Pallets read the fields of `PreSignedMint` in this order, by the metadata of Polkadot's Asset Hub.
    @Test func `the layouts are those of a real runtime`() throws {
        guard let blob = try SharedData.read("metadata/asset-hub-polkadot-2000000-v15.scale") else { return }
        let metadata = try RuntimeMetadata(blob)
        guard case .id(let calls)? = metadata.pallets.first(where: { $0.name.utf8Equals("Nfts") })?.calls else {
            Issue.record("no pallet Nfts")
            return
        }
        func fields(_ call: String) throws -> [String] {
            let variant = try #require(metadata.registry.variants(of: calls).first { $0.name.utf8Equals(call) })
            guard case .id(let id) = variant.fields[0].type, case .composite(let fields) = try metadata.registry.definition(of: id).shape
            else { return [] }
            return fields.map { $0.name ?? "" }
        }
        let start = ["collection", "item", "attributes"]
        #expect(try fields("mint_pre_signed") == start + ["metadata", "only_account", "deadline", "mint_price"])
        #expect(try fields("set_attributes_pre_signed") == start + ["namespace", "deadline"])
    }

    /// Indices as runtimes have them, arguments that can be anything, and an end that nobody chooses; and the hash where there are more than 256.
    @Test func `no ordinary transaction has a form`() {
        var random = SeededGenerator(seed: 20_261_123)
        var pool = random.bytes(1 << 16)
        var found: [StatementForm] = []
        for number in 0..<1_000_000 {
            let (length, seed) = (72 + number % 1_000, random.next())
            let start = Int(seed % UInt64(pool.count - length))
            // The pool stays as random as it was.
            let former = Array(pool[start..<start + 3])
            defer { pool.replaceSubrange(start..<start + 3, with: former) }
            pool[start] = UInt8(seed >> 32 & 0x7f)
            pool[start + 1] = UInt8(seed >> 40 & 0x1f)
            // Most calls start with an account, a small number or a list.
            pool[start + 2] = UInt8(seed >> 48 & (number.isMultiple(of: 2) ? 0x03 : 0xff))
            let bytes = pool[start..<start + length]
            if let form = StatementForm(length > 256 ? bytes.suffix(32) : bytes, account: Statements.account) { found.append(form) }
        }
        #expect(found.isEmpty)
    }

    /// Zeros make a field of nothing, and calls, counters and amounts are full of them: payments, nominations, votes and remarks as wallets make them,
    /// with and without a proof, mortal and immortal. Where the digest of a proof ends with `00`, it can be the end of a mint: the same call with another
    /// tip is signed then.
    @Test func `three ordinary calls of a million have a form`() {
        var random = SeededGenerator(seed: 41)
        let genesis = random.bytes(32)
        var found: [StatementForm] = []
        for number in 0..<1_000_000 {
            let seed = random.next()
            func byte(_ place: Int) -> UInt8 { UInt8(seed >> (8 * UInt64(place)) & 0xff) }
            let (account, block, digest) = (random.bytes(32), random.bytes(32), random.bytes(32))
            let amount = [0x0b, byte(0), byte(1), byte(2), byte(3) & 0x3f, 0, 0]
            let call: [UInt8] =
                switch number % 7 {
                case 0: [5, byte(4) % 9, 0] + account + amount
                case 1: [7, byte(4) % 30] + amount
                case 2: [7, 5, 8, 0] + account + [0] + block
                case 3: [20, 0] + [byte(4), byte(5)] + [0, byte(6) & 0x86] + amount.dropFirst() + [UInt8](repeating: 0, count: 10)
                case 4: [0, 0, (byte(4) & 31) << 2] + [UInt8](repeating: 0, count: Int(byte(4) & 31))
                case 5: [26, 0, 8, 5, 0, 0] + account + [byte(5), 0, 5, 3, 0] + block + amount
                case _: [byte(4) & 0x7f, byte(5) & 0x1f, byte(6) & 3, 0, 0, 0, byte(7), 0, 0, 0]
                }
            let isProved = seed & 1 == 0
            let era: [UInt8] = seed & 2 == 0 ? [0] : [byte(1) & 0xf0 | 5, byte(2) & 3]
            let versions: [UInt8] = [byte(3), byte(4), 0x0f, 0, 26, 0, 0, 0]
            let end = seed & 2 == 0 ? genesis : block.reversed()
            let bytes = call + era + [byte(6) & 0xfc, 0, isProved ? 1 : 0] + versions + genesis + end + (isProved ? [1] + digest : [0])
            guard bytes.count <= 256 else { continue }
            if let form = StatementForm(bytes[...], account: Statements.account) { found.append(form) }
        }
        #expect(found == [.preSignedMint, .preSignedMint, .preSignedMint])
    }
}

/// Payloads whose signed bytes are a statement at once.
@Suite struct StatementRefusalLaws {
    private static let chain = FixtureRuntime.standard
    private static let amount: UInt128 = 1_500_000_000_000
    private static let policy = """
        {"approve": [{"networks": ["heliotest"], "calls": ["Balances.transfer_keep_alive"], "mortality": "any", \
        "destinations": ["0x\(Hex.encode(Target.bob))"], "maximum_amount": "\(amount)", "maximum_tip": "5"}]}
        """

    /// What the forger tries again and again until his bytes are a statement.
    enum Knob: CaseIterable {
        case specVersion, typeName, unusedLeaf, unit, blockHash

        /// Whether the leaves stay as they are.
        var isOfInfo: Bool {
            switch self {
            case .specVersion, .unit, .blockHash: true
            case .typeName, .unusedLeaf: false
            }
        }
    }

    /// A forged transfer of 1.5 to Bob, with a field that takes in the start of a mint. The metadata of the item reaches as far as the forger says, so
    /// that only what is behind it has to come out right: the digest, which nobody chooses.
    struct Forger {
        /// As many bytes as stand behind the metadata: an account, the deadline and no price.
        private static let tail = 38
        private var runtime = StatementRefusalLaws.chain
        private var blockHash = [UInt8](repeating: 1, count: 32)
        let payload: [UInt8]
        let signed: [UInt8]

        init(_ knob: Knob) throws {
            var forged = try Self.forged(runtime, blockHash, metadata: 64)
            var proof = forged.proof
            let root = try #require(proof.root)
            let leaf = try #require(
                proof.leaves.firstIndex { if case .variant("transfer_keep_alive", _, _) = $0.definition { true } else { false } })
            var shown: Set<Int>?
            var tries: UInt32 = 0
            // No price: the last byte is 00.
            while proof.hash(under: knob.isOfInfo ? root : try #require(proof.root)).last != 0 {
                tries += 1
                switch knob {
                case .specVersion, .blockHash: proof.info.specVersion += 1
                case .unit: proof.info.tokenSymbol = "U\(tries)"
                case .typeName:
                    guard case .variant(let name, var fields, let index) = proof.leaves[leaf].definition else { break }
                    fields[0].typeName = "Salt\(tries)"
                    proof.leaves[leaf].definition = .variant(name: name, fields: fields, index: index)
                case .unusedLeaf:
                    let unused = ForgedLeaf(99_999, path: ["Unused"], .composite([ForgedField("f\(tries)", .primitive(.u8))]))
                    if shown != nil { proof.leaves.removeLast() } else { shown = Set(proof.leaves.indices) }
                    proof.leaves.append(unused)
                }
            }
            runtime.specVersion = proof.info.specVersion
            runtime.specs.unit = proof.info.tokenSymbol
            if knob == .blockHash {
                // `Some` of the only account stands in the block hash, which whoever makes the transaction may choose.
                blockHash = [UInt8](repeating: 0, count: 32)
                for number in UInt32(0)... where blockHash[27] != 1 {
                    blockHash = BLAKE2b.hash(SCALEWriter.encode { $0.integer(number) })
                    if blockHash[27] == 1 { break }
                }
            }
            forged = try Self.forged(runtime, blockHash, metadata: 64)
            let count = 11 + forged.filling.count
            forged = try Self.forged(runtime, blockHash, metadata: count - 11 - Self.tail)
            signed = forged.before + forged.filling.dropLast(32) + proof.hash
            let body = SCALEWriter.encode { $0.compact(UInt64(forged.callLength)) } + signed
            payload = ProofCode.byKey.payload(body, proof: proof.encoded(showing: shown), genesis: runtime.genesisHash)
        }

        private static func forged(
            _ runtime: FixtureRuntime, _ blockHash: [UInt8], metadata: Int
        ) throws -> (proof: ForgedProof, before: [UInt8], filling: [UInt8], callLength: Int) {
            var face = TwoFaced.Face(runtime, recipient: Target.bob, amount: StatementRefusalLaws.amount)
            (face.way, face.era, face.blockHash) = (.array, .mortal(MortalEra(period: 64, phase: 27)!), Hash32(blockHash))
            // Pallet 5, call 0, and a field that takes in the rest of collection 5, item 7, no attributes, and the length of the metadata.
            let before = Statements.ids + [0] + FixtureValue.compact(UInt128(metadata))
            let forged = try TwoFaced(face, before: before, after: [])
            return (forged.proof, before, forged.filling, forged.shownCallLength)
        }
    }

    private static func review(_ payload: [UInt8], knob: Knob, policy: String) throws -> (reviewed: ReviewedTransaction, data: ChainData) {
        // A unit that the vault knows is compared, so there the network is one that it does not know.
        var target = Target(knob == .unit ? [] : [chain.specs])
        target.policy = policy
        var additions = TransactionReview.Additions()
        additions.acceptsProvedNetwork = true
        let data = target.data
        return (try TransactionReview(data, additions: additions).review(try Payload(payload))[0], data)
    }

    @Test(arguments: Knob.allCases)
    func `a transfer that is a complete permission to mint is refused`(knob: Knob) throws {
        let forger = try Forger(knob)
        // Read to its last byte by the layout of the asset hubs.
        var reader = SCALEReader(forger.signed)
        let ids = (try reader.integer(UInt32.self), try reader.integer(UInt32.self))
        let attributes = try reader.compact()
        let metadata = try reader.byteVector()
        let only = try reader.option { (reader: inout SCALEReader) throws(SCALEError) in try reader.hash32() }
        let (_, price) = (try reader.integer(UInt32.self), try reader.u8())
        #expect(ids == (5, 7) && attributes == 0 && !metadata.isEmpty && only != nil && price == 0)
        #expect(reader.remaining == 0 && forger.signed.count <= 256)
        let (reviewed, data) = try Self.review(forger.payload, knob: knob, policy: Self.policy)
        #expect(reviewed.signingBytes == forger.signed)
        #expect(reviewed.decoded?.summary.nativeTotal == Self.amount && reviewed.decoded?.summary.accounts == [Target.bob])
        #expect(reviewed.refusal == .otherStatement(.preSignedMint))
        #expect(throws: ReviewError.otherStatement(.preSignedMint)) { try SigningMessage.bytes(reviewed, scheme: .sr25519) }
        #expect(try data.standingApproval(of: [reviewed]) == nil)
        // The field that took it in is remarked for itself.
        #expect(reviewed.cards.warning.contains { $0.text(of: "code").utf8Equals("unusual_call") })
    }

    @Test func `what starts as a message, an authorization or a statement of the own account is refused`() throws {
        func refusal(_ bytes: [UInt8], account: [UInt8]? = nil) -> StatementForm? {
            SigningMessage.statementForm(of: bytes + [UInt8](repeating: 0xee, count: 70), .transaction, account: account)
        }
        #expect(refusal(Array("<Bytes>".utf8)) == .message && refusal(Array("<Bytes".utf8)) == nil)
        #expect(refusal(Statements.relayed) == .relayedCall)
        #expect(refusal(Statements.account, account: Statements.account) == .ownAccount)
        #expect(refusal(Statements.account, account: Target.bob) == nil)
        let long = [UInt8](repeating: 1, count: 300)
        #expect(refusal(long + Array("_meta_tx".utf8)) == .metaTransaction && refusal(Array("_meta_tx".utf8)) == nil)
        #expect(refusal(long) == nil && refusal(Statements.account + long, account: Statements.account) == .ownAccount)
    }

    @Test func `a message whose content is a statement is refused, and text is not`() throws {
        func refusal(_ content: [UInt8]) throws -> ReviewError? {
            let bytes = [0x53, 0x01, 0x03] + Target.alice + Array("<Bytes>".utf8) + content + Array("</Bytes>".utf8)
            let reviewed = try Target([Self.chain.specs]).review(bytes + Self.chain.genesisHash.bytes)[0]
            if reviewed.refusal != nil {
                #expect(throws: ReviewError.self) { try SigningMessage.bytes(reviewed, scheme: .sr25519) }
            } else {
                #expect(try SigningMessage.bytes(reviewed, scheme: .sr25519) == reviewed.signingBytes)
            }
            return reviewed.refusal
        }
        for (form, bytes) in Statements.all where form != .ownAccount {
            // What starts like this program's own statements is refused as one of them first.
            let expected: ReviewError = bytes.starts(with: Statements.closed(64)) ? .ownDomain : .otherStatement(form)
            #expect(try refusal(bytes) == expected)
        }
        #expect(try refusal(Target.alice + [1]) == .otherStatement(.ownAccount))
        for text in ["", "hello", "I am alice.dot", "authorization for nothing", "_meta_tx", "<Bytes>"] {
            #expect(try refusal(Array(text.utf8)) == nil)
        }
    }
}
