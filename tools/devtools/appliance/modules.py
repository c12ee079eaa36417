"""The kernel's modules: the allow-list with what it depends on, and what must never be among them or built in."""
import re

from ..common import ROOT
from ..release.names import Refused, output

LISTS = ROOT / "tools/appliance"
# Drivers of networks and radios, and the stacks that they need; drivers of disks that are built into a machine; doors to its memory.
# netkit, which Debian 13 has built in, is a pair of ends of a wire between two namespaces of one machine, and drives nothing.
# udc-core is what the USB driver of a Raspberry Pi 3 names; without a function, of which none is there, it makes no device of the machine.
FORBIDDEN = re.compile(r"drivers/(?!net/netkit\.ko)(net|bluetooth|nfc|ata|nvme|firewire|thunderbolt|message|infiniband|staging)/"
                       r"|drivers/usb/(gadget(?!/udc/udc-core\.ko)|usbip|typec)/"
                       r"|drivers/scsi/(?!(scsi_mod|scsi_common|sd_mod)\.ko)|drivers/usb/net/"
                       r"|net/(bluetooth|nfc|can|ieee802154|mac802154|mac80211|wireless|rfkill|wimax|6lowpan)/")


def listed(kind):
    """Name → what it is told, of the list with this name."""
    lines = [line.split("#")[0].split() for line in (LISTS / kind).read_text().splitlines()]
    return {words[0]: " ".join(words[1:]) for words in lines if words}


def forbidden(paths):
    """The paths that must not be there."""
    return [path for path in paths if FORBIDDEN.search(path)]


def file_name(path):
    """The name of a module's file in the image, where it is not compressed."""
    return path.rpartition("/")[2].removesuffix(".xz")


def plain(path):
    """The name of a module, as it is listed."""
    return file_name(path).removesuffix(".ko").replace("-", "_")


def closure(kernel, more=None, kind="modules"):
    """Path below lib/modules/VERSION → options, in the order in which they are loaded; built-in ones are left out. `more` are modules that a test adds."""
    (folder,) = next(place for part in ("lib", "usr/lib") if (place := kernel / part / "modules").is_dir()).iterdir()
    builtin = (folder / "modules.builtin").read_text().split()
    if found := forbidden(builtin):
        raise Refused(f"the kernel has {', '.join(found)} built in")
    if not (folder / "modules.dep").exists():
        output("/sbin/depmod", "--basedir", folder.parents[2], folder.name)
    needs = {}
    for line in (folder / "modules.dep").read_text().splitlines():
        path, _, rest = line.partition(":")
        needs[path] = rest.split()
    names = {plain(path): path for path in needs}
    inside = {plain(path) for path in builtin}
    options, order = {}, []
    for name, told in (listed(kind) | (more or {})).items():
        if name in inside:
            if told:
                raise Refused(f"the module {name} is built in, so it cannot be told {told}")
            continue
        if name not in names:
            raise Refused(f"the kernel has no module {name}")
        options[names[name]] = told
        # modules.dep names what must be there first at the end.
        order += [path for path in [*reversed(needs[names[name]]), names[name]] if path not in order]
    if found := forbidden(order):
        raise Refused(f"the modules of the image would be {', '.join(found)}")
    return folder, {path: options.get(path, "") for path in order}


def load_list(order):
    """What the first process reads: the file name of each module, and what it is told."""
    return "".join(f"{file_name(path)} {told}".rstrip() + "\n" for path, told in order.items()).encode()
