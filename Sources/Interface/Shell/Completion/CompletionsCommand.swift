import ArgumentParser
import CommandKit

/// `completions`: the script that a shell loads.
package struct CompletionsCommand: Command {
    package static let configuration = CommandConfiguration(
        commandName: "completions",
        abstract: "Print the completions of heliograph and heliograph-scanner for a shell.",
        discussion: """
            They complete commands, options, files, and the names in the vault: seeds, networks, addresses \
            and labels of keys. Names are read \
            without the passphrase. A label completes to its address where a command takes addresses only \
            (not in fish, which shows it \
            beside the address).

            bash, with the package bash-completion:
              mkdir -p ~/.local/share/bash-completion/completions
              cd ~/.local/share/bash-completion/completions
              heliograph completions bash > heliograph
              ln -s heliograph heliograph-scanner
            bash, without it:
              heliograph completions bash >> ~/.bashrc

            zsh, in a directory of $fpath, before compinit runs in ~/.zshrc:
              mkdir -p ~/.zfunc
              heliograph completions zsh > ~/.zfunc/_heliograph
              fpath=(~/.zfunc $fpath); autoload -Uz compinit; compinit    (in ~/.zshrc)

            fish:
              heliograph completions fish > ~/.config/fish/completions/heliograph.fish
              ln -s heliograph.fish ~/.config/fish/completions/heliograph-scanner.fish

            For all users: /usr/share/bash-completion/completions/heliograph, \
            /usr/share/zsh/site-functions/_heliograph (on Debian \
            /usr/share/zsh/vendor-completions/_heliograph), /usr/share/fish/vendor_completions.d/heliograph.fish.
            """)

    @Argument(help: "The shell.")
    var shell: CompletionShell

    package init() {}

    package func execute(_ context: CommandContext) throws {
        context.console.print(CompletionScripts.text(shell))
    }
}
