"""Degrades pictures of QR frames with fixed seeds and prints how many each reader reads, and milliseconds a picture.

Readers: plain libzbar (`heliograph-scanner --decoder zbar`), PyPI zxing-cpp, and this program. `--rungs` prints instead what each
step of the decoder's ladder reads alone (needs the product optics-peer). Frames come from --animation, else from the published
animation of the shared data, else they are made from random bytes. Needs numpy, pillow, segno and zxing-cpp.
"""
import collections
import io
import os
import pathlib
import struct
import subprocess
import tempfile
import time

import numpy as np
import zxingcpp
from PIL import Image, ImageDraw

from ..common import ROOT, shared_data

QR = zxingcpp.BarcodeFormat.QRCode


def frames(path, count, seed):
    """Module matrices with their bytes; each frame once, so that its bytes name the picture."""
    rng = np.random.default_rng(seed)
    if path:
        animation = Image.open(path)
        for index in sorted(rng.choice(animation.n_frames, min(count, animation.n_frames), replace=False)):
            animation.seek(int(index))
            grey = np.asarray(animation.convert("L"))
            yield grey[2::4, 2::4], zxingcpp.read_barcodes(grey, formats=QR)[0].bytes
    else:
        import segno
        for _ in range(count):
            data = rng.bytes(1080)
            modules = np.array([list(row) for row in segno.make_qr(data, error="l", mode="byte", boost_error=False).matrix])
            yield np.pad(np.where(modules == 1, 0, 255).astype(np.uint8), 4, constant_values=255), data


def camera(modules, pixels, rng, roll=0.0, yaw=0.0, pitch=0.0, black=0, white=255, margin=6):
    """The code as a pinhole camera two code widths away sees it, on grey; four samples a pixel both ways."""
    side, fine = modules.shape[0], 4
    roll, yaw, pitch = np.radians([roll, yaw, pitch])
    turn = (np.array([[1, 0, 0], [0, np.cos(pitch), -np.sin(pitch)], [0, np.sin(pitch), np.cos(pitch)]])
            @ np.array([[np.cos(yaw), 0, np.sin(yaw)], [0, 1, 0], [-np.sin(yaw), 0, np.cos(yaw)]])
            @ np.array([[np.cos(roll), -np.sin(roll), 0], [np.sin(roll), np.cos(roll), 0], [0, 0, 1]]))
    distance = 2.0 * side
    # A homography from the plane of the code (in modules, middle at 0) to the picture (in pixels, middle at 0).
    plane = np.array([[turn[0, 0], turn[0, 1], 0], [turn[1, 0], turn[1, 1], 0], [turn[2, 0] / distance, turn[2, 1] / distance, 1]])
    plane[:2] *= pixels
    corners = plane @ np.array([[-1, 1, 1, -1], [-1, -1, 1, 1], [2 / side] * 4]) * (side / 2)
    corners = corners[:2] / corners[2]
    low = corners.min(1) - margin * pixels - rng.random(2)
    width, height = np.ceil(corners.max(1) + margin * pixels - low).astype(int)
    y, x = np.mgrid[0:height * fine, 0:width * fine].astype(np.float64)
    points = np.linalg.inv(plane) @ np.stack([(x.ravel() + 0.5) / fine + low[0], (y.ravel() + 0.5) / fine + low[1], np.ones(x.size)])
    u, v = (np.floor(points[i] / points[2] + side / 2).astype(int) for i in (0, 1))
    inside = (u >= 0) & (v >= 0) & (u < side) & (v < side)
    values = np.full(x.size, 110.0)
    values[inside] = np.where(modules[v[inside], u[inside]] > 127, white, black)
    return values.reshape(height, fine, width, fine).mean((1, 3)).astype(np.uint8)


def blur(image, sigma):
    """A Gaussian, exactly: the library's own is made of boxes."""
    reach = int(4 * sigma + 1)
    kernel = np.exp(-0.5 * (np.arange(-reach, reach + 1) / sigma) ** 2)
    kernel /= kernel.sum()
    padded = np.pad(image.astype(np.float64), reach, mode="edge")
    rows = sum(weight * padded[:, i:i + image.shape[1]] for i, weight in enumerate(kernel))
    return sum(weight * rows[i:i + image.shape[0]] for i, weight in enumerate(kernel)).round().astype(np.uint8)


