import ArgumentParser
import Hashing
import QRCode
import Review
import SubstratePrimitives
import TrustStore
import UOS

/// `attest`: signs data that the vault holds, so that the hot side can make a signed update of it.
struct Attest: VaultCommand {
    static let configuration = CommandConfiguration(abstract: "Sign specs, metadata or types that this vault holds.")

    enum Subject: String, ExpressibleByArgument, CaseIterable { case specs, metadata, types, assets }

    @Argument(help: "specs, metadata, types or assets.") var subject: Subject
    @Argument(help: "The network's name.") var network: String?
    @Argument(help: "The metadata's version; the newest when left out.") var version: UInt32?
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    @Option(help: ArgumentHelp("The key that signs.", valueName: "address"))
    var key: String

    @Option(help: ArgumentHelp("Draw the answer to this PNG file.", valueName: "file.png"))
    var out: String

    @Option(help: ArgumentHelp("Read the ///password of the key as one line from this descriptor.", valueName: "n"))
    var passwordFd: Int32?

    var json: Bool { output.json }

    func access() throws -> Access { Access(writable: [try vault.directory(), out]) }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        let open = try context.unlock(self)
        let state = try open.store.trust().state
        let record = try state.key(address: key)
        let attestation = try Attestation(try subject(in: state), store: open.store)
        let pair = try open.keyPair(record, passwordFd: passwordFd, console)
        let signature = UpdateSignature(key: record.publicKey, signature: try pair.sign(attestation.signedBytes))
        guard let answer = signature.sufficientCrypto else {
            throw CommandError.schemeCannotAttest(record.publicKey.scheme.name)
        }
        try open.store.append([attestation.event(signedBy: record.publicKey)])
        try Files.write(try QRCode(bytes: answer, errorCorrection: .medium).png(), to: out)
        if json {
            JSONText.print(["sufficient": Hex.encode(answer), "out": out], console)
        } else {
            console.note(Wording.answerWritten(out))
            console.print(Hex.encode(answer))
        }
    }

    private func subject(in state: TrustState) throws -> Attestation.Subject {
        if subject == .types { return .types }
        guard let network else { throw CommandError.networkNeeded }
        let specs = try state.network(named: network)
        if subject == .specs { return .specs(specs.genesisHash, specs.scheme) }
        if subject == .assets { return .assets(specs.genesisHash) }
        guard let newest = state.metadata(genesis: specs.genesisHash).map(\.version).max() else {
            throw ReviewError.noMetadata(network: network)
        }
        return .metadata(specs.genesisHash, version: version ?? newest)
    }
}

extension TrustState {
    /// The key that an address names, whatever network's prefix it is written with.
    func key(address: String) throws -> KeyRecord {
        let named: KeyRecord?
        if let bytes = Hex.decode(address), address.utf8Starts(with: "0x") {
            named = keys.first { $0.publicKey.bytes == bytes || $0.ethereumAddress == bytes }
        } else {
            let account = try SS58Address(address).account
            named = keys.first { ($0.publicKey.bytes.count == 32 ? $0.publicKey.bytes : BLAKE2b.hash($0.publicKey.bytes)) == account }
        }
        guard let named else { throw CommandError.noSuchKey(address) }
        return named
    }
}
