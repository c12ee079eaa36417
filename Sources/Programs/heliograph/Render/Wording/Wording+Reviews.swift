import Diagnostics
import Extrinsics
import Hashing
import Metadata
import Review
import SCALE
import SubstratePrimitives
import Terminal

/// What a review refuses: transactions, derivations and updates.
extension Wording {
    static func review(_ error: ReviewError) -> Diagnostic {
        switch error {
        case .unknownNetwork(let genesis):
            Diagnostic(
                "unknown-network", "no network with genesis hash \(genesis) is known", hint: "heliograph scan its network specs",
                exit: .refused)
        case .networkOnlyProved(let name):
            Diagnostic(
                "network-only-proved", "\(name) is not known here: only the transaction's own metadata proof speaks for it",
                hint: "heliograph scan --accept-proved-network", exit: .refused)
        case .policy(let violation): policy(violation)
        case .policyUnreadable:
            Diagnostic("policy-unreadable", "the stored policy cannot be read", hint: "heliograph policy set FILE", exit: .badInput)
        case .cut(let network):
            Diagnostic(
                "cut-or-unknown-network",
                "the payload is cut: read as a transaction of \(network) it ends too early, and no known network ends it so",
                exit: .badInput)
        case .networkBlocked(let name):
            Diagnostic(
                "network-blocked", "\(name) is blocked since its verifier was revoked", hint: "heliograph verifier reset", exit: .refused)
        case .noMetadata(let network):
            Diagnostic("no-metadata", "no metadata of \(network) is known", hint: "heliograph scan its metadata update", exit: .refused)
        case .metadataVersionMissing(let network, let version, let newest):
            Diagnostic(
                "no-metadata-version",
                "the transaction is for \(network) \(version) and no metadata of that version is known, the newest is \(newest)",
                hint: "heliograph scan its metadata update", exit: .refused)
        case .transaction(let error, let network) where error.reason == .metadata(.typesNeeded):
            Diagnostic(
                "types-needed", "the metadata of \(network) names types that only a types update describes",
                hint: "heliograph scan its types update", exit: .refused)
        case .transaction(let error, let network):
            Diagnostic("transaction", "the transaction for \(network) cannot be shown in full: \(extrinsic(error))", exit: .badInput)
        case .storedMetadata(let error, let network, let version):
            Diagnostic("stored-metadata", "the stored metadata of \(network) \(version) cannot be used: \(metadata(error))", exit: .refused)
        case .unknownSigner:
            Diagnostic("unknown-signer", "the signer is none of this vault's keys", hint: "heliograph key list", exit: .refused)
        case .keyNotAllowed(let network):
            Diagnostic(
                "key-not-allowed", "the signer's key is not allowed to sign for \(network)",
                hint: "heliograph key allow ADDRESS \(network)",
                exit: .refused)
        case .newKey(let network):
            Diagnostic(
                "new-key", "the signer's key was never derived here, and no key of its seed may sign for \(network)",
                hint: "heliograph scan --accept-new-key", exit: .refused)
        case .heldMetadataDiffers(let network, let version):
            Diagnostic(
                "held-metadata-differs",
                "the metadata proof does not agree with the metadata of \(network) \(version) in this vault",
                hint: "heliograph metadata list", exit: .refused)
        case .severalVersions(let network, let versions):
            Diagnostic(
                "several-versions",
                "the transaction for \(network) can be read with several runtime versions: \(versions.map { String($0) }.joined(separator: ", "))",
                hint: "heliograph metadata remove \(network) VERSION", exit: .refused)
        case .otherNetwork(let network, let other):
            Diagnostic(
                "other-network",
                "the signed bytes of this \(network) transaction have the genesis hash of \(other) where \(other) checks it: "
                    + "one signature could serve both",
                hint: "make the transaction again on a machine that you trust", exit: .refused)
        case .notOnCards(let gap): notOnCards(gap)
        case .messageIsTransaction(let network):
            Diagnostic("message-is-transaction", "the message can also be read as a transaction for \(network)", exit: .refused)
        case .ethereumPayload(let form):
            Diagnostic(
                "ethereum-payload", "a signature of this Ethereum-style key would also serve for \(ethereumForm(form))",
                hint: "make the transaction again with another tip or era", exit: .refused)
        case .signatureDoesNotVerify:
            Diagnostic("self-check", "the new signature does not verify, so it is not given out", exit: .inputOutput)
        case .derivedKeyDiffers(let hasPassword):
            hasPassword
                ? Diagnostic("wrong-password", "the password does not lead to this key", exit: .notPermitted)
                : Diagnostic("derived-key-differs", "the seed does not lead to the stored key", exit: .badInput)
        }
    }

