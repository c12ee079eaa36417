import ColdSigner
import ColdStore
import Extrinsics
import Glibc
import Hashing
import Keys
import Metadata
import QRCode
import SCALE
import Sandbox
import ScanEvents
import ScannerClient
import Shield
import SubstratePrimitives
import UOS
import Vault

/// What a person is told of a failure: a stable code, a sentence, the one command that helps, and how the program ends.
struct Complaint: Equatable {
    enum Exit: Int32 {
        case refused = 1
        case usage = 64
        case badInput = 65
        case inputOutput = 74
        case notPermitted = 77
        case interrupted = 130
    }

    let code: String
    let message: String
    let hint: String?
    let exit: Exit

    init(_ code: String, _ message: String, hint: String? = nil, exit: Exit) {
        self.code = code
        self.message = message
        self.hint = hint
        self.exit = exit
    }
}

extension Console {
    func complain(_ complaint: Complaint) {
        note("heliograph: error: \(Escape.terminal(complaint.message))")
        if let hint = complaint.hint { note("heliograph: hint: \(Escape.terminal(hint))") }
    }
}

/// Every sentence that tells a failure stands here. Libraries throw facts; nothing else words them.
enum Wording {
    static func complaint(_ error: any Error) -> Complaint {
        switch error {
        case let error as CommandError: command(error)
        case let error as TransportError: transport(error)
        case let error as PayloadError: payload(error)
        case let error as SCALEError: Complaint("malformed", scale(error), exit: .badInput)
        case let error as ReviewError: review(error)
        case let error as UpdateRefusal: update(error)
        case let error as DerivationRefusal: derivation(error)
        case let error as ExtrinsicError: Complaint("transaction", extrinsic(error), exit: .badInput)
        case let error as MetadataProofError:
            Complaint("metadata-proof", "the metadata proof does not hold: \(proof(error))", exit: .badInput)
        case let error as MetadataError: Complaint("metadata", metadata(error), exit: .badInput)
        case let error as VaultError: vault(error)
        case let error as StoreError: store(error)
        case let error as ShieldRefusal: shield(error)
        case let error as ShieldPolicy.Failure: shield(error)
        case let error as TrustSetup.Failure: trust(error)
        case let error as AssetUnits.Failure:
            Complaint("malformed-asset-list", "the asset list is not one: \(assetList(error))", exit: .badInput)
        case let error as MnemonicError: Complaint("phrase", phrase(error), hint: "heliograph util words PREFIX", exit: .badInput)
        case let error as DerivationPathError: path(error)
        case let error as KeyError: key(error)
        case let error as SeedEntropyError: entropy(error)
        case let error as SeedQR.Failure: Complaint("seed-qr", seedQR(error), exit: .badInput)
        case let error as BananaSplitError: split(error)
        case let error as SS58Address.Failure: Complaint("address", address(error), exit: .badInput)
        case let error as Attestation.Failure:
            Complaint("not-held", "this vault does not hold what is to be attested: \(error)", exit: .refused)
        case let error as ScannerClientError: scanner(error)
        case let error as SandboxError:
            Complaint(
                "sandbox", "the program cannot close itself in (\(error.step.rawValue)): \(errorText(error.errno))", exit: .notPermitted)
        case let error as QRCode.Failure: Complaint("qr", "the answer does not fit a QR code: \(error)", exit: .inputOutput)
        case let error as PictureFailure: Complaint("picture", "the picture cannot be drawn: \(error)", exit: .inputOutput)
        default: Complaint("internal", "unexpected failure: \(error)", exit: .badInput)
        }
    }

    // MARK: The commands themselves

