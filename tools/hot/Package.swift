// swift-tools-version: 6.1
import PackageDescription

// The hot side is a package of its own, so that the manifest of the cold programs names no network package.
let package = Package(
    name: "heliograph-hot",
    products: [
        .executable(name: "heliograph-fixture", targets: ["heliograph-fixture"])
    ],
    dependencies: [
        .package(name: "heliograph", path: "../.."),
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    ],
    targets: [
        .executableTarget(
            name: "heliograph-fixture",
            dependencies: [
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "FixtureRuntime", package: "heliograph"),
                .product(name: "Hashing", package: "heliograph"),
                .product(name: "SubstratePrimitives", package: "heliograph"),
            ])
    ],
    swiftLanguageModes: [.v6]
)
