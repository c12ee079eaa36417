import Glibc
import ScanProtocol
import ScannerClient
import TestSupport
import Testing

/// Published update pictures, where they are at hand (`HELIOGRAPH_SHARED_DATA`, else beside the checkout).
@Suite struct RealAnimationTests {
    @Test func everyFrameOfThePublishedAnimationIsRead() throws {
        guard let path = try SharedData.path("qr/polkadot_metadata_9190.apng") else { return }
        var codes: [[UInt8]] = []
        let report = try Scanner.client.scan(.init(inputs: [path])) {
            codes.append($0)
            return .goOn
        }
        #expect(report.images == 617 && report.codes == 617 && report.problems.isEmpty)
        // RaptorQ frames: 0x80000000 + 331149, then 4 bytes of packet header and a symbol of 1072.
        #expect(codes.allSatisfy { $0.count == 1080 && $0.starts(with: [0x80, 0x05, 0x0d, 0x8d]) })
        #expect(Set(codes.map { Array($0[4..<8]) }).count == 617)
    }

    @Test func theScanEndsWhenTheConsumerHasEnough() throws {
        guard let path = try SharedData.path("qr/polkadot_metadata_9190.apng") else { return }
        var count = 0
        let report = try Scanner.client.scan(.init(inputs: [path])) { _ in
            count += 1
            return count == 10 ? .stop : .goOn
        }
        #expect(report.stoppedEarly && report.images == 10 && report.distinctCodes == 10)
    }
}