    private static func ethereumForm(_ form: EthereumForm) -> String {
        switch form {
        case .legacyTransaction: "an Ethereum transaction: the bytes to sign are one RLP list"
        case .typedTransaction: "a typed Ethereum transaction: the bytes to sign are a type byte and one RLP list"
        case .personalMessage: "an Ethereum message: the bytes to sign start like one (EIP-191)"
        case .typedData: "Ethereum typed data: the bytes to sign have its form (EIP-712)"
        }
    }

    static func derivation(_ error: DerivationRefusal) -> Diagnostic {
        switch error {
        case .seedUnknown(let root):
            Diagnostic(
                "seed-unknown", "no seed of this vault has the root key \(Hex.encode(root))", hint: "heliograph scan --seed NAME",
                exit: .refused)
        case .allKnown: Diagnostic("already-known", "the vault holds all these keys already", exit: .refused)
        case .nothingToDo: Diagnostic("nothing-to-derive", "not one of these keys can be derived here", exit: .refused)
        case .collision(let path):
            Diagnostic("key-collision", "\(path) collides with another key of this vault", hint: "heliograph key list", exit: .refused)
        case .addressDiffers(let path, let seed):
            Diagnostic(
                "address-differs", "seed \(seed) leads to another key at \(path.isEmpty ? "the root" : path) than the payload says",
                exit: .badInput)
        case .notOnCards(let gap): notOnCards(gap)
        case .rootDiffers(let seed): Diagnostic("root-differs", "seed \(seed) has another root key than the payload says", exit: .badInput)
        }
    }

    private static func notOnCards(_ gap: CardGap) -> Diagnostic {
        Diagnostic("not-on-cards", "the cards do not state all of the payload: \(place(of: gap))", exit: .badInput)
    }

    private static func place(of gap: CardGap) -> String {
        switch gap {
        case .card(let name): "card \(name)"
        case .byte(let offset): "byte \(offset)"
        }
    }

    static func update(_ error: UpdateRefusal) -> Diagnostic {
        let hint: String? =
            switch error {
            case .unknownNetwork: "heliograph scan its network specs"
            case .revokedNetwork: "heliograph verifier reset, which forgets every verifier"
            default: nil
            }
        return Diagnostic(error.code, updateText(error), hint: hint, exit: error.isBadInput ? .badInput : .refused)
    }

