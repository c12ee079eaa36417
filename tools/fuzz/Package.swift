// swift-tools-version: 6.1
import PackageDescription

// One libFuzzer program with a target for everything that takes bytes from outside. `tools/dev fuzz` builds and runs it; a target is a value in one
// of the files of Sources/fuzz, and an entry in the table of Main.swift.
let package = Package(
    name: "heliograph-fuzz",
    dependencies: [.package(name: "heliograph", path: "../..")],
    targets: [.executableTarget(name: "fuzz", dependencies: [.product(name: "EveryReader", package: "heliograph")])],
    swiftLanguageModes: [.v6]
)
