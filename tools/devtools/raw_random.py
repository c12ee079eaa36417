"""Judges the sources of a seed as they are, before anything is hashed: dieharder, and the entropy of the most common byte.

    tools/dev raw-random                 all sources of this machine
    tools/dev raw-random jitter          these

The kernel's bytes and the processor's must look uniform, so no test of dieharder may fail for them; the kernel's are the output of its own generator,
behind which no program sees. The jitter source gives times, which nobody calls uniform: dieharder fails them, and says by how much. What counts for
them is that a measurement has the entropy that the library counts for it, a third of a bit, by the most common value of SP 800-90B, 6.3.1.

Hashed output is not tested: it passes every test, whatever went in.
"""
import collections
import math
import pathlib
import subprocess
import tempfile

from .common import ROOT, Missing

# Number of the test in dieharder, its name; p-values and samples of each for a fast source, and for the jitter source, which gives 40 kB a second.
TESTS = [(100, "sts_monobit", (20, 100_000), (20, 10_000)), (101, "sts_runs", (20, 100_000), (20, 10_000)), (0, "diehard_birthdays", (20, 100), (20, 20)),
         (2, "diehard_rank_32x32", (5, 40_000), (10, 500)), (8, "diehard_count_1s_stream", (10, 256_000), (10, 20_000))]
UNIFORM = ("kernel", "processor")
# Bytes that the entropy is estimated from, and the bits that a byte of each source must have.
SAMPLE = {"kernel": 1 << 20, "processor": 1 << 20, "jitter": 1 << 18}
NEEDED = {"kernel": 7.8, "processor": 7.8, "jitter": 1 / 3}


def configure(parser):
    parser.add_argument("sources", nargs="*", metavar="SOURCE", help="kernel, processor or jitter (default: all)")


def compiled(folder):
    upstream = ROOT / "Sources/C/CJitterEntropy/upstream"
    program = folder / "raw-random"
    words = ["cc", "-O0", "-w", f"-I{upstream}", f"-I{upstream}/lib", f"-I{ROOT}/Sources/C/CProcessorRandom/include", "-o", program,
             ROOT / "tools/peers/raw-random.c", *sorted(upstream.glob("lib/*.c")), ROOT / "Sources/C/CProcessorRandom/processor.c", "-lpthread"]
    subprocess.run(words, check=True)
    return program


def least_entropy(data):
    """Bits of a byte by its most common value, at the upper end of a 99 % interval: SP 800-90B, 6.3.1."""
    share = max(collections.Counter(data).values()) / len(data)
    return -math.log2(min(1, share + 2.576 * math.sqrt(share * (1 - share) / (len(data) - 1))))


def read(program, source, count):
    with subprocess.Popen([program, source], stdout=subprocess.PIPE) as running:
        data = running.stdout.read(count)
        running.kill()
    return data


def judged(program, source, number, values, samples):
    """The assessments of one test: PASSED, WEAK or FAILED, each with its p-value. One that is weak for a source that should pass is repeated with more
    samples until it is one of the others."""
    more = ["-Y", "1"] if source in UNIFORM else []
    with subprocess.Popen([program, source], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as running:
        done = subprocess.run(["dieharder", "-g", "200", "-d", str(number), "-p", str(values), "-t", str(samples), *more], stdin=running.stdout,
                              capture_output=True, text=True, check=True)
        running.kill()
    rows = [[part.strip() for part in line.split("|")] for line in done.stdout.splitlines()]
    return [(row[5], row[4]) for row in rows if len(row) == 6 and row[5] in ("PASSED", "WEAK", "FAILED")][-1:]


def run(options):
    failed = []
    with tempfile.TemporaryDirectory() as place:
        try:
            subprocess.run(["dieharder", "-h"], capture_output=True, check=False)
        except FileNotFoundError:
            raise Missing("dieharder (apt-get install dieharder)") from None
        program = compiled(pathlib.Path(place))
        for source in options.sources or SAMPLE:
            data = read(program, source, SAMPLE[source])
            if len(data) < SAMPLE[source]:
                print(f"{source}: this machine has none")
                continue
            bits = least_entropy(data)
            print(f"{source}: {bits:.2f} bits a byte by the most common of {len(data)}, at least {NEEDED[source]:.2f} needed", flush=True)
            if bits < NEEDED[source]:
                failed.append(f"{source}: {bits:.2f} bits a byte")
            for number, name, fast, slow in TESTS:
                results = judged(program, source, number, *(fast if source in UNIFORM else slow))
                print(f"{source}: {name} " + ", ".join(f"{verdict} (p = {p})" for verdict, p in results), flush=True)
                if source in UNIFORM and (not results or any(verdict == "FAILED" for verdict, _ in results)):
                    failed.append(f"{source}: {name}")
    for line in failed:
        print(f"FAIL {line}")
    return 1 if failed else 0
