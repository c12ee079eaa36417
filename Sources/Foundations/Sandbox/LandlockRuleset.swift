import CSeccomp
import Glibc

/// Rights to files, TCP and other processes by Landlock. Source: the kernel's `userspace-api/landlock`
/// document, ABI 1 to 6.
enum LandlockRuleset {
    /// Bits of `handled_access_fs`, in the order in which the kernel numbers them.
    private enum Right {
        static let execute: UInt64 = 1 << 0
        static let writeFile: UInt64 = 1 << 1
        static let readFile: UInt64 = 1 << 2
        static let readFolder: UInt64 = 1 << 3
        static let removeFolder: UInt64 = 1 << 4
        static let removeFile: UInt64 = 1 << 5
        static let makeFolder: UInt64 = 1 << 7
        static let makeRegular: UInt64 = 1 << 8
        static let refer: UInt64 = 1 << 13
        static let truncate: UInt64 = 1 << 14
        static let deviceControl: UInt64 = 1 << 15

        static let read = readFile | readFolder
        static let camera = readFile | writeFile | deviceControl
        static let write =
            read | writeFile | truncate | removeFolder | removeFile | makeFolder | makeRegular | refer
        /// The rights that a rule for a file may have.
        static let ofFiles = execute | writeFile | readFile | truncate | deviceControl
    }

    /// The files that every program needs: its libraries, time zone data, randomness. The terminal is
    /// missing, because a program that asks questions has already opened it.
    private static let systemFiles: [(path: String, rights: UInt64)] = [
        ("/etc/ld.so.cache", Right.read), ("/etc/localtime", Right.read), ("/usr/share/zoneinfo", Right.read),
        ("/dev/urandom", Right.read), ("/dev/null", Right.readFile | Right.writeFile),
    ]
    private static let libraryFolders = ["/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib"]
    private static let machineState = [
        "/proc/self", "/proc/sys/kernel/random", "/proc/swaps", "/sys/class/net", "/sys/class/rfkill",
        "/sys/class/bluetooth",
        "/sys/class/ieee80211",
        "/sys/devices",
    ]

    /// The first ABI that knows scopes.
    static let scopesABI = 6

    /// Restricts this process to `rules`, with the rights that the running kernel knows.
    static func enforce(_ rules: Sandbox.Rules) throws(SandboxError) -> Sandbox.Landlock {
        guard let made = try make(rules) else { return .unavailable(errno: errno) }
        defer { close(made.ruleset) }
        guard heliograph_landlock_restrict(made.ruleset) == 0 else {
            throw SandboxError(.landlock, errno: errno)
        }
        return .enforced(abi: made.abi)
    }

    /// The descriptor of `rules` in the kernel, which the caller closes; nil with `errno` where the kernel
    /// has no Landlock.
    static func make(_ rules: Sandbox.Rules) throws(SandboxError) -> (ruleset: Int32, abi: Int)? {
        let abi = heliograph_landlock_abi()
        guard abi >= 1 else { return nil }
        let handled = handledRights(abi: abi)
        var attributes = heliograph_landlock_ruleset(
            handled_access_fs: handled, handled_access_net: 0, scoped: 0)
        if abi >= 4 { attributes.handled_access_net = 0b11 }  // bind and connect of TCP
        // abstract Unix sockets; signals to what this process did not start
        if abi >= scopesABI { attributes.scoped = 0b11 }
        let size = abi >= scopesABI ? 24 : abi >= 4 ? 16 : 8
        let ruleset = Int32(heliograph_landlock_create(&attributes, size))
        guard ruleset >= 0 else { throw SandboxError(.landlock, errno: errno) }
        do throws(SandboxError) {
            try fill(ruleset, with: rules, handled: handled)
        } catch {
            close(ruleset)
            throw error
        }
        return (ruleset, abi)
    }

    private static func fill(_ ruleset: Int32, with rules: Sandbox.Rules, handled: UInt64)
        throws(SandboxError)
    {
        func allow(_ path: String, _ rights: UInt64) throws(SandboxError) {
            try add(path, rights: rights & handled, to: ruleset)
        }
        for (path, rights) in systemFiles { try allow(path, rights) }
        let mayExecute = !rules.executable.isEmpty
        for folder in libraryFolders + loadedLibraryFolders() {
            try allow(folder, mayExecute ? Right.read | Right.execute : Right.read)
        }
        for path in rules.executable { try allow(path, Right.readFile | Right.execute) }
        for path in rules.readable { try allow(path, Right.read) }
        if rules.machineState { for path in machineState { try allow(path, Right.read) } }
        for path in rules.writable { try allow(folderOf(path), Right.write) }
        for path in rules.emptied { try allow(path, Right.removeFolder) }
        for path in rules.devices where !isFolder(path) { try allow(path, Right.readFile | Right.writeFile) }
        if case .openedLater(let devices)? = rules.camera {
            // A directory is not a device, so it gets no rule.
            for path in devices where !isFolder(path) { try allow(path, Right.camera) }
        }
    }

    private static func handledRights(abi: Int) -> UInt64 {
        let count =
            switch abi {
            case 1: 13
            case 2: 14
            case 3, 4: 15
            default: 16
            }
        return (1 << UInt64(count)) - 1
    }

    /// A missing path gives no right and is not an error here: opening it fails later with its own error.
    private static func add(_ path: String, rights: UInt64, to ruleset: Int32) throws(SandboxError) {
        let descriptor = open(path, HELIOGRAPH_OPEN_PATH)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var information = stat()
        guard fstat(descriptor, &information) == 0 else { throw SandboxError(.landlock, errno: errno) }
        let isFolder = information.st_mode & S_IFMT == S_IFDIR
        let allowed = isFolder ? rights : rights & Right.ofFiles
        guard heliograph_landlock_allow(ruleset, allowed, descriptor) == 0 else {
            throw SandboxError(.landlock, errno: errno)
        }
    }

    private static func isFolder(_ path: String) -> Bool {
        var information = stat()
        return stat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFDIR
    }

    private static func folderOf(_ path: String) -> String {
        if isFolder(path) { return path }
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Folders of the libraries that are mapped now: a program of this project that is started later needs
    /// the same ones (the Swift runtime may lie outside the system's folders).
    private static func loadedLibraryFolders() -> [String] {
        let descriptor = open("/proc/self/maps", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { break }
            text.append(contentsOf: buffer[..<count])
        }
        var folders: Set<String> = []
        for line in text.split(separator: UInt8(ascii: "\n")) {
            guard let start = line.firstIndex(of: UInt8(ascii: "/")),
                let end = line.lastIndex(of: UInt8(ascii: "/"))
            else { continue }
            let path = String(decoding: line[start...], as: UTF8.self)
            if path.contains(".so"), end > start {
                folders.insert(String(decoding: line[start..<end], as: UTF8.self))
            }
        }
        return folders.sorted()
    }
}
