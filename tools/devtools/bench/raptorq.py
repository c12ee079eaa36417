"""RaptorQ here beside PyPI `raptorq`: the same payload, symbol length and loss pattern on both sides.

Prints encode and decode throughput in MB/s (best run of each side; encode makes the source packets, and 5 repair packets more than the
loss asks for), their ratio, the time to recover a block of K = 310, 1,000 and 5,000 from repair symbols alone, and how many random draws
of K, K + 1 and K + 2 symbols do not decode. `both` is the decoder that is not told how repair symbols are numbered;
where K and K' differ (331,149 bytes: 309 and 324) it follows both ways until the packets prove one.
"""
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import time

import raptorq

from ..common import build, write_packets

SYMBOL = 1072


def measure(seconds, body):
    runs = []
    while sum(runs) < seconds or len(runs) < 3:
        start = time.perf_counter()
        body()
        runs.append(time.perf_counter() - start)
    return min(runs)


def decode_there(payload, packets, symbol):
    decoder = raptorq.Decoder.with_defaults(len(payload), symbol)
    for packet in packets:
        answer = decoder.decode(packet)
        if answer is not None:
            return answer
    return None


def here(bench, *arguments):
    run = subprocess.run([bench, *map(str, arguments)], capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"heliograph-bench {arguments}: {run.stderr}")
    return json.loads(run.stdout)


def received(packets, needed, loss, generator):
    """Source packets less the loss, then repair packets: enough to decode, and a few to spare."""
    source = [p for p in packets[:needed] if generator.random() >= loss]
    return source + packets[needed:][: needed - len(source) + 5]


def rows(bench, folder, length, losses, seconds):
    generator = random.Random(length)
    payload = generator.randbytes(length)
    needed = -(-length // SYMBOL)
    payload_file, packet_file = folder / "payload", folder / "packets"
    payload_file.write_bytes(payload)
    all_packets = raptorq.Encoder.with_defaults(payload, SYMBOL).get_encoded_packets(needed + 10)
    for loss in losses:
        packets = received(all_packets, needed, loss, generator)
        if decode_there(payload, packets, SYMBOL) != payload:
            sys.exit("the other side does not decode its own packets")
        write_packets(packet_file, packets)
        repair = int(needed * loss) + 5

        def there():
            raptorq.Encoder.with_defaults(payload, SYMBOL).get_encoded_packets(repair)

        sides = {"encode": [], "encode_there": [], "decode": [], "both": [], "decode_there": []}
        for _ in range(3):
            part = seconds / 3
            sides["encode_there"].append(measure(part, there))
            sides["encode"].append(here(bench, "raptorq-encode", payload_file, SYMBOL, repair, "rfc6330", part)["best"])
            sides["decode_there"].append(measure(part, lambda: decode_there(payload, packets, SYMBOL)))
            for name, numbering in ("decode", "rfc6330"), ("both", "both"):
                sides[name].append(here(bench, "raptorq-decode", payload_file, packet_file, SYMBOL, numbering, part)["best"])
        best = {name: length / min(times) / 1e6 for name, times in sides.items()}
        print(
            f"{length:>9} {loss:>5.0%} | {best['encode']:>8.0f} {best['encode_there']:>8.0f} {best['encode'] / best['encode_there']:>6.2f}"
            f" | {best['decode']:>8.0f} {best['decode_there']:>8.0f} {best['decode'] / best['decode_there']:>6.2f}"
            f" | {best['both']:>8.0f} {best['both'] / best['decode_there']:>6.2f}",
            flush=True,
        )


def times(bench, folder, seconds):
    print("\nall symbols repair symbols: milliseconds a block")
    for symbols in 310, 1000, 5000:
        payload = random.Random(symbols).randbytes(symbols * SYMBOL)
        (folder / "payload").write_bytes(payload)
        packets = raptorq.Encoder.with_defaults(payload, SYMBOL).get_encoded_packets(symbols + 5)[symbols:]
        write_packets(folder / "packets", packets)
        mine = here(bench, "raptorq-decode", folder / "payload", folder / "packets", SYMBOL, "rfc6330", seconds)["best"]
        other = measure(seconds, lambda: decode_there(payload, packets, SYMBOL))
        print(f"K = {symbols:>5}: {mine * 1e3:8.2f} here, {other * 1e3:8.2f} there, {other / mine:5.2f}", flush=True)


def configure(parser):
    """Takes how much to measure."""
    parser.add_argument("--quick", action="store_true", help="300 kB only, and few draws")
    parser.add_argument("--seconds", type=float, default=1.5, help="of each measurement (default: %(default)s)")
    parser.add_argument("--draws", type=int, default=10_000, help="of symbols for each block size (default: %(default)s)")


def run(options):
    """Builds heliograph-bench and prints every row."""
    bench = build("heliograph-bench", "-c", "release")
    print("payload    loss |   encode    there  ratio |   decode    there  ratio |     both  ratio     (MB/s)")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for length in [300_000] if options.quick else [10_000, 300_000, 331_149, 1_000_000, 5_000_000]:
            rows(bench, folder, length, [0, 0.2, 0.5], options.seconds)
        times(bench, folder, options.seconds)
    print("\nrandom draws that do not decode at K, K + 1, K + 2 symbols (promised: less than 1 in 100, 10,000 and 1,000,000)")
    for symbols in (10, 101, 310):
        print(here(bench, "raptorq-failures", symbols, 200 if options.quick else options.draws), flush=True)