def noise(image, sigma, rng):
    return np.clip(image + rng.normal(0, sigma, image.shape), 0, 255).astype(np.uint8)


def jpeg(image, quality):
    buffer = io.BytesIO()
    Image.fromarray(image).save(buffer, "JPEG", quality=quality)
    return np.asarray(Image.open(buffer).convert("L"))


def light(image, minimum, rng):
    """Brightness falls to `minimum` across the picture in a random direction."""
    angle = rng.random() * 2 * np.pi
    y, x = np.mgrid[0:image.shape[0], 0:image.shape[1]]
    ramp = x / image.shape[1] * np.cos(angle) + y / image.shape[0] * np.sin(angle)
    ramp = (ramp - ramp.min()) / (ramp.max() - ramp.min())
    return (image * (minimum + (1 - minimum) * ramp)).astype(np.uint8)


def hand(image, share, rng):
    """A rounded shape of one brightness over `share` of the width, anywhere but on the corner patterns."""
    height, width = image.shape
    radius = share * width / 2
    cx, cy = width * (0.4 + 0.2 * rng.random()), height * (0.4 + 0.2 * rng.random())
    y, x = np.mgrid[0:height, 0:width]
    result = image.copy()
    result[(x - cx) ** 2 + (y - cy) ** 2 < radius ** 2] = rng.integers(60, 200)
    return result


def desk(rng):
    """1280x720 with shapes like furniture and lines of print."""
    coarse = np.clip(rng.normal(110, 40, (12, 20)), 0, 255).astype(np.uint8)
    picture = Image.fromarray(coarse).resize((1280, 720), Image.BICUBIC)
    draw = ImageDraw.Draw(picture)
    for _ in range(60):
        x, y, width, height = (int(rng.integers(0, most)) for most in (1280, 720, 120, 40))
        draw.rectangle([x, y, x + width, y + height], fill=int(rng.integers(0, 256)))
    for _ in range(12):
        words = "".join(chr(97 + value) if value < 26 else " " for value in rng.integers(0, 30, 60))
        draw.text((int(rng.integers(0, 900)), int(rng.integers(0, 700))), words, fill=int(rng.integers(0, 80)))
    return np.asarray(picture)


def on_desk(image, rng):
    picture = desk(rng).copy()
    height, width = min(image.shape[0], 720), min(image.shape[1], 1280)
    top, left = rng.integers(0, 720 - height + 1), rng.integers(0, 1280 - width + 1)
    picture[top:top + height, left:left + width] = image[:height, :width]
    return picture


def wall(rng):
    y, x = np.mgrid[0:720, 0:1280]
    return noise(120 + 60 * x / 1280 + 20 * y / 720, 6, rng)


def phone(modules, level, rng, context=lambda image, rng: image):
    pixels, roll, yaw, pitch, sigma, grain, minimum, quality = {
        1: (4.0, 4, 6, 6, 0.8, 4, 0.8, 70), 2: (3.5, 8, 10, 9, 0.9, 7, 0.65, 60), 3: (3.0, 12, 14, 11, 1.0, 9, 0.55, 50),
        4: (2.75, 16, 18, 13, 1.0, 11, 0.5, 40)}[level]
    def swing(most):
        return float(rng.choice([-1, 1]) * most * (0.5 + rng.random() / 2))
    image = context(camera(modules, pixels, rng, swing(roll), swing(yaw), swing(pitch), 25, 225), rng)
    return jpeg(noise(light(blur(image, sigma), minimum, rng), grain, rng), quality)


