import Foundation
import HotStore
import SubstratePrimitives
import Testing

@testable import heliograph_hot

/// What stands on the page of a portal; `tools/dev hot-laws` opens it in a browser.
@Suite struct PortalPageLaws {
    @Test(arguments: ["\u{301}", "\u{338}", "\u{20dd}", "\u{fe0f}", "\u{200d}", "\u{e0101}", "\u{1f3fb}", ""])
    func `a character of HTML is escaped whatever follows it`(mark: String) {
        for (character, escaped) in [
            ("\"", "&quot;"), ("'", "&#39;"), ("<", "&lt;"), (">", "&gt;"), ("&", "&amp;"),
        ] {
            #expect(PortalPage.markup("a\(character)\(mark)b").utf8.elementsEqual("a\(escaped)\(mark)b".utf8))
            let shown = PortalPage.escape("a\(character)\(mark)b")
            #expect(shown.hasPrefix("a\(escaped)") && shown.utf8.allSatisfy { $0 < 0x80 })
        }
    }

    @Test func `a page of another site is not replaced, and one of a portal is`() throws {
        let desk = try Desk()
        let site = desk.folder.appendingPathComponent("site")
        try FileManager.default.createDirectory(at: site, withIntermediateDirectories: true)
        for other in ["<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<title>Mine</title>\n", "x"] {
            try desk.write(other, "site/index.html")
            let outcome = try desk.run("portal", "site")
            #expect(
                outcome.status == 74
                    && outcome.diagnostic
                        == "the result is not written to site/index.html: it is no page of a portal",
                "\(outcome)")
            #expect(try desk.read("site/index.html") == Array(other.utf8))
            #expect(try FileManager.default.contentsOfDirectory(atPath: site.path) == ["index.html"])
        }
        try FileManager.default.removeItem(at: site.appendingPathComponent("index.html"))
        for title in ["First", "Second"] {
            #expect(try desk.run("portal", "site", "--title", title).status == 0)
            let page = String(decoding: try desk.read("site/index.html"), as: UTF8.self)
            #expect(page.contains("<h1>\(title)</h1>"))
        }
    }

    @Test(arguments: [
        "#112233\u{301}", "#\u{ff11}\u{ff12}\u{ff13}\u{ff14}\u{ff15}\u{ff16}", "red", "#123", "#1122334",
        "112233", "#11223g", "#11 223",
        "#0x1122", "#0x112233", "",
    ])
    func `a color that is no color has no class`(text: String) {
        #expect(NetworkSpecs.colorDigits(text) == nil)
    }

    @Test func `a color is a class of the sheet and no attribute of style`() {
        let hash = GenesisHash([UInt8](repeating: 1, count: 32))!
        func page(_ color: String) -> String {
            let specs = NetworkSpecs(
                name: "a", title: "A", base58Prefix: 1, decimals: 1, unit: "A", genesisHash: hash,
                color: color)
            return PortalPage(title: "t", date: "d", networks: [.init(name: "a", specs: specs, figures: [])])
                .html
        }
        #expect(
            page("#AABBCC").contains("class=\"caabbcc\"")
                && page("#AABBCC").contains("section.caabbcc { border-left-color: #aabbcc; }"))
        #expect(
            !page("#AABBC\" onload=\"x").contains("class=") && !page("#AABBC\" onload=\"x").contains("onload")
        )
        for color in ["#AABBCC", "url(x)"] {
            #expect(
                !page(color).contains("style=\"") && !page(color).contains("unsafe")
                    && !page(color).contains("*;"))
        }
    }
}
