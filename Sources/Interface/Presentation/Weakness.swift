import Glibc
import Sandbox
import SubstratePrimitives
import SystemIO

/// Why this machine protects secrets less than it could. No command stops for it; `status` shows it, and
/// `init` shows it once.
package enum Weakness {
    /// Root may read every process and every file, so other programs of this root can, too.
    case root
    /// Memory may be written to these devices; the memory of secrets is locked, copies in a terminal's or an
    /// editor's memory are not.
    case swap([String])
    /// `/proc/swaps` cannot be read.
    case swapUnknown
    case noLandlock

    package static func all(_ sandbox: Sandbox.Report) -> [Weakness] {
        let swaps = (try? OwnedDescriptor("/proc/swaps", O_RDONLY).readAll(limit: 1 << 16)).map {
            String(decoding: $0, as: UTF8.self)
        }
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
        swaps.utf8.split(separator: UInt8(ascii: "\n")).dropFirst().compactMap { line in
            line.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }.first.map {
                String(Substring($0))
            }
        }
    }
}

extension Weakness: Equatable {
    package static func == (one: Weakness, other: Weakness) -> Bool {
        switch (one, other) {
        case (.swap(let devices), .swap(let others)): devices.utf8ElementsEqual(others)
        case (.root, .root), (.swapUnknown, .swapUnknown), (.noLandlock, .noLandlock): true
        case (.root, _), (.swap, _), (.swapUnknown, _), (.noLandlock, _): false
        }
    }
}

/// One thing that the self-test looked at.
package struct SelfCheck: Encodable {
    package let name: String
    package let passed: Bool

    package init(name: String, passed: Bool) {
        (self.name, self.passed) = (name, passed)
    }
}
