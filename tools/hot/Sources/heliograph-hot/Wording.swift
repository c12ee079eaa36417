import ChainRPC
import Diagnostics
import Extrinsics
import Glibc
import Hashing
import HotStore
import HotTransactions
import Metadata
import QRCode
import SCALE
import SQLite
import ScannerClient
import SubstratePrimitives
import Terminal
import UOS

/// Every sentence that tells a failure stands here and in `Wording+Data.swift`. Libraries throw facts; nothing else words them.
enum Wording {
    static func diagnostic(_ error: any Error) -> Diagnostic {
        switch error {
        case let error as HotError: command(error)
        case let error as HotStoreError: store(error)
        case let error as SQLiteError: store(.sqlite(error))
        case let error as RPCError: rpc(error)
        case let error as AllNodesFailed: allFailed(error)
        case let error as DescriptionError: description(error)
        case let error as ExtensionFiller.Failure: extensions(error)
        case let error as TransportError: transport(error)
        case let error as ScannerClientError: scanner(error)
        case let error as QRCode.Failure: code(error)
        case let error as LegacyFrames.Failure: frames(error)
        case let error as RaptorQFrames.Failure: raptorQ(error)
        case let error as SS58Address.Failure: Diagnostic("bad-address", address(error), exit: .badInput)
        default: data(error) ?? Diagnostic("internal", "unexpected failure: \(error)", exit: .badInput)
        }
    }

    static func errorText(_ number: Int32) -> String { String(cString: strerror(number)).lowercased() }

    // MARK: Commands

    private static func command(_ error: HotError) -> Diagnostic {
        switch error {
        case .cannotRead(let path, let number): Diagnostic("cannot-read", "cannot read \(path): \(errorText(number))", exit: .inputOutput)
        case .cannotWrite(let path, let number):
            Diagnostic("cannot-write", "cannot write \(path): \(errorText(number))", exit: .inputOutput)
        case .tooLarge(let path, let limit): Diagnostic("too-large", "\(path) is longer than \(limit) bytes", exit: .badInput)
        case .notHex(let source): Diagnostic("not-hex", "\(source) is not hex", exit: .badInput)
        case .emptyInput(let path): Diagnostic("empty-input", "\(path) is empty", exit: .badInput)
        case .unknownFileKind(let path):
            Diagnostic("unknown-file", "\(path) is neither network specs as JSON nor metadata", exit: .badInput)
        case .badSpecsFile(let path, let detail): Diagnostic("bad-specs-file", "\(path) is not a specs file: \(detail)", exit: .badInput)
        case .networkNeeded(let path):
            Diagnostic("network-needed", "no known network has the runtime of \(path)", hint: "import \(path) --network NAME", exit: .usage)
        case .otherRuntimeName(let network, let expected, let found):
            Diagnostic("other-runtime", "\(network) runs \(expected), and this metadata is of \(found)", exit: .refused)
        case .otherPrefix(let network, let expected, let found):
            Diagnostic("other-prefix", "\(network) has SS58 prefix \(expected), and this metadata has \(found)", exit: .refused)
        case .noTypes: Diagnostic("no-types", "no types are known", hint: "import FILE", exit: .refused)
        case .unknownScheme(let text): Diagnostic("unknown-scheme", "\(text) is no signature scheme", exit: .usage)
        case .signatureOptionsIncomplete:
            Diagnostic(
                "signature-options", "a signature is --sufficient alone, or --key-hex, --signature-hex and --scheme together", exit: .usage)
        case .updateSignatureWrong(let key):
            Diagnostic(
                "signature-wrong", "the signature of \(key.scheme.name) key \(Hex.encode(key.bytes)) is not over this update",
                exit: .badInput)
        case .keyLength(let count, let scheme):
            Diagnostic("key-length", "a public key of \(scheme.name) has \(scheme.publicKeyLength) bytes, not \(count)", exit: .badInput)
        case .badFieldValue(let field, let value): Diagnostic("bad-value", "\(value) does not fit the field \(field)", exit: .usage)
        case .unknownField(let field): Diagnostic("unknown-field", "network specs have no field \(field) that can be set", exit: .usage)
        case .badNetworkName(let name): Diagnostic("bad-name", "\(name) cannot name a network", hint: "--name NAME", exit: .refused)
        case .alreadyWatching(let folder): Diagnostic("already-watching", "another process watches into \(folder)", exit: .refused)
        case .notAllWatched(let networks):
            Diagnostic("not-all-watched", "watching failed for \(networks.joined(separator: ", "))", exit: .inputOutput)
        case .badAddress(let text): Diagnostic("bad-address", "\(text) is not an address of this network", exit: .badInput)
        case .badDescription(let path, let detail): Diagnostic("bad-description", "\(path) cannot be used: \(detail)", exit: .badInput)
        case .noSignatureInPicture(let path):
            Diagnostic("no-signature", "\(path) does not show one verifier's signature", exit: .badInput)
        case .noScanner:
            Diagnostic("no-scanner", "heliograph-scanner, which reads pictures, is not found", hint: "--scanner PATH", exit: .inputOutput)
        case .valueMissing(let option): Diagnostic("value-missing", "\(option) is needed: nothing else tells it", exit: .usage)
        case .noWebAssembly:
            Diagnostic(
                "no-webassembly", "this is a runtime, and no library on this machine runs WebAssembly: its metadata must come from a node",
                hint: "fetch URL", exit: .refused)
        default: answer(error)
        }
    }