    private static func command(_ error: CommandError) -> Complaint {
        switch error {
        case .noTerminal(let question):
            Complaint(
                "no-terminal", "cannot ask \"\(question.trimmed)\": there is no terminal",
                hint: "--passphrase-fd N reads the passphrase from a descriptor",
                exit: .usage)
        case .interrupted: Complaint("interrupted", "interrupted", exit: .interrupted)
        case .descriptor(let descriptor, let number):
            Complaint("descriptor", "descriptor \(descriptor) cannot be read: \(errorText(number))", exit: .inputOutput)
        case .emptyDescriptor(let descriptor): Complaint("empty-descriptor", "descriptor \(descriptor) holds no line", exit: .usage)
        case .lineTooLong(let descriptor): Complaint("line-too-long", "the line on descriptor \(descriptor) is too long", exit: .badInput)
        case .file(let path, let number): Complaint("file", "\(path): \(errorText(number))", exit: .inputOutput)
        case .fileExists(let path): Complaint("file-exists", "\(path) exists and is not overwritten", exit: .inputOutput)
        case .badHex(let source): Complaint("bad-hex", "\(source) is not hexadecimal", exit: .badInput)
        case .noInput:
            Complaint("no-input", "nothing to read: name a picture, a folder, - or --hex", hint: "heliograph help inspect", exit: .usage)
        case .passphrasesDiffer: Complaint("passphrases-differ", "the two passphrases differ", exit: .refused)
        case .emptyPassphrase: Complaint("empty-passphrase", "an empty passphrase protects nothing", exit: .refused)
        case .noVaultDirectory:
            Complaint("no-vault-directory", "no vault folder is named and there is no home folder", hint: "--vault DIR", exit: .usage)
        case .seedInArgument:
            Complaint("seed-in-argument", "a seed is read from --hex @FILE, never from the command line itself", exit: .usage)
        case .badVerifier(let text):
            Complaint(
                "bad-verifier", "\(text) is not a verifier: use default, none or SCHEME:HEX", hint: "heliograph help init", exit: .usage)
        case .answeredNo: Complaint("answered-no", "not confirmed, nothing was done", exit: .refused)
        case .approveNeedsDevelopmentVault:
            Complaint("approve-not-allowed", "--approve answers for a person only in a development vault", exit: .notPermitted)
        case .cheapCostNeedsDevelopmentVault:
            Complaint("cheap-cost", "--kdf-cost test is only for a development vault", hint: "heliograph init --allow-online", exit: .usage)
        case .fileTooLarge(let path, let limit): Complaint("file-too-large", "\(path) is larger than \(limit >> 20) MiB", exit: .badInput)
        case .notMetadata(let path): Complaint("not-metadata", "\(path) holds no metadata: it does not start with meta", exit: .badInput)
        case .badPolicy(let path, let reason): Complaint("bad-policy", "\(path) holds no policy: \(reason)", exit: .badInput)
        case .noPolicy: Complaint("no-policy", "no policy is set", hint: "heliograph policy set FILE", exit: .refused)
        case .badSpecs(let path, _): Complaint("bad-specs", "\(path) does not hold network specs as JSON", exit: .badInput)
        case .specsNeeded(let path, let network):
            Complaint(
                "specs-needed", "\(path) is metadata of \(network), whose specs are not known", hint: "--specs FILE.json", exit: .usage)
        case .sharesNeedJoin(let count):
            Complaint("shares", "the input holds \(count) Banana Split shares", hint: "heliograph seed join", exit: .refused)
        case .ambiguousFrames(let readable):
            Complaint(
                "ambiguous-frames", "the frames fit two payloads and \(readable == 0 ? "neither can be read" : "both can be read")",
                hint: "scan one more frame", exit: .badInput)
        case .noSuchNetwork(let name):
            Complaint("no-such-network", "no network is named \(name)", hint: "heliograph network list", exit: .refused)
        case .noSuchKey(let address):
            Complaint("no-such-key", "\(address) is none of this vault's keys", hint: "heliograph key list", exit: .refused)
        case .ambiguousNetwork(let name):
            Complaint("ambiguous-network", "several chains are named \(name)", hint: "name it by its genesis hash", exit: .usage)
        case .noSuchEntry(let number):
            Complaint("no-such-entry", "the log has no entry \(number)", hint: "heliograph log show", exit: .refused)
        case .otherMetadata(let number):
            Complaint("other-metadata", "the metadata that entry \(number) was read with is not held any more", exit: .refused)
        case .networkNeeded: Complaint("network-needed", "name the network", hint: "heliograph network list", exit: .usage)
        case .schemeCannotAttest(let scheme): Complaint("scheme", "a key of scheme \(scheme) cannot attest updates", exit: .refused)
        case .unknownScheme(let name):
            Complaint("unknown-scheme", "\(name) is none of ed25519, sr25519, ecdsa and ethereum", exit: .usage)
        case .badKey(let scheme): Complaint("bad-key", "the key has not the length of an \(scheme) key", exit: .usage)
        case .keyFileNeeded:
            Complaint("key-file-needed", "the vault opens only with its key file", hint: "--key-fd 5 5<FILE", exit: .notPermitted)
        case .phraseDiffers(let seed): Complaint("phrase-differs", "the phrase is not that of seed \(seed)", exit: .refused)
        case .seedCodes(let count): Complaint("seed-qr", "the input holds \(count) QR codes, and a seed is one", exit: .badInput)
        case .noNextPath(let base): Complaint("no-next-path", "no number follows the highest path below \(base)", exit: .refused)
        case .keyCollision(let seed, let path):
            Complaint("key-collision", "the vault holds this key already, as \(path) of seed \(seed)", exit: .refused)
        case .keyExists(let seed, let path):
            Complaint(
                "key-exists", "the vault holds this key already, \(path) of seed \(seed)", hint: "heliograph key list", exit: .refused)
        case .keyNotOfNetwork(let network):
            Complaint("key-not-of-network", "the key is not allowed for \(network)", hint: "heliograph key allow", exit: .refused)
        case .keyHasNoNetwork:
            Complaint("key-has-no-network", "the key belongs to no network", hint: "heliograph key allow", exit: .refused)
        case .badPrefix(let prefix): Complaint("bad-prefix", "no address is written with prefix \(prefix)", exit: .usage)
        case .signatureInvalid: Complaint("signature-invalid", "the signature is not the key's over this message", exit: .badInput)
        }
    }

    static func errorText(_ number: Int32) -> String { String(cString: strerror(number)) }

    // MARK: Reviews and updates

    private static func review(_ error: ReviewError) -> Complaint {
        switch error {
        case .unknownNetwork(let genesis):
            Complaint(
                "unknown-network", "no network with genesis hash \(genesis) is known", hint: "heliograph scan its network specs",
                exit: .refused)
        case .networkOnlyProved(let name):
            Complaint(
                "network-only-proved", "\(name) is not known here: only the transaction's own metadata proof speaks for it",
                hint: "heliograph scan --accept-proved-network", exit: .refused)
        case .policy(let violation):
            Complaint("policy-\(violation.rule.replacingUnderscores)", "the policy forbids it: \(policyText(violation))", exit: .refused)
        case .policyUnreadable:
            Complaint("policy-unreadable", "the stored policy cannot be read", hint: "heliograph policy set FILE", exit: .badInput)
        case .cut(let network):
            Complaint(
                "cut-or-unknown-network",
                "the payload is cut: read as a transaction of \(network) it ends too early, and no known network ends it so",
                exit: .badInput)
        case .networkBlocked(let name):
            Complaint(
                "network-blocked", "\(name) is blocked since its verifier was revoked", hint: "heliograph verifier reset", exit: .refused)
        case .noMetadata(let network):
            Complaint("no-metadata", "no metadata of \(network) is known", hint: "heliograph scan its metadata update", exit: .refused)
        case .metadataVersionMissing(let network, let version, let newest):
            Complaint(
                "no-metadata-version",
                "the transaction is for \(network) \(version) and no metadata of that version is known, the newest is \(newest)",
                hint: "heliograph scan its metadata update", exit: .refused)
        case .transaction(let error, let network) where error.code == .metadata(.typesNeeded):
            Complaint(
                "types-needed", "the metadata of \(network) names types that only a types update describes",
                hint: "heliograph scan its types update", exit: .refused)
        case .transaction(let error, let network):
            Complaint("transaction", "the transaction for \(network) cannot be shown in full: \(extrinsic(error))", exit: .badInput)
        case .storedMetadata(let error, let network, let version):
            Complaint("stored-metadata", "the stored metadata of \(network) \(version) cannot be used: \(metadata(error))", exit: .refused)
        case .unknownSigner:
            Complaint("unknown-signer", "the signer is none of this vault's keys", hint: "heliograph key list", exit: .refused)
        case .keyNotAllowed(let network):
            Complaint(
                "key-not-allowed", "the signer's key is not allowed to sign for \(network)",
                hint: "heliograph key allow ADDRESS \(network)",
                exit: .refused)
        case .newKey(let network):
            Complaint(
                "new-key", "the signer's key was never derived here, and no key of its seed may sign for \(network)",
                hint: "heliograph scan --accept-new-key", exit: .refused)
        case .messageIsTransaction(let network):
            Complaint("message-is-transaction", "the message reads as a transaction of \(network)", exit: .refused)
        case .changedSinceShown:
            Complaint("changed-since-shown", "what would be signed is not what was shown", exit: .refused)
        case .signatureDoesNotVerify:
            Complaint("self-check", "the new signature does not verify, so it is not given out", exit: .inputOutput)
        case .derivedKeyDiffers(let hasPassword):
            hasPassword
                ? Complaint("wrong-password", "the password does not lead to this key", exit: .notPermitted)
                : Complaint("derived-key-differs", "the seed does not lead to the stored key", exit: .badInput)
        }
    }

