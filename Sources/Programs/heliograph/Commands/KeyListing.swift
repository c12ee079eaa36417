import ArgumentParser
import Ceremony
import CommandKit
import Hashing
import Keys
import Lines
import Presentation
import QRCode
import SubstratePrimitives
import TerminalIO
import TrustStore

extension TrustState {
    /// The chains that keys are allowed on: those with specs in the store's order, then the others by genesis
    /// hash.
    fileprivate func chains(of keys: [KeyRecord]) -> [GenesisHash] {
        var rest = Set(keys.flatMap(\.networks))
        let known = networks.map(\.genesisHash).filter { rest.remove($0) != nil }
        return known + rest.sorted { $0.hex < $1.hex }
    }

    /// The name of a network in a list of keys of this scheme; the genesis hash if its specs were removed.
    fileprivate func listName(of genesis: GenesisHash, _ scheme: SignatureScheme) -> String {
        guard let specs = network(genesis: genesis, scheme: scheme) ?? networks(genesis: genesis).first else {
            return genesis.hex
        }
        // Specs of another scheme lend the key the chain's name, not theirs.
        return specs.scheme == scheme
            ? shownName(of: specs)
            : networks(named: specs.name).allSatisfy { $0.genesisHash == genesis } ? specs.name : genesis.hex
    }
}

/// `key list`: addresses by seed and network.
struct KeyList: VaultCommand, PrintsJSON {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the keys.")

    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var table: WideOption

    func execute(_ context: CommandContext) throws {
        let state = try context.readTrust(self)
        let now = try context.device(self).now
        let counts = KeyReuse.Counts(state)
        let keys = state.keys.filter { $0.group.flatMap { state.group($0) }?.isCompared ?? true }.map {
            KeyFacts($0, state: state, counts)
        }
        if json { return JSONText.print(["keys": keys], context.console) }
        if state.keys.isEmpty {
            context.console.note(
                "this vault has no keys; heliograph key derive SEED PATH --network NAME makes one")
        }
        context.console.print(Self.lines(state, counts, now: now), wide: table.wide)
    }

    /// A heading for each seed, each group and the imported keys, under it one for each network, under it the
    /// keys.
    private static func lines(_ state: TrustState, _ counts: KeyReuse.Counts, now: UInt64) -> [TableLine] {
        var lines: [TableLine] = []
        func heading(_ text: String, indent: Int = 0, _ more: String? = nil) {
            lines.append(TableLine(indent: indent, [.init(text)] + (more.map { [.init($0, rank: 6)] } ?? [])))
        }
        func cells(_ key: KeyRecord, prefix: UInt16) -> [TableLine.Cell] {
            Wording.key(
                key, prefix: prefix, age: Wording.age(since: state.timeAdded(key.publicKey), now: now))
        }
        let seeds = Set(state.keys.compactMap(\.seed)).sorted().map { ($0, state.keys(seed: $0)) }
        // Until its members have compared it, a group's address is shown by `group show` alone, which asks.
        // One that is superseded may have given its accounts on.
        let holding = state.groups.filter {
            state.superseded($0.transcript) == nil || !state.accounts(of: $0.transcript).isEmpty
        }
        let groups = holding.map {
            ("group \($0.name)", $0.isCompared ? state.accounts(of: $0.transcript) : [])
        }
        let imported = state.keys.filter(\.isImported)
        let others = imported.isEmpty ? [] : [("imported keys, without a seed", imported)]
        for (name, keys) in seeds + groups + others {
            heading(
                Escape.terminal(name),
                keys.first?.seed.map { Wording.ages(of: state.times(seed: $0), now: now) })
            for genesis in state.chains(of: keys) {
                let specs = state.networks(genesis: genesis).first
                // One heading for each scheme of the chain that the keys have, in the order of the keys.
                var groups: [(name: String, keys: [KeyRecord])] = []
                for key in keys where key.networks.contains(genesis) {
                    let name = state.listName(of: genesis, key.publicKey.scheme)
                    if let index = groups.firstIndex(where: { $0.name.utf8Equals(name) }) {
                        groups[index].keys.append(key)
                    } else {
                        groups.append((name, [key]))
                    }
                }
                for group in groups {
                    heading(
                        specs == nil
                            ? "\(genesis) (its specs are not in this vault)" : Escape.terminal(group.name),
                        indent: 2)
                    lines += group.keys.map {
                        TableLine(
                            indent: 4,
                            cells($0, prefix: specs?.base58Prefix ?? 42)
                                + mark(counts.networks(of: $0.publicKey)))
                    }
                }
            }
            if keys.isEmpty { heading(Wording.notCompared, indent: 2) }
            let homeless = keys.filter { $0.networks.isEmpty }
            if !homeless.isEmpty { heading("no network", indent: 2) }
            lines += homeless.map { TableLine(indent: 4, cells($0, prefix: 42)) }
        }
        return lines
    }

