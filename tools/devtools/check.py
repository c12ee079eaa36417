"""Runs everything that CI runs, from a tree where tools/install has run.

One step compiles at a time. Beside it run others, as soon as the steps that build for them have passed: first the one with the longest way to the end, and
as many as the processors take. A step's output goes to .build-logs and is shown when the step fails. With --only the named steps run alone, on what is built.

What this machine lacks fails, unless --lenient is given: then it is skipped, and every skip is counted. Shared data is required where it exists or
HELIOGRAPH_SHARED_DATA names it; without it the number of skips is committed below, so that a test that starts to skip is noticed. What does not
fit in CI's time runs with --long.
"""
import argparse
import concurrent.futures
import os
import re
import subprocess
import time

from . import fast
from .common import HOT, LINKED, ROOT, SHARED, SHIPPED, STRICT, binary_folder, dev, shared_data

LOGS = ROOT / ".build-logs"
FORMATTED = ["Sources", "Tests", "fixtures", "tools/peers", "tools/fuzz/Sources", "tools/hot/Sources", "tools/hot/Tests"]
# The last line of these is a summary that the reader sees at the end.
SUMMARIES = ["needs", "start", "lock", "laws", "index", "docs", "closed", "sockets", "sessions", "formats", "sheets", "panes", "completions", "camera",
             "shield", "secrets", "faults", "hardware", "readings", "peers-hot", "hot-laws", "manual", "verify-release", "guides", "real-data", "sanitize",
             "keys", "threshold", "guarded", "reproducible", "raptorq", "decode", "tries", "golden", "fuzz", "appliance", "build-arm64", "arm64", "release"]
TELLING = re.compile(r"^(?!◇|✔|➜).*(error|FAIL|✘|failed|Fatal|missing: )")
SKIPPED = re.compile(r"skipped: ")
# How often each step skips when there is no shared data; every other step never skips. `tools/dev check` prints the numbers.
SKIPS_WITHOUT_DATA = {"frames": 1, "unit": 83, "peers-hot": 5, "hot-laws": 1, "decode": 6, "real-data": 1}
# Each module is compiled at once, since nothing is left of an earlier build that a part of it could spare; and without what only a debugger reads. Its
# interface comes from that one reading: the driver would read what is not optimized a second time, so that what imports it may start sooner.
READ_ONCE = ("-wmo", "-num-threads", "2", "-disable-batch-mode", "-no-emit-module-separately-wmo")
AT_ONCE = ["-debug-info-format", "none", *(word for flag in READ_ONCE for word in ("-Xswiftc", flag))]
# The online side's tests are built into the same folder, with the same options: the modules that both packages need are compiled once. The package manager
# keeps one plan in a folder and takes it for that of the other package, so each build begins without one, and the check leaves none.
PLAN = ROOT / ".build/debug.yaml"
UNPLANNED = ["rm", "-f", PLAN, ROOT / ".build/debug/description.json"]
# What compiles with all cores: one at a time.
COMPILING = {"build", "build-peers", "build-tests", "build-hot", "build-fuzz", "arm64", "release-long", "readings-long", "fuzz-long", "arm64-long"}
# Seconds on a clock and seconds of processor time of each step that has more than a few, alone on two cores. They only say in which order steps start, and
# how many beside each other, so rough ones will do.
COSTS = {
    "build": (130, 225), "build-peers": (30, 50), "build-tests": (240, 400), "build-hot": (80, 140), "build-fuzz": (105, 185),
    "build-arm64": (170, 280), "arm64": (600, 900),
    "unit": (230, 400), "faults": (140, 250), "fuzz": (85, 150), "appliance": (150, 150), "hot-laws": (80, 130), "unit-hot": (110, 120),
    "release": (160, 130), "laws": (80, 75), "docs": (12, 12), "closed": (40, 70), "sessions": (40, 50), "secrets": (50, 26), "guides": (60, 40),
    "decode": (40, 40), "golden": (40, 35), "readings": (25, 25), "real-data": (30, 25), "threshold": (20, 18), "guarded": (10, 8), "raptorq": (20, 15),
    "peers-hot": (20, 15), "codes": (25, 14), "camera": (27, 3), "keys": (15, 12), "demo": (20, 12), "sockets": (15, 11), "completions": (15, 7),
    "panes": (14, 6), "tries": (20, 20),
}
A_FEW = (8, 6)
# How many times as much work may run as there are processors: what waits for a moment leaves them to others.
CROWD = 1.8
# The shipped programs, and those that tests start in the same form.
BUILT = ["heliograph", "heliograph-scanner", "heliograph-hardware"]
PEERS = ["keys-peer", "decode-peer", "heliograph-bench", "two-readings"]
# What takes longer than CI has.
LONG = {"release-long", "fuzz-long", "decode-long", "keys-long", "threshold-long", "guarded-long", "reproducible-long", "raptorq-long",
        "readings-long", "tries-long", "arm64", "arm64-long"}