    private static func answer(_ error: HotError) -> Diagnostic {
        switch error {
        case .notAnAnswer: Diagnostic("not-an-answer", "this is not an answer of an offline signer", exit: .badInput)
        case .notATransaction: Diagnostic("not-a-transaction", "the payload asks for no signature of a transaction", exit: .badInput)
        case .framesUnproved:
            Diagnostic("ambiguous-frames", "the frames do not prove which payload they carry: one more frame is needed", exit: .badInput)
        case .derivedSigner:
            Diagnostic("derived-signer", "the payload does not tell the signer's key, so its signature cannot be checked", exit: .refused)
        case .unknownGenesis(let hash):
            Diagnostic("unknown-network", "no network has the genesis hash \(hash.hex)", hint: "show networks", exit: .refused)
        case .signatureMismatch: Diagnostic("signature-wrong", "the signature is not over this payload", exit: .badInput)
        case .noFittingRequest:
            Diagnostic("no-request", "no transaction made here has this signature", hint: "read INPUT --payload FILE", exit: .badInput)
        case .expired:
            Diagnostic("expired", "the transaction can be in no block any more: its era is over, or its nonce is used", exit: .refused)
        case .dropped: Diagnostic("dropped", "the node gave the transaction up", exit: .refused)
        case .usurped(let other): Diagnostic("usurped", "the transaction \(other.hex) with the same nonce took its place", exit: .refused)
        case .notFinal(let block):
            Diagnostic("not-final", "block \(block.hex) holds the transaction and was not finalized in time", exit: .refused)
        case .notIncluded(let seconds): Diagnostic("not-included", "the transaction was not final after \(seconds) seconds", exit: .refused)
        default: chain(error)
        }
    }

    private static func chain(_ error: HotError) -> Diagnostic {
        switch error {
        case .noAddress: Diagnostic("no-address", "no address of a node is known", hint: "fetch URL", exit: .usage)
        case .badURL(let text): Diagnostic("bad-url", "\(text) is not a ws, wss, http or https address", exit: .usage)
        case .blockNotAtEraStart(let number, let quantum):
            Diagnostic("era-start", "block \(number) starts no era of this length: its number is no multiple of \(quantum)", exit: .usage)
        case .nodeContradictsItself(let url, let what):
            Diagnostic("node-contradicts", "\(url) contradicts itself: \(what)", exit: .badInput)
        case .chainTellsNot(let url, let what):
            Diagnostic("chain-tells-not", "\(url) does not tell the chain's \(what)", hint: "--token UNIT --decimals N", exit: .refused)
        case .metadataOutdated(let network, let known, let current):
            Diagnostic(
                "metadata-outdated", "\(network) runs version \(current), and metadata is known up to \(known)",
                hint: "fetch --name \(network)", exit: .refused)
        case .proofContradictsDigest(let proof, let digest):
            Diagnostic("proof-wrong", "the proof leads to \(proof.hex), not to the digest \(digest.hex)", exit: .badInput)
        default: Diagnostic("internal", "unexpected failure: \(error)", exit: .badInput)
        }
    }

    // MARK: Libraries

