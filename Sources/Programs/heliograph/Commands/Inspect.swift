import Accounts
import ArgumentParser
import CommandKit
import GroupReview
import History
import Metadata
import Presentation
import Review
import SubstratePrimitives
import TerminalIO
import TrustStore
import UOS
import Vault

/// `inspect`: what a payload says. Needs no passphrase and changes nothing.
struct Inspect: VaultCommand, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "inspect", abstract: "Decode a payload and show its cards without changing anything.")

    @OptionGroup(title: "Input options") var input: InputOptions
    @OptionGroup var calls: CallOptions
    @OptionGroup(title: "Vault options") var vault: VaultOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "View options") var view: ViewOptions

    @Option(
        help: ArgumentHelp(
            "Use this metadata instead of the vault's: raw SCALE or hex, bare or wrapped as Vec or Option.",
            valueName: "file"), completion: .file())
    var metadata: [String] = []

    @Option(
        help: ArgumentHelp(
            "Use these network specs (JSON) instead of the vault's; a metadata proof replaces --metadata.",
            valueName: "file"), completion: .file())
    var specs: [String] = []

    @Option(
        help: ArgumentHelp(
            "Use these types for metadata of version 13 and older: a load-types payload, raw or hex.",
            valueName: "file"), completion: .file())
    var types: String?

    @Option(
        help: ArgumentHelp(
            "Show the cards as if this address were a key of the vault.", valueName: "address"),
        completion: .named(.address))
    var signer: String?

    var place: CommandPlace { input.place }

    func access() throws -> Access {
        var access = Access(
            readable: input.readable + calls.readable + metadata + specs + (types.map { [$0] } ?? []),
            scans: true, cameras: input.cameras)
        // Reading a store in WAL mode needs its folder.
        if !readsFiles { access.writable = [try vault.directory()] }
        return access
    }

    func execute(_ context: CommandContext) throws {
        let session = ReviewSession(self, context, json: json, asks: false, options: view)
        try session.run {
            try session.read(input)
            let data = try chainData(session.payload, context.console)
            if let account = session.address { try session.show(account, data.state) }
            // The cards may look ordinary, and `scan` would say only later that it does not sign them.
            for refusal in try session.review(with: data, additions: try calls.additions()) {
                context.console.note("scan refuses this: \(refusal.message)")
            }
        }
    }

    /// Whether files are read instead of the vault. A metadata proof brings its own types, so the specs are
    /// enough for it.
    private var readsFiles: Bool { !metadata.isEmpty || !specs.isEmpty }

    private func chainData(_ payload: Payload?, _ console: Console) throws -> ChainData {
        guard !readsFiles else {
            return try FileChainData.load(metadata: metadata, specs: specs, types: types, signer: signer)
        }
        let store: TrustStore
        do {
            store = try vault.device().store()
        } catch {
            guard case .missing? = error as? VaultError else { throw error }
            if payload?.holdsProof == true { throw CommandError.specsOrVaultNeeded }
            guard payload?.isGroupMessageAlone == true else { throw error }
            // It names no network, key or account of a vault.
            return ChainData(state: TrustState()) { throw StoreError.contentBroken($0) }
        }
        console.note(Wording.trustStoreNotVerified)
        let trust = try store.uncheckedTrust()
        var state = trust.state
        if let signer { state.keys += try KeyRecord.assumed(signer, networks: state.networks) }
        let moment = VaultMoment(state, at: store.reading)
        let history = store.uncheckedHistory(trust).map { ReviewHistory($0, now: store.now, moment: moment) }
        return ChainData(state: state, history: history) { try store.content($0) }
    }
}

/// Chain data from files instead of a vault.
enum FileChainData {
    static func load(metadata paths: [String], specs specPaths: [String], types: String?, signer: String?)
        throws -> ChainData
    {
        var state = TrustState()
        var blobs: [Hash32: [UInt8]] = [:]
        let supplement = try types.map { try MetadataFile.types(try Files.read($0), path: $0) }
        if let supplement {
            let hash = Hash32.blake2b(of: supplement)
            blobs[hash] = supplement
            state.types = ContentRecord(hash: hash, length: supplement.count)
        }
        state.networks = try specPaths.flatMap {
            try NetworkSpecs.list(fromJSON: try Files.read($0), path: $0)
        }
        for path in paths {
            let blob = try MetadataFile.blob(try Files.read(path), path: path)
            let runtime = try RuntimeMetadata(blob, supplement: supplement)
            let hash = Hash32.blake2b(of: blob)
            blobs[hash] = blob
            let specs = try network(of: runtime, given: state.networks, path: path)
            if !state.networks.contains(specs) { state.networks.append(specs) }
            state.metadata.append(
                MetadataRecord(
                    genesis: specs.genesisHash, version: runtime.runtimeVersion.specVersion, hash: hash,
                    length: blob.count))
        }
        if let signer { state.keys = try KeyRecord.assumed(signer, networks: state.networks) }
        return ChainData(state: state) { hash in
            guard let blob = blobs[hash] else { throw StoreError.contentBroken(hash) }
            return blob
        }
    }

    /// Given specs first, then those that every reader knows.
    private static func network(of runtime: RuntimeMetadata, given: [NetworkSpecs], path: String)
        throws(CommandError) -> NetworkSpecs
    {
        let name = runtime.runtimeVersion.specName
        guard let specs = (given + NetworkSpecs.defaults).first(where: { $0.name.utf8Equals(name) }) else {
            throw .specsNeeded(path: path, network: name)
        }
        return specs
    }
}

extension Payload {
    /// Whether it is a message of a threshold group that asks for no signature on a chain.
    var isGroupMessageAlone: Bool {
        guard case .group(let message) = content else { return false }
        return message.requested == nil
    }

    /// Whether it brings the types of everything that it asks to sign.
    var holdsProof: Bool {
        if case .group(let message) = content { return message.requested?.holdsProof ?? false }
        return switch signable {
        case .transaction(let transaction): transaction.hasProof
        case .bulk(let inner): inner.allSatisfy(\.holdsProof)
        case .message, nil: false
        }
    }
}

extension KeyRecord {
    /// Keys that are taken for a vault's, so that their owner's cards can be seen: an address of 32 bytes
    /// says no scheme.
    static func assumed(_ address: String, networks: [NetworkSpecs]) throws -> [KeyRecord] {
        let account = try SS58Address(address).account
        let keys = [SignatureScheme.sr25519, .ed25519, .ecdsa].compactMap {
            PublicKey(scheme: $0, bytes: account)
        }
        guard !keys.isEmpty else { throw LookupError.noSuchKey(address: address) }
        return keys.map {
            KeyRecord(
                publicKey: $0, seed: "", path: "", hasPassword: false,
                networks: Set(networks.map(\.genesisHash)))
        }
    }
}
