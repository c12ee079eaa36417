import ArgumentParser
import Ceremony
import Hashing
import Keys
import QRCode
import SCALE
import SubstratePrimitives
import TrustStore
import UOS

/// `key show`: the address as text, as a QR code and as an icon.
struct KeyShow: VaultCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Show the address of a key and its QR code.")

    @Argument(help: "The key's address.") var address: String
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    @Option(help: ArgumentHelp("The network to write the address for; the key's first when left out.", valueName: "name"))
    var network: String?

    @Option(help: ArgumentHelp("Draw the QR code to this PNG file.", valueName: "file.png"))
    var out: String?

    @Option(help: ArgumentHelp("Draw the icon to this PNG file.", valueName: "file.png"))
    var icon: String?

    private static let iconSide = 256
    private static let terminalIconSide = 32

    var json: Bool { output.json }

    func access() throws -> Access { Access(writable: [try vault.directory()] + [out, icon].compactMap { $0 }) }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        let state = try vault.device().store().uncheckedTrust().state
        console.note(Wording.trustStoreNotChecked)
        let key = try state.key(address: address)
        let specs = try key.network(named: network, in: state)
        let text = Self.text(key.publicKey, specs)
        if let out {
            try Files.write(try QRCode(text: text, errorCorrection: .medium).png(), to: out)
            console.note(Wording.answerWritten(out))
        }
        if let icon, let raster = IconRaster(key.publicKey, side: Self.iconSide) {
            try Files.write(try raster.png(), to: icon)
            console.note(Wording.answerWritten(icon))
        }
        let others = state.otherNetworks(of: key.publicKey, beside: specs.genesisHash)
        if json {
            return JSONText.print(KeyDocument(address: key.publicKey.address(prefix: specs.base58Prefix), text: text, others), console)
        }
        if console.colour, let raster = IconRaster(key.publicKey, side: Self.terminalIconSide) { console.print(raster.terminal()) }
        if out == nil { console.print(try QRCode(text: text, errorCorrection: .medium).terminal(coloured: console.colour)) }
        for other in others { console.print(Wording.alsoSigns(other)) }
        console.print(text)
    }

    private struct KeyDocument: Encodable {
        let address: String
        let text: String
        let other_networks: [String]
        let other_genesis_hashes: [String]

        init(address: String, text: String, _ others: [KeyReuse.Network]) {
            self.address = address
            self.text = text
            other_networks = others.map(\.shownName)
            other_genesis_hashes = others.map(\.genesis.hex)
        }
    }

    private static func text(_ key: PublicKey, _ specs: NetworkSpecs) -> String {
        let kind = key.scheme == .ethereum ? "ethereum" : "substrate"
        return "\(kind):\(key.address(prefix: specs.base58Prefix)):0x\(specs.genesisHash.hex)"
    }
}

extension KeyRecord {
    /// One of the networks that the key was made for: the named one, else the first.
    func network(named name: String?, in state: TrustState) throws(CommandError) -> NetworkSpecs {
        let own = state.networks.filter { networks.contains($0.genesisHash) && $0.scheme == publicKey.scheme }
        guard let name else {
            guard let first = own.first else { throw .keyHasNoNetwork }
            return first
        }
        guard let specs = own.first(where: { $0.name.utf8Equals(name) }) else { throw .keyNotOfNetwork(network: name) }
        return specs
    }
}

/// `key secret`: the secret itself as a QR code in e6007a, after a question, in the log.
struct KeySecret: VaultCommand {
    static let configuration = CommandConfiguration(
        commandName: "secret", abstract: "Draw the secret of a key as a QR code; whoever sees it owns the account.")

    @Argument(help: "The key's address.") var address: String
    @OptionGroup var vault: VaultOptions

    @Option(help: ArgumentHelp("Draw the code to this PNG file.", valueName: "file.png"))
    var out: String

    @Option(help: ArgumentHelp("The network that stands in the code; the key's first when left out.", valueName: "name"))
    var network: String?

    @Option(help: ArgumentHelp("Read the ///password of the key as one line from this descriptor.", valueName: "n"))
    var passwordFd: Int32?

    @Flag(help: "Do not ask whether that is meant.")
    var yes = false

