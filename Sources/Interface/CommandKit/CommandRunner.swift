import AirGap
import ArgumentParser
import Ceremony
import Diagnostics
import Glibc
import Keys
import Lines
import Presentation
import Sandbox
import SubstratePrimitives
import TerminalIO

/// Runs one command from its words to its exit code. The program and its shell run all commands through it.
package struct CommandRunner {
    /// Parses the words, and words its errors: the command that holds all others.
    let program: any ParsableCommand.Type
    let console: Console
    let keeper: SessionKeeper
    /// Closes the program in to what the command may touch, or checks that it is closed in so already.
    let admit: (any Command) throws -> Sandbox.Report

    package init(
        program: any ParsableCommand.Type, console: Console, keeper: SessionKeeper,
        admit: @escaping (any Command) throws -> Sandbox.Report
    ) {
        (self.program, self.console, self.keeper, self.admit) = (program, console, keeper, admit)
    }

    package func run(_ words: [String]) -> Int32 {
        var json = false
        let command: any Command
        let words = tree.rewritten(words)
        if words.first?.utf8Equals("help") == true,
            let unknown = UsageProblem.unknownTopic(Array(words.dropFirst()), tree)
        {
            return tell(unknown, json: words.contains("--json"))
        }
        StandardStreams.start()
        if Self.holdPhrase(words) {
            return tell(CommandError.seedInArgument.diagnostic, json: words.contains("--json"))
        }
        do {
            var parsed = try parse(words)
            guard let own = parsed as? any Command else {
                try parsed.run()
                return 0
            }
            command = own
        } catch {
            return tell(usage: error, words)
        }
        // The secrets of this command alone: a shell has told the others.
        let failures = SecretBytes.lockFailures
        defer { Self.tellUnlockedMemory(since: failures, console) }
        do {
            json = command.json
            StartedHardware.asks(at: console)
            let report = try admit(command)
            if !command.isSilent { ShieldWarning.warn(command, console) }
            let context = CommandContext(program: program, console: console, sandbox: report, keeper: keeper)
            try TerminalMode.quietly { try command.execute(context) }
            try StandardStreams.requireWritten()
            return 0
        } catch let error as ValidationError {
            return tell(usage: error, words)
        } catch let error as ExitWith {
            return error.exit.rawValue
        } catch {
            return tell(Wording.diagnostic(error), json: json)
        }
    }

    /// The named command parses its own words, because building all commands takes longer than decoding a
    /// payload. The parser of all commands handles help and words that the command refuses, because it has
    /// the messages for them.
    private func parse(_ words: [String]) throws -> any ParsableCommand {
        let (command, names) = tree.named(words)
        if command.configuration.subcommands.isEmpty,
            let parsed = Self.alone(command, Array(words.dropFirst(names.count)))
        {
            return parsed
        }
        return try program.parseAsRoot(words)
    }

    private static func alone<Only: ParsableCommand>(_: Only.Type, _ words: [String]) -> (
        any ParsableCommand
    )? {
        (try? Alone<Only>.parseAsRoot(words) as? Alone<Only>)?.command
    }

    /// After the command, because only then is it known; with a refusal of the command, too.
    static func tellUnlockedMemory(since earlier: Int, _ console: Console) {
        let failures = SecretBytes.lockFailures - earlier
        if failures > 0 {
            console.alarm(
                """
                the system refused to lock \(failures == 1 ? "1 secret" : "\(failures) secrets") in memory: \
                swap or hibernation may write \(failures == 1 ? "it" : "them") to the disk; raise the limit \
                with ulimit -l
                """)
        }
    }

    /// Whether twelve words of BIP-39 stand one after another, in one argument or in several. Whatever
    /// command they are for, the shell has them in its history now, and no error may repeat them.
    private static func holdPhrase(_ words: [String]) -> Bool {
        let parts = words.flatMap { word in word.utf8.split { $0 == 0x20 || (0x09...0x0d).contains($0) } }
            .map { String(decoding: $0, as: UTF8.self) }
        guard parts.count >= 12 else { return false }
        var count = 0
        for part in parts {
            count = WordList.english.words(startingWith: part).containsUTF8(of: part) ? count + 1 : 0
            if count == 12 { return true }
        }
        return false
    }

    /// Tells a failure that ends a command.
    package func tell(_ diagnostic: Diagnostic, json: Bool) -> Int32 {
        if json { JSONText.print(["error": ErrorDocument(diagnostic)], console) }
        console.complain(diagnostic)
        return diagnostic.exit.rawValue
    }

    /// Shows the parser's message: help goes to stdout, and words that it does not know are a usage error.
    private func tell(usage error: any Error, _ words: [String]) -> Int32 {
        guard program.exitCode(for: error).rawValue != 0 else {
            console.print(program.fullMessage(for: error))
            tellExamples(words)
            return written()
        }
        return tell(
            UsageProblem(tree: tree, words: words, isDiscreet: keeper.isOfShell)
                .diagnostic(program.message(for: error)),
            json: words.contains("--json"))
    }

    /// Below the help of a command.
    private func tellExamples(_ words: [String]) {
        let isTopic = words.first?.utf8Equals("help") == true
        guard isTopic || words.containsUTF8(of: "--help") || words.containsUTF8(of: "-h") else { return }
        let examples = tree.examples(of: tree.named(isTopic ? Array(words.dropFirst()) : words).names)
        guard !examples.isEmpty else { return }
        console.print("EXAMPLES:")
        for example in examples { console.print("  heliograph \(example)") }
    }

    /// 0 where the help that was asked for reached stdout.
    private func written() -> Int32 {
        do {
            try StandardStreams.requireWritten()
            return 0
        } catch let error as ExitWith {
            return error.exit.rawValue
        } catch {
            return tell(Wording.diagnostic(error), json: false)
        }
    }

    private var tree: CommandTree { CommandTree(program: program) }
}

/// One command without the parser's extras, which are help and completion scripts. For a command that could
/// be the whole program, the parser first parses its words twice to look for a request for such a script, and
/// builds the names of help twice. That took longer than everything else before the command ran. Requests for
/// extras are refused here, and the parser of all commands answers them.
private struct Alone<Only: ParsableCommand>: ParsableCommand, CustomReflectable {
    static var configuration: CommandConfiguration {
        CommandConfiguration(_superCommandName: "heliograph", helpNames: [])
    }

    private(set) var command: Only

    init() { command = Only() }
    init(from decoder: any Decoder) throws { command = try Only(from: decoder) }

    mutating func validate() throws { try command.validate() }

    /// The parser finds the options of a command in its mirror.
    var customMirror: Mirror { Mirror(reflecting: command) }
}

/// The one line above a command's output where the device is online or may have been, or the vault is for
/// development.
enum ShieldWarning {
    /// What was said last: a shell says it again only when it changes.
    private nonisolated(unsafe) static var told: String?

    static func warn(_ command: any Command, _ console: Console) {
        if command.isAboutProgram { return }
        let line = line(command)
        defer { told = line }
        guard let line, told.map(line.utf8Equals) != true else { return }
        console.alarm(line)
    }

    private static func line(_ command: any Command) -> String? {
        let device = (command as? any VaultCommand).flatMap { try? Device(directory: $0.vault.directory()) }
        guard let device, let policy = try? device.shield() else {
            let report = Shield().report()
            let isDevelopment = (try? device?.vault().isDevelopment) == true
            return Wording.airGap(
                isDevelopment: isDevelopment, report.isOnline ? .online : .offline, report.findings)
        }
        return Wording.airGap(isDevelopment: policy.allowsOnline, policy.status, policy.report.findings)
    }
}