    private static func store(_ error: HotStoreError) -> Diagnostic {
        switch error {
        case .notAStore: Diagnostic("not-a-database", "the file is not a hot database of this program", exit: .badInput)
        case .inputOutput(let number):
            Diagnostic("database-io", "the hot database cannot be opened: \(errorText(number))", exit: .inputOutput)
        case .sqlite(let error): Diagnostic("database", "the hot database failed with SQLite code \(error.code)", exit: .inputOutput)
        case .unreadable(let table): Diagnostic("database-damaged", "a row of \(table) in the hot database cannot be read", exit: .badInput)
        case .unknownNetwork(let name): Diagnostic("unknown-network", "no network is called \(name)", hint: "show networks", exit: .refused)
        case .unknownMetadata(let network, let version):
            Diagnostic(
                "unknown-metadata", "no metadata of \(network) \(version) is known", hint: "show metadata \(network)", exit: .refused)
        case .noMetadata(let network, let format):
            Diagnostic(
                "no-metadata", "no metadata\(format.map { " V\($0)" } ?? "") of \(network) is known",
                hint: "import FILE --network \(network)", exit: .refused)
        case .silentChange(let network, let version, let known, let found):
            Diagnostic(
                "silent-change",
                "metadata of \(network) \(version) changed without a new version: \(origin(known)) it was \(known.hash.hex), "
                    + "\(origin(found)) it is \(found.hash.hex)", exit: .refused)
        case .otherGenesis(let network, let known, let found):
            Diagnostic("other-genesis", "\(network) has genesis hash \(known.hex), and this is \(found.hex)", exit: .refused)
        case .alreadyNamed(let name): Diagnostic("already-named", "this chain is known as \(name)", exit: .refused)
        case .immutableField(let network, let field):
            Diagnostic("immutable-field", "the \(field) of \(network) never changes", exit: .refused)
        }
    }

    private static func origin(_ origin: MetadataOrigin) -> String { origin.blockHash.map { "at block \($0.hex)" } ?? "in a file" }

    private static func code(_ error: QRCode.Failure) -> Diagnostic {
        switch error {
        case .empty: Diagnostic("empty-payload", "there are no bytes to draw", exit: .badInput)
        case .tooLong(let bytes, let capacity):
            Diagnostic("too-long", "\(bytes) bytes do not fit one QR code, which holds \(capacity)", hint: "--legacy", exit: .badInput)
        case .library(let number): Diagnostic("qr", "no QR code could be drawn: \(errorText(number))", exit: .inputOutput)
        }
    }

    private static func frames(_ error: LegacyFrames.Failure) -> Diagnostic {
        switch error {
        case .emptyPayload: Diagnostic("empty-payload", "there are no bytes to draw", exit: .badInput)
        case .tooManyFrames(let count): Diagnostic("too-many-frames", "\(count) frames are more than can be numbered", exit: .badInput)
        }
    }

    private static func raptorQ(_ error: RaptorQFrames.Failure) -> Diagnostic {
        switch error {
        case .payloadTooLong(let count): Diagnostic("too-long", "\(count) bytes are more than frames can announce", exit: .badInput)
        case .raptorQ(.payloadLengthOutOfRange): Diagnostic("empty-payload", "there are no bytes to draw", exit: .badInput)
        case .raptorQ(let error): Diagnostic("raptorq", raptorQ(error), exit: .badInput)
        }
    }

    // MARK: Nodes

