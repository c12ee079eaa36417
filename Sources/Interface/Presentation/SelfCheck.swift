/// One thing that the self-test looked at.
package struct SelfCheck: Encodable {
    let name: String
    package let passed: Bool

    package init(name: String, passed: Bool) {
        (self.name, self.passed) = (name, passed)
    }
}
