"""A person at the terminal of a program: reads what it shows, types, and waits for questions."""
import fcntl
import os
import pty
import select
import struct
import subprocess
import termios
import time

from .. import panes

PATIENCE, QUIET = 90, 0.3
COLUMNS, ROWS = 100, 60


class Stuck(Exception):
    """A question that did not come, with what the terminal shows."""


def own_terminal():
    """Makes the terminal on standard input the one that the program asks at."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


class Person:
    """A program at a terminal of its own."""

    def __init__(self, words):
        self.screen = panes.Terminal(COLUMNS, ROWS)
        self.stream = panes.Stream(self.screen)
        self.words = words
        self.master, end = pty.openpty()
        fcntl.ioctl(end, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        self.process = subprocess.Popen(words, stdin=end, stdout=end, stderr=end, start_new_session=True, preexec_fn=own_terminal)  # noqa: PLW1509
        os.close(end)

    def rows(self):
        """Everything that is shown."""
        return self.screen.rows()

    def take(self):
        """Reads what comes soon; False once the program has closed the terminal."""
        if not select.select([self.master], [], [], 0.2)[0]:
            return True
        try:
            chunk = os.read(self.master, 65536)
        except OSError:
            return False
        self.stream.feed(chunk)
        while self.screen.answers:
            os.write(self.master, self.screen.answers.pop(0).encode())
        return bool(chunk)

    def wait(self, text):
        """Waits until a row shows the text, and gives that row."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            is_open = self.take()
            if found := [row for row in self.rows() if text in row]:
                return found[-1]
            if not is_open:
                break
        shown = "\n".join("|" + row for row in self.rows())
        self.close()
        raise Stuck(f"{' '.join(map(str, self.words[-6:]))}: {text!r} does not come\n{shown}")

    def answer(self, question, line):
        """Types a line once a question is there, and clears what is shown so that the next question is a new one."""
        self.wait(question)
        self.screen.reset()
        self.press(line + "\r")

    def settle(self):
        """Waits until the program has been quiet for a while: what is typed before it reads is thrown away."""
        while select.select([self.master], [], [], QUIET)[0] and self.take():
            pass

    def press(self, text):
        """Types, once the program reads."""
        self.settle()
        os.write(self.master, text.encode())

    def press_until(self, key, text):
        """Presses a key, again where it was thrown away, until a row shows the text, and gives that row."""
        for _ in range(PATIENCE // 3):
            self.press(key)
            end = time.monotonic() + 3
            while time.monotonic() < end and self.take():
                if found := [row for row in self.rows() if text in row]:
                    return found[-1]
        return self.wait(text)

    def done(self):
        """Waits for the end, and gives what is shown; the program must end with 0."""
        end = time.monotonic() + PATIENCE
        while self.take() and time.monotonic() < end:
            pass
        code = self.process.wait(timeout=PATIENCE)
        os.close(self.master)
        if code != 0:
            shown = "\n".join("|" + row for row in self.rows())
            raise Stuck(f"{' '.join(map(str, self.words[-6:]))} ended with {code}\n{shown}")
        return self.rows()

    def close(self):
        """Ends the program."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
