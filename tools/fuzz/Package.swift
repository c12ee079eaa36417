// swift-tools-version: 6.1
import PackageDescription

// libFuzzer targets for everything that takes bytes from outside. Build and run them with `tools/dev fuzz`.
let package = Package(
    name: "heliograph-fuzz",
    dependencies: [.package(name: "heliograph", path: "../..")],
    targets: [
        .target(name: "FuzzDriver"),
        // A link to the hot side's folder, whose package would bring its network packages along.
        .target(name: "NodeAnswers", dependencies: [.product(name: "Diagnostics", package: "heliograph"), .product(name: "Hashing", package: "heliograph"), .product(name: "SubstratePrimitives", package: "heliograph")]),
        .executableTarget(name: "fuzz-hot-json", dependencies: ["FuzzDriver", "NodeAnswers", .product(name: "SubstratePrimitives", package: "heliograph")]),
        .executableTarget(name: "fuzz-raptorq", dependencies: ["FuzzDriver", .product(name: "RaptorQ", package: "heliograph")]),
        .executableTarget(name: "fuzz-zstd", dependencies: ["FuzzDriver", .product(name: "Compression", package: "heliograph")]),
    ],
    swiftLanguageModes: [.v6]
)
