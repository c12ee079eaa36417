"""Makes a release folder: builds, stages the two packages and the relocatable archive, and writes what describes them."""
import importlib.util
import pathlib
import re
import shutil
import subprocess

from ..appliance import build as appliance
from ..common import ROOT
from . import debian, programs, sbom, seal
from .names import Names, Refused, commit, environment, epoch
from .tree import Tree, compressed

DOCUMENTS = {"README.md": ROOT / "README.md", "SECURITY.md": ROOT / ".github/SECURITY.md"}
UNIT = ROOT / "tools/heliograph-hot-watch.service"


def said(program, *words):
    """What a program of the release prints; it runs without the environment."""
    bare = {"env": {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent"}, "stdin": subprocess.DEVNULL}
    return subprocess.run([str(program), *words], check=True, capture_output=True, text=True, **bare).stdout


def pages(folder):
    """Name (heliograph.1) → source of every manual page, made from the programs in a folder."""
    if importlib.util.find_spec("devtools.manual") is None:
        return {}
    from .. import manual

    return manual.pages(folder)


def guides(kind):
    """Name → the guides beside the code, or their pictures, where they are."""
    return {path.name: path for path in sorted((ROOT / "Sources/Programs/heliograph/heliograph.docc").glob(f"*.{kind}"))}


def place_pages(tree, found, is_hot):
    """The pages of the programs; formats of files are the offline side's."""
    for name, text in sorted(found.items()):
        if name.startswith("heliograph-hot") == is_hot:
            tree.packed(f"usr/share/man/man{name.rpartition('.')[2]}/{name}", text)


def stage_cold(tree, made, found, speaker, at=programs.HERE):
    """The offline package. `speaker` is a program of the same commit that runs here: it says the completions."""
    for name in sorted(made.keys() & set(programs.COLD_PROGRAMS)):
        own = programs.private(made[name].path, at)
        programs.place(made[name], tree.path(f"usr/bin/{name}"), programs.PRIVATE_FOLDER if own else None, at)
        for library in own:
            tree.put(f"{programs.PRIVATE_FOLDER.lstrip('/')}/{pathlib.Path(library).name}", pathlib.Path(library).read_bytes())
    places = {"bash": ["bash-completion/completions/heliograph", "bash-completion/completions/heliograph-scanner"],
              "zsh": ["zsh/vendor-completions/_heliograph"],
              "fish": ["fish/vendor_completions.d/heliograph.fish", "fish/vendor_completions.d/heliograph-scanner.fish"]}
    for shell, files in places.items():
        for file in files:
            tree.put(f"usr/share/{file}", said(speaker, "completions", shell))
    for name, source in {**DOCUMENTS, **guides("md")}.items():
        tree.packed(f"usr/share/doc/heliograph/{name}", source.read_bytes())
    for name, source in guides("png").items():
        tree.put(f"usr/share/doc/heliograph/{name}", source.read_bytes())
    place_pages(tree, found, is_hot=False)


def stage_hot(tree, made, found):
    programs.place(made[programs.HOT_PROGRAM], tree.path(f"usr/bin/{programs.HOT_PROGRAM}"), None)
    main = tree.root / "usr/bin" / programs.HOT_PROGRAM
    places = {"bash": "bash-completion/completions/heliograph-hot", "zsh": "zsh/vendor-completions/_heliograph-hot",
              "fish": "fish/vendor_completions.d/heliograph-hot.fish"}
    for shell, file in places.items():
        # The script is read by a shell and not run, so its first line must not say by what.
        tree.put(f"usr/share/{file}", re.sub(r"\A#!.*\n+", "", said(main, "help", "completions", shell)))
    # An example, not a unit that is there at once: it needs a user of its own and the networks that it watches.
    tree.put(f"usr/share/doc/heliograph-hot/examples/{UNIT.name}", UNIT.read_bytes())
    place_pages(tree, found, is_hot=True)


def stage_portable(tree, made, cold, at=programs.HERE):
    """The relocatable archive: programs, the libraries that they load besides the C library, and the offline package's documents."""
    for name in programs.IMAGE_PROGRAMS:
        programs.place(made[name], tree.path(f"bin/{name}"), "$ORIGIN/../lib", at)
        for library in at.libraries(cold.root / "usr/bin" / name):
            tree.put(f"lib/{pathlib.Path(library).name}", pathlib.Path(library).read_bytes())
            package = at.owner(library)
            tree.put(f"share/doc/{package}/copyright", at.copyright(package).read_bytes())
    for part in ("man", "bash-completion", "zsh", "fish"):
        if (cold.root / "usr/share" / part).exists():
            shutil.copytree(cold.root / "usr/share" / part, tree.root / "share" / part)
    for file in ("README.md", "LICENSE"):
        tree.put(file, (ROOT / file).read_bytes())
    tree.put("share/doc/heliograph/copyright", (cold.root / "usr/share/doc/heliograph/copyright").read_bytes())


def source_archive(names, target):
    """The source of the commit, as git archives it; its files have the commit's time."""
    words = ["git", "archive", "--format=tar", f"--prefix=heliograph-{names.version}/", "HEAD"]
    packed = subprocess.run(words, cwd=ROOT, check=True, capture_output=True, env=environment()).stdout
    target.write_bytes(compressed(packed))


class Release:
    """A release folder and the trees that it was made from."""

    def __init__(self, folder, work, is_test, other=None):
        """`other` is a folder with the programs for arm64, which were linked with the same commit inside."""
        self.names, self.folder, self.work, self.is_test = Names(other is not None), folder, work, is_test
        self.commit, self.linked_elsewhere = commit(), other

    def make(self):
        """Writes every file but the signature."""
        names, work = self.names, self.work
        linked = work / "linked"
        linked.mkdir()
        self.made = programs.build(self.commit, linked, self.is_test)
        found = pages(self.programs_together())
        self.cold, self.hot, self.portable = Tree(work / "cold"), Tree(work / "hot"), Tree(work / names.folder)
        stage_cold(self.cold, self.made, found, self.made["heliograph"].path)
        stage_hot(self.hot, self.made, found)
        self.folder.mkdir(parents=True)
        self.package(self.cold, "heliograph", programs.COLD_PROGRAMS, names.cold, {"Recommends": debian.HARDWARE}, [])
        self.package(self.hot, "heliograph-hot", (programs.HOT_PROGRAM,), names.hot, {"Recommends": ["ca-certificates"], "Suggests": ["nodejs (>= 18)"]},
                     [f"heliograph (= {names.version})"])
        stage_portable(self.portable, self.made, self.cold)
        self.pack(self.portable, names.portable)
        self.other = self.for_arm64(found) if self.linked_elsewhere else None
        source_archive(names, self.folder / names.source)
        # A test compresses less: nobody downloads it.
        appliance.build(work / "image", appliance.QUICK if self.is_test else appliance.FULL, self.made)
        shutil.move(work / "image" / appliance.IMAGE, self.folder / names.image)
        (self.folder / names.sbom).write_text(sbom.document(names, self.trees, self.made, self.other))
        others = (self.other[0], self.other_portable) if self.other else ()
        (self.folder / names.manifest).write_text(seal.manifest(names, self.cold, self.hot, self.portable, others))
        seal.sums(names, self.folder)
        return self

    def pack(self, tree, name):
        """A relocatable archive, with the checksums of its files inside."""
        tree.settle(epoch())
        (tree.root / "SHA256SUMS").write_text(tree.sums("./"))
        tree.settle(epoch())
        tree.pack(self.folder / name, epoch())

    def for_arm64(self, found):
        """The offline package and the archive for arm64: tree, programs and the place of the libraries."""
        from ..arm64.place import Sysroot

        at, names = Sysroot(), self.names
        linked = {name: programs.Program(self.linked_elsewhere / name, self.linked_elsewhere / f"{name}.map") for name in programs.COLD_PROGRAMS}
        tree, self.other_portable = Tree(self.work / "cold-arm64"), Tree(self.work / names.other_folder)
        stage_cold(tree, linked, found, self.made["heliograph"].path, at)
        self.package(tree, "heliograph", programs.COLD_PROGRAMS, names.other_cold, {"Recommends": debian.HARDWARE}, [], linked, at)
        stage_portable(self.other_portable, linked, tree, at)
        self.pack(self.other_portable, names.other_portable)
        return tree, linked, at

    @property
    def trees(self):
        """Package → tree."""
        return {"heliograph": self.cold, "heliograph-hot": self.hot}

    def programs_together(self):
        """A folder with all programs side by side, as a manual page's source asks them."""
        folder = self.work / "together"
        folder.mkdir()
        for name, program in self.made.items():
            (folder / name).symlink_to(program.path)
        return folder

    def package(self, tree, package, binaries, file, fields, depends, made=None, at=programs.HERE):
        """Finishes one package."""
        using = debian.documents(tree, package, [(made or self.made)[name] for name in binaries], at)
        if at is programs.HERE:
            needs = depends + debian.relations(package, [tree.root / "usr/bin" / name for name in binaries])
        else:
            known = debian.relations(package, [self.cold.root / "usr/bin" / name for name in binaries])
            needs = at.relations([tree.root / "usr/bin" / name for name in binaries], known)
        if package == "heliograph" and (found := debian.forbidden(needs)):
            raise Refused(f"the offline package would depend on {', '.join(found)}: see COLD_MAY_NEED in tools/devtools/release/debian.py")
        fields = {"Depends": needs, **fields, "Built-Using": using}
        debian.archive(tree, package, self.names.version, fields, self.folder / file, at.architecture)
