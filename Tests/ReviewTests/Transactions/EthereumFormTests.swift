import Accounts
import FixtureRuntime
import Hashing
import Keys
import Metadata
import Review
import SCALE
import SubstratePrimitives
import TestSupport
import Testing
import TrustStore
import UOS

/// Ethereum's forms by their bytes alone.
@Suite struct EthereumFormLaws {
    /// The header of an RLP list of `length` bytes, as short as it can be.
    static func listHeader(_ length: Int) -> [UInt8] {
        if length <= 55 { return [0xc0 + UInt8(length)] }
        let bytes = withUnsafeBytes(of: length.bigEndian) { Array($0.drop { $0 == 0 }) }
        return [0xf7 + UInt8(bytes.count)] + bytes
    }

    static func list(_ length: Int) -> [UInt8] {
        listHeader(length) + [UInt8](repeating: 0x5a, count: length)
    }

    /// EIP-155's example, as it is signed.
    static let example = Hex.decode(
        "ec098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a764000080018080")!

    @Test(arguments: [0, 1, 55, 56, 100, 255, 256, 257, 65_535, 65_536])
    func oneListIsATransaction(length: Int) {
        let list = Self.list(length)
        #expect(EthereumForm(list) == .legacyTransaction)
        #expect(EthereumForm(list + [0]) == nil)
        if length > 0 { #expect(EthereumForm(Array(list.dropLast())) == nil) }
        // Two items are not one list, and a string is not a list.
        #expect(EthereumForm(list + [0xc0]) == nil)
        if length > 0, length <= 55 {
            #expect(EthereumForm([0x80 + UInt8(length)] + list.dropFirst()) == nil)
        }
    }

    @Test func theExampleOfEIP155IsATransaction() {
        #expect(EthereumForm(Self.example) == .legacyTransaction)
    }

    /// Some decoders take a length in a longer form than needed.
    @Test(arguments: [[0xf8, 3], [0xf9, 0, 3], [0xff, 0, 0, 0, 0, 0, 0, 0, 3]] as [[UInt8]])
    func aLengthMayBeLongerThanNeeded(header: [UInt8]) {
        #expect(EthereumForm(header + [1, 2, 3]) == .legacyTransaction)
        #expect(EthereumForm([2] + header + [1, 2, 3]) == .typedTransaction)
        #expect(EthereumForm(header + [1, 2]) == nil)
        #expect(EthereumForm(header + [1, 2, 3, 4]) == nil)
    }

    @Test func lengthsBeyondTheBytesAreNoList() {
        #expect(EthereumForm([]) == nil)
        for first in UInt8(0xf8)...0xff {
            #expect(EthereumForm([first]) == nil)
            #expect(EthereumForm([first] + [UInt8](repeating: 0xff, count: 40)) == nil)
        }
    }

    @Test func aTypeAndOneListAreATransaction() {
        for type in UInt8(0)...0x7f {
            #expect(EthereumForm([type] + Self.list(70)) == .typedTransaction)
            #expect(EthereumForm([type] + Self.list(70) + [0]) == nil)
            #expect(EthereumForm([type, type] + Self.list(70)) == nil)
        }
        for type in UInt8(0x80)...0xff { #expect(EthereumForm([type] + Self.list(70)) == nil) }
        #expect(EthereumForm([2]) == nil)
    }

    @Test func thePrefixOfEIP191IsAMessage() {
        let prefix = [0x19] + Array("Ethereum Signed Message:\n".utf8)
        #expect(prefix.count == 26)
        #expect(EthereumForm(prefix) == .personalMessage)
        #expect(EthereumForm(prefix + Array("5hello".utf8)) == .personalMessage)
        #expect(EthereumForm(Array(prefix.dropLast())) == nil)
        #expect(EthereumForm(Array(prefix.dropFirst())) == nil)
        for place in prefix.indices {
            var other = prefix
            other[place] ^= 0x20
            #expect(EthereumForm(other + Array("5hello".utf8)) == nil)
        }
    }

    /// An action of IoTeX pays for gas; one of Hedera has an id, a payer and a node.
    @Test func fieldsOfProtobufAreAnActionOrATransaction() {
        let transfer = [0x0a, 3] + Array("123".utf8) + [0x12, 2, 0x69, 0x6f]
        let action = [
            0x08, 1, 0x10, 5, 0x18, 0x90, 0x4e, 0x22, 1, 0x30, 0x28, 1, 0x52, UInt8(transfer.count),
        ]
        #expect(EthereumForm(action + transfer) == .ioTeX)
        #expect(EthereumForm(action + transfer + [0]) == nil)
        // Whatever the version is, and without one; the price is a number.
        #expect(EthereumForm([0x08, 2] + action.dropFirst(2) + transfer) == .ioTeX)
        #expect(EthereumForm(Array(action.dropFirst(2)) + transfer) == .ioTeX)
        for price in [[], [0x22, 0], [0x22, 1, 0x2f], [0x22, 1, 0x3a], [0x22, 2, 0x30, 0x2e]] as [[UInt8]] {
            let other: [UInt8] = [0x10, 5, 0x18, 9] + price + [0x52, UInt8(transfer.count)]
            #expect(EthereumForm(other + transfer) == nil, "\(price)")
        }
        let ninth: [UInt8] = [0x08, 1, 0x22, 1, 0x30, 0x4a, UInt8(transfer.count)]
        #expect(EthereumForm(ninth + transfer) == nil)
        let id: [UInt8] = [0x0a, 2, 0x08, 1, 0x12, 2, 0x18, 0x2a]
        let body = [0x0a, UInt8(id.count)] + id + [0x12, 2, 0x18, 3]
        #expect(EthereumForm(body + [0x72, 1, 0]) == .hedera && EthereumForm(body + [0x72, 2, 0]) == nil)
        // No hash is one: neither chain has a transaction of 32 bytes.
        let filled = body + [0x72, UInt8(30 - body.count)] + [UInt8](repeating: 0, count: 30 - body.count)
        #expect(filled.count == 32 && EthereumForm(filled) == .hedera && EthereumForm(hash: filled) == nil)
    }

    /// The fields of Idena's transactions ascend from a nonce and an epoch; numbers first, then bytes.
    @Test func `a transaction of Idena has its fields in order`() {
        func field(_ number: UInt8, _ bytes: [UInt8]) -> [UInt8] {
            [number << 3 | 2, UInt8(bytes.count)] + bytes
        }
        let start: [UInt8] = [0x08, 7, 0x10, 0xbe, 1]
        let payee = field(4, [UInt8](repeating: 0xaa, count: 20))
        let amount = field(5, [9, 9])
        let payload = field(8, [UInt8](repeating: 0xee, count: 33))
        let found: [[[UInt8]]] = [
            [start, payee, amount, payload], [start, payee, amount, field(6, [1]), field(7, [1]), payload],
            [start, [0x18, 2], payload], [start, payee, amount],
        ]
        for bytes in found.map({ $0.flatMap { $0 } }) {
            #expect(EthereumForm(bytes) == .idena)
            #expect(EthereumForm(bytes + [0]) == nil && EthereumForm(Array(bytes.dropLast())) == nil)
            #expect(EthereumForm(Array(bytes.dropFirst(2))) == nil)
        }
        let others: [[[UInt8]]] = [
            [start], [[0x08, 7], payload], [[0x10, 1], payload], [start, [0x1a, 1, 0], payload],
            [start, [0x20, 1], payload], [start, amount, payee], [start, field(9, [1])],
            [start, payload, payload],
        ]
        for bytes in others.map({ $0.flatMap { $0 } }) { #expect(EthereumForm(bytes) == nil, "\(bytes)") }
        let filled = start + field(8, [UInt8](repeating: 0, count: 25))
        #expect(filled.count == 32 && EthereumForm(filled) == .idena && EthereumForm(hash: filled) == nil)
    }

    @Test func `a transaction of Conflux has a prefix, a type and one list`() {
        for type in [1, 2, 9] as [UInt8] {
            let bytes = Array("cfx".utf8) + [type] + Self.list(90)
            #expect(EthereumForm(bytes) == .conflux)
            #expect(EthereumForm(bytes + [0]) == nil && EthereumForm(Array(bytes.dropLast())) == nil)
            #expect(EthereumForm(Array("cfy".utf8) + bytes.dropFirst(3)) == nil)
        }
        #expect(EthereumForm(Array("cfx".utf8)) == nil)
        let short = Array("cfx".utf8) + [2] + Self.list(27)
        #expect(short.count == 32 && EthereumForm(short) == .conflux && EthereumForm(hash: short) == nil)
    }

    @Test func sixtySixBytesOfVersionOneAreTypedData() {
        let rest = [UInt8](repeating: 7, count: 64)
        #expect(EthereumForm([0x19, 0x01] + rest) == .typedData)
        #expect(EthereumForm([0x19, 0x01] + rest.dropLast()) == nil)
        #expect(EthereumForm([0x19, 0x01] + rest + [7]) == nil)
        #expect(EthereumForm([0x19, 0x00] + rest) == nil)
        #expect(EthereumForm([0x19, 0x02] + rest) == nil)
    }

    /// Of a hash the whole list must be one, or one in 170 would be refused.
    @Test func aHashIsAListToItsLastItem() {
        let strings = [UInt8](repeating: 0x80, count: 31)
        #expect(EthereumForm(hash: [0xdf] + strings) == .legacyTransaction)
        #expect(EthereumForm(hash: [0x02, 0xde] + strings.dropLast()) == .typedTransaction)
        #expect(EthereumForm(hash: [0xdf, 0xde] + strings.dropLast()) == .legacyTransaction)
        // An item that reaches beyond the end, in the list and in a list inside.
        #expect(EthereumForm(hash: [0xdf] + strings.dropLast() + [0x81]) == nil)
        #expect(EthereumForm(hash: [0x02, 0xde] + strings.dropLast(2) + [0x81]) == nil)
        #expect(EthereumForm(hash: [0xdf, 0xc1, 0x81] + strings.dropLast(2)) == nil)
        #expect(EthereumForm(hash: [0xdf, 0xc1, 0xc1] + strings.dropLast(2)) == nil)
        #expect(EthereumForm(hash: strings + [0x80]) == nil)
        #expect(EthereumForm([0xdf] + strings.dropLast() + [0x81]) == .legacyTransaction)
    }

    @Test func fewHashesAreLists() {
        var random = SeededGenerator.printed("hashes that are lists")
        var lists = 0
        for _ in 0..<20_000
        where EthereumForm(hash: (0..<32).map { _ in UInt8.random(in: 0...255, using: &random) }) != nil {
            lists += 1
        }
        #expect(lists < 20)
    }
}

/// A network of Ethereum-style accounts whose runtime can make calls of every form.
struct EthereumVault {
    static let signer = Signer("ethereum", .ethereum)
    static let root = PublicKey(scheme: .sr25519, bytes: SigningVault.alice)!
    static let path = "//ethereum"

    var runtime = FixtureRuntime.standard
    var values = FixtureExtensionValues()
    var call: [UInt8]

    /// A remark under these indices.
    init(pallet: UInt8, call index: UInt8, remark: [UInt8], change: (inout FixtureRuntime) -> Void = { _ in })
    {
        runtime.specs.scheme = .ethereum
        let place = runtime.pallets.firstIndex { $0.name == "System" }!
        runtime.pallets[place].index = pallet
        runtime.pallets[place].calls.removeAll { $0.name != "remark" }
        runtime.pallets[place].calls[0].index = index
        change(&runtime)
        call = runtime.call("System", "remark", [FixtureValue.bytes(remark)])
    }

    /// The bytes of the extensions are as many whatever hash stands in them.
    static func tail(proved: Bool, _ values: FixtureExtensionValues) -> Int {
        var values = values
        if proved { values.metadataHash = .blake2b(of: []) }
        let parts = FixtureRuntime.standard.extensionBytes(values)
        return parts.explicit.count + parts.implicit.count
    }

    /// `f8`, the length, a remark, the extensions.
    static func list(proved: Bool) -> EthereumVault {
        let tail = tail(proved: proved, FixtureExtensionValues())
        return EthereumVault(pallet: 0xf8, call: UInt8(11 + tail), remark: [UInt8](repeating: 0, count: 10))
    }

    /// The type, `f8`, the length: the compact length of a remark that has as many bytes as makes the lengths
    /// equal.
    static func typed(_ type: UInt8, proved: Bool) -> EthereumVault {
        for (nonce, tip) in [(0, 0), (64, 0), (64, 64)] as [(UInt64, UInt128)] {
            let values = FixtureExtensionValues(nonce: nonce, tip: tip)
            let tail = tail(proved: proved, values)
            guard tail.isMultiple(of: 3) else { continue }
            var vault = EthereumVault(
                pallet: type, call: 0xf8, remark: [UInt8](repeating: 0, count: tail / 3))
            vault.values = values
            return vault
        }
        preconditionFailure("one of three lengths is a multiple of three")
    }

    /// `19`, `E`, `t` as the compact length 29, and the rest of the text in the remark.
    static func message() -> EthereumVault {
        EthereumVault(
            pallet: 0x19, call: UInt8(ascii: "E"), remark: Array("hereum Signed Message:\n99\0\0\0\0".utf8))
    }

    static func typedData() -> EthereumVault {
        EthereumVault(pallet: 0x19, call: 0x01, remark: [UInt8](repeating: 0, count: 23)) { runtime in
            runtime.extensions.removeAll { ["CheckTxVersion", "CheckMortality"].contains($0.identifier) }
        }
    }

    /// - Parameter isKeyHeld: false for a key that the vault knows by its seed only.
    func data(_ key: PublicKey, isKeyHeld: Bool = true) -> ChainData {
        let blob = runtime.metadata(.v15)
        var state = TrustState()
        state.networks = [runtime.specs]
        state.metadata = [
            MetadataRecord(
                genesis: runtime.genesisHash, version: runtime.specVersion, hash: .blake2b(of: blob),
                length: blob.count)
        ]
        state.keys =
            !isKeyHeld
            ? []
            : [
                KeyRecord(
                    publicKey: key, ethereumAddress: key.scheme == .ethereum ? key.accountID : nil,
                    seed: "main", path: Self.path,
                    hasPassword: false, networks: [runtime.genesisHash])
            ]
        state.settings[TrustState.seedRootPrefix + "main"] = Self.root.bytes
        return ChainData(state: state) { _ in blob }
    }

    /// The same transaction for a key or below a root, with the stored metadata or a proof.
    func payload(_ key: PublicKey, code: UInt8, scheme: SignatureScheme? = nil) throws -> [UInt8] {
        var values = values
        var proof: [UInt8] = []
        if code == 0x06 || code == 0x07 {
            let metadata = try RuntimeMetadata(runtime.metadata(.v15))
            let info = ExtraInfo(metadata.runtimeVersion, runtime.specs)
            values.metadataHash = try MetadataDigest(of: metadata, extraInfo: info).hash
            let parts = runtime.extensionBytes(values)
            proof = try MetadataProof.make(
                metadata: metadata, extraInfo: info, call: call, extensions: parts.explicit + parts.implicit
            )
            .encoded
        }
        let isDerived = code == 0x05 || code == 0x07
        let signer =
            isDerived ? Self.root.bytes + SCALEWriter.encode { $0.string(Self.path) } : key.payloadKey ?? []
        return [0x53, (scheme ?? key.scheme).rawValue, code] + signer + proof
            + runtime.transactionBody(call: call, values)
            + runtime.genesisHash.bytes
    }

    func review(_ signer: Signer = signer, code: UInt8, scheme: SignatureScheme? = nil) throws
        -> ReviewedTransaction
    {
        let key = try signer.key
        let reviewed = try TransactionReview(data(key)).review(
            try Payload(payload(key, code: code, scheme: scheme)))
        try #require(reviewed.count == 1)
        return reviewed[0]
    }
}

/// Ethereum's forms as transactions that a Substrate chain would take.
@Suite struct EthereumRefusalLaws {
    static let codes: [UInt8] = [0x00, 0x02, 0x05, 0x06, 0x07]

    private static func isProved(_ code: UInt8) -> Bool { code == 0x06 || code == 0x07 }

    private static func expectRefused(
        _ vault: EthereumVault, _ form: EthereumForm, code: UInt8, scheme: SignatureScheme? = nil
    ) throws {
        let reviewed = try vault.review(code: code, scheme: scheme)
        #expect(EthereumForm(reviewed.signingBytes) == form)
        #expect(reviewed.refusal == .ethereumPayload(form))
        // The gate in front of the key stands by itself.
        #expect(throws: ReviewError.ethereumPayload(form)) {
            try SigningMessage.bytes(reviewed, scheme: .ethereum)
        }
        for scheme in [SignatureScheme.sr25519, .ed25519] {
            #expect(try SigningMessage.bytes(reviewed, scheme: scheme) == reviewed.signingBytes)
        }
        // VeChain hashes its lists as an ecdsa key does.
        if form == .legacyTransaction || form == .typedTransaction {
            #expect(throws: ReviewError.hashedPayload(.veChain)) {
                try SigningMessage.bytes(reviewed, scheme: .ecdsa)
            }
        } else {
            #expect(try SigningMessage.bytes(reviewed, scheme: .ecdsa) == reviewed.signingBytes)
        }
        // Another nonce is no such form, and it is signed.
        var other = vault
        other.values.nonce = 20_000
        try expectSigned(other, code: code)
    }

    private static func expectSigned(_ vault: EthereumVault, code: UInt8) throws {
        let reviewed = try vault.review(code: code)
        #expect(reviewed.refusal == nil)
        #expect(try SigningMessage.bytes(reviewed, scheme: .ethereum) == reviewed.signingBytes)
    }

    @Test(arguments: codes)
    func oneListIsRefused(code: UInt8) throws {
        try Self.expectRefused(.list(proved: Self.isProved(code)), .legacyTransaction, code: code)
    }

    @Test(arguments: codes, 1...4)
    func aTypeAndOneListAreRefused(code: UInt8, type: Int) throws {
        try Self.expectRefused(
            .typed(UInt8(type), proved: Self.isProved(code)), .typedTransaction, code: code)
    }

    @Test(arguments: codes)
    func aMessageOfEthereumIsRefused(code: UInt8) throws {
        let reviewed = try EthereumVault.message().review(code: code)
        #expect(reviewed.refusal == .ethereumPayload(.personalMessage))
        #expect(throws: ReviewError.ethereumPayload(.personalMessage)) {
            try SigningMessage.bytes(reviewed, scheme: .ethereum)
        }
    }