    private static func derivation(_ error: DerivationRefusal) -> Complaint {
        switch error {
        case .seedUnknown(let root):
            Complaint(
                "seed-unknown", "no seed of this vault has the root key \(Hex.encode(root))", hint: "heliograph scan --seed NAME",
                exit: .refused)
        case .allKnown: Complaint("already-known", "the vault holds all these keys already", exit: .refused)
        case .nothingToDo: Complaint("nothing-to-derive", "not one of these keys can be derived here", exit: .refused)
        case .collision(let path):
            Complaint("key-collision", "\(path) collides with another key of this vault", hint: "heliograph key list", exit: .refused)
        case .addressDiffers(let path, let seed):
            Complaint(
                "address-differs", "seed \(seed) leads to another key at \(path.isEmpty ? "the root" : path) than the payload says",
                exit: .badInput)
        case .rootDiffers(let seed): Complaint("root-differs", "seed \(seed) has another root key than the payload says", exit: .badInput)
        }
    }

    private static func update(_ error: UpdateRefusal) -> Complaint {
        Complaint(error.code, updateText(error), exit: error.isBadInput ? .badInput : .refused)
    }

    private static func updateText(_ error: UpdateRefusal) -> String {
        switch error {
        case .wrongSignature(let key): "the update's signature is not the one of \(Hex.encode(key.bytes)) over it"
        case .mustBeSignedBy(let keys): "the update must be signed by \(keys.map { Hex.encode($0.bytes) }.joined(separator: " or "))"
        case .specsFirst: "the update changes the network's verifier: its network specs, signed by the same key, come first"
        case .unknownNetwork(let genesis): "no network with genesis hash \(genesis) is known"
        case .revokedNetwork(let genesis): "the network \(genesis) is blocked since its verifier was revoked"
        case .alreadyKnown: "the vault knows exactly this already"
        case .nameChanges(let known, let given): "the network's name would change from \(known) to \(given)"
        case .prefixChanges(let known, let given): "the address prefix would change from \(known) to \(given)"
        case .decimalsChange(let known, let given): "the token's decimals would change from \(known) to \(given)"
        case .unitChanges(let known, let given): "the token's unit would change from \(known) to \(given)"
        case .prefixTooLarge(let prefix): "the address prefix \(prefix) does not exist"
        case .emptyField(let field): "the network specs have an empty \(field)"
        case .metadataOfAnotherNetwork(let specs, let metadata): "the metadata is of \(metadata) and the network is \(specs)"
        case .metadataPrefixDiffers(let specs, let metadata): "the metadata has address prefix \(metadata) and the network has \(specs)"
        case .olderAssetList(let known, let given): "the asset list has number \(given) and number \(known) is held"
        case .sameVersionOtherBytes(let version, _, _): "other metadata of version \(version) is known already"
        }
    }

    static func extrinsic(_ error: ExtrinsicError) -> String {
        "\(error.place): \(extrinsicText(error.code))"
    }

    private static func extrinsicText(_ code: ExtrinsicError.Code) -> String {
        switch code {
        case .encoding(let code): scaleText(code)
        case .metadata(let code): "the metadata does not explain it (\(code))"
        case .tooDeep: "values are nested too deep"
        case .tooMany: "there are too many values"
        case .malformedValue: "the bytes are no value of this type"
        case .leftoverAfterCall(let count): "\(count) bytes are left over after the call"
        case .leftoverAfterExtensions(let count): "\(count) bytes are left over after the extensions"
        case .noSpecVersion: "no extension names the runtime version"
        case .noGenesis: "no extension names the genesis hash"
        case .repeatedExtension: "two extensions say the same thing"
        case .specVersionMismatch(let metadata, let transaction):
            "the transaction is for version \(transaction), the metadata is of \(metadata)"
        case .genesisMismatch(let payload, let transaction): "the extensions name genesis hash \(transaction), the payload \(payload)"
        case .immortalBlockHash(let hash): "an immortal transaction names block \(hash) instead of the genesis block"
        case .metadataHashInconsistent: "the metadata hash and its mode contradict each other"
        case .metadataHashMismatch(let computed, let transaction):
            "the transaction commits to metadata \(transaction), it was read with \(computed)"
        case .metadataHashDisabled: "a transaction with a metadata proof must commit to the metadata's hash"
        case .specsMismatch(let field): "the metadata proof speaks for another \(field.rawValue) than the network's specs"
        }
    }

    private static func policyText(_ violation: TransactionPolicy.Violation) -> String {
        switch violation {
        case .network(let name): "the network \(name) is not on its list (networks)"
        case .call(let name): "the call \(name) is not on its list (calls)"
        case .destination(let account): "the account 0x\(account) is not on its list (destinations)"
        case .amount(let total): "the amount \(total) is above its limit (maximum_amount)"
        case .amountUnknown: "an amount cannot be compared with its limit (maximum_amount)"
        case .tip(let tip): "the tip \(tip) is above its limit (maximum_tip)"
        }
    }

