import Ceremony
import Keys
import Lines
import SubstratePrimitives
import TrustStore

/// Names of a vault that may complete a word. They come from the store as it lies there, unchecked: whatever
/// is completed, the command that gets it checks.
struct VaultNames {
    struct Key {
        /// In the form of each of its networks; the first is the one that lists print.
        var addresses: [String]
        var label: String?
        /// Where it comes from, in short.
        var place: String
    }

    var seeds: [String] = []
    var networks: [String] = []
    var keys: [Key] = []
    /// Names of contacts; those of private ones are encrypted.
    var contacts: [String] = []
    var listSigners: [String] = []
    var groups: [String] = []
    var hostContacts: [String] = []
    /// Newest first.
    var metadata: [(network: String, versions: [String])] = []

    init() {}

    init(_ device: Device) throws {
        let state = try device.trust().state
        seeds = try device.vault().seedNames
        // A chain of several schemes is offered as a whole and with each scheme: some commands concern the
        // chain.
        networks = state.networks.flatMap { [$0.name, state.shownName(of: $0)] }
            .reduce(into: []) { if !$0.containsUTF8(of: $1) { $0.append($1) } }
        contacts = state.contacts.filter { !$0.isPrivate }.map(\.label)
        listSigners = state.listSigners.map(\.label)
        groups = state.groups.map(\.name)
        hostContacts = state.hostContacts.map(\.name)
        // An address of a group that the members have not compared is shown nowhere, so it is not offered
        // either.
        keys = state.keys.filter { (try? state.requireCompared($0)) != nil }.map { record in
            let prefixes = state.networks.filter { record.networks.contains($0.genesisHash) }.map(
                \.base58Prefix)
            var addresses: [String] = []
            for prefix in prefixes + [42] {
                let address = record.publicKey.address(prefix: prefix)
                if !addresses.containsUTF8(of: address) { addresses.append(address) }
            }
            return Key(addresses: addresses, label: record.label, place: state.place(of: record))
        }
        metadata = state.networks.map {
            ($0.name, state.metadata(genesis: $0.genesisHash).map { String($0.version) })
        }
    }

    /// Versions of a network's metadata, newest first.
    func versions(of network: String) -> [String] {
        metadata.first { $0.network.utf8Equals(network) }?.versions ?? []
    }

    /// Whether a name may be printed unchanged. Other names can be typed but are never offered, because a
    /// completed word must be what it looks like.
    static func isShown(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 256
            && name.unicodeScalars.split(separator: "\\", omittingEmptySubsequences: false).allSatisfy {
                Escape.terminal(String($0)).utf8Equals(String($0))
            }
    }
}
