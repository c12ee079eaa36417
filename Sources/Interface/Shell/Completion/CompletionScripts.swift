/// The scripts with which each shell completes the words of both offline programs.
///
/// A script hands the line to `heliograph complete` and takes its candidates as text, without evaluating
/// them. It runs the program on PATH if there is one, so that Tab never runs another program that a line
/// happens to name.
enum CompletionScripts {
    static func text(_ shell: CompletionShell) -> String {
        switch shell {
        case .bash: bash
        case .zsh: zsh
        case .fish: fish
        }
    }

    private static let scannerOptions = "--frames-out --events --expand --decoder --watch --patience"

    private static let bash = #"""
        # bash completion for heliograph and heliograph-scanner

        _heliograph() {
            local program answer IFS=$'\n'
            program=$(type -P heliograph) || program=$1
            mapfile -t answer < <("$program" complete bash "${COMP_LINE:0:COMP_POINT}" "$2" 2>/dev/null </dev/null)
            COMPREPLY=("${answer[@]:1}")
            case ${answer[0]} in
            files) if [[ $2 == @* ]]; then _heliograph_at_file "${2:1}"; else compopt -o default; fi ;;
            directories) compopt -o dirnames ;;
            esac
        }

        # readline takes no file from a word that begins with @
        _heliograph_at_file() {
            local path
            while IFS= read -r path; do
                printf -v path %q "$path"
                COMPREPLY+=("@$path")
            done < <(compgen -f -- "$1")
        }

        _heliograph_scanner() {
            local word=$2 candidate
            COMPREPLY=()
            case $3 in
            --decoder) set -- auto zbar zxing ;;
            --watch) compopt -o dirnames; return ;;
            --patience) return ;;
            *) [[ $word == -* ]] || { compopt -o default; return; }
               set -- \#(scannerOptions) ;;
            esac
            for candidate; do [[ $candidate == "$word"* ]] && COMPREPLY+=("$candidate"); done
        }

        complete -F _heliograph heliograph
        complete -F _heliograph_scanner heliograph-scanner
        """#

    private static let zsh = #"""
        #compdef heliograph heliograph-scanner
        # zsh completion for heliograph and heliograph-scanner

        _heliograph_words() {
            local -a answer names shown labels replacing
            local line program=${commands[heliograph]:-${(Q)words[1]}} tab=$'\t'
            answer=("${(@f)$("$program" complete zsh "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null </dev/null)}")
            for line in "${(@)answer[2,-1]}"; do
                [[ -n $line ]] || continue
                if [[ ${line%%$tab*} == "${(Q)PREFIX}"* ]]; then
                    names+=("${line%%$tab*}")
                    shown+=("${line/$tab/  }")
                else
                    replacing+=("${line%%$tab*}")
                    labels+=("${line/$tab/  }")
                fi
            done
            (( $#names )) && compadd -l -d shown -a names
            (( $#replacing )) && compadd -U -l -d labels -a replacing
            case $answer[1] in
            files) compset -P '--*=' || compset -P '@'; _files ;;
            directories) compset -P '--*='; _files -/ ;;
            esac
            return 0
        }

        _heliograph_scanner() {
            case $words[CURRENT-1] in
            --decoder) compadd auto zbar zxing ;;
            --watch) _files -/ ;;
            --patience) ;;
            *) if [[ $PREFIX == -* ]]; then compadd -- \#(scannerOptions); else _files; fi ;;
            esac
        }

        if [[ $service == heliograph-scanner ]]; then _heliograph_scanner "$@"; else _heliograph_words "$@"; fi
        """#

    private static let fish = #"""
        # fish completion for heliograph and heliograph-scanner

        function __heliograph_complete
            set -l words (commandline -opc)
            set -l token (commandline -ct)
            set -e words[1]
            set -l answer (command heliograph complete fish $words $token 2>/dev/null </dev/null)
            set -l kind $answer[1]
            set -e answer[1]
            test (count $answer) -gt 0; and printf '%s\n' $answer
            switch "$kind"
                case files directories
                    set -l head (string match -r -- '^(?:--[^=]*=|@)' $token)
                    set -l path (string sub -s (math 1 + (string length -- "$head")) -- $token)
                    if test "$kind" = files
                        set paths (__fish_complete_path $path)
                    else
                        set paths (__fish_complete_directories $path '')
                    end
                    test (count $paths) -gt 0; and printf '%s\n' "$head"$paths
            end
        end

        complete -c heliograph -f -a '(__heliograph_complete)'
        complete -c heliograph-scanner -l frames-out -d 'Write each code as bytes after its length'
        complete -c heliograph-scanner -l events -d 'Report progress as events'
        complete -c heliograph-scanner -l expand -d 'Expand a compressed update from standard input'
        complete -c heliograph-scanner -l decoder -x -a 'auto zbar zxing' -d 'Read pictures with this library'
        complete -c heliograph-scanner -l watch -x -a '(__fish_complete_directories)' -d 'Read pictures that appear in this directory'
        complete -c heliograph-scanner -l patience -x -d 'Seconds that a pipe may be silent'
        """#
}
