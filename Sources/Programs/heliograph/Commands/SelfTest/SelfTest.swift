import ArgumentParser
import CommandKit
import Hashing
import Keys
import Presentation
import Sandbox
import TerminalIO

/// `self-test`: known answers, the random source, the memory for secrets, the sandbox, and the SHA-256 of the
/// program itself.
struct SelfTest: Command, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "self-test",
        abstract: "Test the primitives, random source, memory and sandbox; print the program's SHA-256.")

    @OptionGroup var output: OutputOptions

    /// The program's own file is the only one that stays readable. Landlock opens what the link names.
    func access() throws -> Access { Access(readable: [Files.program], forks: true) }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        let random = [Self.random(), try Self.randomOfTwoProcesses(console)]
        let checks = PrimitiveTests.all() + random + [Self.memory()] + Self.sandbox()
        let digest = Hex.encode(SHA256.hash(try Files.read(Files.program, limit: Files.programBytes)))
        let document = Document(
            passed: checks.allSatisfy(\.passed), sandbox: Sandboxing(context.sandbox), sha256: digest,
            checks: checks)
        if json {
            JSONText.print(document, console)
        } else {
            for check in checks { console.print("\(check.passed ? "passed" : "FAILED")  \(check.name)") }
            console.print(Wording.landlock(context.sandbox.landlock))
            console.print("sha-256 of this program  \(digest)")
        }
        if !document.passed { throw ExitWith(.refused) }
    }

    private static func random() -> SelfCheck {
        SelfCheck(name: "random source", passed: (try? RandomHealth.check()) != nil)
    }

    /// The first output of two processes that start from the same memory. A generator that keeps its state in
    /// the process, or is seeded by a constant, passes every test of its bytes, and gives both the same.
    private static func randomOfTwoProcesses(_ console: Console) throws -> SelfCheck {
        let first = try ChildProcess.secret(console) { SecretBytes(randomCount: 32) }
        let second = try ChildProcess.secret(console) { SecretBytes(randomCount: 32) }
        let own = SecretBytes(randomCount: 32)
        let isRepeated = first.isEqual(to: second) || own.isEqual(to: first) || own.isEqual(to: second)
        return SelfCheck(name: "random source of two processes", passed: !isRepeated)
    }

    /// After the primitives, whose keys were in such memory.
    private static func memory() -> SelfCheck {
        SelfCheck(name: "secrets locked in memory", passed: SecretBytes.lockFailures == 0)
    }

    /// What must fail in here, tried.
    private static func sandbox() -> [SelfCheck] {
        let state = Sandbox.enforced()
        return [
            SelfCheck(name: "no sockets", passed: Sandbox.refusesSockets()),
            SelfCheck(name: "no new privileges", passed: state?.noNewPrivileges ?? false),
            SelfCheck(name: "system call filter", passed: (state?.seccompFilters ?? 0) > 0),
        ]
    }

    private struct Sandboxing: Encodable {
        let landlock: Nullable<Int>
        let limits_signals: Bool
        let allowed_calls: [Group]

        struct Group: Encodable {
            let reason: String
            let calls: [String]
        }

        init(_ report: Sandbox.Report) {
            landlock = Nullable(report.landlock.abi)
            limits_signals = report.landlock.limitsSignals
            allowed_calls = report.allowedCalls.map { Group(reason: $0.reason, calls: $0.allNames) }
        }
    }

    /// Limits for the work on one payload.
    private struct Limits: Encodable {
        let processor_seconds = ReadingLimit.processorTime
        let memory_bytes = ReadingLimit.memoryBytes
        let memory_bytes_with_vault = ReadingLimit.memoryWithDerivation
    }

    private struct Document: Encodable {
        let passed: Bool
        let sandbox: Sandboxing
        let reading_limits = Limits()
        let sha256: String
        let checks: [SelfCheck]
    }
}
