// swift-tools-version: 6.1
import PackageDescription

// libFuzzer targets for everything that takes bytes from outside. Build and run them with `tools/fuzz/run`.
let package = Package(
    name: "heliograph-fuzz",
    dependencies: [.package(name: "heliograph", path: "../..")],
    targets: [
        .executableTarget(name: "fuzz-raptorq", dependencies: [.product(name: "RaptorQ", package: "heliograph")])
    ],
    swiftLanguageModes: [.v6]
)
