import ArgumentParser
import Ceremony
import Diagnostics
import Keys
import Presentation
import SubstratePrimitives
import TerminalIO

/// A seed that a person types in parts, or a descriptor gives, one part on each line.
package struct PartsOptions: ParsableArguments {
    @Flag(
        name: .customLong("slip39"),
        help: "Type SLIP-39 shares: 20 or 33 words each, as Trezor's devices make them.")
    package var isSLIP39 = false

    @Flag(
        name: .customLong("xor"),
        help: "Type the parts of a Seed XOR: recovery phrases of one length, as Coldcard makes them.")
    package var isXOR = false

    @Option(help: ArgumentHelp("Read the shares from this descriptor, one on each line.", valueName: "n"))
    var sharesFd: Int32?

    package init() {}

    /// Whether parts are read, and no pictures.
    package var isGiven: Bool { isSLIP39 || isXOR }

    package func validate() throws {
        guard !isSLIP39 || !isXOR else { throw ValidationError("--slip39 and --xor exclude each other") }
        guard isGiven || sharesFd == nil else { throw ValidationError("--shares-fd needs --slip39 or --xor") }
    }

    /// What the parts join to.
    /// - Parameter passphraseFd: the descriptor with the shares' passphrase. Shares from a descriptor have
    ///   no passphrase unless it comes from one, too.
    package func join(passphraseFd: Int32?, _ console: Console) throws -> JoinedSeed {
        if isXOR { return try TypedXORParts(console).read(sharesFd) }
        let shares = try TypedShares(console).read(sharesFd)
        // Incomplete shares are refused before a passphrase is asked for.
        try SLIP39.requireComplete(shares)
        if let rounds = SLIP39.slowRounds(shares) { console.note(Wording.slowShares(rounds: rounds)) }
        let passphrase = try passphrase(passphraseFd, console)
        let secret = try SLIP39.join(shares, passphrase: passphrase)
        return JoinedSeed(
            secret: HeldSecret(secret),
            form: .slip39(shares: shares.count, hasPassphrase: passphrase.count > 0))
    }

    private func passphrase(_ descriptor: Int32?, _ console: Console) throws -> SecretBytes {
        guard descriptor != nil || sharesFd == nil else { return SecretBytes() }
        while true {
            let passphrase = try secret(
                Wording.passphraseOfSLIP39, for: .passphrase, descriptor: descriptor, console)
            guard descriptor == nil, !SLIP39.takes(passphrase: passphrase) else { return passphrase }
            console.tell(SLIP39Error.passphrase.sentence)
        }
    }
}

/// The secret of shares, before anybody knows whether it is the right one.
package struct JoinedSeed: Sendable {
    /// Of the length that its shares say.
    package let secret: HeldSecret
    /// What it was joined from.
    package let form: Wording.JoinedForm

    /// The secret as a seed of a kind.
    /// - Throws: `MnemonicError.entropyLength(_:)` where the kind has no such length
    package func seed(_ kind: SeedSecret.Kind) throws(MnemonicError) -> SeedSecret {
        let bytes = secret.withSecret { (secret: borrowing SecretBytes) in secret.copy() }
        guard let seed = SeedSecret(kind, bytes) else { throw .entropyLength(secret.count) }
        return seed
    }
}

/// Asks for the shares of a set.
struct TypedShares {
    private let console: Console
    private var shares: [SLIP39Share] = []

    init(_ console: Console) { self.console = console }

    /// - Returns: different shares of one set; perhaps too few.
    consuming func read(_ descriptor: Int32?) throws -> [SLIP39Share] {
        if let descriptor {
            try read(from: descriptor)
        } else {
            try ask()
        }
        return shares
    }

    private var isComplete: Bool { (try? SLIP39.progress(shares))?.isComplete ?? false }

    private mutating func read(from descriptor: Int32) throws {
        var lines = 0
        while !isComplete, let line = try console.secretLine(from: descriptor) {
            lines += 1
            // More than a set can have: an endless input ends here.
            guard lines <= SLIP39.maximumCount * SLIP39.maximumCount else { break }
            if line.count > 0 { _ = try add(SLIP39Share(line)) }
        }
        guard lines > 0 else { throw CommandError.emptyDescriptor(descriptor) }
    }

