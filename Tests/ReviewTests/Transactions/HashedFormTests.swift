import FixtureRuntime
import Hashing
import Keys
import SubstratePrimitives
import TestSupport
import Testing

@testable import Review

/// What other chains hash, written by their own rules.
private enum Hashed {
    static let block = [UInt8](repeating: 0xcc, count: 32)
    static let account = [UInt8](repeating: 0xaa, count: 20)
    static let rest = [UInt8](repeating: 0xee, count: 33)

    static func data(_ bytes: [UInt8]) -> [UInt8] { [0, 0, 0, UInt8(bytes.count)] + bytes }

    /// A number of Tezos: seven bits a byte, the lowest first.
    static func natural(_ value: Int) -> [UInt8] {
        value < 0x80 ? [UInt8(value)] : [UInt8(value & 0x7f | 0x80)] + natural(value >> 7)
    }

    /// An operation of a manager: its kind, its source, and four numbers.
    static func manager(_ kind: UInt8, _ content: [UInt8], source: [UInt8] = [0] + account) -> [UInt8] {
        [kind] + source + natural(2000) + natural(1001) + natural(3000) + natural(300) + content
    }

    static let transfer = manager(108, natural(98_765) + [0, 0] + account + [0])
    static let call = manager(108, [0, 1] + account + [0, 0xff, 0xff, 4] + Array("mint".utf8) + data(rest))
    static let others: [[UInt8]] = [
        manager(107, [0] + block), manager(107, [1, 2] + block + [0xff] + data(rest)),
        manager(109, [5, 0xff, 0] + account + data([1, 2]) + data(rest)),
        manager(110, [0xff, 3] + account), manager(110, [0]), manager(111, data(rest)),
        manager(112, [0xff] + natural(900)), manager(113, [7] + [0, 0] + account), manager(201, data(rest)),
        manager(115, joined([[3], [UInt8](repeating: 7, count: 48), [0xff], data(rest)])), ticket,
        manager(200, rollup + [0]),
        manager(200, rollup + [0xff] + data([1] + account)), [17] + data(rest),
    ]
    static let ticket = manager(
        158,
        joined([
            data([3, 0x0b]), data([3, 0x6c]), [1], account, [0], natural(5), [0, 0], account,
            data(Array("default".utf8)),
        ]))
    static let rollup = joined([[2], data(rest), data([3, 0x68])])

    static func tezos(_ operations: [[UInt8]]) -> [UInt8] { [3] + block + operations.flatMap { $0 } }

    static let input: [UInt8] = [0x82, 0x58, 0x20] + block + [1]
    /// Inputs, outputs with a datum last, and a fee; keys stand in any order.
    static func cardano(_ map: UInt8 = 0xa3, fee: UInt8 = 2) -> [UInt8] {
        [map, 0, 0x81] + input + [fee, 0x1a, 0, 3, 0, 0]
            + [1, 0x9f, 0xa2, 0, 0x43, 1, 2, 3, 1, 0xd8, 0x18, 0x58, 33] + rest + [0xff]
    }

    static func iota(inputs: UInt8 = 1, outputs: UInt8 = 1) -> [UInt8] {
        [1] + [UInt8](repeating: 0x31, count: 8) + [inputs, 0] + [0] + block + [7, 0] + block
            + [outputs, 0, 3] + rest
    }

    static func sui(_ start: [UInt8]) -> [UInt8] { [UInt8](repeating: 0, count: 5) + start + rest }

    /// Spends one output, makes one, and pays a fee; the digest of a proof ends with the fee.
    static let sia = joined([
        Array("sia/sig/input|".utf8), [2, 1, 0, 0, 0, 0, 0, 0, 0], block, zeros(72), [0],
        Array(rest.prefix(12)), zeros(4),
    ])
    /// The start of the older form: an input with its conditions.
    static let oldSia = joined([
        [1, 0, 0, 0, 0, 0, 0, 0], block, zeros(8), [1, 0, 0, 0, 0, 0, 0, 0], Array("ed25519".utf8), zeros(9),
        [32, 0, 0, 0, 0, 0, 0, 0], block,
    ])

