import FixtureRuntime
import Hashing
import Keys
import Review
import SubstratePrimitives
import TestSupport
import Testing
import UOS

/// Messages of other chains, written by their own rules.
private enum Raw {
    static let own = [UInt8](0..<32)
    static let program = [UInt8](repeating: 0xbb, count: 32)
    static let block = [UInt8](repeating: 0xcc, count: 32)

    /// A length of up to three bytes.
    static func length(_ count: Int) -> [UInt8] {
        count < 0x80 ? [UInt8(count)] : [UInt8(count & 0x7f | 0x80)] + length(count >> 7)
    }

    /// Solana's first format, and its second with a table of keys.
    static func solana(
        _ header: [UInt8] = [1, 0, 1], _ keys: [[UInt8]] = [own, program], data: [UInt8] = [2, 0, 0, 0, 9],
        hasTable: Bool = false
    ) -> [UInt8] {
        let instruction = [1] + length(1) + [0] + length(data.count) + data
        return (hasTable ? [0x80] : []) + header + length(keys.count) + keys.flatMap { $0 } + block
            + length(1) + instruction
            + (hasTable ? length(1) + program + length(2) + [3, 4] + length(0) : [])
    }

    /// Solana's third format, with a limit of units and two instructions.
    static func solanaV1(_ keys: [[UInt8]] = [own, program]) -> [UInt8] {
        [0x81, 1, 0, 1, 4, 0, 0, 0] + block + [2, UInt8(keys.count)] + keys.flatMap { $0 } + [
            0x40, 0x0d, 3, 0,
        ]
            + [1, 1, 3, 0] + [1, 0, 0, 1] + [0] + [7, 7, 7] + [UInt8](repeating: 5, count: 256)
    }

    static func field(_ number: UInt8, _ content: [UInt8]) -> [UInt8] {
        [number << 3 | 2] + length(content.count) + content
    }

    static let hederaID = field(1, [0x08, 0xc0, 0xc4, 0x07]) + field(2, [0x18, 0x2a])
    static func hedera(id: [UInt8] = hederaID, data: [UInt8] = [1, 2, 3]) -> [UInt8] {
        field(1, id) + field(2, [0x18, 0x03]) + [0x18, 0x80, 0xc2, 0xd7, 0x2f] + field(4, [0x08, 0x78])
            + field(7, field(4, data))
            + [15 << 3 | 5, 0, 0, 0, 0] + [14 << 3 | 1, 0, 0, 0, 0, 0, 0, 0, 0]
    }

    /// The network's hash, version 1 of a transfer on the main network.
    static let symbol = block + [1, 0x68, 0x54, 0x41] + [UInt8](repeating: 0, count: 60)

    /// A transfer of LTO, whose attachment takes in whatever follows.
    static func lto(_ version: UInt8) -> [UInt8] {
        let time: [UInt8] = [0, 0, 1, 0xa0, 1, 2, 3, 4]
        return version < 3 ? [4, version] + own + time : [4, version, 0x4c] + time + [1] + own
    }

    /// The proof that Aptos demands for another key: its type, a number, the account twice, and two keys of
    /// which one must sign. Of the digest of a proof only the last byte must have a value.
    static let aptos =
        [UInt8](repeating: 0, count: 31) + [1] + name("account") + name("RotationProofChallenge")
        + [9, 0, 0, 0, 0, 0, 0, 0] + block + block + [65] + own + program + [1]
    static func name(_ text: String) -> [UInt8] { [UInt8(text.utf8.count)] + Array(text.utf8) }

    /// The public key of RFC 8032, section 7.1, test 1, and its point of Curve25519, by (1 + y) / (1 - y)
    /// modulo 2^255 - 19 in Python.
    static let key = Hex.decode("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")!
    static let point = Hex.decode("d85e07ec22b0ad881537c2f44d662d1a143cf830c57aca4305d85c7a90f6b62e")!
    /// A transfer of Waves: its type and version, the sender, no asset twice, a time, two amounts, an address
    /// and an attachment.
    static let waves =
        [4, 2] + point + [0, 0, 0, 0, 1, 0x8c, 1, 2, 3, 4] + [UInt8](repeating: 0, count: 16)
        + [1, 0x57] + [UInt8](repeating: 3, count: 24) + [0, 40] + [UInt8](repeating: 7, count: 40)

