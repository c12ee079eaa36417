"""Writes the manual pages, from the help of the built programs and the descriptions of formats beside the code.

    tools/dev manual DIR            man1, man5 and man7 in DIR
    tools/dev manual --check        every option has a sentence of one line, every example parses, mandoc and man have no complaint

A page of section 1 has what a program says of its own commands (--experimental-dump-help of its argument parser), and what is written by hand under
tools/manual. Section 5 is the catalog's descriptions of formats. Pages are man(7), and the same bytes for the same commit.
"""
import concurrent.futures
import datetime
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import tempfile

from .common import HOT, ROOT, SHIPPED, binary_folder, skip

PARTS = ROOT / "tools/manual"
CATALOG = ROOT / "Sources/Programs/heliograph/heliograph.docc"
# A page of the catalog, where its name there is not its name as a manual page.
NAMES = {"VaultFiles": "vault", "TrustStoreFile": "store", "BackupFile": "backup", "PolicyFile": "policy", "ContactLists": "contacts",
         "GroupMessages": "groups", "AuditLog": "log"}
# Help of `heliograph` that is a page of its own: page → words and its NAME line.
TOPICS = {
    "heliograph-errors.7": (["help", "errors"], "errors, their codes and exit status"),
    "heliograph-updates.7": (["help", "updates"], "when metadata is needed, and the ways to get it"),
    "heliograph-policy.5": (["help", "policy"], "rules that limit what may be signed"),
}
# Longest sentence of an option. With the option before it, it is one line of a page that is 120 columns wide.
LONGEST = 100
COLUMNS = 80


def configure(parser):
    parser.add_argument("folder", nargs="?", type=pathlib.Path, metavar="DIR", help="where to write the pages")
    parser.add_argument("--built", nargs=2, type=os.path.abspath, metavar=("COLD", "HOT"), help="folders of the programs (default: the shipped builds)")
    parser.add_argument("--check", action="store_true", help="check the pages instead of writing them")


# Characters to roff


SPECIAL = {"\\": "\\e", "-": "\\-", "~": "\\(ti", "^": "\\(ha", "`": "\\(ga", "'": "\\(aq", '"': "\\(dq"}


def literal(text):
    """Text whose characters are printed as they are, as in commands."""
    return "".join(SPECIAL.get(c, c) if c.isascii() else f"\\[u{ord(c):04X}]" for c in text)


def prose(text):
    """Text whose hyphens may be broken at; options in it keep theirs."""
    text = re.sub(r"(?<![\w-])--?[A-Za-z][\w-]*", lambda match: "\0" + match[0].replace("-", "\1"), text)
    special = {"\\": "\\e", "~": "\\(ti", "^": "\\(ha", "`": "\\(ga", '"': "\\(dq", "\0": "", "\1": "\\-"}
    return "".join(special.get(c, c) if c.isascii() else f"\\[u{ord(c):04X}]" for c in text)


def line(text):
    """A line of text that is no request."""
    return "\\&" + text if text[:1] in (".", "'") else text


def quoted(text):
    """An argument of a macro."""
    return '"' + text.replace('"', "\\(dq") + '"'


MARKED = re.compile(r"`(?P<code>[^`]+)`|\*\*(?P<bold>[^*]+)\*\*|\*(?P<italic>[^*\s][^*]*)\*|<doc:(?P<page>\w+)>|\[(?P<text>[^\]]+)\]\((?P<link>[^)]+)\)")


def marked(match):
    """The roff of what Markdown marks in a line."""
    code, bold, italic, page, text, link = match.groups()
    if code or bold:
        return f"\\fB{literal(code) if code else prose(bold)}\\fP"
    if italic:
        return f"\\fI{prose(italic)}\\fP"
    if page:
        is_format = page == "Formats" or page in formats()
        return f"\\fB{literal(page_of(page))}\\fP(5)" if is_format else f"the guide \\fI{prose(spaced(page))}\\fP"
    return f"{prose(text)} ({literal(link)})"


def inline(text):
    """Markdown in a line: code, emphasis, links."""
    done, at = "", 0
    for match in MARKED.finditer(text):
        done += prose(text[at : match.start()]) + marked(match)
        at = match.end()
    return done + prose(text[at:])


# Markdown to roff


