"""The software bill of materials: an SPDX 2.3 document of the packages, the libraries that they load or contain, and the Swift packages."""
import hashlib
import json
import re
import time

from .. import lock
from . import programs
from .debian import archive_paths
from .names import commit, epoch, output

LICENCE = "Apache-2.0"
NOTHING = "NOASSERTION"


def identifier(kind, name):
    return f"SPDXRef-{kind}-{re.sub(r'[^A-Za-z0-9.-]', '-', name)}"


def described(kind, name, version, supplier, licence=NOTHING, **further):
    return {"SPDXID": identifier(kind, name), "name": name, "versionInfo": version, "supplier": supplier, "downloadLocation": NOTHING, "filesAnalyzed": False,
            "licenseConcluded": NOTHING, "licenseDeclared": licence, "copyrightText": NOTHING, **further}


def debian_package(name):
    """A library as Debian packages it."""
    version = output("dpkg-query", "-W", "-f", "${Version}", name)
    place = f"pkg:deb/debian/{name}@{version.replace('+', '%2B').replace(':', '%3A')}?arch=amd64"
    reference = {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": place}
    return described("Debian", name, version, "Organization: Debian", externalRefs=[reference])


def swift_runtime():
    found = re.search(r"Swift version (\S+)", output("swift", "--version"))[1]
    return described("Swift", "swift-runtime", found, "Organization: Swift project", LICENCE)


def swift_packages(is_hot):
    """The packages of tools/lock; the offline programs contain the argument parser alone."""
    for name, pin in lock.read("swift").items():
        version, commit_of = pin.split()
        if is_hot or name == "swift-argument-parser":
            yield described("Swift", name, version, "Organization: Apple", LICENCE, sourceInfo=f"git commit {commit_of}")


def file_entry(package, path, name):
    data = path.read_bytes()
    sums = [{"algorithm": kind.upper(), "checksumValue": hashlib.new(kind, data).hexdigest()} for kind in ("sha1", "sha256")]
    return {"SPDXID": identifier("File", f"{package}-{name}"), "fileName": f"./{name}", "checksums": sums, "licenseConcluded": NOTHING,
            "licenseInfoInFiles": [NOTHING], "copyrightText": NOTHING}


def document(names, trees, made):
    """The document as text. `trees` maps a package to its tree, `made` a program's name to the linked program."""
    packages, files, relations = {}, [], []

    def relate(one, kind, other):
        relations.append({"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other})

    def add(package):
        packages.setdefault(package["SPDXID"], package)
        return package["SPDXID"]

    for name, tree in trees.items():
        entries = [file_entry(name, path, path.relative_to(tree.root)) for path in tree.files()]
        code = hashlib.sha1("".join(sorted(entry["checksums"][0]["checksumValue"] for entry in entries)).encode(), usedforsecurity=False).hexdigest()
        top = add(described("Package", name, names.version, "Organization: Heliograph", LICENCE, sourceInfo=f"git commit {commit()}", filesAnalyzed=True,
                            packageVerificationCode={"packageVerificationCodeValue": code}))
        relate("SPDXRef-DOCUMENT", "DESCRIBES", top)
        files += entries
        for entry in entries:
            relate(top, "CONTAINS", entry["SPDXID"])
        for path in sorted((tree.root / "usr/bin").iterdir()):
            entry = file_entry(name, path, path.relative_to(tree.root))
            loaded = {programs.owner(library) for library in programs.libraries(path)} | {"libc6"}
            inside = {programs.owner(archive) for archive in archive_paths(made[path.name])}
            for library in sorted(loaded):
                relate(entry["SPDXID"], "DYNAMIC_LINK", add(debian_package(library)))
            for library in sorted(inside):
                relate(entry["SPDXID"], "STATIC_LINK", add(debian_package(library)))
            for package in [swift_runtime(), *swift_packages(path.name == programs.HOT_PROGRAM)]:
                if path.name != "heliograph-scanner" or package["name"] == "swift-runtime":
                    relate(entry["SPDXID"], "STATIC_LINK", add(package))
    whole = {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"heliograph-{names.version}",
        "documentNamespace": f"https://spdx.org/spdxdocs/heliograph-{names.version}-{commit()}",
        "creationInfo": {"created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(epoch())), "creators": ["Tool: heliograph-tools-dev-release"]},
        "packages": list(packages.values()), "files": files, "relationships": relations,
    }
    return json.dumps(whole, indent=1, sort_keys=True) + "\n"


def problems(path, trees):
    """What is wrong with a written document: spdx-tools reads it, and it names every library that the programs load."""
    from spdx_tools.spdx.parser.parse_anything import parse_file
    from spdx_tools.spdx.validation.document_validator import validate_full_spdx_document

    read = parse_file(str(path))
    found = [f"SBOM: {message.validation_message}" for message in validate_full_spdx_document(read)]
    named = {package.name for package in read.packages}
    for tree in trees.values():
        for program in (tree.root / "usr/bin").iterdir():
            found += [f"SBOM: {programs.owner(library)} is not named" for library in programs.libraries(program) if programs.owner(library) not in named]
    return found
