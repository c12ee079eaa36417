import Hashing
import SubstratePrimitives

/// The SHA-256 that a server's certificate or public key must have, in addition to a certificate that a
/// trusted authority signed.
public struct ServerPin: Sendable, Hashable, CustomStringConvertible {
    public enum Subject: String, Sendable, CaseIterable {
        /// The certificate in DER: it changes with each renewal.
        case certificate
        /// Its public key as SubjectPublicKeyInfo in DER, like the pins of RFC 7469: it may outlive the
        /// certificate.
        case key
    }

    public let subject: Subject
    public let hash: Hash32

    public init(_ subject: Subject, _ hash: Hash32) {
        self.subject = subject
        self.hash = hash
    }

    /// From `certificate:HEX` or `key:HEX`, with or without `0x` or the colons between bytes that openssl
    /// prints; nil for anything else.
    public init?(_ text: String) {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")),
            let subject = Subject(rawValue: String(text[..<colon]))
        else {
            return nil
        }
        let digits = text.utf8[text.utf8.index(after: colon)...].filter { $0 != UInt8(ascii: ":") }
        guard let hash = Hash32(hex: String(decoding: digits, as: UTF8.self)) else { return nil }
        self.init(subject, hash)
    }

    public var description: String { "\(subject.rawValue):0x\(hash.hex)" }
}

/// What a server's certificate is: both of its fingerprints.
public struct ServerIdentity: Sendable, Equatable {
    public let certificate: Hash32
    public let key: Hash32

    public init(certificate: Hash32, key: Hash32) {
        self.certificate = certificate
        self.key = key
    }

    /// The pin that this server fulfils.
    public func pin(_ subject: ServerPin.Subject) -> ServerPin {
        switch subject {
        case .certificate: ServerPin(.certificate, certificate)
        case .key: ServerPin(.key, key)
        }
    }
}