    func access() throws -> Access { Access(writable: [try vault.directory(), out]) }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        try ShieldGuard.requireOffline(vault)
        guard try yes || console.confirm(Wording.exportSecret(address)) else { throw CeremonyError.declined }
        let open = try context.unlock(self)
        let state = try open.store.trust().state
        let record = try state.key(address: address)
        let specs = try record.network(named: network, in: state)
        let pair = try open.keyPair(record, passwordFd: passwordFd, console)
        // The log knows before anyone sees it.
        try open.store.append([LogEvent(.keySecretExported, [LogEvent.Fact("key", Hex.encode(record.publicKey.bytes))])])
        let content = Self.content(pair.exportSecret(), genesis: specs.genesisHash)
        _ = try ChildProcess.secret(console) {
            let picture = try content.withUnsafeBytes { try QRCode(bytes: $0, errorCorrection: .medium).png(foreground: .secret) }
            try Files.write(picture, to: out, mode: 0o600)
            return SecretBytes()
        }
        console.note(Wording.secretWritten(out))
    }

    /// `secret:0x` and the digits of the secret, `:` and those of the genesis hash.
    private static func content(_ key: borrowing SecretBytes, genesis: GenesisHash) -> SecretBytes {
        let prefix = Array("secret:0x".utf8)
        let suffix = Array((":" + genesis.hex).utf8)
        let digits = Array("0123456789abcdef".utf8)
        return SecretBytes(count: prefix.count + 2 * key.count + suffix.count) { out in
            out.copyBytes(from: prefix)
            key.withUnsafeBytes { key in
                for (index, byte) in key.enumerated() {
                    out[prefix.count + 2 * index] = digits[Int(byte >> 4)]
                    out[prefix.count + 2 * index + 1] = digits[Int(byte & 15)]
                }
            }
            for (index, byte) in suffix.enumerated() { out[prefix.count + 2 * key.count + index] = byte }
        }
    }
}

/// `key export`: the derivations of a seed for another signer or a watching wallet (payload de, V2).
struct KeyExport: VaultCommand {
    static let configuration = CommandConfiguration(commandName: "export", abstract: "Export the derivations of a seed; public keys only.")

    @Argument(help: "The seed's name.") var seed: String
    @OptionGroup var vault: VaultOptions

    @Option(help: ArgumentHelp("Draw the frames to this PNG file.", valueName: "file.png"))
    var out: String?

    func access() throws -> Access { Access(writable: [try vault.directory()] + (out.map { [$0] } ?? [])) }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        let open = try context.unlock(self)
        let state = try open.store.trust().state
        let root = try open.vault.withSeed(seed) { (entropy: borrowing SecretBytes) in
            try KeyPair.derive(entropy: entropy, scheme: .sr25519).publicKey
        }
        let keys = state.keys(seed: seed)
        // Without its password the path of such a key leads elsewhere.
        let withPassword = keys.count { $0.hasPassword }
        if withPassword > 0 { console.note(Wording.leftOutWithPassword(withPassword)) }
        let derived = keys.filter { !$0.hasPassword }.flatMap { Self.derivations(of: $0, state) }
        let export = ExportAddrs(
            seed: SeedInfo(name: seed, root: root, keys: derived), features: [.bulkOperations, .dynamicDerivations])
        let payload = Payload.Content.importDerivations(export).encoded()
        try open.store.append([LogEvent(.keysExported, [LogEvent.Fact("seed", seed), LogEvent.Fact("keys", "\(derived.count)")])])
        let picture = try AnswerPicture(framed: payload)
        if let out {
            try Files.write(try picture.png(), to: out)
            console.note(Wording.exported(derived.count, to: out))
        } else {
            console.print(picture.terminal(coloured: console.colour))
        }
    }

    private static func derivations(of key: KeyRecord, _ state: TrustState) -> [SeedInfo.DerivedKey] {
        state.networks.filter { key.networks.contains($0.genesisHash) && $0.scheme == key.publicKey.scheme }.map { specs in
            let is25519 = key.publicKey.bytes.count == 32
            return SeedInfo.DerivedKey(
                address: is25519 ? key.publicKey.address(prefix: specs.base58Prefix) : "0x" + Hex.encode(key.publicKey.bytes),
                path: key.path.isEmpty ? nil : key.path, scheme: key.publicKey.scheme, genesisHash: specs.genesisHash)
        }
    }
}
