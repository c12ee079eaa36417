import ArgumentParser

/// `--terminal`, for commands that draw one payload; a site or a directory of pictures has no use for it.
struct TerminalOptions: ParsableArguments {
    @Flag(help: "Draw on the terminal instead; repeat several codes until interrupted.") var terminal = false
}
