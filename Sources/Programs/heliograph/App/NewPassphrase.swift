import Keys

/// Asked twice at a terminal, because nobody can tell a forgotten passphrase; a descriptor gives it once.
/// - Throws: ``CommandError/emptyPassphrase``, ``CommandError/passphrasesDiffer``
func newPassphrase(_ question: String, descriptor: Int32?, again: String, _ console: Console) throws(CommandError) -> SecretBytes {
    let first = try secret(question, descriptor: descriptor, console)
    guard first.count > 0 else { throw .emptyPassphrase }
    if descriptor == nil {
        let second = try secret(again, descriptor: nil, console)
        guard first.isEqual(to: second) else { throw .passphrasesDiffer }
    }
    return first
}
