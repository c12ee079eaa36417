"""Reads a stand-in camera (tools/peers/fake-camera.c) and prints pictures a second and processor time a picture.

The pictures are of 720p, raw and JPEG: of an empty desk, where every picture gets the whole search, and of codes as an animation shows them. The
camera makes 30 pictures a second, with and without previews, and 120, which is more than is read. Processor time is of all processes. What the
camera has and nobody takes in time is lost; only pictures that were read are counted.
"""
import os
import pathlib
import subprocess
import tempfile
import threading
import time

import numpy as np

from ..common import SHIPPED, build
from ..stand_in_camera import SIZE, environment, events, library, mjpeg, record, seen, yuyv

PICTURES = 20


def measure(program, built, device, formats, words=(), feed=None, **answers):
    """Pictures read, previews, and processor seconds of the program and its workers. The camera falls silent at the end."""
    used = os.times()
    with subprocess.Popen([program, "--events", "--camera", device, *words], env=environment(built, device, formats, **answers),
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as scanner:
        if feed:
            threading.Thread(target=feed, daemon=True).start()
        tags = list(events(scanner.stdout.read()))
    after = os.times()
    return (tags.count("p") - 1, tags.count("v"),
            after.children_user + after.children_system - used.children_user - used.children_system)


def live(device, records, rate, seconds):
    """So many records a second into the pipe; then it falls silent."""
    def feed():
        writing = os.open(device, os.O_WRONLY)
        start = time.monotonic()
        for index in range(rate * seconds):
            data = records[index % len(records)]
            while data:
                data = data[os.write(writing, data):]
            time.sleep(max(0, start + (index + 1) / rate - time.monotonic()))
        os.close(writing)
    return feed


def configure(parser):
    """Takes the length of a measurement."""
    parser.add_argument("--seconds", type=int, default=5, help="seconds of each measurement (default: 5)")


def run(options):
    """Prints the figures."""
    program = build("heliograph-scanner", *SHIPPED)
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        built, device = library(scratch), scratch / "video0"
        codes = [np.random.default_rng(index).bytes(600) for index in range(PICTURES)]
        scenes = {"empty desk": [None] * PICTURES, "codes": codes}
        forms = {"YUYV": (yuyv, f"YUYV:{SIZE[0]}x{SIZE[1]}"), "MJPEG": (mjpeg, f"MJPG:{SIZE[0]}x{SIZE[1]}")}
        for scene, contents in scenes.items():
            greys = [seen(content, seed=index) for index, content in enumerate(contents)]
            for form, (encode, formats) in forms.items():
                records = [record(encode(grey)) for grey in greys]
                for rate, words in ((30, []), (30, ["--previews"]), (120, [])):
                    device.unlink(missing_ok=True)
                    os.mkfifo(device)
                    feed = live(device, records, rate, options.seconds)
                    read, previews, used = measure(program, built, device, formats, words, feed)
                    print(f"{scene:<11} {form:<6} {read / options.seconds:5.1f} of {rate:3} a second, "
                          f"{1000 * used / max(read, 1):5.1f} ms of processor time a picture"
                          + (f", {previews / options.seconds:.1f} previews a second" if words else ""))
    return 0
