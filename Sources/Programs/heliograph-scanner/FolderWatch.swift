import Glibc
import ScanProtocol

/// Notices pictures that land in folders.
///
/// It polls instead of asking the kernel for events, because folders on cameras, phones and network drives
/// send none.
final class FolderWatch {
    /// Seconds between two looks.
    private static let interval = 0.2

    /// A file's size and time of change: a file is taken when two looks find the same.
    private struct State: Equatable {
        let size: Int64
        let seconds: Int
        let nanoseconds: Int
    }

    private var folders: [String]
    private let skipsPresent: Bool
    private let skipsAnswers: Bool
    private var growing: [FilePath: State] = [:]
    private var taken: [FilePath: State] = [:]
    private(set) var nextLook = 0.0
    private var isFirstLook = true

    /// - Parameters:
    ///   - skipsPresent: whether files are left out that the first look finds, until they change.
    ///   - skipsAnswers: whether files are left out whose names say that they are answers.
    init(_ folders: [String], skipsPresent: Bool = false, skipsAnswers: Bool = false) {
        self.folders = folders
        self.skipsPresent = skipsPresent
        self.skipsAnswers = skipsAnswers
    }

    /// Whether there is a folder in which something can land.
    var isWatching: Bool { !folders.isEmpty }

    /// Files that are complete and were not returned before, in natural order. A file that changes later
    /// comes again.
    ///
    /// A folder that cannot be listed at the first look is reported and given up: the sandbox admits only
    /// what was there at the start. A folder that disappears later, with the card that it is on, may come
    /// back.
    func look() -> Folder.Listing {
        var found = Folder.Listing()
        guard Clock.now >= nextLook else { return found }
        nextLook = Clock.now + Self.interval
        for folder in folders {
            let listing = Folder.list(folder, limit: InputFeeder.fileLimit, depth: nil)
            if isFirstLook { found.problems += listing.problems }
            let files = listing.files.filter { !skipsAnswers || !$0.isAnswer }
            if isFirstLook, skipsPresent {
                for file in files { taken[file] = state(of: file) }
            } else {
                found.files += files.filter(isComplete)
            }
        }
        if isFirstLook {
            folders.removeAll { folder in
                found.problems.contains {
                    if case .cannotOpen = $0.problem { $0.path == folder } else { false }
                }
            }
        }
        isFirstLook = false
        return found
    }

    /// nil for an empty file, and for one that is gone.
    private func state(of path: FilePath) -> State? {
        var information = stat()
        guard path.call({ stat($0, &information) }) == 0, information.st_size > 0 else { return nil }
        return State(
            size: Int64(information.st_size), seconds: information.st_mtim.tv_sec,
            nanoseconds: information.st_mtim.tv_nsec)
    }

    private func isComplete(_ path: FilePath) -> Bool {
        guard let state = state(of: path) else { return false }
        guard taken[path] != state else { return false }
        guard growing[path] == state else {
            growing[path] = state
            return false
        }
        growing[path] = nil
        taken[path] = state
        return true
    }
}

extension FilePath {
    fileprivate var isAnswer: Bool {
        bytes.suffix(AnswerName.ending.utf8.count).elementsEqual(AnswerName.ending.utf8)
    }
}
