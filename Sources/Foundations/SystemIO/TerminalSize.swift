import Glibc

/// The size of the window behind a terminal's descriptor.
public enum TerminalSize {
    /// The size in characters; nil for a descriptor other than a terminal, and for a terminal that does not
    /// know its size, such as one behind a serial line.
    public static func read(_ descriptor: Int32) -> (columns: Int, rows: Int)? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return nil
        }
        return (Int(size.ws_col), Int(size.ws_row))
    }
}
