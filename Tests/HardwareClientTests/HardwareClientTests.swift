import HardwareClient
import HardwareProtocol
import Keys
import TestSupport
import Testing
import Vault

@Suite struct HardwareClientLaws {
    private static let seal = TPMSeal(
        primary: [UInt8](repeating: 1, count: HardwareRequest.nameLength), pcrs: 0, blob: [1])

    @Test func `a program that is not installed is none`() {
        let client = HardwareClient(program: "/nowhere/heliograph-hardware")
        #expect(client == nil)
    }

    /// Nothing is taken for an answer that comes after a broken one.
    @Test func `a program that gives no answer is asked no more`() throws {
        let client = try #require(HardwareClient(program: "/bin/false"))
        for _ in 0..<2 {
            #expect(throws: HardwareError.ended) { _ = try client.facts() }
            #expect(throws: HardwareError.ended) {
                _ = try client.unseal(Self.seal, auth: SecretBytes(count: HardwareRequest.secretLength))
            }
        }
    }

    @Test(arguments: HardwareOutcome.allCases)
    func `every outcome but one is an error`(outcome: HardwareOutcome) {
        #expect((HardwareError(outcome, code: 5) == nil) == (outcome == .done))
        #expect(HardwareError(.failed, code: 5) == .failed(5))
        #expect(HardwareError(.noDevice, code: 2) == .noDevice(2))
    }
}
