extension Console {
    /// Home, the whole screen, and the lines above it that a terminal keeps (ED 3, which terminals without such lines ignore).
    private static let clearing = "\u{1b}[H\u{1b}[2J\u{1b}[3J"

    /// Empties the screen and its scrollback; nothing where no terminal moves its cursor.
    func clearScreen() {
        guard let terminal, isScreen else { return }
        Self.write(Self.clearing, to: terminal)
    }
}
