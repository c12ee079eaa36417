"""From bytes to cards: loading metadata, a transfer, a batch of 1,000 transfers, hostile calls; beside the peer that reads the version.

Then whole programs, `heliograph inspect --json` of small payloads that ask for much work or much text, beside the goals for them, and of the largest
real ones, beside the limits of reading.

Every row runs for about a second in one process; the median is printed, in milliseconds. The peers do not show cards: their rows are the
load of the registry, and the decode of the same bytes to plain values.
"""
import json
import os
import pathlib
import statistics
import subprocess
import tempfile
import time

from ..common import ROOT, Programs, build, compact, shared_data

PEER = os.environ.get("HELIOGRAPH_DECODE_PEER", ROOT / ".build/release/decode-peer")
BOB = "8eaf04151687736326c9fea17e25fc5287613693c912909cb226aa4794f26a48"


def median(body, seconds=1.0):
    times, start = [], time.perf_counter()
    while time.perf_counter() - start < seconds or len(times) < 3:
        began = time.perf_counter()
        body()
        times.append(time.perf_counter() - began)
    return statistics.median(times) * 1000


def scalecodec(path, calls):
    from scalecodec.base import RuntimeConfigurationObject, ScaleBytes
    from scalecodec.type_registry import load_type_registry_preset
    blob = open(path, "rb").read()

    def load():
        config = RuntimeConfigurationObject(ss58_format=0)
        config.update_type_registry(load_type_registry_preset("core"))
        metadata = config.create_scale_object("MetadataVersioned", data=ScaleBytes(blob))
        metadata.decode()
        config.add_portable_registry(metadata)
        return config, metadata

    config, metadata = load()
    rows = {"load": median(load)}
    for name, call in calls.items():
        rows[name] = median(lambda: config.create_scale_object("Call", data=ScaleBytes(call), metadata=metadata).decode())
    return rows


def bt(path, calls):
    import bt_decode
    blob = open(path, "rb").read()
    wrapped = b"\1" + compact(len(blob)) + blob
    def load():
        return bt_decode.PortableRegistry.from_metadata_v15(bt_decode.MetadataV15.decode_from_metadata_option(wrapped))
    metadata = bt_decode.MetadataV15.decode_from_metadata_option(wrapped)
    registry = load()
    outer = json.loads(metadata.to_json())["extrinsic"]["call_ty"]
    rows = {"load": median(load)}
    for name, call in calls.items():
        rows[name] = median(lambda: bt_decode.decode(f"scale_info::{outer}", registry, call))
    return rows


def ours(path, calls):
    arguments = []
    with tempfile.TemporaryDirectory() as folder:
        for name, call in calls.items():
            file = os.path.join(folder, name.replace(" ", "-"))
            open(file, "w").write(call.hex())
            arguments.append("@" + file)
        run = subprocess.run([PEER, "bench", path] + arguments, capture_output=True, text=True, check=True)
    answers = {line.split("\t")[0]: float(line.split("\t")[1]) for line in run.stdout.splitlines()}
    rows = {"load": answers["load"] / 1000}
    for place, name in enumerate(calls):
        rows[name] = answers[f"decode {place}"] / 1000
        rows["load + " + name] = answers[f"load and decode {place}"] / 1000
    rows["peak memory MB"] = answers["peak memory kB"] / 1024
    return rows


def alone(path, call):
    """One decode in a process of its own: what it said, its milliseconds of processor time, the peak memory of the process in MB."""
    with tempfile.NamedTemporaryFile("w") as file:
        file.write(call.hex())
        file.flush()
        run = subprocess.run([PEER, "once", path, file.name], capture_output=True, text=True, check=True)
    said, spent, memory = run.stdout.strip().split("\t")
    return said, float(spent), int(memory) / 1024


