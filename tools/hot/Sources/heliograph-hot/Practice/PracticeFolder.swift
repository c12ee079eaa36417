import Glibc
import Hashing
import HotStore
import Keys
import Metadata
import PracticeChain
import SubstratePrimitives
import SystemIO
import UOS

/// A directory with everything of a practice network: its pictures, a hot database of its own, and the
/// transactions of its chain.
///
/// The database knows the practice network and no other, so that nothing that is done with it reaches a real
/// chain; and the person's own database never gets to know the practice network.
struct PracticeFolder {
    let path: String
    private static let specs = PracticeNetwork.specs

    /// - Parameter path: a slash at its end does not count.
    init(_ path: String) { self.path = Files.withoutSlash(path) }

    /// A file in it.
    func file(_ name: String) -> String { "\(path)/\(name)" }

    var database: String { file("hot") }
    /// One transaction a line: hex, and the time when it came in milliseconds since 1970.
    var chain: String { file("chain") }

    /// Opens the database.
    /// - Throws: ``PracticeError/missing(folder:)``
    func open() throws -> HotStore {
        guard Files.isFolder(database) else { throw PracticeError.missing(folder: path) }
        let store = try HotStore(directory: database)
        guard try store.name(genesis: Self.specs.genesisHash, scheme: .sr25519) != nil else {
            throw PracticeError.missing(folder: path)
        }
        return store
    }

    // MARK: Making it

    /// Makes the network, or draws the pictures of one that is there again.
    ///
    /// Only a database that is made here is emptied of the networks that every new one has. Another one that
    /// lies there may be the person's own, and what was fetched and signed for its networks would be lost.
    /// - Returns: the verifier that signed its updates.
    /// - Throws: ``PracticeError/otherDatabase(_:)``
    func make() throws -> PublicKey {
        try Files.makeFolder(path)
        let pictures = [file("specs.png"), file("metadata.png")]
        try Files.require(outputs: pictures + [file("call.json")])
        let isNew = !Files.exists(database)
        let store = try HotStore(directory: database)
        if try store.name(genesis: Self.specs.genesisHash, scheme: .sr25519) == nil {
            guard isNew else { throw PracticeError.otherDatabase(database) }
            try fill(store)
        }
        let network = try store.network(Self.specs.name)
        let updates = try Self.updates(of: network, in: store)
        var verifier: PublicKey?
        let published = try updates.map { try PublishedUpdate($0, store) }
        if published.contains(where: { $0.verifier == nil }) {
            verifier = try sign(updates, in: store)
        }
        for (update, picture) in zip(updates, pictures) {
            let signed = try PublishedUpdate(update, store)
            // The offline side's decoder checks the payload before a file is written.
            _ = try PackedPayload(signed.payload)
            try PictureOptions.parse([]).write(signed.payload, to: picture)
            verifier = signed.verifier ?? verifier
        }
        if !Files.exists(file("call.json")) {
            try Files.write(Array(Self.call.utf8), to: file("call.json"))
        }
        // What was just signed has a verifier.
        guard let verifier else { throw PracticeError.missing(folder: path) }
        return verifier
    }

    /// The transfer that `--pay` makes; a person may change it.
    private static let call = """
        {"pallet": "Balances", "call": "transfer_keep_alive",
         "args": {"dest": "5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty", "value": "1.5 \(specs.unit)"}}

        """

    private func fill(_ store: HotStore) throws {
        for network in try store.networks() { try store.removeNetwork(network.name) }
        try store.save(HotNetwork(name: Self.specs.name, specs: Self.specs))
        let block = PracticeChain().head.hash
        for format: UInt32 in [14, 15] {
            guard let blob = PracticeNetwork.metadata(format: format) else { continue }
            _ = try MetadataIntake(store: store).add(
                try RuntimeMetadata(blob), network: Self.specs.name, blockHash: block)
        }
    }

    /// The specs, and the metadata in format 15: a verifier that signs it vouches for the digest, too.
    private static func updates(of network: HotNetwork, in store: HotStore) throws -> [OutgoingUpdate] {
        let metadata = try store.metadata(of: network.name, version: nil, format: 15)
        return [.addSpecs(network.specs), try MetadataForm.plain.update(of: metadata, in: network)]
    }

    /// Signs the updates with a key that is wiped when this function ends: nobody can ever sign another
    /// update of this network, not even somebody who takes the directory.
    private func sign(_ updates: [OutgoingUpdate], in store: HotStore) throws -> PublicKey {
        let pair = try KeyPair.derive(miniSecret: SecretBytes(randomCount: 32), scheme: .sr25519)
        for update in updates {
            let signature = UpdateSignature(key: pair.publicKey, signature: try pair.sign(update.message))
            _ = try VerifiedSignature(signature, over: update.message)?.keep(in: store, replacing: true)
        }
        return pair.publicKey
    }

    // MARK: The chain

    /// The chain after all transactions that were kept.
    /// - Parameter bytes: of the file; a last line without its end was never confirmed to anybody, and does
    ///   not count.
    /// - Throws: ``PracticeError/brokenChain(path:line:)``
    func chain(after bytes: [UInt8]) throws -> PracticeChain {
        var chain = PracticeChain()
        // What stands behind the last line break is the end of an interrupted write.
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
        for (index, line) in lines.enumerated() {
            let words = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
                .map { String(decoding: $0, as: UTF8.self) }
            guard words.count == 2, let extrinsic = Hex.decode(words[0]), let time = UInt64(words[1]),
                (try? chain.submit(extrinsic, at: time)) != nil
            else { throw PracticeError.brokenChain(path: self.chain, line: index + 1) }
        }
        return chain
    }

    /// The chain as it is now.
    func currentChain() throws -> PracticeChain {
        guard Files.exists(chain) else { return PracticeChain() }
        return try chain(after: try OwnedDescriptor(chain, O_RDONLY).contents(limit: Files.maximumSize))
    }
}