    static func joined(_ parts: [[UInt8]]) -> [UInt8] { parts.flatMap { $0 } }
    private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

    static let alephium: [UInt8] =
        [0, 0, 0, 0x80, 0, 0x4e, 0x20, 0xc1, 0x17, 0x48, 0x76, 0xe8, 0, 1, 9, 9, 9, 9] + block + [0] + rest

    /// A chain and a domain, the sender's key, a time of 2025, a program, and none of the rest.
    static func iroha(time: [UInt8] = [0, 1, 2, 3, 0x95, 1, 0, 0], key: [UInt8] = [0, 0x80]) -> [UInt8] {
        joined([
            [16], Array("main".utf8), [20], Array("users".utf8), key, block, time, [1, 0x84], rest,
            [0, 0, 0],
        ])
    }

    /// A registration of CIP-36: one delegation, the stake's key, where rewards go, a number and a purpose.
    static let vote = joined([
        [0xa1, 0x19, 0xef, 0x64, 0xa5, 1, 0x81, 0x82, 0x58, 32], block, [1, 2, 0x58, 32], block,
        [3, 0x58, 33], rest, [4, 0x1a, 0, 1, 2, 3, 5, 0],
    ])

    static let all: [(form: HashedForm, bytes: [UInt8])] = [
        (.tezosOperation, tezos([transfer, call])), (.tezosConsensus, [0x13, 0x7a, 6, 0xa7, 0x70] + block),
        (.tezosMessage, [5, 1, 0, 0, 0, 99] + Array("Tezos Signed Message: ".utf8)),
        (.tezosData, [5, 7, 7, 0, 9, 0x0a] + data(rest)),
        (.cardano, cardano()), (.iota, iota()), (.sui, sui([1, 0])),
        (.suiMessage, [3, 0, 0, 33] + rest), (.alephium, alephium), (.veChain, [0xe1] + rest),
        (.sia, sia), (.sia, oldSia), (.iroha, iroha()), (.cardanoVote, vote),
    ]
}

extension [UInt8] {
    fileprivate func repeated(_ count: Int) -> [UInt8] { (0..<count).flatMap { _ in self } }
}

