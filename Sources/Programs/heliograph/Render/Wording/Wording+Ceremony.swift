import Ceremony
import Diagnostics

extension Wording {
    static func ceremony(_ error: CeremonyError) -> Diagnostic {
        switch error {
        case .declined, .changedSinceShown: Diagnostic(error, exit: .refused)
        case .approveNeedsPolicy: Diagnostic(error, hint: "heliograph help policy", exit: .notPermitted)
        case .approveNeedsDevelopmentVault, .wordNeedsDevelopmentVault: Diagnostic(error, exit: .notPermitted)
        case .keyOnTwoNetworks:
            Diagnostic(error, hint: "heliograph key derive SEED PATH --network NAME gives the network a key of its own", exit: .refused)
        case .online: Diagnostic(error, hint: "disconnect it, then heliograph shield acknowledge", exit: .notPermitted)
        case .onlineAtStart:
            Diagnostic(
                error, hint: "disconnect it, or heliograph init --allow-online for a vault to try things out with", exit: .notPermitted)
        case .unacknowledged: Diagnostic(error, hint: "heliograph shield acknowledge", exit: .notPermitted)
        case .keyFileNeeded: Diagnostic(error, hint: "--key-fd 5 5<FILE", exit: .notPermitted)
        }
    }
}
