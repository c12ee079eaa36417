import Hashing
import HotStore
import Lines
import SubstratePrimitives

/// The page of a portal: every network with its updates, in one HTML file without scripts.
///
/// Names on it are a chain's and a node's own. Two things keep them text: every one is escaped by its
/// scalars, and the page's policy lets the browser run nothing, load nothing but the pictures beside the
/// page, and take style from the one sheet whose hash it names.
struct PortalPage {
    /// A picture with the facts to compare before and after the scan.
    struct Figure {
        let title: String
        /// The picture's file name, beside the page.
        let file: String
        /// Bytes of the payload.
        let bytes: Int
        /// QR codes in the picture; several are animated.
        let codes: Int
        /// nil for an unsigned update.
        let signer: Signer?
        let facts: [(name: String, value: String)]
    }

    /// Who signed an update. The publisher chose the label, so the key is always shown beside it.
    struct Signer {
        let key: PublicKey
        let label: String?

        /// HTML for the list, with enough of the key to find it. The whole key, for comparing, is beside the
        /// picture.
        fileprivate var mark: String {
            let hex = Hex.encode(key.bytes)
            let name = label.map { PortalPage.escape($0) + ", " } ?? ""
            return "<span>signed by \(name)\(key.scheme.name) 0x\(hex.prefix(8))…\(hex.suffix(8))</span>"
        }

        fileprivate var text: String {
            (label.map { "\($0), " } ?? "") + "\(key.scheme.name) 0x\(Hex.encode(key.bytes))"
        }
    }

    struct Network {
        let name: String
        let specs: NetworkSpecs
        let figures: [Figure]
    }

    let title: String
    /// UTC.
    let date: String
    let networks: [Network]

    var html: String {
        let style = PortalStyle.css(colors: networks.map(\.specs.color).compactMap(NetworkSpecs.colorDigits))
        return """
            \(Self.start)\(Self.hash(of: style))'; base-uri 'none'; form-action 'none'">
            <meta name="referrer" content="no-referrer">
            <title>\(Self.escape(title))</title>
            <style>\(style)</style>
            </head>
            <body>
            <header>
            <h1>\(Self.escape(title))</h1>
            <p>Open one picture and scan it with the offline signer. Compare the verifier and the hash with what the signer shows.</p>
            <nav>\(networks.map { "<a href=\"#\(Self.escape($0.name))\">\(Self.escape($0.specs.title))</a>" }.joined(separator: " "))</nav>
            </header>
            <main>
            \(networks.map(section).joined(separator: "\n"))
            </main>
            <footer><p>Made at \(Self.escape(date))</p></footer>
            </body>
            </html>

            """
    }

    private func section(_ network: Network) -> String {
        let specs = network.specs
        let facts = [
            ("Name", specs.name), ("SS58 prefix", "\(specs.base58Prefix)"),
            ("Token", "\(specs.unit), \(specs.decimals) decimals"),
            ("Keys", specs.scheme.name), ("Default path", specs.pathID),
            ("Genesis hash", "0x\(specs.genesisHash.hex)"),
        ]
        return """
            <section id="\(Self.escape(network.name))"\(Self.accent(specs.color))>
            <h2>\(Self.escape(specs.title))</h2>
            \(Self.list(facts))
            \(network.figures.map(figure).joined(separator: "\n"))
            </section>
            """
    }

    /// The shared name makes the browser keep only one picture open, so that a camera never sees two codes.
    private func figure(_ figure: Figure) -> String {
        let verifier = figure.signer?.text ?? "none: this update is unsigned"
        let codes = figure.codes == 1 ? "1 QR code" : "\(figure.codes) QR codes, animated"
        let facts = figure.facts + [("Verifier", verifier), ("Payload", "\(figure.bytes) bytes, \(codes)")]
        return """
            <details name="picture">
            <summary>\(Self.escape(figure.title)) \(Self.mark(figure.signer))</summary>
            \(Self.list(facts))
            <img src="\(Self.escape(figure.file))" alt="QR code: \(Self.escape(figure.title))" loading="lazy">
            </details>
            """
    }

    /// Who signed, on the line that opens the picture: a person decides before the picture is shown.
    private static func mark(_ signer: Signer?) -> String {
        signer?.mark ?? "<strong>unsigned</strong>"
    }

    private static func list(_ facts: [(String, String)]) -> String {
        "<dl>\n" + facts.map { "<dt>\(escape($0.0))</dt><dd>\(escape($0.1))</dd>" }.joined(separator: "\n")
            + "\n</dl>"
    }

    /// The network's color as the border of its section, by a class of the sheet; anything but `#RRGGBB` is
    /// ignored.
    private static func accent(_ color: String) -> String {
        NetworkSpecs.colorDigits(color).map { " class=\"\(PortalStyle.name(ofColor: $0))\"" } ?? ""
    }

    /// How every page starts, up to the hash of its sheet: no other program writes this.
    ///
    /// `img-src 'self'` does not reach pictures beside a page that is opened as a file, because such a page
    /// has no origin: `file:` names them there.
    private static let start = """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src 'self' file:; \
        style-src 'sha256-
        """

    /// Whether a file is a page of a portal, which a newer one may replace.
    static func isPage(_ content: [UInt8]) -> Bool { content.starts(with: start.utf8) }

    private static func hash(of style: String) -> String { Base64.encode(SHA256.hash(Array(style.utf8))) }

    /// Text for HTML and attributes, with control characters, combining marks and direction overrides made
    /// visible.
    static func escape(_ text: String) -> String { markup(Escape.terminal(text)) }

    /// Escapes the characters that have a meaning in HTML.
    ///
    /// It works on scalars: a quote with a combining mark is one `Character` and differs from a quote, but a
    /// browser still sees the quote.
    static func markup(_ text: String) -> String {
        var safe = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": safe.append(contentsOf: "&amp;".unicodeScalars)
            case "<": safe.append(contentsOf: "&lt;".unicodeScalars)
            case ">": safe.append(contentsOf: "&gt;".unicodeScalars)
            case "\"": safe.append(contentsOf: "&quot;".unicodeScalars)
            case "'": safe.append(contentsOf: "&#39;".unicodeScalars)
            default: safe.append(scalar)
            }
        }
        return String(safe)
    }
}