    private static func proof(_ error: MetadataProofError) -> String { "\(error.place): \(proofText(error.code))" }

    private static func proofText(_ code: MetadataProofError.Code) -> String {
        switch code {
        case .encoding(let code): scaleText(code)
        case .leafCount(let leaves, let indices): "\(leaves) leaves and \(indices) indices"
        case .notATree: "leaves, indices and nodes do not make one tree with nothing left over"
        case .repeatedType(let id): "type \(id) is described twice"
        case .malformedLeaf: "a leaf is none that an encoder writes"
        case .limit: "it is too large"
        }
    }

    private static func metadata(_ error: MetadataError) -> String { "\(error.place): the metadata is not usable (\(error.code))" }

    // MARK: The vault and its store

    private static func vault(_ error: VaultError) -> Complaint {
        switch error {
        case .missing: Complaint("no-vault", "there is no vault here", hint: "heliograph init", exit: .inputOutput)
        case .exists: Complaint("vault-exists", "there is a vault here already", exit: .refused)
        case .inUse: Complaint("vault-in-use", "another program is using the vault", exit: .inputOutput)
        case .malformed(let part): Complaint("vault-damaged", "the vault's file is damaged (\(part))", exit: .badInput)
        case .unknownFormat(let format):
            Complaint("vault-format", "the vault has format \(format), which this program does not know", exit: .badInput)
        case .wrongPassphrase(let failures, let delay):
            Complaint(
                "wrong-passphrase",
                "wrong passphrase" + (failures == 0 ? "" : failures == 1 ? ", the first in a row" : ", number \(failures) in a row")
                    + (delay > 0 ? "; the next attempt must wait \(delay) s" : ""), exit: .notPermitted)
        case .mustWait(let seconds):
            Complaint("must-wait", "after wrong passphrases the next attempt must wait \(seconds) s more", exit: .notPermitted)
        case .tampered(let part): Complaint("vault-tampered", "the vault was changed by someone else (\(part))", exit: .badInput)
        case .seedExists: Complaint("seed-exists", "a seed of this name exists", hint: "heliograph seed list", exit: .refused)
        case .noSuchSeed: Complaint("no-such-seed", "no seed has this name", hint: "heliograph seed list", exit: .refused)
        case .invalidSeedName: Complaint("seed-name", "a seed's name has 1 to 64 bytes and no control characters", exit: .usage)
        case .entropyLength(let count): Complaint("entropy", "a seed has 16 to 32 bytes, not \(count)", exit: .badInput)
        case .emptyPassphrase: Complaint("empty-passphrase", "an empty passphrase protects nothing", exit: .refused)
        case .costOutOfBounds: Complaint("kdf-cost", "the cost of deriving the key is out of bounds", exit: .refused)
        case .outOfMemory: Complaint("out-of-memory", "there is not enough memory to derive the key", exit: .inputOutput)
        case .keyFileLength(let count): Complaint("key-file", "a key file has 32 bytes to 1 MiB, not \(count) bytes", exit: .usage)
        case .lastSlot: Complaint("last-slot", "the last passphrase cannot be removed", exit: .refused)
        case .noSuchSlot: Complaint("no-such-slot", "there is no such key slot", exit: .usage)
        case .full: Complaint("vault-full", "the vault is full", exit: .refused)
        case .system(let operation, let number): Complaint("file", "\(operation): \(errorText(number))", exit: .inputOutput)
        }
    }

    private static func store(_ error: StoreError) -> Complaint {
        switch error {
        case .missing: Complaint("no-vault", "there is no vault here", hint: "heliograph init", exit: .inputOutput)
        case .alreadyExists: Complaint("vault-exists", "there is a trust store here already", exit: .refused)
        case .notAStore: Complaint("store-damaged", "the trust store is not one of this program", exit: .badInput)
        case .busy: Complaint("store-busy", "another program is using the trust store", exit: .inputOutput)
        case .damaged(let code): Complaint("store-damaged", "the trust store is damaged (SQLite says \(code))", exit: .inputOutput)
        case .inputOutput(let number): Complaint("file", "the trust store: \(errorText(number))", exit: .inputOutput)
        case .sealBroken(let differences):
            Complaint(
                "seal-broken",
                "the trust store was changed by someone without the passphrase: \(differences.map(difference).joined(separator: "; "))",
                hint: "heliograph verifier reset makes a new one; seeds stay", exit: .badInput)
        case .rolledBack(let found, let confirmed):
            Complaint(
                "rolled-back", "an older trust store was put back: generation \(found), known is \(confirmed)",
                hint: "heliograph verifier reset makes a new one; seeds stay", exit: .badInput)
        case .generationMarkBroken:
            Complaint("seal-broken", "the mark of the newest trust store is missing or was changed", exit: .badInput)
        case .changedSinceShown: Complaint("changed-since-shown", "the trust store changed after the cards were shown", exit: .refused)
        case .unreadable(let table): Complaint("store-damaged", "a row of \(table) in the trust store cannot be read", exit: .badInput)
        case .contentBroken(let hash):
            Complaint("content-broken", "the stored bytes with hash \(hash) are missing or were changed", exit: .badInput)
        case .conflict(let table): Complaint("conflict", "the vault holds that already, or no more (\(table))", exit: .refused)
        }
    }

    private static func difference(_ difference: SealDifference) -> String {
        switch difference {
        case .cell(let table, let row, let column): "\(column) in row \(row) of \(table)"
        case .rowAdded(let table, let row): "row \(row) of \(table) was added"
        case .rowRemoved(let table, let row): "row \(row) of \(table) was removed"
        case .seal: "the seal"
        case .sealMissing: "the seal is missing"
        case .log(let index): "the log at entry \(index)"
        case .content(let hash): "the bytes with hash \(hash)"
        }
    }

    private static func address(_ error: SS58Address.Failure) -> String {
        switch error {
        case .notBase58: "the address holds a character that base 58 has not"
        case .wrongLength(let bytes): "the address holds \(bytes) bytes, which no account has"
        case .wrongChecksum: "the address has a wrong checksum: it was mistyped or cut"
        case .reservedPrefix(let prefix): "the address has the reserved prefix \(prefix)"
        }
    }

