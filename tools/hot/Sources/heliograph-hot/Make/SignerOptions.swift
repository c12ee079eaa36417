import ArgumentParser
import Diagnostics
import Hashing
import HotStore
import Keys
import Lines
import SubstratePrimitives
import UOS

/// The key that is asked to sign, as an address and as the payload names it.
struct Signer: Sendable {
    /// What a node is asked for the nonce of; nil for a derived key whose address nobody told.
    let address: String?
    let reference: SignerReference

    /// - Parameter text: SS58, or hex of the key or Ethereum-style address.
    init(_ text: String, scheme: SignatureScheme) throws {
        try self.init(text, key: Self.payloadKey(text, scheme: scheme), scheme: scheme, address: text)
    }

    /// Reads a signer on a network. A key in hex is enough there, because the network gives it an address.
    /// - Parameter known: the keys from earlier answers and from the user. An ecdsa address does not contain
    ///   its key, so the key is looked up here.
    init(_ text: String, specs: NetworkSpecs, known: [HotDerivedKey]) throws {
        let scheme = specs.scheme
        let told = known.first {
            $0.scheme == .ecdsa && scheme == .ecdsa && $0.address(specs).utf8Equals(text)
        }
        let key = try told?.payloadKey ?? Self.payloadKey(text, scheme: scheme)
        let isHex = Hex.decode(text) != nil && scheme != .ethereum
        try self.init(
            text, key: key, scheme: scheme,
            address: isHex
                ? PublicKey(scheme: scheme, bytes: key)?.accountAddress(prefix: specs.base58Prefix) : text)
    }

    private init(_ text: String, key: [UInt8], scheme: SignatureScheme, address: String?) throws {
        self.address = address
        guard let reference = SignerReference(scheme: scheme, payloadKey: key) else {
            throw HotError.badAddress(text)
        }
        self.reference = reference
    }

    fileprivate init(address: String?, reference: SignerReference) {
        self.address = address
        self.reference = reference
    }

    /// The public key, or the 20-byte address of an Ethereum-style key.
    ///
    /// Hex needs no `0x`: no SS58 address has as many letters as the hex of a key.
    static func payloadKey(_ text: String, scheme: SignatureScheme) throws -> [UInt8] {
        if let bytes = Hex.decode(text), bytes.count == scheme.payloadKeyLength { return bytes }
        guard !text.utf8Starts(with: "0x") else { throw HotError.badAddress(text) }
        let parsed = try SS58Address(text)
        // BLAKE2b-256 of the 33 bytes: nobody finds the key from it.
        if scheme == .ecdsa, parsed.account.count == 32 { throw HotError.publicKeyNeeded(address: text) }
        guard parsed.account.count == scheme.payloadKeyLength else { throw HotError.badAddress(text) }
        return parsed.account
    }
}

/// The root key of an offline seed: the sr25519 key of the empty path, in hex or as an address.
struct RootKey: ExpressibleByArgument, Equatable {
    let key: PublicKey

    init?(argument: String) {
        guard let bytes = try? Signer.payloadKey(argument, scheme: .sr25519),
            let key = PublicKey(scheme: .sr25519, bytes: bytes)
        else {
            return nil
        }
        self.key = key
    }
}

/// Who signs a transaction: a key that the payload carries, or one that it names by root key and path.
struct SignerOptions: ParsableArguments {
    @Option(
        help: "The signer's address (default: with --root, the one that an answer of the offline side told).")
    var signer: String?
    @Option(
        help:
            """
            The root key of the signer's seed, an address or hex: the payload names the signer by it and \
            --path.
            """
    ) var root: RootKey?
    @Option(help: "The signer's derivation path below --root, without a password.") var path: String?

    func validate() throws {
        guard (root == nil) == (path == nil) else { throw ValidationError("--root and --path go together") }
        guard signer != nil || root != nil else {
            throw ValidationError("give --signer ADDRESS, or --root KEY and --path PATH")
        }
    }

    /// - Throws: `DerivationPathError`, ``HotError/softPath(_:scheme:)``, ``HotError/badAddress(_:)``
    func signer(_ specs: NetworkSpecs, _ store: HotStore) throws -> Signer {
        guard let root = root?.key, let path else {
            // Without --root, validate() requires --signer.
            return try Signer(signer ?? "", specs: specs, known: store.derivedKeys())
        }
        try DerivationPath.require(path, scheme: specs.scheme)
        let reference = SignerReference.derived(root: root, path: path, scheme: specs.scheme)
        let known = try store.derivedKey(root: root, path: path, scheme: specs.scheme)
        guard let signer else { return Signer(address: known?.address(specs), reference: reference) }
        // The user knows his own address better than an earlier answer: it replaces the stored one.
        let given = HotDerivedKey(
            root: root, path: path, scheme: specs.scheme,
            payloadKey: try Signer.payloadKey(signer, scheme: specs.scheme))
        if let known, known != given {
            Console.note(Escape.terminal("\(path) was 0x\(Hex.encode(known.payloadKey)) until now"))
        }
        try store.keep([given], replacing: true)
        return Signer(address: signer, reference: reference)
    }
}

extension DerivationPath {
    /// - Throws: `DerivationPathError`, ``HotError/softPath(_:scheme:)``
    static func require(_ text: String, scheme: SignatureScheme) throws {
        let path = try DerivationPath(text)
        guard scheme == .sr25519 || path.isHardOnly else { throw HotError.softPath(text, scheme: scheme) }
    }
}

extension DerivationPath {
    /// A path from a file, which is bad input where it cannot be derived.
    static func require(_ text: String, scheme: SignatureScheme, in file: String) throws {
        do {
            try require(text, scheme: scheme)
        } catch let error as any DiagnosticError {
            throw HotError.badDescription(path: file, detail: "\(text): \(error.sentence)")
        }
    }
}

extension DerivationPath {
    /// Refuses two spellings of one path, such as `//1` and `//01`: they are one key, and an answer could
    /// name two.
    static func requireOneSpelling(of paths: [String], in file: String) throws {
        var spelled: [[[UInt8]]: String] = [:]
        for text in paths {
            let place = try DerivationPath(text).junctions.map { [$0.isHard ? 1 : 0] + $0.chainCode }
            if let other = spelled.updateValue(text, forKey: place), !other.utf8Equals(text) {
                throw HotError.badDescription(path: file, detail: "\(other) and \(text) are one path")
            }
        }
    }
}

extension HotDerivedKey {
    /// As the network writes it: what a node is asked with.
    func address(_ specs: NetworkSpecs) -> String? {
        if scheme == .ethereum { return EthereumAddress(bytes: payloadKey)?.text }
        return PublicKey(scheme: scheme, bytes: payloadKey)?.accountAddress(prefix: specs.base58Prefix)
    }
}
