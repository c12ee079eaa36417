import Testing

@testable import QRCode

@Suite struct CopyFormTests {
    /// Of the larger sizes a form is never drawn; the rule holds for all with one alignment pattern.
    @Test(arguments: 1...6) func `a form prints what is dark in every code of its size, and no more`(
        version: Int
    ) throws {
        let form = CopyForm(version: version)
        var common: [Bool]?
        for level in QRCode.ErrorCorrection.allCases {
            for number in 0..<24 {
                let bytes = (0...(number % 6)).map { UInt8(truncatingIfNeeded: number &* 71 &+ $0 &* 29) }
                let code = try QRCode(bytes: bytes, errorCorrection: level, minimumVersion: version)
                guard code.version == version else { continue }
                #expect(code.side == form.side)
                common = common.map { zip($0, code.modules).map { $0 && $1 } } ?? code.modules
            }
        }
        let modules = try #require(common)
        for row in 0..<form.side {
            for column in 0..<form.side where form.isDark(row: row, column: column) {
                #expect(modules[row * form.side + column], "module \(column), \(row)")
            }
        }
        // Padding repeats, so that a few modules of data are the same in these codes, too.
        let printed = modules.indices.count {
            form.isDark(row: $0 / form.side, column: $0 % form.side)
        }
        #expect(printed > 80 && printed <= modules.count { $0 })
    }
}
