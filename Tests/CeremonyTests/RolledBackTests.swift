import FixtureRuntime
import Hashing
import Review
import SubstratePrimitives
import TestSupport
import Testing
import TrustStore
import UOS
import Vault

@testable import Ceremony

/// What somebody wins who copies a vault, lets it act, and puts the copy back whole.
///
/// The store's seal went back with it, so the store alone cannot tell. Each law has its counterpart without a
/// TPM: there the second act happens, which is what the counter is for.
@Suite struct RolledBackLaws {
    private func isRolledBack(_ error: any Error) -> Bool {
        if case StoreError.counterDiffers = error { true } else { false }
    }

    @Test(arguments: [false, true]) func `a budget that was put back is not spent twice`(isBound: Bool) throws
    {
        for rule in BudgetRule.all {
            let fixture = try rule.fixture()
            if isBound { try fixture.vault.bind() }
            let older = try fixture.vault.copy()
            #expect(try rule.signs(fixture.transfer(60), fixture.vault))
            #expect(try !rule.signs(fixture.transfer(60, nonce: 1), fixture.vault))
            try fixture.vault.putBack(older)
            if isBound {
                #expect {
                    _ = try rule.signs(fixture.transfer(60, nonce: 1), fixture.vault)
                } throws: {
                    isRolledBack($0)
                }
            } else {
                #expect(try rule.signs(fixture.transfer(60, nonce: 1), fixture.vault))
            }
        }
    }

    /// The memory of the nonces was copied, too: two shares of one nonce are the member's secret.
    @Test(arguments: [false, true])
    func `a group's nonce that was put back with its vault is not given twice`(isBound: Bool) throws {
        let group = try GroupSigningFixture()
        if isBound { try group.alice.bind() }
        let request = try group.request()
        let own = try group.commitment(request, group.alice)
        let packages = try (1...2).map {
            try group.package(request, [own, try group.foreign(2, request, fill: UInt8($0))])
        }
        let older = try group.alice.copy()
        let box = try #require(group.alice.nonces.copy(request.id))
        let vault = try group.alice.device.vault().id
        _ = try group.share(packages[0], group.alice)
        // Without a rollback the nonce is spent.
        try group.alice.nonces.put(box, for: request.id, of: vault)
        #expect(throws: (any Error).self) { try group.share(packages[1], group.alice) }
        try group.alice.putBack(older)
        try group.alice.nonces.put(box, for: request.id, of: vault)
        if isBound {
            #expect {
                _ = try group.share(packages[1], group.alice)
            } throws: {
                isRolledBack($0)
            }
        } else {
            _ = try group.share(packages[1], group.alice)
        }
    }
}
