"""The two Debian packages: their control files, documents and archives. dpkg's own tools compute dependencies and make the archive; lintian judges it."""
import email.utils
import pathlib
import re
import subprocess
import tempfile
import textwrap
import time

from . import programs
from .names import CHANGELOG, Refused, environment, epoch, output
from .tree import Tree

MAINTAINER = "Heliograph maintainers <maintainers@heliograph.invalid>"
# Every package that the offline programs may depend on: none of them opens a connection. A new one is a decision, not an accident.
COLD_MAY_NEED = {"libc6", "libgcc-s1", "libpng16-16", "libqrencode4", "libseccomp2", "libsodium23", "libsqlite3-0", "libstdc++6",
                 "libturbojpeg0", "libzstd1", "libzxcvbn0", "zlib1g"}
# What heliograph-hardware alone loads. Without these libraries it does not start, and everything but a vault that is bound to hardware works: they are
# recommended, under their names in Debian 12 and 13.
HARDWARE = ["libtss2-esys-3.0.2-0 | libtss2-esys-3.0.2-0t64", "libtss2-mu0 | libtss2-mu-4.0.1-0t64", "libfido2-1"]
# What lintian would refuse, with the reason; at most five.
OVERRIDES = {
    "heliograph": [
        ("libedit, ncurses and zbar lie inside the programs on purpose: every library that is loaded slows each command,\n"
         "and the scanner loads none that it does not parse pictures with. libsecp256k1 lies inside because Debian 12 and 13\n"
         "have it under two names. Built-Using names the versions.", "embedded-library"),
        ("heliograph alone starts heliograph-hardware, and it says so to everybody else", "no-manual-page"),
    ],
    "heliograph-hot": [],
}
DESCRIPTIONS = {
    "heliograph": """air-gapped transaction signer for Substrate chains
 Heliograph reads pictures of QR codes, shows what a transaction of Polkadot,
 Kusama or another Substrate chain really does, and answers with a signature
 as a QR code. It runs on a computer that is never connected to a network.
 .
 This package has no network code. The program for the computer that is
 connected is in heliograph-hot.""",
    "heliograph-hot": """online side of the air-gapped signer Heliograph
 heliograph-hot fetches chain data, makes transactions and metadata updates
 as QR codes for a signer without a network, reads the signer's answers,
 verifies them and submits the signed transactions.
 .
 Install it on the computer that is connected, and heliograph alone on the
 one that is not.""",
}
# Swift's runtime and the packages of tools/lock lie inside the programs, too.
SWIFT_LICENCE = """Swift's runtime library, and the Swift packages that tools/lock/swift.txt of the
source names, lie inside the programs. They are under the Apache License 2.0;
the runtime and the packages of the Swift project with this exception:

  As an exception, if you use this Software to compile your source code and
  portions of this Software are embedded into the binary product as a result,
  you may redistribute such product without providing attribution as would
  otherwise be required by Sections 4(a), 4(b) and 4(d) of the License.
"""


def relations(package, binaries):
    """What dpkg-shlibdeps finds that the programs and the package's own libraries need, as Debian writes it. Debian 13 provides each name of this list, also
    where a package got another one, such as libpng16-16t64."""
    own = [library for program in binaries for library in programs.private(program)]
    excluded = [f"-x{programs.HERE.owner(library)}" for library in own] + [f"-x{names.split()[0]}" for names in HARDWARE]
    with tempfile.TemporaryDirectory() as folder:
        control = pathlib.Path(folder) / "debian/control"
        control.parent.mkdir()
        control.write_text(f"Source: heliograph\n\nPackage: {package}\nArchitecture: any\n")
        found = output("dpkg-shlibdeps", "-O", *excluded, *binaries, *own, cwd=folder, env=environment())
    return sorted(found.partition("=")[2].strip().split(", "))


def built_using(parts, at):
    """The source packages of the archives that lie inside the programs, and of the libraries beside them, with their exact versions."""
    inside = [path for program in parts for path in [*archive_paths(program, at), *programs.private(program.path, at)]]
    packages = sorted(set(map(at.owner, inside)))
    return sorted(set(map(at.source, packages))), packages


def archive_paths(program, at):
    """Where the archives inside a program are on this machine."""
    return [f"{at.folder}/{name}" for name in program.archives() if pathlib.Path(f"{at.folder}/{name}").exists()]