    /// With a proof there is no such transaction: version, genesis hash, mode and metadata hash take 70 of 64
    /// bytes.
    @Test(arguments: [0x00, 0x02, 0x05] as [UInt8])
    func typedDataIsRefused(code: UInt8) throws {
        try Self.expectRefused(.typedData(), .typedData, code: code)
    }

    /// A derived key may be called ecdsa in its payload and be an Ethereum-style key on this network.
    @Test(arguments: [0x05, 0x07] as [UInt8])
    func theKeysOwnSchemeCounts(code: UInt8) throws {
        let vault = EthereumVault.list(proved: code == 0x07)
        try Self.expectRefused(vault, .legacyTransaction, code: code, scheme: .ecdsa)
        let key = try EthereumVault.signer.key
        let data = vault.data(key, isKeyHeld: false)
        let reviewed = try TransactionReview(data).review(
            try Payload(vault.payload(key, code: code, scheme: .ecdsa)))
        #expect(reviewed[0].underived?.scheme == .ethereum)
        #expect(reviewed[0].refusal == .ethereumPayload(.legacyTransaction))
    }

    /// No other scheme signs a Keccak-256, so nothing is lost to its keys. An ecdsa key signs what VeChain
    /// hashes.
    @Test(arguments: [
        (SignatureScheme.sr25519, ReviewError?.none), (.ed25519, nil),
        (.ecdsa, ReviewError.hashedPayload(.veChain)),
    ])
    func otherKeysSignTheSameBytes(scheme: SignatureScheme, refusal: ReviewError?) throws {
        var vault = EthereumVault.list(proved: false)
        vault.runtime.specs.scheme = scheme
        let reviewed = try vault.review(Signer("other", scheme), code: 0x02)
        #expect(EthereumForm(reviewed.signingBytes) == .legacyTransaction)
        #expect(reviewed.refusal == refusal)
    }

