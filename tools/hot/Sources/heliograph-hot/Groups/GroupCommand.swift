import ArgumentParser
import Cards
import GroupCollect
import Hashing
import Lines
import SubstratePrimitives
import UOS

/// `group …`: what the online machine does for a threshold group, without a key.
struct GroupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "group", abstract: "Carry the messages of a threshold group between its members.",
        subcommands: [New.self, Request.self, Collect.self])

    /// Where a message goes: a file, or stdout as hex.
    struct Output: ParsableArguments {
        @Option(help: "A picture, .hex or .bin file (default: print hex).") var out: String?
        @OptionGroup var picture: PictureOptions
        @OptionGroup var drawing: TerminalOptions

        /// Before any work is done.
        func require(reading inputs: [String]) throws {
            Files.note(inputs: inputs)
            try picture.require(out, or: drawing)
        }

        func write(_ payload: [UInt8]) throws {
            if let out {
                try picture.write(payload, to: out, or: drawing)
            } else if drawing.terminal {
                _ = try picture.show(payload)
            } else {
                Console.print(Hex.encode(payload))
            }
        }
    }

    /// b1 from the members' host cards.
    struct New: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Propose a new group from the cards of its members.")
        @Argument(help: "The host cards, in the order of the members: pictures, .hex or .bin files.")
        var cards: [String]
        @Option(help: "How many members sign.") var threshold: Int
        @Option(help: "The scheme of the group's key: sr25519 or ed25519.") var scheme = "sr25519"
        @Option(help: "A name for the group, at most 32 bytes.") var label = ""
        @OptionGroup var output: Output
        @OptionGroup var scanner: ScannerOptions

        func run() throws {
            try output.require(reading: cards)
            guard let scheme = SignatureScheme(name: scheme) else {
                throw ValidationError("--scheme must be sr25519 or ed25519")
            }
            let hosts = try cards.map { path in
                let payload = try scanner.payload(in: path)
                guard case .group(.host(let host)) = payload.content else {
                    throw GroupCollectError.otherKind(kind: payload.prelude.code.kind, needed: .groupHost)
                }
                return host
            }
            for host in hosts { try host.checkName() }
            let proposal = try GroupProposal.make(
                cards: hosts, threshold: threshold, scheme: scheme, label: label)
            for (offset, host) in hosts.enumerated() {
                Console.note(
                    """
                    member \(offset + 1): \(Escape.quoted(host.member.name)), \
                    \(try host.checkedWords().joined(separator: " "))
                    """
                )
            }
            Console.note(
                """
                a group of \(threshold) of \(hosts.count): every member compares the words of every other \
                member
                """
            )
            if threshold == hosts.count { Console.note(GroupWarning.allSign(threshold).line) }
            try output.write(proposal.bytes)
        }
    }

    /// b6 around an ordinary payload.
    struct Request: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Ask members of a group to sign a payload.")
        @Argument(help: "The payload: a picture, a .hex or a .bin file.") var input: String
        @Option(help: "The members who sign, by name or number, separated by commas.") var signers: String
        @Option(
            help: "The soft path from the group's key to the payload's account (default: the group's key).")
        var path = ""
        @Option(help: "The record of the group: a picture, a .hex or a .bin file.") var record: String
        @OptionGroup var output: Output
        @OptionGroup var scanner: ScannerOptions

        func run() throws {
            try output.require(reading: [input, record])
            let message = try scanner.groupMessage(in: record)
            guard case .record(let group) = message else { throw GroupCollectError.recordMissing }
            let request = try GroupRequest.make(
                try scanner.payload(in: input), record: group, signers: signers, path: path)
            let names = request.signers.indices.map { Escape.quoted(group.proposal.members[$0 - 1].name) }
            Console.note("a request to \(names.joined(separator: ", ")): each of them scans it")
            try output.write(request.bytes)
        }
    }

    /// The coordinator's work.
    struct Collect: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Put the messages of a group's members together.",
            discussion: """
                For a new group: the proposal with the contributions, then with the confirmations too; for a \
                reshare the record of the old group beside them. For a signature: the record and the request with the commitments, then with the shares.
                """)
        @Argument(help: "One message each: pictures, directories of frames, .hex or .bin files.") var inputs:
            [String]
        @OptionGroup var output: Output
        @OptionGroup var scanner: ScannerOptions

        func run() throws {
            try output.require(reading: inputs)
            let progress = try GroupCollect.collect(try inputs.map { try scanner.groupMessage(in: $0) })
            for line in progress.lines(quote: { Escape.quoted($0) }) { Console.note(line) }
            switch progress.output {
            case .nothing:
                if let out = output.out {
                    Console.note(Escape.terminal("nothing was written to \(out): messages are missing"))
                }
                throw ExitCode(1)
            case .message(let message): try output.write(message.bytes)
            case .signature(let answer):
                // The answer is text, as a signer with one key shows it.
                if output.out == nil, !output.drawing.terminal {
                    Console.print(answer.text)
                } else {
                    try output.write(answer.bytes)
                }
            }
        }
    }
}

extension ScannerOptions {
    /// The payload of one input.
    func payload(in path: String) throws -> Payload {
        if path.hasSuffix(".hex") || path.hasSuffix(".bin") {
            return try Payload(Files.hexOrRaw(try Files.read(path)))
        }
        guard case .payload(let bytes) = try content(of: [path]) else { throw HotError.framesUnproved }
        return try Payload(bytes)
    }

    /// The message of a group in one input.
    /// - Throws: ``GroupCollectError/unexpected(kind:)`` for another payload
    func groupMessage(in path: String) throws -> GroupMessage {
        let payload = try payload(in: path)
        guard case .group(let message) = payload.content else {
            throw GroupCollectError.unexpected(kind: payload.prelude.code.kind)
        }
        return message
    }
}
