import Glibc
import Sandbox
import Testing

@testable import CommandKit
@testable import Vault

/// The limits themselves, in processes of their own: no payload comes near them, because counters refuse it
/// before.
@Suite struct ReadingLimitLaws {
    private static let said = WorkLimit.Ending(output: Array("{}\n".utf8), error: Array("too much\n".utf8))
    private static let unsaid = WorkLimit.Ending(output: [], error: Array("the wrong words\n".utf8))

    private static func burn(seconds: Double) {
        let end = clock() + Int(seconds * Double(CLOCKS_PER_SEC))
        while clock() < end {}
    }

    private static func expectSaid(isRuntimeHeard: Bool = false, _ result: ExitTest.Result?) throws {
        let result = try #require(result)
        let said = String(decoding: result.standardErrorContent, as: UTF8.self)
        // The runtime says first what it did not get.
        #expect(
            said == "too much\n"
                || isRuntimeHeard && said.hasPrefix("Fatal error: ") && said.hasSuffix("\ntoo much\n"),
            "\(said)")
        #expect(result.standardOutputContent.suffix(3).elementsEqual("{}\n".utf8))
    }

    @Test func workThatTakesTooLongEndsWithItsWords() async throws {
        try Self.expectSaid(
            await #expect(
                processExitsWith: .exitCode(65), observing: [\.standardErrorContent, \.standardOutputContent]
            ) {
                WorkLimit.run(
                    .init(processorTime: 0.2, memory: 1 << 32), code: 65, onTime: Self.said,
                    onMemory: Self.unsaid
                ) {
                    Self.burn(seconds: 20)
                }
                exit(1)
            })
    }

    @Test func memoryThatGrowsEndsWithItsWords() async throws {
        try Self.expectSaid(
            await #expect(
                processExitsWith: .exitCode(65), observing: [\.standardErrorContent, \.standardOutputContent]
            ) {
                WorkLimit.run(
                    .init(processorTime: 60, memory: 1 << 28), code: 65, onTime: Self.unsaid,
                    onMemory: Self.said
                ) {
                    var blocks: [[UInt8]] = []
                    for round in 0..<4096 {
                        blocks.append([UInt8](repeating: UInt8(truncatingIfNeeded: round), count: 1 << 20))
                    }
                    exit(Int32(blocks.count & 1))
                }
            })
    }

    /// The kernel refuses it, so no tick sees it.
    @Test func memoryThatIsAskedForAtOnceEndsWithItsWords() async throws {
        try Self.expectSaid(
            isRuntimeHeard: true,
            await #expect(
                processExitsWith: .exitCode(65), observing: [\.standardErrorContent, \.standardOutputContent]
            ) {
                WorkLimit.run(
                    .init(processorTime: 60, memory: 1 << 28), code: 65, onTime: Self.unsaid,
                    onMemory: Self.said
                ) {
                    var bytes = [UInt8](repeating: 1, count: 100 << 20)
                    bytes.reserveCapacity(1 << 32)
                    exit(Int32(bytes.count & 1))
                }
            })
    }

    /// Between two looks of the program the kernel bounds the memory.
    @Test func theKernelBoundsTheMemoryOfTheWorkAndNotOfTheRest() async {
        await #expect(processExitsWith: .exitCode(7)) {
            func limit() -> rlim_t {
                var limit = rlimit()
                getrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit)
                return limit.rlim_cur
            }
            let before = limit()
            let bounds = WorkLimit.Bounds(processorTime: 60, memory: 1 << 34)
            WorkLimit.run(bounds, code: 65, onTime: Self.unsaid, onMemory: Self.unsaid) {
                if limit() != min(before, rlim_t(bounds.kernelLimit)) { exit(1) }
            }
            exit(limit() == before ? 7 : 2)
        }
    }

    /// A bug is not called a limit.
    @Test func anAbortWithLittleMemoryStaysAnAbort() async {
        await #expect(processExitsWith: .signal(SIGABRT)) {
            WorkLimit.run(
                .init(processorTime: 60, memory: 1 << 34), code: 65, onTime: Self.unsaid,
                onMemory: Self.unsaid
            ) {
                if getpid() > 0 { abort() }
            }
        }
    }

    @Test func theBoundsEndWithTheWork() async {
        await #expect(processExitsWith: .exitCode(7)) {
            for _ in 0..<3 {
                WorkLimit.run(
                    .init(processorTime: 0.3, memory: 1 << 28), code: 65, onTime: Self.said,
                    onMemory: Self.said
                ) {
                    Self.burn(seconds: 0.05)
                }
            }
            Self.burn(seconds: 0.5)
            let bytes = [UInt8](repeating: 1, count: 1 << 29)
            exit(bytes.count == 1 << 29 ? 7 : 1)
        }
    }

    @Test func whatIsSuspendedCountsNothing() async {
        await #expect(processExitsWith: .exitCode(7)) {
            WorkLimit.run(
                .init(processorTime: 0.3, memory: 1 << 28), code: 65, onTime: Self.said, onMemory: Self.said
            ) {
                let large = WorkLimit.suspended {
                    Self.burn(seconds: 0.5)
                    return [UInt8](repeating: 1, count: 1 << 29).count
                }
                Self.burn(seconds: 0.05)
                exit(large == 1 << 29 ? 7 : 1)
            }
        }
    }

    @Test func theBoundsHoldAgainAfterASuspension() async throws {
        try Self.expectSaid(
            await #expect(
                processExitsWith: .exitCode(65), observing: [\.standardErrorContent, \.standardOutputContent]
            ) {
                WorkLimit.run(
                    .init(processorTime: 0.2, memory: 1 << 32), code: 65, onTime: Self.said,
                    onMemory: Self.unsaid
                ) {
                    WorkLimit.suspended {}
                    Self.burn(seconds: 20)
                }
                exit(1)
            })
    }

    @Test func eachCodeHasTheWholeTime() async {
        await #expect(processExitsWith: .exitCode(7)) {
            WorkLimit.run(
                .init(processorTime: 0.3, memory: 1 << 32), code: 65, onTime: Self.said, onMemory: Self.said
            ) {
                for _ in 0..<4 {
                    Self.burn(seconds: 0.15)
                    WorkLimit.renew()
                }
                exit(7)
            }
        }
    }

    /// A command that opens a vault may derive at the greatest cost that a vault states, and read a payload
    /// besides.
    @Test func theGreatestDerivationFits() {
        let derivation = UInt64(KDFCost.maximumMemory) << 10
        #expect(ReadingLimit.memoryWithDerivation >= derivation + ReadingLimit.bounds.kernelLimit)
    }
}
