import ArgumentParser
import CommandKit
import Presentation

/// `updates`, or `help updates`: the one page about who vouches for metadata, and when nobody has to.
struct UpdatesCommand: Command, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "updates", abstract: "Explain when metadata is needed, and the ways to get it.")

    @OptionGroup var output: OutputOptions

    var isAboutProgram: Bool { true }

    func execute(_ context: CommandContext) throws {
        guard !json else { return JSONText.print(["text": Self.text], context.console) }
        context.console.print(Self.text)
    }

    static let text = """
        Metadata says how the bytes of a transaction are read. A vault cannot see that
        metadata is wrong, so it takes it only from someone whom its owner chose. Most
        transactions need no metadata in the vault.

        NO UPDATE IS NEEDED
          for a transaction with a metadata proof: the chain refuses a transaction that
          was signed on a wrong reading, so nobody has to be believed. heliograph-hot make
          transaction adds the proof wherever the runtime checks it;
          for a message.

        METADATA IS NEEDED
          for a transaction without a proof, as many wallets send it: of exactly the
          version that the chain runs, so again after each upgrade;
          for a chain whose runtime checks no metadata hash: older runtimes, with
          metadata of version 12 to 14. Versions 12 and 13 also need types:
          heliograph-hot make load-types NETWORK.

        THE WAYS TO GET IT, by whom the vault believes

        1. A verifier that publishes pictures
          A new vault believes one key, which heliograph verifier show prints. Scan what
          it signed, such as the pictures at metadata.parity.io:
            heliograph scan PICTURE

        2. A verifier of your own
          A key in a second vault signs metadata that you have compared yourself.
          On the online machine:
            heliograph-hot fetch URL --name NETWORK
            heliograph-hot make load-metadata NETWORK --out unsigned.png
          In the verifier's vault, made by heliograph init --verifier none:
            heliograph scan unsigned.png
            heliograph attest metadata NETWORK --key ADDRESS --out attestation.png
          On the online machine:
            heliograph-hot make load-metadata NETWORK --sufficient attestation.png \\
                --out update.png
          In this vault, the first command only once:
            heliograph verifier set NETWORK --verifier SCHEME:HEX
            heliograph scan update.png
          A network that is not built in needs its specs first, in the same way:
          make add-specs, attest specs.

        3. Nobody
          The vault accepts unsigned updates of one network. Whoever controls the online
          machine then chooses how transactions without a proof are read.
            heliograph verifier set NETWORK --verifier none
            heliograph-hot make load-metadata NETWORK --out update.png   (online)
            heliograph scan update.png
          Both commands of the vault ask for a typed word that names what is believed.

        heliograph verifier set NETWORK --verifier general goes back to the verifier of
        the other networks. With another key, the network's metadata and asset list are
        removed. Types serve every network, so the general verifier signs them; only
        heliograph verifier reset changes that one, and removes all it signed.
        """
}
