import ArgumentParser

/// What a shell asks for before an unlocked vault signs a dangerous call.
///
/// It is an option of the shell and not a sealed setting: whoever starts a shell types the passphrase into
/// it, and whoever finds it open can change the option only by a new shell, which is locked.
package enum PersonProof: String, CaseIterable, ExpressibleByArgument {
    /// The word of the question, and the passphrase. The word stands on the screen for everybody to read.
    case passphrase
    /// The word of the question alone.
    case word
}
