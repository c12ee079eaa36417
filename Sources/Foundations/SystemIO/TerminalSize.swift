import Glibc

/// The size of the window behind a terminal's descriptor.
public enum TerminalSize {
    /// In characters; nil where the descriptor is no terminal, or the terminal does not say, as one behind a
    /// serial line.
    public static func read(_ descriptor: Int32) -> (columns: Int, rows: Int)? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return nil
        }
        return (Int(size.ws_col), Int(size.ws_row))
    }
}
