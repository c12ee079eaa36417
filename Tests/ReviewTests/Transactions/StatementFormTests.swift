import Cards
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

    /// The last collection that can be, and an item, of as many bytes.
    static func ids(_ collection: Int, _ item: Int) -> [UInt8] {
        closed(2) + [UInt8](repeating: 0, count: collection - 2) + closed(item)
    }
    /// Of the hubs.
    static let hubIDs = ids(4, 4)
    /// Bytes of which none begins a length.
    static func closed(_ width: Int) -> [UInt8] { [UInt8](repeating: 0xff, count: width) }

    /// - Parameter price: nil leaves the field out, as older runtimes do; `[0]` is no price.
    static func mint(
        ids: [UInt8] = hubIDs, attributes: [([UInt8], [UInt8])] = [], metadata: Int = 0, only: [UInt8]? = nil,
        price: [UInt8]? = [0]
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

    static func attributes(_ namespace: [UInt8], ids: [UInt8] = hubIDs) -> [UInt8] {
        ids + [8, 4, 0xff, 4, 0xff, 8, 0xff, 0xff, 4, 0xff] + namespace + closed(4)
    }

    static let topic: [UInt8] = [4] + [UInt8](repeating: 1, count: 32)
    private static let small = [1] + [UInt8](repeating: 0, count: 15)
    static let contribution: [UInt8] = [0xd0, 7, 0, 0] + account + small + small
    static let relayed: [UInt8] = [0x90] + Array("authorization for transfer operation".utf8) + account

    static let other = [UInt8](repeating: 0xb7, count: 32)
    /// Ids of collections and items with 32 to 256 bits each.
    private static let allIDs = [4, 8, 16, 32].flatMap { collection in
        [4, 8, 16, 32].map { ids(collection, $0) }
    }
    private static let mints: [[UInt8]] =
        [
            mint(), mint(metadata: 100), mint(attributes: [([0xff], []), ([0xff, 0xff], [0xff])]),
            mint(only: account), mint(price: nil),
            mint(only: Array(account.prefix(20))), mint(price: [1] + other.prefix(12) + [0, 0, 0, 0]),
        ]
        + allIDs.flatMap { ids in
            [nil, account, Array(account.prefix(20))].map { mint(ids: ids, metadata: 40, only: $0) }
        } + [mint().dropLast() + [0, 0, 0, 0, 0]]
    private static let attributes: [[UInt8]] =
        [
            attributes([0]), attributes([1]), attributes([2]), attributes([3] + account),
            attributes([3] + account.prefix(20)),
            attributes([1]) + [0, 0, 0, 0],
        ]
        + allIDs.flatMap { ids in
            [[1], [3] + account, [3] + account.prefix(20)].map { attributes($0, ids: ids) }
        }
    private static let topics: [UInt8] = [5] + other + [6] + other + [7] + other
    private static let stored: [[UInt8]] = [
        topic, topic + [8, 8, 1, 2], [2, 1, 2, 3, 4, 5, 6, 7, 8] + topic, [2, 1, 2, 3, 4] + topic,
        [1] + other + [3] + other,
        topic + topics + [8, 0],
        // Data alone, in which the signer says what others chose, and beside a key.
        [8, 8, 1, 2], [8, 252] + closed(63), [2, 1, 2, 3, 4, 8, 1, 2] + closed(128), [1] + other + [8, 0],
    ]
    /// Longer than one byte of a length says.
    private static let longRelayed = [
        [0x91, 0x01] + relayed.dropFirst(1), [2, 0, 1, 0] + relayed.dropFirst(1),
    ]

    // MARK: texts

    static func named(_ name: String, _ fields: [UInt8]) -> [UInt8] {
        SCALEWriter.encode { $0.byteVector(Array(name.utf8)) } + fields
    }
    static func small(_ number: UInt64) -> [UInt8] { SCALEWriter.encode { $0.integer(number) } }
    private static func joined(_ parts: [UInt8]...) -> [UInt8] { Array(parts.joined()) }
    private static let names: [[UInt8]] = [
        named("sell outcome tokens", joined(other, small(4))),
        named("neo_swap::join_context", joined(other, small(0), small(0))),
        named("register_node", joined(other, other, other, [1, 2, 3, 0])),
        named("parachain authorization for nominate operation", joined(other, [0])),
        named("parachain authorization for executing nomination requests operation", joined(other, small(1))),
        joined(
            other, small(7),
            named("Polymesh Relay Transaction", joined(small(1_700_000_000_000), [5, 1], other))),
    ]

    // MARK: Polymesh and Frequency

    static let uniqueCalls: [[UInt8]] = [
        joined(small(0), [5, 1], other), joined(small(7), [41, 2, 8, 5, 1], other),
        joined(small(65_535), [1, 0]),
        joined(small(0), [127, 63]),
    ]
    /// Bittensor's, with a nonce and an era, and with the hash of a key.
    static let shielded: [[UInt8]] = [[7, 0, 0, 0, 0], other].map { middle in
        joined(Array("mev-shield:v1".utf8), other, account, middle, [5, 3, 0], other, [4])
    }
    static let ticker: [UInt8] = joined(Array("ACME".utf8), [0, 0, 0, 0, 0, 0, 0, 0])
    static let amount: [UInt8] = joined(closed(8), [0, 0, 0, 0, 0, 0, 0, 0])
    static let receipts: [[UInt8]] = [
        joined(small(9), small(8), small(0), other, account, ticker, amount),
        joined(small(9), other, [0], account, [0], Array("TWELVE-CHARS".utf8), amount),
        joined(small(9), other, [1], small(3), account, [0], ticker, amount),
        joined(small(9), other, [1], small(3), account, [1], small(0xff_ffff_ffff), ticker, amount),
    ]
    static let identityKey: [UInt8] = joined(other, small(3), small(1_790_000_000_000))
    /// A block of Frequency.
    static let block: [UInt8] = [0x40, 0x4b, 0xd0, 0]
    static let delegations: [[UInt8]] = [
        joined(small(1_500_000), [120], [UInt8](repeating: 9, count: 60), block),
        joined(small(3), [0], block),
        joined(small(2), block, other),
        joined([1], small(2), block, other), joined([2], other, block), named("alice", block),
    ]
    /// The x of the base point of P-256, behind the sign of its y and behind the other. `03` is the channel
    /// of a statement of the store as well, which is looked for first.
    static let passkeys: [[UInt8]] = [2, 3].map { sign in
        [sign] + Hex.decode("6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296")!
    }
    static let storedData: [[UInt8]] = [
        joined([20, 0, 0], block, [8, 1, 2]),
        joined([252, 64, 3, 1, 2, 3, 0xff], block, [0x91, 1], closed(100)),
        joined([20, 8, 0xfe, 0xff, 0xff, 0xff], block), joined([20, 0], block, [4, 0, 8, 1, 2]),
        joined([20, 0], block, [8, 1, 9, 0, 0, 7, 0, 4, 1]),
    ]

    // MARK: Mythos

    /// What an Ethereum-style key signed as a transfer under a forged proof: pallet 14, call 0, `MYTH_NET`, a
    /// sender, 32 bytes, a time, and two calls. The first gives all that the signer has to the sender; the
    /// second is a remark of the sender, which takes in the rest up to the `00` behind it.
    static let drain = Hex.decode(
        "0e004d5954485f4e4554bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb000000000000000000000000000000000000"
            + "00000000000000000000000000000038d360ba01000008f24ff3a9cf04c71dbc94d0b566f7a27b94566cac0a04"
            + "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb00bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb0000b50125"
            + "010c00014405000001000000f6ee56e9c5277df5b4ce6ae9983ee88f3cbed27d31beeb98f9f84f997a1ab0b90000"
            + "00000000000000000000000000000000000000000000000000000000000001653cafddc0af62741607042ff13d"
            + "b38d63cfc6d454dfbc3f56f9a961a85c2200")!
    static let mythos: [[UInt8]] = {
        let (muse, twenty) = (Array("MUSE_NET".utf8), Array(account.prefix(20)))
        let rest = twenty + other + small(1_900_000_000_000) + [4] + twenty + [0, 0, 0xff, 0]
        // Another call, a domain of 32 bytes that begins or ends so, and the sale of an item.
        return [
            drain, [14, 2] + muse + rest, [14, 0] + muse + [UInt8](repeating: 0, count: 24) + rest,
            [14, 0] + [UInt8](repeating: 0, count: 24) + muse + rest, muse + twenty + twenty + other,
        ]
    }()

    /// Complete statements, each of the first form that takes it.
    static let all: [(form: StatementForm, bytes: [UInt8])] = {
        let own: [[UInt8]] = [account + [1, 2], [0] + account]
        let forms: [(StatementForm, [[UInt8]])] = [
            (.preSignedMint, mints), (.preSignedAttributes, attributes), (.storeStatement, stored),
            (.crowdloanContribution, [contribution]),
            (.ownAccount, own), (.relayedCall, [relayed]), (.relayedCall, longRelayed),
            (.namedContext, names), (.uniqueCall, uniqueCalls), (.shieldedCall, shielded),
            (.settlementReceipt, receipts), (.identityKey, [identityKey]),
            (.delegation, delegations + [passkeys[0]]), (.storeStatement, [passkeys[1]]),
            (.storedData, storedData), (.mythos, mythos),
        ]
        return forms.flatMap { form, statements in statements.map { (form, $0) } }
    }()
}

