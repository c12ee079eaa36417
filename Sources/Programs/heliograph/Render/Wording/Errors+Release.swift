import Diagnostics
import ReleaseCheck

// A release that is not what its signer published.

extension ReleaseError: ProgramError {
    var exit: Diagnostic.Exit {
        switch self {
        case .keyInside, .noManifest, .unnamed, .notInstalled, .otherRelease: .refused
        case .badKey, .badSignatureFile, .otherKey, .wrongSignature, .wrongComment, .badComment, .badSums, .otherFiles, .badManifest,
            .filesDiffer,
            .installedDiffer:
            .badInput
        }
    }

    var hint: String? {
        switch self {
        case .keyInside: "take the public key from somewhere else, such as the project's page, and keep it in another directory"
        case .badKey: "--key takes the file that minisign calls minisign.pub"
        case .otherKey: "compare the key file with the key on the project's page"
        case .badSignatureFile, .wrongSignature, .wrongComment, .badComment, .badSums, .otherFiles, .badManifest, .filesDiffer:
            "install nothing of it; fetch the release again"
        case .noManifest: "fetch MANIFEST of this release into the directory"
        case .unnamed: "keep the files of a release in a directory of their own"
        case .installedDiffer: "install the release again, then find out who changed its files"
        case .notInstalled, .otherRelease: "add --files-only to verify the release directory without installed files"
        }
    }
}
