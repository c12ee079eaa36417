"""Parses the words of `tools/dev` and loads the module of the subcommand."""
import argparse
import importlib

from .common import Missing

# Name → module and summary, or a group: a summary and its own names. Only the chosen module is imported: some need packages from PyPI.
COMMANDS = {
    "check": ("check", "Run everything that CI runs"),
    "needs": ("needs", "Say what this machine lacks for the checks"),
    "lock": ("lock", "Compare the versions and hashes of dependencies with tools/lock"),
    "lint": ("lint", "Lint the Python of tools/"),
    "laws": ("laws", "Check the rules of the design that a compiler does not check"),
    "report": ("laws.reports", "Report file cycles, unused and undocumented symbols"),
    "docs": ("docs", "Build the documentation of each library, without a warning"),
    "capture": ("capture", "Draw the review that the README shows as SVG"),
    "closed-enums": ("closed_enums", "Check that no closed enum takes a new case"),
    "sessions": ("sessions", "Run the readable command-line sessions of Tests/Sessions"),
    "guides": ("guides", "Run the commands of the guides and compare their screens"),
    "completions": ("completions", "Press Tab in real shells"),
    "formats": ("formats", "Read a vault and payloads by the manual's description of their formats"),
    "panes": ("panes", "Run the terminal panes of Tests/Panes"),
    "terminal-codes": ("terminal_codes", "Read the QR codes that terminals show with independent programs"),
    "sockets": ("sockets", "Try to open sockets from inside the shipped programs"),
    "camera": ("camera", "Drive the programs with a stand-in camera"),
    "calls": ("calls", "Trace the system calls that the sessions make after the lock-down"),
    "shield-walk": ("shield_walk", "Walk a vault through a device that goes online and offline"),
    "faults": ("faults", "Let the disk fail at every step of every operation"),
    "secrets": ("secret_search", "Search memory, files and outputs for secrets"),
    "two-readings": ("two_readings", "Search for payloads whose cards have a second reading"),
    "frames": ("animation_frames", "Read the QR codes of the published animation for RaptorQTests"),
    "hot-laws": ("hot_laws", "Check heliograph-hot against a stand-in node and pictures"),
    "peers-hot": ("peers_hot", "Check heliograph-hot against independent programs"),
    "real-data": ("real_data", "Run the main job on published pictures"),
    "stand-in-node": ("stand_in_node", "Serve a test node on loopback"),
    "fuzz": ("fuzz", "Fuzz everything that takes bytes from outside"),
    "sanitize": ("sanitize", "Run the C of RaptorQ under the address and undefined-behaviour sanitizers"),
    "mutants": ("mutants.run", "Count how many faults in the code that decides trust the checks notice"),
    "aarch64": ("aarch64", "Compare the NEON code of RaptorQ with portable C under an emulator"),
    "verify-release": ("verify_release", "Compare heliograph verify-release with minisign and sha256sum"),
    "manual": ("manual", "Write or check the manual pages"),
    "release": ("release.command", "Make Debian packages, archives, an SBOM and checksums of this commit"),
    "appliance": ("appliance.command", "Build and test the stick that starts Heliograph without a network"),
    "practice": ("practice", "Make a network to practise on, and a transaction for it"),
    "fixtures": ("fixture_network", "Write what the fixture network publishes into a folder"),
    "bench": ("Print speed and memory beside the peers", {
        "main": ("bench.main", "Measure the whole job on published pictures"),
        "camera": ("bench.camera", "Measure reading a stand-in camera"),
        "decode": ("bench.decode", "Measure bytes to cards"),
        "history": ("bench.history", "Measure the history of signatures at growing lengths"),
        "hot": ("bench.hot", "Measure heliograph-hot"),
        "keys": ("bench.keys", "Measure signing, verifying and deriving"),
        "live": ("bench.live", "Measure reading a camera's video as it is shown"),
        "log": ("bench.log", "Measure the store at growing lengths of its log"),
        "optics": ("bench.optics", "Count which degraded pictures each reader reads"),
        "proofs": ("bench.proofs", "Print the sizes of metadata proofs on real metadata"),
        "raptorq": ("bench.raptorq", "Measure RaptorQ beside the Rust crate"),
        "sign": ("bench.sign", "Measure heliograph-hot sign and what a hostile node costs it"),
        "start": ("bench.start", "Measure what every command pays before its own work"),
        "threshold": ("bench.threshold", "Measure the steps of threshold groups"),
    }),
    "conformance": ("Compare random cases with independent programs", {
        "decode": ("conformance.decode", "Compare decoded calls with scalecodec and bt-decode"),
        "keys": ("conformance.keys", "Compare keys and signatures in both directions"),
        "signing": ("conformance.signing", "Verify what the program signs around 256 bytes"),
        "threshold": ("conformance.threshold", "Verify signatures of random threshold groups"),
        "raptorq": ("conformance.raptorq", "Transfer random payloads to and from PyPI raptorq"),
    }),
    "freeze": ("Freeze the answers of independent programs under fixtures/", {
        "check": ("freeze.check", "Freeze everything again and compare it with fixtures/"),
        "fixture-runtime": ("freeze.fixture_runtime", "Freeze what scalecodec reads in the fixture runtime"),
        "decode": ("freeze.decode", "Freeze calls of the fixture runtime and their leaves"),
        "derived": ("freeze.derived", "Freeze transfers for keys that a root and a path name"),
        "keys": ("freeze.keys", "Freeze keys, signatures, shares and vault files"),
        "passphrases": ("freeze.passphrases", "Freeze the estimates and the words of PyPI zxcvbn"),
        "raptorq": ("freeze.raptorq", "Freeze the packets of PyPI raptorq"),
        "rfc78": ("freeze.rfc78", "Freeze metadata digests and proofs of the fixture runtime"),
        "threshold": ("freeze.threshold", "Freeze the vectors of threshold signing"),
        "updates": ("freeze.updates", "Freeze update payloads that one verifier signed"),
    }),
}


def add_commands(parser, commands, words):
    """Adds every subcommand; the one that `words` begin with gets its options."""
    choices = parser.add_subparsers(metavar="COMMAND", required=True)
    for name, (first, second) in commands.items():
        chosen = words[:1] == [name]
        if isinstance(second, dict):
            command = choices.add_parser(name, help=first, description=f"{first}.")
            add_commands(command, second, words[1:] if chosen else [])
            continue
        command = choices.add_parser(name, help=second, formatter_class=argparse.RawDescriptionHelpFormatter)
        if chosen:
            module = importlib.import_module(f"devtools.{first}")
            command.description = module.__doc__
            command.set_defaults(run=module.run)
            module.configure(command)


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
