import Diagnostics
import SCALE
import SubstratePrimitives

/// Something that happened, as the log keeps it. Never holds a secret.
public struct LogEvent: Sendable, Equatable {
    /// The raw value is stable: it is in the store and in exports.
    public enum Kind: String, Sendable, CaseIterable {
        case databaseCreated = "database_created"
        case networkAdded = "network_added"
        case networkChanged = "network_changed"
        case networkRemoved = "network_removed"
        case networkRevoked = "network_revoked"
        case networkSigned = "network_signed"
        case metadataAdded = "metadata_added"
        case metadataRemoved = "metadata_removed"
        case metadataSigned = "metadata_signed"
        case typesAdded = "types_added"
        case typesRemoved = "types_removed"
        case typesSigned = "types_signed"
        case assetListAdded = "asset_list_added"
        case assetListRemoved = "asset_list_removed"
        case assetListSigned = "asset_list_signed"
        case networkVerifierSet = "network_verifier_set"
        case generalVerifierSet = "general_verifier_set"
        case verifiersReset = "verifiers_reset"
        case updateRefused = "update_refused"
        case seedAdded = "seed_added"
        case seedRemoved = "seed_removed"
        case seedShown = "seed_shown"
        /// A copy of its words was compared with it, and matched.
        case seedChecked = "seed_checked"
        /// Its accounts move to another seed.
        case seedRotationBegun = "seed_rotation_begun"
        /// A person says that an account of a seed that is moved is empty.
        case seedAccountEmptied = "seed_account_emptied"
        case seedRotationStopped = "seed_rotation_stopped"
        case seedSplit = "seed_split"
        /// The shares of the split in the line before could not be written as a set of files.
        case seedSplitNotWritten = "seed_split_not_written"
        case keyAdded = "key_added"
        case keyRemoved = "key_removed"
        case keyAllowed = "key_allowed"
        case keyForbidden = "key_forbidden"
        case keyLabelled = "key_labelled"
        case keySecretExported = "key_secret_exported"
        /// The file of the secret in the line before could not be written.
        case keySecretNotWritten = "key_secret_not_written"
        case keysExported = "keys_exported"
        case derivationsImported = "derivations_imported"
        case derivationsAnswered = "derivations_answered"
        case derivationsRefused = "derivations_refused"
        case transactionSigned = "transaction_signed"
        case transactionRefused = "transaction_refused"
        /// The first round of a guarded signature was answered: nothing is signed yet.
        case guardAnswered = "guard_answered"
        case messageSigned = "message_signed"
        case messageRefused = "message_refused"
        case policySet = "policy_set"
        case policyCleared = "policy_cleared"
        case metadataHashDemandRaised = "metadata_hash_demand_raised"
        case metadataHashDemandLowered = "metadata_hash_demand_lowered"
        case vaultBackedUp = "vault_backed_up"
        /// The file of the backup in the line before could not be written.
        case vaultBackupNotWritten = "vault_backup_not_written"
        case vaultRestored = "vault_restored"
        case passphraseChanged = "passphrase_changed"
        /// Something else opens the vault from now on.
        case keySlotsChanged = "key_slots_changed"
        case recoveryKeyChecked = "recovery_key_checked"
        case vaultTimeSet = "vault_time_set"
        case nonceForgotten = "nonce_forgotten"
        case wrongPassphrase = "wrong_passphrase"
        case wrongPassword = "wrong_password"
        case deviceOnline = "device_online"
        case onlineAcknowledged = "online_acknowledged"
        case onlineAllowed = "online_allowed"
        case sealBroken = "seal_broken"
        case journalDamaged = "journal_damaged"
        /// A file beside the vault was missing, or an older one was put in its place.
        case fileTampered = "file_tampered"
        case contactAdded = "contact_added"
        case contactChanged = "contact_changed"
        case contactRemoved = "contact_removed"
        case contactListImported = "contact_list_imported"
        case contactListSigned = "contact_list_signed"
        case contactListRefused = "contact_list_refused"
        case groupRefused = "group_refused"
        case hostContactAdded = "host_contact_added"
        case hostContactRemoved = "host_contact_removed"
        case groupContributed = "group_contributed"
        case groupDealt = "group_dealt"
        /// This machine's share of a group was given on to other machines, encrypted to them.
        case groupReshared = "group_reshared"
        case groupConfirmed = "group_confirmed"
        case groupActivated = "group_activated"
        case groupSuperseded = "group_superseded"
        case groupCompared = "group_compared"
        case groupRestored = "group_restored"
        case groupRemoved = "group_removed"
        case groupOffered = "group_offered"
        /// The nonces of a request are used up for one package. ``groupShared`` follows when the share is in
        /// the store.
        case groupSpent = "group_spent"
        case groupShared = "group_shared"
        case groupSigned = "group_signed"
        case groupOfferDropped = "group_offer_dropped"
        case listSignerAdded = "list_signer_added"
        case listSignerRemoved = "list_signer_removed"
        case vaultUnlocked = "vault_unlocked"
        case vaultLocked = "vault_locked"
        case userNote = "user_note"
        case logCleared = "log_cleared"