    private static func scanner(_ error: ScannerClientError) -> Complaint {
        switch error {
        case .cannotStart(let program, let number):
            Complaint("scanner", "\(program) cannot be started: \(errorText(number))", exit: .inputOutput)
        case .sandboxUnavailable(let step, let number):
            Complaint(
                "scanner-sandbox", "pictures are not read, because the scanner cannot close itself in (\(step)): \(errorText(number))",
                exit: .notPermitted)
        case .ended(let status, let signal):
            Complaint(
                "scanner", "the scanner ended early (\(signal.map { "signal \($0)" } ?? "status \(status ?? 0)"))", exit: .inputOutput)
        case .notUnderstood: Complaint("scanner", "the scanner is not of the same build as this program", exit: .inputOutput)
        }
    }

    // MARK: The network detector and changes of trust

    private static func shield(_ error: ShieldRefusal) -> Complaint {
        switch error {
        case .online(let findings):
            Complaint(
                "device-online", "\(online(findings)): nothing that touches a secret is done",
                hint: "disconnect it, then heliograph shield acknowledge", exit: .notPermitted)
        case .unacknowledged:
            Complaint("online-unacknowledged", wasOnline, hint: "heliograph shield acknowledge", exit: .notPermitted)
        }
    }

    private static func shield(_ error: ShieldPolicy.Failure) -> Complaint {
        switch error {
        case .stillOnline:
            Complaint("device-online", "this device is still connected", hint: "heliograph shield shows to what", exit: .notPermitted)
        case .nothingToAcknowledge: Complaint("nothing-to-acknowledge", "this device has not been online", exit: .refused)
        }
    }

    static func online(_ findings: [ShieldReport.Finding]) -> String {
        "THIS DEVICE IS ONLINE (\(findings.map(finding).joined(separator: ", ")))"
    }

    static let wasOnline = "this device was online since the last acknowledgement"
    static let acknowledged = "acknowledged, and written to the log"

    static func finding(_ finding: ShieldReport.Finding) -> String {
        switch finding {
        case .interfaceUp(let name): "interface \(name) is up"
        case .defaultRoute(let name): "a default route through \(name)"
        case .radio(let name, let kind): "\(kind) radio \(name) is on"
        case .bluetooth(let name): "bluetooth adapter \(name) is on"
        case .undetermined(let path): "\(path) cannot be read, which counts as online"
        }
    }

    private static func assetList(_ error: AssetUnits.Failure) -> String {
        switch error {
        case .encoding(let error): scale(error)
        case .notAList: "it does not start as one"
        case .entries: "an entry is malformed, out of order or there twice"
        }
    }

    private static func trust(_ error: TrustSetup.Failure) -> Complaint {
        switch error {
        case .unknownNetwork(let genesis): Complaint("unknown-network", "no network with genesis hash \(genesis) is held", exit: .refused)
        case .revokedNetwork(let genesis): Complaint("network-revoked", "the network \(genesis) is revoked already", exit: .refused)
        case .generalNetwork:
            Complaint(
                "general-network", "the general verifier vouches for this network, so it cannot be revoked alone",
                hint: "heliograph network remove, or heliograph verifier reset", exit: .refused)
        case .unknownMetadata(_, let version): Complaint("no-metadata-version", "no metadata of version \(version) is held", exit: .refused)
        case .noTypes: Complaint("no-types", "no types are held", exit: .refused)
        }
    }

    static let removeQuestion = "Remove this?"
    static let revokeQuestion = "Revoke this network? Nothing is accepted for it until the verifiers are reset."
    static let restoreQuestion = "Put these back?"
    static let resetQuestion = "Wipe all trust data? Seeds and keys stay."
    static let nothingToDo = "nothing to do"
    static let changed = "done, and written to the log"
    static let noted = "written to the log"

    static func clearQuestion(_ log: LogEnds) -> String {
        "Remove \(log.last + 1 - log.first) entries of the log? Its head \(log.hash) is kept."
    }

    static func storePutAside(_ reason: String) -> String {
        "the old trust store was put aside in the vault's folder and a new one made, without keys: \(reason)"
    }

    static func notDecodedAgain(_ complaint: Complaint) -> String { "heliograph: not decoded again: \(Escape.terminal(complaint.message))" }

    /// What an event that is about to be written says it does.
    static func planned(_ event: LogEvent) -> String {
        let details = event.facts.map { "\($0.name) \($0.value)" }.joined(separator: ", ")
        let text = event.kind.rawValue.split(separator: "_").joined(separator: " ") + (details.isEmpty ? "" : ": \(details)")
        return (event.kind.isDangerous ? "! " : "  ") + Escape.terminal(text)
    }

    // MARK: Notes and questions

    static let developmentVault = "this is a development vault: the network detector warns and does not block"
    static let trustStoreNotChecked = "trust store not checked: its seal needs the passphrase"

    static func answerWritten(_ path: String) -> String { "wrote the answer to \(path)" }

    static func otherPayloads(_ count: Int) -> String {
        "the input also holds codes of \(count) other payload\(count == 1 ? "" : "s"), which were left out"
    }

    static let policySet = "the policy holds from now on"
    static let policyCleared = "the policy is gone: everything is allowed"
    static let clearPolicy = "Remove the policy? Everything is allowed then."
    static let noPolicy = "no policy is set: everything is allowed"

