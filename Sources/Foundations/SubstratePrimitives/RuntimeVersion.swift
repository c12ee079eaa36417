/// The two facts of a runtime's `Version` constant that decide which metadata reads a transaction.
public struct RuntimeVersion: Sendable, Hashable {
    public let specName: String
    public let specVersion: UInt32

    public init(specName: String, specVersion: UInt32) {
        self.specName = specName
        self.specVersion = specVersion
    }

    public static func == (one: RuntimeVersion, other: RuntimeVersion) -> Bool {
        one.specName.utf8Equals(other.specName) && one.specVersion == other.specVersion
    }
}
