"""Whole programs, `heliograph inspect --json`: of small payloads that ask for much work or much text, beside the goals for them, and of the largest real
inputs, beside the limits of reading. Processor time is the minimum of several runs, memory the largest.
"""
import json
import pathlib
import subprocess
import tempfile

from ..common import FIXTURES, WESTEND, Programs, bin_option, built, compact, shared_data

# Bytes of a transfer without and with its metadata proof.
TRANSACTIONS = 200, 3700
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


def states(heliograph, peer, bench, folder):
    """Laws 7 and 53 of the state proofs: what a check and a review with one cost, and hostile ones of the largest size, each refused (1, 65) or shown (0)."""
    rows = json.loads(subprocess.run([bench, "state-measure", "1"], capture_output=True, text=True, check=True).stdout)
    print("state proofs of a chain of 1.7 million accounts, in one process; goals: 82 nodes checked in 5 ms, a review at most 10 ms longer")
    for row in rows:
        longer = row["proven"] - row["plain"]
        over = "   over the goal" if row["verify"] > 0.005 or longer > 0.01 else ""
        print(f"  {row['accounts']:2} accounts {row['nodes']:4} nodes {row['bytes']:6} bytes: read {1000 * row['decode']:6.2f} ms, "
              f"checked {1000 * row['verify']:6.2f} ms ({row['bytes'] / row['verify'] / 1e6:.1f} MB/s), "
              f"review {1000 * row['plain']:6.2f} ms and {1000 * longer:6.2f} ms more{over}")
    around = rows[0]["beside"] - rows[0]["bytes"]
    sizes = [(f"{row['accounts']} accounts", row["beside"]) for row in rows]
    vectors = json.loads((FIXTURES / "state/vectors.json").read_text())
    # Header, item and lengths are those of the first row.
    sizes += [(f"real: {proof['name']}", sum(len(node) // 2 for node in proof["nodes"]) + around) for proof in vectors["others_proofs"]]
    wanted = [str(size + transaction) for _, size in sizes for transaction in TRANSACTIONS]
    codes = json.loads(subprocess.run([bench, "state-codes", *wanted], capture_output=True, text=True, check=True).stdout)
    print(f"codes of a state proof beside a transaction of {' and '.join(map(str, TRANSACTIONS))} bytes")
    for place, (name, size) in enumerate(sizes):
        print(f"  {name:40} {size:6} bytes {codes[2 * place]:4} {codes[2 * place + 1]:4} codes")
    subprocess.run([peer, "hostile-states", folder], check=True)
    program = Programs()
    print("inspect --json of hostile state proofs, whole program; goals 100 ms of processor time, 50 MB")
    for file in sorted(folder.glob("*.hex")):
        words = ["inspect", "--json", "--hex", f"@{file}", "--specs", folder / "specs.json", "--vault", folder / "none"]
        middle, _, peak = program(heliograph, *words, expected=(0, 1, 65))
        told = json.loads(subprocess.run([heliograph, *map(str, words)], capture_output=True, text=True).stdout).get("error") or {}
        over = "   over the goal" if program.processor > 100 or peak > 50 else ""
        print(f"  {file.stem.replace('-', ' '):36} {file.stat().st_size // 2:7} bytes {program.processor:8.1f} ms ({middle:.1f} by the clock) {peak:5.0f} MB  "
              f"{told.get('code', 'shown')}{over}")


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
        with tempfile.TemporaryDirectory() as other:
            states(heliograph, built("decode-peer", options.bin), built("heliograph-bench", options.bin), pathlib.Path(other))
        if shared_data().is_dir():
            largest(heliograph, shared_data(), pathlib.Path(folder))
        else:
            print("skipped: no shared data")
