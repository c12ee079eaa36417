/// The name that the signer gives a release, `heliograph VERSION commit HEX`: the trusted comment of
/// SHA256SUMS.
public struct ReleaseName: Sendable, Equatable {
    /// Three numbers with points between.
    public let version: String
    /// 40 hex digits in lower case.
    public let commit: String

    public init(trustedComment bytes: [UInt8]) throws(ReleaseError) {
        let words = bytes.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard words.count == 4, words[0].elementsEqual("heliograph".utf8),
            words[2].elementsEqual("commit".utf8), Self.isVersion(words[1]),
            words[3].count == 40, words[3].allSatisfy(ReleaseDigest.isLowerHex)
        else { throw .badComment }
        version = String(decoding: words[1], as: UTF8.self)
        commit = String(decoding: words[3], as: UTF8.self)
    }

    /// Whether its version is below the running program's, or within one version its number. An older release
    /// has older faults, and its signature stays valid for ever. The release itself cannot show that it is
    /// old, so the running program compares. A release without a number is older than every program that has
    /// one.
    /// - Parameters:
    ///   - released: the statement in the manifest of this release.
    ///   - version: the version of the running program.
    ///   - number: the number of the running program; nil for a build by hand, which is compared by its
    ///     version alone.
    public func isOlder(_ released: ReleaseManifest.Released?, than version: String, number: UInt32?) -> Bool
    {
        func numbers(_ text: String) -> [UInt32] {
            text.utf8.split(separator: UInt8(ascii: ".")).map { UInt32(String($0)!) ?? 0 }
        }
        let (own, program) = (numbers(self.version), numbers(version))
        guard own == program else { return own.lexicographicallyPrecedes(program) }
        guard let number else { return false }
        return (released?.number ?? 0) < number
    }

    /// The files of a release for amd64 in the order of SHA256SUMS.
    var files: [String] {
        [
            "MANIFEST", "heliograph-\(version)-appliance.img", "heliograph-\(version)-linux-amd64.tar.gz",
            "heliograph-\(version)-source.tar.gz", "heliograph-\(version).spdx.json",
            "heliograph-hot_\(version)_amd64.deb", "heliograph_\(version)_amd64.deb",
        ]
    }

    /// The files of a release that is for arm64 too, in the order of SHA256SUMS.
    var filesWithArm64: [String] {
        (files + ["heliograph-\(version)-linux-arm64.tar.gz", "heliograph_\(version)_arm64.deb"])
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Three numbers of at most 5 digits without leading zeros.
    private static func isVersion(_ text: ArraySlice<UInt8>) -> Bool {
        let numbers = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return numbers.count == 3
            && numbers.allSatisfy { number in
                (1...5).contains(number.count) && number.allSatisfy { (0x30...0x39).contains($0) }
                    && (number.count == 1 || number.first != 0x30)
            }
    }
}
