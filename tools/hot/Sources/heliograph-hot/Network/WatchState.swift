import FoundationEssentials
import SubstratePrimitives

/// What `watch` did last for each network, in a JSON file beside its updates: a restart goes on from it.
struct WatchState: Codable, Equatable {
    struct Network: Codable, Equatable {
        /// Spec version of the newest update.
        var version: UInt32?
        /// Its files in the folder: the form that every reader knows, and the compressed one.
        var files: [String]?
        /// BLAKE2b-256 of the runtime's code that it was fetched from.
        var code: Hash32?
        /// BLAKE2b-256 of the specs that were last drawn.
        var specs: Hash32?
        /// When the network was last asked and when it last had a new version, in UTC.
        var checked: String?
        var changed: String?
        /// Why the last question failed; nil when it did not.
        var failure: String?
    }

    static let fileName = "watch-state.json"

    var networks: [String: Network] = [:]

    /// - Parameter folder: where the updates are; an unreadable state is begun anew, which costs one look at each network.
    init(folder: String) {
        let path = "\(folder)/\(Self.fileName)"
        guard let bytes = try? Files.read(path), let known = try? JSONDecoder().decode(WatchState.self, from: Data(bytes)) else { return }
        self = known
    }

    func save(folder: String) throws {
        try Files.write(Array(try ShowCommand.json(self).utf8) + [UInt8(ascii: "\n")], to: "\(folder)/\(Self.fileName)")
    }
}