    @Test func oneOfABulkIsRefused() throws {
        let key = try EthereumVault.signer.key
        let vault = EthereumVault.list(proved: false)
        var harmless = vault
        harmless.values.nonce = 20_000
        let bulk = SigningVault.bulk([
            try harmless.payload(key, code: 0x02), try vault.payload(key, code: 0x02),
        ])
        let reviewed = try TransactionReview(vault.data(key)).review(try Payload(bulk))
        #expect(reviewed.map(\.refusal) == [nil, .ethereumPayload(.legacyTransaction)])
    }

    /// Long bytes are hashed before Keccak-256, and the hash is what an Ethereum chain would see.
    @Test func aHashThatIsAListIsRefused() throws {
        var vault = EthereumVault(pallet: 0x30, call: 0, remark: [UInt8](repeating: 0x20, count: 300))
        func signingBytes() -> [UInt8] { vault.runtime.signingBytes(call: vault.call, vault.values) }
        while EthereumForm(hash: BLAKE2b.hash(signingBytes())) == nil { vault.values.nonce += 1 }
        let form = try #require(EthereumForm(hash: BLAKE2b.hash(signingBytes())))
        let reviewed = try vault.review(code: 0x02)
        #expect(EthereumForm(reviewed.signingBytes) == nil)
        #expect(reviewed.refusal == .ethereumPayload(form))
        #expect(throws: ReviewError.ethereumPayload(form)) {
            try SigningMessage.bytes(reviewed, scheme: .ethereum)
        }
        vault.values.nonce += 1
        let next = try vault.review(code: 0x02)
        #expect(next.refusal == nil)
        #expect(try SigningMessage.bytes(next, scheme: .ethereum) == BLAKE2b.hash(signingBytes()))
    }

    /// Long bytes of a form are refused although only their hash is signed.
    @Test func longBytesOfAFormAreRefused() throws {
        let tail = EthereumVault.tail(proved: false, FixtureExtensionValues())
        // f9 LL LL: the second byte of the length is the first of the remark's compact length, in its form of
        // two bytes.
        for count in 250...400 {
            let length = 1 + count + tail
            guard 1 + UInt16(count) << 2 & 0xff == UInt16(length & 0xff) else { continue }
            let vault = EthereumVault(
                pallet: 0xf9, call: UInt8(length >> 8), remark: [UInt8](repeating: 0, count: count))
            let reviewed = try vault.review(code: 0x02)
            #expect(reviewed.signingBytes.count > 256)
            #expect(reviewed.refusal == .ethereumPayload(.legacyTransaction))
            return
        }
        Issue.record("no remark has this form")
    }

    /// A message starts with `<B`, and no form does.
    @Test func messagesAreSigned() throws {
        let key = try EthereumVault.signer.key
        let vault = EthereumVault(pallet: 0, call: 0, remark: [])
        let text = [0x19] + Array("Ethereum Signed Message:\n5hello".utf8)
        let message = Array("<Bytes>".utf8) + text + Array("</Bytes>".utf8)
        let payload = [0x53, 0x03, 0x03] + (key.payloadKey ?? []) + message + vault.runtime.genesisHash.bytes
        let reviewed = try TransactionReview(vault.data(key)).review(try Payload(payload))
        #expect(reviewed[0].refusal == nil)
        #expect(try SigningMessage.bytes(reviewed[0], scheme: .ethereum) == message)
    }
}
