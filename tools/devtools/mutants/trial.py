"""Runs the checks of the copy: first without a fault, to see which of them come to which fault, then with one."""
import collections
import concurrent.futures
import json
import os
import re
import selectors
import subprocess
import sys
import tempfile
import time

from ..common import shared_data

# A check that runs this many times longer than without a fault, and a minute, hangs.
PATIENCE = 4
FAILURE = re.compile(r"✘|FAIL |Fatal error")
NAME = re.compile(r'✘.*?Test (?:"(?P<title>[^"]*)"|(?P<name>\S+))|(?P<session>FAIL \S+)|(?P<crash>Fatal error)')


class Checks:
    """Suites of unit tests and session files, with what they reach and how long they take."""

    def __init__(self, scratch):
        self.folder, self.mutants = scratch.folder, scratch.mutants
        self.binaries = self.folder / ".build/debug"
        self.bundle = next(self.binaries.glob("*PackageTests.xctest"))
        self.reaches, self.seconds = collections.defaultdict(set), {}
        self.baseline()

    # Commands

    def suites(self):
        """The suites of the bundle, by module and name."""
        done = subprocess.run([self.bundle, "--testing-library", "swift-testing", "--list-tests"], cwd=self.folder, check=True, capture_output=True, text=True)
        return sorted({line.rsplit("/", 1)[0] for line in done.stdout.splitlines() if "/" in line})

    def command(self, checks):
        """The command that runs suites, or session files."""
        if checks[0].endswith(".session"):
            files = [self.folder / "Tests/Sessions" / file for file in checks]
            return [sys.executable, self.folder / "tools/dev", "sessions", self.binaries, *files]
        filters = [word for suite in checks for word in ("--filter", f"^{re.escape(suite)}/")]
        return [self.bundle, "--testing-library", "swift-testing", *filters]

    def watch(self, command, limit, **variables):
        """Runs a command until its first failure, and returns what failed; None if nothing did."""
        environment = {**os.environ, **variables}
        if shared_data().is_dir():
            environment["HELIOGRAPH_SHARED_DATA"] = str(shared_data())
        program = subprocess.Popen(list(map(str, command)), cwd=self.folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, start_new_session=True)
        try:
            return self.failure(program, time.monotonic() + limit)
        finally:
            try:
                os.killpg(program.pid, 9)
            except ProcessLookupError:
                pass
            program.wait()
            program.stdout.close()

    @staticmethod
    def failure(program, deadline):
        """What the program printed that tells of a failure."""
        rest = b""
        with selectors.DefaultSelector() as selector:
            selector.register(program.stdout, selectors.EVENT_READ)
            while (left := deadline - time.monotonic()) > 0:
                if not selector.select(min(left, 5)):
                    continue
                chunk = os.read(program.stdout.fileno(), 65536)
                if not chunk:
                    code = program.wait()
                    return None if code == 0 else f"exit code {code}"
                *lines, rest = (rest + chunk).split(b"\n")
                for line in lines:
                    text = re.sub(r"\x1b\[[\d;]*m", "", line.decode(errors="replace"))
                    if FAILURE.search(text) and (match := NAME.search(text)):
                        return match["title"] or match["name"] or match["session"] or text[:80]
        return "hangs"

    # Without a fault

    def alone(self, check):
        """Runs one suite or session file. Returns how it failed, how long it took, and the faults that it came to.

        A busy machine can fail a test that measures time, so that a failure has to come twice.
        """
        with tempfile.NamedTemporaryFile(dir=self.folder, prefix="reached-") as reached:
            reached.write(bytes(4096))
            reached.flush()
            for _ in range(2):
                start = time.monotonic()
                failed = self.watch(self.command([check]), 1200, MUTANTS_REACHED=reached.name)
                if not failed:
                    break
            reached.seek(0)
            return failed, time.monotonic() - start, [number for number, came in enumerate(reached.read()) if came]

    def baseline(self):
        """Runs every suite and session. What fails without a fault is told and left out."""
        suites = self.suites()
        files = sorted(file.name for file in (self.folder / "Tests/Sessions").glob("*.session"))
        kept = self.folder / "baseline.json"
        stamp = [[number, *place.key] for number, place in self.mutants.items()] + suites + files + [self.bundle.stat().st_mtime]
        if kept.exists() and (old := json.loads(kept.read_text()))["stamp"] == stamp:
            self.seconds = old["seconds"]
            self.reaches = {int(number): set(checks) for number, checks in old["reaches"].items()}
            return
        begun = time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for check, (failed, seconds, reached) in zip(suites + files, pool.map(self.alone, suites + files)):
                if failed:
                    print(f"fails without a fault, left out: {check}: {failed}", flush=True)
                    continue
                self.seconds[check] = seconds
                for number in reached:
                    self.reaches[number].add(check)
        passed = f"{len(self.seconds)} of {len(suites) + len(files)} suites and sessions pass"
        print(f"without a fault: {passed} in {time.monotonic() - begun:.0f} s", flush=True)
        kept.write_text(json.dumps({"stamp": stamp, "seconds": self.seconds, "reaches": {n: sorted(r) for n, r in self.reaches.items()}}))

    # With a fault

    def rounds(self, number, place):
        """What comes to a fault: its target's own suites, other suites, sessions; the quickest first."""
        checks = sorted(self.reaches.get(number, ()), key=self.seconds.get)
        own = place.file.split("/")[2] + "Tests."
        sessions = [check for check in checks if check.endswith(".session")]
        suites = [check for check in checks if not check.endswith(".session")]
        return [[check for check in suites if check.startswith(own)], [check for check in suites if not check.startswith(own)], sessions]

    def trial(self, number, checks):
        """What failed with the fault: None where nothing did."""
        return self.watch(self.command(checks), 60 + PATIENCE * sum(self.seconds[check] for check in checks), MUTANT=str(number))