    /// Beside a key that stands under the heading of one of its networks.
    private static func mark(_ networks: Int) -> [TableLine.Cell] {
        networks > 1 ? [.init(Wording.alsoOn(networks - 1), rank: 2)] : []
    }

    struct KeyFacts: Encodable {
        let address: String
        let public_key: String
        let scheme: String
        let seed: Nullable<String>
        /// The name of the group; only of a group's account.
        let group: String?
        /// Only of a key that another wallet made.
        let imported: Bool?
        let path: String
        let path_kind: String
        let has_password: Bool
        let label: Nullable<String>
        /// Names; the genesis hash of a chain that has none here, or shares it with another.
        let networks: [String]
        let on_several_networks: Bool
        let genesis_hashes: [String]
        let last_used: Nullable<UInt64>
        /// When the key and its seed came into this vault, and when the words were last checked, in seconds
        /// since 1970.
        let added: Nullable<UInt64>
        let seed_added: Nullable<UInt64>
        let words_checked: Nullable<UInt64>

        init(_ record: KeyRecord, state: TrustState, _ counts: KeyReuse.Counts) {
            let networks = state.networks.filter { record.networks.contains($0.genesisHash) }
            address = record.publicKey.address(prefix: networks.first?.base58Prefix ?? 42)
            public_key = Hex.encode(record.publicKey.bytes)
            scheme = record.publicKey.scheme.name
            seed = Nullable(record.seed)
            group = record.group.flatMap { state.group($0)?.name }
            imported = record.isImported ? true : nil
            path = record.path
            path_kind = record.isImported ? "imported" : AccountPath.kind(of: record.path)
            has_password = record.hasPassword
            label = Nullable(record.label)
            self.networks = record.networks.map { state.listName(of: $0, record.publicKey.scheme) }.sorted()
            genesis_hashes = record.networks.map(\.hex).sorted()
            on_several_networks = counts.networks(of: record.publicKey) > 1
            last_used = Nullable(record.lastUsed)
            let times = record.seed.map { state.times(seed: $0) }
            added = Nullable(state.timeAdded(record.publicKey))
            seed_added = Nullable(times?.added)
            words_checked = Nullable(times?.checked)
        }
    }
}

