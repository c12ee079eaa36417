// swift-tools-version: 6.1
import PackageDescription

// One libFuzzer program with a target for everything that takes bytes from outside. `tools/dev fuzz` builds
// and runs it; a target is a value in one of the files beside tools/fuzz/Sources/fuzz/Main.swift, in the
// table of its file.
let package = Package(
    name: "heliograph-fuzz",
    dependencies: [.package(name: "heliograph", path: "../..")],
    targets: [
        // A link to the hot side's folder, whose package would bring its network packages along.
        .target(name: "NodeAnswers", dependencies: [.product(name: "EveryReader", package: "heliograph")]),
        .executableTarget(name: "fuzz", dependencies: ["NodeAnswers", .product(name: "EveryReader", package: "heliograph")]),
    ],
    swiftLanguageModes: [.v6]
)