    static func rpc(_ error: RPCError) -> Diagnostic {
        switch error {
        case .cannotConnect(let reason): Diagnostic("cannot-connect", "no connection: \(reason)", exit: .inputOutput)
        case .certificateForAnotherName(let host): Diagnostic("certificate-name", "the certificate is not for \(host)", exit: .inputOutput)
        case .tls(let reason): Diagnostic("tls", "no trusted connection: \(reason)", exit: .inputOutput)
        case .cannotReadCertificates(let path): Diagnostic("no-certificates", "no certificate can be read from \(path)", exit: .inputOutput)
        case .webSocketRefused: Diagnostic("not-a-websocket", "the server does not speak WebSocket", exit: .inputOutput)
        case .status(let status): Diagnostic("http-status", "the server answered with status \(status)", exit: .inputOutput)
        case .timedOut(let seconds, .handshake): Diagnostic("timeout", "no connection within \(seconds) seconds", exit: .inputOutput)
        case .timedOut(let seconds, .answer): Diagnostic("timeout", "no answer within \(seconds) seconds", exit: .inputOutput)
        case .cutOff: Diagnostic("cut-off", "the connection ended before the answer did", exit: .inputOutput)
        case .answerTooLarge(let limit): Diagnostic("answer-too-large", "the answer is longer than \(limit) bytes", exit: .inputOutput)
        case .invalidJSON: Diagnostic("invalid-json", "the answer is not JSON", exit: .inputOutput)
        case .notAnAnswer: Diagnostic("not-an-answer", "the answer is not one of JSON-RPC", exit: .inputOutput)
        case .refusedByNode(let code, let message): Diagnostic("node-refuses", "the node refuses (\(code)): \(message)", exit: .refused)
        case .unexpectedAnswer(let method):
            Diagnostic("unexpected-answer", "the answer to \(method) is not what it should be", exit: .inputOutput)
        case .wrongChain(let expected, let found):
            Diagnostic("wrong-chain", "the node is on another chain: its genesis hash is \(found.hex), not \(expected.hex)", exit: .refused)
        case .noSuchBlock(let text): Diagnostic("no-such-block", "the node knows no block \(text)", exit: .refused)
        case .needsWebSocket: Diagnostic("needs-websocket", "following a transaction needs a ws or wss address", exit: .usage)
        }
    }

    /// The last failure of each address; the code and the end of the last one.
    private static func allFailed(_ error: AllNodesFailed) -> Diagnostic {
        guard let last = error.attempts.last else { return command(.noAddress) }
        var lines: [(url: String, message: String)] = []
        for attempt in error.attempts {
            let line = (url: attempt.url.description, message: rpc(attempt.error).message)
            if lines.last?.url == line.url { lines[lines.count - 1] = line } else { lines.append(line) }
        }
        let diagnostic = rpc(last.error)
        return Diagnostic(
            diagnostic.code, lines.map { "\($0.url): \($0.message)" }.joined(separator: "; "), hint: diagnostic.hint, exit: diagnostic.exit)
    }

    // MARK: Descriptions

    private static func description(_ error: DescriptionError) -> Diagnostic {
        let what =
            switch error.code {
            case .wrongKind(let wanted, let found): "takes \(wanted), not \(found)"
            case .outOfRange(let text): "does not hold \(text)"
            case .wrongLength(let expected, let found): "takes \(expected) items, not \(found)"
            case .unknownName(let name): "has no \(name)"
            case .missingName(let name): "lacks \(name)"
            case .notHex(let text): "takes hex, and \(text) is none"
            case .badAddress(let text): "takes an address, and \(text) is none"
            case .otherNetwork(let expected, let found): "takes an address with prefix \(expected), and this has \(found)"
            case .notOneCharacter(let text): "takes one character, not \(text)"
            case .tooDeep: "is nested too deep"
            case .noType: "has a type that the metadata does not hold"
            }
        return Diagnostic("bad-description", "\(error.place) \(what)", exit: .badInput)
    }

    private static func extensions(_ error: ExtensionFiller.Failure) -> Diagnostic {
        switch error {
        case .valueNeeded(let name):
            Diagnostic(
                "extension-value", "the runtime has the extension \(name), which this program cannot fill",
                hint: "--extension '\(name)={\"explicit\": ...}'",
                exit: .usage)
        case .unknownExtension(let name): Diagnostic("unknown-extension", "the runtime has no extension \(name)", exit: .usage)
        case .noMetadataHash: Diagnostic("no-metadata-hash", "the runtime cannot check a hash of its metadata", exit: .refused)
        case .behindMetadataHash(let name):
            Diagnostic(
                "hash-not-at-end", "the runtime signs \(name) behind the metadata hash, and no signer takes a proof then",
                hint: "make load-metadata NETWORK", exit: .refused)
        case .description(let error): description(error)
        }
    }

    private static func address(_ error: SS58Address.Failure) -> String {
        switch error {
        case .notBase58: "the address is not base-58 text"
        case .wrongLength(let count): "the address has \(count) bytes"
        case .wrongChecksum: "the checksum of the address is wrong"
        case .reservedPrefix(let prefix): "the address has the reserved prefix \(prefix)"
        }
    }
}
