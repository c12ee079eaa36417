import ArgumentParser

struct QR: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "qr", abstract: "Draw any bytes as QR codes.")
    @Option(help: "The bytes: hex, or @FILE of hex or raw bytes.") var hex: String
    @Option(help: "A picture, .hex or .bin file; with --separate a directory.") var out: String?
    @OptionGroup var picture: PictureOptions
    @OptionGroup var drawing: TerminalOptions

    func validate() throws {
        guard (out == nil) == drawing.terminal else {
            throw ValidationError("give either --out or --terminal")
        }
    }

    func run() throws {
        Files.note(inputs: Files.named(by: [hex]))
        try picture.require(out, or: drawing)
        try picture.write(try Files.bytes(hex, name: "--hex"), to: out ?? "", or: drawing)
    }
}
