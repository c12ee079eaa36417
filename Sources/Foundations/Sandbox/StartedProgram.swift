import Glibc

extension Sandbox {
    /// `POSIX_SPAWN_SETSID`, which glibc's header shows only to programs that define _GNU_SOURCE.
    private static let newSession = 0x80

    /// Starts a program of this project in a session of its own: no terminal is its own, and Ctrl-C reaches
    /// it through this program.
    ///
    /// It inherits standard error and no other descriptor but those that are named here, because this program
    /// may have been given secrets on descriptors. A shell passes single digits; 256 leaves room. Standard
    /// error is the terminal where a person sits, and whoever has it open can read what is typed there, a
    /// passphrase too: a program that runs code of others does not get it.
    /// - Parameters:
    ///   - program: its path.
    ///   - arguments: behind its name.
    ///   - input: its standard input; nil leaves it this program's own.
    ///   - output: its standard output.
    ///   - environment: all of it; nil leaves it this program's own.
    ///   - isSilent: whether it gets nothing for its standard error.
    /// - Returns: its process; nil with `errno` where it was not started.
    public static func start(
        _ program: String, _ arguments: [String] = [], input: Int32?, output: Int32,
        environment: [String]? = nil, isSilent: Bool = false
    ) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        if let input { posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO) }
        if isSilent { posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0) }
        let passed = (STDERR_FILENO + 1)..<256
        let flags = passed.map { fcntl($0, F_GETFD) }
        for descriptor in passed { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        defer {
            for (descriptor, flags) in zip(passed, flags) where flags >= 0 {
                _ = fcntl(descriptor, F_SETFD, flags)
            }
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setflags(&attributes, Int16(newSession))
        let words = ([program] + arguments).map { strdup($0) }
        let settings = environment?.map { strdup($0) }
        defer { for text in words + (settings ?? []) { free(text) } }
        var child: pid_t = 0
        let result =
            if let settings {
                posix_spawn(&child, program, &actions, &attributes, words + [nil], settings + [nil])
            } else {
                posix_spawn(&child, program, &actions, &attributes, words + [nil], environ)
            }
        guard result == 0 else {
            errno = result
            return nil
        }
        return child
    }

    /// Gives up the files and devices that these rules do not name, on top of an earlier lock-down. System
    /// calls stay as they are.
    public static func narrow(to rules: Rules) throws(SandboxError) { _ = try LandlockRuleset.enforce(rules) }
}