MINUTES = 75


def seeded(*words):
    """A command line whose random tests take their seed from the tree of the last commit: two runs on one commit have one result, and every commit
    has other numbers. A seed that a person gives goes first; without a repository each run has its own, which the tests print."""
    tree = subprocess.run(["git", "rev-parse", "HEAD^{tree}"], cwd=ROOT, capture_output=True, text=True)
    if tree.returncode != 0 or "HELIOGRAPH_SEED" in os.environ:
        return list(words)
    return ["env", f"HELIOGRAPH_SEED={int(tree.stdout[:15], 16)}", *words]


def tests(package, *options):
    """The command line of a package's tests: the program itself, because the package manager lets nobody else use the folder while it runs them."""
    return seeded("env", "NO_COLOR=1", binary_folder(*options) / f"{package}PackageTests.xctest", "--testing-library", "swift-testing")


def linked(chosen):
    """Form=folder of what is not built again: of the online programs, what these steps build, else the newest of what a check or `swift build` made."""
    check, own = binary_folder(), binary_folder(*HOT)
    newest = max(check, own, key=lambda folder: (folder / "heliograph-hot").stat().st_mtime if (folder / "heliograph-hot").exists() else 0)
    folders = {"online": check if "build-hot" in chosen else newest} | ({"shipped": binary_folder(*SHIPPED)} if "build-peers" in chosen else {})
    return " ".join(f"{form}={folder}" for form, folder in folders.items())


