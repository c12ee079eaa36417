import Keys
import QRCode

/// Empty forms for seeds, to be filled in by hand: nothing of a vault is in them.
package enum SeedSheet {
    /// The file, the same bytes each time.
    package static func pdf() -> [UInt8] { PDFDocument.bytes(pages) }

    private static let left = 50
    private static let right = PDFPage.width - 50
    private static let bottom = PDFPage.height - 45

    /// The pages in their order.
    static let pages: [PDFPage] =
        [words()]
        + [
            qr(1, "a CompactSeedQR of 12 words"),
            qr(2, "a SeedQR of 12, 15 or 18 words, or a CompactSeedQR of 24 words"),
            qr(3, "a SeedQR of 21 or 24 words"),
        ] + [share(), recoveryKey()]

    /// Title, fields to fill in, and what the page is for.
    /// - Returns: where the form itself starts.
    private static func head(_ page: inout PDFPage, _ title: String, fields: [String], _ lines: [String])
        -> Int
    {
        page.text(left, 62, title, size: 18, bold: true)
        var y = 82
        for line in lines {
            page.text(left, y, line, size: 9)
            y += 13
        }
        y += 14
        let width = (right - left + 20) / fields.count
        for (index, field) in fields.enumerated() {
            let x = left + index * width
            page.text(x, y, field, size: 9)
            page.line(x, y + 22, x + width - 20, y + 22)
        }
        return y + 48
    }

    private static func foot(_ page: inout PDFPage, _ line: String) {
        page.line(left, bottom - 12, right, bottom - 12, .hair)
        page.text(left, bottom, line, size: 9)
    }

    /// Numbered lines, in columns from top to bottom.
    private static func numbered(_ page: inout PDFPage, from y: Int, count: Int, columns: Int, step: Int) {
        let rows = (count + columns - 1) / columns
        let width = (right - left + 24) / columns
        for index in 0..<count {
            let x = left + index / rows * width
            let base = y + 18 + index % rows * step
            page.text(index < 9 ? x + 6 : x, base, "\(index + 1)", size: 11, bold: true)
            page.line(x + 20, base + 3, x + width - 24, base + 3)
        }
    }

    private static func words() -> PDFPage {
        var page = PDFPage()
        let y = head(
            &page, "Recovery phrase",
            fields: ["Name of the seed", "Words (12 to 24)", "Date", "Last checked"],
            [
                "Whoever has these words has the keys. Write them by hand, in capital letters, and never photograph them.",
                "The same form takes a part of Seed XOR: then write which part it is, of how many.",
            ])
        numbered(&page, from: y, count: 24, columns: 2, step: 41)
        let end = y + 18 + 12 * 41
        page.text(left, end, "First address, to compare after a restore", size: 9)
        page.line(left, end + 26, right, end + 26)
        foot(&page, "heliograph seed check NAME compares what stands here with the seed.")
        return page
    }

    private static func qr(_ version: Int, _ what: String) -> PDFPage {
        let form = CopyForm(version: version)
        var page = PDFPage()
        let y = head(
            &page, "\(form.side) x \(form.side) modules",
            fields: ["Name of the seed", "Date", "Last checked"],
            [
                "For: \(what). Whoever sees the code has the keys.",
                "Fill in the dark modules that heliograph seed backup NAME shows, zone by zone.",
                "What every code of this size has is printed already.",
            ])
        let module = 440 / form.side
        let (x, top) = ((PDFPage.width - module * form.side) / 2, y + 14)
        let end = module * form.side
        for row in 0..<form.side {
            for column in 0..<form.side where form.isDark(row: row, column: column) {
                page.fill(x + column * module, top + row * module, module, module)
            }
        }
        for index in 0...form.side {
            let isZone = index.isMultiple(of: form.zoneSide) || index == form.side
            let offset = index * module
            page.line(x + offset, top, x + offset, top + end, isZone ? .thick : .hair)
            page.line(x, top + offset, x + end, top + offset, isZone ? .thick : .hair)
        }
        for (zone, start) in stride(from: 0, to: form.side, by: form.zoneSide).enumerated() {
            let middle = (start + min(start + form.zoneSide, form.side)) * module / 2
            let name = CopyGrid.name(row: zone, column: zone).utf8.split(separator: UInt8(ascii: "-"))
                .map { String(decoding: $0, as: UTF8.self) }
            page.text(x - 18, top + middle + 4, name[0], size: 11, bold: true)
            page.text(x + middle - 3, top - 6, name[1], size: 11, bold: true)
        }
        foot(
            &page,
            "heliograph seed check NAME --scan PICTURE compares a photo with the seed. Delete the photo.")
        return page
    }

    private static func share() -> PDFPage {
        var page = PDFPage()
        let y = head(
            &page, "SLIP-39 share",
            fields: ["Name of the seed", "Share, of how many", "Needed", "Group", "Date"],
            [
                "One sheet for each share: 20 words, or 33. Keep each share in another place.",
                "Several shares restore the seed; one alone says nothing about it. A passphrase is kept apart.",
            ])
        numbered(&page, from: y, count: SLIP39Share.words.upperBound, columns: 3, step: 46)
        foot(&page, "heliograph seed check NAME --slip39 compares the shares with the seed.")
        return page
    }

    private static func recoveryKey() -> PDFPage {
        var page = PDFPage()
        let y = head(
            &page, "Recovery key or passphrase of a vault",
            fields: ["Directory or machine", "Date", "Last tried"],
            [
                "What opens the vault when the usual way is lost. It opens backups of the same time, too.",
                "Keep it apart from the machine, from its backups and from the words of the seeds.",
            ])
        numbered(&page, from: y, count: 24, columns: 2, step: 41)
        foot(&page, "heliograph vault slots says what opens the vault.")
        return page
    }
}