def sets():
    """Name and function (modules, generator) -> picture, easy ones first in each family."""
    for pixels in (4, 3, 2, 1.5):
        yield f"module={pixels}px", lambda m, r, p=pixels: camera(m, p, r)
    for degrees in (5, 20, 45):
        yield f"rotation={degrees}", lambda m, r, d=degrees: camera(m, 4, r, roll=d)
    for degrees in (10, 30, 45):
        yield f"perspective={degrees}", lambda m, r, d=degrees: camera(m, 4, r, yaw=d) if r.random() < 0.5 else camera(m, 4, r, pitch=-d)
    for sigma in (1.0, 1.6, 2.2):
        yield f"blur={sigma}", lambda m, r, s=sigma: blur(camera(m, 4, r), s)
    for sigma in (20, 40, 60):
        yield f"noise={sigma}", lambda m, r, s=sigma: noise(camera(m, 4, r), s, r)
    for quality in (70, 40):
        yield f"jpeg={quality}", lambda m, r, q=quality: jpeg(camera(m, 3, r), q)
    for minimum in (0.5, 0.2):
        yield f"light={minimum}", lambda m, r, g=minimum: light(camera(m, 4, r), g, r)
    for share in (0.08, 0.16):
        yield f"occlusion={share}", lambda m, r, s=share: hand(camera(m, 4, r), s, r)
    for level in (1, 2, 3, 4):
        yield f"phone={level}", lambda m, r, v=level: phone(m, v, r)
    for level in (2, 3, 4):
        yield f"desk={level}", lambda m, r, v=level: phone(m, v, r, on_desk)
    for sigma, grain in ((4, 0), (5, 20)):
        yield f"near={sigma},{grain}", lambda m, r, s=sigma, g=grain: noise(blur(camera(m, 12, r), s), g, r)
    yield "no code: desk", lambda m, r: jpeg(noise(desk(r), 7, r), 60)
    yield "no code: wall", lambda m, r: jpeg(wall(r), 60)


def scanner(program, folder, *options):
    """The distinct byte strings that the program reads from a folder, and seconds."""
    start = time.perf_counter()
    output = subprocess.run([program, "--frames-out", *options, folder], capture_output=True).stdout
    elapsed, codes = time.perf_counter() - start, set()
    while output:
        length, = struct.unpack(">I", output[:4])
        codes.add(output[4:4 + length])
        output = output[4 + length:]
    return codes, elapsed


def peer(folder):
    start, codes = time.perf_counter(), set()
    for path in sorted(pathlib.Path(folder).iterdir()):
        codes.update(code.bytes for code in zxingcpp.read_barcodes(np.asarray(Image.open(path)), formats=QR))
    return codes, time.perf_counter() - start


def rungs(program, folder, total):
    """What each step reads alone, what no step before it reads, and what no other step reads."""
    lines = subprocess.run([program, *sorted(map(str, pathlib.Path(folder).iterdir()))], capture_output=True, text=True).stdout
    cost, alone, first, only = (collections.Counter() for _ in range(4))
    for line in lines.splitlines():
        reads = []
        for name, result in (field.split("=") for field in line.split(" ")[1:]):
            cost[name] += float(result.split("/")[1])
            if int(result.split("/")[0]) > 0:
                reads.append(name)
        alone.update(reads)
        first.update(reads[:1])
        if len(reads) == 1:
            only.update(reads)
        else:
            total["pictures that no step read"] += not reads
    for name in cost:
        total[name, "alone"] += alone[name]
        total[name, "first"] += first[name]
        total[name, "only"] += only[name]
        total[name, "ms"] += cost[name]
        total[name, "pictures"] += len(lines.splitlines())
    return "  ".join(f"{name} {alone[name]}/{first[name]}/{only[name]}" for name in cost)


def rung_totals(total):
    print("step, pictures that it reads alone / that no step before it reads / that no other step reads, milliseconds a picture")
    for name in dict.fromkeys(key[0] for key in total if isinstance(key, tuple)):
        print(f"{name:24} {total[name, 'alone']:4} {total[name, 'first']:4} {total[name, 'only']:4} "
              f"{total[name, 'ms'] / total[name, 'pictures']:7.1f} ms of {total[name, 'pictures']}")
    print("pictures that no step read:", total["pictures that no step read"])