    /// Where a policy file is wrong: the reader's own words on the rule, which are ours, or that it is no JSON object of this shape.
    static func policyFault(_ error: any Error) -> String {
        guard let error = error as? DecodingError else { return "\(error)" }
        switch error {
        case .dataCorrupted(let context):
            return context.codingPath.isEmpty ? "it is not JSON" : "\(context.codingPath.last!.stringValue): \(context.debugDescription)"
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context):
            return "\(context.codingPath.first?.stringValue ?? "the file") has another form than the rule"
        @unknown default: return "it is not JSON"
        }
    }

    static func selfCheck(_ check: SelfCheck) -> String { "\(check.passed ? "passed" : "FAILED")  \(check.name)" }
    static func landlock(_ landlock: Sandbox.Landlock) -> String {
        switch landlock {
        case .enforced(let abi): "files are closed by Landlock \(abi)"
        case .unavailable: "files are not closed: this kernel has no Landlock"
        }
    }
    static func programDigest(_ digest: String) -> String { "sha-256 of this program  \(digest)" }

    static func whichSeed(_ seeds: [String]) -> String {
        "Which seed are these keys of (\(seeds.map(Escape.terminal).joined(separator: ", ")))? "
    }
    static func importedKeys(_ count: Int) -> String { count == 1 ? "1 key was added" : "\(count) keys were added" }

    static func question(_ action: ReviewDocument.Action, count: Int) -> String {
        switch action {
        case .sign: count == 1 ? "Sign this?" : "Sign all \(count)?"
        case .addSpecs: "Accept these network specs?"
        case .loadMetadata: "Accept this metadata?"
        case .loadTypes: "Accept these types?"
        case .loadAssets: "Accept these asset units?"
        case .importDerivations: "Derive these keys?"
        case .deriveAddresses: "Give these public keys?"
        case .recoverSeed: "Restore this seed?"
        case .read, .none: "Go on?"
        }
    }

    static func done(_ action: ReviewDocument.Action) -> String {
        switch action {
        case .addSpecs: "network specs accepted"
        case .loadMetadata: "metadata accepted"
        case .loadTypes: "types accepted"
        case .loadAssets: "asset units accepted"
        default: "done"
        }
    }

    static func scanProgress(_ report: ScanReport, _ progress: PayloadAssembler.Progress, seconds: Double) -> String {
        let rate = seconds > 0 ? Int(Double(report.images) / seconds) : 0
        let collected: String =
            switch progress {
            case .complete: "complete"
            case .collecting(_, 0): "no frames yet"
            case .collecting(let collected, let needed):
                "frames \(collected) of \(needed)" + timeLeft(collected, needed, seconds: seconds)
            }
        return "pictures \(report.images), codes \(report.codes), \(collected), \(rate) a second"
    }

    private static func timeLeft(_ collected: Int, _ needed: Int, seconds: Double) -> String {
        guard collected > 0, needed > collected else { return "" }
        return ", \(Int((seconds / Double(collected) * Double(needed - collected)).rounded(.up))) s left"
    }

    static func furtherProblems(_ count: Int) -> String { "heliograph: and \(count) more pictures were not read" }

    static func problem(_ problem: ScanReport.Problem) -> String {
        let place = problem.name + (problem.frame.map { " frame \($0 + 1)" } ?? "")
        return "heliograph: \(Escape.terminal(place)): \(pictureProblem(problem.problem))"
    }

    private static func pictureProblem(_ problem: PictureProblem) -> String {
        switch problem {
        case .cannotOpen(let number): errorText(number)
        case .vanished: "the file is gone"
        case .notAFile: "neither a file nor a folder"
        case .empty: "the file is empty"
        case .notAPicture: "no picture of a kind that is read here"
        case .truncated: "the picture is cut"
        case .corrupt: "the picture is damaged"
        case .unsupported: "this variant of the format is not read"
        case .tooManyPixels(let width, let height): "\(width) x \(height) pixels are too many"
        case .tooManyBytes(let limit): "the file is larger than \(limit) bytes"
        case .tooManyFrames(let limit): "the animation has more than \(limit) frames"
        case .tooManyFiles(let limit): "the folder holds more than \(limit) files"
        case .outOfMemory: "the picture needs too much memory"
        case .tookTooLong(let milliseconds): "the picture took longer than \(milliseconds) ms"
        case .crashed(let signal): "the decoder crashed on it (signal \(signal))"
        case .silent(let seconds): "nothing came for \(seconds) s"
        case .nothingNew(let pictures): "nothing new in \(pictures) pictures"
        }
    }

    // MARK: Transport and payloads

    private static func transport(_ error: TransportError) -> Complaint {
        switch error {
        case .noCodes: Complaint("no-codes", "no QR code was read in the input", exit: .badInput)
        case .emptyCode: Complaint("empty-code", "a QR code holds no data", exit: .badInput)
        case .frameTooShort(let bytes): Complaint("frame-too-short", "a frame of \(bytes) bytes is too short to hold data", exit: .badInput)
        case .frameIndexOutOfRange(let index, let count):
            Complaint("frame-index", "a frame says it is number \(index + 1) of \(count)", exit: .badInput)
        case .frameContradicts(let index, let count):
            Complaint("frame-contradicts", "frame \(index + 1) of \(count) was read twice with different contents", exit: .badInput)
        case .mixedEnvelopes: Complaint("mixed-envelopes", "the input mixes RaptorQ frames and legacy frames", exit: .badInput)
        case .raptorQ(let error): Complaint("raptorq", "the RaptorQ frames are not consistent: \(error)", exit: .badInput)
        case .missingFrames(let missing, let count):
            Complaint("missing-frames", "\(frames(missing)) of \(count) \(missing.count == 1 ? "was" : "were") never read", exit: .badInput)
        case .missingSymbols(let collected, let needed):
            Complaint("missing-frames", "\(collected) frames were read of \(needed) that are needed", exit: .badInput)
        case .tooManyPayloads(let count):
            Complaint("too-many-payloads", "the input holds codes of \(count) different payloads", exit: .badInput)
        }
    }

    private static func payload(_ error: PayloadError) -> Complaint {
        switch error {
        case .tooShort(let bytes): Complaint("payload-too-short", "\(bytes) bytes are too few for a payload", exit: .badInput)
        case .notAPayload(let byte):
            Complaint("not-a-payload", "the data starts with \(Hex.encode([byte])); a payload starts with 53", exit: .badInput)
        case .unknownCode(let code): Complaint("unknown-payload", "payload code \(Hex.encode([code])) is not known", exit: .badInput)
        case .unknownScheme(let scheme):
            Complaint("unknown-scheme", "signature scheme \(Hex.encode([scheme])) is not known", exit: .badInput)
        case .schemeMissing: Complaint("scheme-missing", "the payload names no signature scheme", exit: .badInput)
        case .blindSigning:
            Complaint(
                "blind-signing", "the payload holds only the hash of a transaction: what it does cannot be shown, so it is not signed",
                hint: "send the whole transaction, or one with a metadata proof", exit: .refused)
        case .malformed(let place, let error): Complaint("malformed-payload", "\(place): \(scale(error))", exit: .badInput)
        case .reservedTail(let bytes): Complaint("leftover-bytes", "\(bytes) bytes are left over after the update", exit: .badInput)
        case .messageWithoutTags:
            Complaint("message-without-tags", "the message does not stand between <Bytes> and </Bytes>", exit: .refused)
        case .notSignable(let code): Complaint("bulk-content", "a bulk payload holds a payload of kind \(code.kind)", exit: .badInput)
        case .emptyBulk: Complaint("empty-bulk", "the bulk payload holds no transaction", exit: .badInput)
        case .unknownVersion(let place, let version):
            Complaint("unknown-version", "\(place): version \(version) is not known", exit: .badInput)
        }
    }

    /// The sentence for a SCALE failure and where it stands.
    static func scale(_ error: SCALEError) -> String { "at byte \(error.offset) \(scaleText(error.code))" }

    private static func scaleText(_ code: SCALEError.Code) -> String {
        switch code {
        case .truncated(let needed, let available): "the data is cut: \(needed) bytes are needed and \(available) are left"
        case .leftover(let count): "\(count) bytes are left over"
        case .compactNotShortest: "a compact number is not in its shortest form"
        case .compactTooWide(let bits): "a compact number does not fit \(bits) bits"
        case .invalidDiscriminant(let byte): "byte \(byte) is none of the values that can stand there"
        case .invalidUTF8: "the text is not valid UTF-8"
        case .countExceedsInput(let count, let available): "\(count) elements are announced and \(available) bytes are left"
        }
    }

    /// `frame 3`, `frames 3, 7-9`: counted from 1, as a person counts.
    private static func frames(_ missing: [Int]) -> String {
        var runs: [ClosedRange<Int>] = []
        for frame in missing.map({ $0 + 1 }) {
            if let last = runs.last, last.upperBound + 1 == frame {
                runs[runs.count - 1] = last.lowerBound...frame
            } else {
                runs.append(frame...frame)
            }
        }
        let text = runs.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }.joined(separator: ", ")
        return "\(missing.count == 1 ? "frame" : "frames") \(text)"
    }
}

