"""A person at the terminal of a program: reads what it shows, types, and waits for questions."""
from .. import panes

PATIENCE, QUIET = 90, 0.3
SIZE = 100, 60


class Stuck(Exception):
    """A question that did not come, with what the terminal shows."""


class Person(panes.Screen):
    """A program at a terminal of its own."""

    def __init__(self, words, size=SIZE):
        super().__init__(words, size)

    def rows(self):
        return self.screen.rows()

    def stuck(self, what):
        """The error, with the end of the command line and the screen."""
        shown = "\n".join("|" + row for row in self.rows())
        return Stuck(f"{' '.join(self.words[-6:])} {what}\n{shown}")

    def found(self, text):
        """The last row that shows a text."""
        return next((row for row in reversed(self.rows()) if text in row), None)

    def wait(self, text):
        """Waits until a row shows the text, and gives that row."""
        self.until(lambda: self.found(text) or not self.is_open, PATIENCE)
        if (row := self.found(text)) is None:
            self.close()
            raise self.stuck(f"does not show {text!r}")
        return row

    def answer(self, question, line):
        """Types a line once a question is there, and clears what is shown so that the next question is a new one."""
        self.wait(question)
        self.screen.reset()
        self.press(line + "\r")

    def press(self, text):
        """Types, once the program reads: what is typed before is thrown away."""
        self.settle(QUIET)
        super().press(text)

    def press_until(self, key, text):
        """Presses a key, again where it was thrown away, until a row shows the text, and gives that row."""
        for _ in range(PATIENCE // 3):
            self.press(key)
            if self.until(lambda: self.found(text) or not self.is_open, 3):
                break
        return self.wait(text)

    def done(self):
        """Waits for the end, and gives what is shown; the program must end with 0."""
        if (code := self.end(PATIENCE)) != 0:
            raise self.stuck(f"ended with {code}")
        self.close()
        return self.rows()
