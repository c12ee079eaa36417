import ArgumentParser
import Glibc
import HotStore
import QRCode
import SubstratePrimitives

extension SignatureScheme: @retroactive ExpressibleByArgument {
    public init?(argument: String) { self.init(name: argument) }
    public static var allValueStrings: [String] { allCases.map(\.name) }
}

extension QRCode.ErrorCorrection: @retroactive ExpressibleByArgument {}

/// The location of the hot database.
struct DatabaseOptions: ParsableArguments {
    @Option(
        help:
            """
            The directory of the hot database (default: $HELIOGRAPH_HOT, else $XDG_DATA_HOME/heliograph-hot).
            """
    )
    var database: String?

    func open() throws -> HotStore { try HotStore(directory: directory) }

    private var directory: String {
        if let database { return database }
        if let named = Self.environment("HELIOGRAPH_HOT") { return named }
        let data = Self.environment("XDG_DATA_HOME") ?? (Self.environment("HOME") ?? ".") + "/.local/share"
        return data + "/heliograph-hot"
    }

    static func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
}
