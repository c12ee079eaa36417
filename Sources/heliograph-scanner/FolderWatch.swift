import Glibc

/// Notices pictures that land in folders.
///
/// It looks again and again instead of asking the kernel for events: folders on cameras, phones and network drives send none.
final class FolderWatch {
    /// Seconds between two looks.
    private static let interval = 0.2

    /// A file's size and time of change: a file is taken when two looks find the same.
    private struct State: Equatable {
        let size: Int64
        let seconds: Int
        let nanoseconds: Int
    }

    private let folders: [String]
    private var growing: [String: State] = [:]
    private var taken: [String: State] = [:]
    private(set) var nextLook = 0.0

    init(_ folders: [String]) { self.folders = folders }

    /// Files that are complete and were not returned before, in natural order. A file that changes later comes again.
    func look() -> [String] {
        guard Clock.now >= nextLook else { return [] }
        nextLook = Clock.now + Self.interval
        var found: [String] = []
        for folder in folders {
            let names = (try? Folder.files(folder, limit: InputFeeder.fileLimit, depth: nil)) ?? []
            for name in names { if isComplete(name) { found.append(name) } }
        }
        return found
    }

    private func isComplete(_ path: String) -> Bool {
        var information = stat()
        guard stat(path, &information) == 0, information.st_size > 0 else { return false }
        let state = State(
            size: Int64(information.st_size), seconds: information.st_mtim.tv_sec, nanoseconds: information.st_mtim.tv_nsec)
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
