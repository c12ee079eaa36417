import Hashing
import HotStore
import Keys
import Lines
import SubstratePrimitives
import UOS

/// The answer to a request for derived addresses, beside the request that it fits.
///
/// An answer carries no signature: whoever shows a picture chooses its keys. It is taken only for a request
/// that was made here, with the root and the paths of that request, and the user is told where to compare.
struct DerivedAddresses {
    /// Each entry of the request, with the key that the answer has for it.
    private let keys: [(entry: DynamicDerivationsRequest.Entry, key: HotDerivedKey?)]

    /// nil for another root, for keys that one seed cannot have, and for a key that was not asked for: the
    /// keys stand in the order of the request, and some may be missing.
    init?(_ response: DynamicDerivationsResponse, to request: DynamicDerivationsRequest) {
        guard response.root == request.root else { return nil }
        var rest = response.derived[...]
        var keys: [(entry: DynamicDerivationsRequest.Entry, key: HotDerivedKey?)] = []
        for entry in request.entries {
            guard let next = rest.first, next.path.utf8Equals(entry.path), next.scheme == entry.scheme else {
                keys.append((entry, nil))
                continue
            }
            guard let key = Self.key(next, root: request.root) else { return nil }
            keys.append((entry, key))
            rest.removeFirst()
        }
        guard rest.isEmpty, Self.isPossible(keys.compactMap(\.key)) else { return nil }
        self.keys = keys
    }

    /// Whether one seed can have these keys, as far as this can be checked without its secret: the root key
    /// is that of the empty path, and two paths never have the same key. A planted address is often the same
    /// key for every path.
    private static func isPossible(_ keys: [HotDerivedKey]) -> Bool {
        var paths: [[UInt8]: [UInt8]] = [:]
        for key in keys {
            if key.scheme == .sr25519, key.path.utf8.isEmpty, key.payloadKey != key.root.bytes {
                return false
            }
            let path = Array(key.path.utf8)
            let other = paths.updateValue(path, forKey: key.payloadKey)
            if let other, other != path { return false }
        }
        return true
    }

    /// nil for a key of another scheme than the answer says, and for bytes that are not a point.
    private static func key(_ derived: DynamicDerivationsResponse.Derived, root: PublicKey) -> HotDerivedKey?
    {
        let wire: SignatureScheme = derived.scheme == .ethereum ? .ecdsa : derived.scheme
        guard derived.key.scheme == wire,
            let key = PublicKey(scheme: derived.scheme, bytes: derived.key.bytes), key.accountID != nil,
            let payloadKey = key.payloadKey
        else { return nil }
        return HotDerivedKey(root: root, path: derived.path, scheme: derived.scheme, payloadKey: payloadKey)
    }

    /// The newest request made here that the answer fits.
    static func answering(_ response: DynamicDerivationsResponse, in store: HotStore) throws
        -> DerivedAddresses?
    {
        for bytes in try store.requests() {
            guard case .derivationsRequest(let request) = try? Payload(bytes).content else { continue }
            if let found = DerivedAddresses(response, to: request) { return found }
        }
        return nil
    }

    /// Keeps the keys, then prints an address for each.
    func take(into store: HotStore, replacing: Bool) throws {
        let lines = try keys.map { entry, key in
            let name = try store.name(genesis: entry.genesisHash, scheme: entry.scheme)
            let network = try name.map { try store.network($0) }
            let shown = try network.map { try store.shownName(of: $0) } ?? "0x\(entry.genesisHash.hex)"
            let path = entry.path.isEmpty ? "(root)" : entry.path
            guard let key else { return (isAnswer: false, text: "not answered: \(path) on \(shown)") }
            let address = network.flatMap { key.address($0.specs) } ?? "0x\(Hex.encode(key.payloadKey))"
            return (isAnswer: true, text: "\(address)  \(path)  \(shown)  0x\(Hex.encode(key.payloadKey))")
        }
        try store.keep(keys.compactMap(\.key), replacing: replacing)
        for line in lines {
            if line.isAnswer {
                Console.print(Escape.terminal(line.text))
            } else {
                Console.note(Escape.terminal(line.text))
            }
        }
        Console.note(Self.unsigned)
    }

    /// What is said of addresses in a picture that nobody signed.
    static let unsigned =
        """
        such an answer is not signed: compare an address with heliograph key list before you send money to it
        """
}
