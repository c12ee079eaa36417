/// MANIFEST: a first line such as `# released 2026-11-23 number 412`, then the SHA-256 of every path that the
/// two packages and the archive for amd64 install, a section for each, and where the release is for arm64
/// too, those of its package and its archive. Releases of a former layout lack the first line.
public struct ReleaseManifest: Sendable, Equatable {
    public static let fileName = "MANIFEST"
    /// The limit for the whole file, in bytes. The file is in memory once.
    public static let maximumBytes = 4 << 20
    static let maximumEntries = 20_000
    static let maximumPath = 256

    /// The day of its commit in UTC, and how many commits lead to it: both grow from release to release.
    public struct Released: Sendable, Equatable {
        /// The date of the release, such as `2026-11-23`.
        public let date: String
        public let number: UInt32
    }

    /// nil for a release that states none.
    public let released: Released?
    /// Absolute paths of the package `heliograph` for this machine's architecture, as the next ones are.
    public let cold: [ReleaseDigest]
    /// Absolute paths of the package `heliograph-hot`; none where there is no such package.
    public let hot: [ReleaseDigest]
    /// Paths below the folder that the archive is unpacked to, without that folder's name.
    public let archive: [ReleaseDigest]

    private struct Section {
        let title: [UInt8]
        /// What every path begins with.
        let prefix: [UInt8]
    }

    /// What a program was compiled for.
    public enum Architecture: Sendable, CaseIterable {
        case amd64
        case arm64

        /// What this program was compiled for.
        public static var own: Self {
            #if arch(arm64)
                .arm64
            #else
                .amd64
            #endif
        }
    }

    /// - Parameters:
    ///   - bytes: the file.
    ///   - release: what its signer calls the release.
    ///   - architecture: whose sections are kept. The others are read as strictly.
    public init(_ bytes: [UInt8], of release: ReleaseName, for architecture: Architecture = .own)
        throws(ReleaseError)
    {
        do throws(TextFault) {
            let lines = try TextLines.split(bytes, limit: Self.maximumBytes)
            released = try lines.first.flatMap(Self.released)
            let sections = try Self.read(lines, release, after: released == nil ? 0 : 1)
            switch architecture {
            case .amd64: (cold, hot, archive) = (sections[0], sections[1], sections[2])
            case .arm64:
                guard sections.count == 5 else { throw .missingSection }
                (cold, hot, archive) = (sections[3], [], sections[4])
            }
        } catch {
            throw .badManifest(error)
        }
    }

    /// nil for a line that begins otherwise.
    private static func released(_ line: ArraySlice<UInt8>) throws(TextFault) -> Released? {
        let words = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard words.count > 1, words[0].elementsEqual("#".utf8), words[1].elementsEqual("released".utf8)
        else { return nil }
        func digits(_ text: ArraySlice<UInt8>, _ count: ClosedRange<Int>) -> UInt32? {
            guard count.contains(text.count), text.allSatisfy({ (0x30...0x39).contains($0) }) else {
                return nil
            }
            return UInt32(String(decoding: text, as: UTF8.self))
        }
        guard words.count == 5, words[3].elementsEqual("number".utf8), let number = digits(words[4], 1...9),
            words[4].first != 0x30
        else {
            throw .date(line: 1)
        }
        let parts = words[2].split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.count == 3, digits(parts[0], 4...4) != nil, let month = digits(parts[1], 2...2),
            (1...12).contains(month),
            let day = digits(parts[2], 2...2), (1...31).contains(day)
        else { throw .date(line: 1) }
        return Released(date: String(decoding: words[2], as: UTF8.self), number: number)
    }

    /// - Parameter skipped: lines before the first section.
    private static func read(
        _ lines: [ArraySlice<UInt8>], _ release: ReleaseName, after skipped: Int
    ) throws(TextFault) -> [[ReleaseDigest]] {
        guard lines.count <= maximumEntries else { throw .tooManyLines(limit: maximumEntries) }
        let version = release.version
        func package(_ name: String, _ architecture: String) -> Section {
            Section(
                title: Array("# \(name)_\(version)_\(architecture).deb".utf8), prefix: Array("/usr/".utf8))
        }
        func archive(_ architecture: String) -> Section {
            let name = "heliograph-\(version)-linux-\(architecture)"
            return Section(title: Array("# \(name).tar.gz".utf8), prefix: Array("\(name)/".utf8))
        }
        let amd64 = [package("heliograph", "amd64"), package("heliograph-hot", "amd64"), archive("amd64")]
        let sections = amd64 + [package("heliograph", "arm64"), archive("arm64")]
        var read: [[ReleaseDigest]] = []
        var installed: Set<[UInt8]> = []
        var last: [UInt8] = []
        for (index, line) in lines.enumerated().dropFirst(skipped) {
            let number = index + 1
            if line.first == UInt8(ascii: "#") {
                guard read.last?.isEmpty != true else { throw .emptySection(line: number) }
                guard read.count < sections.count, line.elementsEqual(sections[read.count].title) else {
                    throw .section(line: number)
                }
                // A machine has one architecture, so the paths of the other one are the same.
                if read.count == amd64.count { installed = [] }
                read.append([])
                last = []
                continue
            }
            guard !read.isEmpty else { throw .section(line: number) }
            let prefix = sections[read.count - 1].prefix
            let entry = try ReleaseDigest(line: line, number: number, maximumPath: maximumPath)
            let path = Array(entry.path.utf8)
            guard path.starts(with: prefix), isPlain(path.dropFirst(prefix.count)) else {
                throw .path(line: number)
            }
            // A path of two packages would be checked against one of two digests.
            guard last.lexicographicallyPrecedes(path), installed.insert(path).inserted else {
                throw .order(line: number)
            }
            last = path
            read[read.count - 1].append(entry)
        }
        guard read.count == amd64.count || read.count == sections.count else { throw .missingSection }
        guard read.last?.isEmpty == false else { throw .emptySection(line: lines.count + 1) }
        return read
    }

    /// Names with single slashes between: none is empty, `.` or `..`.
    private static func isPlain(_ path: ArraySlice<UInt8>) -> Bool {
        path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy { name in
            !name.isEmpty && name.allSatisfy(ReleaseDigest.isNameByte)
                && !name.allSatisfy { $0 == UInt8(ascii: ".") }
        }
    }
}

/// The lines of a text file of a release. Each ends with a line feed, also the last one, so that no prefix of
/// a file is taken for the file.
enum TextLines {
    static func split(_ bytes: [UInt8], limit: Int) throws(TextFault) -> [ArraySlice<UInt8>] {
        guard bytes.count <= limit else { throw .tooLong(limit: limit) }
        guard bytes.last == UInt8(ascii: "\n") else { throw .truncated }
        return bytes.dropLast().split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    }
}
