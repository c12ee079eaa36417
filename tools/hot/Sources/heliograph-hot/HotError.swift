import Diagnostics
import Glibc
import Hashing
import NodeAnswers
import SubstratePrimitives

/// What a command itself refuses; every other error comes from a library.
enum HotError: Error, Equatable {
    case cannotRead(path: String, errno: Int32)
    case cannotWrite(path: String, errno: Int32)
    /// The name of a picture names a directory.
    case isDirectory(path: String)
    case outputRefused(path: String, OutputObstacle)
    /// Limit in bytes.
    case tooLarge(path: String, limit: Int)
    /// `source` names the option or field that held the text.
    case notHex(source: String)
    case emptyInput(path: String)
    /// Nothing writes to a pipe that should be read.
    case silentPipe(path: String)
    case unknownFileKind(path: String)
    case badSpecsFile(path: String, detail: String)
    case networkNeeded(path: String)
    /// Metadata of a runtime with another name than the network's.
    case otherRuntimeName(network: String, expected: String, found: String)
    case otherPrefix(network: String, expected: UInt16, found: UInt16)
    case noTypes
    case signatureOptionsIncomplete
    case updateSignatureWrong(key: PublicKey)
    case keyLength(Int, scheme: SignatureScheme)
    case badFieldValue(field: String, value: String)
    case unknownField(String)
    case badAddress(String)
    /// An address in an export of keys has another prefix than the network that its key is for.
    case prefixOfAnotherNetwork(address: String, network: String, expected: UInt16, found: UInt16)
    /// Contains more than letters, digits, `-` and `_`, and `.` after the first character.
    case badNetworkName(String)
    case alreadyWatching(folder: String)
    case notAllWatched(networks: [String])
    case badDescription(path: String, detail: String)
    /// The picture holds no code, or several, with a verifier's key and signature.
    case noSignatureInPicture(path: String)
    case noScanner
    /// An option is needed for a value that neither metadata nor a node provides.
    case valueMissing(String)
    /// A long era can only start at blocks whose number is a multiple of this quantum.
    case blockNotAtEraStart(number: UInt32, quantum: UInt32)
    case noAddress
    case badURL(String)
    /// Counted from 1.
    case badHeader(path: String, line: Int)
    case noPin(server: String)
    case nodeContradictsItself(url: String, detail: String)
    case propertyMissing(url: String, ChainProperty)
    /// A name, title or token of more than this many bytes: no chain has one, and it would fill pictures and
    /// screens.
    case oversizedName(url: String, limit: Int)
    /// The node runs another version than the one that the user or the hot database names.
    case otherVersionRuns(network: String, chosen: UInt32, current: UInt32)
    /// The runtime checks metadata hashes and offers no metadata that a digest is made from.
    case noDigest(network: String, version: UInt32)
    case proofContradictsDigest(proof: Hash32, digest: Hash32)

