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

/// Every sentence that a person reads stands in this folder, by area. Libraries throw facts; nothing else words them.
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
            Complaint("not-held", "this vault does not hold \(attested(error))", exit: .refused)
        case let error as ScannerClientError: scanner(error)
        case let error as SandboxError:
            Complaint(
                "sandbox", "the program cannot close itself in (\(error.step.rawValue)): \(errorText(error.errno))", exit: .notPermitted)
        case let error as QRCode.Failure: Complaint("qr", "no QR code can be made: \(code(error))", exit: .inputOutput)
        case let error as PictureFailure: Complaint("picture", "the picture cannot be drawn: \(picture(error))", exit: .inputOutput)
        default: Complaint("internal", "unexpected failure: \(error)", exit: .badInput)
        }
    }

    static func errorText(_ number: Int32) -> String { String(cString: strerror(number)) }
}
