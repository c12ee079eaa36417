import ArgumentParser
import Glibc
import TestSupport
import Testing

@testable import Shell
@testable import TerminalIO
@testable import heliograph

@Suite struct CompleterTests {
    private static var names: VaultNames {
        var names = VaultNames()
        names.seeds = ["main", "the dev seed", "evil\nname", "--vault", "esc\u{1b}[2J"]
        names.networks = ["polkadot", "westend"]
        names.metadata = [("westend", ["9220", "9190"])]
        names.keys = [
            VaultNames.Key(addresses: ["16Zaf", "5Abc"], label: "Treasury", place: "main//0"),
            VaultNames.Key(addresses: ["5Grw"], label: nil, place: "the dev seed//Alice"),
            VaultNames.Key(addresses: ["5Xyz"], label: "Tre\nasury", place: "main//1"),
        ]
        names.contacts = ["Exchange", "Head office"]
        names.listSigners = ["Office"]
        return names
    }

    private static var completer: Completer {
        Completer(program: Heliograph.self, ownCommands: ["lock", "exit"]) { names }
    }

    private func texts(_ words: [String], _ word: String) -> [String] {
        Self.completer.complete(words, word).candidates.map(\.text)
    }

    @Test func `commands are completed at each level, hidden ones are not`() {
        #expect(texts([], "se") == ["seed", "self-test"])
        #expect(texts([], "l") == ["log", "lock"])
        #expect(texts(["key"], "s") == ["show", "secret"])
        #expect(texts([], "compl") == ["completions"])
        #expect(texts(["help", "key"], "der") == ["derive"])
        #expect(texts(["key", "nonsense"], "s").isEmpty)
        #expect(texts(["key"], "-") == ["--help"])
    }

    @Test func `an option is offered once, and its value is no option`() {
        #expect(texts(["key", "derive"], "--net") == ["--network"])
        #expect(texts(["key", "derive", "--network", "westend"], "--net").isEmpty)
        #expect(texts(["key", "derive", "--network=westend"], "--net").isEmpty)
        #expect(texts(["key", "derive", "--network"], "--").isEmpty)
        #expect(texts(["inspect", "--watch", "a"], "--watc") == ["--watch"])
        #expect(texts(["key", "derive", "--"], "--net").isEmpty)
    }

