"""Writes what the fixture network publishes into a folder: specs as JSON, metadata 14 and 15, and transaction payloads for //Alice."""
import subprocess

from .common import HOT, build


def write(folder):
    folder.mkdir(parents=True, exist_ok=True)
    program = build("heliograph-fixture", *HOT)
    fixture = [program, "specs", "--out", folder / "specs.json"], [program, "metadata", "--out", folder / "metadata-v14.scale"]
    for words in [*fixture, [program, "metadata", "--version", "15", "--out", folder / "metadata-v15.scale"]]:
        subprocess.run(words, check=True)
    payloads = {"call": ["call"], "transfer": ["transaction", "--nonce", "1", "--mortal-at", "1234"], "batch": ["transaction", "--nonce", "2", "--batch"]}
    for name, words in payloads.items():
        with open(folder / f"{name}.hex", "w") as file:
            subprocess.run([program, *words], check=True, stdout=file)