def installed_size(tree):
    """Kibibytes as dpkg-gencontrol counts them: files rounded up, and one for each folder."""
    return sum(-(-path.stat().st_size // 1024) for path in tree.files()) + sum(1 for path in tree.root.rglob("*") if path.is_dir()) + 1


def control(package, version, tree, fields, architecture):
    lines = {"Package": package, "Version": version, "Architecture": architecture, "Maintainer": MAINTAINER, "Installed-Size": installed_size(tree),
             **{name: ", ".join(value) for name, value in fields.items() if value}, "Section": "utils", "Priority": "optional",
             "Description": DESCRIPTIONS[package]}
    return "".join(f"{name}: {value}\n" for name, value in lines.items())


def changelog(package):
    """The changelog for users in the form that Debian's tools read: the same entries, dated by the commit."""
    found = []
    for entry in re.split(r"^## ", CHANGELOG.read_text(), flags=re.M)[1:]:
        head, _, body = entry.partition("\n")
        items = re.findall(r"^- (.*(?:\n  .*)*)", body, re.M)
        shape = {"width": 78, "initial_indent": "  * ", "subsequent_indent": "    ", "break_on_hyphens": False}
        text = "\n".join(textwrap.fill(item.replace("\n  ", " "), **shape) for item in items)
        found.append(f"{package} ({head.split()[0]}) bookworm; urgency=medium\n\n{text}\n\n -- {MAINTAINER}  {email.utils.formatdate(epoch())}\n")
    return "\n".join(found)


def copyright_text(packages, at):
    """Our licence, and the texts of the Debian packages that lie inside the programs."""
    parts = ["Heliograph is under the Apache License, Version 2.0, which is on Debian systems in\n/usr/share/common-licenses/Apache-2.0.\n\n"
             f"Copyright {time.gmtime(epoch()).tm_year} the authors of Heliograph\n", SWIFT_LICENCE]
    for package in packages:
        file = at.copyright(package)
        if not file.exists():
            raise Refused(f"{file} is not here, and a part of {package} lies inside the programs")
        parts.append(f"A part of Debian's package {package} lies inside the programs. Its copyright file\nsays:\n\n{file.read_text().rstrip()}\n")
    return ("\n" + "-" * 72 + "\n\n").join(parts)


def documents(tree, package, parts, at):
    """Changelog, copyright and overrides."""
    using, packages = built_using(parts, at)
    place = f"usr/share/doc/{package}"
    tree.packed(f"{place}/changelog", changelog(package))
    tree.put(f"{place}/copyright", copyright_text(packages, at))
    if OVERRIDES[package]:
        lines = [f"{''.join(f'# {line}' + chr(10) for line in reason.splitlines())}{package}: {tag}\n" for reason, tag in OVERRIDES[package]]
        tree.put(f"usr/share/lintian/overrides/{package}", "".join(lines))
    return using


def archive(tree, package, version, fields, target, architecture):
    """Makes the .deb. Threads and compression are fixed, because they change its bytes."""
    made = epoch()
    tree.settle(made)
    with tempfile.TemporaryDirectory() as folder:
        staged = Tree(pathlib.Path(folder) / "deb")
        for path in tree.files():
            name = path.relative_to(tree.root)
            staged.path(name).write_bytes(path.read_bytes())
            staged.path(name).chmod(path.stat().st_mode)
        staged.settle(made)
        sums = "".join(f"{output('md5sum', path).split()[0]}  {path.relative_to(tree.root)}\n" for path in tree.files())
        staged.put("DEBIAN/control", control(package, version, tree, fields, architecture))
        staged.put("DEBIAN/md5sums", sums)
        staged.settle(made)
        output("dpkg-deb", "--root-owner-group", "-Zxz", "-z6", "--threads-max=1", "--build", staged.root, target, env=environment())


def forbidden(depends):
    """The packages among these relations that the offline programs may not depend on."""
    return sorted({re.split(r"[ (:]", relation)[0] for relation in depends} - COLD_MAY_NEED)


def lintian(folder, names):
    """What lintian says of the packages; nothing when it is content."""
    words = ["lintian", "--fail-on", "error,warning", "--info", "--allow-root", *(folder / name for name in names.packages)]
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True)
    return [] if done.returncode == 0 else [f"lintian: {line}" for line in (done.stdout + done.stderr).splitlines()]