@Suite struct StatementFormLaws {
    private func form(_ bytes: [UInt8]) -> StatementForm? {
        StatementForm(bytes[...], account: Statements.account)
    }

    @Test func `each statement is told by its form`() {
        for (form, bytes) in Statements.all {
            #expect(self.form(bytes) == form, "\(bytes)")
            // Whatever the slice begins with.
            #expect(StatementForm(([7, 7] + bytes).dropFirst(2), account: Statements.account) == form)
        }
    }

    /// A byte too many or too few is another statement or none. A statement of fields ends where one of them
    /// does, and a mint of the hubs' first runtimes where the price of a later one begins.
    @Test func `a form takes all of its bytes`() {
        let whole: [StatementForm] = [
            .preSignedMint, .preSignedAttributes, .storeStatement, .settlementReceipt, .identityKey,
            .delegation, .storedData,
        ]
        for (form, bytes) in Statements.all where whole.contains(form) {
            let (longer, shorter) = (self.form(bytes + [0xee]), self.form(Array(bytes.dropLast())))
            #expect(longer != form, "\(form): \(bytes)")
            #expect(shorter != form || bytes.last == 0 && form == .preSignedMint, "\(form): \(bytes)")
        }
        #expect(
            form(Statements.contribution + [0]) == nil
                && form(Array(Statements.contribution.dropLast())) == nil)
    }

    @Test func `a form demands the fields that make it one`() {
        var mint = Statements.mint(only: Statements.account)
        // `Some` is 01, the attributes are as many as the count, and a length is in its shortest form.
        mint[10] = 2
        #expect(form(mint) == nil)
        #expect(form(Statements.hubIDs + [4] + Statements.mint().dropFirst(9)) == nil)
        // The key of an attribute has as many bytes as its length says: one, or 63 that are not there.
        let end = Statements.mint().dropFirst(9)
        #expect(form(Statements.hubIDs + [4, 4, 0xff, 0] + end) == .preSignedMint)
        #expect(form(Statements.hubIDs + [4, 252, 0] + end) == nil)
        #expect(
            form(Statements.hubIDs + [0, 1, 0, 0, 1, 0, 0, 0, 0]) == nil
                && form(Statements.hubIDs + [3, 0, 0, 0xff, 0xff, 0xff, 0xff, 0]) == nil)
        #expect(
            form(Statements.mint(price: [2])) == nil
                && form(Statements.mint(price: [2] + [UInt8](repeating: 3, count: 16))) == nil)
        #expect(form(Statements.attributes([4])) == nil && form(Statements.attributes([1, 1])) == nil)
        // Fields ascend, end with the eighth, and one of them is a channel or a topic.
        let rest = Array(Statements.topic.dropFirst())
        #expect(
            form(Statements.topic + Statements.topic) == nil && form([5] + rest + Statements.topic) == nil)
        #expect(form([9] + rest) == nil && form([0] + rest) == nil)
        #expect(
            form([1] + [UInt8](repeating: 0, count: 32)) == nil
                && form([2] + [UInt8](repeating: 0, count: 8)) == nil && form([]) == nil)
        // 32 bytes are a hash, unless they have a length that no hash has.
        let data = [UInt8](repeating: 5, count: 30)
        #expect(form([8, 30 << 2] + data) == nil && form([8, 29 << 2] + data.dropLast()) == .storeStatement)
        #expect(form([8, 31 << 2] + data + [5]) == .storeStatement)
        // As long as a transaction, and nothing that keeps it.
        #expect(form([8, 1, 1] + Statements.closed(64)) == nil)
        for place in [2, 3, 48, 51, 64, 67] {
            var contribution = Statements.contribution
            contribution[place] = 1
            #expect(form(contribution) != .crowdloanContribution)
        }
        #expect(
            form([0, 0] + Statements.account) == nil && form(Array(Statements.account.dropLast())) == nil)
        #expect(
            StatementForm(Statements.account[...], account: nil) == nil
                && StatementForm([1, 2], account: []) == nil)
        let text = Array(Statements.relayed.dropFirst())
        #expect(form([0x91] + text) == nil && form([0x90] + Array("authorization of ".utf8)) == nil)
        // Two bytes of a length below 64, and four of one below 2¹⁴, are no shortest forms.
        #expect(
            form([0x91, 0] + text) == nil && form([0x92, 0xff, 0, 0] + text) == nil && form([3] + text) == nil
        )
        // Only the hubs' ids had no price, and no collection has a number of 2¹⁶.
        #expect(form(Statements.mint(ids: Statements.ids(4, 8), price: nil)) == nil)
        for place in [2, 3] {
            var mint = Statements.mint()
            mint[place] = 1
            #expect(form(mint) == nil)
        }
        #expect(form(Statements.mint(price: [1] + [UInt8](repeating: 3, count: 13) + [0, 0, 0])) == nil)
    }

    @Test func `a name is told by its length, its letters and what follows`() {
        func named(_ name: String, _ fields: [UInt8] = [0]) -> StatementForm? {
            form(Statements.named(name, fields))
        }
        let long = String(repeating: "n", count: 127)
        #expect(named("eight_ch") == .namedContext && named("seven_c") == nil)
        #expect(named(long) == .namedContext && named(long + "n") == nil)
        #expect(
            named("eight_ch", []) == nil && named("eight\u{7f}ch") == nil && named("1eight_ch") == nil
                && named("_eight_ch") == nil)
        #expect(
            named("Zeitgeist:") == .namedContext && named("`eight_ch") == nil && named("eight<ch") == nil
                && named("eight>ch") == nil)
        // Not in its shortest form.
        #expect(form([0x21, 0] + Array("eight_ch".utf8) + [0]) == nil)
        let (start, end) = (Statements.other + Statements.small(7), Statements.small(1))
        #expect(form(start + Statements.named("Polymesh ", end)) == .namedContext)
        #expect(
            form(start + Statements.named("Polymath Relay", end)) == nil
                && form(start.dropLast() + Statements.named("Polymesh ", end)) == nil)
    }

    /// The first letter of a text is the length of what follows for whoever looks for one.
    @Test func `text that is read as text to its end has no form`() {
        for text in [
            "Hello everybody, this is a text", "Hello everybody, it is d\u{e9}j\u{e0} vu",
            "Dear customer of mine,\nthis is a text", "pay",
        ] {
            #expect(form(Array(text.utf8)) == nil, "\(text)")
            #expect(text.utf8.count < 9 || form(Array(text.utf8) + [0]) == .namedContext)
        }
    }

    @Test func `the forms of other chains demand their fields`() {
        func changed(_ bytes: [UInt8], _ place: Int, _ byte: UInt8) -> StatementForm? {
            var bytes = bytes
            bytes[place] = byte
            return form(bytes)
        }
        let call = Statements.uniqueCalls[0]
        for place in 2..<8 { #expect(changed(call, place, 1) == nil, "\(place)") }
        #expect(changed(call, 8, 0) == nil && changed(call, 8, 128) == nil && changed(call, 9, 64) == nil)
        #expect(form(Array(call.prefix(10))) == .uniqueCall && form(Array(call.prefix(9))) == nil)
        for receipt in Statements.receipts {
            let count = receipt.count
            for place in count - 8..<count {
                #expect(changed(receipt, place, 1) != .settlementReceipt, "\(place)")
            }
            for byte in [0, 0x1f, 0x7f] as [UInt8] {
                #expect(changed(receipt, count - 28, byte) != .settlementReceipt)
            }
        }
        #expect(changed(Statements.receipts[0], Statements.receipts[0].count - 17, 1) != .settlementReceipt)
        #expect(
            changed(Statements.receipts[1], 40, 2) == nil && changed(Statements.receipts[2], 46, 1) == nil)
        for (place, byte) in [(36, 1), (39, 1), (47, 1), (46, 1), (45, 8), (45, 0)] as [(Int, UInt8)] {
            #expect(changed(Statements.identityKey, place, byte) == nil, "\(place)")
        }
        let provider = Statements.delegations[0]
        for place in [5, 7] { #expect(changed(provider, place, 1) == nil) }
        #expect(
            form(Statements.small(1) + [124] + [UInt8](repeating: 9, count: 62) + Statements.block)
                != .delegation)
        for bytes in [provider, Statements.delegations[4]] {
            #expect(changed(bytes, bytes.count - 1, 8) == nil)
        }
        #expect(
            changed(Statements.delegations[3], 0, 3) == nil && changed(Statements.delegations[4], 0, 1) == nil
        )
        // A compressed point begins with 02 or 03: no other 33 bytes are a passkey.
        for byte in 0...UInt8.max {
            let key = [byte] + Statements.passkeys[0].dropFirst()
            #expect(StatementForm.isDelegation(key[...]) == (byte == 2 || byte == 3), "\(byte)")
        }
        let page = Statements.storedData[0]
        #expect(
            form([0, 1, 0] + page.dropFirst()) == nil && changed(page, 1, 68) == nil
                && changed(page, 2, 4) == nil)
        #expect(changed(page, 5, 0x0f) == nil && changed(page, 6, 8) == nil)
        #expect(
            form([20, 0] + Statements.block + [0]) != .storedData
                && changed(Statements.storedData[3], 7, 2) == nil)
    }

    @Test func `what Mythos takes names its network at its start, whatever follows`() {
        #expect(Statements.drain.count == 248)
        for place in 2..<10 {
            var bytes = Statements.drain
            bytes[place] ^= 1
            #expect(form(bytes) == nil, "\(place)")
        }
        #expect(form(Array("MYTH_NET".utf8) + [0]) == .mythos)
        for (count, isFound) in [(26, true), (27, false)] {
            let bytes = [UInt8](repeating: 0xff, count: count) + Array("MYTH_NET".utf8) + [0]
            #expect((form(bytes) == .mythos) == isFound)
        }
        // A text says its name.
        #expect(form(Array("MYTH_NET is a network".utf8)) == nil)
    }

    /// The same bytes under every key that may stand on that chain, also where a person is asked.
    @Test func `a batch of Mythos is no message to sign, with tags or without`() {
        for content in Statements.mythos {
            let tagged = Array("<Bytes>".utf8) + content + Array("</Bytes>".utf8)
            #expect(SigningMessage.statementForm(of: tagged, .message, account: nil) == .mythos)
            #expect(SigningMessage.statementForm(of: content, .transaction, account: nil) == .mythos)
        }
    }

    /// A meta-transaction's marker stands behind the call: its last fields follow.
    @Test func `a hashed payload with the marker of a meta-transaction near its end is one`() {
        let marker = Array("_meta_tx".utf8)
        let (long, end) = ([UInt8](repeating: 1, count: 300), StatementForm.longestEnd - 8)
        #expect(StatementForm(hashed: long + marker + [UInt8](repeating: 2, count: 105)) == .metaTransaction)
        #expect(StatementForm(hashed: long + marker) == .metaTransaction)
        #expect(StatementForm(hashed: long + marker + [UInt8](repeating: 2, count: end)) == .metaTransaction)
        #expect(StatementForm(hashed: long + marker + [UInt8](repeating: 2, count: end + 1)) == nil)
        #expect(
            StatementForm(hashed: long + marker.dropLast() + [0]) == nil && StatementForm(hashed: []) == nil)
    }

    /// Pallets read the fields of `PreSignedMint` in this order, by the metadata of Polkadot's Asset Hub.
    @Test func `the layouts are those of a real runtime`() throws {
        guard let blob = try SharedData.read("metadata/asset-hub-polkadot-2000000-v15.scale") else { return }
        let metadata = try RuntimeMetadata(blob)
        guard case .id(let calls)? = metadata.pallets.first(where: { $0.name.utf8Equals("Nfts") })?.calls
        else {
            Issue.record("no pallet Nfts")
            return
        }
        func fields(_ call: String) throws -> [String] {
            let variant = try #require(
                metadata.registry.variants(of: calls).first { $0.name.utf8Equals(call) })
            guard case .id(let id) = variant.fields[0].type,
                case .composite(let fields) = try metadata.registry.definition(of: id).shape
            else { return [] }
            return fields.map { $0.name ?? "" }
        }
        let start = ["collection", "item", "attributes"]
        #expect(
            try fields("mint_pre_signed") == start + ["metadata", "only_account", "deadline", "mint_price"])
        #expect(try fields("set_attributes_pre_signed") == start + ["namespace", "deadline"])
    }

    /// Whoever makes a transaction by chance has made no statement: of four million each, none has a form. So
    /// no one is refused who was not meant to be.
    @Test(arguments: [41, 42, 43, 20_261_123] as [UInt64])
    func `no ordinary transaction has a form`(seed: UInt64) {
        var found: [StatementForm] = []
        func look(_ bytes: ArraySlice<UInt8>) {
            if let form = StatementForm(bytes, account: Statements.account) { found.append(form) }
        }
        // Of a long one the hash is signed, and the bytes are looked at as well.
        OrdinaryTransactions.ofAnyCall(1_000_000, seed: seed) { bytes in
            look(bytes)
            if bytes.count > 256 { look(bytes.suffix(32)) }
        }
        OrdinaryTransactions.ofWallets(1_000_000, seed: seed) { look($0[...]) }
        #expect(found.isEmpty)
    }

    /// The same of the forms of other chains, by the rules of each scheme. No account is given, so that any
    /// signer is the one of a form that names its signer; the 32 bytes of a known one come by no chance.
    @Test(arguments: [41, 42, 43, 20_261_123] as [UInt64])
    func `no ordinary transaction has a form of another chain`(seed: UInt64) {
        var (found, count, long, hashes, empty) = ([String](), 0, 0, 0, 0)
        func look(_ bytes: [UInt8]) {
            count += 1
            let forms: [Any?] = [
                SigningMessage.ed25519Form(of: bytes, .transaction, scheme: .ed25519, account: nil),
                SigningMessage.hashedForm(of: bytes, .transaction, scheme: .ed25519),
                SigningMessage.hashedForm(of: bytes, .transaction, scheme: .ecdsa),
                EthereumForm(bytes),
            ]
            // Call 0 of pallet 0 with an empty argument, without expiry and with nonce 0, begins as Sui's do.
            let isEmpty = bytes.starts(with: [0, 0, 0, 0, 0])
            for case let form? in forms {
                if isEmpty, form as? HashedForm == .sui { empty += 1; continue }
                found.append("\(form): \(Hex.encode(bytes))")
            }
            guard bytes.count > 256 else { return }
            long += 1
            if SigningMessage.ethereumForm(of: bytes, .transaction, scheme: .ethereum) != nil { hashes += 1 }
        }
        OrdinaryTransactions.ofAnyCall(1_000_000, seed: seed) { look(Array($0)) }
        OrdinaryTransactions.ofWallets(1_000_000, seed: seed) { look($0) }
        #expect(count > 1_900_000 && found.isEmpty, "\(found.count) of \(count): \(found.prefix(5))")
        #expect(empty * 100_000 < count, "\(empty) of \(count)")
        // An Ethereum-style key signs the hash of long bytes, and 32 drawn bytes are a list once in some
        // 8,000.
        #expect(long > 100_000 && hashes * 6_000 < long, "\(hashes) of \(long)")
    }
}

