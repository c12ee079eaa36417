import Glibc

/// Descriptions of terminals that a user, or whoever starts the program, could bring.
///
/// They are compiled data that a C library reads, and they say which bytes a screen gets: only the system's
/// are taken.
enum UserTerminfo {
    private static let variables = ["TERMINFO", "TERMINFO_DIRS", "TERMCAP", "TERMPATH"]

    /// Runs `body` without them. `HOME`, below which `.terminfo` may lie, is there again afterwards.
    static func ignored<R>(_ body: () -> R) -> R {
        variables.forEach { unsetenv($0) }
        let home = getenv("HOME").map { String(cString: $0) }
        unsetenv("HOME")
        defer { if let home { setenv("HOME", home, 1) } }
        return body()
    }
}
