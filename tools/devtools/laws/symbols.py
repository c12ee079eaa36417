"""Laws of the shipped programs: the functions and libraries that they import."""
import re

from ..release.names import output

SOCKET_SYMBOLS = {"socket", "connect", "bind", "listen", "accept", "accept4", "getaddrinfo", "sendto", "recvfrom", "sendmsg", "recvmsg",
                  "gethostbyname", "io_uring_setup", "io_uring_enter"}
# The runtime's crash handler and ArgumentParser import nothing else that could speak to another machine.
COLD_LIBRARIES = re.compile(r"^(libc|libm|libdl|libpthread|librt|ld-linux.*|libgcc_s|libstdc\+\+|libsodium|libqrencode|libpng16|libz|libsqlite3|"
                            r"libseccomp|libturbojpeg|libZXing|libzstd|libjpeg|libzxcvbn)\.so")
# Only the program that talks to hardware links what others need for that.
HARDWARE_LIBRARIES = re.compile(r"^(libtss2-esys|libtss2-mu|libtss2-sys|libcrypto|libfido2)\.so")
# What lets the tests of a debug build answer in place of hardware.
CHOOSING = ["HELIOGRAPH_TPM_EMULATOR", "HELIOGRAPH_KEY_EMULATOR", "HELIOGRAPH_TOKEN_EMULATOR", "SOFTHSM2_CONF"]
# Only the scanner's workers parse pictures and compressed data.
WORKER_LIBRARIES = re.compile(r"^(libturbojpeg|libjpeg|libZXing|libzbar|libzstd)\.so")


def check(tally, folder):
    """Every law of this file, for the programs of a static release build."""
    for program in ["heliograph", "heliograph-scanner", "heliograph-hardware"]:
        path = folder / program
        names = {line.split()[-1].split("@")[0] for line in output("nm", "-D", "--undefined-only", path).splitlines() if line.strip()}
        tally.law(f"{program} imports no socket function", sorted(names & SOCKET_SYMBOLS))
        dynamic = output("readelf", "-d", path)
        needed = re.findall(r"\(NEEDED\).*\[(.+?)\]", dynamic)
        tally.law(f"{program} binds every function when it starts", [] if "BIND_NOW" in dynamic or re.search(r"Flags:.*NOW", dynamic) else [path])
        tally.law(f"{program} links only the libraries it needs", [
            n for n in needed if not COLD_LIBRARIES.match(n) and not (program == "heliograph-hardware" and HARDWARE_LIBRARIES.match(n))])
        texts = output("strings", path)
        tally.law(f"{program} takes no variable that chooses its hardware", [name for name in CHOOSING if name in texts])
        if program == "heliograph":
            tally.law("heliograph links no library that expands or reads pictures", [n for n in needed if WORKER_LIBRARIES.match(n)])
