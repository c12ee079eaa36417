// swift-tools-version: 6.1
import PackageDescription

// The hot side is a package of its own, so that the manifest of the cold programs names no network package.
let package = Package(
    name: "heliograph-hot",
    products: [
        .executable(name: "heliograph-hot", targets: ["heliograph-hot"]),
        .executable(name: "heliograph-fixture", targets: ["heliograph-fixture"]),
    ],
    dependencies: [
        .package(name: "heliograph", path: "../.."),
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
    ],
    targets: [
        .target(
            name: "HotStore",
            dependencies: [
                .product(name: "Diagnostics", package: "heliograph"),
                .product(name: "Hashing", package: "heliograph"),
                .product(name: "SCALE", package: "heliograph"),
                .product(name: "SQLite", package: "heliograph"),
                .product(name: "SubstratePrimitives", package: "heliograph"),
                .product(name: "SystemIO", package: "heliograph"),
            ]),
        // What nodes are asked and what they answer, without a connection: `tools/dev fuzz node` builds it alone.
        .target(
            name: "NodeAnswers",
            dependencies: [
                .product(name: "Diagnostics", package: "heliograph"),
                .product(name: "Hashing", package: "heliograph"),
                .product(name: "SubstratePrimitives", package: "heliograph"),
            ]),
        // A chain in memory for practice, without a connection
        .target(
            name: "PracticeChain",
            dependencies: [
                "NodeAnswers",
                .product(name: "Extrinsics", package: "heliograph"),
                .product(name: "FixtureRuntime", package: "heliograph"),
                .product(name: "Hashing", package: "heliograph"),
                .product(name: "Keys", package: "heliograph"),
                .product(name: "Metadata", package: "heliograph"),
                .product(name: "SCALE", package: "heliograph"),
                .product(name: "StateProof", package: "heliograph"),
                .product(name: "SubstratePrimitives", package: "heliograph"),
                .product(name: "UOS", package: "heliograph"),
            ]),
        // The only network code of the project
        .target(
            name: "ChainRPC",
            dependencies: [
                "NodeAnswers",
                .product(name: "Diagnostics", package: "heliograph"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "Hashing", package: "heliograph"),
                .product(name: "SCALE", package: "heliograph"),
                .product(name: "SubstratePrimitives", package: "heliograph"),
            ]),
        .target(
            name: "HotTransactions",
            dependencies: [
                .product(name: "Diagnostics", package: "heliograph"),
                .product(name: "Cards", package: "heliograph"),
                .product(name: "Extrinsics", package: "heliograph"),
                .product(name: "Hashing", package: "heliograph"),
                .product(name: "Metadata", package: "heliograph"),
                .product(name: "SCALE", package: "heliograph"),
                .product(name: "SubstratePrimitives", package: "heliograph"),
                .product(name: "UOS", package: "heliograph"),
            ]),
        // What a runtime says of itself, from a file: it is run by nodejs in a process that can do nothing else
        .target(
            name: "RuntimeWasm",
            dependencies: [
                .product(name: "Compression", package: "heliograph"),
                .product(name: "Diagnostics", package: "heliograph"),
                .product(name: "Hashing", package: "heliograph"),
                .product(name: "Metadata", package: "heliograph"),
                .product(name: "SCALE", package: "heliograph"),
                .product(name: "Sandbox", package: "heliograph"),
                .product(name: "SubstratePrimitives", package: "heliograph"),
                .product(name: "SystemIO", package: "heliograph"),
            ]),
        .executableTarget(
            name: "heliograph-hot",
            dependencies: [
                "ChainRPC",
                "HotStore",
                "HotTransactions",
                "NodeAnswers",
                "PracticeChain",
                "RuntimeWasm",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Cards", package: "heliograph"),
                .product(name: "Compression", package: "heliograph"),
                .product(name: "Diagnostics", package: "heliograph"),
                .product(name: "Extrinsics", package: "heliograph"),
                .product(name: "GroupCollect", package: "heliograph"),
                .product(name: "Hashing", package: "heliograph"),
                .product(name: "Keys", package: "heliograph"),
                .product(name: "Metadata", package: "heliograph"),
                .product(name: "QRCode", package: "heliograph"),
                .product(name: "RaptorQ", package: "heliograph"),
                .product(name: "SCALE", package: "heliograph"),
                .product(name: "SQLite", package: "heliograph"),
                .product(name: "ScannerClient", package: "heliograph"),
                .product(name: "StateProof", package: "heliograph"),
                .product(name: "SubstratePrimitives", package: "heliograph"),
                .product(name: "SystemIO", package: "heliograph"),
                .product(name: "Threshold", package: "heliograph"),
                .product(name: "Lines", package: "heliograph"),
                .product(name: "UOS", package: "heliograph"),
            ]),
        .executableTarget(
            name: "heliograph-fixture",
            dependencies: [
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "FixtureRuntime", package: "heliograph"),
                .product(name: "Hashing", package: "heliograph"),
                .product(name: "SubstratePrimitives", package: "heliograph"),
            ]),
        .testTarget(
            name: "HotStoreTests",
            dependencies: [
                "HotStore",
                .product(name: "SQLite", package: "heliograph"),
                .product(name: "SubstratePrimitives", package: "heliograph"),
            ]),
        .testTarget(
            name: "RuntimeWasmTests",
            dependencies: [
                "RuntimeWasm",
                .product(name: "Compression", package: "heliograph"),
                .product(name: "FixtureRuntime", package: "heliograph"),
                .product(name: "Hashing", package: "heliograph"),
                .product(name: "Metadata", package: "heliograph"),
                .product(name: "SCALE", package: "heliograph"),
                .product(name: "Sandbox", package: "heliograph"),
                .product(name: "SubstratePrimitives", package: "heliograph"),
            ]),
        .testTarget(
            name: "HotTransactionsTests",
            dependencies: [
                "HotTransactions",
                .product(name: "Extrinsics", package: "heliograph"),
                .product(name: "FixtureRuntime", package: "heliograph"),
                .product(name: "Hashing", package: "heliograph"),
                .product(name: "Metadata", package: "heliograph"),
                .product(name: "SubstratePrimitives", package: "heliograph"),
            ]),
        .testTarget(
            name: "HotCommandTests",
            dependencies: [
                "ChainRPC",
                "HotStore",
                "HotTransactions",
                "NodeAnswers",
                "RuntimeWasm",
                "heliograph-hot",
                .product(name: "Diagnostics", package: "heliograph"),
                .product(name: "Extrinsics", package: "heliograph"),
                .product(name: "FixtureRuntime", package: "heliograph"),
                .product(name: "Hashing", package: "heliograph"),
                .product(name: "Keys", package: "heliograph"),
                .product(name: "Metadata", package: "heliograph"),
                .product(name: "SCALE", package: "heliograph"),
                .product(name: "SQLite", package: "heliograph"),
                .product(name: "StateProof", package: "heliograph"),
                .product(name: "SubstratePrimitives", package: "heliograph"),
                .product(name: "SystemIO", package: "heliograph"),
                .product(name: "UOS", package: "heliograph"),
            ]),
        .testTarget(
            name: "PracticeChainTests",
            dependencies: [
                "NodeAnswers",
                "PracticeChain",
                .product(name: "FixtureRuntime", package: "heliograph"),
                .product(name: "Hashing", package: "heliograph"),
                .product(name: "Keys", package: "heliograph"),
                .product(name: "SCALE", package: "heliograph"),
                .product(name: "StateProof", package: "heliograph"),
                .product(name: "SubstratePrimitives", package: "heliograph"),
                .product(name: "UOS", package: "heliograph"),
            ]),
        .testTarget(
            name: "NodeAnswersTests",
            dependencies: ["NodeAnswers", .product(name: "SubstratePrimitives", package: "heliograph")]),
        .testTarget(
            name: "ChainRPCTests",
            dependencies: [
                "ChainRPC",
                "NodeAnswers",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "FixtureRuntime", package: "heliograph"),
                .product(name: "Hashing", package: "heliograph"),
                .product(name: "SCALE", package: "heliograph"),
                .product(name: "SubstratePrimitives", package: "heliograph"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