    /// A share of another set is said at once and left out: with twenty words typed, nobody wants to begin
    /// again.
    private mutating func ask() throws {
        guard console.terminal != nil else {
            throw CommandError.noTerminal(question: Wording.wordQuestion(1), .shares)
        }
        console.tell(Wording.howToTypeShares)
        defer { console.clearScreen() }
        while !isComplete {
            console.tell(Wording.nextShare(shares.count + 1))
            let share = try PhrasePrompt.next(
                console, .shares, longest: SLIP39Share.words.upperBound, endsAlone: true
            ) { (words: borrowing SecretBytes) throws(SLIP39Error) in try SLIP39Share(words) }
            guard let share else {
                guard !shares.isEmpty else { throw CeremonyError.declined }
                return
            }
            do throws(SLIP39Error) {
                let isNew = try add(share)
                console.clearScreen()
                console.tell(
                    isNew ? Wording.progress(try SLIP39.progress(shares)) : Wording.shareTypedAlready)
            } catch {
                console.clearScreen()
                console.tell("\(error.sentence); this share is left out")
            }
        }
    }

    /// - Returns: false for a share that is there already.
    private mutating func add(_ share: SLIP39Share) throws(SLIP39Error) -> Bool {
        _ = try SLIP39.progress(shares + [share])
        guard !shares.contains(where: { $0.isEqual(to: share) }) else { return false }
        shares.append(share)
        return true
    }
}

/// Asks for the parts of a Seed XOR, until an empty line, or the end of a descriptor.
struct TypedXORParts {
    /// More than anybody has: an endless input ends here.
    private static let most = 64
    private let console: Console

    init(_ console: Console) { self.console = console }

    func read(_ descriptor: Int32?) throws -> JoinedSeed {
        let parts = try descriptor.map(read(from:)) ?? ask()
        return JoinedSeed(secret: HeldSecret(try SeedXOR.join(parts)), form: .seedXOR(parts: parts.count))
    }

    private func read(from descriptor: Int32) throws -> [HeldSecret] {
        var parts: [HeldSecret] = []
        while parts.count < Self.most, let line = try console.secretLine(from: descriptor) {
            // An empty line ends the parts, as it does where they are typed.
            guard line.count > 0 else { break }
            parts.append(HeldSecret(try Mnemonic(phrase: line).entropy.copy()))
        }
        guard !parts.isEmpty else { throw CommandError.emptyDescriptor(descriptor) }
        return parts
    }

    private func ask() throws -> [HeldSecret] {
        guard console.terminal != nil else {
            throw CommandError.noTerminal(question: Wording.wordQuestion(1), .shares)
        }
        console.tell(Wording.howToTypeParts)
        defer { console.clearScreen() }
        var parts: [HeldSecret] = []
        while parts.count < Self.most {
            console.tell(Wording.nextPart(parts.count + 1))
            let part = try PhrasePrompt.next(console, .english, longest: 24) {
                (words: borrowing SecretBytes) throws(MnemonicError) in
                HeldSecret(try Mnemonic(phrase: words).entropy.copy())
            }
            console.clearScreen()
            guard let part else { break }
            parts.append(part)
        }
        guard !parts.isEmpty else { throw CeremonyError.declined }
        return parts
    }
}

/// What a person who joined parts compares before the seed is added: any passphrase "works".
package enum JoinedAddress: CaseIterable {
    case substrate
    case ethereum

    /// The first address of the seed in that form; nil where the kind has none.
    package func address(of seed: borrowing SeedSecret) throws -> String? {
        switch (self, seed.kind) {
        case (.substrate, .master): return nil
        case (.substrate, .phrase):
            return try KeyPair.derive(seed, path: .substrate(.root), scheme: .sr25519).publicKey
                .accountAddress(prefix: 42)
        case (.ethereum, _):
            let path = try AccountPath("bip32:m/44'/60'/0'/0/0", scheme: .ethereum)
            return try KeyPair.derive(seed, path: path, scheme: .ethereum).publicKey
                .accountAddress(prefix: 42)
        }
    }

    /// What the line of the address is called.
    package var title: String {
        switch self {
        case .substrate: "(root)"
        case .ethereum: "ethereum"
        }
    }
}
