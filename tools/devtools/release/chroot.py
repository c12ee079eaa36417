"""Installs, uses and purges the packages in fresh systems of each Debian that they are for, without compilers, and without a network once they are installed.

The session is the README's, "A first signature", by an ordinary user with an ordinary vault: nothing is allowed that a vault for real keys does not allow.
Its chain is the fixture runtime under Polkadot's name, so that no node is needed; the practice network and its node
are made with nothing but the packages.
"""
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess

from ..common import HOT, ROOT, build, drawn_passphrase, skip
from . import debian
from .person import Person, Stuck

USER, HOME = "signer", "/home/signer"
PASSPHRASE = f"marked {drawn_passphrase(4)} 4Kq"
CALL = {"pallet": "Balances", "call": "transfer_keep_alive",
        "args": {"dest": "14E5nqKAp3oAJcmzgZhUD2RcptBeUBScxKHgJKU4HPNcKVf3", "value": "15000000000"}}
# Each release of Debian that one package is for.
RELEASES = ["bookworm", "trixie"]
PRACTICE = """set -eu
heliograph-hot practice practice
heliograph-hot practice practice --node --port 0 >url &
while [ ! -s url ]; do sleep 0.1; done
heliograph-hot fetch "$(cat url)" --name heliotest --database fetched
heliograph-hot practice practice --pay "$1"
kill $!
"""
COMPILERS = ["cc", "gcc", "clang", "swiftc", "ld", "make"]
# The release that the packages are built on.
THIS = "bookworm"
# What dpkg, apt and the system write for themselves, and the homes of users.
OWN_STATE = ("var/lib/dpkg", "var/lib/apt", "var/cache", "var/log", "proc", "sys", "dev", "run", "tmp", "home", "etc/ld.so.cache", "etc/resolv.conf")
# The kernel's file systems, and then another root. Without a network, sysfs shows none of the machine's adapters; loopback is there for the practice node.
ENTER = 'ip link set lo up && mount -t proc proc "$0/proc" && mount -t sysfs none "$0/sys" && mount --rbind /dev "$0/dev" && exec chroot "$@"'


def rewritten():
    """Folders of this machine that its git takes in place of addresses, with the settings that say so: packages of Swift may lie in one."""
    done = subprocess.run(["git", "config", "--get-regexp", r"^url\..*\.insteadof$"], capture_output=True, text=True)
    rules = [line.split(" ", 1) for line in done.stdout.splitlines()]
    rules = [(key.removeprefix("url.").removesuffix(".insteadof"), address) for key, address in rules]
    return [(folder, address) for folder, address in rules if pathlib.Path(folder).is_absolute() and pathlib.Path(folder).is_dir()]