/// `key show`: where a key comes from, its address as text, as a QR code and as an icon.
struct KeyShow: VaultCommand, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a key and its address, and write its QR code or icon.")

    @Argument(help: "The key's address or label.", completion: .named(.addressOrLabel)) var key: String
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    @Option(
        help: ArgumentHelp("The network of the address (default: the key's first).", valueName: "name"),
        completion: .named(.network))
    var network: String?

    @Option(
        help: ArgumentHelp("Write the QR code to this PNG file.", valueName: "file.png"), completion: .file())
    var out: String?

    @Option(
        help: ArgumentHelp("Write the icon to this PNG file.", valueName: "file.png"), completion: .file())
    var icon: String?

    @OptionGroup var replacing: ReplaceOption

    @Flag(help: "Show the QR code on the terminal (default: if it is printed there, and --out is not given).")
    var terminal = false

    @OptionGroup var style: CodeStyleOption

    private static let iconSide = 256
    private static let terminalIconSide = 32

    func access() throws -> Access {
        Access(
            writable: [try vault.directory()], pictures: [out, icon].compactMap { $0 },
            replaces: replacing.replace)
    }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        let screen = terminal ? try CodeScreen(json ? console.beside : console, style: style.codeStyle) : nil
        let state = try context.readTrust(self)
        let key = try state.key(named: self.key)
        try state.requireCompared(key)
        let specs = try key.network(named: network, in: state)
        let group = key.group.flatMap { state.group($0)?.name }
        let facts = Facts(
            key, group: group, specs,
            others: state.otherNetworks(of: key.publicKey, beside: specs.genesisHash))
        let code = try QRCode.smallest(Array(facts.text.utf8))
        if let out {
            try Files.write(try code.png(), to: out, replacing: replacing.replace)
            console.note(Wording.answerWritten(out))
        }
        if let icon, let raster = IconRaster(key.publicKey, side: Self.iconSide) {
            try Files.write(try raster.png(), to: icon, replacing: replacing.replace)
            console.note(Wording.answerWritten(icon))
        }
        if json {
            JSONText.print(facts, console)
        } else {
            if console.colour, let raster = IconRaster(key.publicKey, side: Self.terminalIconSide) {
                console.print(raster.terminal())
            }
            for line in Wording.keyFacts(key, group: group, network: specs) { console.print(line) }
            for other in facts.others { console.print(Wording.alsoSigns(other)) }
            console.print(facts.text)
        }
        // The code comes last: lines below it would push it out of a low window.
        let caption = Wording.addressCaption(key, group: group, network: specs)
        if let screen {
            try screen.draw(code, caption)
        } else if !json, out == nil, CodeScreen.isShown(by: console) {
            do {
                try CodeScreen(console, style: style.codeStyle).draw(code, caption)
            } catch let failure as PictureFailure { console.note(Wording.notDrawn(failure)) }
        }
    }

    private struct Facts: Encodable {
        let address: String
        let text: String
        let label: Nullable<String>
        let seed: Nullable<String>
        let group: String?
        let imported: Bool?
        let path: String
        let path_kind: String
        let has_password: Bool
        let scheme: String
        let public_key: String
        let network: String
        let genesis_hash: String
        let other_networks: [String]
        let other_genesis_hashes: [String]
        let others: [KeyReuse.Network]

        init(_ key: KeyRecord, group: String?, _ specs: NetworkSpecs, others: [KeyReuse.Network]) {
            address = key.publicKey.address(prefix: specs.base58Prefix)
            let kind = key.publicKey.scheme == .ethereum ? "ethereum" : "substrate"
            text = "\(kind):\(address):0x\(specs.genesisHash.hex)"
            label = Nullable(key.label)
            seed = Nullable(key.seed)
            self.group = group
            imported = key.isImported ? true : nil
            path = key.path
            path_kind = key.isImported ? "imported" : AccountPath.kind(of: key.path)
            has_password = key.hasPassword
            scheme = key.publicKey.scheme.name
            public_key = Hex.encode(key.publicKey.bytes)
            network = specs.name
            genesis_hash = specs.genesisHash.hex
            other_networks = others.map(\.shownName)
            other_genesis_hashes = others.map(\.genesis.hex)
            self.others = others
        }

        /// What is printed; ``others`` stands in two of these.
        private enum CodingKeys: String, CodingKey {
            case address, text, label, seed, group, imported, path, path_kind, has_password, scheme
            case public_key, network, genesis_hash, other_networks
            case other_genesis_hashes
        }
    }
}