    @Test func `values are completed by what they name`() {
        #expect(texts(["seed", "show"], "") == ["main", "the dev seed"])
        #expect(texts(["seed", "new"], "").isEmpty)
        #expect(texts(["key", "derive", "main", "//0", "--network"], "w") == ["westend"])
        #expect(texts(["key", "derive"], "--network=w") == ["--network=westend"])
        #expect(texts(["key", "derive"], "--password=w").isEmpty)
        #expect(texts(["key", "derive", "x", "//0", "--scheme"], "e") == ["ed25519", "ecdsa", "ethereum"])
        #expect(texts(["attest"], "me") == ["metadata"])
        #expect(texts(["attest", "metadata", "westend"], "9") == ["9220", "9190"])
        #expect(texts(["metadata", "remove", "polkadot"], "").isEmpty)
        #expect(texts(["key", "allow", "5Grw"], "p") == ["polkadot"])
        #expect(texts(["init", "--networks"], "") == ["default", "none"])
        #expect(texts(["network", "set"], "w") == ["westend"])
        #expect(
            texts(["network", "set", "westend", "--require-metadata-hash"], "") == [
                "always", "where-possible", "never",
            ])
        // Where no argument is left, an empty word offers options.
        #expect(texts(["seed", "list"], "").contains("--json"))
        #expect(texts(["log", "note", "text"], "x").isEmpty)
    }

    @Test func `an address is completed in the form that was begun, and for its label`() {
        #expect(texts(["key", "remove"], "") == ["16Zaf", "5Grw", "5Xyz"])
        #expect(texts(["key", "remove"], "5A") == ["5Abc"])
        let labelled = Self.completer.complete(["key", "remove"], "Tr").candidates
        #expect(labelled == [Completer.Candidate(text: "16Zaf", note: "Treasury  main//0", replaces: true)])
        #expect(texts(["key", "show"], "Tr") == ["Treasury"])
    }

    @Test func `files and directories are left to the disk`() {
        #expect(Self.completer.complete(["inspect"], "pa").files == .files)
        #expect(Self.completer.complete(["inspect", "--hex"], "00") == Completer.Answer())
        #expect(
            Self.completer.complete(["inspect", "--hex"], "@pa")
                == Completer.Answer(files: .files, valueOffset: 1))
        #expect(
            Self.completer.complete(["key", "show"], "--out=pa")
                == Completer.Answer(files: .files, valueOffset: 6))
        #expect(Self.completer.complete(["shell"], "").files == .directories)
        #expect(Self.completer.complete(["scan", "a.png", "b.png"], "").files == .files)
    }

    @Test func `contacts and signers of lists complete where one is named, and not where a new one is`() {
        func texts(_ words: [String], _ word: String) -> [String] {
            Self.completer.complete(words, word).candidates.map(\.text)
        }
        #expect(texts(["contact", "show"], "Ex") == ["Exchange"])
        #expect(texts(["contact", "label"], "") == ["Exchange", "Head office"])
        #expect(texts(["contact", "label", "Exchange"], "").isEmpty)
        #expect(texts(["contact", "remove"], "H") == ["Head office"])
        #expect(texts(["contact", "signer", "remove"], "") == ["Office"])
        #expect(texts(["contact", "add"], "").isEmpty)
    }

    @Test func `names are only read where one is asked for`() {
        let completer = Completer(program: Heliograph.self) {
            Issue.record("names were read")
            return VaultNames()
        }
        _ = completer.complete(["key", "derive"], "--net")
        _ = completer.complete([], "")
    }

    @Test func `a vault with many keys offers no more than a person reads`() {
        var names = VaultNames()
        names.seeds = (0..<2000).map { "seed \($0)" }
        let completer = Completer(program: Heliograph.self) { [names] in names }
        #expect(completer.complete(["seed", "show"], "").candidates.count == Completer.limit)
    }

    /// What a value of such a name is, nothing knows before it is typed.
    private static let free = [
        "n", "k", "t", "text", "hex", "path", "name", "number", "version", "key", "prefix", "raw", "decimals",
        "unit", "seconds", "words", "label", "names", "/path", "request", "time",
    ]

    /// A new option is a decision: what completes it stands beside it, or nothing does.
    @Test func `every value of every command is known to the completion`() {
        var unknown: [String] = []
        func walk(_ command: any ParsableCommand.Type, _ path: [String]) {
            let commands = command.configuration.subcommands
            commands.forEach { walk($0, path + [$0._commandName]) }
            guard commands.isEmpty else { return }
            for argument in CommandGrammar.of(path, in: Heliograph.self).grammar.arguments
            where argument.kind != .flag && !Self.free.contains(argument.valueName) {
                guard case .free = argument.value else { continue }
                unknown.append(
                    "\(path.joined(separator: " ")) \(argument.names.first ?? "") \(argument.valueName)")
            }
        }
        walk(Heliograph.self, [])
        #expect(unknown.isEmpty)
    }
}

@Suite struct ShellCompleterTests {
    private static func completer(_ names: VaultNames = VaultNames(), roots: [String] = []) -> ShellCompleter
    {
        ShellCompleter(program: Heliograph.self, roots: roots) { names }
    }

    private static var seeds: VaultNames {
        var names = VaultNames()
        names.seeds = ["the dev seed", "the other seed", "it's", "plain"]
        return names
    }

