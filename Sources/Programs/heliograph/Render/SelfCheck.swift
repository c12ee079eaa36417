/// One thing that the self-test looked at.
struct SelfCheck: Encodable {
    let name: String
    let passed: Bool
}
