import ArgumentParser

/// Where one payload is drawn, for commands that draw one; a site or a directory of pictures has no use for
/// it.
struct TerminalOptions: ParsableArguments {
    @Flag(help: "Draw on the terminal instead; repeat several codes until interrupted.") var terminal = false
    @Flag(
        help: "Write each code as a PNG into the directory --out, created if needed (default: one picture).")
    var separate =
        false

    func validate() throws {
        guard !terminal || !separate else {
            throw ValidationError("--terminal and --separate exclude each other")
        }
    }
}
