import Hashing
import SCALE
import SubstratePrimitives
import TestSupport
import Testing
import UOS

@Suite struct ContactListLaws {
    static let key = PublicKey(scheme: .sr25519, bytes: [UInt8](repeating: 1, count: 32))!
    static let genesis = GenesisHash([UInt8](repeating: 7, count: 32))!
    static let list = try! ContactList(
        issuer: key, number: 5,
        entries: [
            ContactList.Entry(
                account: [UInt8](repeating: 9, count: 32), label: "Exchange", note: "cold",
                networks: [genesis]),
            ContactList.Entry(account: [UInt8](repeating: 3, count: 20), label: "Ana"),
        ])
    static let signature = [UInt8](repeating: 5, count: 64)
    static let payload = ContactListPayload(list, signature: signature)

    /// An example that is written out by hand.
    @Test func `the encoding is the documented one`() {
        let body: [[UInt8]] = [
            [1], [UInt8](repeating: 1, count: 32), [5, 0, 0, 0], [2 << 2],
            [20 << 2], [UInt8](repeating: 3, count: 20), [3 << 2], Array("Ana".utf8), [0], [0],
            [32 << 2], [UInt8](repeating: 9, count: 32), [8 << 2], Array("Exchange".utf8), [4 << 2],
            Array("cold".utf8), [1 << 2],
            [UInt8](repeating: 7, count: 32),
        ]
        let joined = Array(body.joined())
        #expect(Self.list.body == joined)
        #expect(Self.list.signedBytes == Array("heliograph-contact-list-1".utf8) + joined)
        let length = SCALEWriter.encode { $0.compact(UInt64(joined.count)) }
        #expect(
            Self.payload.bytes == [0x53, 1, 0xa3] + [UInt8](repeating: 1, count: 32) + length + joined
                + Self.signature)
    }

    @Test func `every proper prefix is refused, and so is a byte behind the end`() throws {
        let bytes = Self.payload.bytes
        expectCut(bytes)
        #expect(throws: leftover("contact list", behind: bytes)) { try Payload(bytes + [0]) }
        let body = Self.list.body
        for length in 0..<body.count {
            let error = #expect(throws: PayloadError.self) { try ContactList(body: Array(body[..<length])) }
            guard case .malformed("contact list", let reason)? = error, reason.saysCut else {
                Issue.record("\(length) bytes: \(error.map { "\($0)" } ?? "read")")
                continue
            }
        }
        #expect(throws: leftover("contact list", behind: body)) { try ContactList(body: body + [0]) }
    }

    @Test func `a flipped bit is refused or read as another list`() throws {
        let bytes = Self.payload.bytes
        for bit in 24..<(8 * bytes.count) {
            var flipped = bytes
            flipped[bit / 8] ^= 1 << UInt8(bit % 8)
            guard let read = try? Payload(flipped) else { continue }
            #expect(
                read.content != .contactList(Self.payload)
                    && read.content.encoded(prelude: read.prelude) == flipped, "bit \(bit)")
        }
    }

    @Test func `an unsigned list is refused, and so is one that names another issuer`() {
        let bytes = Self.payload.bytes
        #expect(throws: PayloadError.schemeMissing(.contactList)) { try Payload([0x53, 0xff] + bytes[2...]) }
        var other = bytes
        other[3] = 2
        #expect(throws: PayloadError.contactList(.issuerDiffers)) { try Payload(other) }
        // ed25519 keys have as many bytes.
        #expect(throws: PayloadError.contactList(.issuerDiffers)) { try Payload([0x53, 0] + bytes[2...]) }
    }

    static func entry(
        _ account: [UInt8], _ label: String = "a", note: String = "", networks: [GenesisHash] = []
    ) -> ContactList.Entry {
        ContactList.Entry(account: account, label: label, note: note, networks: networks)
    }

    @Test func `bounds are kept`() throws {
        let account = [UInt8](repeating: 1, count: 32)
        func failure(_ entries: [ContactList.Entry]) -> ContactList.Failure? {
            do throws(ContactList.Failure) {
                _ = try ContactList(issuer: Self.key, number: 1, entries: entries)
            } catch { return error }
            return nil
        }
        #expect(failure([]) == nil && failure([Self.entry(account)]) == nil)
        for count in [0, 19, 21, 31, 33] {
            #expect(
                failure([Self.entry([UInt8](repeating: 1, count: count))]) == .account(entry: 1, bytes: count)
            )
        }
        #expect(failure([Self.entry(account, "")]) == .label(entry: 1, bytes: 0))
        #expect(failure([Self.entry(account, String(repeating: "x", count: 64))]) == nil)
        #expect(
            failure([Self.entry(account, String(repeating: "x", count: 65))]) == .label(entry: 1, bytes: 65))
        #expect(failure([Self.entry(account, note: String(repeating: "x", count: 256))]) == nil)
        #expect(
            failure([Self.entry(account, note: String(repeating: "x", count: 257))])
                == .note(entry: 1, bytes: 257))
        #expect(
            failure([Self.entry(account, networks: [Self.genesis, Self.genesis])]) == .networks(entry: 1))
        let networks = (0..<65).map { GenesisHash([UInt8](repeating: UInt8($0), count: 32))! }
        #expect(failure([Self.entry(account, networks: Array(networks.prefix(64)))]) == nil)
        #expect(failure([Self.entry(account, networks: networks)]) == .networks(entry: 1))
        #expect(failure([Self.entry(account), Self.entry(account, "b")]) == .notAscending(entry: 2))
        let many = (0..<1025).map {
            Self.entry(
                [UInt8]($0.description.utf8) + [UInt8](repeating: 0, count: 32 - $0.description.utf8.count))
        }
        #expect(failure(Array(many.prefix(1024))) == nil && failure(many) == .tooMany(1025))
    }

    /// Made by hand: what this program writes is in order.
    @Test func `another order is refused`() throws {
        func body(_ accounts: [UInt8]) -> [UInt8] {
            let entries = accounts.flatMap {
                [32 << 2] + [UInt8](repeating: $0, count: 32) + [1 << 2, UInt8(ascii: "a"), 0, 0]
            }
            return [1] + Self.key.bytes + [1, 0, 0, 0] + [UInt8(accounts.count) << 2] + entries
        }
        #expect(throws: Never.self) { try ContactList(body: body([1, 2])) }
        #expect(throws: PayloadError.contactList(.notAscending(entry: 2))) {
            try ContactList(body: body([2, 1]))
        }
        #expect(throws: PayloadError.contactList(.notAscending(entry: 2))) {
            try ContactList(body: body([1, 1]))
        }
        let twoNetworks = { (one: UInt8, other: UInt8) in
            [1] + Self.key.bytes + [1, 0, 0, 0, 1 << 2, 32 << 2] + [UInt8](repeating: 1, count: 32) + [
                1 << 2, UInt8(ascii: "a"), 0, 2 << 2,
            ]
                + [UInt8](repeating: one, count: 32) + [UInt8](repeating: other, count: 32)
        }
        #expect(throws: Never.self) { try ContactList(body: twoNetworks(1, 2)) }
        #expect(throws: PayloadError.contactList(.networks(entry: 1))) {
            try ContactList(body: twoNetworks(2, 1))
        }
    }
}
