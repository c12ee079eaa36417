import Diagnostics
import HardwareProtocol
import Lines
import TerminalIO

/// What protects the key beside the passphrase.
extension Wording {
    /// While a security key waits.
    package static func touch(_ times: Int) -> String {
        "touch the security key when it blinks" + (times > 1 ? ", \(times) times" : "")
    }

    /// The question for a PIN says whose: a vault's file that somebody else wrote may ask for another one's.
    package static func pinQuestion(tokenLabel: String?) -> String {
        tokenLabel.map { "PIN of the token \($0): " } ?? "PIN of the security key: "
    }

    /// A line of `status` about a security key.
    package static let securityKey =
        "makes a secret for who touches it; nothing on the disk tells whether a passphrase is right"

    /// A line of `status` about a token.
    package static let token =
        "a token decrypts a secret for its PIN, and counts wrong ones; "
        + "nothing on the disk tells whether a passphrase is right"

    /// Lines of `status`: how the TPM limits guessing, who can undo that, and how often its counter moved.
    package static func tpm(_ facts: TPMFacts, counted: UInt64?) -> [String] {
        [
            """
            \(facts.isLockedOut ? "locked: " : "")\(Sentence.count(facts.failures, "wrong passphrase")) of \
            \(facts.failuresAllowed) before it locks, and one forgotten every \
            \(Sentence.duration(UInt64(facts.recoverySeconds)))
            """,
            facts.isLockoutGuarded
                ? "a password of its own guards that count"
                : "anybody who starts this machine with another system can reset that count: "
                    + "its lockout password is not set",
            counted.map {
                "its counter moved \(Sentence.count($0, "time")) for this vault; "
                    + "a TPM is made for some 100,000 or more"
            } ?? "no counter: a vault that is put back whole is not noticed",
        ]
    }
}
