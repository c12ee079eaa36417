"""A program at a terminal of its own: reads what it prints, presses keys, and waits."""
import fcntl
import os
import pty
import select
import struct
import subprocess
import termios
import time

PATIENCE = 60


class AtTerminal:
    """A program whose input, output and errors are a terminal. `printed` is all that it wrote there; a size of 0 is one that the terminal does not know."""

    def __init__(self, words, size=(0, 0), prepare=lambda: None, **options):
        self.printed, self.is_open, self.changed = b"", True, time.monotonic()
        self.words = [str(word) for word in words]
        self.master, end = pty.openpty()
        self.resize(*size)

        def own():
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)
            prepare()

        self.process = subprocess.Popen(self.words, stdin=end, stdout=end, stderr=end, start_new_session=True, preexec_fn=own, **options)  # noqa: PLW1509
        os.close(end)

    @property
    def text(self):
        return self.printed.decode(errors="replace")

    @property
    def flags(self):
        """The local modes of the terminal."""
        return termios.tcgetattr(self.master)[3]

    def resize(self, columns, rows):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def press(self, text):
        os.write(self.master, text.encode(errors="surrogateescape"))

    def feed(self, chunk):
        """What happens with a piece that the program printed."""
        self.printed += chunk

    def take(self, seconds=0.2):
        """Reads what comes within these seconds; whether something came."""
        if not self.is_open:
            time.sleep(min(seconds, 0.01))
            return False
        if not select.select([self.master], [], [], seconds)[0]:
            return False
        try:
            chunk = os.read(self.master, 65536)
        except OSError:
            chunk = b""
        self.is_open = bool(chunk)
        if chunk:
            self.changed = time.monotonic()
            self.feed(chunk)
        return bool(chunk)

    def settle(self, quiet):
        """Reads until nothing comes for so long."""
        while self.take(quiet):
            pass

    def until(self, is_reached, patience=PATIENCE, quiet=0.0):
        """Whether something holds and goes on to hold while nothing changes."""
        start = time.monotonic()
        while time.monotonic() - start < patience:
            self.take(0.02)
            is_quiet = not self.is_open or time.monotonic() - self.changed >= quiet
            if is_quiet and time.monotonic() - start >= quiet and is_reached():
                return True
        return False

    def shows(self, text, patience=PATIENCE):
        """Whether the program prints a text; at its end nothing comes any more."""
        self.until(lambda: text in self.text or not self.is_open, patience)
        return text in self.text

    def end(self, patience=PATIENCE):
        """The exit code; None where the program goes on."""
        self.until(lambda: not self.is_open and self.process.poll() is not None, patience)
        return self.process.poll()

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        if self.master is not None:
            os.close(self.master)
            self.master = None
