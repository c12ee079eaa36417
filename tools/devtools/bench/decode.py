"""Whole programs, `heliograph inspect --json`: of small payloads that ask for much work or much text, beside the goals for them, and of the largest real
inputs, beside the limits of reading. Processor time is the minimum of several runs, memory the largest.
"""
import json
import pathlib
import subprocess
import tempfile

from ..common import WESTEND, Programs, bin_option, built, compact, shared_data

# Of the published transaction with a proof.
SPECS = {"base58prefix": 42, "color": "#660D35", "decimals": 12, "encryption": "sr25519", "logo": "westend",
           "genesis_hash": WESTEND, "name": "westend", "path_id": "//westend",
           "secondary_color": "#262626", "title": "Westend", "unit": "WND"}


def hostile(heliograph, peer, folder):
    """Payloads whose types repeat themselves; each is refused (65) or shown (0)."""
    subprocess.run([peer, "hostile", folder], check=True)
    program, rows = Programs(), []
    for file in sorted(folder.glob("*.hex")):
        words = ["inspect", "--json", "--hex", f"@{file}", "--specs", folder / "specs.json", "--vault", folder / "none"]
        middle, _, peak = program(heliograph, *words, expected=(0, 65))
        rows.append((program.processor, middle, peak, file.stat().st_size // 2, file.stem.replace("-", " ")))
    print("inspect --json of hostile payloads, whole program; goals 100 ms of processor time, 50 MB")
    for processor, middle, peak, size, name in sorted(rows, reverse=True):
        over = "   over the goal" if processor > 100 or peak > 50 else ""
        print(f"  {name:52} {size:7} bytes {processor:8.1f} ms ({middle:.1f} by the clock) {peak:5.0f} MB{over}")


def largest(heliograph, data, folder):
    """The largest inputs, beside the limits that end the program."""
    told = json.loads(subprocess.run([heliograph, "self-test", "--json"], capture_output=True, text=True, check=True).stdout)
    limits = told["reading_limits"]
    print(f"inspect --json of the largest inputs, whole program; limits {limits['processor_seconds']} s of processor time, {limits['memory_bytes'] >> 20} MiB")
    proof = bytes.fromhex((data / "transactions/westend-transfer-with-proof.hex").read_text().strip())
    program = Programs()

    def report(name, *words):
        middle, _, peak = program(heliograph, *words, expected=(0, 65))
        print(f"  {name:52} {program.processor:8.1f} ms ({middle:.1f} by the clock) {peak:5.0f} MB")

    def inspect(name, payload, *words):
        (folder / "payload.hex").write_text(payload.hex())
        report(name, "inspect", "--json", "--hex", f"@{folder}/payload.hex", *words, "--vault", folder / "none")

    specs = folder / "westend.json"
    specs.write_text(json.dumps(SPECS))
    inspect("a transfer with a proof", proof, "--specs", specs)
    for count in (100, 1000):
        inner = compact(len(proof) - 1) + proof[1:]
        inspect(f"a bulk of {count} of them", b"\x53\xff\x04\0" + compact(count) + inner * count, "--specs", specs)
    inspect("64 MiB of hex that is no payload", bytes(32 << 20))
    for path in sorted((data / "metadata").glob("*.scale")):
        report(f"util metadata of {path.name}", "util", "metadata", "--json", path)


configure = bin_option


def run(options):
    heliograph = built("heliograph", options.bin)
    with tempfile.TemporaryDirectory() as folder:
        hostile(heliograph, built("decode-peer", options.bin), pathlib.Path(folder))
        if shared_data().is_dir():
            largest(heliograph, shared_data(), pathlib.Path(folder))
        else:
            print("skipped: no shared data")
