// swift-tools-version: 6.2
import PackageDescription

// swift-format-ignore-file: one target a line, so that the layers read as a table

// A function that is bound at its first call is bound by code that saves the vector registers on the stack, with what a copy of a secret
// left in them. Bound when the program starts, there is nothing to save, and the table of functions is read-only besides.
let boundAtStart: [LinkerSetting] = [.unsafeFlags(["-Xlinker", "-z", "-Xlinker", "now"])]

// libedit and what it needs lie inside the program: to load four more libraries would slow every command. libtermcap.a is libtinfo.a by another name: SwiftPM
// gives the linker each name once, and here it must stand behind libedit.
let libedit: [LinkerSetting] = [.linkedLibrary(":libedit.a"), .linkedLibrary(":libbsd.a"), .linkedLibrary(":libmd.a"), .linkedLibrary(":libtermcap.a")]

// The shipped program: lld writes the 65,000 addresses that the loader must add its base to in a twelfth of the space, and names no function of the program to
// the libraries that it loads. None of them asks for one, and the loader looks every library's names up among them.
let smallStart: [LinkerSetting] = [
    .unsafeFlags(["-use-ld=lld", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs", "-Xlinker", "--no-export-dynamic"], .when(configuration: .release))
]

// What computes most while tests run. Optimized, also in a debug build, their tests take a third to a sixth of the time, and compiling takes no longer.
let computing: Set = ["SCALE", "Hashing", "SubstratePrimitives", "UOS", "Metadata", "Cards", "Extrinsics", "StateProof", "Lines", "TerminalIO", "Keys", "TrustStore", "Accounts", "History", "Review", "Ceremony", "ScanProtocol", "ImageDecoding", "QRCode", "RaptorQ", "FixtureRuntime", "Forge", "TestSupport"]

// The jitter source measures work that an optimizer would remove, and its own code refuses to be compiled by one.
let unoptimized: [CSetting] = [.unsafeFlags(["-O0"])]

// The commit that `--version` states, and the number of the release: `tools/dev release` sets both.
let commit: [CSetting] = (Context.environment["HELIOGRAPH_COMMIT"].map { [.define("HELIOGRAPH_COMMIT", to: "\"\($0)\"")] } ?? [])
    + (Context.environment["HELIOGRAPH_NUMBER"].map { [.define("HELIOGRAPH_NUMBER", to: $0)] } ?? [])

// The folders of Sources are the layers, lowest first: a target depends only on layers below it, and in its own layer only on targets that stand before it
// here. `tools/dev laws` checks both.
let package = Package(
    name: "heliograph",
    products: [
        .library(name: "Diagnostics", targets: ["Diagnostics"]),
        .library(name: "SystemIO", targets: ["SystemIO"]),
        .library(name: "SCALE", targets: ["SCALE"]),
        .library(name: "Hashing", targets: ["Hashing"]),
        .library(name: "Cards", targets: ["Cards"]),
        .library(name: "RaptorQ", targets: ["RaptorQ"]),
        .library(name: "SubstratePrimitives", targets: ["SubstratePrimitives"]),
        .library(name: "SQLite", targets: ["SQLite"]),
        .library(name: "QRCode", targets: ["QRCode"]),
        .library(name: "FixtureRuntime", targets: ["FixtureRuntime"]),
        .library(name: "UOS", targets: ["UOS"]),
        .library(name: "Keys", targets: ["Keys"]),
        .library(name: "Threshold", targets: ["Threshold"]),
        .library(name: "GroupCollect", targets: ["GroupCollect"]),
        .library(name: "Metadata", targets: ["Metadata"]),
        .library(name: "Extrinsics", targets: ["Extrinsics"]),
        .library(name: "StateProof", targets: ["StateProof"]),
        .library(name: "Sandbox", targets: ["Sandbox"]),
        .library(name: "ScannerClient", targets: ["ScannerClient", "ScanProtocol"]),
        .library(name: "Lines", targets: ["Lines"]),
        .library(name: "Compression", targets: ["Compression", "ScanProtocol"]),
        // Everything that reads bytes from outside, for tools/fuzz.
        .library(name: "EveryReader", targets: ["Diagnostics", "Hashing", "SCALE", "SubstratePrimitives", "RaptorQ", "QRCode", "UOS", "Metadata", "Extrinsics", "StateProof", "Keys", "GroupCollect", "Vault", "TrustStore", "ScanProtocol", "ImageDecoding", "Compression", "Accounts", "History", "Review", "TrustUpdates", "GroupReview", "ReleaseCheck", "FixtureRuntime", "Forge", "TestSupport"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2")
    ],
    targets: [
        // C: the C libraries
        .target(name: "CPassphraseWords", path: "Sources/C/CPassphraseWords"),
        .target(name: "CRelease", path: "Sources/C/CRelease", cSettings: commit),
        .systemLibrary(name: "CSodium", path: "Sources/C/CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
        .systemLibrary(name: "CSecp256k1", path: "Sources/C/CSecp256k1", providers: [.apt(["libsecp256k1-dev"])]),
        .systemLibrary(name: "CQREncode", path: "Sources/C/CQREncode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
        .systemLibrary(name: "CPNG", path: "Sources/C/CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
        .systemLibrary(name: "CTurboJPEG", path: "Sources/C/CTurboJPEG", pkgConfig: "libturbojpeg", providers: [.apt(["libturbojpeg0-dev"])]),
        .target(name: "CZBar", path: "Sources/C/CZBar", linkerSettings: [.linkedLibrary(":libzbar.a")]),
        .target(name: "CZXing", path: "Sources/C/CZXing", linkerSettings: [.linkedLibrary("ZXing")]),
        .systemLibrary(name: "CSQLite", path: "Sources/C/CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CSeccomp", path: "Sources/C/CSeccomp", pkgConfig: "libseccomp", providers: [.apt(["libseccomp-dev"])]),
        .systemLibrary(name: "CZstd", path: "Sources/C/CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),
        .target(name: "CLibedit", path: "Sources/C/CLibedit", linkerSettings: libedit),
        .target(name: "CTPM", path: "Sources/C/CTPM", linkerSettings: [.linkedLibrary("tss2-esys"), .linkedLibrary("tss2-mu")]),
        .target(name: "CFIDO", path: "Sources/C/CFIDO", linkerSettings: [.linkedLibrary("fido2")]),
        .target(name: "CToken", path: "Sources/C/CToken", linkerSettings: [.linkedLibrary("dl")]),
        .systemLibrary(name: "CZxcvbn", path: "Sources/C/CZxcvbn", providers: [.apt(["libzxcvbn-dev"])]),
        .systemLibrary(name: "CV4L2", path: "Sources/C/CV4L2"),
        .systemLibrary(name: "CVfs", path: "Sources/C/CVfs"),
        .target(name: "CRaptorQOctets", path: "Sources/C/CRaptorQOctets"),
        .target(name: "CNCurses", path: "Sources/C/CNCurses", linkerSettings: [.linkedLibrary(":libncursesw.a"), .linkedLibrary(":libtinfo.a")]),
        .target(name: "CArguments", path: "Sources/C/CArguments"),
        .target(name: "CJitterEntropy", path: "Sources/C/CJitterEntropy", exclude: ["README.md", "upstream/COPYING", "upstream/COPYING.bsd", "upstream/COPYING.gplv2", "upstream/SHA256SUMS"], cSettings: unoptimized + [.headerSearchPath("upstream")]),
        .target(name: "CProcessorRandom", path: "Sources/C/CProcessorRandom"),
        // Foundations
        .target(name: "Diagnostics", dependencies: ["CRelease"], path: "Sources/Foundations/Diagnostics"),
        .target(name: "SystemIO", dependencies: ["Diagnostics"], path: "Sources/Foundations/SystemIO"),
        .target(name: "Sandbox", dependencies: ["Diagnostics", "SystemIO", "CSeccomp", "CV4L2"], path: "Sources/Foundations/Sandbox"),
        .target(name: "SCALE", dependencies: ["Diagnostics"], path: "Sources/Foundations/SCALE"),
        .target(name: "HardwareProtocol", dependencies: ["SCALE"], path: "Sources/Foundations/HardwareProtocol"),
        .target(name: "Hashing", dependencies: ["Diagnostics", "CSodium"], path: "Sources/Foundations/Hashing"),
        .target(name: "SubstratePrimitives", dependencies: ["Diagnostics", "SCALE", "Hashing"], path: "Sources/Foundations/SubstratePrimitives"),
        // Wire: what travels by QR code
        .target(name: "RaptorQ", dependencies: ["Diagnostics", "CRaptorQOctets"], path: "Sources/Wire/RaptorQ", exclude: ["DEVIATIONS.md"]),
        .target(name: "QRCode", dependencies: ["Diagnostics", "CQREncode", "CPNG"], path: "Sources/Wire/QRCode"),
        .target(name: "UOS", dependencies: ["Diagnostics", "SCALE", "Hashing", "SubstratePrimitives", "RaptorQ"], path: "Sources/Wire/UOS"),
        // Chain: what a payload means
        .target(name: "Metadata", dependencies: ["Diagnostics", "SCALE", "Hashing", "SubstratePrimitives"], path: "Sources/Chain/Metadata"),
        .target(name: "Cards", dependencies: ["Hashing", "SubstratePrimitives"], path: "Sources/Chain/Cards"),
        .target(name: "Extrinsics", dependencies: ["Diagnostics", "SCALE", "Hashing", "Cards", "SubstratePrimitives", "Metadata"], path: "Sources/Chain/Extrinsics"),
        .target(name: "StateProof", dependencies: ["Diagnostics", "SCALE", "Hashing", "SubstratePrimitives", "UOS", "Metadata", "Cards", "Extrinsics"], path: "Sources/Chain/StateProof"),
        // Secrets
        .target(name: "Keys", dependencies: ["Diagnostics", "SCALE", "Hashing", "SubstratePrimitives", "CSodium", "CSecp256k1", "CJitterEntropy", "CProcessorRandom"], path: "Sources/Secrets/Keys"),
        .target(name: "Threshold", dependencies: ["Diagnostics", "Hashing", "SubstratePrimitives", "Keys", "CSodium"], path: "Sources/Secrets/Threshold"),
        .target(name: "Vault", dependencies: ["Diagnostics", "SystemIO", "SCALE", "HardwareProtocol", "Keys", "SubstratePrimitives", "CSodium"], path: "Sources/Secrets/Vault"),
        .target(name: "HardwareClient", dependencies: ["SystemIO", "Sandbox", "SCALE", "SubstratePrimitives", "HardwareProtocol", "Keys", "Vault"], path: "Sources/Secrets/HardwareClient"),
        // Store
        .target(name: "SQLite", dependencies: ["Diagnostics", "CSQLite"], path: "Sources/Store/SQLite"),
        .target(name: "TrustStore", dependencies: ["Diagnostics", "SystemIO", "SCALE", "Hashing", "SubstratePrimitives", "HardwareProtocol", "Keys", "Vault", "SQLite", "CSodium"], path: "Sources/Store/TrustStore"),
        // Scanner: pictures to bytes, in a process without keys
        .target(name: "ScanProtocol", dependencies: ["Diagnostics"], path: "Sources/Scanner/ScanProtocol"),
        .target(name: "ScannerClient", dependencies: ["Diagnostics", "SystemIO", "Sandbox", "ScanProtocol"], path: "Sources/Scanner/ScannerClient"),
        .target(name: "Camera", dependencies: ["Diagnostics", "SystemIO", "Sandbox", "ScanProtocol", "CV4L2"], path: "Sources/Scanner/Camera"),
        .target(name: "ImageDecoding", dependencies: ["Diagnostics", "SystemIO", "ScanProtocol", "CPNG", "CTurboJPEG", "CZBar", "CZXing"], path: "Sources/Scanner/ImageDecoding"),
        .target(name: "Compression", dependencies: ["Diagnostics", "SystemIO", "ScanProtocol", "CZstd"], path: "Sources/Scanner/Compression"),
        // Review: what a person sees of a payload
        .target(name: "GroupCollect", dependencies: ["Diagnostics", "SCALE", "SubstratePrimitives", "UOS", "Metadata", "Extrinsics", "Hashing", "Keys", "Threshold"], path: "Sources/Review/GroupCollect"),
        .target(name: "Accounts", dependencies: ["Diagnostics", "SCALE", "Hashing", "SubstratePrimitives", "UOS", "Metadata", "Cards", "Extrinsics", "Keys", "TrustStore"], path: "Sources/Review/Accounts"),
        .target(name: "History", dependencies: ["Diagnostics", "SCALE", "Hashing", "SubstratePrimitives", "Cards", "Extrinsics", "TrustStore", "Accounts"], path: "Sources/Review/History"),
        .target(name: "Review", dependencies: ["Diagnostics", "SCALE", "Hashing", "SubstratePrimitives", "UOS", "Metadata", "Cards", "Extrinsics", "StateProof", "Keys", "TrustStore", "Accounts", "History"], path: "Sources/Review/Review"),
        .target(name: "TrustUpdates", dependencies: ["Diagnostics", "SCALE", "Hashing", "SubstratePrimitives", "UOS", "Metadata", "Cards", "Extrinsics", "Keys", "TrustStore", "Accounts", "History", "Review"], path: "Sources/Review/TrustUpdates"),
        .target(name: "GroupReview", dependencies: ["Diagnostics", "SCALE", "Hashing", "SubstratePrimitives", "UOS", "Metadata", "Cards", "Keys", "Threshold", "TrustStore", "GroupCollect", "Accounts", "History", "Review", "TrustUpdates"], path: "Sources/Review/GroupReview"),
        // Signer: what a person sees, and every act
        .target(name: "AirGap", dependencies: ["Diagnostics", "SystemIO", "SCALE", "TrustStore"], path: "Sources/Signer/AirGap"),
        .target(name: "ReleaseCheck", dependencies: ["Diagnostics", "SystemIO", "Hashing", "SubstratePrimitives", "Keys"], path: "Sources/Signer/ReleaseCheck"),
        .target(name: "Ceremony", dependencies: ["CPassphraseWords", "CZxcvbn", "CVfs", "Diagnostics", "HardwareProtocol", "SystemIO", "Sandbox", "SCALE", "Hashing", "SubstratePrimitives", "UOS", "Metadata", "Cards", "Extrinsics", "Keys", "Threshold", "Vault", "TrustStore", "GroupCollect", "Accounts", "History", "Review", "TrustUpdates", "GroupReview", "AirGap"], path: "Sources/Signer/Ceremony"),
        // Interface: what a person sees and types
        .target(name: "Lines", dependencies: ["Diagnostics", "Cards"], path: "Sources/Interface/Lines"),
        .target(name: "TerminalIO", dependencies: ["CSeccomp", "CLibedit", "CNCurses", "Diagnostics", "SystemIO", "Sandbox", "Hashing", "SubstratePrimitives", "QRCode", "Keys", "Vault", "ScanProtocol", "AirGap", "Lines"], path: "Sources/Interface/TerminalIO"),
        .target(name: "Presentation", dependencies: ["Diagnostics", "SystemIO", "HardwareProtocol", "Sandbox", "Hashing", "SubstratePrimitives", "QRCode", "UOS", "Cards", "Extrinsics", "StateProof", "Keys", "Vault", "TrustStore", "ScanProtocol", "ScannerClient", "Accounts", "History", "Review", "TrustUpdates", "GroupReview", "AirGap", "Ceremony", "Lines", "TerminalIO"], path: "Sources/Interface/Presentation"),
        .target(name: "CommandKit", dependencies: ["Diagnostics", "SystemIO", "Sandbox", "SCALE", "Hashing", "SubstratePrimitives", "QRCode", "UOS", "Cards", "Keys", "Vault", "TrustStore", "ScanProtocol", "ScannerClient", "GroupCollect", "Accounts", "Review", "TrustUpdates", "GroupReview", "AirGap", "Ceremony", "HardwareClient", "Lines", "TerminalIO", "Presentation", .product(name: "ArgumentParser", package: "swift-argument-parser")], path: "Sources/Interface/CommandKit"),
        .target(name: "Shell", dependencies: ["Diagnostics", "SystemIO", "Sandbox", "SubstratePrimitives", "Keys", "TrustStore", "Ceremony", "Lines", "TerminalIO", "Presentation", "CommandKit", .product(name: "ArgumentParser", package: "swift-argument-parser")], path: "Sources/Interface/Shell"),
        // Programs
        .executableTarget(name: "heliograph", dependencies: ["Diagnostics", "SystemIO", "HardwareProtocol", "Sandbox", "SCALE", "Hashing", "SubstratePrimitives", "RaptorQ", "QRCode", "UOS", "Metadata", "Cards", "Extrinsics", "StateProof", "Keys", "Threshold", "Vault", "TrustStore", "ScanProtocol", "ScannerClient", "GroupCollect", "Accounts", "History", "Review", "TrustUpdates", "GroupReview", "AirGap", "ReleaseCheck", "Ceremony", "Lines", "TerminalIO", "Presentation", "CommandKit", "Shell", .product(name: "ArgumentParser", package: "swift-argument-parser")], path: "Sources/Programs/heliograph", linkerSettings: boundAtStart + smallStart),
        .executableTarget(name: "heliograph-scanner", dependencies: ["Diagnostics", "SystemIO", "CArguments", "Sandbox", "ScanProtocol", "Camera", "ImageDecoding", "Compression"], path: "Sources/Programs/heliograph-scanner", linkerSettings: boundAtStart),
        .executableTarget(name: "heliograph-hardware", dependencies: ["Diagnostics", "SystemIO", "Sandbox", "SCALE", "HardwareProtocol", "CArguments", "CFIDO", "CTPM", "CToken"], path: "Sources/Programs/heliograph-hardware", linkerSettings: boundAtStart),
        // Fixtures: a runtime written as source, for tests and the demo
        .target(name: "FixtureRuntime", dependencies: ["SCALE", "SubstratePrimitives"], path: "fixtures/FixtureRuntime"),
        // Tools of the repository
        .executableTarget(name: "keys-peer", dependencies: ["Keys", "Threshold", "Hashing", "SubstratePrimitives"], path: "tools/peers/keys-peer"),
        .executableTarget(name: "decode-peer", dependencies: ["SCALE", "Hashing", "Cards", "SubstratePrimitives", "Metadata", "Extrinsics", "FixtureRuntime", "Forge", "StateProof", "UOS"], path: "tools/peers/decode-peer"),
        .executableTarget(name: "heliograph-bench", dependencies: ["SubstratePrimitives", "RaptorQ", "UOS", "Keys", "Vault", "TrustStore", "History", "Review", "StateProof", "FixtureRuntime", "Forge"], path: "tools/peers/heliograph-bench"),
        // Tests
        .target(name: "TestSupport", dependencies: ["SystemIO", "Hashing", "SCALE", "SubstratePrimitives", "Cards"], path: "Tests/TestSupport"),
        .executableTarget(name: "two-readings", dependencies: ["Cards", "Extrinsics", "FixtureRuntime", "Forge", "Hashing", "Metadata", "SCALE", "SubstratePrimitives", "TestSupport"], path: "Tests/TwoReadings"),
        .target(name: "Forge", dependencies: ["FixtureRuntime", "Hashing", "Metadata", "SCALE", "StateProof", "SubstratePrimitives", "UOS"], path: "Tests/Forge"),
        .target(name: "CTraceVFS", dependencies: ["CSQLite"], path: "Tests/CTraceVFS"),
        .executableTarget(name: "trust-probe", dependencies: ["AirGap", "TrustStore", "Vault", "Keys", "SubstratePrimitives", "CTraceVFS"], path: "Tests/TrustProbe"),
        .executableTarget(name: "sandbox-probe", dependencies: ["Sandbox", "CSeccomp"], path: "Tests/SandboxProbe"),
        .testTarget(name: "DiagnosticsTests", dependencies: ["Diagnostics", "TestSupport"]),
        .testTarget(name: "SystemIOTests", dependencies: ["SystemIO", "TestSupport", "Diagnostics"]),
        .testTarget(name: "SCALETests", dependencies: ["SCALE", "TestSupport"]),
        .testTarget(name: "HashingTests", dependencies: ["Hashing"]),
        .testTarget(name: "SubstratePrimitivesTests", dependencies: ["SubstratePrimitives", "Hashing", "SCALE", "TestSupport"]),
        .testTarget(name: "RaptorQTests", dependencies: ["RaptorQ", "CRaptorQOctets", "Hashing", "TestSupport"]),
        .testTarget(name: "QRCodeTests", dependencies: ["QRCode", "CPNG"]),
        .testTarget(name: "UOSTests", dependencies: ["UOS", "RaptorQ", "SCALE", "Hashing", "SubstratePrimitives", "TestSupport"]),
        .testTarget(name: "MetadataTests", dependencies: ["Metadata", "FixtureRuntime", "Hashing", "SCALE", "SubstratePrimitives", "TestSupport"]),
        .testTarget(name: "ExtrinsicsTests", dependencies: ["Extrinsics", "FixtureRuntime", "Forge", "Metadata", "Cards", "Hashing", "SCALE", "SubstratePrimitives", "TestSupport"]),
        .testTarget(name: "StateProofTests", dependencies: ["Diagnostics", "StateProof", "UOS", "Metadata", "Forge", "Hashing", "SCALE", "SubstratePrimitives", "TestSupport"]),
        .testTarget(name: "CardsTests", dependencies: ["Hashing", "SubstratePrimitives", "Cards"]),
        .testTarget(name: "KeysTests", dependencies: ["Keys", "Hashing", "SubstratePrimitives", "TestSupport"]),
        .testTarget(name: "GroupCollectTests", dependencies: ["GroupCollect", "Threshold", "UOS", "Keys", "Hashing", "SubstratePrimitives", "TestSupport"]),
        .testTarget(name: "ThresholdTests", dependencies: ["Threshold", "Keys", "Hashing", "SubstratePrimitives", "TestSupport"]),
        .testTarget(name: "VaultTests", dependencies: ["SystemIO", "HardwareProtocol", "Vault", "Keys", "Hashing", "SubstratePrimitives", "TestSupport"]),
        .testTarget(name: "HardwareProtocolTests", dependencies: ["HardwareProtocol", "SCALE", "TestSupport"]),
        .testTarget(name: "HardwareClientTests", dependencies: ["HardwareClient", "HardwareProtocol", "Keys", "Vault", "TestSupport"]),
        .testTarget(name: "TrustStoreTests", dependencies: ["TrustStore", "Vault", "SQLite", "CSQLite", "Keys", "SCALE", "SubstratePrimitives", "trust-probe", "SystemIO", "TestSupport"]),
        .testTarget(name: "SQLiteTests", dependencies: ["SQLite", "TestSupport"]),
        .testTarget(name: "SandboxTests", dependencies: ["Sandbox", "CSeccomp", "CV4L2", "SystemIO", "sandbox-probe", "TestSupport"]),
        .testTarget(name: "ScanProtocolTests", dependencies: ["ScanProtocol"]),
        .testTarget(name: "ScannerClientTests", dependencies: ["ScannerClient", "ScanProtocol", "TestSupport"]),
        .testTarget(name: "ScannerTests", dependencies: ["Sandbox", "ScannerClient", "ScanProtocol", "QRCode", "Compression", "heliograph-scanner", "SystemIO", "TestSupport"]),
        .testTarget(name: "CameraTests", dependencies: ["Camera", "Sandbox", "ScanProtocol", "CV4L2", "TestSupport"]),
        .testTarget(name: "ImageDecodingTests", dependencies: ["ImageDecoding", "ScanProtocol", "QRCode", "CPNG", "CQREncode", "CTurboJPEG", "TestSupport"]),
        .testTarget(name: "CompressionTests", dependencies: ["Compression", "ScanProtocol", "CZstd"]),
        .testTarget(name: "AirGapTests", dependencies: ["AirGap", "trust-probe", "TestSupport"]),
        .testTarget(name: "AccountsTests", dependencies: ["SCALE", "Hashing", "SubstratePrimitives", "UOS", "Cards", "Keys", "TrustStore", "Accounts", "TestSupport"]),
        .testTarget(name: "HistoryTests", dependencies: ["SubstratePrimitives", "Extrinsics", "TrustStore", "History", "TestSupport"]),
        .testTarget(name: "ReviewTests", dependencies: ["Diagnostics", "SCALE", "Hashing", "SubstratePrimitives", "UOS", "Metadata", "Cards", "Extrinsics", "StateProof", "Keys", "Vault", "TrustStore", "Compression", "Accounts", "History", "Review", "TrustUpdates", "GroupReview", "AirGap", "Lines", "Presentation", "FixtureRuntime", "TestSupport", "Forge"]),
        .testTarget(name: "TrustUpdatesTests", dependencies: ["Hashing", "SubstratePrimitives", "TrustStore", "Accounts", "Review", "TrustUpdates"]),
        .testTarget(name: "GroupReviewTests", dependencies: ["Hashing", "SubstratePrimitives", "UOS", "Cards", "TrustStore", "GroupCollect", "Accounts", "Review", "GroupReview", "TestSupport"]),
        .testTarget(name: "ReleaseCheckTests", dependencies: ["ReleaseCheck", "Hashing", "SystemIO", "TestSupport"]),
        .testTarget(name: "CeremonyTests", dependencies: ["CSodium", "Diagnostics", "HardwareProtocol", "SCALE", "Hashing", "SubstratePrimitives", "UOS", "Metadata", "Cards", "Extrinsics", "StateProof", "Keys", "Threshold", "Vault", "SQLite", "TrustStore", "GroupCollect", "Accounts", "History", "Review", "TrustUpdates", "GroupReview", "AirGap", "Ceremony", "FixtureRuntime", "TestSupport", "Forge"]),
        .testTarget(name: "LinesTests", dependencies: ["Cards", "Lines", "SubstratePrimitives", "TestSupport"]),
        .testTarget(name: "TerminalIOTests", dependencies: ["ScanProtocol", "Lines", "TerminalIO", "TestSupport"]),
        .testTarget(name: "PresentationTests", dependencies: ["Sandbox", "SubstratePrimitives", "QRCode", "UOS", "Cards", "Extrinsics", "TrustStore", "Review", "Lines", "TerminalIO", "Presentation", "TestSupport"]),
        .testTarget(name: "CommandKitTests", dependencies: ["Sandbox", "SubstratePrimitives", "UOS", "Keys", "Vault", "TrustStore", "TerminalIO", "Presentation", "CommandKit", .product(name: "ArgumentParser", package: "swift-argument-parser")]),
        .testTarget(name: "ShellTests", dependencies: ["TerminalIO", "Shell"]),
        .testTarget(name: "HeliographTests", dependencies: ["Diagnostics", "SystemIO", "SubstratePrimitives", "UOS", "Cards", "Extrinsics", "SQLite", "Compression", "Review", "Ceremony", "TerminalIO", "CommandKit", "Shell", "heliograph", "TestSupport"]),
        .testTarget(name: "FixtureRuntimeTests", dependencies: ["FixtureRuntime", "Hashing", "SCALE", "SubstratePrimitives", "TestSupport"]),
    ],
    swiftLanguageModes: [.v6]
)

// In CI a warning is an error; a newer compiler must not break the build of someone who only wants the program.
if Context.environment["HELIOGRAPH_STRICT"] != nil {
    for target in package.targets where [.regular, .executable, .test].contains(target.type) {
        target.swiftSettings = (target.swiftSettings ?? []) + [.treatAllWarnings(as: .error)]
    }
}

// The flag stands behind the build's own -Onone, and the last one counts. RaptorQ's bounds are asserted in debug builds only, so there the assertions stay.
for target in package.targets where computing.contains(target.name) {
    let flags = ["-O"] + (target.name == "RaptorQ" ? ["-assert-config", "Debug"] : [])
    target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(flags, .when(configuration: .debug))]
}
