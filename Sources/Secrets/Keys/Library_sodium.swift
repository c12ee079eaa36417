import CSodium
import Diagnostics

extension SecretBytes {
    /// The library that holds secrets, and computes Ed25519 and Ristretto.
    public static var sodium: Release.Library {
        Release.Library("libsodium", String(cString: sodium_version_string()))
    }
}
