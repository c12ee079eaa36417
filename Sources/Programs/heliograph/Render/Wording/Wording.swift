import AirGap
import Ceremony
import Diagnostics
import Extrinsics
import Glibc
import Hashing
import Keys
import Metadata
import QRCode
import Review
import SCALE
import Sandbox
import ScanProtocol
import ScannerClient
import SubstratePrimitives
import Terminal
import TrustStore
import UOS
import Vault

extension Console {
    func complain(_ diagnostic: Diagnostic) { diagnostic.lines(program: "heliograph").forEach(note) }
}

/// Every sentence that a person reads stands in this folder, by area. Libraries throw facts; nothing else words them.
enum Wording {
    static func diagnostic(_ error: any Error) -> Diagnostic {
        switch error {
        case let error as CommandError: command(error)
        case let error as LookupError: lookup(error)
        case let error as KeyRefusal: keys(error)
        case let error as TransportError: transport(error)
        case let error as PayloadError: payload(error)
        case let error as SCALEError: Diagnostic("malformed", scale(error), exit: .badInput)
        case let error as ReviewError: review(error)
        case let error as UpdateRefusal: update(error)
        case let error as DerivationRefusal: derivation(error)
        case let error as ExtrinsicError: Diagnostic("transaction", extrinsic(error), exit: .badInput)
        case let error as MetadataProofError:
            Diagnostic("metadata-proof", "the metadata proof does not hold: \(proof(error))", exit: .badInput)
        case let error as MetadataError: Diagnostic("metadata", metadata(error), exit: .badInput)
        case let error as VaultError: vault(error)
        case let error as StoreError: store(error)
        case let error as CeremonyError: ceremony(error)
        case let error as ShieldPolicy.Failure: shield(error)
        case let error as TrustSetup.Failure: trust(error)
        case let error as AssetUnits.Failure:
            Diagnostic("malformed-asset-list", "the asset list is not one: \(assetList(error))", exit: .badInput)
        case let error as MnemonicError: Diagnostic("phrase", phrase(error), hint: "heliograph util words PREFIX", exit: .badInput)
        case let error as DerivationPathError: path(error)
        case let error as KeyError: key(error)
        case let error as SeedEntropyError: entropy(error)
        case let error as SeedQR.Failure: Diagnostic("seed-qr", seedQR(error), exit: .badInput)
        case let error as BananaSplitError: split(error)
        case let error as SS58Address.Failure: Diagnostic("address", address(error), exit: .badInput)
        case let error as Attestation.Failure:
            Diagnostic("not-held", "this vault does not hold \(attested(error))", exit: .refused)
        case let error as ScannerClientError: scanner(error)
        case let error as SandboxError:
            Diagnostic(
                "sandbox", "the program cannot close itself in (\(error.step.rawValue)): \(errorText(error.errno))", exit: .notPermitted)
        case let error as QRCode.Failure: Diagnostic("qr", "no QR code can be made: \(code(error))", exit: .inputOutput)
        case let error as PictureFailure: Diagnostic("picture", "the picture cannot be drawn: \(picture(error))", exit: .inputOutput)
        default: Diagnostic("internal", "unexpected failure: \(error)", exit: .badInput)
        }
    }

    static func errorText(_ number: Int32) -> String { String(cString: strerror(number)) }
}
