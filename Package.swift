// swift-tools-version: 6.2
import PackageDescription

// swift-format-ignore-file: one target a line, so that the layers read as a table

// A function that is bound at its first call is bound by code that saves the vector registers on the stack, with what a copy of a secret
// left in them. Bound when the program starts, there is nothing to save, and the table of functions is read-only besides.
let boundAtStart: [LinkerSetting] = [.unsafeFlags(["-Xlinker", "-z", "-Xlinker", "now"])]

// Targets stand in the order of their layers; a target depends only on layers below it.
let package = Package(
    name: "heliograph",
    products: [
        .library(name: "SCALE", targets: ["SCALE"]),
        .library(name: "Hashing", targets: ["Hashing"]),
        .library(name: "Cards", targets: ["Cards"]),
        .library(name: "RaptorQ", targets: ["RaptorQ"]),
        .library(name: "SubstratePrimitives", targets: ["SubstratePrimitives"]),
        .library(name: "SQLite", targets: ["SQLite"]),
        .library(name: "QRCode", targets: ["QRCode"]),
        .library(name: "UpdateGenerator", targets: ["UpdateGenerator"]),
        .library(name: "FixtureRuntime", targets: ["FixtureRuntime"]),
        .library(name: "UOS", targets: ["UOS"]),
        .library(name: "Keys", targets: ["Keys"]),
        .library(name: "Metadata", targets: ["Metadata"]),
        .library(name: "Extrinsics", targets: ["Extrinsics"]),
        .library(name: "Sandbox", targets: ["Sandbox"]),
        .library(name: "ScannerClient", targets: ["ScannerClient", "ScanEvents"]),
        .library(name: "Terminal", targets: ["Terminal"]),
        .library(name: "Compression", targets: ["Compression", "ScanEvents"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2")
    ],
    targets: [
        // Layer 0: C libraries
        .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
        .systemLibrary(name: "CQREncode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
        .systemLibrary(name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
        .systemLibrary(name: "CSecp256k1", pkgConfig: "libsecp256k1", providers: [.apt(["libsecp256k1-dev"])]),
        .target(name: "CRaptorQOctets"),
        .target(name: "CArguments"),
        .systemLibrary(name: "CSeccomp", pkgConfig: "libseccomp", providers: [.apt(["libseccomp-dev"])]),
        .systemLibrary(name: "CTurboJPEG", pkgConfig: "libturbojpeg", providers: [.apt(["libturbojpeg0-dev"])]),
        .target(name: "CZBar", linkerSettings: [.linkedLibrary(":libzbar.a")]),
        .target(name: "CZXing", linkerSettings: [.linkedLibrary("ZXing")]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),
        // Layer 1
        .target(name: "SCALE"),
        .target(name: "Hashing", dependencies: ["CSodium"]),
        .target(name: "Cards"),
        .target(name: "SQLite", dependencies: ["CSQLite"]),
        .target(name: "QRCode", dependencies: ["CQREncode", "CPNG"]),
        .target(name: "RaptorQ", dependencies: ["CRaptorQOctets"], exclude: ["DEVIATIONS.md"]),
        .target(name: "Sandbox", dependencies: ["CSeccomp"]),
        .target(name: "ScanEvents"),
        .target(name: "Shield"),
        // Layer 2
        .target(name: "Terminal", dependencies: ["Cards"]),
        .target(name: "SubstratePrimitives", dependencies: ["SCALE", "Hashing"]),
        .target(name: "Metadata", dependencies: ["SCALE", "Hashing", "SubstratePrimitives"]),
        // Layer 3
        .target(name: "UOS", dependencies: ["SCALE", "Hashing", "SubstratePrimitives", "RaptorQ"]),
        .target(name: "Extrinsics", dependencies: ["SCALE", "Hashing", "Cards", "SubstratePrimitives", "Metadata"]),
        .target(name: "Keys", dependencies: ["SCALE", "Hashing", "SubstratePrimitives", "CSodium", "CSecp256k1"]),
        // Layer 4
        .target(name: "Vault", dependencies: ["SCALE", "Keys", "SubstratePrimitives", "CSodium"]),
        .target(name: "Optics", dependencies: ["ScanEvents", "CPNG", "CTurboJPEG", "CZBar", "CZXing"]),
        .target(name: "Compression", dependencies: ["ScanEvents", "CZstd"]),
        .target(name: "ScannerClient", dependencies: ["Sandbox", "ScanEvents"]),
        .target(name: "ColdStore", dependencies: ["SCALE", "Hashing", "SubstratePrimitives", "Keys", "SQLite", "CSodium"]),
        .target(name: "UpdateGenerator", dependencies: ["SCALE", "SubstratePrimitives", "RaptorQ", "UOS"]),
        // Layer 5
        .target(name: "ColdSigner", dependencies: ["SCALE", "Hashing", "Cards", "SubstratePrimitives", "Metadata", "Extrinsics", "Keys", "UOS", "ColdStore", "Shield"]),
        // Measurements, driven by tools/bench-*
        .executableTarget(name: "heliograph-bench", dependencies: ["RaptorQ"]),
        // Fixtures: a runtime written as source, for tests and the demo
        .target(name: "FixtureRuntime", dependencies: ["SCALE", "SubstratePrimitives"], path: "fixtures/FixtureRuntime"),
        // Layer 6
        .executableTarget(name: "heliograph", dependencies: ["SCALE", "Hashing", "Cards", "RaptorQ", "QRCode", "Sandbox", "ScanEvents", "Terminal", "SubstratePrimitives", "Metadata", "UOS", "Extrinsics", "Keys", "Vault", "ColdStore", "ColdSigner", "ScannerClient", "Shield", .product(name: "ArgumentParser", package: "swift-argument-parser")], linkerSettings: boundAtStart),
        .executableTarget(name: "heliograph-scanner", dependencies: ["CArguments", "Sandbox", "ScanEvents", "Optics", "Compression"], linkerSettings: boundAtStart),
        // Tools of the repository
        .executableTarget(name: "keys-peer", dependencies: ["Keys", "Hashing", "SubstratePrimitives"], path: "tools/keys-peer"),
        .executableTarget(name: "decode-peer", dependencies: ["SCALE", "Hashing", "Cards", "SubstratePrimitives", "Metadata", "Extrinsics", "FixtureRuntime", "Forge"], path: "tools/decode-peer"),
        .executableTarget(name: "optics-peer", dependencies: ["Optics"], path: "tools/optics-peer"),
        .executableTarget(name: "two-readings", dependencies: ["Cards", "Extrinsics", "FixtureRuntime", "Forge", "Hashing", "Metadata", "SCALE", "SubstratePrimitives"], path: "Tests/TwoReadings"),
        // Tests
        .target(name: "Forge", dependencies: ["FixtureRuntime", "Hashing", "Metadata", "SCALE", "SubstratePrimitives"], path: "Tests/Forge"),
        .testTarget(name: "QRCodeTests", dependencies: ["QRCode", "CPNG"]),
        .testTarget(name: "UpdateGeneratorTests", dependencies: ["UpdateGenerator", "RaptorQ", "UOS", "SubstratePrimitives", "Hashing"]),
        .testTarget(name: "UOSTests", dependencies: ["UOS", "RaptorQ", "SCALE", "Hashing", "SubstratePrimitives"]),
        .testTarget(name: "FixtureRuntimeTests", dependencies: ["FixtureRuntime", "Hashing", "SCALE", "SubstratePrimitives"]),
        .testTarget(name: "SCALETests", dependencies: ["SCALE"]),
        .testTarget(name: "TerminalTests", dependencies: ["Terminal", "Cards"]),
        .testTarget(name: "HashingTests", dependencies: ["Hashing"]),
        .testTarget(name: "VaultTests", dependencies: ["Vault", "Keys", "Hashing"]),
        .testTarget(name: "KeysTests", dependencies: ["Keys", "Hashing", "SubstratePrimitives"]),
        .testTarget(name: "RaptorQTests", dependencies: ["RaptorQ", "CRaptorQOctets", "Hashing"]),
        .testTarget(name: "SubstratePrimitivesTests", dependencies: ["SubstratePrimitives"]),
        .testTarget(name: "MetadataTests", dependencies: ["Metadata", "FixtureRuntime", "Hashing", "SCALE", "SubstratePrimitives"]),
        .testTarget(name: "ExtrinsicsTests", dependencies: ["Extrinsics", "FixtureRuntime", "Forge", "Metadata", "Cards", "Hashing", "SCALE", "SubstratePrimitives"]),
        .testTarget(name: "SandboxTests", dependencies: ["Sandbox", "CSeccomp"]),
        .testTarget(name: "ScannerTests", dependencies: ["Sandbox", "ScannerClient", "ScanEvents", "QRCode", "Compression", "heliograph-scanner"]),
        .testTarget(name: "CompressionTests", dependencies: ["Compression", "ScanEvents", "CZstd"]),
        .testTarget(name: "ColdSignerTests", dependencies: ["ColdSigner", "UOS", "UpdateGenerator", "Compression", "Extrinsics", "ColdStore", "Shield", "FixtureRuntime", "Forge", "Keys", "Metadata", "Cards", "Hashing", "SCALE", "SubstratePrimitives"]),
        .target(name: "CTraceVFS", dependencies: ["CSQLite"], path: "Tests/CTraceVFS"),
        .executableTarget(name: "trust-probe", dependencies: ["Shield", "ColdStore", "Keys", "SubstratePrimitives", "CTraceVFS"], path: "Tests/TrustProbe"),
        .testTarget(name: "ShieldTests", dependencies: ["Shield", "trust-probe"]),
        .testTarget(name: "ColdStoreTests", dependencies: ["ColdStore", "CSQLite", "Keys", "SCALE", "SubstratePrimitives", "trust-probe"]),
        .testTarget(name: "OpticsTests", dependencies: ["Optics", "ScanEvents", "QRCode", "CPNG", "CQREncode", "CTurboJPEG"]),
    ],
    swiftLanguageModes: [.v6]
)

// In CI a warning is an error; a newer compiler must not break the build of someone who only wants the program.
if Context.environment["HELIOGRAPH_STRICT"] != nil {
    for target in package.targets where [.regular, .executable, .test].contains(target.type) {
        target.swiftSettings = (target.swiftSettings ?? []) + [.treatAllWarnings(as: .error)]
    }
}
