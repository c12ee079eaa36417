import Glibc
import SubstratePrimitives

extension Console {
    /// Whether the terminal can move its cursor: lines are edited there, and screens cleared.
    package var isScreen: Bool {
        guard let terminal, isatty(terminal) == 1, let name = getenv("TERM").map({ String(cString: $0) }) else { return false }
        return !name.isEmpty && !name.utf8Equals("dumb") && !name.utf8Equals("unknown")
    }
}
