import ArgumentParser
import CommandKit
import Diagnostics
import Glibc
import Lines
import Presentation
import ReleaseCheck
import SystemIO
import TerminalIO

/// `verify-release`: a downloaded release against a key from elsewhere, then the files that are installed
/// from it.
///
/// This is only a first check, because a changed program can print anything. For proof, use minisign and
/// sha256sum on another machine.
struct VerifyRelease: Command, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "verify-release",
        abstract: "Verify a release and its installed files with a minisign key.",
        discussion: """
            The directory holds SHA256SUMS, SHA256SUMS.minisig, MANIFEST and the packages of one release, \
            and nothing else. The key must come from \
            elsewhere: whoever made the directory could have added a key of his own. Packages that were not downloaded are listed as absent.

            A changed program can lie. On another machine, minisign and sha256sum do the same:
              minisign -Vm SHA256SUMS -p KEYFILE
              sha256sum --check --ignore-missing SHA256SUMS
              cd / && sha256sum --check --ignore-missing DIR/MANIFEST
            """)

    @Argument(help: "The directory of the release.", completion: .directory) var directory: String
    @Option(help: "The minisign public key, from a file outside the directory.", completion: .file()) var key:
        String
    @Flag(
        help: "Verify the release directory only, e.g. before an upgrade (default: also the installed files)."
    ) var filesOnly = false
    @OptionGroup var output: OutputOptions

    static let notice =
        "a changed program can lie; repeat this with minisign and sha256sum on another machine"

    var isAboutProgram: Bool { true }
    /// It reads files that a shell did not open when it closed itself in.
    var place: CommandPlace { .alone }

    private struct Document: Encodable {
        let version: String
        let commit: String
        let trusted_comment: String
        let released: Nullable<String>
        let number: Nullable<UInt32>
        let older_than_program: Bool
        let key: String
        let signature: String
        let files: [File]
        let installed: Nullable<Installed>
        let notice: String

        struct File: Encodable {
            let name: String
            let status: String
        }

        struct Installed: Encodable {
            let directory: String
            let files: Int
            let hot_files: Nullable<Int>
        }
    }

    func access() throws -> Access {
        let installation = filesOnly ? nil : Installation(program: try Self.resolved(Files.program))
        return Access(
            readable: [directory, key] + (installation.map { [$0.directory, Files.program] } ?? []))
    }

    func execute(_ context: CommandContext) throws {
        do { try verify(context) } catch let error as SystemError {
            let path = error.path ?? directory
            throw CommandError.file(path: path, errno: error.errno)
        }
    }

    private func verify(_ context: CommandContext) throws {
        let release = try verified()
        let installation = try installation(of: release)
        if !json { tell(release, context.console) }
        let isOlder = release.name.isOlder(
            release.manifest.released, than: Release.version, number: Release.number)
        if isOlder {
            let (found, own) = (
                Wording.release(release.name.version, release.manifest.released?.number),
                Wording.release(Release.version, Release.number)
            )
            context.console.alarm(Wording.olderRelease(found, than: own))
        }
        let installed = try installation.map { ($0.directory, try InstalledFiles($0, release.manifest)) }
        guard json else {
            if let installed { context.console.print(Wording.installed(installed.1, below: installed.0)) }
            return context.console.print(Self.notice)
        }
        JSONText.print(
            Document(
                version: release.name.version, commit: release.name.commit,
                trusted_comment: release.trustedComment,
                released: Nullable(release.manifest.released?.date),
                number: Nullable(release.manifest.released?.number),
                older_than_program: isOlder, key: release.keyName, signature: release.algorithm.rawValue,
                files: release.files.map {
                    Document.File(name: $0.name, status: $0.isThere ? "verified" : "absent")
                },
                installed: Nullable(
                    installed.map {
                        Document.Installed(directory: $0, files: $1.cold, hot_files: Nullable($1.hot))
                    }),
                notice: Self.notice), context.console)
    }

    private func verified() throws -> ReleaseDirectory {
        let (directory, key) = (try Self.resolved(directory), try Self.resolved(key))
        try ReleaseDirectory.requireOutside(key, of: directory)
        let file = try OwnedDescriptor(key, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
        try ReleaseDirectory.requireOutside(file, at: key, of: directory)
        return try ReleaseDirectory(
            directory, key: MinisignKey(file: file.readAll(limit: MinisignKey.maximumBytes)))
    }

    /// Where the files of this program are; nil where only the directory is asked about.
    private func installation(of release: ReleaseDirectory) throws -> Installation? {
        guard !filesOnly else { return nil }
        let program = try Self.resolved(Files.program)
        guard let installation = Installation(program: program) else {
            throw ReleaseError.notInstalled(program: program)
        }
        try release.requireProgram(version: Release.version, commit: Release.commit)
        return installation
    }

    private func tell(_ release: ReleaseDirectory, _ console: Console) {
        console.print("signed by key \(release.keyName)")
        console.print("trusted comment: \(Escape.terminal(release.trustedComment))")
        if let released = release.manifest.released {
            console.print("released \(released.date), number \(released.number)")
        }
        for file in release.files {
            console.print("\(file.isThere ? "verified" : "absent  ")  \(Escape.terminal(file.name))")
        }
    }

    /// The path without links, so that each directory has only one name.
    private static func resolved(_ path: String) throws -> String {
        guard let resolved = realpath(path, nil) else { throw CommandError.file(path: path, errno: errno) }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}

extension Wording {
    static func release(_ version: String, _ number: UInt32?) -> String {
        version + (number.map { " number \($0)" } ?? "")
    }

    static func olderRelease(_ release: String, than program: String) -> String {
        """
        release \(release) is older than this program, \(program): its signature stays right for ever, and \
        so do the faults that a later release mended; compare its date and number with the project's page
        """
    }

    static func installed(_ files: InstalledFiles, below directory: String) -> String {
        let hot = files.hot.map { ", of them \($0) of heliograph-hot" } ?? ""
        return Escape.terminal(
            """
            \(Sentence.count(files.cold + (files.hot ?? 0), "installed file")) below \(directory) \
            verified\(hot)
            """
        )
    }
}
