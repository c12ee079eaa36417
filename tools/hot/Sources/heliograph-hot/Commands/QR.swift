import ArgumentParser

struct QR: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "qr", abstract: "any bytes as QR codes")
    @Option(help: "HEX, or @FILE of hex text or raw bytes") var hex: String
    @Option(help: "a picture; a folder gets one picture a code") var out: String?
    @OptionGroup var picture: PictureOptions

    func validate() throws {
        guard (out == nil) == picture.terminal else { throw ValidationError("either --out or --terminal is needed") }
    }

    func run() throws { try picture.write(try Files.bytes(hex, name: "--hex"), to: out ?? "") }
}
