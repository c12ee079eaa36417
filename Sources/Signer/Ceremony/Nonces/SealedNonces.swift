import Keys
import SubstratePrimitives
import TrustStore
import Vault

/// The nonces of one request, as they wait in memory: encrypted under a key of the vault, bound to the
/// request, the vault and this start of the machine.
enum SealedNonces {
    private static let context = "heliograph group nonces"

    private static func associated(_ request: Hash32, _ session: Session) -> [UInt8] {
        session.vault.id + request.bytes + session.device.boot().id
    }

    static func seal(_ nonces: borrowing SecretBytes, for request: Hash32, _ session: Session) -> [UInt8] {
        session.vault.sealed(secret: nonces, context: context, bindingTo: associated(request, session))
    }

    static func open(_ box: [UInt8], for request: Hash32, _ session: Session) -> SecretBytes? {
        session.vault.opened(secret: box, context: context, bindingTo: associated(request, session))
    }
}

extension Session {
    /// Wipes what waits for no open offer: an act that ended between the nonces and their row, or an offer
    /// whose nonces could not be wiped when it was dropped. It comes before anything else that a session
    /// does. Where the folder is out of reach, nothing there can be used either.
    func sweepNonces() {
        guard let open = try? store.trust().state.groupOffers.map(\.request),
            let held = try? device.nonces.requests(of: vault.id)
        else {
            return
        }
        for request in held where !open.contains(request) { try? device.nonces.wipe(request, of: vault.id) }
    }
}
