import Testing

@testable import TerminalIO

/// Lines of lists in a window that has no room for all of them.
@Suite struct TableLineTests {
    private static let address = "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY"
    private static let line = TableLine(
        indent: 4,
        [
            .init(address), .init("//polkadot//0", rank: 1), .init("sr25519", rank: 5),
            .init("never used", rank: 4), .init("savings of the year", rank: 3),
            .init("also on 1 other network", rank: 2),
        ])

    @Test func `a line that fits stays as it is`() {
        #expect(Self.line.shortened(to: Self.line.text.utf8.count) == nil)
        #expect(Self.line.shortened(to: Self.line.text.utf8.count - 1) != nil)
    }

    @Test func `the address is whole, and the rest gives way by its rank`() {
        for columns in 52...Self.line.text.utf8.count - 1 {
            let text = Self.line.shortened(to: columns) ?? ""
            #expect(text.hasPrefix("    " + Self.address) && text.utf8.count <= columns, "\(columns)")
        }
        #expect(Self.line.shortened(to: 80) == "    \(Self.address)  //polkadot//0  also on...")
        #expect(Self.line.shortened(to: 60) == "    \(Self.address)")
        #expect(Self.line.shortened(to: 62) == "    \(Self.address)  //pol...")
        #expect(
            Self.line.shortened(to: 100)
                == "    \(Self.address)  //polkadot//0  also on 1 other network")
    }
}