    /// What an ed25519 key signed as an anchor of 64 bytes under a forged proof. Nimiq reads in it: `thanks`
    /// for the recipient, who gets 100,000 NIM from the account of this key, and 109 bytes for the sender.
    static let nimiq = Hex.decode(
        "00067468616e6b73d28342d787af61ad91e8b2259bc88947771733f400aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa00"
            + "00000002540be400000000000000000001312d0018006d001c000138901e001a00000091b171bb158e2d3848fa"
            + "23a9f1c25182fb8e20313b2c1eb49219da7a70ce90c391b171bb158e2d3848fa23a9f1c25182fb8e20313b2c1e"
            + "b49219da7a70ce90c301d2877bb696a592a4438b16d14b54a46779d1c55983e6fdcc50842871796571a0")!

    static let all: [(form: Ed25519Form, bytes: [UInt8])] =
        [
            (.solanaTransaction, solana()), (.solanaTransaction, solana(hasTable: true)),
            (.solanaTransaction, solanaV1()),
        ]
        + [(.hedera, hedera()), (.symbol, symbol), (.solanaMessage, [0xff] + Array("solana offchain".utf8))]
        + ["TX", "MX", "Program", "ProgData", "MsigProgram"].map { (.algorand, Array($0.utf8)) }
        + ["STX\0", "SMT\0", "CLM\0", "BCH\0"].map { (.xrpLedger, Array($0.utf8)) } + [
            (.aeternity, Array("ae_mainnet".utf8)), (.lto, lto(2)), (.lto, lto(3)),
            (.cose, [0x84, 0x6a] + Array("Signature1".utf8)),
            (.cose, [0x85, 0x69] + Array("Signature".utf8)),
            (.waves, [0xff, 0xff, 0xff, 1]), (.waves, [0xff, 0xff, 0xff, 2]),
            (.waves, [0, 25] + Array("WavesWalletAuthentication".utf8)),
        ]
}

@Suite struct Ed25519FormLaws {
    private func form(_ bytes: [UInt8], _ account: [UInt8]? = Raw.own) -> Ed25519Form? {
        Ed25519Form(bytes, account: account)
    }

    @Test func `each form is found`() {
        for (expected, bytes) in Raw.all {
            #expect(form(bytes) == expected)
            #expect(form(Array(bytes.dropLast())) == nil || expected == .symbol, "\(expected)")
        }
        #expect(form(Raw.waves, Raw.key) == .waves && form(Raw.aptos) == .aptos)
        #expect(form(Raw.nimiq) == .nimiq)
        #expect(Set(Raw.all.map(\.form) + [.aptos, .nimiq]) == Set(Ed25519Form.allCases))
    }

