import Glibc
import Hashing
import HotStore
import Metadata
import QRCode
import SCALE
import SQLite
import SubstratePrimitives
import UpdateGenerator

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

/// Every sentence that tells a failure stands here. Libraries throw facts; nothing else words them.
enum Wording {
    static func complaint(_ error: any Error) -> Complaint {
        switch error {
        case let error as HotError: command(error)
        case let error as HotStoreError: store(error)
        case let error as SQLiteError: store(.sqlite(error))
        case let error as UpdateSignature.Failure: signature(error)
        case let error as MetadataError: metadata(error)
        case let error as QRCode.Failure: code(error)
        case let error as LegacyFrames.Failure: frames(error)
        case let error as RaptorQFrames.Failure: raptorQ(error)
        case let error as SS58Address.Failure: Complaint("bad-address", address(error), exit: .badInput)
        case let error as SCALEError: Complaint("bad-encoding", "\(scale(error.code)), at byte \(error.offset)", exit: .badInput)
        default: Complaint("internal", "unexpected failure: \(error)", exit: .badInput)
        }
    }

    /// The argument parser's own sentence, as the other messages are written: lower case, no period.
    static func usage(_ sentence: String) -> String {
        let text = sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
        return text.prefix(1).lowercased() + text.dropFirst()
    }

    static func errorText(_ number: Int32) -> String { String(cString: strerror(number)).lowercased() }

    // MARK: Commands

    private static func command(_ error: HotError) -> Complaint {
        switch error {
        case .cannotRead(let path, let number): Complaint("cannot-read", "cannot read \(path): \(errorText(number))", exit: .inputOutput)
        case .cannotWrite(let path, let number): Complaint("cannot-write", "cannot write \(path): \(errorText(number))", exit: .inputOutput)
        case .tooLarge(let path, let limit): Complaint("too-large", "\(path) is longer than \(limit) bytes", exit: .badInput)
        case .notHex(let source): Complaint("not-hex", "\(source) is not hex", exit: .badInput)
        case .emptyInput(let path): Complaint("empty-input", "\(path) is empty", exit: .badInput)
        case .unknownFileKind(let path):
            Complaint("unknown-file", "\(path) is neither network specs as JSON nor metadata", exit: .badInput)
        case .badSpecsFile(let path, let detail): Complaint("bad-specs-file", "\(path) is not a specs file: \(detail)", exit: .badInput)
        case .networkNeeded(let path):
            Complaint("network-needed", "no known network has the runtime of \(path)", hint: "import \(path) --network NAME", exit: .usage)
        case .otherRuntimeName(let network, let expected, let found):
            Complaint("other-runtime", "\(network) runs \(expected), and this metadata is of \(found)", exit: .refused)
        case .otherPrefix(let network, let expected, let found):
            Complaint("other-prefix", "\(network) has SS58 prefix \(expected), and this metadata has \(found)", exit: .refused)
        case .noTypes: Complaint("no-types", "no types are known", hint: "import FILE", exit: .refused)
        case .unknownScheme(let text): Complaint("unknown-scheme", "\(text) is no signature scheme", exit: .usage)
        case .signatureOptionsIncomplete:
            Complaint(
                "signature-options", "a signature is --sufficient alone, or --key-hex, --signature-hex and --scheme together", exit: .usage)
        case .updateSignatureWrong(let key):
            Complaint(
                "signature-wrong", "the signature of \(key.scheme.name) key \(Hex.encode(key.bytes)) is not over this update",
                exit: .badInput)
        case .keyLength(let count, let scheme):
            Complaint("key-length", "a public key of \(scheme.name) has \(scheme.publicKeyLength) bytes, not \(count)", exit: .badInput)
        case .badFieldValue(let field, let value): Complaint("bad-value", "\(value) does not fit the field \(field)", exit: .usage)
        case .unknownField(let field): Complaint("unknown-field", "network specs have no field \(field) that can be set", exit: .usage)
        case .badAddress(let text): Complaint("bad-address", "\(text) is not an address", exit: .badInput)
        }
    }

    // MARK: Libraries