@Suite struct HashedFormLaws {
    @Test func `each form is found`() {
        for (expected, bytes) in Hashed.all { #expect(HashedForm(bytes) == expected) }
        #expect(Set(Hashed.all.map(\.form)) == Set(HashedForm.allCases))
        #expect(HashedForm([]) == nil && HashedForm(Hashed.block) == nil)
    }

    /// `fixtures/foreign` says what else reads these bytes.
    @Test func `bytes that programs of other chains read have their form`() throws {
        let text = String(decoding: try Checkout.read("fixtures/foreign/forms.tsv"), as: UTF8.self)
        var found: Set<String> = []
        for line in text.split(separator: "\n").dropFirst() {
            let parts = line.split(separator: "\t").map(String.init)
            let bytes = try #require(Hex.decode(parts[1]))
            let names =
                [HashedForm(bytes).map { "\($0)" }, Ed25519Form(bytes, account: nil).map { "\($0)" }]
                + [EthereumForm(bytes).map { "\($0)" }]
            #expect(names.contains(parts[0]), "\(parts[0])")
            found.insert(parts[0])
        }
        #expect(found == ["cardano", "tezosOperation", "cose", "ioTeX", "hedera"])
    }

    @Test func `operations of Tezos are read to their end`() {
        for operation in Hashed.others + [Hashed.transfer, Hashed.call] {
            for bytes in [[operation], [operation, Hashed.transfer]].map(Hashed.tezos) {
                #expect(HashedForm(bytes) == .tezosOperation, "\(operation[0])")
                #expect(HashedForm(bytes + [0]) == nil || operation[0] == 107, "\(operation[0])")
                #expect(HashedForm(Array(bytes.dropLast())) == nil, "\(operation[0])")
                #expect(HashedForm([4] + bytes.dropFirst()) == nil)
            }
        }
        #expect(HashedForm(Hashed.tezos([])) == nil)
        #expect(HashedForm(Hashed.tezos([[17, 0, 0, 0, 0]])) == .tezosOperation)
        // What a ticket or a rollup has is not read: an operation of the same source follows it.
        for kind in [202, 206, 207, 230, 250, 252] as [UInt8] {
            let operation = Hashed.manager(kind, Hashed.rest)
            #expect(HashedForm(Hashed.tezos([operation, Hashed.transfer])) == .tezosOperation)
            // What follows has another source, or nothing follows.
            let other = Hashed.manager(
                108, [0, 0, 0] + Hashed.block.prefix(20) + [0], source: [1] + Hashed.account)
            #expect(HashedForm(Hashed.tezos([operation, other])) == nil)
            #expect(HashedForm(Hashed.tezos([operation])) == nil)
            #expect(HashedForm(Hashed.tezos([operation]) + [0] + Hashed.account) == .tezosOperation)
            // It may be the last one, behind one that pays.
            #expect(HashedForm(Hashed.tezos([Hashed.transfer, operation])) == .tezosOperation)
            #expect(HashedForm(Hashed.tezos([other, operation])) == nil)
        }
        for kind in [0, 6, 16, 106, 115, 157, 158, 159, 200, 207, 255] as [UInt8] {
            #expect(HashedForm(Hashed.tezos([Hashed.manager(kind, Hashed.rest)])) == nil, "\(kind)")
        }
        // Four kinds of source; a number in a longer form than needed is invalid.
        for tag in UInt8(0)...4 {
            let bytes = Hashed.tezos([Hashed.manager(110, [0], source: [tag] + Hashed.account)])
            #expect((HashedForm(bytes) == .tezosOperation) == (tag < 4))
        }
        let long = [110, 0] + Hashed.account + [0x80, 0, 1, 1, 1, 0]
        #expect(HashedForm(Hashed.tezos([long])) == nil)
    }

    @Test func `blocks and attestations of Tezos name its main network`() {
        for first in UInt8(0x10)...0x14 {
            let bytes = [first, 0x7a, 0x06, 0xa7, 0x70]
            #expect((HashedForm(bytes) == .tezosConsensus) == (0x11...0x13).contains(first))
            #expect(HashedForm([first, 0x7a, 0x06, 0xa7, 0x71]) == nil)
        }
    }

    @Test func `the body of a Cardano transaction is one map with inputs, outputs and a fee`() {
        #expect(HashedForm(Hashed.cardano() + [0]) == nil && HashedForm(Hashed.cardano(fee: 3)) == nil)
        #expect(HashedForm(Hashed.cardano(0xa2)) == nil && HashedForm(Hashed.cardano(0xa4)) == nil)
        #expect(HashedForm(Hashed.cardano(0x83)) == nil)
        #expect(HashedForm(Hashed.cardano(0xbf) + [0xff]) == .cardano)
        #expect(HashedForm(Hashed.cardano(0xbf)) == nil)
        for length in 0..<Hashed.cardano().count {
            #expect(HashedForm(Array(Hashed.cardano().prefix(length))) == nil)
        }
        // No transaction nests deeper than 64.
        for (depth, form) in [(63, HashedForm.cardano), (64, nil)] as [(Int, HashedForm?)] {
            let nested = [UInt8](repeating: 0x81, count: depth) + [0]
            #expect(HashedForm([0xa3, 0, 0x80, 2, 0, 1] + nested) == form)
        }
        // A fee of one to eight bytes, with which the bytes end.
        for wide in UInt8(24)...27 {
            let bytes = [0xa3, 0, 0x80, 1, 0x80, 2, wide] + [UInt8](repeating: 1, count: 1 << Int(wide - 24))
            #expect(HashedForm(bytes) == .cardano && HashedForm(bytes.dropLast()) == nil, "\(wide)")
        }
        // A number of elements that the bytes do not have, and nesting without end.
        #expect(HashedForm([0xa1, 0, 0x9b] + [UInt8](repeating: 0xff, count: 8)) == nil)
        #expect(HashedForm([0xa1, 0] + [UInt8](repeating: 0x81, count: 100_000)) == nil)
    }

    @Test func `a registration of Cardano is one map with its label alone`() {
        #expect(HashedForm(Hashed.vote + [0]) == nil && HashedForm(Array(Hashed.vote.dropLast())) == nil)
        #expect(HashedForm([0xa1, 0x19, 0xef, 0x65] + Hashed.vote.dropFirst(4)) == nil)
        #expect(HashedForm([0xa2] + Hashed.vote.dropFirst() + [0x19, 0xef, 0x65, 0]) == nil)
    }

    @Test func `an Iroha transaction names its chain, its sender and a time`() {
        #expect(HashedForm(Hashed.iroha(key: [1, 0x80])) == nil)
        #expect(HashedForm(Hashed.iroha(key: [0, 0x84])) == nil)
        for time in [[0, 1, 2, 3, 4, 0, 0, 0], [0, 1, 2, 3, 4, 8, 0, 0], [0, 1, 2, 3, 4, 1, 1, 0]]
            as [[UInt8]]
        {
            #expect(HashedForm(Hashed.iroha(time: time)) == nil)
        }
        let start = 11 + 34 + 8
        #expect(HashedForm(Array(Hashed.iroha().prefix(start))) == .iroha)
        #expect(HashedForm(Array(Hashed.iroha().prefix(start - 1))) == nil)
        #expect(HashedForm([15] + Hashed.iroha().dropFirst()) == nil)
    }

    @Test func `an IOTA transaction has inputs of 35 bytes and an output of a known type`() {
        #expect(HashedForm(Hashed.iota(inputs: 0)) == nil && HashedForm(Hashed.iota(outputs: 0)) == nil)
        #expect(HashedForm(Hashed.iota(inputs: 2)) == nil && HashedForm(Hashed.iota(outputs: 129)) == nil)
        for (place, value) in [(0, 2), (10, 1), (11, 1), (44, 128), (45, 1), (80, 1), (80, 7)]
            as [(Int, UInt8)]
        {
            var bytes = Hashed.iota()
            bytes[place] = value
            #expect(HashedForm(bytes) == nil, "\(place)")
        }
    }

    @Test func `a Sui message has its length, and a transaction its intent, version, kind and lists`() {
        #expect(
            HashedForm([3, 0, 0, 32] + Hashed.rest) == nil && HashedForm([3, 0, 0, 34] + Hashed.rest) == nil)
        #expect(HashedForm([3, 0, 1, 33] + Hashed.rest) == nil)
        // A length above 127 has two bytes.
        for start in [
            [1, 0], [127, 2], [0x80, 1, 0], [0xff, 0x7f, 2], [0, 1, 0], [0, 127, 6], [0, 0x80, 1, 6],
        ] as [[UInt8]] {
            #expect(HashedForm(Hashed.sui(start)) == .sui, "\(start)")
        }
        for start in [
            [1, 3], [0x80, 0, 0], [0x80, 0x80, 1, 0], [0x80, 1, 3], [0, 0, 0], [0, 0x80, 0, 0], [0, 1, 7],
        ] as [[UInt8]] {
            #expect(HashedForm(Hashed.sui(start)) == nil, "\(start)")
        }
        #expect(HashedForm([0, 0, 0, 0, 1, 1, 0] + Hashed.rest) == nil)
        #expect(HashedForm([0, 0, 0, 0, 0, 1, 0]) == nil)
    }