def steps():
    """Name → the command lines of the step, which run until one fails. Folders of binaries are asked for when a step needs them."""
    shipped = ["swift", "build", *SHIPPED, "--product"]
    cold, hot = lambda: binary_folder(*SHIPPED), lambda: binary_folder(*HOT)
    return {
        "needs": lambda: [dev("needs")],
        "lock": lambda: [dev("lock", "--check")],
        "format": lambda: [["swift", "format", "lint", "--strict", "--parallel", "--recursive", *FORMATTED]],
        "lint": lambda: [dev("lint")],
        "build": lambda: [[*shipped, product] for product in BUILT],
        "build-peers": lambda: [[*shipped, product] for product in PEERS],
        "start": lambda: [dev("bench", "start", "--bin", cold())],
        "laws": lambda: [dev("laws", cold())],
        "sockets": lambda: [dev("sockets", cold())],
        "sessions": lambda: [dev("sessions", cold())],
        "formats": lambda: [dev("formats", cold())],
        "sheets": lambda: [dev("sheets", cold())],
        "codes": lambda: [dev("terminal-codes", cold())],
        "panes": lambda: [dev("panes", cold())],
        "completions": lambda: [dev("completions", cold())],
        "verify-release": lambda: [dev("verify-release", cold())],
        "camera": lambda: [dev("camera", cold())],
        "shield": lambda: [dev("shield-walk", cold())],
        "secrets": lambda: [dev("secrets", cold())],
        "faults": lambda: [dev("faults", cold())],
        # The debug build alone takes an emulator in place of a TPM.
        "hardware": lambda: [dev("hardware", binary_folder())],
        "frames": lambda: [dev("frames")],
        "build-tests": lambda: [UNPLANNED, ["swift", "build", "--build-tests", *AT_ONCE], ["cp", PLAN, LOGS]],
        "unit": lambda: [tests("heliograph")],
        "index": lambda: [dev("laws", "--index")],
        "docs": lambda: [dev("docs")],
        "closed": lambda: [dev("closed-enums", "--plan", LOGS / PLAN.name)],
        "readings": lambda: [dev("two-readings")],
        "build-hot": lambda: [UNPLANNED, ["swift", "build", *HOT, "--build-tests", "--scratch-path", ".build", *AT_ONCE]],
        "unit-hot": lambda: [tests("heliograph-hot", *HOT)],
        "peers-hot": lambda: [dev("peers-hot", hot())],
        "hot-laws": lambda: [dev("hot-laws", hot(), "--scanner", cold())],
        "guides": lambda: [dev("guides", cold(), hot())],
        "manual": lambda: [dev("manual", "--check", "--built", cold(), hot())],
        "demo": lambda: [[ROOT / "tools/demo", "--built", cold(), hot()]],
        "real-data": lambda: [dev("real-data", cold(), "--hot", hot())],
        "sanitize": lambda: [dev("sanitize")],
        "keys": lambda: [dev("conformance", "keys", "300", "--seed", "1")],
        "threshold": lambda: [dev("conformance", "threshold", "200")],
        "guarded": lambda: [dev("conformance", "guarded", "200")],
        "reproducible": lambda: [dev("conformance", "reproducible", "50", "--bin", cold())],
        "raptorq": lambda: [dev("conformance", "raptorq", "40", "1")],
        "decode": lambda: [dev("conformance", "decode", "--calls", "200", "--laws", "20", "--seed", "1")],
        "tries": lambda: [dev("conformance", "tries", "--seed", "1")],
        "golden": lambda: [dev("golden", "check", hot(), cold())],
        "build-fuzz": lambda: [dev("fuzz", "list")],
        "fuzz": lambda: [dev("fuzz", "all", "--skip-build", "--seconds", "5", "--jobs", "2")],
        "appliance": lambda: [dev("appliance", "test", "--built", cold())],
        # Debian's own Swift is another version: every module is compiled with it, without code. The code, and what runs it, is for --long.
        "build-arm64": lambda: [dev("arm64", "compile")],
        "arm64": lambda: [dev("arm64", "test")],
        "release": lambda: [dev("release", "--self-test")],
        "release-long": lambda: [dev("release", "--check-reproducible")],
        "keys-long": lambda: [dev("conformance", "keys", "5000")],
        "threshold-long": lambda: [dev("conformance", "threshold", "10000")],
        "guarded-long": lambda: [dev("conformance", "guarded", "10000")],
        "reproducible-long": lambda: [dev("conformance", "reproducible", "1000", "--bin", cold())],
        "raptorq-long": lambda: [dev("conformance", "raptorq", "1000")],
        "decode-long": lambda: [dev("conformance", "decode")],
        "tries-long": lambda: [dev("conformance", "tries", "5000", "--large", "100000")],
        "readings-long": lambda: [dev("two-readings", "--seconds", "600")],
        "arm64-long": lambda: [dev("arm64", "test", "--all"), dev("appliance", "test", "--board", "pi")],
        "fuzz-long": lambda: [dev("fuzz", "all", "--seconds", "600")],
    }


def names(text):
    """The names of steps, with commas between them."""
    chosen = text.split(",")
    if unknown := set(chosen) - set(steps()):
        raise argparse.ArgumentTypeError(f"unknown steps {', '.join(sorted(unknown))}; known are {', '.join(steps())}")
    return chosen