    @Test func `what Waves signs names the point of the signer's key, wherever it stands`() {
        #expect(form(Raw.waves) == nil && form(Raw.waves, nil) == nil)
        #expect(form(Raw.point, Raw.key) == .waves)
        #expect(
            form([9, 9] + Raw.waves, Raw.key) == .waves && form(Array(Raw.point.dropLast()), Raw.key) == nil)
        for place in Raw.point.indices {
            var other = Raw.waves
            other[2 + place] ^= 1
            #expect(form(other, Raw.key) == nil, "\(place)")
        }
        // No point of the curve.
        #expect(form(Raw.waves, [UInt8](repeating: 2, count: 32)) == nil)
    }

    @Test func `a message of Aptos has an address and two names, and then anything`() {
        #expect(form(Array(Raw.aptos.prefix(63))) == .aptos && form(Array(Raw.aptos.prefix(62))) == nil)
        func named(_ module: String, _ type: String) -> Ed25519Form? {
            form(Raw.block + Raw.name(module) + Raw.name(type) + [1, 2, 3])
        }
        #expect(named("_1", "Permit") == .aptos && named("_", "Permit") == nil)
        #expect(named("1a", "Permit") == nil && named("m", "Per mit") == nil && named("", "Permits1") == nil)
        let long = String(repeating: "a", count: 127)
        #expect(named(long, "A") == .aptos && named(long + "a", "A") == nil)
        // Text that wallets wrap is no contract's address, whatever letters follow.
        let text = [UInt8](repeating: 0x61, count: 240)
        #expect(form(text) == .aptos && form(Array("<Bytes>".utf8) + text) == nil)
    }

    @Test func `a transaction of Nimiq ends with data as long as it says, and may say anything there`() {
        func changed(_ place: Int, _ byte: UInt8) -> Ed25519Form? {
            var bytes = Raw.nimiq
            bytes[place] = byte
            return form(bytes)
        }
        #expect(Raw.nimiq.count == 182 && form(Raw.nimiq, nil) == .nimiq)
        #expect(form(Raw.nimiq + [0]) == nil && form(Array(Raw.nimiq.dropLast())) == nil)
        // The kinds of both accounts, an amount and a fee below 2⁵³, the network, two flags.
        let start = 8
        for (place, last) in [(20, 3), (41, 3), (43, 0x1f), (51, 0x1f), (63, 3)] as [(Int, UInt8)] {
            #expect(changed(start + place, last) == .nimiq && changed(start + place, last + 1) == nil)
        }
        #expect(changed(start + 42, 1) == nil && changed(start + 50, 1) == nil)
        #expect(changed(start + 62, 5) == .nimiq && changed(start + 62, 42) == nil)
        for place in Raw.nimiq.count - 109..<Raw.nimiq.count { #expect(changed(place, 0x7e) == .nimiq) }
        // No data at either end, and a length of two bytes.
        let middle = Array(Raw.nimiq[start..<start + 64])
        #expect(form([0, 0] + middle + [0]) == .nimiq && form([0, 0] + middle) == nil)
        let long = [UInt8](repeating: 7, count: 130)
        #expect(form([0, 0] + middle + Raw.length(130) + long) == .nimiq)
        #expect(form([0x80, 0] + middle + [0]) == nil && form([0]) == nil)
    }

    @Test func `what starts with a prefix is its form, whatever follows`() {
        for (expected, bytes) in Raw.all
        where ![.solanaTransaction, .hedera, .symbol, .lto].contains(expected) {
            #expect(form(bytes + [0, 1, 2]) == expected)
            #expect(form([bytes[0] ^ 1] + bytes.dropFirst()) == nil)
        }
    }

    @Test
    func `a message of Solana ends where its last field does, and names the signer among those that sign`() {
        for message in [Raw.solana(), Raw.solana(hasTable: true), Raw.solanaV1()] {
            #expect(form(message + [0]) == nil)
            #expect(form(message, nil) == .solanaTransaction && form(message, Raw.block) == nil)
        }
        #expect(form(Raw.solana([1, 0, 1], [Raw.program, Raw.own])) == nil)
        #expect(form(Raw.solana([2, 1, 0], [Raw.program, Raw.own])) == .solanaTransaction)
        #expect(form(Raw.solanaV1([Raw.program, Raw.own])) == nil)
        // One that pays must sign and be writable, and there are as many keys as the header counts.
        #expect(
            form(Raw.solana([0, 0, 1])) == nil && form(Raw.solana([1, 1, 1])) == nil
                && form(Raw.solana([1, 0, 2])) == nil)
        #expect(form(Raw.solana(data: [UInt8](repeating: 1, count: 0x4000))) == .solanaTransaction)
        for version in UInt8(0x82)...0xff {
            #expect(
                form([version] + Raw.solana()) == nil && form([version] + Raw.solanaV1().dropFirst()) == nil)
        }
    }

    @Test func `a transaction of Hedera has its id, its payer and its node`() {
        #expect(form(Raw.hedera() + [0]) == nil)
        #expect(
            form(Raw.hedera(id: Raw.field(1, [0x08, 1]))) == nil
                && form(Raw.hedera(id: Raw.field(2, [0x18, 1]))) == nil)
        #expect(form(Array(Raw.hedera().dropFirst(Raw.field(1, Raw.hederaID).count))) == nil)
        // The parts of a field that stands twice are put together, and fields stand in any order.
        let parts =
            Raw.field(1, Raw.field(2, [0x18, 0x2a])) + Raw.field(2, [0x18, 3])
            + Raw.field(1, Raw.field(1, [0x08, 1]))
        #expect(form(parts) == .hedera)
        // Its decoders drop what stands above 32 bits of a tag and of a length.
        func wide(_ number: UInt8, _ content: [UInt8]) -> [UInt8] {
            [number << 3 | 2 | 0x80, 0x80, 0x80, 0x80, 0x10]
                + [UInt8(content.count) | 0x80, 0x80, 0x80, 0x80, 0x10] + content
        }
        let inner = wide(1, [0x08, 1]) + wide(2, [0x18, 0x2a])
        #expect(form(wide(1, inner) + wide(2, [0x18, 3])) == .hedera)
    }

    @Test func `a transaction of Symbol has its version, network and type`() {
        for place in 32..<36 {
            var bytes = Raw.symbol
            bytes[place] = 0x7f
            #expect(form(bytes) == nil)
        }
        #expect(form(Array(Raw.symbol.prefix(52))) == .symbol && form(Array(Raw.symbol.prefix(51))) == nil)
    }

    /// As runtimes have them: an index of a pallet and of a call, arguments that can be anything, counters,
    /// the version, two hashes and a digest.
    @Test func `no ordinary transaction of 200,000 has a form`() {
        var random = SeededGenerator(seed: 20_261_126)
        var found: [Ed25519Form] = []
        for number in 0..<200_000 {
            let seed = random.next()
            func byte(_ place: Int) -> UInt8 { UInt8(truncatingIfNeeded: seed >> (8 * UInt64(place))) }
            let index = [byte(0) & 0x7f, byte(1) & 0x1f]
            // The own account, a small number, a list or anything stands first, as in calls of accounts,
            // proxies and batches.
            let arguments: [UInt8] =
                switch number % 5 {
                case 0: [0] + Raw.own + [byte(2), byte(3)]
                case 1: Raw.own + random.bytes(32)
                case 2: [byte(2) & 3, byte(3) & 7] + Raw.own + Raw.own
                case 3: [byte(2), 0, byte(3) & 3] + random.bytes(Int(byte(4) & 63))
                case _: random.bytes(Int(byte(4) & 127))
                }
            let end =
                [byte(5), byte(6), 0, 1, byte(7), 0x0f, 0, 26, 0, 0, 0] + random.bytes(64) + [1]
                + random.bytes(32)
            if let form = form(index + arguments + end) { found.append(form) }
        }
        #expect(found.isEmpty)
    }
}

