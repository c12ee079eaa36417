"""Shows a camera's video of the published animation at 30 pictures a second and prints how long after the last needed one it is read.

The video is 1280x720 on standard input, as `ffmpeg -f yuv4mpegpipe` writes it: the code on a screen, tilted, out of focus, grainy,
unevenly lit, each of its frames for N pictures (1), beginning anywhere. Which picture is the last needed one is found with the PyPI
raptorq decoder, which gets every symbol as it is shown. `--length` prints instead the peak of the scanner's memory, all of its
processes together, for videos of these lengths that never end in a payload; `--animated` does so for animated PNG files of these sizes.
Needs numpy, pillow, psutil, raptorq and zxing-cpp.
"""
import itertools
import struct
import subprocess
import tempfile
import threading
import time
import zlib

import numpy as np
import psutil
import raptorq
import zxingcpp
from PIL import Image, ImageFilter

from ..common import ROOT, shared_data

RATE = 30
SIZE = (1280, 720)


class Camera:
    """Pictures of module matrices: the same view all the time, grain of its own for each picture."""

    def __init__(self, seed):
        self.random = np.random.default_rng(seed)
        self.grain = [self.random.normal(0, 6, SIZE[::-1]) for _ in range(8)]
        y, x = np.mgrid[0:SIZE[1], 0:SIZE[0]]
        self.light = 0.65 + 0.35 * x / SIZE[0]
        # Where the corners of the code's square lie in the picture: tilted both ways and turned a little.
        self.corners = np.array([(400, 75), (905, 110), (880, 640), (375, 600)], float)

    def matrix(self, side):
        """Pillow's eight numbers, from a place in the picture to one in the square."""
        rows = []
        for (x, y), (u, v) in zip(self.corners, [(0, 0), (side, 0), (side, side), (0, side)]):
            rows += [([x, y, 1, 0, 0, 0, -u * x, -u * y], u), ([0, 0, 0, x, y, 1, -v * x, -v * y], v)]
        return np.linalg.solve(np.array([row for row, _ in rows]), np.array([value for _, value in rows]))

    def picture(self, modules):
        square = Image.fromarray(np.kron(np.where(modules > 127, 225, 25).astype(np.uint8), np.ones((8, 8), np.uint8)))
        view = square.transform(SIZE, Image.PERSPECTIVE, self.matrix(square.width), Image.BILINEAR, fillcolor=110)
        sharp = np.asarray(view.filter(ImageFilter.GaussianBlur(0.9)), float)
        grain = np.roll(self.grain[self.random.integers(8)], self.random.integers(0, 700), 0)
        return np.clip(sharp * self.light + grain, 0, 255).astype(np.uint8).tobytes()


class Peak(threading.Thread):
    """Memory of a process and its children together, the most that was seen: private pages and its share of the others."""

    def __init__(self, process):
        super().__init__(daemon=True)
        self.process, self.bytes = psutil.Process(process), 0
        self.start()

    def run(self):
        while True:
            try:
                tree = [self.process, *self.process.children(recursive=True)]
                self.bytes = max(self.bytes, sum(one.memory_full_info().pss for one in tree))
            except psutil.Error:
                if not self.process.is_running():
                    return
            time.sleep(0.02)


def load(path):
    """Module matrices and bytes of the animation's frames."""
    animation = Image.open(path)
    for index in range(animation.n_frames):
        animation.seek(index)
        grey = np.asarray(animation.convert("L"))
        yield grey[2::4, 2::4], zxingcpp.read_barcodes(grey, formats=zxingcpp.BarcodeFormat.QRCode)[0].bytes


def last_needed(order):
    """Index in `order` of the frame with which the payload is complete."""
    decoder = None
    for index, data in enumerate(order):
        length, packet = struct.unpack(">I", data[:4])[0] & 0x7FFFFFFF, data[4:]
        decoder = decoder or raptorq.Decoder.with_defaults(length, len(packet) - 4)
        if decoder.decode(packet) is not None:
            return index
    raise SystemExit("bench-live: the animation never completes its payload")


def start(*words):
    process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    process.stdin.write(b"YUV4MPEG2 W%d H%d F%d:1 Ip A1:1 Cmono\n" % (*SIZE, RATE))
    return process


def write(process, picture):
    try:
        process.stdin.write(b"FRAME\n" + picture)
        process.stdin.flush()
        return True
    except BrokenPipeError:
        return False


