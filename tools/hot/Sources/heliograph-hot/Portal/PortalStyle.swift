/// The style of the portal page: readable on a phone, in light and dark mode, with codes always dark on
/// white.
enum PortalStyle {
    /// The sheet, with a class for each color.
    /// - Parameter colors: six hex digits in lower case, as `NetworkSpecs.colorDigits` gives them.
    static func css(colors: [String]) -> String {
        let classes = Set(colors).sorted().map {
            "section.\(name(ofColor: $0)) { border-left-color: #\($0); }"
        }
        return ([css] + classes).joined(separator: "\n")
    }

    static func name(ofColor color: String) -> String { "c\(color)" }

    private static let css = """
        :root { --quiet: #595959; color-scheme: light dark; }
        @media (prefers-color-scheme: dark) { :root { --quiet: #b0b0b0; } }
        body { font: 1rem/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 50rem; overflow-wrap: anywhere; padding: 1rem; }
        h1 { font-size: 1.6rem; margin: 0.5rem 0; }
        h2 { font-size: 1.3rem; margin: 0 0 0.5rem; }
        nav a { display: inline-block; padding: 0.5rem 0.75rem 0.5rem 0; }
        section { border-left: 0.4rem solid #888; margin: 1.5rem 0; padding: 0.25rem 0 0.25rem 1rem; }
        dl { display: grid; grid-template-columns: minmax(6rem, auto) 1fr; gap: 0.1rem 1rem; margin: 0.5rem 0; }
        dt { color: var(--quiet); }
        dd { margin: 0; min-width: 0; }
        details { margin: 0.5rem 0; }
        summary { cursor: pointer; font-weight: 600; padding: 0.6rem 0; }
        summary span { font-weight: 400; }
        summary strong { border: 0.15rem solid; padding: 0 0.4rem; white-space: nowrap; }
        img { background: #fff; box-sizing: border-box; display: block; height: auto; margin: 0.5rem 0; max-width: 100%; min-width: min(100%, 20rem); }
        @media (min-resolution: 2dppx) { img { image-rendering: pixelated; } }
        @media (max-width: 30rem) { section { padding-left: 0.6rem; } dl { display: block; } dd { margin-bottom: 0.3rem; } }
        footer { color: var(--quiet); font-size: 0.9rem; }
        """
}