class System:
    def __init__(self, root, release):
        self.root, self.release = root, release
        # Folders of this machine that are there too, read-only, in the same place.
        self.shared = []

    def sources(self):
        """Where this machine installs Debian's packages from, for this release, as a file."""
        etc, found = pathlib.Path("/etc/apt"), []
        for path in [etc / "sources.list", *sorted((etc / "sources.list.d").iterdir())]:
            if path.suffix in (".list", ".sources") and path.exists() and re.search(r"/debian\b", text := path.read_text()):
                found.append(text.replace(THIS, self.release))
        if not found:
            raise Stuck("this machine names no mirror of Debian in /etc/apt")
        file = self.root.with_suffix(".sources" if "URIs:" in found[0] else ".list")
        file.write_text("\n\n".join(found))
        return file

    def make(self, packages=()):
        """Installs the smallest Debian, and these packages, from where this machine installs its packages. What is thrown away need not survive a power
        failure."""
        words = ["mmdebstrap", "--variant=minbase", "--skip=cleanup/apt,check/empty", "--quiet", "--dpkgopt=force-unsafe-io",
                 *[f"--include={','.join(packages)}"] * bool(packages), self.release, self.root, self.sources()]
        done = subprocess.run(list(map(str, words)), capture_output=True, text=True)
        if done.returncode != 0:
            raise Stuck(f"mmdebstrap ended with {done.returncode}\n{done.stderr}")
        shutil.copy("/etc/resolv.conf", self.root / "etc/resolv.conf")
        for file in pathlib.Path("/etc/apt/apt.conf.d").iterdir():
            if "Acquire::" in (text := file.read_text(errors="replace")) and "Docker" not in text:
                shutil.copy(file, self.root / "etc/apt/apt.conf.d")
        self.call("useradd", "--create-home", USER)

    def words(self, *words, online=False, user="root"):
        """The command line of a command inside."""
        home = HOME if user == USER else "/root"
        bare = ["env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", f"HOME={home}", "TERM=xterm-256color", "LC_ALL=C.UTF-8", "DEBIAN_FRONTEND=noninteractive"]
        inner = ["chroot", f"--userspec={user}", self.root, *bare] if user != "root" else ["chroot", self.root, *bare]
        share = "".join(f'mkdir -p "$0{folder}" && mount --bind "{folder}" "$0{folder}" && mount -o remount,bind,ro "$0{folder}" && ' for folder in self.shared)
        return list(map(str, ["unshare", "--mount", "--pid", "--fork", *([] if online else ["--net"]), "sh", "-c", share + ENTER, self.root, *inner[1:],
                              "sh", "-c", 'cd "$HOME" && exec "$@"', "sh", *words]))

    def call(self, *words, with_errors=False, **options):
        """What a command inside prints; it must end with 0."""
        done = subprocess.run(self.words(*words, **options), capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if done.returncode != 0:
            raise Stuck(f"{' '.join(map(str, words))} ended with {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout + done.stderr if with_errors else done.stdout

    def install(self, package):
        """Installs a package with what it depends on, and gives the names of all that came."""
        before = self.packages()
        shutil.copy(package, self.root / "tmp")
        self.call("apt-get", "install", "--yes", "--quiet", "--no-install-recommends", f"/tmp/{package.name}", online=True)
        return self.packages() - before

    def packages(self):
        return set(self.call("dpkg-query", "-W", "-f", "${Package} ").split())

    def files(self):
        """Path → what it is, for all but the state of dpkg, apt and users."""
        found = {}
        for folder, folders, names in os.walk(self.root):
            relative = os.path.relpath(folder, self.root)
            folders[:] = [name for name in folders if os.path.normpath(f"{relative}/{name}") not in OWN_STATE]
            for name in folders + names:
                path, inside = pathlib.Path(folder) / name, os.path.normpath(f"{relative}/{name}")
                if inside not in OWN_STATE:
                    plain = path.is_file() and not path.is_symlink()
                    found[inside] = hashlib.sha256(path.read_bytes()).hexdigest() if plain and inside.startswith("etc/") else path.is_dir()
        return found

    def put(self, name, data):
        path = self.root / HOME.lstrip("/") / name
        path.write_bytes(data)
        path.chmod(0o644)

    def person(self, *words):
        """The user at a terminal inside, without a network."""
        return Person(self.words(*words, user=USER))

    def user(self, *words, **options):
        """A command of the user, without a network."""
        return self.call(*words, user=USER, **options)


def new_vault(system):
    """`init` and `seed new main`, as the README shows them; gives the address of the key on polkadot."""
    init = system.person("heliograph", "init")
    init.answer("new passphrase", PASSPHRASE)
    init.answer("repeat the passphrase", PASSPHRASE)
    init.done()
    seed = system.person("heliograph", "seed", "new", "main")
    seed.answer("passphrase", PASSPHRASE)
    seed.answer("0 of 50 rolls", "")
    seed.wait("Press a key")
    words = dict(re.findall(r"(\d+)\. (\w+)", "\n".join(seed.rows())))
    seed.press_until(" ", "word ")
    for _ in range(3):
        row = seed.wait("word ")
        number = re.search(r"word (\d+):", row)[1]
        seed.screen.reset()
        seed.press(words[number] + "\r")
    seed.answer("[yes/no]", "y")
    seed.done()
    keys = json.loads(system.user("heliograph", "key", "list", "--json"))["keys"]
    (address,) = [key["address"] for key in keys if key["path"] == "//polkadot"]
    return address


def first_signature(system, address):
    """Makes a transaction, signs it after the whole review, and verifies the answer; gives what the online side says."""
    system.put("call.json", json.dumps(CALL).encode())
    system.user("heliograph-hot", "import", "metadata.scale", "--network", "polkadot")
    made = system.user("heliograph-hot", "make", "transaction", "--network", "polkadot", "--signer", address, "--call", "call.json", "--nonce", "0",
                       "--out", "tx.png", with_errors=True)
    if "with a metadata proof" not in made:
        raise Stuck(f"the transaction has no metadata proof\n{made}")
    scan = system.person("heliograph", "scan", "tx.png", "--out", "signature.png")
    scan.wait("1.5 DOT")
    scan.wait("by the chain")
    scan.press("\r")
    scan.answer("Sign this?", "y")
    scan.answer("passphrase", PASSPHRASE)
    scan.done()
    return system.user("heliograph-hot", "read", "signature.png", with_errors=True)


def used(system, release):
    """What is wrong when the packages are used, as sentences."""
    address = new_vault(system)
    shield = system.user("heliograph", "shield", "show", with_errors=True).strip()
    if shield != "offline":
        yield f"without a network the shield says: {shield}"
    if "development" in system.user("heliograph", "status", with_errors=True):
        yield "the vault is a development vault"
    yield from practised(system, address)
    read = first_signature(system, address)
    if not re.search(r"^[0-9a-f]{200,}$", read, re.M) or "\n1 signature verified\n" not in read:
        yield f"heliograph-hot read says: {read}"
    for program in ("heliograph", "heliograph-scanner", "heliograph-hot"):
        said = system.user(program, "--version").splitlines()[0]
        if said != f"{program} {release.names.version} (commit {release.commit})":
            yield f"{program} --version says {said}"
    system.user("heliograph", "self-test")


def verified(system, release, public):
    """What is wrong when the installed program verifies the release, and a changed file of it."""
    home = system.root / HOME.lstrip("/")
    shutil.copytree(release.folder, home / "release")
    shutil.copy(public, home / "release.pub")
    (home / "release.pub").chmod(0o644)
    words = ["heliograph", "verify-release", "release", "--key", "release.pub"]
    said = system.user(*words, with_errors=True)
    if release.names.version not in said or release.commit not in said:
        yield f"verify-release says: {said}"
    if "is older than" in said:
        yield f"verify-release calls its own release older: {said}"
    changed = system.root / "usr/share/doc/heliograph/README.md.gz"
    kept = changed.read_bytes()
    changed.write_bytes(kept + b"\n")
    if subprocess.run(system.words(*words, user=USER), capture_output=True, stdin=subprocess.DEVNULL).returncode != 65:
        yield "verify-release does not refuse a changed file"
    changed.write_bytes(kept)


def files_of(system, release):
    """Files of MANIFEST that are not installed as it says. Two architectures install the same paths, so it is read up to the other one."""
    own = (release.folder / release.names.manifest).read_text().partition(f"# {release.names.other_cold}\n")[0]
    system.put("MANIFEST", "".join(f"{line}\n" for line in own.splitlines() if "  /" in line).encode())
    system.user("sha256sum", "--check", "--quiet", "--strict", "MANIFEST")
    return []


def practised(system, address):
    """The practice network, its node and a wallet's transaction, with nothing but the packages."""
    said = system.user("sh", "-c", PRACTICE, "sh", address, with_errors=True)
    if "practice/transaction.png: " not in said or "heliotest: metadata for heliotest 1000 at block 1000" not in said:
        yield f"practice says: {said}"


def walk(system, release, public, fixture):
    system.make()
    if found := [name for name in COMPILERS if (system.root / "usr/bin" / name).exists()]:
        yield f"the fresh system has {', '.join(found)}"
    before = system.files()
    came = system.install(release.folder / release.names.cold)
    # Debian 13 renamed libraries when the time of a 32-bit system got 64 bits; what is installed there provides the old name.
    if found := sorted({name.removesuffix("t64") for name in came} - debian.COLD_MAY_NEED - {"heliograph"}):
        yield f"the offline package brings {', '.join(found)}"
    system.install(release.folder / release.names.hot)
    system.put("metadata.scale", fixture)
    yield from files_of(system, release)
    yield from used(system, release)
    yield from verified(system, release, public)
    system.call("apt-get", "purge", "--yes", "--quiet", "heliograph", "heliograph-hot")
    system.call("apt-get", "autoremove", "--purge", "--yes", "--quiet")
    after = system.files()
    for path in sorted(before.keys() | after.keys()):
        if before.get(path) != after.get(path):
            yield f"after the purge /{path} is {'left' if path not in before else 'gone' if path not in after else 'changed'}"
    if not (system.root / HOME.lstrip("/") / ".local/share/heliograph").is_dir():
        yield "the purge took the vault"


def problems(release, public, work):
    """What is wrong with the packages in a fresh system of each release of Debian."""
    if os.geteuid() != 0:
        return skip("root for a fresh system") or []
    fixture = work / "metadata.scale"
    program = build("heliograph-fixture", *HOT)
    subprocess.run([program, "metadata", "--name", "polkadot", "--prefix", "0", "--version", "15", "--out", fixture], cwd=ROOT, check=True)

    def found(name):
        try:
            return [f"{name}: {problem}" for problem in walk(System(work / name, name), release, public, fixture.read_bytes())]
        except Stuck as stuck:
            return [f"{name}: in a fresh system: {stuck}"]

    # Each waits for the mirror more than it works.
    with concurrent.futures.ThreadPoolExecutor(len(RELEASES)) as pool:
        return [problem for problems in pool.map(found, RELEASES) for problem in problems]
