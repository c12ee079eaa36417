import Ceremony
import Hashing
import Keys
import Review
import SubstratePrimitives
import TrustStore
import Vault

// What commands use that are no operations of the ceremony yet. This file goes away with the last of them.

typealias OpenVault = Session

enum ShieldGuard {
    static func requireOffline(_ vault: VaultOptions) throws { try vault.device().requireOffline() }
}

extension Session {
    func chainData() throws -> ChainData { ChainData(state: try store.trust().state) { [store] in try store.store.content($0) } }

    func change(
        _ changes: [TrustChange], events: [LogEvent], borrowing borrowed: [TrustChange] = [], word: WordOption, _ console: Console
    ) throws {
        let state = try store.trust().state
        let reuse = KeyReuse.caused(by: changes + borrowed, in: state)
        try word.confirm(reuse, in: state, isDevelopment: isDevelopment, console)
        try store.change(changes, events: events, borrowing: borrowed, accepting: reuse)
    }

    func keyPair(_ record: KeyRecord, address: String? = nil, passwordFd: Int32?, _ console: Console) throws -> KeyPair {
        let path = try DerivationPath(record.path)
        let question = Wording.passwordQuestion(path: record.path, address: address ?? record.publicKey.address(prefix: 42))
        let password = record.hasPassword ? try secret(question, descriptor: passwordFd, console) : SecretBytes()
        let key = try vault.withSeed(record.seed) { (entropy: borrowing SecretBytes) in
            try KeyPair.derive(entropy: entropy, path: path, password: password, scheme: record.publicKey.scheme)
        }
        guard key.publicKey == record.publicKey else {
            if record.hasPassword {
                try store.append([LogEvent(.wrongPassword, [LogEvent.Fact("key", Hex.encode(record.publicKey.bytes))])])
            }
            throw ReviewError.derivedKeyDiffers(hasPassword: record.hasPassword)
        }
        return key
    }
}

extension WordOption {
    func confirm(_ reuse: [KeyReuse], in state: TrustState, isDevelopment: Bool, _ console: Console) throws {
        guard word == nil || isDevelopment else { throw CeremonyError.wordNeedsDevelopmentVault }
        guard !reuse.isEmpty else { return }
        switch try TerminalPerson(console: console, word: self).word(for: reuse, in: state) {
        case .typed(let word)? where word.utf8Equals(KeyReuse.word): return
        case .option(let word)? where isDevelopment && word.utf8Equals(KeyReuse.word): return
        default: throw CeremonyError.keyOnTwoNetworks(reuse.count)
        }
    }
}