def hostile(binaries):
    """Milliseconds and peak memory of the whole program for payloads whose types repeat themselves; refused (65) or shown (0)."""
    program = Programs()
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([PEER, "hostile", folder], check=True)
        specs = os.path.join(folder, "specs.json")
        rows = []
        for file in sorted(pathlib.Path(folder).glob("*.hex")):
            middle, _, peak = program(
                os.path.join(binaries, "heliograph"), "inspect", "--json", "--hex", f"@{file}", "--specs", specs, "--vault",
                os.path.join(folder, "none"), expected=(0, 65))
            rows.append((program.processor, middle, peak, file.stat().st_size // 2, file.stem.replace("-", " ")))
    print("inspect --json of hostile payloads, whole program; goals 100 ms of processor time, 50 MB")
    for processor, middle, peak, size, name in sorted(rows, reverse=True):
        over = "   over the goal" if processor > 100 or peak > 50 else ""
        print(f"  {name:52} {size:7} bytes {processor:8.1f} ms ({middle:.1f} by the clock) {peak:5.0f} MB{over}")


def largest(binaries, data):
    """Processor time and peak memory of the whole program for the largest inputs, beside the limits that end it."""
    heliograph = os.path.join(binaries, "heliograph")
    told = json.loads(subprocess.run([heliograph, "self-test", "--json"], capture_output=True, text=True, check=True).stdout)
    limits = told["reading_limits"]
    print(f"inspect --json of the largest inputs, whole program; limits {limits['processor_seconds']} s of processor time, {limits['memory_bytes'] >> 20} MiB")
    proof = bytes.fromhex((data / "transactions/westend-transfer-with-proof.hex").read_text().strip())
    program = Programs()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)

        def inspect(name, text, *words, expected=(0, 65)):
            (folder / "payload.hex").write_text(text)
            report(name, heliograph, "inspect", "--json", "--hex", f"@{folder}/payload.hex", *words, "--vault", folder / "none", expected=expected)

        def report(name, *words, expected=(0,)):
            middle, _, peak = program(*words, expected=expected)
            print(f"  {name:52} {program.processor:8.1f} ms ({middle:.1f} by the clock) {peak:5.0f} MB")

        specs = folder / "westend.json"
        specs.write_text(json.dumps(WESTEND))
        inspect("a transfer with a proof", proof.hex(), "--specs", specs)
        for count in (100, 1000):
            inner = compact(len(proof) - 1) + proof[1:]
            inspect(f"a bulk of {count} of them", (b"\x53\xff\x04\0" + compact(count) + inner * count).hex(), "--specs", specs)
        inspect("64 MiB of hex that is no payload", "00" * (32 << 20))
        for path in sorted((data / "metadata").glob("*.scale")):
            report(f"util metadata of {path.name}", heliograph, "util", "metadata", "--json", path)


# Of the published transaction with a proof.
WESTEND = {"base58prefix": 42, "color": "#660D35", "decimals": 12, "encryption": "sr25519", "logo": "westend",
           "genesis_hash": "e143f23803ac50e8f6f8e62695d1ce9e4e1d68aa36c1cd2cfd15340213f3423e", "name": "westend", "path_id": "//westend",
           "secondary_color": "#262626", "title": "Westend", "unit": "WND"}


def configure(parser):
    """Takes the folders."""
    parser.add_argument("--data", default=shared_data(), help="folder of published metadata (default: %(default)s)")
    parser.add_argument("--bin", default=ROOT / ".build/release", help="folder of the built programs (default: %(default)s)")


def run(options):
    """Builds what is measured when it is the default, and prints every row."""
    if PEER == ROOT / ".build/release/decode-peer":
        build("decode-peer", "-c", "release")
    if options.bin == ROOT / ".build/release":
        build("heliograph", "-c", "release")
    data = pathlib.Path(options.data)
    files = [("polkadot-1002005-v14", scalecodec, "scalecodec", (5, 3), (26, 0)),
             ("polkadot-2000000-v15", bt, "bt-decode", (5, 3), (26, 0)),
             ("asset-hub-polkadot-2000000-v15", bt, "bt-decode", (10, 3), (40, 0))]
    for name, peer, title, transfer_at, batch_at in files:
        path = os.path.join(data, "metadata", name + ".scale")
        if not os.path.exists(path):
            print(f"skipped: no shared data ({name})")
            continue
        transfer = bytes(transfer_at) + b"\0" + bytes.fromhex(BOB) + compact(100_000_000)
        calls = {"transfer": transfer, "batch of 1,000": bytes(batch_at) + compact(1000) + transfer * 1000}
        mine, other = ours(path, calls), peer(path, calls)
        print(f"{name} ({os.path.getsize(path)} bytes), milliseconds")
        for row in mine:
            theirs = other.get(row)
            beside = f"{title} {theirs:.3f}   ratio {theirs / mine[row]:.2f}" if theirs else ""
            print(f"  {row:24} {mine[row]:10.3f}   {beside}")
        first = mine["load + transfer"]
        print(f"  metadata to first card {first:.3f}; the peer's load alone takes {other['load'] / first:.1f} times that")
    path = os.path.join(data, "metadata", "polkadot-2000000-v15.scale")
    if os.path.exists(path):
        batch = bytes((26, 0)) + compact(1)
        transfer = bytes((5, 3)) + b"\0" + bytes.fromhex(BOB) + compact(1)
        bombs = {"10,000 nested batches": batch * 10_000 + transfer,
                 "batch of 2^30 - 1 calls": bytes((26, 0)) + compact((1 << 30) - 1) + transfer,
                 "batch of 60,000 transfers": bytes((26, 0)) + compact(60_000) + transfer * 60_000,
                 "batch of 7,000 transfers": bytes((26, 0)) + compact(7_000) + transfer * 7_000}
        for name, call in bombs.items():
            said, spent, memory = alone(path, call)
            print(f"{name:28} {said}; {spent:.2f} ms of processor time, peak memory of the process {memory:.0f} MB")
    hostile(options.bin)
    if data.is_dir():
        largest(options.bin, data)
    else:
        print("skipped: no shared data")
