// swift-tools-version: 6.1
import PackageDescription

// libFuzzer targets for everything that takes bytes from outside. Build and run them with `tools/dev fuzz`.
let package = Package(
    name: "heliograph-fuzz",
    dependencies: [.package(name: "heliograph", path: "../..")],
    targets: [
        .target(name: "FuzzDriver"),
        .executableTarget(name: "fuzz-raptorq", dependencies: ["FuzzDriver", .product(name: "RaptorQ", package: "heliograph")]),
        .executableTarget(name: "fuzz-zstd", dependencies: ["FuzzDriver", .product(name: "Compression", package: "heliograph")]),
    ],
    swiftLanguageModes: [.v6]
)
