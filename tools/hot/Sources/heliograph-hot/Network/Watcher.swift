import ChainRPC
import Diagnostics
import Glibc
import HotStore
import Lines
import SCALE
import SubstratePrimitives
import UOS

/// Polls each network for its runtime version, and draws an update when it is new.
struct Watcher {
    let store: HotStore
    let folder: String
    let nodes: NetworkOptions
    let quorum: QuorumOptions
    let picture: PictureOptions
    let formats: [UInt8]
    /// Spec versions to keep, as ``MetadataIntake`` takes them.
    let keep: Int?
    private let lock: Int32
    private var state: WatchState

    /// - Throws: ``HotError/alreadyWatching(folder:)`` when another process watches into this directory.
    init(
        store: HotStore, folder: String, nodes: NetworkOptions, quorum: QuorumOptions,
        picture: PictureOptions, formats: [UInt8], keep: Int?
    ) throws {
        try Files.makeFolder(folder)
        let path = "\(folder)/.watch-lock"
        lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard lock >= 0 else { throw HotError.cannotWrite(path: path, errno: errno) }
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            close(lock)
            throw HotError.alreadyWatching(folder: folder)
        }
        self.store = store
        self.folder = folder
        self.nodes = nodes
        self.quorum = quorum
        self.picture = picture
        self.formats = formats
        self.keep = keep
        state = WatchState(folder: folder)
    }

    /// Polls every network; a failure of one does not stop the others.
    /// - Returns: the names of those that failed.
    mutating func round() async throws -> [String] {
        var failed: [String] = []
        for network in try store.networks() where !network.endpoints.isEmpty {
            var known = state.networks[network.name] ?? WatchState.Network()
            let before = known.failure
            known.checked = Clock.text(Int64(time(nil)))
            do {
                try await update(network, &known)
                known.failure = nil
            } catch {
                let diagnostic = Wording.diagnostic(error)
                known.failure = diagnostic.message
                failed.append(network.name)
                // A failure that repeats every round is printed once.
                if before != diagnostic.message { note(failure: diagnostic, of: network.name) }
            }
            Console.endProgress()
            state.networks[network.name] = known
            try state.save(folder: folder)
        }
        return failed
    }

    private func update(_ network: HotNetwork, _ known: inout WatchState.Network) async throws {
        let name = Files.name(network.name)
        let isAlone = try store.networks().allSatisfy {
            $0.name.utf8Equals(network.name) || !Files.isOneName(Files.name($0.name), name)
        }
        guard isAlone else { throw HotError.oneFileName(name) }
        try drawSpecs(of: network, &known)
        let pool = try nodes.pool(network.endpoints, store)
        let genesis = network.specs.genesisHash
        let runtime = try await newestRuntime(pool, expecting: genesis)
        if known.version == runtime.version.runtime.specVersion, known.code == runtime.codeHash,
            isDrawn(known)
        {
            return
        }
        let formats = formats
        let (snapshots, belief) = try await quorum.ask(
            pool, expecting: genesis,
            { try await ChainSnapshot.take($0, at: $1, expecting: genesis, formats: formats) }, facts: \.facts
        )
        // All of them say the same, so the first stands for them.
        let snapshot = snapshots[0]
        Console.endProgress()
        Console.note(
            Escape.terminal("\(network.name): runtime \(snapshot.runtime.runtime.specVersion) \(belief)"))
        let choices = SnapshotIntake.Choices(name: network.name, scheme: network.specs.scheme, keep: keep)
        _ = try SnapshotIntake(store: store, choices: choices).add(snapshot)
        // The snapshot may be of a newer block, with a newer runtime, than the first request.
        let version = snapshot.runtime.runtime.specVersion
        known.files = try draw(try store.metadata(of: network.name, version: version), of: network)
        if known.version != version { known.changed = known.checked }
        known.version = version
        known.code = runtime.codeHash
    }

    /// The runtime that every node of the quorum reports: one node alone could hide an upgrade from it.
    private func newestRuntime(_ pool: NodePool, expecting genesis: GenesisHash) async throws -> NodeRuntime {
        guard quorum.quorum > 1 else { return try await pool.newestRuntime(expecting: genesis) }
        return try await quorum.ask(
            pool, expecting: genesis, { try await NodeRuntime.take($0, at: $1, expecting: genesis) },
            facts: \.facts
        ).answers[0]
    }

    /// Draws both forms of metadata and returns the file names.
    private func draw(_ metadata: HotMetadata, of network: HotNetwork) throws -> [String] {
        try MetadataForm.allCases.map { form in
            let update = try PublishedUpdate(form.update(of: metadata, in: network), store)
            let name =
                "\(form.fileName(of: metadata, in: network)).\(picture.fitsOneCode(update.payload) ? "png" : "apng")"
            try draw(update, to: "\(folder)/\(name)")
            return name
        }
    }

    /// Whoever publishes the picture must know whether somebody signed it.
    private func draw(_ update: PublishedUpdate, to path: String) throws {
        try picture.write(update.payload, to: path)
        Console.note(Escape.terminal("\(path): \(update.line)"))
    }

    private func isDrawn(_ known: WatchState.Network) -> Bool {
        guard let files = known.files else { return false }
        return files.allSatisfy { Files.exists("\(folder)/\($0)") }
    }

    /// Draws the specs if they are new or were changed.
    private func drawSpecs(of network: HotNetwork, _ known: inout WatchState.Network) throws {
        let hash = Hash32.blake2b(of: SCALEWriter.encode { network.specs.encode(into: &$0) })
        let path = "\(folder)/\(Files.name(network.name))_specs.png"
        if known.specs == hash, Files.exists(path) { return }
        try draw(try PublishedUpdate(.addSpecs(network.specs), store), to: path)
        known.specs = hash
    }

    private func note(failure diagnostic: Diagnostic, of name: String) {
        Console.endProgress()
        Console.note(Escape.terminal("\(name): \(diagnostic.message)"))
    }
}
