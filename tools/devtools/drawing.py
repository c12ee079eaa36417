"""Draws a pane as SVG: the same pane is always the same bytes, whatever fonts a reader has."""
import re
from html import escape

# Width and height of a character, and the margin around all of them.
CELL, LINE, MARGIN = 8.4, 18, 14
PAPER, INK = "#11161c", "#d8dee4"
COLORS = {"black": "#3b4450", "red": "#ff7b72", "green": "#7ee787", "brown": "#e3b341", "yellow": "#e3b341", "blue": "#79c0ff", "magenta": "#d2a8ff",
          "cyan": "#76e3ea", "white": "#f0f6fc"}
# A day differs from run to run; the picture shows this one.
DAY, SHOWN = re.compile(r"\b\d{4}-\d\d-\d\d\b"), "2026-11-22"


def style(cell):
    """What a character looks like: its color, weight and background."""
    ink, paper = COLORS.get(cell.fg, INK if cell.fg == "default" else f"#{cell.fg}"), COLORS.get(cell.bg)
    return (PAPER, ink, cell.bold) if cell.reverse else (ink, paper, cell.bold)


def runs(screen, row):
    """Column, style and text of each run of one style in a row, without the blanks at its end."""
    text = DAY.sub(SHOWN, "".join(screen.buffer[row][column].data for column in range(screen.columns)))
    found = []
    for column in range(screen.columns):
        look = style(screen.buffer[row][column])
        if found and found[-1][1] == look:
            found[-1][2] += text[column]
        else:
            found.append([column, look, text[column]])
    return [run for run in found if run[2].strip() or run[1][1]]


def svg(screen, title):
    """The pane as the text of an SVG file."""
    width, height = screen.columns * CELL + 2 * MARGIN, screen.lines * LINE + 2 * MARGIN
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}" role="img">',
             f"<title>{escape(title)}</title>", f'<rect width="100%" height="100%" rx="8" fill="{PAPER}"/>',
             '<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, \'DejaVu Sans Mono\', monospace" font-size="14">']
    for row in range(screen.lines):
        for column, (ink, paper, bold), text in runs(screen, row):
            x, y = MARGIN + column * CELL, MARGIN + row * LINE
            if paper:
                lines.append(f'<rect x="{x:g}" y="{y}" width="{len(text) * CELL:g}" height="{LINE}" fill="{paper}"/>')
            weight = ' font-weight="bold"' if bold else ""
            # A host may join several blanks, so what stands between two of them is a text of its own.
            for part in re.finditer(r"\S+(?: \S+)*", text):
                lines.append(f'<text x="{x + part.start() * CELL:g}" y="{y + 13}" fill="{ink}"{weight} textLength="{len(part[0]) * CELL:g}" '
                             f'lengthAdjust="spacingAndGlyphs">{escape(part[0])}</text>')
    return "\n".join([*lines, "</g>", "</svg>", ""])