        /// Whether a person should look twice: trust was lost or changed hands, a secret was shown, or
        /// someone tried.
        public var isDangerous: Bool {
            switch self {
            case .networkRevoked, .verifiersReset, .generalVerifierSet, .networkVerifierSet, .seedShown,
                .seedSplit, .seedSplitNotWritten, .keySecretExported, .keySecretNotWritten,
                .wrongPassphrase, .wrongPassword, .deviceOnline, .onlineAllowed, .sealBroken, .journalDamaged,
                .fileTampered,
                .logCleared,
                .policyCleared, .metadataHashDemandLowered, .vaultBackedUp, .vaultBackupNotWritten,
                .vaultRestored, .vaultTimeSet, .keySlotsChanged,
                .nonceForgotten,
                .contactChanged,
                .listSignerAdded, .groupDealt, .groupReshared, .groupRemoved, .groupRestored:
                true
            case .databaseCreated, .networkAdded, .networkChanged, .networkRemoved, .networkSigned,
                .metadataAdded, .metadataRemoved,
                .metadataSigned, .typesAdded, .typesRemoved, .typesSigned, .assetListAdded, .assetListRemoved,
                .assetListSigned,
                .updateRefused, .seedAdded, .seedRemoved, .seedChecked, .seedRotationBegun,
                .seedAccountEmptied, .seedRotationStopped, .keyAdded, .keyRemoved, .keyAllowed,
                .keyForbidden, .keyLabelled, .keysExported,
                .derivationsImported, .derivationsAnswered, .derivationsRefused, .transactionSigned,
                .guardAnswered,
                .transactionRefused, .messageSigned,
                .messageRefused, .policySet, .metadataHashDemandRaised, .passphraseChanged,
                .recoveryKeyChecked, .onlineAcknowledged, .contactAdded,
                .contactRemoved, .contactListImported, .contactListSigned, .contactListRefused, .groupRefused,
                .listSignerRemoved,
                .hostContactAdded, .hostContactRemoved, .groupContributed, .groupConfirmed, .groupActivated,
                .groupSuperseded, .groupCompared, .groupOffered,
                .groupSpent, .groupShared, .groupSigned, .groupOfferDropped, .vaultUnlocked, .vaultLocked,
                .userNote:
                false
            }
        }

        /// Whether the event may be written while the store is locked. A journal line is not authenticated,
        /// so this is false for every kind that looks like a person's act.
        public var isWrittenWhileLocked: Bool {
            switch self {
            case .wrongPassphrase, .deviceOnline, .updateRefused, .transactionRefused, .messageRefused,
                .derivationsRefused,
                .contactListRefused, .groupRefused, .sealBroken:
                true
            case .databaseCreated, .networkAdded, .networkChanged, .networkRemoved, .networkRevoked,
                .networkSigned, .metadataAdded,
                .metadataRemoved, .metadataSigned, .typesAdded, .typesRemoved, .typesSigned, .assetListAdded,
                .assetListRemoved,
                .assetListSigned, .networkVerifierSet, .generalVerifierSet, .verifiersReset, .seedAdded,
                .seedRemoved, .seedShown, .seedChecked, .seedRotationBegun, .seedAccountEmptied,
                .seedRotationStopped,
                .seedSplit, .seedSplitNotWritten, .keyAdded, .keyRemoved, .keyAllowed, .keyForbidden,
                .keyLabelled,
                .keySecretExported, .keySecretNotWritten, .keysExported,
                .derivationsImported, .derivationsAnswered, .transactionSigned, .guardAnswered,
                .messageSigned,
                .policySet,
                .policyCleared,
                .metadataHashDemandRaised, .metadataHashDemandLowered, .vaultBackedUp,
                .vaultBackupNotWritten, .vaultRestored, .vaultTimeSet, .nonceForgotten,
                .passphraseChanged, .keySlotsChanged, .recoveryKeyChecked,
                .wrongPassword, .onlineAcknowledged, .onlineAllowed, .journalDamaged, .fileTampered,
                .contactAdded, .contactChanged,
                .contactRemoved,
                .contactListImported, .contactListSigned, .listSignerAdded, .listSignerRemoved,
                .hostContactAdded, .hostContactRemoved,
                .groupContributed, .groupDealt, .groupReshared, .groupConfirmed, .groupActivated,
                .groupSuperseded, .groupCompared,
                .groupRestored, .groupRemoved,
                .groupOffered, .groupSpent, .groupShared, .groupSigned, .groupOfferDropped, .vaultUnlocked,
                .vaultLocked, .userNote,
                .logCleared:
                false
            }
        }
    }

