"""The software bill of materials: an SPDX 2.3 document of the packages, the libraries that they load or contain, and the Swift packages."""
import hashlib
import json
import re
import time

from .. import lock
from . import programs
from .debian import archive_paths
from .names import commit, epoch

LICENCE = "Apache-2.0"
NOTHING = "NOASSERTION"


def identifier(kind, name):
    return f"SPDXRef-{kind}-{re.sub(r'[^A-Za-z0-9.-]', '-', name)}"


def described(kind, name, version, supplier, at=programs.HERE, licence=NOTHING, **further):
    """A package of one architecture; the other one has a version of its own, so its identifier says which."""
    unlike = "" if at is programs.HERE else f"-{at.architecture}"
    return {"SPDXID": identifier(kind, name + unlike), "name": name, "versionInfo": version, "supplier": supplier,
            "downloadLocation": NOTHING, "filesAnalyzed": False, "licenseConcluded": NOTHING, "licenseDeclared": licence, "copyrightText": NOTHING, **further}


def debian_package(name, at):
    """A library as Debian packages it."""
    version = at.version(name)
    place = f"pkg:deb/debian/{name}@{version.replace('+', '%2B').replace(':', '%3A')}?arch={at.architecture}"
    reference = {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": place}
    return described("Debian", name, version, "Organization: Debian", at, externalRefs=[reference])


def swift_runtime(at):
    return described("Swift", "swift-runtime", at.runtime(), "Organization: Swift project", at, LICENCE)


def swift_packages(is_hot):
    """The packages of tools/lock; the offline programs contain the argument parser alone."""
    for name, pin in lock.read("swift").items():
        version, commit_of = pin.split()
        if is_hot or name == "swift-argument-parser":
            yield described("Swift", name, version, "Organization: Apple", licence=LICENCE, sourceInfo=f"git commit {commit_of}")


def file_entry(package, path, name):
    data = path.read_bytes()
    sums = [{"algorithm": kind.upper(), "checksumValue": hashlib.new(kind, data).hexdigest()} for kind in ("sha1", "sha256")]
    return {"SPDXID": identifier("File", f"{package}-{name}"), "fileName": f"./{name}", "checksums": sums, "licenseConcluded": NOTHING,
            "licenseInfoInFiles": [NOTHING], "copyrightText": NOTHING}


def document(names, trees, made, other=None):
    """The document as text. `trees` maps a package to its tree, `made` a program's name to the linked program; `other` is a tree, programs and the place of
    another architecture."""
    packages, files, relations = {}, [], []

    def relate(one, kind, other):
        relations.append({"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other})

    def add(package):
        packages.setdefault(package["SPDXID"], package)
        return package["SPDXID"]

    every = [(name, tree, made, programs.HERE) for name, tree in trees.items()] + ([("heliograph", *other)] if other else [])
    for name, tree, linked, at in every:
        owner = name if at is programs.HERE else f"{name}-{at.architecture}"
        entries = [file_entry(owner, path, path.relative_to(tree.root)) for path in tree.files()]
        code = hashlib.sha1("".join(sorted(entry["checksums"][0]["checksumValue"] for entry in entries)).encode(), usedforsecurity=False).hexdigest()
        top = add(described("Package", name, names.version, "Organization: Heliograph", at, LICENCE, sourceInfo=f"git commit {commit()}", filesAnalyzed=True,
                            packageVerificationCode={"packageVerificationCodeValue": code}))
        relate("SPDXRef-DOCUMENT", "DESCRIBES", top)
        files += entries
        for entry in entries:
            relate(top, "CONTAINS", entry["SPDXID"])
        for path in sorted((tree.root / "usr/bin").iterdir()):
            entry = file_entry(owner, path, path.relative_to(tree.root))
            loaded = {at.owner(library) for library in at.libraries(path)} | {"libc6"}
            inside = {at.owner(archive) for archive in archive_paths(linked[path.name], at)}
            for library in sorted(loaded):
                relate(entry["SPDXID"], "DYNAMIC_LINK", add(debian_package(library, at)))
            for library in sorted(inside):
                relate(entry["SPDXID"], "STATIC_LINK", add(debian_package(library, at)))
            for package in [swift_runtime(at), *swift_packages(path.name == programs.HOT_PROGRAM)]:
                if path.name != "heliograph-scanner" or package["name"] == "swift-runtime":
                    relate(entry["SPDXID"], "STATIC_LINK", add(package))
    whole = {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"heliograph-{names.version}",
        "documentNamespace": f"https://spdx.org/spdxdocs/heliograph-{names.version}-{commit()}",
        "creationInfo": {"created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(epoch())), "creators": ["Tool: heliograph-tools-dev-release"]},
        "packages": list(packages.values()), "files": files, "relationships": relations,
    }
    return json.dumps(whole, indent=1, sort_keys=True) + "\n"


def problems(path, places):
    """What is wrong with a written document: spdx-tools reads it, and it names every library that the programs load. `places` are
    trees, each with the place of its libraries."""
    from spdx_tools.spdx.parser.parse_anything import parse_file
    from spdx_tools.spdx.validation.document_validator import validate_full_spdx_document

    read = parse_file(str(path))
    found = [f"SBOM: {message.validation_message}" for message in validate_full_spdx_document(read)]
    named = {package.name for package in read.packages}
    for tree, at in places:
        for program in (tree.root / "usr/bin").iterdir():
            found += [f"SBOM: {at.owner(library)} is not named" for library in at.libraries(program) if at.owner(library) not in named]
    return found
