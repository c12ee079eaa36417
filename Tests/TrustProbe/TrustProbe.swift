import AirGap
import CTraceVFS
import Glibc
import Keys
import SubstratePrimitives
import TrustStore
import Vault

/// What tests run as a process of its own: in another network namespace, to be killed, or beside a second
/// one.
@main
enum TrustProbe {
    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        switch arguments.first {
        case "shield": for finding in Shield().report().findings { print(finding) }
        case "traffic":
            for traffic in Shield().report().traffic {
                print(traffic.interface, traffic.received, traffic.sent)
            }
        case "create" where arguments.count == 2: try create(arguments[1])
        case "change" where arguments.count == 4:
            try change(arguments[1], word: arguments[2], rounds: Int(arguments[3]) ?? 0)
        case "trace" where arguments.count == 4:
            try trace(arguments[1], rounds: Int(arguments[2]) ?? 0, output: arguments[3])
        default:
            fatalError(
                """
                usage: trust-probe shield | traffic | create DIR | change DIR WORD ROUNDS | trace DIR ROUNDS \
                OUTPUT
                """
            )
        }
    }

    private static func create(_ directory: String) throws {
        let vault = try Vault.create(
            directory: directory, passphrase: SecretBytes(), cost: KDFCost(passes: 1, memory: 8),
            development: true)
        _ = try TrustStore.create(directory: directory, vault: vault, changes: [])
    }

    /// Waits where a killed program left attempts that were not finished.
    private static func vault(_ directory: String) throws -> UnlockedVault {
        let vault = try Vault.open(directory: directory)
        sleep(UInt32(try vault.failedAttempts().delay))
        return try vault.unlock(passphrase: SecretBytes(), patience: .seconds(60))
    }

    /// Accepts and signs in a loop. Each line is printed after the store has confirmed what it says.
    private static func change(_ directory: String, word: String, rounds: Int) throws {
        let locked = try TrustStore(directory: directory)
        for round in 0..<rounds {
            let name = "\(word)-\(round)"
            try locked.journal(LogEvent(.updateRefused, [LogEvent.Fact("id", "journal-\(name)")]))
            confirm("journal-\(name)")
            let store = try locked.unlock(vault(directory))
            try store.change(
                [.putSetting("last-\(word)", Array(name.utf8)), .setTypes(Array("types of \(name)".utf8))],
                events: [LogEvent(.transactionSigned, [LogEvent.Fact("id", name)], payload: Array(name.utf8))]
            )
            confirm(name)
        }
    }

    private static func confirm(_ line: String) {
        let text = line + "\n"
        _ = write(STDOUT_FILENO, text, text.utf8.count)
    }

    /// Writes down every change of the database's files, and between them which rounds were confirmed.
    private static func trace(_ directory: String, rounds: Int, output: String) throws {
        record = open(output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        guard trace_vfs_install(recordChange) == SQLITE_OK else { exit(9) }
        let locked = try TrustStore(directory: directory)
        for round in 0..<rounds {
            let store = try locked.unlock(vault(directory))
            try store.change(
                [.setTypes([UInt8](repeating: UInt8(round & 0xff), count: 5000 + round))],
                events: [LogEvent(.userNote, [LogEvent.Fact("id", "\(round)")])])
            append([UInt8(ascii: "C")] + bytes(UInt64(round)))
        }
    }
}

nonisolated(unsafe) private var record: Int32 = -1

private func bytes(_ number: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
}

private func append(_ bytes: [UInt8]) {
    guard write(record, bytes, bytes.count) == bytes.count else { exit(8) }
}

/// One record: the kind as a digit, length of the path, path, offset, length, bytes; numbers are u64.
private func recordChange(
    _ kind: Int32, _ path: UnsafePointer<CChar>?, _ offset: Int64, _ data: UnsafeRawPointer?, _ count: Int32
) {
    let name = path.map { Array(String(cString: $0).utf8) } ?? []
    let body = Array(UnsafeRawBufferPointer(start: data, count: Int(count)))
    append(
        [UInt8(ascii: "0") + UInt8(kind)] + bytes(UInt64(name.count)) + name + bytes(UInt64(offset))
            + bytes(UInt64(count)) + body)
}