    // Answers
    case notAnAnswer
    /// What should be an answer is what the offline device is to read.
    case payloadForSigner(kind: String)
    /// A message of a threshold group, which goes to its members or to who collects; its kind.
    case groupMessage(kind: String)
    case notATransaction
    /// RaptorQ frames that do not prove which payload they carry.
    case framesUnproved
    /// The payload names its signer by root key and path, and no answer and no user told the key.
    case derivedSigner(path: String)
    /// A path with a soft junction, for keys of a scheme that has hard ones only.
    case softPath(String, scheme: SignatureScheme)
    /// The answer is about other keys than any request that was made here.
    case noMatchingDerivations
    /// A message that has the tags that are put around it.
    case taggedMessage
    /// An output that several networks cannot share.
    case severalNetworks(option: String)
    /// Updates of several networks would have one file name.
    case oneFileName(String)
    case unknownGenesis(GenesisHash)
    case signatureMismatch
    case noMatchingRequest
    /// What a signer answers to the first code of a guarded transaction is no point of its key's group.
    case badGuardPoint
    /// A signer answers with another point than before. An honest one computes the same again.
    case otherGuardPoint
    /// A signature of a guarded transaction whose point was never read.
    case guardUnanswered
    /// A signature of a guarded transaction that was not made as agreed, although it may be valid.
    case guardNotKept
    /// The pool calls it invalid: its era is over, or its nonce is used. Without ``Again`` it was not sent.
    case expired(Again?)
    case dropped(Again)
    case usurped(by: Hash32, Again)
    case notFinal(block: Hash32, Again)
    case notIncluded(seconds: Int, Again)
    /// The node that was given it refused it, in its own words; no final block that was searched has it.
    case submissionRefused(url: String, RPCError, Again)
    /// The node that was given it failed, and nothing tells what it did with it; the reason in words.
    case sentAndUnknown(hash: Hash32, url: String, reason: String, Again)
    /// The block that a node named for it does not have it.
    case notInBlock(Hash32, BlockDenial)
    /// It is in a final block, and nothing but its fee came of it; the reason in words.
    case failed(String)
    /// It succeeded, and calls inside it did not: the first events with their reasons, and how many there
    /// are.
    case partlyFailed([String], of: Int)
    /// `--strict`, and nothing tells how it ended; the reason in words.
    case resultUnknown(String)
    /// The runtime has the extension that compares metadata hashes, and no hash to compare with.
    case hashNotBuilt(network: String)
    /// Another transaction version than the metadata states.
    case otherTransactionVersion(given: UInt32, metadata: UInt32)
    /// The address of an ecdsa account, which is a hash of its public key.
    case publicKeyNeeded(address: String)

    // Import
    case noWebAssembly
    /// A runtime file does not give metadata in this format.
    case noSuchFormat(UInt8, offered: [UInt8])

    /// How a block turns out not to have a transaction that a node named it for.
    enum BlockDenial: String, CaseIterable {
        case notInIt = "does not have the transaction, although the node named it for it"
        /// The same node says so.
        case noSuchBlock = "is unknown to the node that named it for the transaction"
    }

    /// What is in the way of a result.
    enum OutputObstacle: String, CaseIterable {
        case link = "it is a symbolic link"
        /// A device, a pipe or a socket.
        case notAFile = "it is not a regular file"
        case readOnly = "it is read-only"
        case database = "it is a file of the hot database"
        case vault = "its directory holds a vault"
        case kept = "it is a vault's file, a backup or a database"
        case input = "it is an input of this command"
        /// An `index.html` in the directory of a portal.
        case otherPage = "it is no page of a portal"
        case otherResult = "another result of this command goes there"
    }

    /// What specs need and a chain may not report.
    enum ChainProperty: Equatable {
        case prefix
        case token
        /// The chain lists several tokens; their symbols.
        case singleToken([String])
    }
}

