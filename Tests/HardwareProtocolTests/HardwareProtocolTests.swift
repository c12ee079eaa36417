import HardwareProtocol
import SCALE
import TestSupport
import Testing

@Suite struct HardwareProtocolLaws {
    private static let name = [UInt8](repeating: 3, count: HardwareRequest.nameLength)
    private static let salt = [UInt8](repeating: 4, count: HardwareRequest.secretLength)
    private static let token = TokenKey(
        label: [UInt8](repeating: 0x61, count: 32), serial: [UInt8](repeating: 0x30, count: 16), id: [7, 8])
    private static let place = CounterPlace(primary: name, index: 0x0180_0001, name: name.reversed())
    private static let requests: [HardwareRequest] = [
        .seal(pcrs: 0), .seal(pcrs: 1 << 23), .unseal(primary: name, blob: [1, 2, 3], pcrs: 7),
        .defineCounter(primary: name), .readCounter(place, counts: true), .readCounter(place, counts: false),
        .removeCounter(place), .facts, .keyFacts, .enrollKey(salt: salt, withPIN: true),
        .enrollKey(salt: salt, withPIN: false), .keySecret(credential: [], salt: salt, withPIN: true),
        .keySecret(credential: [UInt8](repeating: 5, count: 1023), salt: salt, withPIN: false),
        .wrapByToken(token), .unwrapByToken(token, blob: [UInt8](repeating: 6, count: 512)),
    ]

    @Test(arguments: requests)
    func `a request is read back, and no cut or longer one is`(request: HardwareRequest) throws {
        let bytes = request.encoded
        #expect(bytes.count <= HardwareRequest.lengthLimit)
        #expect(try HardwareRequest(bytes) == request)
        for length in bytes.indices {
            #expect(throws: SCALEError.self) { _ = try HardwareRequest(Array(bytes[..<length])) }
        }
        #expect(throws: SCALEError.self) { _ = try HardwareRequest(bytes + [0]) }
    }

    @Test func `no other number is a request`() {
        for kind in UInt8(11)...255 {
            #expect(throws: SCALEError.self) { _ = try HardwareRequest([kind]) }
        }
    }

    /// The process that answers sees the one device only, so a request is for one.
    @Test(arguments: requests)
    func `a request is for one device, and a PIN goes to no TPM`(request: HardwareRequest) {
        switch request.device {
        case .tpm: #expect(request.secretCount <= 2 * HardwareRequest.secretLength)
        case .securityKey: #expect([0, HardwareRequest.pinLength].contains(request.secretCount))
        case .token: #expect(request.secretCount >= HardwareRequest.pinLength)
        }
    }

    @Test func `a token's label has 1 to 32 bytes`() {
        #expect(TokenKey(label: "") == nil && TokenKey(label: String(repeating: "a", count: 33)) == nil)
        #expect(TokenKey(label: "card")?.label == Array("card".utf8) + [UInt8](repeating: 0x20, count: 28))
    }

    @Test(arguments: HardwareOutcome.allCases)
    func `an answer says its outcome, its code and its length`(outcome: HardwareOutcome) throws {
        let reply = HardwareReply(outcome, code: 0x98e, open: [1, 2, 3])
        let header = try #require(
            HardwareReply.header(Array(reply.encoded.prefix(HardwareReply.headerLength))))
        #expect(header.outcome == outcome && header.code == 0x98e && header.length == 3)
        #expect(reply.encoded.count == HardwareReply.headerLength + 3)
    }

    /// Whoever answers in place of the program fills no memory.
    @Test func `an answer of an unknown outcome or of any length is refused`() {
        #expect(HardwareReply.header([200] + [UInt8](repeating: 0, count: 8)) == nil)
        #expect(HardwareReply.header([0, 0, 0, 0, 0, 1, 8, 0, 0]) == nil)
        #expect(HardwareReply.header([0, 0, 0, 0, 0, 0, 8, 0, 0])?.length == HardwareRequest.lengthLimit)
        #expect(HardwareReply.header([]) == nil)
    }

    @Test func `what a TPM says of itself is read back`() throws {
        let facts = TPMFacts(
            failures: 1, failuresAllowed: 32, recoverySeconds: 7200, isLockoutGuarded: true,
            isLockedOut: false)
        #expect(try TPMFacts(facts.encoded) == facts)
        #expect(throws: SCALEError.self) { _ = try TPMFacts(facts.encoded + [0]) }
    }
}
