/// Lines, filled rectangles and text on pages of A4.
///
/// Lengths are points, 1/72 inch, from the upper left corner.
struct PDFPage {
    static let width = 595
    static let height = 842

    private(set) var content = ""

    /// Of a line, in tenths of a point.
    enum Width: Int {
        case hair = 3
        case thin = 6
        case thick = 14
    }

    mutating func line(_ x1: Int, _ y1: Int, _ x2: Int, _ y2: Int, _ width: Width = .thin) {
        content += "\(width.rawValue / 10).\(width.rawValue % 10) w "
        content += "\(x1) \(Self.height - y1) m \(x2) \(Self.height - y2) l S\n"
    }

    mutating func fill(_ x: Int, _ y: Int, _ width: Int, _ height: Int) {
        content += "\(x) \(Self.height - y - height) \(width) \(height) re f\n"
    }

    /// - Parameters:
    ///   - y: of the base line.
    ///   - text: printable ASCII: the two fonts need no encoding for it.
    mutating func text(_ x: Int, _ y: Int, _ text: String, size: Int = 10, bold: Bool = false) {
        precondition(text.utf8.allSatisfy { (0x20...0x7e).contains($0) }, "a form has printable ASCII")
        let special = Array("\\()".utf8)
        let escaped = String(
            decoding: text.utf8.flatMap { special.contains($0) ? [special[0], $0] : [$0] }, as: UTF8.self)
        content += "BT /\(bold ? "B" : "R") \(size) Tf \(x) \(Self.height - y) Td (\(escaped)) Tj ET\n"
    }
}

/// A PDF file of pages, with the two fonts that every reader has.
///
/// It has no date, no name and no random identifier: the same pages are always the same bytes.
/// Source: ISO 32000-1, 7.5.
enum PDFDocument {
    static func bytes(_ pages: [PDFPage]) -> [UInt8] {
        // Objects 1 to 4 are the catalog, the list of pages and the fonts; each page has two more.
        let first = 5
        var objects = [
            "<< /Type /Catalog /Pages 2 0 R >>",
            """
            << /Type /Pages /Kids [\(pages.indices.map { "\(first + 2 * $0) 0 R" }.joined(separator: " "))] \
            /Count \(pages.count) >>
            """,
            "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
            "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold >>",
        ]
        for (index, page) in pages.enumerated() {
            objects.append(
                """
                << /Type /Page /Parent 2 0 R /MediaBox [0 0 \(PDFPage.width) \(PDFPage.height)] \
                /Resources << /Font << /R 3 0 R /B 4 0 R >> >> /Contents \(first + 2 * index + 1) 0 R >>
                """)
            objects.append("<< /Length \(page.content.utf8.count) >>\nstream\n\(page.content)endstream")
        }
        var file = "%PDF-1.4\n"
        var offsets: [Int] = []
        for (index, object) in objects.enumerated() {
            offsets.append(file.utf8.count)
            file += "\(index + 1) 0 obj\n\(object)\nendobj\n"
        }
        let table = file.utf8.count
        // Each entry has 20 bytes.
        file += "xref\n0 \(objects.count + 1)\n0000000000 65535 f \n"
        for offset in offsets {
            let digits = String(offset)
            file += String(repeating: "0", count: 10 - digits.utf8.count) + digits + " 00000 n \n"
        }
        file += "trailer\n<< /Size \(objects.count + 1) /Root 1 0 R >>\nstartxref\n\(table)\n%%EOF\n"
        return Array(file.utf8)
    }
}