def configure(parser):
    """Takes the steps."""
    parser.add_argument("--only", type=names, metavar="STEP,…", help="run these steps only: " + ", ".join(steps()))
    parser.add_argument("--fast", nargs="?", const="HEAD", metavar="COMMIT",
                        help="check what differs from a commit (default: HEAD) and the tests that it touches, in three minutes; say what was left out")
    parser.add_argument("--long", action="store_true", help="run what takes longer than CI has, and nothing else: " + ", ".join(sorted(LONG)))
    parser.add_argument("--lenient", action="store_true", help="skip what this machine lacks instead of failing")
    parser.add_argument("--dry-run", action="store_true", help="print the command lines instead of running them")


# The steps before each one, where they are not `build` alone.
NEEDED = {
    **dict.fromkeys(("needs", "lock", "format", "lint", "build", "sanitize", "build-fuzz", "build-arm64"), ()),
    **dict.fromkeys(("unit", "index", "docs", "closed", "hardware", "build-hot"), ("build-tests",)),
    **dict.fromkeys(("unit-hot", "peers-hot", "hot-laws", "guides", "manual", "demo", "real-data", "golden", "appliance"), ("build", "build-hot")),
    **dict.fromkeys(("keys", "threshold", "guarded", "raptorq", "decode", "tries", "readings"), ("build-peers",)),
    "fuzz": ("build-fuzz",),
    "arm64": ("build", "build-hot"),
    # It links in the same folder.
    "arm64-long": ("build", "build-hot", "arm64"),
    # Both fill one folder with Debian's packages.
    "release": ("build", "build-hot", "appliance"),
}

def needed(name):
    """The steps that must have passed before this one starts."""
    return set(NEEDED.get(name, ("build",)))


def ways(chosen):
    """Step → seconds from its start to the end of the longest chain of steps that wait for it."""
    found = {}

    def way(name):
        if name not in found:
            found[name] = COSTS.get(name, A_FEW)[0] + max((way(other) for other in chosen if name in needed(other)), default=0)
        return found[name]

    return {name: way(name) for name in chosen}


def load(name):
    """How many processors a step keeps busy."""
    seconds, used = COSTS.get(name, A_FEW)
    return os.cpu_count() if name in COMPILING else used / seconds