    @Test func `an Alephium transaction has gas in four bytes, a price and an input`() {
        for (place, value) in [(0, 1), (1, 1), (2, 1), (3, 0x40), (7, 0x81), (13, 0), (13, 64), (50, 6)]
            as [(Int, UInt8)]
        {
            var bytes = Hashed.alephium
            bytes[place] = value
            #expect(HashedForm(bytes) == nil, "\(place)")
        }
    }

    @Test func `a script of Alephium may stand before the gas`() {
        let end = Array(Hashed.alephium.dropFirst(3))
        for script in [[1, 1, 0, 0, 0, 0, 0], [2] + Hashed.rest] as [[UInt8]] {
            let bytes = [0, 0, 1] + script + end
            #expect(HashedForm(bytes) == .alephium)
            #expect(HashedForm([0, 0, 2] + script + end) == nil)
            // Something follows the way to unlock the first input.
            let unlocked = 3 + script.count + 48
            if unlocked > 60 {
                #expect(HashedForm(Array(bytes.prefix(unlocked))) == nil)
                #expect(HashedForm(Array(bytes.prefix(unlocked + 1))) == .alephium)
            }
            let gas = 3 + script.count
            for (place, value) in [(0, 0x40), (1, 0x80), (4, 0xc5), (4, 0xc0), (10, 64), (47, 6)]
                as [(Int, UInt8)]
            {
                var other = bytes
                other[gas + place] = value
                #expect(HashedForm(other) == nil, "\(place)")
            }
        }
    }

