import ArgumentParser
import Diagnostics
import Keys
import Sandbox
import SubstratePrimitives
import Terminal

/// Runs one command from its words to its exit code. The program and its shell run all commands through it.
struct CommandRunner {
    /// Parses the words, and words its errors: the command that holds all others.
    let program: any ParsableCommand.Type
    let console: Console
    let keeper: SessionKeeper
    /// Closes the program in to what the command may touch, or checks that it is closed in so already.
    let admit: (any Command) throws -> Sandbox.Report

    func run(_ words: [String]) -> Int32 {
        var json = false
        let command: any Command
        do {
            var parsed = try parse(Self.withHelpTopic(words))
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
            let report = try admit(command)
            if !command.isSilent { AirGapWarning.warn(command, console) }
            try command.execute(CommandContext(program: program, console: console, sandbox: report, keeper: keeper))
            return 0
        } catch let error as ValidationError {
            return tell(usage: error, words)
        } catch let error as ExitWith {
            return error.exit.rawValue
        } catch {
            return tell(Wording.diagnostic(error), json: json)
        }
    }

    /// The named command parses its own words: no other command takes any, and building all of them takes longer than to decode a payload.
    /// Help, and words that it does not take, are for the parser of all commands, which knows what to say of them.
    private func parse(_ words: [String]) throws -> any ParsableCommand {
        let (command, names) = named(words)
        if command.configuration.subcommands.isEmpty, let parsed = try? command.parseAsRoot(Array(words.dropFirst(names.count))) {
            return parsed
        }
        return try program.parseAsRoot(words)
    }

    /// After the command, because only then is it known; with a refusal of the command, too.
    static func tellUnlockedMemory(since earlier: Int, _ console: Console) {
        let failures = SecretBytes.lockFailures - earlier
        if failures > 0 { console.alarm(Wording.unlockedMemory(failures)) }
    }

    /// `help errors` is a list of its own, not the help of a command.
    private static func withHelpTopic(_ words: [String]) -> [String] {
        guard words.count >= 2, words[0].utf8Equals("help"), words[1].utf8Equals("errors") else { return words }
        return Array(words.dropFirst())
    }

    /// Tells a failure that ends a command.
    func tell(_ diagnostic: Diagnostic, json: Bool) -> Int32 {
        if json { JSONText.print(["error": ErrorDocument(diagnostic)], console) }
        console.complain(diagnostic)
        return diagnostic.exit.rawValue
    }

    /// The parser speaks: help that was asked for goes to stdout, words that it does not know are a usage error.
    private func tell(usage error: any Error, _ words: [String]) -> Int32 {
        guard program.exitCode(for: error).rawValue != 0 else {
            console.print(program.fullMessage(for: error))
            return 0
        }
        let hint = (["heliograph", "help"] + named(words).names).joined(separator: " ")
        return tell(Diagnostic(usage: program.message(for: error), hint: hint), json: words.contains("--json"))
    }

    /// The command that the first of `words` name, such as `seed new`, and those words.
    private func named(_ words: [String]) -> (command: any ParsableCommand.Type, names: [String]) {
        var command = program
        var found: [String] = []
        for word in words {
            guard let next = command.configuration.subcommands.first(where: { $0._commandName.utf8Equals(word) }) else { break }
            command = next
            found.append(word)
        }
        return (command, found)
    }
}
