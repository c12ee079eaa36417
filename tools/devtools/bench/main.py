"""Measures the whole job on published pictures: milliseconds and memory of the programs, beside the same job by the peers."""
import os
import pathlib
import tempfile
import time

from .. import real_data as real
from ..common import Programs, bin_option, built, shared_data
from . import start


def line(name, ours, peer, peer_name):
    ratio = f"{peer / ours:6.1f} x" if peer else "     -"
    print(f"{name:58} {ours:9.1f} ms   {peer_name:34} {peer or 0:9.1f} ms   {ratio}")


def peer_animation(data):
    """The same job by zxing-cpp, the raptorq crate and schnorrkel, in one Python process, pictures decoded by Pillow."""
    import sr25519

    began = time.perf_counter()
    payload, _ = real.peers.published(data / "qr/polkadot_metadata_9190.apng")
    signed, signature, key = payload[35:-64], payload[-64:], payload[3:35]
    assert sr25519.verify(signature, signed, key)
    return (time.perf_counter() - began) * 1000, payload


def measure(binaries, data):
    heliograph = pathlib.Path(binaries) / "heliograph"
    program = Programs()
    print(start.told(*start.measured(program, heliograph)))
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        signer = real.Signer(binaries, work / "vault").make("--networks", "none")
        signer.must("scan", data / "qr/polkadot_specs.png", "--approve")
        peer, payload = peer_animation(data)
        ours, minimum, peak = program(heliograph, "inspect", data / "qr/polkadot_metadata_9190.apng", "--vault", work / "vault")
        line("real animation, pictures to verified payload (inspect)", ours, peer, "zxing-cpp + raptorq + schnorrkel")
        print(f"{'':58} {minimum:9.1f} ms at least, goal 250 on two free cores; largest process {peak:.0f} MB")
        signer.must("scan", data / "qr/polkadot_metadata_9190.apng", "--approve")
        blob = payload[35:-96][4:]
        began = time.perf_counter()
        runtime = real.Runtime(blob, 0)
        call = runtime.call("Balances", "transfer_keep_alive", dest="0x" + real.BOB.hex(), value=12_345_678_901)
        peer = (time.perf_counter() - began) * 1000
        transfer, _ = real.transaction(call, 9190, 12)
        ours, minimum, peak = program(heliograph, "inspect", "--hex", transfer.hex(), "--vault", work / "vault")
        line("inspect of a transfer, metadata loaded from the vault", ours, peer, "scalecodec: load metadata, 1 call")
        print(f"{'':58} {minimum:9.1f} ms at least, goal 10; {program.processor:.1f} ms of processor time; largest process {peak:.0f} MB")
        signer.must("seed", "restore", "dev", phrase=real.PHRASE)
        signer.must("key", "derive", "dev", "//Alice", "--network", "polkadot")
        (work / "passphrase").write_text(signer.passphrase + "\n")
        (work / "passphrase").chmod(0o600)
        # The cheap cost of a development vault stands for the KDF; what remains is the work of the scan itself.
        scan = 'exec "$0" scan --hex "$1" --vault "$2/vault" --approve --replace --out "$2/signature.png" --passphrase-fd 3 3<"$2/passphrase"'
        ours, minimum, peak = program("sh", "-c", scan, heliograph, transfer.hex(), work)
        line("scan: review, sign, verify, log, draw, with a cheap KDF", ours, None, "-")
        print(f"{'':58} {minimum:9.1f} ms at least, largest process {peak:.0f} MB")


configure = bin_option


def run(options):
    print(f"cores {os.cpu_count()}, load {os.getloadavg()[0]:.1f}, programs of {options.bin or '.build-static/release'}")
    if not shared_data().is_dir():
        print("skipped: no shared data")
        return
    # The program starts the scanner that lies beside it.
    built("heliograph-scanner", options.bin)
    measure(built("heliograph", options.bin).parent, shared_data())