/// Payloads whose signed bytes are a statement at once.
@Suite struct StatementRefusalLaws {
    private static let chain = FixtureRuntime.standard
    private static let amount: UInt128 = 1_500_000_000_000
    private static let policy = """
        {"approve": [{"networks": ["heliotest"], "calls": ["Balances.transfer_keep_alive"], "mortality": \
        "any", "destinations": ["0x\(Hex.encode(Target.bob))"], "maximum_amount": "\(amount)", \
        "maximum_tip": "5"}]}
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

    /// A forged transfer of 1.5 to Bob, with a field that takes in the start of a mint. The metadata of the
    /// item reaches as far as the forger says, so that only what is behind it has to come out right: the
    /// digest, which nobody chooses.
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
                proof.leaves.firstIndex {
                    if case .variant("transfer_keep_alive", _, _) = $0.definition { true } else { false }
                })
            var shown: Set<Int>?
            var tries: UInt32 = 0
            // No price: the last byte is 00.
            while proof.hash(under: knob.isOfInfo ? root : try #require(proof.root)).last != 0 {
                tries += 1
                switch knob {
                case .specVersion, .blockHash: proof.info.specVersion += 1
                case .unit: proof.info.tokenSymbol = "U\(tries)"
                case .typeName:
                    guard case .variant(let name, var fields, let index) = proof.leaves[leaf].definition
                    else { break }
                    fields[0].typeName = "Salt\(tries)"
                    proof.leaves[leaf].definition = .variant(name: name, fields: fields, index: index)
                case .unusedLeaf:
                    let unused = ForgedLeaf(
                        99_999, path: ["Unused"], .composite([ForgedField("f\(tries)", .primitive(.u8))]))
                    if shown != nil { proof.leaves.removeLast() } else { shown = Set(proof.leaves.indices) }
                    proof.leaves.append(unused)
                }
            }
            runtime.specVersion = proof.info.specVersion
            runtime.specs.unit = proof.info.tokenSymbol
            if knob == .blockHash {
                // `Some` of the only account stands in the block hash, which whoever makes the transaction
                // may choose.
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
            payload = ProofCode.byKey.payload(
                body, proof: proof.encoded(showing: shown), genesis: runtime.genesisHash)
        }

        private static func forged(
            _ runtime: FixtureRuntime, _ blockHash: [UInt8], metadata: Int
        ) throws -> (proof: ForgedProof, before: [UInt8], filling: [UInt8], callLength: Int) {
            var face = TwoFaced.Face(runtime, recipient: Target.bob, amount: StatementRefusalLaws.amount)
            (face.way, face.era, face.blockHash) = (
                .array, .mortal(MortalEra(period: 64, phase: 27)!), Hash32(blockHash)
            )
            // Pallet 5, call 0, and a field that takes in the rest of collection 5, item 7, no attributes,
            // and the length of the metadata.
            let before = Statements.ids + [0] + FixtureValue.compact(UInt128(metadata))
            let forged = try TwoFaced(face, before: before, after: [])
            return (forged.proof, before, forged.filling, forged.shownCallLength)
        }
    }

    private static func review(_ payload: [UInt8], knob: Knob, policy: String) throws -> (
        reviewed: ReviewedTransaction, data: ChainData
    ) {
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
        #expect(
            reviewed.decoded?.summary.nativeTotal == Self.amount
                && reviewed.decoded?.summary.accounts == [Target.bob])
        #expect(reviewed.refusal == .otherStatement(.preSignedMint))
        #expect(throws: ReviewError.otherStatement(.preSignedMint)) {
            try SigningMessage.bytes(reviewed, scheme: .sr25519)
        }
        #expect(try data.standingApproval(of: [reviewed]) == nil)
        // The field that took it in is remarked for itself.
        #expect(reviewed.cards.warning.contains { $0.text(of: "code").utf8Equals("unusual_call") })
    }

    @Test func `what starts as a message, an authorization or a statement of the own account is refused`()
        throws
    {
        func refusal(_ bytes: [UInt8], account: [UInt8]? = nil) -> StatementForm? {
            SigningMessage.statementForm(
                of: bytes + [UInt8](repeating: 0xee, count: 70), .transaction, account: account)
        }
        #expect(refusal(Array("<Bytes>".utf8)) == .message && refusal(Array("<Bytes".utf8)) == nil)
        #expect(refusal(Statements.relayed) == .relayedCall)
        #expect(refusal(Statements.account, account: Statements.account) == .ownAccount)
        #expect(refusal(Statements.account, account: Target.bob) == nil)
        #expect(refusal(Statements.named("sell outcome tokens", [])) == .namedContext)
        #expect(refusal(Statements.uniqueCalls[0]) == .uniqueCall)
        #expect(refusal(Statements.shielded[0]) == .shieldedCall)
        #expect(refusal(Array("mev-shield".utf8)) == nil)
        let long = [UInt8](repeating: 1, count: 300)
        #expect(
            refusal(long + Array("_meta_tx".utf8)) == .metaTransaction
                && refusal(Array("_meta_tx".utf8)) == nil)
        #expect(
            refusal(long) == nil
                && refusal(Statements.account + long, account: Statements.account) == .ownAccount)
    }

    /// A remark's name and bytes are what it says, and nobody reads in them that a market sells.
    @Test func `a remark that is a complete order or a call for somebody else to send is refused`() throws {
        let order = Statements.named(
            "sell outcome tokens", Target.thief + Statements.small(4) + Statements.small(5))
        let call = Statements.small(5) + [5, 1] + Target.thief + [0xff, 0xff]
        let shielded = Statements.shielded[1]
        let batch = Array(Statements.drain.prefix(100))
        for (bytes, form) in [
            (order, StatementForm.namedContext), (call, .uniqueCall), (shielded, .shieldedCall),
            (batch, .mythos),
        ] {
            var runtime = Self.chain
            var system = try #require(runtime.pallets.first { $0.name == "System" })
            runtime.pallets.removeAll { $0.name == "System" || $0.index == bytes[0] }
            let remark = FixtureField("remark", .array(UInt32(bytes.count) - 2, .u8), typeName: nil)
            (system.index, system.calls) = (
                bytes[0], [FixtureVariant("remark", index: bytes[1], fields: [remark])]
            )
            runtime.pallets.append(system)
            let payload = try runtime.provedPayload(signer: Target.alice, call: bytes)
            let (reviewed, _) = try Self.review(payload, knob: .specVersion, policy: Self.policy)
            #expect(reviewed.signingBytes.starts(with: bytes) && reviewed.decoded?.summary.calls.count == 1)
            #expect(reviewed.refusal == .otherStatement(form))
            #expect(throws: ReviewError.otherStatement(form)) {
                try SigningMessage.bytes(reviewed, scheme: .sr25519)
            }
            // No known runtime has a remark whose length stands nowhere.
            #expect(reviewed.cards.warning.contains { $0.warning == .unusualCall(.remarkWithoutLength) })
        }
        let ordinary = Self.chain.call("System", "remark", [FixtureValue.bytes([1, 2])])
        let payload = try Self.chain.provedPayload(signer: Target.alice, call: ordinary)
        let (reviewed, _) = try Self.review(payload, knob: .specVersion, policy: Self.policy)
        #expect(!reviewed.cards.warning.contains { $0.warning == .unusualCall(.remarkWithoutLength) })
    }

    @Test func `a message whose content is a statement is refused, and text is not`() throws {
        func refusal(_ content: [UInt8]) throws -> ReviewError? {
            let bytes =
                [0x53, 0x01, 0x03] + Target.alice + Array("<Bytes>".utf8) + content + Array("</Bytes>".utf8)
            let reviewed = try Target([Self.chain.specs]).review(bytes + Self.chain.genesisHash.bytes)[0]
            if let refusal = reviewed.refusal {
                #expect(throws: refusal) { try SigningMessage.bytes(reviewed, scheme: .sr25519) }
            } else {
                #expect(try SigningMessage.bytes(reviewed, scheme: .sr25519) == reviewed.signingBytes)
            }
            return reviewed.refusal
        }
        for (form, bytes) in Statements.all where form != .ownAccount {
            #expect(try refusal(bytes) == .otherStatement(form), "\(bytes)")
        }
        #expect(try refusal(Target.alice + [1]) == .otherStatement(.ownAccount))
        for text in [
            "", "hello", "I am alice.dot", "Hello everybody, this is a text",
            "Hello everybody, d\u{e9}j\u{e0} vu",
            "authorization for nothing", "_meta_tx", "<Bytes>",
        ] {
            #expect(try refusal(Array(text.utf8)) == nil)
        }
    }

    /// A table of statements can miss one. What nobody reads is remarked, so no rule signs it either.
    @Test func `a message that is no readable text has a warning`() throws {
        func warnings(_ content: [UInt8]) throws -> [ReviewWarning?] {
            let bytes =
                [0x53, 0x01, 0x03] + Target.alice + Array("<Bytes>".utf8) + content + Array("</Bytes>".utf8)
            let reviewed = try Target([Self.chain.specs]).review(bytes + Self.chain.genesisHash.bytes)[0]
            #expect(reviewed.refusal == nil)
            return reviewed.cards.warning.map { $0.warning?.review }
        }
        // An account that KILT links to an identity: the identity, and the block until which that is valid.
        let link = [UInt8](repeating: 0x9a, count: 32) + [0x40, 0x42, 0x5f, 0, 0, 0, 0, 0]
        // A key that may ask Phala's contracts in the account's name: the key, and two numbers.
        let certificate = [0x80] + [UInt8](repeating: 0x9b, count: 32) + [0xff, 0xff, 0xff, 0x7f, 0, 0, 0, 0]
        for content in [
            link, certificate, Statements.other, [0xff], Array("linked\0".utf8), Array("\u{202e}text".utf8),
            Array("0xb7".utf8),
        ] {
            #expect(try warnings(content) == [.unreadableMessage], "\(content)")
        }
        for text in ["", "hello", "two\n\tlines", "d\u{e9}j\u{e0} vu"] {
            #expect(try warnings(Array(text.utf8)) == [], "\(text)")
        }
    }
}
