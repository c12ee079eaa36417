import Accounts
import ArgumentParser
import Ceremony
import CommandKit
import Diagnostics
import Keys
import Presentation
import SubstratePrimitives
import TerminalIO
import TrustStore
import UOS

/// `scan --seed-from`: signs with a phrase that the vault does not keep.
struct UnstoredOptions: ParsableArguments {
    /// The words for a prompt or a descriptor, and for a camera, in place of a file.
    private static let words = "words"
    private static let camera = "camera"

    @Option(
        help: ArgumentHelp(
            "Sign with a phrase that is not stored: words, camera, or a picture of its SeedQR.",
            valueName: "input"), completion: .file())
    var seedFrom: String?

    @Option(
        help: ArgumentHelp(
            "The key's path below that phrase (default: where known wallets put accounts).",
            valueName: "path"))
    var seedPath: String?

    @Flag(help: "Ask for the ///password of that key (never stored).")
    var seedPassword = false

    @Option(
        help: ArgumentHelp("Read that ///password as one line from this descriptor.", valueName: "n"))
    var seedPasswordFd: Int32?

    @OptionGroup var phrase: PhraseOptions

    var isGiven: Bool { seedFrom != nil }

    /// Whether the phrase is typed, or read from a descriptor.
    private var isTyped: Bool { seedFrom.map { $0.utf8Equals(Self.words) } ?? false }
    private var isSeen: Bool { seedFrom.map { $0.utf8Equals(Self.camera) } ?? false }
    private var pictures: [String] { isTyped || isSeen ? [] : seedFrom.map { [$0] } ?? [] }

    var readable: [String] { pictures.filter { !$0.utf8Equals("-") } }
    /// A child reads the picture: the scanner's report stays in memory that is not wiped.
    var forks: Bool { isGiven && !isTyped }

    /// - Parameter named: those of the payload's own input, which are used again.
    func cameras(_ named: [String]) -> [String] { isSeen && named.isEmpty ? Cameras.devices : [] }

    func validate() throws {
        guard isGiven || seedPath == nil && !seedPassword && seedPasswordFd == nil else {
            throw ValidationError("--seed-path, --seed-password and --seed-password-fd need --seed-from")
        }
        guard isTyped || !phrase.isGiven else {
            throw ValidationError("--phrase-fd and --language need --seed-from words")
        }
    }

    /// The keys of the phrase that a payload names. It is asked for once the payload is read and the device
    /// is known to be offline, and is wiped when the keys are found.
    func signers(
        of payload: Payload, _ input: InputOptions, _ device: Device, _ console: Console
    ) throws -> [UnstoredSigner] {
        guard isGiven else { return [] }
        let state = try device.trust().state
        let named = payload.signers
        let strangers = named.filter {
            state.key(for: $0, network: nil) == nil && state.underivedKey(of: $0, network: nil) == nil
        }
        guard let first = strangers.first else {
            throw UnstoredError.signerIsStored(named.first?.address(prefix: 42) ?? "")
        }
        // Such a payload names the root of a seed that somebody keeps, and asks that vault to derive. To
        // compare the root here would ask for a phrase first, and the answer would leave a key that nobody
        // has listed.
        for case .derived in strangers { throw UnstoredError.signerIsDerived }
        try device.requireOffline()
        let path = try seedPath.map { try AccountPath($0, scheme: first.scheme) }
        let mnemonic = try mnemonic(input, console)
        let password =
            seedPassword || seedPasswordFd != nil
            ? try secret("///password: ", for: .password, descriptor: seedPasswordFd, console) : SecretBytes()
        let places = AccountConvention.known(networks: KeyFind.networks(state))
        let signers = try strangers.compactMap {
            try UnstoredSigner($0, of: mnemonic, password: password, at: path, among: places)
        }
        guard !signers.isEmpty else {
            throw UnstoredError.signerNotOfPhrase(
                first.address(prefix: 42),
                tried: path == nil ? places.count { $0.scheme == first.scheme } : nil)
        }
        return signers
    }

    private func mnemonic(_ input: InputOptions, _ console: Console) throws -> Mnemonic {
        if isTyped { return try phrase.mnemonic(console) }
        let cameras = isSeen ? cameras(input.cameras) + input.cameras : []
        guard !isSeen || !cameras.isEmpty else { throw CommandError.noCamera }
        let entropy = try ChildProcess.secret(console) {
            try ScannedSeed.seedQR(
                pictures: pictures, cameras: cameras, decoder: input.decoder, console
            ).entropy.copy()
        }
        return try Mnemonic(entropy: entropy)
    }
}

extension Payload {
    /// Who is asked to sign, each once, in the payload's order.
    fileprivate var signers: [SignerReference] {
        func all(_ payload: Payload) -> [SignerReference] {
            switch payload.signable {
            case .transaction(let transaction): [transaction.signer]
            case .message(let message): [message.signer]
            case .bulk(let inner): inner.flatMap(all)
            case nil: []
            }
        }
        return all(self).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}

/// Why a phrase for one signature is not used.
enum UnstoredError: Error, Equatable {
    /// The payload asks for no signature.
    case nothingToSign
    /// The vault has the key.
    case signerIsStored(String)
    /// The payload names its key by the root of a seed and a path.
    case signerIsDerived
    /// The phrase does not give the signer; `tried` places, nil for a path that was named.
    case signerNotOfPhrase(String, tried: Int?)
}

extension UnstoredError: DiagnosticError {
    var diagnostic: Diagnostic {
        switch self {
        case .nothingToSign:
            .badInput(
                "nothing-to-sign-once",
                "--seed-from is for transactions and messages, which this is not",
                hint: "heliograph inspect shows what it is")
        case .signerIsStored(let address):
            .refused(
                "signer-is-stored", "the signer \(address) is a key of this vault",
                hint: "scan without --seed-from")
        case .signerIsDerived:
            .refused(
                "signer-is-derived",
                "the payload names its key by the root of a seed and a path: only a vault that holds the seed signs it",
                hint: "restore the seed, or let the wallet name the key itself")
        case .signerNotOfPhrase(let address, let tried):
            .refused(
                "signer-not-of-phrase",
                "the phrase does not give the signer \(address)"
                    + (tried.map { " at any of the \($0) places of known wallets" } ?? " at this path"),
                hint: "--seed-path PATH names the path of the key, --seed-password asks for a ///password")
        }
    }

    static var examples: [UnstoredError] {
        let address = "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY"
        return [
            .nothingToSign, .signerIsStored(address), .signerIsDerived,
            .signerNotOfPhrase(address, tried: 700),
            .signerNotOfPhrase(address, tried: nil),
        ]
    }
}