    @Test func `what Sia hashes starts with its name or has a key of it`() {
        #expect(HashedForm(Array("sia/".utf8)) == .sia && HashedForm(Array("sia|".utf8)) == nil)
        #expect(HashedForm([7] + Hashed.oldSia) == .sia)
        for place in 56..<80 {
            var bytes = Hashed.oldSia
            bytes[place] ^= 1
            #expect(HashedForm(bytes) == nil, "\(place)")
        }
        #expect(HashedForm(Array(Hashed.oldSia.prefix(80))) == .sia)
        #expect(HashedForm(Array(Hashed.oldSia.prefix(79))) == nil)
    }

    @Test func `packed data of Tezos is one expression to its end`() {
        let bytes: [UInt8] = [0x0a] + Hashed.data(Hashed.rest)
        let list: [UInt8] = [2] + Hashed.data([3, 0x20, 0, 0x41])
        let note = Hashed.data([0x25])
        let parts: [[[UInt8]]] = [
            [[0, 0x80, 0x80, 1]], [[1, 0, 0, 0, 1, 0x61]], [[2, 0, 0, 0, 0]], [list], [bytes], [[3, 0x20]],
            [[4, 0x20], note], [[5, 0x2e], list], [[6, 0x2e], list, note], [[7, 0x43], [3, 0x69], bytes],
            [[8, 0x43], list, bytes, note], [[9, 0x43], Array(list.dropFirst()), Hashed.data([])],
            [[2], Hashed.data(list + bytes)],
        ]
        for expression in parts.map(Hashed.joined) {
            #expect(HashedForm([5] + expression) == .tezosData, "\(expression)")
            #expect(HashedForm([5] + expression + [0]) == nil, "\(expression)")
            #expect(HashedForm([5] + expression.dropLast()) == nil, "\(expression)")
            #expect(HashedForm([6] + expression) == nil, "\(expression)")
        }
        #expect(HashedForm([5]) == nil && HashedForm([5, 11, 0]) == nil)
        // What stands in a list ends with it.
        #expect(HashedForm([5, 2, 0, 0, 0, 2, 5, 0x2e, 3, 0x20]) == nil)
        let deep = [UInt8]([5, 0x2e]).repeated(50_000)
        #expect(HashedForm([5] + deep + [3, 0x20]) == .tezosData && HashedForm([5] + deep) == nil)
    }

    /// Which bytes a scheme hashes so: long ones for ed25519, which signs the others as they are, and all
    /// others for ecdsa, which hashes the hash of long ones once more.
    @Test func `the form counts where the hash is what is signed`() {
        func form(_ bytes: [UInt8], _ scheme: SignatureScheme) -> HashedForm? {
            SigningMessage.hashedForm(of: bytes, .transaction, scheme: scheme)
        }
        let short = Hashed.cardano()
        let long = Hashed.tezos([Hashed.transfer, Hashed.manager(111, Hashed.data(Hashed.rest.repeated(7)))])
        #expect(short.count <= 256 && long.count > 256)
        #expect(form(short, .ecdsa) == .cardano && form(long, .ecdsa) == nil)
        #expect(form(short, .ed25519) == nil && form(long, .ed25519) == .tezosOperation)
        for scheme in [SignatureScheme.sr25519, .ethereum] {
            #expect(form(short, scheme) == nil && form(long, scheme) == nil)
        }
    }

