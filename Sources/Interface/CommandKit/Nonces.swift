import Ceremony
import Glibc
import Synchronization

/// Where nonces wait for their second round.
enum Nonces {
    private static let found = Mutex(
        NonceFolder.ofUser(runtime: getenv("XDG_RUNTIME_DIR").map { String(cString: $0) }))
    static var folder: NonceFolder { found.withLock { $0 } }
    /// Looks at the folder while it can be seen; its path, where it is of use.
    static func prepare() -> [String] {
        found.withLock { folder in
            folder = folder.checked()
            return folder.refusal == nil ? [folder.path] : []
        }
    }
    /// Of a shell: they never leave the process.
    static let memory = NonceMemory()
}
