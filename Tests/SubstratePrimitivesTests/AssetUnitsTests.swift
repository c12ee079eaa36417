import SCALE
import SubstratePrimitives
import TestSupport
import Testing

@Suite struct AssetUnitsLaws {
    static let entries = [
        AssetUnits.Entry(pallet: "Assets", id: "1984", symbol: "USDt", decimals: 6),
        AssetUnits.Entry(pallet: nil, id: "0x0102", symbol: "HLO", decimals: 12),
        AssetUnits.Entry(pallet: "Assets", id: "0", symbol: "NUL", decimals: 0),
    ]
    static let genesis = GenesisHash([UInt8](repeating: 7, count: 32))!
    static let list = AssetUnits(genesisHash: genesis, serial: 5, entries: entries)!

    /// The example of `Payloads.md` in `heliograph.docc`, written out by hand.
    @Test func theEncodingIsTheDocumentedOne() {
        let expected: [[UInt8]] = [
            Array("heliograph-asset-list-1".utf8), genesis32, [5, 0, 0, 0], [3 << 2],
            [0, 6 << 2] + Array("0x0102".utf8) + [3 << 2] + Array("HLO".utf8) + [12],
            [1, 6 << 2] + Array("Assets".utf8) + [1 << 2] + Array("0".utf8) + [3 << 2] + Array("NUL".utf8) + [
                0
            ],
            [1, 6 << 2] + Array("Assets".utf8) + [4 << 2] + Array("1984".utf8) + [4 << 2] + Array("USDt".utf8)
                + [6],
        ]
        #expect(Self.list.encoded == Array(expected.joined()))
    }

    private var genesis32: [UInt8] { [UInt8](repeating: 7, count: 32) }

    @Test func aListIsReadAsItWasWritten() throws {
        #expect(try AssetUnits(encoded: Self.list.encoded) == Self.list)
        #expect(
            AssetUnits(genesisHash: Self.genesis, serial: 5, entries: Self.entries.reversed()) == Self.list)
    }

    @Test func everyProperPrefixIsRefused() {
        for length in 0..<Self.list.encoded.count {
            let cut = Array(Self.list.encoded[..<length])
            let error = #expect(throws: AssetUnits.Failure.self) { try AssetUnits(encoded: cut) }
            switch error {
            // Without the whole tag that starts every list it is not a list.
            case .notAList: #expect(length < 23)
            case .encoding(let error): #expect(length >= 23 && error.saysCut)
            case let other: Issue.record("\(length) bytes: \(other.map { "\($0)" } ?? "read")")
            }
        }
        let end = SCALEError(.leftover(count: 1), offset: Self.list.encoded.count)
        #expect(throws: AssetUnits.Failure.encoding(end)) { try AssetUnits(encoded: Self.list.encoded + [0]) }
    }

    @Test(
        arguments: [
            ("Assets", "", "X", 1), ("Assets", "01", "X", 1), ("Assets", "-1", "X", 1),
            ("Assets", "0xAB", "X", 1),
            ("Assets", "0x", "X", 1),
            ("Assets", "0xa", "X", 1), ("Assets", "1", "", 1),
            ("Assets", "1", String(repeating: "X", count: 65), 1),
            ("Assets", "1", "X", 39), ("Assets", "1", "000", 6), ("Assets", "1", "%", 0),
            ("Assets", "1", "\u{202e}", 0), (nil, "0x0102", "\u{410}", 1), ("Assets", "1", " 5.", 1),
            ("", "1", "X", 1), (nil, "1", "X", 1),
        ] as [(String?, String, String, UInt8)])
    func aMalformedEntryIsRefused(pallet: String?, id: String, symbol: String, decimals: UInt8) {
        let entry = AssetUnits.Entry(pallet: pallet, id: id, symbol: symbol, decimals: decimals)
        #expect(AssetUnits(genesisHash: Self.genesis, serial: 0, entries: [entry]) == nil)
    }

    /// The own token has no number in an instance of pallet-assets. Elsewhere it may have one, or a location.
    @Test(
        arguments: [
            ("Assets", "1985", "DOT", true), ("ForeignAssets", "0x0102", "DOT", true),
            ("PoolAssets", "1", "dOt", true),
            ("Assets", "1985", "DOTs", false), ("Assets", "1985", "D", false), (nil, "0x0100", "DOT", false),
            ("Currencies", "0", "DOT", false), ("Assetsx", "0", "DOT", false),
        ] as [(String?, String, String, Bool)])
    func anAssetOfPalletAssetsIsNotTheOwnToken(pallet: String?, id: String, symbol: String, passes: Bool) {
        let specs = NetworkSpecs(
            name: "alpha", title: "Alpha", base58Prefix: 0, decimals: 10, unit: "DOT",
            genesisHash: Self.genesis, scheme: .sr25519)
        let entry = AssetUnits.Entry(pallet: pallet, id: id, symbol: symbol, decimals: 10)
        #expect(entry.passesForOwnToken(of: specs) == passes)
        #expect(AssetUnits(genesisHash: Self.genesis, serial: 0, entries: [entry]) != nil)
    }

    @Test func anAssetStandsOnce() {
        let twice = [
            Self.entries[0], AssetUnits.Entry(pallet: "Assets", id: "1984", symbol: "OTHER", decimals: 2),
        ]
        #expect(AssetUnits(genesisHash: Self.genesis, serial: 0, entries: twice) == nil)
    }

    @Test func anotherOrderIsRefused() {
        let one = AssetUnits(genesisHash: Self.genesis, serial: 0, entries: [Self.entries[0]])!.encoded
        let other = AssetUnits(genesisHash: Self.genesis, serial: 0, entries: [Self.entries[2]])!.encoded
        let head = Array(one[..<59])
        let body = { (encoded: [UInt8]) in Array(encoded[60...]) }
        #expect(throws: Never.self) { try AssetUnits(encoded: head + [2 << 2] + body(other) + body(one)) }
        #expect(throws: AssetUnits.Failure.entries) {
            try AssetUnits(encoded: head + [2 << 2] + body(one) + body(other))
        }
        #expect(throws: AssetUnits.Failure.entries) {
            try AssetUnits(encoded: head + [2 << 2] + body(one) + body(one))
        }
    }
}
