import Glibc
import HardwareClient
import HardwareProtocol
import Keys
import Synchronization
import TestSupport
import Testing
import Vault

/// Types a PIN, and counts what he is asked for.
final class Typist: HardwarePerson {
    private let typed: HeldSecret?
    private let asked = Mutex((pins: 0, touches: 0))

    init(_ typed: String? = nil) { self.typed = typed.map { HeldSecret(SecretBytes(utf8: $0)) } }

    var pins: Int { asked.withLock { $0.pins } }
    var touches: Int { asked.withLock { $0.touches } }

    func pin(of owner: PINOwner) -> HeldSecret? {
        asked.withLock { $0.pins += 1 }
        return typed
    }

    func touch(times: Int) { asked.withLock { $0.touches += times } }
}

@Suite struct HardwareClientLaws {
    private static let seal = TPMSeal(
        primary: [UInt8](repeating: 1, count: HardwareRequest.nameLength), pcrs: 0, blob: [1])

    @Test func `a program that is not installed is none`() {
        let client = HardwareClient(program: "/nowhere/heliograph-hardware", person: Typist())
        #expect(client == nil)
    }

    /// Nothing is taken for an answer that comes after a broken one.
    @Test func `a program that gives no answer is asked no more`() throws {
        let client = try #require(HardwareClient(program: "/bin/false", person: Typist()))
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
        #expect(HardwareError(.noKey, code: 2) == .noKey(2))
        #expect(HardwareError(.wrongPIN, code: 7) == .wrongPIN(left: 7))
        #expect(HardwareError(.keyFailed, code: 7) == .keyFailed(7))
    }

    /// Two outcomes with one error would tell a person the wrong thing to do.
    @Test func `each outcome is an error of its own`() {
        let errors = HardwareOutcome.allCases.compactMap { HardwareError($0, code: 1) }
        for (index, error) in errors.enumerated() {
            #expect(!errors[..<index].contains(error), "\(error)")
        }
        #expect(errors.count == HardwareOutcome.allCases.count - 1)
    }

    /// A device that hangs ends in an error, and the program with it.
    @Test func `a program that does not answer is given up`() throws {
        // It reads to the end of its input before it prints.
        let client = try #require(
            HardwareClient(program: "/usr/bin/wc", person: Typist(), patience: .milliseconds(200)))
        #expect(throws: HardwareError.silent) { _ = try client.facts() }
        #expect(throws: HardwareError.ended) { _ = try client.facts() }
    }

    @Test(arguments: [nil, "", String(repeating: "1", count: 64)])
    func `without a PIN that a key could have, nothing is asked of it`(typed: String?) throws {
        let person = Typist(typed)
        let client = try #require(HardwareClient(program: "/bin/cat", person: person))
        let key = SecurityKeySlot(
            credential: [1], salt: [UInt8](repeating: 2, count: HardwareRequest.secretLength),
            isVerified: true)
        #expect(throws: typed == nil ? HardwareError.noPIN : .pinLength) { _ = try client.secret(of: key) }
        #expect(person.pins == 1 && person.touches == 0)
    }
}