def clean(modules):
    picture = np.full((720, 1280), 255, np.uint8)
    code = np.kron(modules, np.ones((4, 4), np.uint8))[:720]
    picture[(720 - code.shape[0]) // 2:][:code.shape[0], (1280 - code.shape[1]) // 2:][:, :code.shape[1]] = code
    return picture


def rate(program, source):
    """Pictures a second on one core: clean 1280x720, each once, as a video and as PNG files; the peer gets the video as arrays."""
    pictures = [clean(modules) for modules, _ in source]
    os.sched_setaffinity(0, {0})
    with tempfile.TemporaryDirectory() as folder:
        stills = pathlib.Path(folder, "stills")
        stills.mkdir()
        with open(f"{folder}/clean.y4m", "wb") as file:
            file.write(b"YUV4MPEG2 W1280 H720 F30:1 Ip A1:1 Cmono\n")
            for index, picture in enumerate(pictures):
                file.write(b"FRAME\n" + picture.tobytes())
                Image.fromarray(picture).save(stills / f"{index:04}.png")
        start = time.perf_counter()
        arrays = {code.bytes for picture in pictures for code in zxingcpp.read_barcodes(picture, formats=QR)}
        seconds = time.perf_counter() - start
        for form, ours, theirs in (("video", scanner(program, f"{folder}/clean.y4m"), (arrays, seconds)),
                                   ("PNG", scanner(program, stills), peer(stills))):
            print(f"clean 1280x720 on one core, {form}: " + "; ".join(
                f"{name} {len(codes)}/{len(source)}, {len(source) / seconds:.0f} a second"
                for name, (codes, seconds) in (("heliograph", ours), ("zxing-cpp", theirs))) + f"; ratio {theirs[1] / ours[1]:.2f}")


def configure(parser):
    """Takes the programs, the pictures and what to print."""
    parser.add_argument("--bin", default=str(ROOT / ".build/release"), help="folder of the built programs (default: %(default)s)")
    parser.add_argument("--pictures", type=int, default=20, help="pictures of each set (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of every set (default: %(default)s)")
    parser.add_argument("--animation", help="animated PNG whose frames are degraded")
    parser.add_argument("--sets", default="", metavar="WORD,…", help="only the sets whose names hold one of these words")
    parser.add_argument("--rungs", action="store_true", help="print what each step of the ladder reads alone (needs optics-peer)")
    parser.add_argument("--rate", action="store_true", help="print the rate on clean pictures instead")


def run(options):
    """Prints a line for each set."""
    shared = shared_data() / "qr/polkadot_metadata_9190.apng"
    animation = options.animation or (str(shared) if shared.exists() else None)
    print(f"frames from {'the published animation' if animation else 'random bytes'}, seed {options.seed}, {options.pictures} pictures a set")
    source = list(frames(animation, options.pictures, options.seed))
    if options.rate:
        rate(options.bin + "/heliograph-scanner", source)
        return
    truth = {data for _, data in source}
    total = collections.Counter()
    for number, (name, degrade) in enumerate(sets()):
        if options.sets and not any(word in name for word in options.sets.split(",")):
            continue
        with tempfile.TemporaryDirectory() as folder:
            for index, (modules, _) in enumerate(source):
                picture = degrade(modules, np.random.default_rng([options.seed, number, index]))
                Image.fromarray(picture).save(f"{folder}/{index:03}.png")
            if options.rungs:
                print(f"{name:18} {rungs(options.bin + '/optics-peer', folder, total)}", flush=True)
                continue
            results = {"zbar": scanner(options.bin + "/heliograph-scanner", folder, "--decoder", "zbar"), "zxing-cpp": peer(folder),
                       "heliograph": scanner(options.bin + "/heliograph-scanner", folder)}
        columns = []
        for reader, (codes, seconds) in results.items():
            total[reader] += len(codes & truth)
            total["wrong"] += len(codes - truth)
            columns.append(f"{reader} {len(codes & truth):3}/{len(source)} {seconds / len(source) * 1000:6.1f} ms")
        print(f"{name:18} {'   '.join(columns)}", flush=True)
    if options.rungs:
        rung_totals(total)
    else:
        print("all sets           " + "   ".join(f"{reader} {count}" for reader, count in total.items()))