// MARK: Seeds, keys and vaults

extension Wording {
    fileprivate static func phrase(_ error: MnemonicError) -> String {
        switch error {
        case .wordCount(let count): "a phrase has 12, 15, 18, 21 or 24 words, not \(count)"
        case .unknownWord(let index): "word \(index + 1) of the phrase is not in the list"
        case .checksum: "every word is in the list, but the checksum is wrong: a word was exchanged or two changed places"
        case .entropyLength(let count): "a phrase holds 16 to 32 bytes, not \(count)"
        }
    }

    fileprivate static func path(_ error: DerivationPathError) -> Complaint {
        switch error {
        case .malformed(let offset):
            Complaint(
                "path", "the path cannot be read at character \(offset + 1): every part is / or // and a name",
                hint: "heliograph util path",
                exit: .usage)
        case .passwordInPath:
            Complaint(
                "password-in-path", "a ///password does not stand in a path, where others could read it", hint: "--password-fd N",
                exit: .usage)
        }
    }

    fileprivate static func key(_ error: KeyError) -> Complaint {
        switch error {
        case .softJunction(let index):
            Complaint("soft-junction", "part \(index + 1) of the path is soft (/), which only sr25519 has; write //", exit: .usage)
        case .unusableSecret: Complaint("unusable-secret", "this path leads to no key of the scheme; take another", exit: .refused)
        case .signatureCheckFailed:
            Complaint("self-check", "the new signature does not verify, so it is not given out", exit: .inputOutput)
        case .mnemonic(let error): Complaint("phrase", phrase(error), exit: .badInput)
        case .secretLength(let count): Complaint("secret-length", "a secret of \(count) bytes is no key", exit: .badInput)
        }
    }

    fileprivate static func entropy(_ error: SeedEntropyError) -> Complaint {
        switch error {
        case .wordCount(let count): Complaint("words", "a phrase has 12, 15, 18, 21 or 24 words, not \(count)", exit: .usage)
        case .dice(.notAFace(let offset)): Complaint("dice", "character \(offset + 1) of the rolls is none of 1 to 6", exit: .badInput)
        case .dice(.tooFew(let have, let need)): Complaint("dice", "\(have) rolls are too few, \(need) are needed", exit: .badInput)
        case .dice(.tooMany): Complaint("dice", "these are more rolls than anyone makes", exit: .badInput)
        case .random:
            Complaint("random-source", "the random source of this machine is broken (\(error)), no seed is made", exit: .inputOutput)
        case .keyPresses(let have, let need, let keys, let pauses):
            Complaint(
                "key-presses",
                "the key presses are too regular: \(have) of \(need), \(keys) different keys, \(pauses) different pauses",
                exit: .badInput)
        }
    }

    fileprivate static func seedQR(_ error: SeedQR.Failure) -> String {
        switch error {
        case .notASeedQR: "the code is neither a SeedQR nor a CompactSeedQR"
        case .indexOutOfRange(let word): "word \(word + 1) of the SeedQR is above 2047"
        case .checksum: "the checksum of the SeedQR is wrong"
        }
    }

