import Glibc
import ScanProtocol

/// Notices pictures that land in folders, and gives them out one by one.
///
/// It polls instead of asking the kernel for events, because folders on cameras, phones and network drives
/// send none.
///
/// Others may write to the folder. Whoever fills it can make the pictures of others wait. Nothing prevents
/// that, because who may write may also remove; three rules keep it from happening unnoticed. Files are given
/// out in the order in which they came, and their owners take turns, so another user's thousand files delay a
/// picture by one file. Pictures that wait are counted (``news()``). And a watch that cannot see new files
/// any more ends.
final class FolderWatch {
    /// Seconds between two looks, at least.
    private static let interval = 0.2
    /// How often the time of a look passes before the next one: looks at a large folder leave time for its
    /// pictures.
    private static let pause = 10.0
    /// Pictures that may wait without a word, and seconds that one of them may.
    private static let patientPictures = 100
    private static let patientSeconds = 10.0
    /// Seconds between two words about it.
    private static let newsInterval = 30.0

    /// A file's size and time of change: a file is taken when two looks find the same.
    private struct State: Equatable {
        let size: Int64
        let seconds: Int
        let nanoseconds: Int
    }

    /// A path, and the folder that was there at the first look. The sandbox admits that one only, and keeps
    /// its number from being given to another.
    private struct Watched {
        let path: String
        var identity: (device: dev_t, number: ino_t)?
    }

    private var folders: [Watched]
    private let skipsPresent: Bool
    private let skipsAnswers: Bool
    private var growing: [FilePath: State] = [:]
    private var taken: [FilePath: State] = [:]
    /// Files that wait, by their owners; the owner whose turn it is stands first.
    private var turns: [(owner: uid_t, files: ArraySlice<(path: FilePath, since: Double)>)] = []
    private var waiting: Set<FilePath> = []
    private var problems: [(path: String, problem: PictureProblem)] = []
    private(set) var nextLook = 0.0
    private var nextNews = 0.0
    private var isFirstLook = true

    /// - Parameters:
    ///   - skipsPresent: whether files are left out that the first look finds, until they change.
    ///   - skipsAnswers: whether files are left out whose names say that they are answers.
    init(_ folders: [String], skipsPresent: Bool = false, skipsAnswers: Bool = false) {
        self.folders = folders.map { Watched(path: $0) }
        self.skipsPresent = skipsPresent
        self.skipsAnswers = skipsAnswers
    }

    /// Whether there is a folder in which something can land.
    var isWatching: Bool { !folders.isEmpty }

    /// A file that is complete and was not given out before; one that changes later comes again. nil where
    /// none waits.
    func next() -> FilePath? {
        look()
        guard var turn = turns.first, let file = turn.files.popFirst() else { return nil }
        turns.removeFirst()
        if !turn.files.isEmpty { turns.append(turn) }
        waiting.remove(file.path)
        return file.path
    }

    /// A folder that cannot be watched, or cannot be watched any longer. Each is told once; nil where none is
    /// left.
    func nextProblem() -> (path: String, problem: PictureProblem)? {
        problems.isEmpty ? nil : problems.removeFirst()
    }

    /// How many files wait, where that is worth a word: they are many, or one of them has waited for long.
    func news() -> Int? {
        let now = Clock.now
        guard now >= nextNews, let first = turns.compactMap(\.files.first?.since).min(),
            waiting.count > Self.patientPictures || now - first >= Self.patientSeconds
        else { return nil }
        nextNews = now + Self.newsInterval
        return waiting.count
    }

    /// Looks whether something has landed, also while files wait.
    ///
    /// A folder that cannot be listed at the first look is given up, and the others are watched. Later the
    /// first loss ends the watch: the sandbox admits only what was there at the start, so a folder that is
    /// put in its place is never seen, nor is a card that is mounted again.
    func look() {
        let start = Clock.now
        guard start >= nextLook else { return }
        var kept: [Watched] = []
        for var folder in folders {
            if let problem = moved(&folder) {
                problems.append((folder.path, problem))
                continue
            }
            let listing = Folder.list(folder.path, limit: InputFeeder.fileLimit, depth: nil)
            problems += listing.problems
            guard listing.problems.isEmpty else { continue }
            take(listing.files, at: start)
            kept.append(folder)
        }
        folders = isFirstLook || kept.count == folders.count ? kept : []
        isFirstLook = false
        nextLook = Clock.now + max(Self.interval, Self.pause * (Clock.now - start))
    }

    /// Why a path does not lead to the folder of the first look any more.
    private func moved(_ folder: inout Watched) -> PictureProblem? {
        var information = stat()
        guard stat(folder.path, &information) == 0 else {
            let isGone = errno == ENOENT || errno == ENOTDIR
            return isGone && !isFirstLook ? .folderMoved : .cannotOpen(errno: errno)
        }
        let found = (information.st_dev, information.st_ino)
        let first = folder.identity ?? found
        folder.identity = first
        return first == found ? nil : .folderMoved
    }

    private func take(_ files: [FilePath], at time: Double) {
        forget(except: files)
        for file in files where !skipsAnswers || !file.isAnswer {
            guard let (state, owner) = state(of: file) else { continue }
            if isFirstLook, skipsPresent {
                taken[file] = state
            } else if isComplete(file, state), waiting.insert(file).inserted {
                let turn = turns.firstIndex { $0.owner == owner } ?? turns.endIndex
                if turn == turns.endIndex { turns.append((owner, [])) }
                turns[turn].files.append((file, time))
            }
        }
    }

    /// nil for an empty file, and for one that is gone.
    private func state(of path: FilePath) -> (State, owner: uid_t)? {
        var information = stat()
        guard path.call({ stat($0, &information) }) == 0, information.st_size > 0 else { return nil }
        let state = State(
            size: Int64(information.st_size), seconds: information.st_mtim.tv_sec,
            nanoseconds: information.st_mtim.tv_nsec)
        return (state, information.st_uid)
    }

    private func isComplete(_ path: FilePath, _ state: State) -> Bool {
        guard taken[path] != state else { return false }
        guard growing[path] == state else {
            growing[path] = state
            return false
        }
        growing[path] = nil
        taken[path] = state
        return true
    }

    /// Forgets files that are gone, once they are more than those that are there: names that come and go for
    /// weeks take no memory.
    private func forget(except files: [FilePath]) {
        guard folders.count == 1, taken.count + growing.count > 2 * files.count + Self.patientPictures else {
            return
        }
        let present = Set(files)
        taken = taken.filter { present.contains($0.key) }
        growing = growing.filter { present.contains($0.key) }
    }
}

extension FilePath {
    fileprivate var isAnswer: Bool {
        bytes.suffix(AnswerName.ending.utf8.count).elementsEqual(AnswerName.ending.utf8)
    }
}
