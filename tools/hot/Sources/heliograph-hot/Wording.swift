import Compression
import Diagnostics
import Extrinsics
import GroupCollect
import Keys
import Metadata
import QRCode
import SCALE
import ScanProtocol
import ScannerClient
import StateProof
import SubstratePrimitives
import UOS

/// The one way from an error to its lines.
enum Wording {
    static func diagnostic(_ error: any Error) -> Diagnostic {
        guard let error = error as? any DiagnosticError else { return unexpected }
        let own = error.diagnostic
        return Diagnostic(own.code, own.message, hint: hint(error), exit: own.exit)
    }

    /// For a failure that no part of the program expects. Its description is not printed: it may hold type
    /// names and paths of the build.
    static let unexpected: Diagnostic = .badInput("internal", "unexpected failure")

    /// The hint of the error's row. If a shared library's hint names a command of the offline device, this
    /// program's own command replaces it, or the hint is dropped.
    private static func hint(_ error: any DiagnosticError) -> String? {
        switch error {
        case let error as MetadataError: error.reason == .typesNeeded ? "heliograph-hot import FILE" : nil
        case QRCode.Failure.tooLong: "--legacy"
        case ScannerClientError.cannotStart: "--scanner PATH"
        case GroupCollectError.unknownMember: "name a member as the group record does"
        case let error as StateProofError: hint(error)
        case PayloadError.foreign(let code): hint(code)
        case PathListText.Failure.password: PathListText.Failure.oneOnEachLine
        case is SCALEError, is MetadataProofError, is ValueError, is ExtrinsicError, is SS58Address.Failure,
            is EthereumAddress.Failure, is Era.Failure, is AssetUnits.Failure, is StrictJSON.Failure,
            is TransactionPolicy.Fault, is TransportError, is ExpansionProblem, is PayloadError,
            is DerivationPathError,
            is ScannerClientError:
            nil
        default: error.hint
        }
    }

    /// What helps where a picture of something else was taken for an answer. A secret that this machine has
    /// read is no secret any more: whoever controls an online machine may have it.
    private static func hint(_ code: ForeignCode) -> String? {
        switch code {
        case .seed, .phrase, .secretKey:
            "this machine is online: take the words or the key for stolen, and move the funds to a new seed"
        case .share: "this machine is online: keep shares away from it, and split the seed again"
        case .keystore:
            "this machine is online: take the keystore for stolen; only its password protects it now"
        case .hexKey: "this machine is online: a key that was secret is not secret any more"
        case .answer, .address, .link, .walletConnect, .bitcoin, .bitcoinAddress, .text: nil
        }
    }

    /// What helps where a node's proof is made or checked.
    private static func hint(_ error: StateProofError) -> String? {
        switch error {
        case .header, .headerHash, .nodeHash, .nodeMissing, .leftover, .node, .missing:
            "--url URL of another node"
        case .runtime: "the runtime is being upgraded: wait a block, then make the transaction again"
        case .migration, .immortal: error.hint
        case .limit, .phase, .noCheckpoint, .foreign, .migrationUnknown, .layout, .noLayout, .layoutsDiffer,
            .network, .hop:
            "leave out --state"
        }
    }
}
