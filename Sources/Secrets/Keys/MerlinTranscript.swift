/// A Merlin transcript: a running hash of everything a proof depends on, from which challenges and nonces are
/// drawn.
///
/// Source: merlin.cool, "transcript protocol" and "transcript-based RNGs".
struct MerlinTranscript: ~Copyable {
    private var strobe: Strobe128

    init(label: StaticString) {
        strobe = Strobe128(protocolLabel: "Merlin v1.0")
        append("dom-sep", text: label)
    }

    private init(strobe: consuming Strobe128) {
        self.strobe = strobe
    }

    borrowing func copy() -> MerlinTranscript { MerlinTranscript(strobe: strobe.copy()) }

    mutating func append(_ label: StaticString, _ message: UnsafeRawBufferPointer) {
        strobe.metaAssociate(label, length: message.count)
        strobe.associate(message)
    }

    mutating func append(_ label: StaticString, _ message: [UInt8]) {
        message.withUnsafeBytes { append(label, $0) }
    }

    mutating func append(_ label: StaticString, text: StaticString) {
        append(label, UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    mutating func challenge(_ label: StaticString, into out: UnsafeMutableRawBufferPointer) {
        strobe.metaAssociate(label, length: out.count)
        strobe.generate(into: out)
    }

    /// Bytes bound to the transcript, to a secret and to 32 bytes of randomness; the transcript itself does
    /// not change.
    borrowing func witness(
        _ label: StaticString, secret: UnsafeRawBufferPointer, randomness: UnsafeRawBufferPointer,
        into out: UnsafeMutableRawBufferPointer
    ) {
        var fork = strobe.copy()
        fork.metaAssociate(label, length: secret.count)
        fork.key(secret)
        fork.metaAssociate("rng")
        fork.key(randomness)
        withUnsafeBytes(of: UInt32(out.count).littleEndian) { fork.metaAssociate($0) }
        fork.generate(into: out)
    }
}
