import CSeccomp
import Diagnostics

extension Sandbox {
    /// The library that builds the filter of system calls.
    public static var library: Release.Library {
        guard let version = seccomp_version()?.pointee else {
            return Release.Library("libseccomp", "of an unknown version")
        }
        return Release.Library("libseccomp", "\(version.major).\(version.minor).\(version.micro)")
    }
}
