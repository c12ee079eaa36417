import Glibc
import SubstratePrimitives
import SystemIO

/// Files of a lost vault, moved to a directory `former-1`, `former-2`, … below the one in which a backup is
/// restored. What was there is never lost with what takes its place.
struct FormerFiles {
    private let directory: String
    private let names: [String]
    private let place: String

    init(movedAsideIn directory: String) throws(VaultError) {
        self.directory = directory
        var moved: [String] = []
        let found = try Vault.names(directory).filter {
            Vault.isOwn($0) && !$0.utf8Equals(DirectoryLock.name)
        }
        var number = 1
        while access("\(directory)/former-\(number)", F_OK) == 0 { number += 1 }
        place = "\(directory)/former-\(number)"
        guard !found.isEmpty else {
            names = []
            return
        }
        try PrivateFile.makeDirectory(place)
        for name in found {
            guard rename("\(directory)/\(name)", "\(place)/\(name)") == 0 else {
                let error = VaultError.system(operation: "rename", errno: errno)
                for name in moved { rename("\(place)/\(name)", "\(directory)/\(name)") }
                rmdir(place)
                throw error
            }
            moved.append(name)
        }
        names = moved
    }

    /// Removes what took their place, and moves them back.
    func putBack() {
        for name in (try? Vault.names(directory)) ?? []
        where Vault.isOwn(name) && !name.utf8Equals(DirectoryLock.name) {
            unlink("\(directory)/\(name)")
        }
        for name in names { rename("\(place)/\(name)", "\(directory)/\(name)") }
        rmdir(place)
    }
}
