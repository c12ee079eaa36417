import SubstratePrimitives
import Testing
import TrustStore

@Suite struct ExactNameLaws {
    static let key = PublicKey(scheme: .sr25519, bytes: [UInt8](repeating: 1, count: 32))!

    @Test func settingsAreKeptByTheBytesOfTheirNames() {
        var settings: SealedSettings = ["seed_root/é": [1], "seed_root/e\u{301}": [2], "K": [3]]
        #expect(Array(settings).count == 3)
        #expect(settings["seed_root/é"] == [1] && settings["seed_root/e\u{301}"] == [2])
        #expect(settings["\u{212a}"] == nil && settings["K"] == [3])
        settings["K"] = nil
        #expect(settings == ["seed_root/e\u{301}": [2], "seed_root/é": [1]])
        #expect(settings != ["seed_root/é": [1], "x": [2]])
        #expect(
            Set(settings.map { Array($0.name.utf8) }) == [
                Array("seed_root/é".utf8), Array("seed_root/e\u{301}".utf8),
            ])
    }

    @Test func networksAndKeysAreFoundByExactNames() {
        var state = TrustState()
        state.networks = [
            NetworkSpecs(
                name: "\u{212a}usama", title: "x", base58Prefix: 2, decimals: 12, unit: "KSM",
                genesisHash: Hash32.blake2b(of: [1]))
        ]
        state.keys = [KeyRecord(publicKey: Self.key, seed: "é", path: "//é", hasPassword: false)]
        #expect(state.networks(named: "Kusama").isEmpty && state.networks(named: "\u{212a}usama").count == 1)
        #expect(state.keys(seed: "e\u{301}").isEmpty && state.keys(seed: "é").count == 1)
    }

    @Test func keyRecordsAreEqualByTheBytesOfTheirTexts() {
        let record = KeyRecord(
            publicKey: Self.key, seed: "é", path: "//é", hasPassword: false, label: "é", lastUsed: 1)
        #expect(record == record)
        let others = [
            KeyRecord(
                publicKey: Self.key, seed: "e\u{301}", path: "//é", hasPassword: false, label: "é",
                lastUsed: 1),
            KeyRecord(
                publicKey: Self.key, seed: "é", path: "//e\u{301}", hasPassword: false, label: "é",
                lastUsed: 1),
            KeyRecord(
                publicKey: Self.key, seed: "é", path: "//é", hasPassword: false, label: "e\u{301}",
                lastUsed: 1),
            KeyRecord(
                publicKey: Self.key, seed: "é", path: "//é", hasPassword: true, label: "é", lastUsed: 1),
            KeyRecord(
                publicKey: Self.key, seed: "é", path: "//é", hasPassword: false, label: "é", lastUsed: 2),
            KeyRecord(
                publicKey: Self.key, ethereumAddress: [1], seed: "é", path: "//é", hasPassword: false,
                label: "é", lastUsed: 1),
            KeyRecord(
                publicKey: Self.key, seed: "é", path: "//é", hasPassword: false, label: "é", lastUsed: 1,
                networks: [Hash32.blake2b(of: [])]
            ),
        ]
        for other in others { #expect(record != other) }
    }

    @Test func aFactOfAnEventIsFoundByItsExactName() {
        let event = LogEvent(.databaseCreated, [LogEvent.Fact("\u{212a}", "1")])
        #expect(event["K"] == nil && event["\u{212a}"] == "1")
        #expect(LogEvent.Fact("K", "1") != LogEvent.Fact("\u{212a}", "1"))
        #expect(LogEvent.Fact("a", "K") != LogEvent.Fact("a", "\u{212a}"))
    }
}