def succeeds(commands, log):
    """Runs the command lines of a step; one that cannot start fails the step. With the processor time of its processes."""
    used = 0
    with open(log, "w") as file:
        for command in commands:
            file.flush()
            try:
                process = subprocess.Popen(list(map(str, command)), cwd=ROOT, stdout=file, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
            except OSError as error:
                file.write(f"error: {error}\n")
                return False, used
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            used += usage.ru_utime + usage.ru_stime
            if process.returncode != 0:
                return False, used
    return True, used


def last_line(name):
    """The last line that a step printed."""
    return (output(name).splitlines() or [""])[-1]


def output(name):
    """Everything that a step printed; nothing where it did not run."""
    log = LOGS / f"{name}.log"
    return log.read_text(errors="replace") if log.exists() else ""


def skips(name):
    """How often a step skipped, and how often it may; None for any number."""
    strict, needed = STRICT in os.environ, os.environ.get(SHARED) or shared_data().exists()
    allowed = 0 if needed else SKIPS_WITHOUT_DATA.get(name, 0)
    return len(SKIPPED.findall(output(name))), allowed if strict else None


def step(name, commands):
    """Runs one step and prints its line: seconds on the clock, seconds of processor time, last line. A failure shows the telling lines and the end."""
    start, log = time.monotonic(), LOGS / f"{name}.log"
    passed, used = succeeds(commands(), log)
    seconds = int(time.monotonic() - start)
    counted, allowed = skips(name)
    if passed and allowed is not None and counted != allowed:
        passed = False
        with open(log, "a") as file:
            file.write(f"error: {name} skipped {counted} times, expected {allowed}; see SKIPS_WITHOUT_DATA in tools/devtools/check.py\n")
    if passed:
        print(f"ok   {name:<14} {seconds:4d} s {int(used):5d} s cpu  {last_line(name)[:100]}", flush=True)
    else:
        lines = output(name).splitlines()
        telling = [line for line in lines if TELLING.search(line)][:40]
        print("\n".join([f"FAIL {name:<14} {seconds:4d} s {int(used):5d} s cpu", *telling, *lines[-25:]]), flush=True)
    return passed


def starting(waiting, running, passed):
    """The step that starts now, or None. What compiles starts at once: others wait for it. The rest starts while the processors have room."""
    busy, known = sum(map(load, running)), {*waiting, *running}
    for name in waiting:
        if needed(name) & known - passed or name in COMPILING and COMPILING & set(running):
            continue
        if name in COMPILING or not running or busy + load(name) <= CROWD * os.cpu_count():
            return name
    return None


def perform(chosen):
    """Runs every step as soon as it may start; the names of those that failed. What needs one that failed fails with it."""
    every, way, running, passed, failed = steps(), ways(chosen), {}, set(), []
    waiting = sorted(chosen, key=lambda name: -way[name])
    with concurrent.futures.ThreadPoolExecutor(len(chosen)) as pool:
        while waiting or running:
            while name := starting(waiting, running.values(), passed):
                waiting.remove(name)
                running[pool.submit(step, name, every[name])] = name
            for future in concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED).done:
                name = running.pop(future)
                if error := future.exception():
                    print(f"FAIL {name:<14} {error!r}", flush=True)
                if error is None and future.result():
                    passed.add(name)
                else:
                    failed.append(name)
            while stuck := next((one for one in waiting if needed(one) & set(failed)), None):
                waiting.remove(stuck)
                failed.append(stuck)
                print(f"FAIL {stuck:<14} not run: what it needs has failed", flush=True)
    return failed


def close(chosen):
    """The closing lines of every runner, so that a reader sees what ran and what was skipped."""
    for name in ("unit", "unit-hot"):
        if name in chosen:
            print("\n".join(line for line in output(name).splitlines() if line.startswith(("✔ Test run", "✘ Test run"))))
    counts = {name: skips(name)[0] for name in chosen}
    told = ", ".join(f"{name} {count}" for name, count in counts.items() if count)
    print(f"skipped: {sum(counts.values())}" + (f" ({told})" if told else ""))
    for name in SUMMARIES:
        if name in chosen:
            print(last_line(name))


def run(options):
    if options.lenient or options.fast:
        os.environ.pop(STRICT, None)
    else:
        os.environ[STRICT] = "1"
    start, every = time.monotonic(), steps()
    chosen = [name for name in every if (name in options.only if options.only else (name in LONG) == options.long)]
    if options.dry_run:
        for name in chosen:
            print("\n".join(f"{name:<12} {' '.join(map(str, command))}" for command in every[name]()))
        return 0
    LOGS.mkdir(exist_ok=True)
    if options.fast:
        failed = fast.run(step, options.fast)
        print(f"failed: {' '.join(failed)}" if failed else f"what was checked passed in {int(time.monotonic() - start)} s")
        return 1 if failed else 0
    os.environ[LINKED] = linked(chosen)
    failed = perform(chosen)
    if "build-hot" in chosen:
        PLAN.unlink(missing_ok=True)
    close(chosen)
    seconds = int(time.monotonic() - start)
    if failed:
        print(f"failed: {' '.join(failed)}")
        return 1
    if not options.long and seconds > MINUTES * 60:
        print(f"failed: {seconds} s, which is more than {MINUTES} minutes: move something to --long")
        return 1
    print(f"all checks passed in {seconds} s of at most {MINUTES * 60} s" if not options.long else f"all long checks passed in {seconds} s")
    return 0