extension HotError: DiagnosticError {
    var diagnostic: Diagnostic {
        switch self {
        case .cannotRead(let path, let number):
            .inputOutput("input-output", "cannot read \(path): \(Sentence.systemError(number))")
        case .cannotWrite(let path, let number):
            .inputOutput("input-output", "cannot write \(path): \(Sentence.systemError(number))")
        case .isDirectory(let path):
            .usage(
                "is-a-directory", "\(path) is a directory, and this writes one file",
                hint: "--separate writes each code as a picture into it")
        case .outputRefused(let path, let obstacle):
            .inputOutput(
                "output-refused", "the result is not written to \(path): \(obstacle.rawValue)",
                hint: "choose a name that is free")
        case .tooLarge(let path, let limit):
            .badInput("file-too-large", "\(path) is larger than \(limit >> 20) MiB")
        case .notHex(let source): .badInput("bad-hex", "\(source) is not hexadecimal")
        case .emptyInput(let path): .badInput("empty-file", "\(path) is empty")
        case .silentPipe(let path):
            .inputOutput("input-output", "\(path) is a pipe, and nothing writes to it")
        case .unknownFileKind(let path):
            .badInput("unsupported-file", "\(path) is neither metadata, network specs, types nor an update")
        case .badSpecsFile(let path, let detail):
            .badInput("bad-specs", "\(path) does not hold network specs as JSON: \(detail)")
        case .networkNeeded(let path):
            .usage(
                "network-needed", "the runtime name in \(path) does not identify one network",
                hint: "--network NAME")
        case .otherRuntimeName(let network, let expected, let found):
            .refused(
                "metadata-of-another-network",
                "this is metadata for \(found), but \(network) runs \(expected)")
        case .otherPrefix(let network, let expected, let found):
            .refused(
                "metadata-prefix-differs",
                "this metadata has SS58 prefix \(found), but \(network) has \(expected)")
        case .noTypes:
            .refused("no-types", "the hot database holds no types", hint: "heliograph-hot import FILE")
        case .signatureOptionsIncomplete:
            .usage(
                "signature-options",
                "give either --sufficient, or --key-hex, --signature-hex "
                    + "and --scheme together, or --test-key, or --unsigned")
        case .updateSignatureWrong(let key):
            .badInput(
                "wrong-signature",
                "the signature by the \(key.scheme.name) key 0x\(Hex.encode(key.bytes)) "
                    + "does not match this update")
        case .keyLength(let count, let scheme):
            .usage(
                "key-length",
                "the key has \(Sentence.count(count, "byte")), but an "
                    + "\(scheme.name) key has \(scheme.publicKeyLength)")
        case .badFieldValue(let field, let value):
            .usage("bad-field-value", "\(value) is not a valid value for \(field)")
        case .unknownField(let field):
            .usage(
                "unknown-field", "\(field) is not a field that can be set",
                hint: "heliograph-hot help specs set")
        case .badAddress(let text): .badInput("bad-address", "\(text) is not a valid address for this scheme")
        case .prefixOfAnotherNetwork(let address, let network, let expected, let found):
            .badInput(
                "address-prefix",
                "\(address) has SS58 prefix \(found), but the addresses of \(network) have \(expected)")
        case .badNetworkName(let name):
            .refused(
                "bad-network-name",
                name.utf8.isEmpty ? "the network has no name" : "\(name) is not a valid network name",
                hint: "heliograph-hot import FILE --network NAME, or heliograph-hot fetch URL --name NAME")
        case .alreadyWatching(let folder):
            .refused("directory-in-use", "another process already watches into \(folder)")
        case .notAllWatched(let networks):
            .inputOutput("incomplete-round", "watching failed for \(networks.joined(separator: ", "))")
        case .badDescription(let path, let detail):
            .badInput("bad-description", "cannot use \(path): \(detail)")
        case .noSignatureInPicture(let path):
            .badInput("no-signature", "\(path) does not show exactly one verifier signature")
        case .noScanner:
            .inputOutput(
                "no-scanner", "cannot find heliograph-scanner, which reads pictures", hint: "--scanner PATH")
        case .valueMissing(let option):
            .usage("missing-value", "\(option) is required: its value cannot be inferred")
        case .blockNotAtEraStart(let number, let quantum):
            .usage(
                "bad-era-start",
                "an era of this length cannot start at block \(number): "
                    + "the number is not a multiple of \(quantum)")
        case .noAddress:
            .usage("no-node", "no node URL is known for this network", hint: "heliograph-hot fetch URL")
        case .badURL(let text): .usage("bad-url", "\(text) is not a ws, wss, http or https URL")
        case .badHeader(let path, let line):
            .badInput(
                "bad-header", "line \(line) of \(path) is not a URL with TLS and a header",
                hint: "wss://node.example Authorization: Bearer TOKEN")
        case .noPin(let server): .refused("no-pin", "\(server) has no pin", hint: "heliograph-hot pin list")
        case .nodeContradictsItself(let url, let detail):
            .badInput("inconsistent-node", "\(url) contradicts itself: \(detail)")
        case .propertyMissing(let url, .prefix):
            .refused(
                "missing-property", "\(url) does not report the chain's SS58 prefix")
        case .propertyMissing(let url, .token):
            .refused(
                "missing-property", "\(url) does not report the chain's token",
                hint: "--token UNIT --decimals N")
        case .propertyMissing(let url, .singleToken(let symbols)):
            .refused(
                "missing-property", "\(url) reports several tokens: \(symbols.joined(separator: ", "))",
                hint: "--token UNIT --decimals N")
        case .oversizedName(let url, let limit):
            .badInput("oversized-name", "\(url) reports a name of more than \(Sentence.count(limit, "byte"))")
        case .otherVersionRuns(let network, let chosen, let current):
            .refused(
                "outdated-metadata",
                "\(network) runs version \(current) at this node, "
                    + "but the transaction would be for \(chosen)", hint: "--spec-version \(current)")
        case .noDigest(let network, let version):
            .refused(
                "no-digest",
                "\(network) \(version) offers no metadata V15 or V16, so its metadata hash is unknown",
                hint: "--without-proof")
        case .proofContradictsDigest(let proof, let digest):
            .badInput(
                "digest-mismatch",
                "the metadata proof leads to the digest 0x\(proof.hex) instead of 0x\(digest.hex)")
        case .notAnAnswer: .badInput("not-an-answer", "this is not an answer from an offline signer")
        case .payloadForSigner(let kind):
            .badInput(
                "payload-for-signer",
                "this is a payload for the offline device (\(kind)), and no answer of it",
                hint: "show it to the offline device, and read its answer here: heliograph scan")
        case .groupMessage(let kind):
            .badInput(
                "group-message",
                "this is a message between the members of a group (\(kind)), and no signature yet",
                hint: "heliograph-hot group collect RECORD REQUEST INPUT")
        case .notATransaction: .badInput("not-a-transaction", "the payload does not hold transactions")
        case .framesUnproved:
            .badInput(
                "ambiguous-frames",
                "the frames do not prove which payload they carry: one more frame is needed",
                hint: "scan a few more frames of the same animation")
        case .derivedSigner(let path):
            .refused(
                "derived-signer",
                "the payload names its signer by the path \(path.isEmpty ? "of the root key" : path), "
                    + "and the key of this path is not in the hot database",
                hint: "--signer ADDRESS, or heliograph-hot make derivations-request and read of its answer")
        case .softPath(let path, let scheme):
            .usage(
                "soft-junction",
                "\(path) has a soft part (/), which \(scheme.name) does not support: write //")
        case .noMatchingDerivations:
            .badInput(
                "no-matching-request",
                "the answer matches no request for derived addresses that was made here",
                hint: "heliograph-hot read INPUT --payload FILE")
        case .taggedMessage:
            .badInput(
                "tagged-message",
                "the message is already between <Bytes> and </Bytes>, which this command adds")
        case .severalNetworks(let option):
            .usage("several-networks", "\(option) is for one network, and several are named")
        case .oneFileName(let name):
            .usage(
                "one-file-name", "two of these networks give the file name \(name)",
                hint:
                    "make them one by one, with --out FILE, or remove one: heliograph-hot network remove NAME"
            )
        case .unknownGenesis(let hash):
            .refused(
                "unknown-network", "no network in the hot database has the genesis hash 0x\(hash.hex)",
                hint: "heliograph-hot network list")
        case .signatureMismatch: .badInput("wrong-signature", "the signature does not match this payload")
        case .noMatchingRequest:
            .badInput(
                "no-matching-request", "the signature matches no transaction that was made here",
                hint: "heliograph-hot read INPUT --payload FILE")
        case .badGuardPoint:
            .badInput(
                "guard-point-invalid",
                "the signer's answer to the first code is not a point of its key's group")
        case .otherGuardPoint:
            .refused(
                "guard-point-changed",
                "another point than before answers the same code: the signer's program lies, or somebody else "
                    + "showed one",
                hint: "make the transaction again; if it happens again, do not use this signer")
        case .guardUnanswered:
            .refused(
                "guard-unanswered",
                "this transaction is guarded, and the signer's answer to its first code was not read here",
                hint: "heliograph-hot read INPUT, with the answer to the first code")
        case .guardNotKept:
            .refused(
                "guard-not-kept",
                "the signature is not made with the agreed nonce, so it may carry the key: do not publish it",
                hint: "do not use this signer, and move the funds to a new seed")
        case .expired(let again):
            .refused(
                "expired-transaction",
                "the node says that the transaction has expired: its era is over, or its nonce is used",
                hint: again?.hint)
        case .dropped(let again):
            .refused(
                "dropped-transaction",
                "the node says that it dropped the transaction from its pool, which may still be included",
                hint: again.hint)
        case .usurped(let other, let again):
            .refused(
                "usurped-transaction",
                "the node says that transaction 0x\(other.hex) with the same nonce replaced this one",
                hint: again.hint)
        case .notFinal(let block, let again):
            .refused(
                "finality-timeout",
                "the transaction is in block 0x\(block.hex), which was not finalized in time",
                hint: again.hint)
        case .notIncluded(let seconds, let again):
            .refused(
                "inclusion-timeout",
                "the transaction was not final after \(Sentence.count(seconds, "second"))", hint: again.hint)
        case .submissionRefused(let url, let refusal, let again):
            .refused(refusal.code, "\(url): \(refusal.sentence)", hint: again.hint)
        case .sentAndUnknown(let hash, let url, let reason, let again):
            .inputOutput(
                "sent-and-unknown", "0x\(hash.hex) was given to \(url) and may be included: \(reason)",
                hint: again.hint)
        case .notInBlock(let block, let denial):
            .refused(
                "not-in-block", "block 0x\(block.hex) \(denial.rawValue)",
                hint: "heliograph-hot read INPUT --submit URL, with another node")
        case .failed(let reason):
            .refused("transaction-failed", "the transaction is in the chain and failed: \(reason)")
        case .partlyFailed(let reasons, let count):
            .refused(
                "transaction-partly-failed",
                "the transaction is in the chain, but a call inside "
                    + "it failed: \(reasons.joined(separator: "; "))"
                    + (count > reasons.count ? "; and \(count - reasons.count) more" : ""))
        case .resultUnknown(let reason):
            .refused(
                "result-not-checked",
                "the transaction is in the chain, but its result is not checked: \(reason)")
        case .hashNotBuilt(let network):
            .refused(
                "metadata-hash-not-built",
                "the node says that the runtime of \(network) was built without "
                    + "its metadata hash, so it rejects a transaction with a proof", hint: "--without-proof")
        case .otherTransactionVersion(let given, let metadata):
            .refused(
                "other-transaction-version",
                "the transaction version is \(given), but the metadata states "
                    + "\(metadata): the chain would reject the signature",
                hint: "--tx-version \(metadata), or newer metadata: heliograph-hot fetch URL")
        case .publicKeyNeeded(let address):
            .usage(
                "public-key-needed",
                "\(address) is the address of an ecdsa key, which does not tell the public key",
                hint: "--signer 0xKEY with the 33 bytes of the public key, as heliograph key show prints it")
        case .noWebAssembly:
            .refused(
                "no-webassembly", "this file is a WebAssembly runtime, which holds its metadata in code",
                hint: "heliograph-hot unwasm FILE")
        case .noSuchFormat(let format, let offered):
            .usage(
                "no-such-format",
                "the runtime gives no metadata V\(format), but "
                    + "\(offered.map { "V\($0)" }.joined(separator: ", "))")
        }
    }

