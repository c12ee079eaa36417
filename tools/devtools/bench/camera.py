"""Reads a stand-in camera (tools/peers/fake-camera.c) and prints pictures a second and processor time a picture.

Each recorded stream is read as fast as the program takes it, in 720p, as raw and as JPEG pictures: of an empty desk, where every picture gets the
whole search, and of codes as an animation shows them. Then a camera of 30 pictures a second: how much processor time a second of it takes, with and without
previews. Processor time is of all processes. What the camera has and nobody takes in time is lost; only pictures that were read are counted.
"""
import os
import pathlib
import subprocess
import tempfile
import threading
import time

from ..common import SHIPPED, build
from ..stand_in_camera import SIZE, environment, library, mjpeg, record, seen, yuyv

PICTURES = 20


def events(data):
    """Tags of the scanner's records, in order."""
    at = 0
    while at + 5 <= len(data):
        yield chr(data[at])
        at += 5 + int.from_bytes(data[at + 1:at + 5], "big")


def measure(program, built, device, formats, words=(), feed=None, **answers):
    """Pictures read, previews, seconds, and processor seconds of the program and its workers."""
    start, used = time.monotonic(), os.times()
    with subprocess.Popen([program, "--events", "--camera", device, *words], env=environment(built, device, formats, **answers),
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as scanner:
        if feed:
            threading.Thread(target=feed, daemon=True).start()
        tags = list(events(scanner.stdout.read()))
    after = os.times()
    return (tags.count("p") - 1, tags.count("v"), time.monotonic() - start,
            after.children_user + after.children_system - used.children_user - used.children_system)


def live(device, records, seconds):
    """Thirty records a second into the pipe; then the camera is unplugged."""
    def feed():
        writing = os.open(device, os.O_WRONLY)
        start = time.monotonic()
        for index in range(30 * seconds):
            data = records[index % len(records)]
            while data:
                data = data[os.write(writing, data):]
            time.sleep(max(0, start + (index + 1) / 30 - time.monotonic()))
        os.close(writing)
    return feed


def configure(parser):
    """Takes the length of the live part."""
    parser.add_argument("--seconds", type=int, default=5, help="seconds of the camera of 30 pictures a second (default: 5)")


def run(options):
    """Prints the figures."""
    program = build("heliograph-scanner", *SHIPPED)
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        built, device = library(scratch), scratch / "video0"
        scenes = {"empty desk": [seen(None, seed=i) for i in range(PICTURES)], "codes": [seen(os.urandom(600), seed=i) for i in range(PICTURES)]}
        forms = {"YUYV": (yuyv, f"YUYV:{SIZE[0]}x{SIZE[1]}"), "MJPEG": (mjpeg, f"MJPG:{SIZE[0]}x{SIZE[1]}")}
        for scene, greys in scenes.items():
            for form, (encode, formats) in forms.items():
                records = [record(encode(grey)) for grey in greys]
                device.unlink(missing_ok=True)
                device.write_bytes(b"".join(records))
                read, _, seconds, used = measure(program, built, device, formats, repeat=10, storm=0)
                print(f"{scene:<11} {form:<6} {read / seconds:6.1f} pictures a second, {1000 * used / max(read, 1):5.1f} ms of processor time a picture")
                for words in ([], ["--previews"]):
                    device.unlink()
                    os.mkfifo(device)
                    read, previews, seconds, used = measure(program, built, device, formats, words, live(device, records, options.seconds))
                    print(f"{'':<11} {form:<6} {read / options.seconds:6.1f} of 30 a second, {100 * used / options.seconds:4.0f} % of a processor"
                          + (f", {previews / options.seconds:.1f} previews a second" if words else ""))
    return 0
