import SubstratePrimitives

/// The last result of `watch` for each network, in a JSON file beside its updates. A restart continues from
/// it.
struct WatchState: Codable, Equatable {
    struct Network: Codable, Equatable {
        /// The spec version of the newest update.
        var version: UInt32?
        /// Its files in the directory: the plain form and the compressed one.
        var files: [String]?
        /// BLAKE2b-256 of the runtime's code at the fetch.
        var code: Hash32?
        /// BLAKE2b-256 of the last drawn specs.
        var specs: Hash32?
        /// The last request to the network and its last new version, in UTC.
        var checked: String?
        var changed: String?
        /// Why the last request failed; nil if it succeeded.
        var failure: String?
    }

    static let fileName = "watch-state.json"

    var networks: [String: Network] = [:]

    /// - Parameter folder: the directory of the updates. An unreadable state starts empty, at the cost of one
    ///   fetch per network.
    init(folder: String) {
        let path = "\(folder)/\(Self.fileName)"
        guard let bytes = try? Files.readOwn(path),
            let known = try? Files.json(WatchState.self, bytes, { .badDescription(path: path, detail: $0) })
        else { return }
        self = known
    }

    func save(folder: String) throws {
        try Files.write(
            Array(try Listing.json(self).utf8) + [UInt8(ascii: "\n")], to: "\(folder)/\(Self.fileName)")
    }
}
