import ArgumentParser
import Ceremony
import CommandKit
import HardwareProtocol
import Lines
import Presentation
import Sandbox
import TerminalIO
import TrustStore
import Vault

/// `status`: facts about the program and the vault. It asks for no passphrase, and checks more if one is
/// given.
struct Status: VaultCommand, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show the sandbox, the air gap, the vault and its trust store.",
        discussion:
            """
            With --passphrase-fd, and in an unlocked shell, the seal and the contents of the store are \
            checked too.
            """
    )

    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    private struct Document: Encodable {
        struct Closed: Encodable {
            let landlock_abi: Nullable<Int>
            let limits_signals: Bool
            let allowed_calls: Int
        }
        struct VaultFacts: Encodable {
            let directory: String
            let development: Bool
            let seeds: Int
            /// Absent where there are none.
            let imported_keys: Int?
            /// Failed attempts since the last unlock.
            let wrong_passphrases: UInt32
            /// What opens it, in one sentence.
            let rule: String
            /// Seconds until the next attempt is allowed.
            let attempt_delay: UInt64
            /// Events that join the log at the next unlock.
            let waiting_events: Int
            /// Absent in a vault without seeds.
            let seed_ages: [SeedAge]?
        }
        struct SeedAge: Encodable {
            let name: String
            let added: Nullable<UInt64>
            let words_checked: Nullable<UInt64>
        }
        /// How a TPM limits guessing.
        struct Guard: Encodable {
            /// Wrong passphrases that it has counted.
            let failures: UInt32
            let failures_allowed: UInt32
            /// Seconds until it forgets one.
            let recovery_seconds: UInt32
            let locked: Bool
            /// Whether resetting the count needs a value of its own.
            let lockout_guarded: Bool
            /// How often its counter moved for this vault; null where it has none.
            let counted: Nullable<UInt64>
        }
        let sandbox: Closed
        let warnings: [String]
        let shield: ShieldFacts
        let vault: VaultFacts
        let networks: [NetworkFacts]
        let types: Nullable<TypesFacts>
        /// Null where the vault is not bound to one, or the TPM does not say.
        let tpm: Nullable<Guard>
        let trust_store: String
        /// Readable on the disk, like the history of what was signed.
        let contacts: Int
        let log_entries: UInt64
        /// From this entry to the last, each follows the one before it; `log verify` checks all.
        let log_checked_from: UInt64
    }

    /// What a TPM says, or why it does not.
    private static func tpm(_ device: Device) -> (TPMFacts?, HardwareError?) {
        do throws(HardwareError) { return (try device.tpmFacts(), nil) } catch { return (nil, error) }
    }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        let device = try context.device(self)
        let opened = try device.vault()
        let session = try context.unlockUnasked(self)
        let isChecked = session != nil
        _ = try session?.checkContents()
        let state = try session?.trust().state ?? device.trust().state
        let checkedFrom = try device.checkLogEnd() ?? state.log.first
        let attempts = try opened.failedAttempts()
        let landlock = context.sandbox.landlock
        let isBound = opened.slots.contains(where: \.needsTPM)
        let (tpm, silence) = isBound ? Self.tpm(device) : (nil, nil)
        let counted = try GenerationCounter(state.settings)?.counts(at: state.generation)
        let document = Document(
            sandbox: Document.Closed(
                landlock_abi: Nullable(landlock.abi), limits_signals: landlock.limitsSignals,
                allowed_calls: context.sandbox.allowedCallCount),
            warnings: Weakness.all(context.sandbox).map(Wording.weakness),
            shield: ShieldFacts(try device.recordShield()),
            vault: Document.VaultFacts(
                directory: device.directory, development: opened.isDevelopment, seeds: opened.seedNames.count,
                imported_keys: opened.importedKeys.isEmpty ? nil : opened.importedKeys.count,
                wrong_passphrases: attempts.count, rule: KeySlotInfo.rule(of: opened.slots),
                attempt_delay: attempts.delay,
                waiting_events: try device.waiting().count,
                seed_ages: opened.seedNames.isEmpty
                    ? nil
                    : opened.seedNames.map {
                        let times = state.times(seed: $0)
                        return Document.SeedAge(
                            name: $0, added: Nullable(times.added), words_checked: Nullable(times.checked))
                    }),
            networks: state.networks.map { NetworkFacts($0, state: state) },
            types: Nullable(TypesFacts(state)),
            tpm: Nullable(
                tpm.map {
                    Document.Guard(
                        failures: $0.failures, failures_allowed: $0.failuresAllowed,
                        recovery_seconds: $0.recoverySeconds, locked: $0.isLockedOut,
                        lockout_guarded: $0.isLockoutGuarded, counted: Nullable(counted))
                }),
            trust_store: isChecked ? "checked" : "not checked",
            contacts: state.contacts.count, log_entries: state.log.last + 1 - state.log.first,
            log_checked_from: checkedFrom)
        if json { return JSONText.print(document, console) }
        func line(_ name: String, _ text: String, _ style: TextStyle = .plain) {
            console.print(
                StyledLine([
                    .init(name + String(repeating: " ", count: 13 - name.utf8.count)),
                    .init(Escape.terminal(text), style),
                ]))
        }
        line("sandbox", Wording.landlock(landlock))
        for warning in document.warnings { line("warning", warning, .warning) }
        line("shield", ([document.shield.status] + document.shield.findings).joined(separator: ", "))
        line(
            "vault",
            """
            \(device.directory)\(opened.isDevelopment ? " (development)" : ""), \
            \(Wording.holdings(seeds: opened.seedNames.count, keys: opened.importedKeys.count))
            """
        )
        line("key", document.vault.rule)
        if let tpm { for text in Wording.tpm(tpm, counted: counted) { line("tpm", text) } }
        if opened.slots.contains(where: \.needsSecurityKey) { line("fido2", Wording.securityKey) }
        if opened.slots.contains(where: { $0.tokenModule != nil }) { line("pkcs11", Wording.token) }
        if let silence { line("warning", silence.diagnostic.message, .warning) }
        for name in opened.seedNames {
            line("seed", "\(name), \(Wording.ages(of: state.times(seed: name), now: device.now))")
        }
        for warning in Wording.attempts(document.vault.wrong_passphrases, delay: document.vault.attempt_delay)
        {
            line("warning", warning, .warning)
        }
        if document.vault.waiting_events > 0 {
            line("journal", Wording.waiting(document.vault.waiting_events))
        }
        line(
            "trust store",
            """
            \(isChecked ? "checked" : Wording.notVerified), log of \
            \(Wording.entryCount(document.log_entries)), chain intact from entry \(checkedFrom)
            """)
        line("contacts", Wording.stored(document.contacts))
        for network in document.networks {
            let versions = network.metadata.map(String.init).joined(separator: ", ")
            let demand = state.metadataHashDemand(genesis: network.specs.genesisHash)
            let demanded = demand == .never ? "" : ", \(Wording.demand(demand))"
            line(
                "network",
                """
                \(state.shownName(of: network.specs)), metadata \
                \(versions.utf8.isEmpty ? "none" : versions)\(demanded)
                """
            )
        }
        if let types = document.types.value { line("types", Wording.types(types)) }
    }
}
