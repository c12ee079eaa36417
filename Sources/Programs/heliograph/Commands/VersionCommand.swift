import ArgumentParser
import CommandKit
import Diagnostics
import Keys
import Presentation
import QRCode
import Sandbox
import TrustStore

/// `--version`: the program, its commit if it is known, and its libraries.
struct VersionCommand: Command, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "version", abstract: "Show the version of the program and of its libraries.",
        shouldDisplay: false)

    @OptionGroup var output: OutputOptions
    var isAboutProgram: Bool { true }

    static var libraries: [Release.Library] {
        [SecretBytes.sodium, TrustStore.library, Sandbox.library] + QRCode.libraries
    }

    private struct Document: Encodable {
        let program = "heliograph"
        let version = Release.version
        let commit = Nullable(Release.commit)
        let libraries: [String: String]
    }

    func execute(_ context: CommandContext) throws {
        let libraries = Self.libraries
        guard json else { return context.console.print(Release.text("heliograph", libraries)) }
        JSONText.print(
            Document(libraries: Dictionary(libraries.map { ($0.name, $0.version) }) { first, _ in first }),
            context.console)
    }
}