def formats():
    """The pages that the catalog's Formats page lists."""
    return re.findall(r"^\| <doc:(\w+)> \|", (CATALOG / "Formats.md").read_text(), re.M)


def spaced(name):
    """OldLaptop → old laptop."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()


def page_of(name):
    """VaultFiles → heliograph-vault."""
    return "heliograph-" + NAMES.get(name, spaced(name).replace(" ", "-"))


def verbatim(lines):
    """Lines that are printed as they are; what is wider than the page is broken, a command with a backslash as shells do."""
    done = [".PP", ".RS 4", ".nf"]
    for text in lines:
        text = text.expandtabs(4)
        end = " \\" if re.match(r"\s*(\$ )?(heliograph|ffmpeg|ln|minisign|sha256sum)\b", text) else ""
        while len(text) > COLUMNS - 13:
            cut = text.rfind(" ", 8, COLUMNS - 14)
            cut = cut if cut > 0 else COLUMNS - 14
            done.append(line(literal(text[:cut].rstrip(" ") + (end if text[cut] == " " else ""))))
            text = "    " + text[cut:].lstrip(" ")
        # An empty line has no meaning of its own in roff, where mandoc warns of it.
        done.append(line(literal(text)) if text else "\\&")
    return [*done, ".fi", ".RE"]


def cells(row):
    """The cells of a row of a table."""
    return [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", row.strip().strip("|"))]


def table(rows):
    """A table as a list: its last column is the text of the others. At 80 columns three columns of sentences are not read."""
    head, body = cells(rows[0]), [cells(row) for row in rows[2:]]
    # What is long between the first column and the last is text, too.
    is_text = any(len(cell) > 30 for row in body for cell in row[1:-1])
    done = [".PP", inline(f"*{', '.join(head if is_text else head[:-1])}*" + ("" if is_text else f": {head[-1]}"))]
    for row in body:
        first = inline(row[0]) if is_text else ", ".join(inline(cell) for cell in row[:-1] if cell)
        done += [".TP", line(first or "\\&"), line(inline("; ".join(row[1:]) if is_text else row[-1])) or "\\&"]
    return done


def markdown(text, level=2):
    """The roff of Markdown: headings, paragraphs, lists, tables, code.

    - level: how many # a section has.
    """
    done, paragraph, rows, after = [], [], [], None
    # What continues a list item is indented below it.

    def end():
        nonlocal paragraph, rows, after
        if paragraph:
            if after is None:
                done.append(".PP")
            done.extend(line(inline(part)) for part in sentences(" ".join(paragraph)))
        if rows:
            done.extend(table(rows))
        paragraph, rows, after = [], [], None

    lines = iter(text.splitlines())
    for text_line in lines:
        stripped = text_line.strip()
        if stripped.startswith("```"):
            end()
            block = []
            for inner in lines:
                if inner.strip().startswith("```"):
                    break
                block.append(inner)
            done += verbatim(block)
        elif stripped.startswith("<!--"):
            end()
            while "-->" not in stripped:
                stripped = next(lines)
        elif match := re.match(r"(#+) (.*)", text_line):
            end()
            name = match[2].replace("`", "")
            done.append(f".SH {quoted(literal(name.upper()))}" if len(match[1]) <= level else f".SS {quoted(literal(name))}")
        elif text_line.startswith("|"):
            if not rows:
                end()
            rows.append(text_line)
        elif match := re.match(r"\s*(?:-|\*|(\d+)\.) (.*)", text_line):
            end()
            done.append(f".IP {quoted(match[1] + '.' if match[1] else chr(92) + '(bu')} 4")
            paragraph, after = [match[2]], True
        elif not stripped:
            end()
        else:
            paragraph.append(stripped)
    end()
    return done


def sentences(text):
    """Sentences on lines of their own, as roff wants them."""
    return [part for part in re.split(r"(?<=[a-z)`][.:?]) (?=[A-Z`])", text) if part]


# Help to roff


def help_text(text):
    """The roff of a help page: paragraphs, lines that are indented as they are, and headings in capitals."""
    done, block, paragraph, is_section = [], [], [], False

    def end():
        nonlocal block, paragraph
        if paragraph:
            done.append(".PP")
            done.extend(line(prose(part)) for part in sentences(" ".join(paragraph)))
        if block:
            while block and not block[-1]:
                block.pop()
            done.extend(verbatim(block))
        block, paragraph = [], []

    for text_line in text.splitlines():
        if re.fullmatch(r"[A-Z][A-Z ,]+(, .*)?", text_line) and text_line.split(",")[0].isupper():
            end()
            done.append(f".SS {quoted(literal(text_line[0] + text_line[1:].lower()))}")
            is_section = True
        elif re.match(r"\d\. ", text_line):
            end()
            done += [".PP", f"\\fB{prose(text_line)}\\fP"]
        elif is_section and re.match(r"  \S", text_line):
            # Under a heading, what is indented once is the text.
            if block:
                end()
            paragraph.append(text_line.strip())
            if text_line.endswith(";"):
                end()
        elif text_line.startswith("  "):
            if paragraph:
                end()
            block.append(text_line[2:])
        elif not text_line.strip():
            if block:
                block.append("")
            else:
                end()
        else:
            if block:
                end()
            paragraph.append(text_line)
    end()
    return done


class Command:
    """A command as its program describes it."""

    def __init__(self, description, words):
        self.words = words
        self.abstract = description.get("abstract") or ""
        self.discussion = description.get("discussion") or ""
        self.default = description.get("defaultSubcommand")
        self.arguments = [a for a in description.get("arguments", []) if a.get("shouldDisplay") and a.get("valueName") != "help"]
        self.commands = [
            Command(c, [*words, c["commandName"]]) for c in description.get("subcommands", []) if c.get("shouldDisplay") and c["commandName"] != "help"]

    @property
    def name(self):
        return "-".join(self.words)

    def every(self):
        """This command and those below."""
        return [self, *(inner for command in self.commands for inner in command.every())]

    def named(self, words):
        """The command that words begin with, and the rest of them."""
        for command in self.commands:
            if words[:1] == command.words[-1:]:
                return command.named(words[1:])
        return self, words

    def options(self):
        """Every way to write every option, and -h."""
        return {spelling(name) for argument in self.arguments for name in argument.get("names", [])} | {"-h", "--help", "--version"}


def spelling(name):
    """--json, -h."""
    return ("--" if name["kind"] == "long" else "-") + name["name"]


def value(argument):
    """The placeholder of a value."""
    name = argument.get("valueName", "value")
    return name.upper().replace(" ", "-")


def head(argument, joint):
    """An argument as it is typed."""
    place = f"\\fI{literal(value(argument))}\\fP"
    if argument["kind"] == "positional":
        return place
    return joint.join(f"\\fB{literal(spelling(name))}\\fP" for name in argument["names"]) + (f" {place}" if argument["kind"] == "option" else "")


def usage(argument):
    """An argument in a synopsis."""
    text = head(argument, "|").replace(" ", "\\ ")
    return (f"[{text}]" if argument.get("isOptional") else text) + ("..." if argument.get("isRepeating") else "")


def synopsis(command):
    words = f"\\fB{literal(' '.join(command.words))}\\fP"
    if command.commands:
        return [words + " \\fICOMMAND\\fP ..."]
    return [words, *(line(usage(a)) for a in command.arguments)]


def described(argument):
    """An option with its sentence, its values and its default."""
    text = argument.get("abstract") or ""
    if argument.get("allValues") and argument["kind"] != "flag" and "values:" not in text:
        text += f" Values: {', '.join(argument['allValues'])}."
    if argument.get("defaultValue") and "default" not in text and argument["kind"] != "flag":
        text += f" Default: {argument['defaultValue']}."
    return [".TP", head(argument, ", "), line(prose(text))]


def all_described(arguments):
    """Options with their sentences; flags that one sentence is about, as --x and --no-x, are one entry."""
    merged = []
    for argument in arguments:
        last = merged[-1] if merged else None
        if last and last["kind"] == argument["kind"] == "flag" and last.get("abstract") == argument.get("abstract"):
            merged[-1] = {**last, "names": [*last["names"], *argument["names"]]}
        else:
            merged.append(argument)
    return [part for argument in merged for part in described(argument)]


def key_of(argument):
    return json.dumps([argument.get("names"), argument.get("valueName"), argument.get("abstract"), argument["kind"], argument.get("isOptional")])


def options_of(command, title):
    """The sections of a command that takes arguments itself, or of its commands: what all of these take is said once."""
    if not command.commands:
        done = []
        for name, kinds in (("ARGUMENTS", ["positional"]), ("OPTIONS", ["option", "flag"])):
            chosen = [a for a in command.arguments if a["kind"] in kinds]
            if chosen:
                done += [f".{title} {quoted(name if title == 'SH' else name.capitalize())}", *all_described(chosen)]
        return done
    leaves = [c for c in command.every() if not c.commands]
    shared = set.intersection(*({key_of(a) for a in leaf.arguments} for leaf in leaves)) if len(leaves) > 1 else set()
    done = [".SH COMMANDS"]
    for leaf in leaves:
        own = [a for a in leaf.arguments if key_of(a) not in shared]
        done += [f".SS {quoted(literal(' '.join(leaf.words)))}", line(prose(leaf.abstract))]
        if own:
            done += [".PP", f"\\fB{literal(' '.join(leaf.words))}\\fP", *(line(usage(a)) for a in own)]
        done += help_text(leaf.discussion)
        done += all_described(own)
    common = [a for a in leaves[0].arguments if key_of(a) in shared]
    if common:
        done += [".SH OPTIONS OF ALL THESE COMMANDS", *all_described(common)]
    return done


# Pages


class Manual:
    """All pages of the programs in a folder."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.cold, self.hot = (Command(json.loads(self.said(name, "--experimental-dump-help"))["command"], [name]) for name in ("heliograph", "heliograph-hot"))
        self.version = self.said("heliograph", "--version").split()[1]
        seconds = os.environ.get("SOURCE_DATE_EPOCH") or subprocess.run(
            ["git", "log", "-1", "--format=%ct"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
        self.date = datetime.datetime.fromtimestamp(int(seconds), datetime.UTC).date().isoformat()

    def said(self, program, *words):
        """What a program prints, without the caller's environment."""
        environment = {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "COLUMNS": "80"}
        return subprocess.run([self.folder / program, *words], check=True, capture_output=True, text=True, stdin=subprocess.DEVNULL, env=environment).stdout

    def page(self, name, section, summary, lines):
        """A page with its head; a summary is a phrase without a period."""
        head = [
            f".TH {literal(name.upper())} {section} {self.date} {quoted('Heliograph ' + self.version)} {quoted('Heliograph Manual')}",
            # Text keeps its words whole, so that a search finds them, and no gaps.
            ".nh", ".ad l", ".SH NAME", f"{literal(name)} \\- {prose(summary)}"]
        return ("\n".join(tidy([*head, *lines])) + "\n").encode("ascii")

    def commands(self):
        """A page for each program and for each of its commands."""
        done = {}
        for program in (self.cold, self.hot):
            done[f"{program.name}.1"] = self.program(program)
            for command in program.commands:
                lines = [".SH SYNOPSIS", *synopsis(command), ".SH DESCRIPTION", line(prose(command.abstract)), *help_text(command.discussion)]
                lines += [*options_of(command, "SH"), *part(f"{command.name}.1"), *see_also(program, command)]
                done[f"{command.name}.1"] = self.page(command.name, 1, phrase(command.abstract), lines)
        return done

    def program(self, program):
        """The page of a program: what it is for, and its commands in a list."""
        lines = [".SH SYNOPSIS", f"\\fB{program.name.replace('-', chr(92) + '-')}\\fP \\fICOMMAND\\fP ...", ".SH DESCRIPTION", line(prose(program.abstract))]
        opening, rest = split_part(f"{program.name}.1")
        lines += [*opening, ".SH COMMANDS"]
        for command in program.commands:
            lines += [".TP", f"\\fB{literal(command.name)}\\fP(1)", line(prose(command.abstract))]
        return self.page(program.name, 1, phrase(program.abstract), [*lines, *rest])

    def scanner(self):
        """The page of the scanner, from its own help: usage lines, a blank line, sentences."""
        head, text = self.said("heliograph-scanner", "--help").split("\n\n", 1)
        lines = [".SH SYNOPSIS", ".nf", *(line(literal(row)) for row in folded(head)), ".fi", ".SH DESCRIPTION", *help_text(text)]
        return self.page("heliograph-scanner", 1, "read QR codes from pictures, videos and cameras", [*lines, *part("heliograph-scanner.1")])

    def topics(self):
        """Pages of help that is about no command."""
        done = {}
        for name, (words, summary) in TOPICS.items():
            lines = [".SH DESCRIPTION"]
            if words == ["help", "errors"]:
                lines += errors(json.loads(self.said("heliograph", "errors", "--json"))["errors"])
            else:
                lines += help_text(re.sub(r"^OVERVIEW: ", "", self.said("heliograph", *words).split("\nUSAGE:")[0]))
            page, section = name.rsplit(".", 1)
            if page == page_of("PolicyFile"):
                lines += catalog("PolicyFile")[1]
            done[name] = self.page(page, section, summary, [*lines, *part(name)])
        return done

    def formats(self):
        """Section 5, from the catalog beside the code."""
        done = {}
        for name in ["Formats", *formats()]:
            if page_of(name) + ".5" in TOPICS:
                continue
            summary, lines = catalog(name)
            done[page_of(name) + ".5"] = self.page(page_of(name), 5, phrase(summary), lines)
        return done

    def every(self):
        """Name → bytes."""
        return dict(sorted({**self.commands(), "heliograph-scanner.1": self.scanner(), **self.topics(), **self.formats()}.items()))


def pages(folder):
    """Name (heliograph.1) → bytes of each page, of the programs heliograph, heliograph-scanner and heliograph-hot in a folder."""
    return Manual(folder).every()


def phrase(sentence):
    """What stands behind the name of a page: without a period, the first letter small."""
    text = sentence.split(". ")[0].rstrip(".")
    return text if text[:2].isupper() else text[:1].lower() + text[1:]


def folded(text):
    """Usage lines, broken between their brackets at the width of a page; a long one goes on indented."""
    for row in text.splitlines():
        row = re.sub(r"^(usage:)?\s*", "", row)
        while len(row) > COLUMNS - 12:
            cut = row.rfind(" ", 0, COLUMNS - 12)
            yield row[:cut]
            row = row[cut + 1:]
        yield row


def errors(rows):
    """The errors: a code with its exit status, then its sentences."""
    done = ["With", "\\fB\\-\\-json\\fP,", "an error has its code, its sentence and a hint.", "Values in the sentences below are examples."]
    for code in sorted({row["code"] for row in rows}):
        of_code = [row for row in rows if row["code"] == code]
        done += [".TP", f"\\fB{literal(code)}\\fP ({of_code[0]['exit']})"]
        for index, row in enumerate(of_code):
            done += ([".br"] if index else []) + [line(breakable(prose(row["sentence"])))]
    return done


def breakable(text):
    """A path may be broken after its slashes and long hex anywhere, so that no line is longer than the page."""

    def broken(match):
        if "/" in match[0]:
            return match[0].replace("/", "/\\:").replace("/\\:/\\:", "//\\:")
        return "\\:".join(re.findall(r"(?:\\\(..|\\\[u\w+\]|\\f.|\\.|.){1,16}", match[0]))

    return re.sub(r"\S{30,}", broken, text)


def catalog(name):
    """The summary and the roff of a page of the catalog; its title is the name of the page."""
    text = (CATALOG / f"{name}.md").read_text()
    text = re.sub(r"\A# .*\n+", "", text)
    summary, rest = text.split("\n\n", 1)
    rest = re.sub(r"^## Overview\n", "## Description\n", rest, count=1, flags=re.M)
    return " ".join(summary.split()), markdown(rest)


def part(name):
    """What is written by hand for a page."""
    path = PARTS / f"{name}.md"
    return markdown(path.read_text()) if path.exists() else []


def split_part(name):
    """The same, split before its first heading: what belongs to the description, and the rest."""
    lines = part(name)
    first = next((index for index, text in enumerate(lines) if text.startswith(".SH")), len(lines))
    return lines[:first], lines[first:]


def see_also(program, command):
    """The pages beside this one; what the hand-written part says of them comes first."""
    if ".SH SEE ALSO" in (text.replace('"', "") for text in part(f"{command.name}.1")):
        return []
    return [".SH SEE ALSO", f".BR {literal(program.name)} (1),", ".BR heliograph\\-errors (7)"]


def tidy(lines):
    """Without what means nothing: a paragraph after a heading, two in a row, or one before a list."""
    done = []
    for text in lines:
        if text == ".PP" and done and re.match(r"\.(SH|SS|PP)\b", done[-1]):
            continue
        if re.match(r"\.(SH|SS|TP|IP)\b", text) and done and done[-1] == ".PP":
            done.pop()
        done.append(breakable(text) if not text.startswith(".") else text)
    return done


# Checks


def sentences_missing(manual):
    """Commands and options without a sentence of one line."""
    for program in (manual.cold, manual.hot):
        for command in program.every():
            described_as = [("it", command.abstract)] + [
                (spelling(a["preferredName"]) if a.get("preferredName") else value(a), a.get("abstract") or "") for a in command.arguments]
            for name, text in described_as:
                if not re.search(r"[.)]$", text) or "\n" in text:
                    yield f"{' '.join(command.words)}: {name} has no sentence: {text!r}"
                elif len(text) > LONGEST:
                    yield f"{' '.join(command.words)}: the sentence of {name} has {len(text)} characters, more than {LONGEST}"


def examples_wrong(manual):
    """Examples under tools/manual whose command or options no program has; files that are no page's."""
    programs = {"heliograph": manual.cold, "heliograph-hot": manual.hot}
    for path in sorted(PARTS.glob("*.md")):
        blocks = re.findall(r"^```\n(.*?)^```", path.read_text(), re.M | re.S)
        for text in "".join(blocks).replace("\\\n", " ").splitlines():
            words = re.match(r"\$ (heliograph(?:-hot)?) (.*)", text)
            if not words or words[2].startswith("--version"):
                continue
            command, rest = programs[words[1]].named(shlex.split(words[2].split(" | ")[0], comments=True))
            if command.commands and not command.default:
                yield f"{path.name}: {text}: no such command"
            for word in rest:
                if word.startswith("--") and word.split("=")[0] not in command.options():
                    yield f"{path.name}: {text}: {command.name} has no {word}"


def page_wrong(name, source):
    """What mandoc and man say of a page, and lines that are longer than a terminal."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / name
        path.write_bytes(source)
        lint = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", path], capture_output=True, text=True)
        found = [f"{name}: {text.split(': ', 2)[-1]} ({text})" for text in (lint.stdout + lint.stderr).splitlines()]
        environment = {**os.environ, "MANWIDTH": str(COLUMNS), "LC_ALL": "C.UTF-8", "MAN_KEEP_FORMATTING": "", "MANROFFOPT": ""}
        shown = subprocess.run(["man", "--warnings=w", "-l", path], capture_output=True, text=True, env=environment, stdin=subprocess.DEVNULL)
        found += [f"{name}: man: {text}" for text in shown.stderr.splitlines()]
        for text in shown.stdout.splitlines():
            if len(re.sub(r".\x08", "", text)) > COLUMNS:
                found.append(f"{name}: longer than {COLUMNS} columns: {text.strip()}")
        if not shown.stdout.strip():
            found.append(f"{name}: man shows nothing")
    return found


def problems(manual):
    """Everything that is wrong with the pages."""
    for program in ("mandoc", "man"):
        if not shutil.which(program):
            skip(program)
            return []
    every = manual.every()
    if every != Manual(manual.folder).every():
        return ["the pages differ from one run to the next"]
    found = [*sentences_missing(manual), *examples_wrong(manual)]
    found += [f"{path.name}: no page has this name" for path in sorted(PARTS.glob("*.md")) if path.name.removesuffix(".md") not in every]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for wrong in pool.map(page_wrong, every, every.values()):
            found += wrong
    print(*found, f"manual: {len(every)} pages, {len(found)} problems", sep="\n")
    return found


def run(options):
    if options.check == bool(options.folder):
        print("manual: give DIR, or --check")
        return 64
    cold, hot = map(pathlib.Path, options.built or (binary_folder(*SHIPPED), binary_folder(*HOT)))
    with tempfile.TemporaryDirectory() as together:
        together = pathlib.Path(together)
        for folder, name in ((cold, "heliograph"), (cold, "heliograph-scanner"), (hot, "heliograph-hot")):
            (together / name).symlink_to((folder / name).resolve())
        manual = Manual(together)
        if options.check:
            return 1 if problems(manual) else 0
        for name, source in manual.every().items():
            folder = options.folder / f"man{name.rsplit('.', 1)[1]}"
            folder.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(source)
    return 0
