import Accounts
import AirGap
import Ceremony
import CommandKit
import Diagnostics
import Extrinsics
import GroupCollect
import GroupReview
import History
import Keys
import Metadata
import QRCode
import RaptorQ
import ReleaseCheck
import Review
import SCALE
import Sandbox
import ScanProtocol
import ScannerClient
import StateProof
import SubstratePrimitives
import TerminalIO
import Threshold
import TrustStore
import TrustUpdates
import UOS
import Vault

/// Every error that this program can end with, made from the examples that the error types state.
enum ErrorTable {
    /// Every error type that the program and its libraries have.
    static let types: [any DiagnosticError.Type] = [
        CommandError.self, ReadingLimit.self, CeremonyError.self, LookupError.self, KeyRefusal.self,
        SCALEError.self, SS58Address.Failure.self, Era.Failure.self, AssetUnits.Failure.self,
        StrictJSON.Failure.self,
        RaptorQError.self, QRCode.Failure.self, PictureFailure.self, TransportError.self, PayloadError.self,
        StateFailure.self, GuardFailure.self, StateProofError.self,
        GroupCollectError.self,
        PathListText.Failure.self,
        MetadataError.self, MetadataProofError.self, ValueError.self, ExtrinsicError.self,
        TransactionPolicy.Violation.self,
        TransactionPolicy.Fault.self,
        MnemonicError.self, UnstoredError.self, DerivationPathError.self, HDPathError.self,
        KeystoreError.self, KeyError.self,
        EthereumAddress.Failure.self,
        SeedQR.Failure.self,
        DiceRolls.Failure.self, SeedEntropyError.self, BananaSplitError.self, SLIP39Error.self,
        SeedXORError.self,
        ThresholdError.self, GuardedError.self, HardwareError.self, VaultError.self,
        StoreError.self,
        SandboxError.self, PictureProblem.self, CameraProblem.self, InputRefusal.self, ExpansionProblem.self,
        ScanEventError.self,
        ScannerClientError.self,
        ShieldPolicy.Failure.self, ReviewError.self, CardGap.self, LogReadingError.self, VaultTimeError.self,
        UpdateRefusal.self,
        VerifierPolicy.Refusal.self,
        TrustSetup.Failure.self,
        Attestation.Failure.self, DerivationRefusal.self, ContactRefusal.self, GroupRefusal.self,
        GroupSigningRefusal.self, NonceError.self, RotationRefusal.self,
        ReleaseError.self,
    ]

    struct Row: Encodable, Hashable {
        let code: String
        let exit: Int32
        let sentence: String

        init(_ diagnostic: Diagnostic) {
            code = diagnostic.code.rawValue
            exit = diagnostic.exit.rawValue
            sentence = diagnostic.message
        }
    }

    /// Sorted by code, then by sentence; each line once.
    static var rows: [Row] {
        let own: [Diagnostic] = [
            .badInput("internal", "unexpected failure"),
            .usage("usage", "the command line is not understood"),
        ]
        return Set(own.map(Row.init) + types.flatMap { rows(of: $0) }).sorted {
            ($0.code, $0.sentence) < ($1.code, $1.sentence)
        }
    }

    static func rows<E: DiagnosticError>(of type: E.Type) -> [Row] {
        E.examples.map { Row($0.diagnostic) }
    }
}
