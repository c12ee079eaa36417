import Shield

/// What tests run as a process of its own: in another network namespace, or to be killed.
@main
enum TrustProbe {
    static func main() {
        switch CommandLine.arguments.dropFirst().first {
        case "shield": for finding in NetworkDetector().report().findings { print(finding) }
        default: fatalError("usage: trust-probe shield")
        }
    }
}
