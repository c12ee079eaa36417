import ArgumentParser
import Cards
import Extrinsics
import Glibc
import HotStore
import Lines
import SubstratePrimitives
import UOS

/// `message …`
struct MessageCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "message", abstract: "Make messages for signing.", subcommands: [Make.self])

    /// Payload 03 with a network, 08 without one.
    struct Make: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make a message for signing, for a network or for any.",
            discussion:
                """
                The message is signed between <Bytes> and </Bytes>, which this command adds, and can \
                therefore be no transaction.
                """
        )
        @Option(help: "The signer's address.") var signer: String
        @Option(help: "The network's name (default: a message for any network).") var network: String?
        @Option(help: "The scheme of the signer's key without --network (default: sr25519).") var scheme:
            SignatureScheme?
        @Option(help: "The message as text.") var text: String?
        @Option(help: "The message: hex, or @FILE of hex or raw bytes.") var hex: String?
        @Option(help: "A file that is the message, byte for byte, or - for standard input.") var file: String?
        @Option(help: "A picture, .hex or .bin file; with --separate a directory.") var out: String?
        @Option(help: "Write the bytes that the key signs to this file, .hex or raw, for another signer.")
        var signingBytes: String?
        @OptionGroup var picture: PictureOptions
        @OptionGroup var drawing: TerminalOptions
        @OptionGroup var database: DatabaseOptions

        func validate() throws {
            guard [text, hex, file].compactMap({ $0 }).count == 1 else {
                throw ValidationError("give one of --text, --hex and --file")
            }
            guard network == nil || scheme == nil else {
                throw ValidationError("--scheme is for a message without --network")
            }
            guard out != nil || drawing.terminal || signingBytes != nil else {
                throw ValidationError("give --out FILE, or --terminal")
            }
        }

        func run() throws {
            Files.note(inputs: Files.named(by: [hex]) + (file.map { [$0] } ?? []))
            try picture.require(out, or: drawing, beside: signingBytes)
            let store = try database.open()
            let known = try network.map { try store.network(named: $0) }
            let author = try Signer(signer, scheme: known?.specs.scheme ?? scheme ?? .sr25519)
            let message = MessagePayload(
                signer: author.reference, content: try content(), genesisHash: known?.specs.genesisHash)
            let payload = Payload.Content.message(message).encoded()
            // The offline side's decoder checks the payload before a file is written.
            _ = try Payload(payload)
            for row in CardRow.rows([Card(message: Array(message.content))]) { Console.print(row.text) }
            let name = try known.map { try store.shownName(of: $0) }
            Console.note(Escape.terminal(name.map { "a message for \($0)" } ?? "a message for any network"))
            if let signingBytes { try Files.write(signingBytes: message.tagged, to: signingBytes) }
            if let out { try picture.write(payload, to: out, or: drawing) }
            try store.remember(payload: payload, network: known?.name ?? "", at: Int64(time(nil)))
            if out == nil, drawing.terminal { _ = try picture.show(payload) }
        }

        /// - Throws: ``HotError/taggedMessage``: tags of the sender's own would be shown as a part of the
        ///   message, and be signed twice.
        private func content() throws -> [UInt8] {
            let content =
                if let text { Array(text.utf8) } else if let hex { try Files.bytes(hex, name: "--hex") } else
                {
                    try Files.read(file ?? "-")
                }
            guard !content.isEmpty else {
                throw HotError.emptyInput(path: text == nil ? file ?? "--hex" : "--text")
            }
            guard
                !(content.starts(with: MessagePayload.openingTag)
                    && content.suffix(MessagePayload.closingTag.count).elementsEqual(
                        MessagePayload.closingTag))
            else {
                throw HotError.taggedMessage
            }
            return content
        }
    }
}
