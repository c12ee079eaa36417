"""Fuzzes everything that takes bytes from outside: builds the program of tools/fuzz with AddressSanitizer, and its C also with
UndefinedBehaviorSanitizer, and runs one target or all of them.

Example: tools/dev fuzz metadata --seconds 60, or with libFuzzer's own options: tools/dev fuzz metadata --options='-runs=1 FILE'

A run starts from the target's own seeds, the inputs under fixtures/fuzz that once broke a law, and what earlier runs found (.build-fuzz). Figures of each
run go to .build-fuzz/figures.tsv: target, seconds, inputs, edges covered, peak memory. The driver is the toolchain's libFuzzer without a main of its own.
"""
import concurrent.futures
import functools
import os
import pathlib
import platform
import re
import shlex
import shutil
import subprocess
import sys
import time

from .common import ROOT, binary_folder

SCRATCH = ROOT / ".build-fuzz"
PACKAGE = ["-c", "release", "--package-path", "tools/fuzz", "--scratch-path", ".build-fuzz/build"]
FIGURES = SCRATCH / "figures.tsv"
# Swift keeps its globals for the life of the process, which is no leak.
ENVIRONMENT = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1"}
TELLING = re.compile(r"Fatal error|ERROR|SUMMARY|runtime error|ALARM|Test unit written|^==\d+==|in \$s4fuzz")
SEED = os.environ.get("HELIOGRAPH_SEED", "1")


def configure(parser):
    parser.add_argument("target", help="a target, or `all`; `list` prints their names and limits")
    parser.add_argument("--seconds", type=int, default=60, help="of each target (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=1, help="targets at a time (default: %(default)s)")
    parser.add_argument("--skip-build", action="store_true", help="use the program that is built")
    parser.add_argument("--options", type=shlex.split, default=[], help="words for libFuzzer, such as a file, instead of a measured run")


def build():
    """Builds the program with its sanitizers and returns its path."""
    toolchain = pathlib.Path(shutil.which("swiftc")).resolve().parent.parent
    drivers = list(toolchain.glob(f"lib/clang/*/lib/linux/libclang_rt.fuzzer_no_main-{platform.machine()}.a"))
    if not drivers:
        raise SystemExit("fuzz: the toolchain has no libFuzzer driver")
    swift = ["-Xswiftc", "-sanitize-coverage=edge,inline-8bit-counters,pc-table,trace-cmp", "-Xswiftc", "-enable-testing"]
    # The runtime of AddressSanitizer answers for undefined behaviour too, except where C++ needs types at run time.
    c = ["-fsanitize=fuzzer-no-link", "-fsanitize=undefined", "-fno-sanitize=vptr,function", "-fno-sanitize-recover=undefined"]
    flags = [*swift, *(word for flag in c for word in ("-Xcc", flag)), "-Xlinker", str(drivers[0]), "-Xlinker", "-lstdc++"]
    subprocess.run(["swift", "build", *PACKAGE, "--product", "fuzz", "--sanitize=address", *flags], cwd=ROOT, check=True, stdout=sys.stderr)
    return binary_folder(*PACKAGE) / "fuzz"


def limits(program):
    """Target → longest input, megabytes, seconds an input, as the program's table says."""
    lines = subprocess.run([program, "--list"], check=True, capture_output=True, text=True, env=ENVIRONMENT).stdout.splitlines()
    return {name: numbers for name, *numbers in map(str.split, lines)}


def words_of(program, name, bounds):
    """The command line of a target, and its folders: seeds of its own and fixtures last."""
    folder = SCRATCH / name
    for kind in ("seeds", "corpus", "found"):
        (folder / kind).mkdir(parents=True, exist_ok=True)
    subprocess.run([program, name, "--seeds", folder / "seeds"], check=True, env=ENVIRONMENT)
    longest, memory, seconds = bounds
    words = [program, name, f"-max_len={longest}", f"-rss_limit_mb={memory}", f"-timeout={seconds}", f"-seed={SEED}", f"-artifact_prefix={folder}/found/"]
    fixtures = ROOT / "fixtures/fuzz" / name
    return words, [folder / "corpus", folder / "seeds", *([fixtures] if fixtures.exists() else [])]


def figures(name, seconds, text):
    """What a run printed: inputs, edges covered, peak memory in MB."""
    inputs = re.findall(r"stat::number_of_executed_units: (\d+)", text) or re.findall(r"^#(\d+)", text, re.M) or ["0"]
    edges = re.findall(r"cov: (\d+)", text) or ["0"]
    peak = re.findall(r"stat::peak_rss_mb: +(\d+)", text) or re.findall(r"rss: (\d+)Mb", text) or ["0"]
    return [name, str(seconds), inputs[-1], edges[-1], peak[-1]]


def holds(program, bounds, seconds, name):
    """Runs a target for so long and prints its figures; whether no law broke. Its output goes to a file beside the corpus."""
    words, folders = words_of(program, name, bounds[name])
    log, begun = SCRATCH / name / "log", time.monotonic()
    with open(log, "w") as file:
        code = subprocess.run([*words, f"-max_total_time={seconds}", "-print_final_stats=1", *folders], stdout=file, stderr=file, env=ENVIRONMENT).returncode
    text = log.read_text(errors="replace")
    row = figures(name, int(time.monotonic() - begun), text)
    with open(FIGURES, "a") as file:
        file.write("\t".join(row) + "\n")
    line = f"{'ok  ' if code == 0 else 'FAIL'} {name:<12} {row[1]:>5} s {int(row[2]):>10} inputs {row[3]:>6} edges {row[4]:>5} MB"
    told = [] if code == 0 else [each[:300] for each in text.splitlines() if TELLING.search(each)][:30]
    print("\n".join([line, *told]), flush=True)
    return code == 0


def run(options):
    program = binary_folder(*PACKAGE) / "fuzz" if options.skip_build else build()
    bounds = limits(program)
    if options.target == "list":
        for name, (longest, memory, seconds) in bounds.items():
            print(f"{name:<12} {longest:>7} bytes {memory:>5} MB {seconds:>3} s")
        return 0
    chosen = bounds if options.target == "all" else {name: b for name, b in bounds.items() if name in options.target.split(",")}
    if not chosen:
        raise SystemExit(f"fuzz: unknown target {options.target}; known are {', '.join(bounds)}")
    if extra := options.options:
        words, folders = words_of(program, options.target, bounds[options.target])
        os.execve(program, [str(word) for word in [*words, *extra, *([] if any(not w.startswith("-") for w in extra) else folders)]], ENVIRONMENT)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        broken = list(pool.map(functools.partial(holds, program, bounds, options.seconds), chosen)).count(False)
    print(f"fuzz: {len(chosen)} targets for {options.seconds} s each, {broken} broke a law")
    return 1 if broken else 0