    static var examples: [HotError] {
        let (one, other) = (Hash32.blake2b(of: [1]), Hash32.blake2b(of: [2]))
        return [
            .cannotRead(path: "metadata.scale", errno: ENOENT), .isDirectory(path: "codes"),
            .tooLarge(path: "metadata.scale", limit: 64 << 20),
            .notHex(source: "--call-hex"), .emptyInput(path: "metadata.scale"), .silentPipe(path: "pipe"),
            .unknownFileKind(path: "notes.txt"),
            .badSpecsFile(path: "specs.json", detail: "decimals is missing"),
            .networkNeeded(path: "metadata.scale"),
            .otherRuntimeName(network: "polkadot", expected: "polkadot", found: "kusama"),
            .otherPrefix(network: "polkadot", expected: 0, found: 2), .noTypes, .signatureOptionsIncomplete,
            .signatureMismatch,
            .keyLength(31, scheme: .ed25519), .badFieldValue(field: "decimals", value: "many"),
            .unknownField("genesis_hash"),
            .badAddress("alice"),
            .prefixOfAnotherNetwork(
                address: "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY", network: "polkadot", expected: 0,
                found: 42),
            .badNetworkName("../polkadot"), .alreadyWatching(folder: "updates"),
            .notAllWatched(networks: ["polkadot", "kusama"]),
            .badDescription(path: "call.json", detail: "it is not JSON"),
            .noSignatureInPicture(path: "attestation.png"), .noScanner, .valueMissing("--nonce"),
            .blockNotAtEraStart(number: 1001, quantum: 16),
            .failed("Balances.InsufficientBalance: Balance too low to send value"),
            .partlyFailed(["Utility.BatchInterrupted: the origin is not allowed to make the call"], of: 1),
            .partlyFailed(["Utility.ItemFailed: the funds are unavailable"], of: 20_000),
            .resultUnknown("the node has no events of the block"), .hashNotBuilt(network: "polkadot"),
            .otherTransactionVersion(given: 25, metadata: 26),
            .publicKeyNeeded(address: "5C7C2Z5sWbytvHpuLTvzKunnnRwQxft1jiqrLD5rhucQ5S9X"), .noAddress,
            .oversizedName(url: "wss://node.example", limit: 128),
            .badURL("node.example"), .badHeader(path: "headers", line: 2), .noPin(server: "node.example:443"),
            .nodeContradictsItself(
                url: "wss://node.example",
                detail: "its SS58 prefix is 0 in metadata and 2 in system_properties"),
            .propertyMissing(url: "wss://node.example", .token),
            .otherVersionRuns(network: "polkadot", chosen: 2_003_000, current: 2_002_000),
            .noDigest(network: "polkadot", version: 2_003_000),
            .proofContradictsDigest(proof: one, digest: other), .notAnAnswer,
            .payloadForSigner(kind: "transaction"),
            .groupMessage(kind: "group_share"), .notATransaction,
            .framesUnproved,
            .derivedSigner(path: "//polkadot//0"),
            .softPath("/0", scheme: .ed25519), .noMatchingDerivations, .taggedMessage,
            .severalNetworks(option: "--terminal"),
            .oneFileName("westend_ed25519_specs"),
            .unknownGenesis(one), .noMatchingRequest, .badGuardPoint, .otherGuardPoint, .guardUnanswered,
            .guardNotKept, .expired(nil), .dropped(.nonce(4)),
            .usurped(by: one, .nonce(4)), .notFinal(block: one, .nonce(4)),
            .notIncluded(seconds: 600, .unknown),
            .submissionRefused(
                url: "wss://node.example", .refusedByNode(code: 1010, message: "Invalid Transaction"),
                .nonce(4)),
            .submissionRefused(
                url: "wss://node.example", .refusedByNode(code: 1010, message: "Invalid Transaction"),
                .used(4)),
            .sentAndUnknown(
                hash: one, url: "wss://node.example",
                reason: "the connection ended before the answer was complete; no node tells where it is",
                .nonce(4)),
            .noWebAssembly,
            .noSuchFormat(16, offered: [14, 15]),
        ] + OutputObstacle.allCases.map { .outputRefused(path: "tx.png", $0) }
            + BlockDenial.allCases.map { .notInBlock(one, $0) }
    }
}
