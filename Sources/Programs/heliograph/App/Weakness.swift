import Glibc
import Sandbox
import SystemIO

/// What makes this machine protect secrets less than it could. None of it stops a command: `status` tells it, and `init` once.
enum Weakness: Equatable {
    /// Root may read every process and every file, so other programs of this root can, too.
    case root
    /// Memory may be written to these devices; the memory of secrets is locked, copies in a terminal's or an editor's memory are not.
    case swap([String])
    /// `/proc/swaps` cannot be read.
    case swapUnknown
    case noLandlock

    static func all(_ sandbox: Sandbox.Report) -> [Weakness] {
        let swaps = (try? OwnedDescriptor("/proc/swaps", O_RDONLY).readAll(limit: 1 << 16)).map { String(decoding: $0, as: UTF8.self) }
        return all(user: geteuid(), swaps: swaps, landlock: sandbox.landlock)
    }

    /// - Parameter swaps: the text of `/proc/swaps`; nil where it cannot be read.
    static func all(user: uid_t, swaps: String?, landlock: Sandbox.Landlock) -> [Weakness] {
        var found: [Weakness] = []
        if user == 0 { found.append(.root) }
        if let swaps {
            let devices = devices(swaps)
            if !devices.isEmpty { found.append(.swap(devices)) }
        } else {
            found.append(.swapUnknown)
        }
        if landlock.abi == nil { found.append(.noLandlock) }
        return found
    }

    /// The first word of each line below the heading; proc(5).
    private static func devices(_ swaps: String) -> [String] {
        swaps.split(whereSeparator: \.isNewline).dropFirst().compactMap { $0.split(whereSeparator: \.isWhitespace).first.map(String.init) }
    }
}