    fileprivate static func split(_ error: BananaSplitError) -> Complaint {
        switch error {
        case .notAShare(let part): Complaint("not-a-share", "the code is no Banana Split share (\(part))", exit: .badInput)
        case .unknownVersion(let version): Complaint("share-version", "shares of version \(version) are not known", exit: .badInput)
        case .mixedSets(let part): Complaint("mixed-shares", "the shares belong to different sets: their \(part) differs", exit: .badInput)
        case .conflictingShares(let id): Complaint("conflicting-shares", "two different shares say they are number \(id)", exit: .badInput)
        case .tooFewShares(let have, let need):
            Complaint("too-few-shares", "\(have == 1 ? "1 share is" : "\(have) shares are") here, \(need) are needed", exit: .refused)
        case .inconsistentShare(let id): Complaint("inconsistent-share", "share \(id) does not fit the others", exit: .badInput)
        case .wrongPassphrase:
            Complaint("wrong-split-passphrase", "the split's passphrase is wrong, or a share was changed", exit: .notPermitted)
        case .noSecret: Complaint("inconsistent-share", "the shares join to nothing: one of them was changed", exit: .badInput)
        case .shareCount(let total, let required):
            Complaint("share-count", "\(required) of \(total) shares cannot be: at least 2 of at most 255", exit: .usage)
        case .length(let part): Complaint("share-length", "the \(part) is empty or too long", exit: .usage)
        case .outOfMemory: Complaint("out-of-memory", "there is not enough memory to derive the split's key", exit: .inputOutput)
        case .checkFailed: Complaint("self-check", "the shares do not join to the seed, so they are not given out", exit: .inputOutput)
        }
    }

    static let newPassphrase = "new passphrase: "
    static let sameAgain = "the same again: "
    static let passphraseChanged = "the passphrase was changed; backups keep the old one"
    static let noNetwork = "no network"

    static func madeSeed(_ name: String, words: Int) -> String {
        "made seed \(Escape.terminal(name)) of \(words) words; heliograph seed show \(Escape.terminal(name)) shows them"
    }
    static func restoredSeed(_ name: String) -> String { "restored seed \(Escape.terminal(name))" }
    static func phraseMatches(_ seed: String) -> String { "the phrase is that of seed \(Escape.terminal(seed))" }
    static func phraseIsValid(words: Int) -> String { "a phrase of \(words) words" }
    static func removeSeed(_ name: String, keys: Int) -> String { "Remove seed \(Escape.terminal(name)) and its \(keys) keys?" }
    static func removedSeed(_ name: String, keys: Int) -> String { "removed seed \(Escape.terminal(name)) and \(keys) keys" }

    static let pressKeys = "press keys at random until the count is full"
    static func keyPressProgress(_ have: Int, of need: Int) -> String { "\(have) of \(need) keys" }
    static func diceQuestion(_ need: Int) -> String { "at least \(need) rolls, digits 1 to 6: " }

    static func diceConcern(_ concern: DiceRolls.Concern) -> String {
        switch concern {
        case .bias(let counts):
            "heliograph: these dice favour some faces: "
                + counts.enumerated().map { "\($0.offset + 1) came \($0.element) times" }.joined(separator: ", ")
        case .run(let length): "heliograph: one face came \(length) times in a row"
        case .pattern(let period): "heliograph: the rolls repeat themselves every \(period) rolls"
        }
    }

    static let phraseHelp = "words one by one or all at once; the first letters of a word are enough; an empty line ends the phrase"
    static func wordQuestion(_ number: Int) -> String { "word \(number): " }
    static func completedWord(_ word: String) -> String { "  \(word)" }
    static func severalWords(_ words: [String]) -> String {
        "  " + words.prefix(12).joined(separator: " ") + (words.count > 12 ? " and \(words.count - 12) more" : "")
    }
    static func unknownWord(_ text: String, nearest: [String]) -> String {
        "\(Escape.terminal(text)) is not in the list" + (nearest.isEmpty ? "" : "; nearest are \(nearest.joined(separator: ", "))")
    }

    static let splitPassphraseQuestion = "passphrase for the shares (empty: one is drawn and shown): "
    static let splitPassphraseAgain = "passphrase of the shares: "
    static let drawnPassphrase = "the passphrase of the shares; without it they are worth nothing:"
    static func splitDone(shares: Int, required: Int, folder: String) -> String {
        "wrote \(shares) shares to \(folder); any \(required) of them and the passphrase give the seed back"
    }

    /// What is printed on paper beside a share's code.
    static func printedShare(_ share: BananaShare, of total: Int) -> String {
        """
        \(Escape.terminal(share.title))
        share \(share.id) of \(total); \(share.required) shares and the passphrase give the seed back
        read the QR code with: heliograph seed join
        \(share.text)

        """
    }

    static func key(_ key: KeyRecord, prefix: UInt16) -> String {
        let used = key.lastUsed.map { "last used \($0)" } ?? "never used"
        let path = (key.path.isEmpty ? "(root)" : key.path) + (key.hasPassword ? " ///password" : "")
        return ([key.publicKey.address(prefix: prefix), path, key.publicKey.scheme.name, used] + [key.label].compactMap { $0 })
            .joined(separator: "  ")
    }

    static func address(_ address: String, publicKey: String) -> String { "\(address)\npublic key \(publicKey)" }
    static func labelled(_ address: String) -> String { "labelled \(Escape.terminal(address))" }
    static func allowed(_ address: String, network: String) -> String {
        "\(Escape.terminal(address)) may sign for \(Escape.terminal(network))"
    }
    static func forbidden(_ address: String, network: String) -> String {
        "\(Escape.terminal(address)) no longer signs for \(Escape.terminal(network))"
    }
    static func removedKey(_ address: String) -> String { "forgot \(Escape.terminal(address)); its seed can derive it again" }
    static func differsInPolkadotJS(_ junction: Junction) -> String {
        "heliograph: polkadot-js derives another key from \(Escape.terminal(junction.name))"
    }
    static func exportSecret(_ address: String) -> String {
        "Whoever sees the code owns \(Escape.terminal(address)). Draw the secret key?"
    }
    static func secretWritten(_ path: String) -> String { "wrote the secret key to \(path)" }
    static func leftOutWithPassword(_ count: Int) -> String { "\(count) keys with a password were left out" }
    static func exported(_ count: Int, to path: String) -> String { "wrote \(count) derivations to \(path)" }

    static func madeKeyFile(_ path: String) -> String {
        "made the key file \(path); heliograph vault passphrase --new-key-fd 6 6<FILE makes the vault need it"
    }

    static func backedUp(_ seeds: Int, to path: String) -> String {
        "wrote a backup with \(seeds) seeds to \(path); heliograph vault backup --check proves it"
    }
    static func backupHolds(_ report: VaultBackup.Report) -> String {
        "\(report.seedNames.count) seeds, all unsealed: \(report.seedNames.map(Escape.terminal).joined(separator: ", "))"
    }
}