    private static func store(_ error: HotStoreError) -> Complaint {
        switch error {
        case .notAStore: Complaint("not-a-database", "the file is not a hot database of this program", exit: .badInput)
        case .inputOutput(let number):
            Complaint("database-io", "the hot database cannot be opened: \(errorText(number))", exit: .inputOutput)
        case .sqlite(let error): Complaint("database", "the hot database failed with SQLite code \(error.code)", exit: .inputOutput)
        case .unreadable(let table): Complaint("database-damaged", "a row of \(table) in the hot database cannot be read", exit: .badInput)
        case .unknownNetwork(let name): Complaint("unknown-network", "no network is called \(name)", hint: "show networks", exit: .refused)
        case .unknownMetadata(let network, let version):
            Complaint("unknown-metadata", "no metadata of \(network) \(version) is known", hint: "show metadata \(network)", exit: .refused)
        case .noMetadata(let network, let format):
            Complaint(
                "no-metadata", "no metadata\(format.map { " V\($0)" } ?? "") of \(network) is known",
                hint: "import FILE --network \(network)", exit: .refused)
        case .silentChange(let network, let version, let known, let found):
            Complaint(
                "silent-change",
                "metadata of \(network) \(version) changed without a new version: \(origin(known)) it was \(known.hash.hex), "
                    + "\(origin(found)) it is \(found.hash.hex)", exit: .refused)
        case .otherGenesis(let network, let known, let found):
            Complaint("other-genesis", "\(network) has genesis hash \(known.hex), and this is \(found.hex)", exit: .refused)
        case .alreadyNamed(let name): Complaint("already-named", "this chain is known as \(name)", exit: .refused)
        case .immutableField(let network, let field):
            Complaint("immutable-field", "the \(field) of \(network) never changes", exit: .refused)
        }
    }

    private static func origin(_ origin: MetadataOrigin) -> String { origin.blockHash.map { "at block \($0.hex)" } ?? "in a file" }

    private static func signature(_ error: UpdateSignature.Failure) -> Complaint {
        switch error {
        case .unknownScheme(let byte): Complaint("unknown-scheme", "the signature begins with \(byte), which is no scheme", exit: .badInput)
        case .wrongSignatureLength(let count, let expected):
            Complaint("signature-length", "the signature has \(count) bytes, not \(expected)", exit: .badInput)
        case .scale(let error): Complaint("bad-signature", "the signature cannot be read: \(scale(error.code))", exit: .badInput)
        }
    }

    private static func metadata(_ error: MetadataError) -> Complaint {
        switch error.code {
        case .notMetadata: Complaint("not-metadata", "this is not metadata", exit: .badInput)
        case .unsupportedVersion(let version):
            Complaint("metadata-version", "metadata version \(version) is not supported", exit: .badInput)
        default: Complaint("bad-metadata", "this metadata cannot be used: \(error.code) at \(error.place)", exit: .badInput)
        }
    }

    private static func code(_ error: QRCode.Failure) -> Complaint {
        switch error {
        case .empty: Complaint("empty-payload", "there are no bytes to draw", exit: .badInput)
        case .tooLong(let bytes, let capacity):
            Complaint("too-long", "\(bytes) bytes do not fit one QR code, which holds \(capacity)", hint: "--legacy", exit: .badInput)
        case .library(let number): Complaint("qr", "no QR code could be drawn: \(errorText(number))", exit: .inputOutput)
        }
    }

    private static func frames(_ error: LegacyFrames.Failure) -> Complaint {
        switch error {
        case .emptyPayload: Complaint("empty-payload", "there are no bytes to draw", exit: .badInput)
        case .tooManyFrames(let count): Complaint("too-many-frames", "\(count) frames are more than can be numbered", exit: .badInput)
        }
    }

    private static func raptorQ(_ error: RaptorQFrames.Failure) -> Complaint {
        switch error {
        case .payloadTooLong(let count): Complaint("too-long", "\(count) bytes are more than frames can announce", exit: .badInput)
        case .raptorQ(.payloadLengthOutOfRange): Complaint("empty-payload", "there are no bytes to draw", exit: .badInput)
        case .raptorQ(let error): Complaint("raptorq", "these frames cannot be made: \(error)", exit: .badInput)
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

    private static func scale(_ code: SCALEError.Code) -> String {
        switch code {
        case .truncated(let needed, let available): "\(needed) bytes are needed and \(available) are left"
        case .leftover(let count): "\(count) bytes are left over"
        case .compactNotShortest: "a compact number is not in its shortest form"
        case .compactTooWide(let bits): "a compact number has more than \(bits) bits"
        case .invalidDiscriminant(let byte): "\(byte) is no valid choice here"
        case .invalidUTF8: "text is not UTF-8"
        case .countExceedsInput(let count, let available): "\(count) items are announced and \(available) bytes are left"
        }
    }
}
