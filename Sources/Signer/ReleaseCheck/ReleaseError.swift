import Diagnostics

/// Why a release is not what its signer published, or why that cannot be told.
public enum ReleaseError: Error, Equatable {
    /// Whoever made the directory chose the key in it, so it proves nothing.
    case keyInside(path: String)
    case badKey(TextFault)
    case badSignatureFile(TextFault)
    /// Ids as minisign prints them.
    case otherKey(signed: String, expected: String)
    case wrongSignature
    case wrongComment
    case badComment
    case badSums(TextFault)
    /// SHA256SUMS does not name exactly the files of its version.
    case otherFiles(version: String)
    case badManifest(TextFault)
    case noManifest
    /// Files in the directory that the release does not name.
    case unnamed([String])
    /// Files of the directory that differ from SHA256SUMS, or are not regular files.
    case filesDiffer([String])
    /// Installed files that differ from MANIFEST or are missing.
    case installedDiffer(differ: [String], missing: [String])
    case notInstalled(program: String)
    case otherRelease(program: String, release: String)
}

extension ReleaseError: DiagnosticError {
    public var diagnostic: Diagnostic {
        switch self {
        case .keyInside(let path):
            .refused(
                "key-in-release",
                "the key file \(path) is inside the release directory, so it proves nothing",
                hint: "take the public key from somewhere else, such as the "
                    + "project's page, and keep it in another directory")
        case .badKey(let fault):
            .badInput(
                "bad-release-key", "the key file is not a minisign public key: \(fault.text)",
                hint: "--key takes the file that minisign calls minisign.pub")
        case .badSignatureFile(let fault):
            .badInput(
                "bad-release-signature",
                "the file SHA256SUMS.minisig is not a minisign signature: \(fault.text)",
                hint: "install nothing of it; fetch the release again")
        case .otherKey(let signed, let expected):
            .badInput(
                "other-release-key",
                "the file SHA256SUMS is signed by the key \(signed), "
                    + "not by the key \(expected) of the key file",
                hint: "compare the key file with the key on the project's page")
        case .wrongSignature:
            .badInput(
                "release-signature-wrong", "the signature of SHA256SUMS is wrong",
                hint: "install nothing of it; fetch the release again")
        case .wrongComment:
            .badInput(
                "release-signature-wrong", "the signature of the trusted comment is wrong",
                hint: "install nothing of it; fetch the release again")
        case .badComment:
            .badInput(
                "bad-release-comment", "the trusted comment does not name a release and its commit",
                hint: "install nothing of it; fetch the release again")
        case .badSums(let fault):
            .badInput(
                "bad-release-sums", "the file SHA256SUMS is malformed: \(fault.text)",
                hint: "install nothing of it; fetch the release again")
        case .otherFiles(let version):
            .badInput(
                "bad-release-sums",
                "the file SHA256SUMS does not name exactly the files of heliograph \(version)",
                hint: "install nothing of it; fetch the release again")
        case .badManifest(let fault):
            .badInput(
                "bad-release-manifest", "the file MANIFEST is malformed: \(fault.text)",
                hint: "install nothing of it; fetch the release again")
        case .noManifest:
            .refused(
                "no-release-manifest", "the file MANIFEST is missing in the release directory",
                hint: "fetch MANIFEST of this release into the directory")
        case .unnamed(let names):
            .refused(
                "release-extra-file",
                "the release directory holds \(Self.list(names, "file")) that SHA256SUMS does not name",
                hint: "keep the files of a release in a directory of their own")
        case .filesDiffer(let names):
            .badInput(
                "release-file-differs",
                "\(Self.list(names, "file")) of the release \(names.count == 1 ? "differs" : "differ") "
                    + "from SHA256SUMS", hint: "install nothing of it; fetch the release again")
        case .installedDiffer(let differ, let missing):
            .badInput(
                "installed-file-differs",
                [
                    differ.isEmpty
                        ? nil
                        : """
                        \(Self.list(differ, "installed file")) \(differ.count == 1 ? "differs" : "differ") \
                        from MANIFEST
                        """,
                    missing.isEmpty
                        ? nil
                        : """
                        \(Self.list(missing, "installed file")) \(missing.count == 1 ? "is" : "are") missing
                        """,
                ].compactMap { $0 }.joined(separator: "; "),
                hint: "install the release again, then find out who changed its files")
        case .notInstalled(let program):
            .refused(
                "program-not-installed",
                "this program (\(program)) is not installed by a package or from the release archive",
                hint: "add --files-only to verify the release directory without installed files")
        case .otherRelease(let program, let release):
            .refused(
                "other-release",
                "this program is heliograph \(program), but the release is heliograph \(release)",
                hint: "add --files-only to verify the release directory without installed files")
        }
    }

    /// At most three names, and how many there are.
    private static func list(_ names: [String], _ noun: String) -> String {
        let shown = names.prefix(3).joined(separator: ", ") + (names.count > 3 ? ", ..." : "")
        return "\(Sentence.count(names.count, noun)) (\(shown))"
    }

    public static var examples: [ReleaseError] {
        let hex = String(repeating: "5e", count: 20)
        return [
            .keyInside(path: "heliograph-0.1.0/key.pub"), .badKey(.lines(expected: 2)),
            .badSignatureFile(.base64(line: 2)),
            .otherKey(signed: "1122334455667788", expected: "8877665544332211"), .wrongSignature,
            .wrongComment, .badComment,
            .badSums(.order(line: 3)), .otherFiles(version: "0.1.0"), .badManifest(.path(line: 7)),
            .noManifest,
            .unnamed(["heliograph_0.1.1_amd64.deb"]), .filesDiffer(["MANIFEST"]),
            .filesDiffer(["MANIFEST", "heliograph_0.1.0_amd64.deb"]),
            .installedDiffer(differ: ["/usr/bin/heliograph"], missing: []),
            .installedDiffer(
                differ: [], missing: ["/usr/bin/heliograph-scanner", "/usr/share/man/man1/heliograph.1.gz"]),
            .notInstalled(program: "/usr/local/heliograph"),
            .otherRelease(program: "0.1.0 (commit unknown)", release: "0.1.1 (commit \(hex))"),
        ]
    }
}

/// What is wrong with a text file of a release.
public enum TextFault: Error, Equatable, Sendable {
    case tooLong(limit: Int)
    /// The last line has no end: the file was truncated.
    case truncated
    case lines(expected: Int)
    case tooManyLines(limit: Int)
    case comment(line: Int)
    case base64(line: Int)
    case algorithm
    case digest(line: Int)
    case path(line: Int)
    case order(line: Int)
    case date(line: Int)
    case section(line: Int)
    case emptySection(line: Int)
    case missingSection

    var text: String {
        switch self {
        case .tooLong(let limit): "it has more than \(limit) bytes"
        case .truncated: "its last line has no end"
        case .lines(let expected): "it does not have \(expected) lines"
        case .tooManyLines(let limit): "it has more than \(limit) lines"
        case .comment(let line): "line \(line) is not the expected comment"
        case .base64(let line): "line \(line) is not base64 of the right length"
        case .algorithm: "it is not for Ed25519"
        case .digest(let line): "line \(line) does not begin with a SHA-256 digest and two spaces"
        case .path(let line): "line \(line) has an invalid path"
        case .order(let line): "line \(line) is a duplicate or out of order"
        case .date(let line): "line \(line) does not state a date and a number"
        case .section(let line): "line \(line) does not name the expected section"
        case .emptySection(let line): "the section before line \(line) is empty"
        case .missingSection: "a section is missing"
        }
    }
}