    @Test func `the only candidate takes the word's place, quoted where it must be`() {
        let completer = Self.completer(Self.seeds)
        #expect(completer.complete("seed show pl") == .init(removed: 2, inserted: "plain "))
        #expect(completer.complete("seed show i") == .init(removed: 1, inserted: "\"it's\" "))
        #expect(
            completer.complete("heliograph seed show \"the d")
                == .init(removed: 6, inserted: "'the dev seed' "))
        #expect(completer.complete("seed show the\\ d") == .init(removed: 6, inserted: "'the dev seed' "))
        #expect(completer.complete("see") == .init(removed: 3, inserted: "seed "))
    }

    @Test func `of several candidates the common part is written, then all are shown`() {
        let completer = Self.completer(Self.seeds)
        #expect(completer.complete("seed show t") == .init(removed: 1, inserted: "'the "))
        #expect(
            completer.complete("seed show 'the ").choices.map(\.text) == ["the dev seed", "the other seed"])
        #expect(completer.complete("seed show 'the ").inserted.isEmpty)
        #expect(completer.complete("seed show zz") == .init())
    }

    @Test func `paths are completed inside the directories of the shell`() throws {
        let folder = TemporaryDirectory()
        for name in ["pay load.png", "pay.png", ".hidden"] { close(creat(folder.path(name), 0o600)) }
        mkdir(folder.path("inner"), 0o700)
        let completer = Self.completer(roots: [folder.path])
        #expect(completer.complete("inspect \(folder.path)/inn").inserted == "\(folder.path)/inner/")
        #expect(completer.complete("inspect \(folder.path)/pay.").inserted == "\(folder.path)/pay.png ")
        #expect(
            completer.complete("inspect '\(folder.path)/pay l").inserted == "'\(folder.path)/pay load.png' ")
        #expect(
            completer.complete("key show --out=\(folder.path)/pay.").inserted
                == "--out=\(folder.path)/pay.png ")
        let all = ["inner/", "pay load.png", "pay.png"].map { "\(folder.path)/" + $0 }
        #expect(completer.complete("inspect \(folder.path)/").choices.map(\.text) == all)
        #expect(completer.complete("inspect \(folder.path)/.").inserted == "\(folder.path)/.hidden ")
        #expect(completer.complete("seed split x --out \(folder.path)/").inserted == "\(folder.path)/inner/")
        // The way to a root is shown although no directory above it can be read.
        let nowhere = Self.completer(roots: ["/nowhere/at/all"])
        #expect(nowhere.complete("inspect /nowh").inserted == "/nowhere/at/all/")
    }

    @Test func `only lines that name a command are kept`() {
        for line in [["seed", "x"], ["lock"], ["help"], ["heliograph", "x"]] {
            #expect(ShellCompleter.isCommand(line, of: Heliograph.self))
        }
        for line in [[], ["correct horse"], ["bottom", "drive"], ["Seed"]] {
            #expect(!ShellCompleter.isCommand(line, of: Heliograph.self))
        }
    }
}

@Suite struct ChoiceListTests {
    private func choices(_ texts: [String], note: String = "") -> [LineEditor.Choice] {
        texts.map { .init(text: $0, note: note) }
    }

    @Test func `choices stand beside one another as far as the window is wide`() {
        #expect(ChoiceList.lines(choices(["a", "bbb", "cc"]), width: 10) == ["a    bbb", "cc"])
        #expect(ChoiceList.lines(choices(["日本", "b"]), width: 12) == ["日本  b"])
        #expect(ChoiceList.lines(choices(["a", "b"], note: "note"), width: 80) == ["a  note", "b  note"])
        #expect(ChoiceList.lines(choices(["a"], note: "a longer note"), width: 12) == ["a  a lon..."])
    }

    @Test func `what does not fit is counted`() {
        let lines = ChoiceList.lines(choices((0..<100).map(String.init)), width: 4)
        #expect(lines.count == ChoiceList.maximumLines + 1)
        #expect(lines.last == "and 84 more: type another letter")
    }
}
