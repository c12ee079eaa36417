import Hashing

/// The messages of `fixtures/threshold/groups.json`, which a prototype in Python made.
public enum GroupVectors {
    public struct Group: Decodable, Sendable {
        public struct Contribution: Decodable, Sendable {
            public let index: Int
            public let message: String
        }
        public struct Signing: Decodable, Sendable {
            public struct Participant: Decodable, Sendable {
                public let commitment_message: String?
                public let share_message: String
            }
            public let name: String
            public let signers: [Int]
            public let path: String
            public let account: String
            public let inner_payload: String
            public let request_nonce: String
            public let request: String
            public let request_id: String
            public let participants: [String: Participant]
            public let partial_package_with_request: String?
            public let package: String
            public let package_with_request: String
            public let package_hash: String
            public let answer: String

            /// Every message b6 to b9, by what it is.
            public var messages: [String] {
                [request, package, package_with_request] + (partial_package_with_request.map { [$0] } ?? [])
                    + participants.values.flatMap {
                        [$0.commitment_message, $0.share_message].compactMap { $0 }
                    }
            }
        }
        public let scheme: String
        public let t: Int
        public let n: Int
        public let kind: String
        public let host_mini_secrets: [String]
        public let host_public_keys: [String]
        public let host_cards: [String]
        public let proposal: String
        public let session_id: String
        public let contributions: [Contribution]
        public let contributions_bundle: String
        public let contributions_hash: String
        public let commitments: [String]
        public let transcript: String
        public let group_key: String
        public let confirmations: [String]
        public let record: String
        public let signing: [Signing]

        /// Every message b0 to b9.
        public var messages: [String] {
            host_cards + [proposal] + contributions.map(\.message) + [contributions_bundle] + confirmations
                + [record]
                + signing.flatMap(\.messages)
        }
    }
    public static let groups: [Group] = try! Checkout.json("fixtures/threshold/groups.json")
    /// The first of ``groups`` after its key was reshared.
    public static let reshared: [Group] = try! Checkout.json("fixtures/threshold/reshared.json")
    /// ``groups``, and then ``reshared``.
    public static let all = groups + reshared

    public static func bytes(_ hex: String) -> [UInt8] { Hex.decode(hex)! }
}
