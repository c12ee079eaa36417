import ArgumentParser
import Hashing
import HotStore
import Lines
import PracticeChain
import SubstratePrimitives

/// A network to practise on, its node, and the part of a wallet: a first signature without a real chain,
/// without money, and without other people's machines.
struct Practice: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make a network to practise on, play its node, or make a transaction as a wallet would.",
        discussion:
            """
            The directory gets pictures of the network's specs and metadata, signed by a verifier that is \
            made for them and thrown away, and a hot database of its own, which knows no other network. Give \
            it to the other commands: --database DIRECTORY/hot. No real chain takes a signature that is made \
            for this network.
            """)
    @Argument(help: "The directory of the practice network, made if needed.") var directory: String
    @Flag(help: "Play the network's node on this machine until Ctrl-C.") var node = false
    @Option(help: "The port of --node; 0 for one that is free (default: 29944).") var port: UInt16?
    @Option(help: "Make a transaction of this account, DIRECTORY/transaction.png, from DIRECTORY/call.json.")
    var pay: String?
    @Flag(help: "Make the transaction of --pay without a metadata proof.") var withoutProof = false

    /// Beside 9944, where nodes of real chains listen: nobody's command for the one meets the other.
    private static let standardPort: UInt16 = 29_944

    func validate() throws {
        guard !node || pay == nil else { throw ValidationError("--node and --pay exclude each other") }
        guard port == nil || node else { throw ValidationError("--port is for --node") }
        guard !withoutProof || pay != nil else { throw ValidationError("--without-proof is for --pay") }
        guard !directory.utf8.isEmpty else { throw ValidationError("the directory needs a name") }
    }

    func run() async throws {
        let folder = PracticeFolder(directory)
        if node { return try await PracticeNode(folder).run(port: Int(port ?? Self.standardPort)) }
        if let pay { return try await makeTransaction(of: pay, in: folder) }
        let verifier = try folder.make()
        let name = PracticeNetwork.specs.name
        let pictures = "\(folder.file("specs.png")), \(folder.file("metadata.png"))"
        Console.print(Escape.terminal("\(pictures): the network \(name), signed by"))
        Console.print("  \(Hex.encode(verifier.bytes))")
        Console.note(
            Escape.terminal("next: heliograph-hot practice \(folder.path) --node, in a terminal of its own"))
    }

    /// Makes the transaction of `call.json` like a wallet that asks its node: with the account's next nonce,
    /// and an era from the newest block on. The kept chain gives both, whether its node runs or not.
    private func makeTransaction(of account: String, in folder: PracticeFolder) async throws {
        let store = try folder.open()
        let specs = PracticeNetwork.specs
        let chain = try folder.currentChain()
        let signer = try Signer(account, specs: specs, known: store.derivedKeys())
        guard case .key(let key) = signer.reference, let payer = Hash32(key.bytes) else {
            throw HotError.badAddress(account)
        }
        let picture = folder.file("transaction.png")
        let words = [
            "--network", specs.name, "--signer", account, "--call", folder.file("call.json"), "--nonce",
            "\(chain.nonce(of: payer))", "--block-number", "\(chain.head.number)", "--block-hash",
            "0x\(chain.head.hash.hex)", "--era", "64", "--out", picture, "--database", folder.database,
        ]
        let command = try MakeTransaction.parse(words + (withoutProof ? ["--without-proof"] : []))
        try await command.run()
    }
}