    static func updateText(_ error: UpdateRefusal) -> String {
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
        case .prefixReserved(let prefix): "the address prefix \(prefix) is reserved: no account has such an address"
        case .emptyField(let field): "the network specs have an empty \(field)"
        case .metadataOfAnotherNetwork(let specs, let metadata): "the metadata is of \(metadata) and the network is \(specs)"
        case .metadataPrefixDiffers(let specs, let metadata): "the metadata has address prefix \(metadata) and the network has \(specs)"
        case .olderAssetList(let known, let given): "the asset list has number \(given) and number \(known) is held"
        case .notOnCards(let gap): "the cards do not state all of the update: \(place(of: gap))"
        case .sameVersionOtherBytes(let version, _, _): "other metadata of version \(version) is known already"
        }
    }

    static func extrinsic(_ error: ExtrinsicError) -> String {
        "\(error.place): \(extrinsicText(error.reason))"
    }

    static func extrinsicText(_ code: ExtrinsicError.Reason) -> String {
        switch code {
        case .encoding(let code): scaleText(code)
        case .metadata(let code): "the metadata does not explain it: \(metadataText(code))"
        case .tooDeep: "values are nested too deep"
        case .tooMany: "there are too many values"
        case .malformedValue: "the bytes are no value of this type"
        case .leftoverAfterCall(let count): "\(leftover(count)) after the call"
        case .leftoverAfterExtensions(let count): "\(leftover(count)) after the extensions"
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
        case .metadataHashNotAtEnd: "the signed bytes do not end with the metadata hash: the chain may read them differently"
        case .opaqueLength(let announced, let found): "the value has \(bytes(found)) and its length says \(announced)"
        case .notDeterminedByCards: "the cards do not show every byte"
        case .tooMuchToShow: "there is too much to show"
        case .extrinsicVersion(let version): "only transactions of format 4 are signed, and the runtime uses format \(version)"
        case .extensionVersion(let version): "only extensions of version 0 are signed, and the runtime uses version \(version)"
        case .signsInExtension:
            "the runtime expects the signature in an extension (VerifySignature), which signs other bytes: this is not supported"
        case .specsMismatch(let field): "the metadata proof and the network specs have different \(specsField(field))"
        }
    }

    private static func specsField(_ field: ExtrinsicError.SpecsField) -> String {
        switch field {
        case .name: "names"
        case .base58Prefix: "address prefixes"
        case .decimals: "decimals"
        case .unit: "units"
        }
    }

    static func proof(_ error: MetadataProofError) -> String { "\(error.place): \(proofText(error.reason))" }

    static func proofText(_ code: MetadataProofError.Reason) -> String {
        switch code {
        case .encoding(let code): scaleText(code)
        case .leafCount(let leaves, let indices): "\(leaves) leaves and \(indices) indices"
        case .notATree: "leaves, indices and nodes do not make one tree with nothing left over"
        case .repeatedType(let id): "type \(id) is described twice"
        case .malformedLeaf: "a leaf is none that an encoder writes"
        case .limit: "it is too large"
        }
    }

    static func metadata(_ error: MetadataError) -> String { "\(error.place): the metadata is not usable: \(metadataText(error.reason))" }

    private static func metadataText(_ code: MetadataError.Reason) -> String {
        switch code {
        case .notMetadata: "it does not start with meta"
        case .unsupportedVersion(let version): "version \(version) is not read"
        case .encoding(let code): scaleText(code)
        case .typesNeeded: "it names types that only a types update describes"
        case .typesMalformed: "the types that describe it are malformed"
        case .unknownTypeName(let name): "type \(name) is described nowhere"
        case .unknownType(let id): "type \(id) is not in it"
        case .misplacedType(let id): "type \(id) is not in its place"
        case .unknownVariant(let index): "\(index) is none of the choices"
        case .duplicateIndex(let index): "index \(index) is there twice"
        case .malformedType(let id): "type \(id) describes no value"
        case .missingPallet(let name): "it has no pallet \(name)"
        case .missingConstant(let pallet, let name): "\(pallet) has no constant \(name)"
        case .malformedConstant(let pallet, let name): "constant \(name) of \(pallet) cannot be read"
        case .noExtrinsicVersion: "it lists no version of signed transactions"
        case .limit(let limit): "too many \(limit == .nesting ? "levels" : limit.rawValue)"
        case .versionTooOld(let version): "version \(version) does not say it"
        }
    }

    static func assetList(_ error: AssetUnits.Failure) -> String {
        switch error {
        case .encoding(let error): scale(error)
        case .notAList: "it does not start as one"
        case .entries: "an entry is malformed, out of order or there twice"
        }
    }
}
