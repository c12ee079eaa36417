import SubstratePrimitives

/// Looks for an account below a phrase, where wallets are known to put accounts.
public final class KeySearch: Sendable {
    private let miniSecret: SecretBytes
    private let seed: HDSeed
    /// Whether ``seed`` has the password; it cannot have one beyond ASCII.
    private let derivesNumbers: Bool
    /// Whether there is a ``miniSecret``: a master secret of SLIP-39 has no `//` paths.
    private let derivesNames: Bool

    /// - `password`: the `///password` of Substrate paths, and the BIP-39 passphrase of paths of numbers,
    ///   which are left out where it has characters beyond ASCII.
    public init(_ mnemonic: borrowing Mnemonic, password: borrowing SecretBytes) {
        miniSecret = SecretBytes(count: 32)
        miniSecret.withUnsafeMutableBytes {
            MiniSecret.derive(entropy: mnemonic.entropy, password: password, into: $0)
        }
        derivesNames = true
        derivesNumbers = HDSeed.takes(passphrase: password)
        // Without the password the seed is of no use, and is not used.
        seed = derivesNumbers ? HDSeed(mnemonic, ascii: password) : HDSeed(mnemonic, ascii: SecretBytes())
    }

    /// - `password`: as for a phrase; under a password a master secret has no keys.
    public convenience init(_ seed: borrowing SeedSecret, password: borrowing SecretBytes) throws(KeyError) {
        switch seed.kind {
        case .phrase:
            let mnemonic: Mnemonic
            do throws(MnemonicError) { mnemonic = try Mnemonic(entropy: seed.bytes.copy()) } catch {
                throw .mnemonic(error)
            }
            self.init(mnemonic, password: password)
        case .master: self.init(try HDSeed(master: seed.bytes), hasPassword: password.count > 0)
        }
    }

    private init(_ seed: consuming HDSeed, hasPassword: Bool) {
        miniSecret = SecretBytes()
        self.seed = seed
        derivesNames = false
        derivesNumbers = !hasPassword
    }

    /// The first convention that gives the account.
    /// - Parameters:
    ///   - account: an account id of 32 or 20 bytes, or a public key of 33.
    ///   - conventions: in this order.
    ///   - tried: called before each place with how many stood before it.
    public func first(
        of account: [UInt8], among conventions: [AccountConvention], tried: (Int) -> Void = { _ in }
    ) -> AccountConvention? {
        for (number, convention) in conventions.enumerated() where Self.canBe(account, convention.scheme) {
            tried(number)
            guard let key = key(convention) else { continue }
            if key.accountID == account || key.bytes == account { return convention }
        }
        return nil
    }

    /// An ethereum account has 20 bytes, and no other has.
    private static func canBe(_ account: [UInt8], _ scheme: SignatureScheme) -> Bool {
        (account.count == 20) == (scheme == .ethereum)
    }

    private func key(_ convention: AccountConvention) -> PublicKey? {
        switch convention.path {
        case .substrate(let path):
            guard derivesNames else { return nil }
            return try? KeyPair.derive(miniSecret: miniSecret, path: path, scheme: convention.scheme)
                .publicKey
        case .hd(let path):
            guard derivesNumbers else { return nil }
            return try? KeyPair.derive(seed: seed, path: path, scheme: convention.scheme).publicKey
        }
    }
}

/// A slip in a phrase that was written down or typed.
public enum PhraseSlip: Sendable, CaseIterable {
    /// Two words stand in each other's place.
    case swapped
    /// One word is wrong: another word of the list, or one that the list does not have.
    case oneWord
}

extension PhraseSlip {
    /// The phrases with a valid checksum that differ from a typed one by one slip.
    ///
    /// - Parameters:
    ///   - phrase: 12, 15, 18, 21 or 24 words as they were typed; one may be unknown for ``oneWord``.
    ///   - language: of the words; nil for the one that knows most of them.
    ///   - body: gets each candidate, and which words differ from what was typed, counted from 1; returning
    ///     true ends the search.
    ///   - tried: called after each phrase, valid or not, with how many there are.
    /// - Throws: `MnemonicError` for another number of words, or an unknown word that the slip does not
    ///   explain.
    public func search(
        _ phrase: borrowing SecretBytes, language: PhraseLanguage? = nil,
        tried: (Int, Int) throws -> Void = { _, _ in },
        _ body: (borrowing Mnemonic, [Int]) throws -> Bool
    ) throws {
        // Indices are as secret as the words: they stay in guarded memory.
        let language = try language ?? Mnemonic.likelyLanguage(of: phrase)
        let words = try Mnemonic.indices(of: phrase, language)
        let count = words.count / 2
        func index(_ place: Int) -> UInt16 {
            words.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 2 * place, as: UInt16.self) }
        }
        func set(_ place: Int, _ index: UInt16) {
            words.withUnsafeMutableBytes {
                $0.storeBytes(of: index, toByteOffset: 2 * place, as: UInt16.self)
            }
        }
        let unknown = Mnemonic.unknown(in: words)
        var done = 0
        switch self {
        case .swapped:
            if let first = unknown.first { throw MnemonicError.unknownWord(index: first) }
            let total = count * (count - 1) / 2
            for one in 0..<count {
                for other in (one + 1)..<max(one + 1, count) {
                    let (left, right) = (index(one), index(other))
                    set(one, right)
                    set(other, left)
                    defer {
                        set(one, left)
                        set(other, right)
                    }
                    done += 1
                    try tried(done, total)
                    guard let mnemonic = Mnemonic(indices: words, language) else { continue }
                    if try body(mnemonic, [one + 1, other + 1]) { return }
                }
            }
        case .oneWord:
            guard unknown.count < 2 else { throw MnemonicError.unknownWord(index: unknown[1]) }
            let places = unknown.isEmpty ? Array(0..<count) : unknown
            let total = places.count * WordList.english.count
            for place in places {
                let typed = index(place)
                defer { set(place, typed) }
                for word in 0..<UInt16(WordList.english.count) {
                    done += 1
                    try tried(done, total)
                    guard word != typed else { continue }
                    set(place, word)
                    guard let mnemonic = Mnemonic(indices: words, language) else { continue }
                    if try body(mnemonic, [place + 1]) { return }
                }
            }
        }
    }
}
