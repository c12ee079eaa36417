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
    /// Wipes nonces without an open offer: an act ended between keeping them and writing their row, or they
    /// could not be wiped when their offer was dropped. It runs before anything else in a session. If the
    /// folder is unreachable, its nonces cannot be used either.
    func sweepNonces() {
        guard let open = try? store.trust().state.groupOffers.map(\.request),
            let held = try? device.nonces.requests(of: vault.id)
        else {
            return
        }
        for request in held where !open.contains(request) { try? device.nonces.wipe(request, of: vault.id) }
    }
}
