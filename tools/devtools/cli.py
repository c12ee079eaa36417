"""Parses the words of `tools/dev` and loads the module of the subcommand."""
import argparse
import importlib
import pathlib
import re

from .common import Missing


def named(names, package=""):
    """Name → module, where both are the same word."""
    return {name: package + name.replace("-", "_") for name in names.split()}


# Name → module, or a group: its own names. Only the chosen module is imported: some need packages from PyPI.
COMMANDS = {
    **named("check needs lock lint laws docs closed-enums sessions guides completions formats sheets panes terminal-codes"),
    **named("sockets camera calls shield-walk faults"),
    "secrets": "secret_search", "hardware": "hardware", "frames": "animation_frames",
    **named("weak-random raw-random two-readings hot-laws peers-hot real-data state-layouts stand-in-node fuzz sanitize aarch64 verify-release manual aloud"),
    "mutants": "mutants.run", "release": "release.command", "appliance": "appliance.command", "sysroot": "arm64.sysroot", "arm64": "arm64.command",
    "bench": named("main decode history log start", "bench."),
    "conformance": named("decode guarded keys reproducible threshold raptorq tries", "conformance."),
    "golden": named("check fixture-runtime decode derived guarded keys nonces passphrases phrases raptorq rfc78 shares state threshold tries updates wallets "
                    "wordlists", "golden."),
}


def summary(module):
    """The first sentence of a module, without its period."""
    path = pathlib.Path(__file__).parent / module.replace(".", "/")
    text = (path / "__init__.py" if path.is_dir() else path.with_suffix(".py")).read_text()
    return " ".join(re.match(r'"""(.*?)[.:;]?(?:\s*"""|(?<=[.:;])\s)', text, re.S)[1].split()).replace("%", "%%")


def add_commands(parser, commands, words):
    """Adds every subcommand; the one that `words` begin with gets its options."""
    choices = parser.add_subparsers(metavar="COMMAND", required=True)
    for name, module in commands.items():
        chosen = words[:1] == [name]
        command = choices.add_parser(name, help=summary(name if isinstance(module, dict) else module), formatter_class=argparse.RawDescriptionHelpFormatter)
        if isinstance(module, dict):
            add_commands(command, module, words[1:] if chosen else [])
        elif chosen:
            loaded = importlib.import_module(f"devtools.{module}")
            command.description = loaded.__doc__
            command.set_defaults(run=loaded.run)
            getattr(loaded, "configure", lambda _: None)(command)


def main(words):
    """Runs one subcommand and returns its exit code."""
    parser = argparse.ArgumentParser(prog="tools/dev", description="What measures and proves Heliograph.")
    add_commands(parser, COMMANDS, words)
    options = parser.parse_args(words)
    try:
        return options.run(options)
    except Missing as missing:
        print(f"missing: {missing}")
        return 1
    except FileNotFoundError as lacking:
        if not re.match(r"heliograph|\w+-peer", pathlib.Path(str(lacking.filename)).name):
            raise
        print(f"missing: {lacking.filename}: build it first, as .github/CONTRIBUTING.md says")
        return 1
