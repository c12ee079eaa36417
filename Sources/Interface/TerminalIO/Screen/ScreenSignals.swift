import CSeccomp
import Glibc

/// Signals that come while a screen is shown. Handlers only write down that one came; the loop of the screen
/// acts on it.
enum ScreenSignals {
    private static let caught = [SIGWINCH, SIGCONT, SIGINT, SIGTERM, SIGHUP]
    /// A byte for each signal, which its handler only sets, so that no signal is lost to another.
    private nonisolated(unsafe) static let came: UnsafeMutablePointer<UInt8> = {
        let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: 65)
        bytes.initialize(repeating: 0, count: 65)
        return bytes
    }()

    static func catchAll() {
        for number in caught {
            came[Int(number)] = 0
            _ = heliograph_handle_signal(number) { ScreenSignals.came[Int($0)] = 1 }
        }
        // Stopped, the program would leave the terminal in the mode of the screen.
        _ = heliograph_ignore_signal(SIGTSTP)
    }

    static func release() { for number in caught + [SIGTSTP] { _ = heliograph_default_signal(number) } }

    static var areWaiting: Bool { caught.contains { came[Int($0)] != 0 } }

    /// Whether a signal came since this was asked last.
    static func take(_ number: Int32) -> Bool {
        defer { came[Int(number)] = 0 }
        return came[Int(number)] != 0
    }
}
