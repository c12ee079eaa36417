// swift-tools-version: 6.1
import PackageDescription

// Targets stand in the order of their layers; a target depends only on layers below it.
let package = Package(
    name: "heliograph",
    products: [
        .library(name: "SCALE", targets: ["SCALE"]),
        .library(name: "Hashing", targets: ["Hashing"]),
        .library(name: "Cards", targets: ["Cards"]),
        .library(name: "SubstratePrimitives", targets: ["SubstratePrimitives"]),
    ],
    targets: [
        // Layer 0: C libraries
        .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
        // Layer 1
        .target(name: "SCALE"),
        .target(name: "Hashing", dependencies: ["CSodium"]),
        .target(name: "Cards"),
        // Layer 2
        .target(name: "SubstratePrimitives", dependencies: ["SCALE", "Hashing"]),
        // Tests
        .testTarget(name: "SCALETests", dependencies: ["SCALE"]),
        .testTarget(name: "SubstratePrimitivesTests", dependencies: ["SubstratePrimitives"]),
    ],
    swiftLanguageModes: [.v6]
)
