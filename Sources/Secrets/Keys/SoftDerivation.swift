import SubstratePrimitives

extension PublicKey {
    /// The key at the end of a path of soft junctions below an sr25519 key, computed without any secret.
    ///
    /// nil for other schemes, for a path with a hard junction and for bytes that are no point.
    public func derivingSoft(_ path: DerivationPath) -> PublicKey? {
        guard scheme == .sr25519 else { return nil }
        var point = bytes
        for junction in path.junctions {
            guard !junction.isHard, let child = Sr25519.deriveSoft(publicKey: point, chainCode: junction.chainCode) else { return nil }
            point = child
        }
        return PublicKey(scheme: .sr25519, bytes: point)
    }
}