@Suite struct Ed25519RefusalLaws {
    private static let codes: [UInt8] = [0x00, 0x02, 0x06]
    private static let signer = Signer("solana", .ed25519)

    /// Pallet 1 and call 0 are one signer that may pay; the length of a remark of 128 bytes says that one key
    /// is only read, and that there are two. What follows the remark is the end of an instruction's data.
    private static func vault(proved: Bool, key: [UInt8]) -> EthereumVault {
        let tail = EthereumVault.tail(proved: proved, FixtureExtensionValues())
        let start = key + Raw.program + Raw.block + [1, 1, 0]
        let left = 128 - start.count + tail
        let data = left - (left > 0x80 ? 2 : 1)
        let remark = start + Raw.length(data)
        return EthereumVault(
            pallet: 1, call: 0, remark: remark + [UInt8](repeating: 7, count: 128 - remark.count)
        ) { runtime in
            runtime.specs.scheme = .ed25519
        }
    }

    @Test(arguments: codes)
    func `a transaction that is one of Solana is refused for the key that it names`(code: UInt8) throws {
        let key = try Self.signer.key
        let reviewed = try Self.vault(proved: code == 0x06, key: key.bytes).review(Self.signer, code: code)
        #expect(reviewed.signingBytes.count <= 256)
        #expect(reviewed.refusal == .ed25519Payload(.solanaTransaction))
        #expect(throws: ReviewError.ed25519Payload(.solanaTransaction)) {
            try SigningMessage.bytes(reviewed, scheme: .ed25519)
        }
        // Another scheme does not sign raw bytes that Solana verifies, and of another key's name nobody takes
        // it.
        #expect(try SigningMessage.bytes(reviewed, scheme: .sr25519) == reviewed.signingBytes)
        let other = try Self.vault(proved: code == 0x06, key: Raw.own).review(Self.signer, code: code)
        #expect(other.refusal == nil)
        #expect(try SigningMessage.bytes(other, scheme: .ed25519) == other.signingBytes)
    }

    @Test(arguments: codes)
    func `a transaction that starts as one of Algorand is refused`(code: UInt8) throws {
        let vault = EthereumVault(pallet: UInt8(ascii: "T"), call: UInt8(ascii: "X"), remark: [0x81]) {
            $0.specs.scheme = .ed25519
        }
        #expect(try vault.review(Self.signer, code: code).refusal == .ed25519Payload(.algorand))
        let next = EthereumVault(pallet: UInt8(ascii: "T"), call: UInt8(ascii: "Y"), remark: [0x81]) {
            $0.specs.scheme = .ed25519
        }
        #expect(try next.review(Self.signer, code: code).refusal == nil)
    }
}
