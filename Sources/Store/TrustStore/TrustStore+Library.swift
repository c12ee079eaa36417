import Diagnostics
import SQLite

extension TrustStore {
    /// The library that keeps the store's tables.
    public static var library: Release.Library { Release.Library("SQLite", SQLiteLibrary.version) }
}