    /// As the law of ``Ed25519Form``, with batches of up to a thousand bytes, and the pallets and calls that
    /// the forms begin like drawn often.
    @Test func `no ordinary transaction of 200,000 has a form`() {
        var random = SeededGenerator(seed: 20_261_127)
        var found: [HashedForm] = []
        for number in 0..<200_000 {
            let seed = random.next()
            func byte(_ place: Int) -> UInt8 { UInt8(truncatingIfNeeded: seed >> (8 * UInt64(place))) }
            let index = [
                number.isMultiple(of: 3) ? [0, 1, 3, 5][number / 3 & 3] : byte(0) & 0x7f, byte(1) & 7,
            ]
            let payee = [0, 0xa] + random.bytes(32) + [byte(2) & 0x3f << 2, byte(3)]
            let arguments: [UInt8] =
                switch number % 4 {
                case 0: [0] + random.bytes(32) + [byte(2), byte(3)]
                case 1: [byte(2) & 0x3c] + payee.repeated(Int(byte(2) & 0x1f))
                case 2: [byte(2), 0, byte(3) & 3] + random.bytes(Int(byte(4)))
                case _:
                    [byte(3) & 0x3f] + [UInt8](repeating: 0, count: Int(byte(2) & 7))
                        + random.bytes(Int(byte(4)))
                }
            let end =
                [byte(5), byte(6), byte(4) & 0xfc, 0, 1, byte(7), 0x0f, 0, 0, 26, 0, 0, 0]
                + random.bytes(64) + [1] + random.bytes(32)
            if let form = HashedForm(index + arguments + end) { found.append(form) }
        }
        #expect(found.isEmpty)
    }
}

@Suite struct HashedRefusalLaws {
    /// Pallet 5 and call 1 start a packed string of Tezos, the length of a remark is in its length, and the
    /// remark has the words that wallets sign.
    private static func vault(_ scheme: SignatureScheme, remark: [UInt8]) -> EthereumVault {
        EthereumVault(pallet: 5, call: 1, remark: remark) { runtime in
            runtime.specs.scheme = scheme
            let balances = runtime.pallets.firstIndex { $0.name == "Balances" }!
            runtime.pallets[balances].index = 77
        }
    }
    private static let words = Array("Tezos Signed Message: ".utf8)

    @Test(arguments: [0x00, 0x02, 0x06] as [UInt8])
    func `a transaction whose hash is a message of Tezos is refused`(code: UInt8) throws {
        let short = Self.vault(.ecdsa, remark: [0, 0, 0] + Self.words)
        #expect(
            try short.review(Signer("tezos", .ecdsa), code: code).refusal == .hashedPayload(.tezosMessage))
        let filled = [0, 0] + Self.words + [UInt8](repeating: 7, count: 240)
        let long = Self.vault(.ed25519, remark: filled)
        let reviewed = try long.review(Signer("tezos", .ed25519), code: code)
        #expect(reviewed.signingBytes.count > 256)
        #expect(reviewed.refusal == .hashedPayload(.tezosMessage))
        #expect(throws: ReviewError.hashedPayload(.tezosMessage)) {
            try SigningMessage.bytes(reviewed, scheme: .ed25519)
        }
        // A context of its own, or the hash of a hash, is nothing that Tezos verifies.
        #expect(try !SigningMessage.bytes(reviewed, scheme: .sr25519).isEmpty)
        #expect(try !SigningMessage.bytes(reviewed, scheme: .ecdsa).isEmpty)
        let other = Self.vault(.ecdsa, remark: [0, 0, 1, 0] + Self.words)
        #expect(try other.review(Signer("tezos", .ecdsa), code: code).refusal == nil)
    }
}
