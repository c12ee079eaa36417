import FoundationEssentials
import Hashing
import SCALE
import SubstratePrimitives
import TestSupport
import Testing

@Suite struct AddressLaws {
    static let alice = Hex.decode("d43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d")!

    /// Well-known addresses of the development account Alice.
    @Test(
        arguments: [
            (42, "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY"),
            (0, "15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5"),
            (2, "HNZata7iMYWmk5RvZRTiAsSDhV8366zq2YGb3tLH5Upf74F"),
        ] as [(UInt16, String)])
    func anAddressReadsBackAsItsAccount(prefix: UInt16, text: String) throws {
        #expect(SS58Address(prefix: prefix, account: Self.alice)?.text == text)
        let address = try SS58Address(text)
        #expect(address.prefix == prefix)
        #expect(address.account == Self.alice)
    }

    @Test(arguments: [0, 1, 42, 63, 64, 255, 256, 1284, 16383] as [UInt16])
    func everyPrefixFormRoundTrips(prefix: UInt16) throws {
        let text = try #require(SS58Address(prefix: prefix, account: Self.alice)).text
        #expect(try SS58Address(text) == SS58Address(prefix: prefix, account: Self.alice))
    }

    @Test func aChangedCharacterIsRefused() {
        let text = "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY"
        for place in text.indices where text[place] != "z" {
            var changed = text
            changed.replaceSubrange(place...place, with: "z")
            #expect(throws: SS58Address.Failure.self) { try SS58Address(changed) }
        }
    }

    @Test func reservedPrefixesAreNeitherReadNorWritten() throws {
        // Written by base58 2.1.1 with the checksum of hashlib's BLAKE2b-512.
        let texts: [(UInt16, String)] = [
            (46, "5g1axYPrdA2VeKsqmz8WKpa8f3n4T9ou8Qv3f8BaeheH3ApS"),
            (47, "5moFDXwG1SuDoPHJgX1XhiqZJXvMWLSRKMUBGopt7ZEmKmWa"),
        ]
        for (prefix, text) in texts {
            #expect(throws: SS58Address.Failure.reservedPrefix(prefix)) { try SS58Address(text) }
            #expect(SS58Address(prefix: prefix, account: Self.alice) == nil)
        }
    }
}

@Suite struct AmountLaws {
    @Test(
        arguments: [
            ("100000000000", 12, "WND", "100.000000000 mWND"), ("0", 12, "WND", "0 pWND"),
            ("0", 10, "DOT", "0.0 nDOT"),
            ("1", 10, "DOT", "100 pDOT"), ("12345678901", 10, "DOT", "1.2345678901 DOT"),
            ("1000", 0, "X", "1.000 kX"),
            ("7", 20, "X", "0.07 aX"),
            (
                "340282366920938463463374607431768211455", 12, "WND",
                "340282366920938.463463374607431768211455 TWND"
            ),
        ] as [(String, UInt8, String, String)])
    func anAmountKeepsEveryDigit(planck: String, decimals: UInt8, unit: String, text: String) {
        #expect(TokenAmount(planck: planck, decimals: decimals, unit: unit).text == text)
    }
}

@Suite struct EraLaws {
    @Test func everyTwoByteEraIsReadAndWrittenBackOrRefused() throws {
        for value in UInt16(1)...UInt16.max where value & 0xff != 0 {
            let bytes = SCALEWriter.encode { $0.integer(value) }
            var reader = SCALEReader(bytes)
            guard let era = try? Era(from: &reader) else { continue }
            #expect(SCALEWriter.encode { era.encode(into: &$0) } == bytes)
        }
    }

    /// The worked example of the UOS document: phase 27, period 64.
    @Test func theWorkedExampleIsRead() throws {
        var reader = SCALEReader([0xb5, 0x01])
        #expect(try Era(from: &reader) == .mortal(MortalEra(period: 64, phase: 27)!))
    }
}

@Suite struct SpecsLaws {
    /// As the JSON of specs has the genesis hash.
    @Test func aHashIsItsHexInJSONBothWays() throws {
        let hash = Hash32.blake2b(of: [])
        let json = Data("[\"\(hash.hex)\"]".utf8)
        #expect(try JSONEncoder().encode([hash]) == json)
        #expect(try JSONDecoder().decode([Hash32].self, from: json) == [hash])
    }

    @Test func specsReadBackAndEveryPrefixIsRefused() throws {
        for specs in NetworkSpecs.defaults {
            let bytes = SCALEWriter.encode { specs.encode(into: &$0) }
            var reader = SCALEReader(bytes)
            #expect(try NetworkSpecs(from: &reader) == specs)
            try reader.finish()
            for length in bytes.indices {
                let error = #expect(throws: SCALEError.self) {
                    var cut = SCALEReader(Array(bytes.prefix(length)))
                    _ = try NetworkSpecs(from: &cut)
                }
                #expect(error?.saysCut == true, "\(length) bytes")
            }
        }
    }
}
