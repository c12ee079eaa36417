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
    ],
    targets: [
        .target(
            name: "HotStore",
            dependencies: [
                .product(name: "SCALE", package: "heliograph"),
                .product(name: "SQLite", package: "heliograph"),
                .product(name: "SubstratePrimitives", package: "heliograph"),
            ]),
        .executableTarget(
            name: "heliograph-hot",
            dependencies: [
                "HotStore",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Hashing", package: "heliograph"),
                .product(name: "Keys", package: "heliograph"),
                .product(name: "Metadata", package: "heliograph"),
                .product(name: "QRCode", package: "heliograph"),
                .product(name: "SCALE", package: "heliograph"),
                .product(name: "SubstratePrimitives", package: "heliograph"),
                .product(name: "UpdateGenerator", package: "heliograph"),
            ]),
        .executableTarget(
            name: "heliograph-fixture",
            dependencies: [
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "FixtureRuntime", package: "heliograph"),
                .product(name: "Hashing", package: "heliograph"),
                .product(name: "SubstratePrimitives", package: "heliograph"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