    /// A named value of an event, as the log prints it.
    public struct Fact: Sendable, Equatable {
        public let name: String
        public let value: String
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }

        /// Why something was refused or failed: the code of the error that was shown.
        public static func reason(_ code: Diagnostic.Code) -> Self { Self("reason", code.rawValue) }

        public static func == (one: Fact, other: Fact) -> Bool {
            one.name.utf8Equals(other.name) && one.value.utf8Equals(other.value)
        }
    }

    public let kind: Kind
    public let facts: [Fact]
    /// The UOS payload that the event is about, from its first byte `53`, so that it can be decoded again.
    public let payload: [UInt8]?
    /// BLAKE2b-256 of the metadata that read the payload.
    public let metadataHash: Hash32?

    public init(_ kind: Kind, _ facts: [Fact] = [], payload: [UInt8]? = nil, metadataHash: Hash32? = nil) {
        self.kind = kind
        self.facts = facts
        self.payload = payload
        self.metadataHash = metadataHash
    }

    /// The seal of the store does not match.
    public static func sealBroken(_ code: Diagnostic.Code) -> LogEvent {
        LogEvent(.sealBroken, [.reason(code)])
    }

    public subscript(name: String) -> String? { facts.first { $0.name.utf8Equals(name) }?.value }
}

/// One entry of the log.
public struct LogEntry: Sendable, Equatable {
    /// Counts from 1 and continues when the log is cleared.
    public let number: UInt64
    /// Seconds since 1970 by this device's clock, which may be wrong.
    public let time: UInt64
    public let event: LogEvent
    /// Written while the store was locked, and merged at the next unlock.
    public var wasLocked: Bool { event["locked"] == "true" }
    /// BLAKE2b-256 of the previous hash and this entry.
    public let hash: Hash32

    init(number: UInt64, time: UInt64, event: LogEvent, hash: Hash32) {
        self.number = number
        self.time = time
        self.event = event
        self.hash = hash
    }

    init(number: UInt64, time: UInt64, event: LogEvent, after previous: Hash32) {
        self.init(
            number: number, time: time, event: event,
            hash: Self.hash(number: number, time: time, event: event, after: previous))
    }

    func follows(_ previous: Hash32) -> Bool {
        hash == Self.hash(number: number, time: time, event: event, after: previous)
    }

    private static func hash(number: UInt64, time: UInt64, event: LogEvent, after previous: Hash32) -> Hash32
    {
        Hash32.blake2b(
            of: SCALEWriter.encode { writer in
                writer.raw(previous.bytes)
                writer.integer(number)
                writer.integer(time)
                writer.string(event.kind.rawValue)
                event.encodeFacts(into: &writer)
                writer.option(event.payload) { $0.byteVector($1) }
                writer.option(event.metadataHash) { $0.raw($1.bytes) }
            })
    }
}

extension LogEvent {
    func encodeFacts(into writer: inout SCALEWriter) {
        writer.vector(facts) { writer, fact in
            writer.string(fact.name)
            writer.string(fact.value)
        }
    }

    static func facts(from reader: inout SCALEReader) throws(SCALEError) -> [Fact] {
        try reader.vector(minimumElementSize: 2) { reader throws(SCALEError) in
            Fact(try reader.string(), try reader.string())
        }
    }
}
