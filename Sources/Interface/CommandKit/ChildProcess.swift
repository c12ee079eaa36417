import Diagnostics
import Keys
import Sandbox
import SystemIO
import TerminalIO

/// Work on a secret by code that leaves copies of it in memory without wiping them, such as a QR encoder or
/// the scanner's records. A child process does it, and its memory ends with it.
package enum ChildProcess {
    /// - Parameter longest: bytes of the longest secret that is handed over.
    /// - Returns: the secret that `body` made in the child.
    /// - Throws: ``ExitWith`` with the exit code, if the child failed and has reported why.
    package static func secret(
        _ console: Console, longest: Int = 1024, _ body: () throws -> SecretBytes
    ) throws -> SecretBytes {
        let made = SecretBytes(count: longest)
        let (length, code) = try made.withUnsafeMutableBytes { made in
            try Sandbox.inChild(result: made) { run(console, writing: $0, body) }
        }
        guard code == 0, let length else {
            throw ExitWith(code.flatMap(Diagnostic.Exit.init(rawValue:)) ?? .inputOutput)
        }
        return made.slice(0..<length)
    }

    private static func run(_ console: Console, writing descriptor: Int32, _ body: () throws -> SecretBytes)
        -> Int32
    {
        // The parent does not see how the child's own secrets fare.
        let failures = SecretBytes.lockFailures
        defer { CommandRunner.tellUnlockedMemory(since: failures, console) }
        do {
            // Its questions are over with it: the process that waits for it does not know of them.
            let secret = try TerminalMode.quietly(body)
            return secret.withUnsafeBytes { Descriptor.write(descriptor, $0) }
                ? 0 : Diagnostic.Exit.inputOutput.rawValue
        } catch {
            let diagnostic = Wording.diagnostic(error)
            console.complain(diagnostic)
            return diagnostic.exit.rawValue
        }
    }
}