def live(program, animation, seed, each):
    frames = list(load(animation))
    first = int(np.random.default_rng(seed).integers(len(frames)))
    frames = frames[first:] + frames[:first]
    needed = last_needed([data for _, data in frames])
    camera = Camera(seed)
    pictures = [camera.picture(modules) for modules, _ in frames[:needed + 90] for _ in range(each)]
    process = start(program, "inspect", "-", "--json")
    output = []
    reader = threading.Thread(target=lambda: output.append(process.stdout.read()))
    reader.start()
    peak, begin, shown = Peak(process.pid), time.perf_counter(), None
    for index, picture in enumerate(pictures):
        time.sleep(max(0, begin + index / RATE - time.perf_counter()))
        if not write(process, picture):
            break
        if index == each * needed + each - 1:
            shown = time.perf_counter()
    process.wait()
    end = time.perf_counter()
    reader.join()
    if b'"bytes" : ' not in output[0]:
        raise SystemExit("bench-live: the payload was not read in all of the video")
    print(f"payload of {needed + 1} frames at {RATE} pictures a second: complete and printed {end - (shown or end):+.2f} s after the last needed "
          f"picture, {end - begin:.1f} s after the first; peak of all processes {peak.bytes / 1e6:.0f} MB")


def memory(program, animation, lengths):
    frames = [frame for frame, _ in itertools.islice(load(animation), 40)]
    camera = Camera(1)
    pictures = [bytearray(camera.picture(modules)) for modules in frames]
    for length in lengths:
        process = start(program, "--frames-out", "-")
        peak = Peak(process.pid)
        threading.Thread(target=process.stdout.read, daemon=True).start()
        for index in range(length):
            picture = pictures[index % len(pictures)]
            # No two pictures are the same, so that none is skipped.
            picture[:4] = struct.pack(">I", index)
            if not write(process, picture):
                break
        process.stdin.close()
        process.wait()
        print(f"video of {length} pictures: peak of all scanner processes {peak.bytes / 1e6:.0f} MB", flush=True)


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def animated(pictures, limit):
    """An animated PNG of grainy pictures, as many as fit in `limit` bytes."""
    frames, size = [], 0
    for picture in pictures:
        rows = np.frombuffer(picture, np.uint8).reshape(SIZE[::-1])
        data = zlib.compress(np.pad(rows, ((0, 0), (1, 0))).tobytes(), 1)
        size += len(data) + 100
        if size > limit:
            break
        frames.append(data)
    file = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", *SIZE, 8, 0, 0, 0, 0)) + chunk(b"acTL", struct.pack(">II", len(frames), 0))
    numbers = itertools.count()
    for index, data in enumerate(frames):
        file += chunk(b"fcTL", struct.pack(">IIIIIHHBB", next(numbers), *SIZE, 0, 0, 1, RATE, 0, 0))
        file += chunk(b"IDAT", data) if index == 0 else chunk(b"fdAT", struct.pack(">I", next(numbers)) + data)
    return file, len(frames)


def animation_memory(program, animation, sizes):
    camera = Camera(1)
    frames = [frame for frame, _ in itertools.islice(load(animation), 40)]
    for size in sizes:
        file, count = animated((camera.picture(modules) for modules in itertools.cycle(frames)), size << 20)
        with tempfile.NamedTemporaryFile(suffix=".png") as stored:
            stored.write(file)
            stored.flush()
            process = subprocess.Popen([program, "--frames-out", stored.name], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            peak = Peak(process.pid)
            process.wait()
        print(f"animated PNG of {len(file) / 1e6:.0f} MB, {count} pictures: peak of all scanner processes {peak.bytes / 1e6:.0f} MB", flush=True)


def configure(parser):
    """Takes the program, the video and what to measure."""
    parser.add_argument("--bin", default=str(ROOT / ".build/release"), help="folder of the built programs (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the camera (default: %(default)s)")
    parser.add_argument("--animation", default=str(shared_data() / "qr/polkadot_metadata_9190.apng"), help="animated PNG (default: %(default)s)")
    parser.add_argument("--each", type=int, default=1, help="pictures of each frame (default: %(default)s)")
    parser.add_argument("--length", type=int, nargs="*", default=[], metavar="PICTURES", help="print the memory for videos of these lengths instead")
    parser.add_argument("--animated", type=int, nargs="*", default=[], metavar="MB", help="print the memory for animated PNG files of these sizes instead")


def run(options):
    """Prints one measurement."""
    if options.length:
        memory(options.bin + "/heliograph-scanner", options.animation, options.length)
    elif options.animated:
        animation_memory(options.bin + "/heliograph-scanner", options.animation, options.animated)
    else:
        live(options.bin + "/heliograph", options.animation, options.seed, options.each)
