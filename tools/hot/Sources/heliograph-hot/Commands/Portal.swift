import ArgumentParser
import Glibc
import HotStore
import SubstratePrimitives
import UOS

struct Portal: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write a static web page with all current updates.",
        discussion:
            """
            An update that was made with a signature is published with it. Name its signer with verifier \
            label.
            """
    )
    @Argument(help: "The directory of the page, created if needed.") var directory: String
    @Option(help: "The heading of the page.") var title = "Network updates"
    @OptionGroup var picture: PictureOptions
    @OptionGroup var database: DatabaseOptions

    func run() throws {
        let path = "\(directory)/index.html"
        // Whoever names the directory of another site would lose its page.
        if Files.exists(path) {
            try Files.require(output: path)
            guard let page = try? Files.readOwn(path), PortalPage.isPage(page) else {
                throw HotError.outputRefused(path: path, .otherPage)
            }
        }
        let store = try database.open()
        // A picture under the heading of another network would be taken for that network's.
        try Files.requireDifferent(store.networks().map { "\(Files.name($0.name))_specs" })
        try Files.makeFolder(directory)
        var networks: [PortalPage.Network] = []
        let labels = Dictionary(uniqueKeysWithValues: try store.verifierLabels().map { ($0.key, $0.text) })
        for network in try store.networks() {
            let figures = try [specs(network, store, labels)] + metadata(network, store, labels)
            networks.append(PortalPage.Network(name: network.name, specs: network.specs, figures: figures))
        }
        let page = PortalPage(title: title, date: Clock.text(Int64(time(nil))), networks: networks)
        // The page is written last, after its pictures.
        try Files.write(Array(page.html.utf8), to: path)
        Console.note("\(path): \(networks.count) network\(networks.count == 1 ? "" : "s")")
    }

    private typealias Labels = [PublicKey: String]

    private func specs(_ network: HotNetwork, _ store: HotStore, _ labels: Labels) throws -> PortalPage.Figure
    {
        let update = try PublishedUpdate(.addSpecs(network.specs), store)
        return try draw(
            update, labels, "\(Files.name(network.name))_specs", title: "Network specs", facts: [])
    }

    /// Both forms: plain for every signer, compressed for Heliograph.
    private func metadata(_ network: HotNetwork, _ store: HotStore, _ labels: Labels) throws -> [PortalPage
        .Figure]
    {
        guard let metadata = try PublishedUpdate.metadata(of: network, store) else { return [] }
        let facts = [
            ("Version", "\(metadata.version) (metadata V\(metadata.format))"),
            ("BLAKE2b-256", "0x\(metadata.origin.hash.hex)"),
            ("Source", metadata.origin.blockHash.map { "block 0x\($0.hex)" } ?? "a file"),
            ("Date", Clock.text(metadata.added)),
        ]
        return try MetadataForm.allCases.map { form in
            let update = try PublishedUpdate(form.update(of: metadata, in: network), store)
            let title =
                "Metadata \(metadata.version)"
                + (form == .compressed ? ", compressed: for Heliograph only" : "")
            return try draw(
                update, labels, form.fileName(of: metadata, in: network), title: title, facts: facts)
        }
    }

    private func draw(
        _ update: PublishedUpdate, _ labels: Labels, _ name: String, title: String,
        facts: [(name: String, value: String)]
    ) throws -> PortalPage.Figure {
        let file = "\(name).\(picture.fitsOneCode(update.payload) ? "png" : "apng")"
        let codes = try picture.write(update.payload, to: "\(directory)/\(file)")
        let signer = update.verifier.map { PortalPage.Signer(key: $0, label: labels[$0]) }
        return PortalPage.Figure(
            title: title, file: file, bytes: update.payload.count, codes: codes, signer: signer, facts: facts)
    }
}
