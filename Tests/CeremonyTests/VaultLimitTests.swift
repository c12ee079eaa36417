import Hashing
import Keys
import Testing

@testable import Vault

@Suite struct VaultLimitTests {
    /// However quick the machine or short the time: two passes at least, and never the most that is read.
    @Test func `the measured cost has two passes at least`() throws {
        let cost = try KDFCost.measured(seconds: 0)
        #expect(cost.passes == 2 && cost.memory >= 64 * 1024)
    }

    /// The file is read whole, and its limit is checked where it is written and where it is read.
    @Test func `a vault takes 1024 seeds and no more`() throws {
        let fixture = CeremonyFixture(empty: ())
        let vault = try Vault.create(
            directory: fixture.path, passphrase: SecretBytes(utf8: "p"), cost: .development, development: true
        )
        for number in 1...1024 {
            try vault.apply(
                vault.adding(seed: "\(number)", entropy: CeremonyFixture.entropy(of: "\(number)")))
        }
        #expect(throws: VaultError.full) {
            _ = try vault.adding(seed: "more", entropy: CeremonyFixture.entropy(of: "more"))
        }
        #expect(try Vault.open(directory: fixture.path).seedNames.count == 1024)
        let written = try #require(
            try PrivateFile.read("\(fixture.path)/\(VaultFile.name)", limit: VaultFile.lengthLimit))
        var file = try VaultFile(written)
        file.seeds.append(VaultFile.SealedSeed(name: "more", revision: 1, box: file.seeds[0].box))
        let bytes = file.encoded()
        #expect(throws: VaultError.malformed("counts")) { _ = try VaultFile(bytes) }
    }

    @Test func `a vault takes 1024 imported keys beside its seeds and no more`() throws {
        let fixture = CeremonyFixture(empty: ())
        let vault = try Vault.create(
            directory: fixture.path, passphrase: SecretBytes(utf8: "p"), cost: .development, development: true
        )
        func keys(_ numbers: ClosedRange<Int>) throws -> [ForeignKey] {
            try numbers.map { number in
                var bytes = BLAKE2b.hash(Array("\(number)".utf8), length: 32)
                return ForeignKey(
                    try KeyPair.importing(SecretBytes(wiping: &bytes), scheme: .ed25519))
            }
        }
        try vault.apply(vault.adding(keys: keys(1...1024)))
        #expect(throws: VaultError.full) { _ = try vault.adding(keys: keys(1025...1025)) }
        #expect(try Vault.open(directory: fixture.path).importedKeys.count == 1024)
    }
}
