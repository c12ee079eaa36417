"""The law that the host shows the issue forms: a form with a fault is left out without a word.

The keys and their meaning: GitHub documentation, "Syntax for GitHub's form schema".
"""
import re

from ..common import ROOT

FOLDER = ROOT / ".github/ISSUE_TEMPLATE"
TOP = {"name", "description", "title", "labels", "assignees", "projects", "type", "body"}
# Type of a field → the attributes that it needs, and those that it may have.
FIELDS = {"markdown": ({"value"}, set()), "input": ({"label"}, {"description", "placeholder", "value"}),
          "textarea": ({"label"}, {"description", "placeholder", "value", "render"}),
          "dropdown": ({"label", "options"}, {"description", "multiple", "default"}), "checkboxes": ({"label", "options"}, {"description"})}
FIELD_KEYS = {"id", "attributes", "validations"}
KEY = re.compile(r"^( *)([a-z_]+):(?: (.*))?$", re.M)


def keys(text, indent):
    """Key → value of the lines of this indent; a key that stands twice is a fault of its own."""
    found = {}
    for spaces, key, value in KEY.findall(text):
        if len(spaces) == indent:
            if key in found:
                yield "", f"{key} stands twice"
            found[key] = value
    yield from found.items()


def field(block):
    """What is wrong with one field, and its id."""
    kind, rest = block.split("\n", 1)
    if kind not in FIELDS:
        return None, [f"unknown type {kind}"]
    own, needed = dict(keys(rest, 4)), FIELDS[kind]
    attributes = dict(keys(rest, 6))
    wrong = [f"{kind}: unknown key {key}" for key in own.keys() - FIELD_KEYS] + [f"{kind}: no attributes"] * ("attributes" not in own)
    wrong += [f"{kind}: no {key}" for key in sorted(needed[0] - attributes.keys())]
    wrong += [f"{kind}: unknown attribute {key}" for key in sorted(attributes.keys() - needed[0] - needed[1] - {"required"})]
    wrong += [f"{kind}: no id"] * (kind != "markdown" and not own.get("id"))
    wrong += ["required is true or false"] * (attributes.get("required") not in (None, "true", "false"))
    return own.get("id"), wrong


def faults(text):
    """What is wrong with the text of a form."""
    if "\t" in text or "\nbody:\n" not in text:
        return ["a tab, or no body"]
    head, body = text.split("\nbody:\n", 1)
    top = dict(keys(head, 0))
    wrong = [f"no {key}" for key in ("name", "description") if not top.get(key)] + [f"unknown key {key}" for key in sorted(top.keys() - TOP)]
    first, *blocks = re.split(r"^  - type: ", "\n" + body, flags=re.M)
    read = [field(block) for block in blocks]
    ids = [one for one, _ in read if one]
    wrong += [one for _, found in read for one in found]
    wrong += ["an id stands twice"] * (len(set(ids)) != len(ids)) + ["no field that is answered"] * (not ids)
    wrong += ["text before the first field"] * bool(first.strip())
    return wrong


def unnoticed():
    """Broken forms that the law does not notice."""
    good = "name: A\ndescription: B\nbody:\n  - type: input\n    id: one\n    attributes:\n      label: C\n"
    broken = {"no name": good.replace("name: A\n", ""), "a type": good.replace("input", "inputs"), "an id": good.replace("    id: one\n", ""),
              "no label": good.replace("label", "title"), "twice": good + good.split("body:\n")[1], "a key": good.replace("description", "about")}
    return [name for name, text in broken.items() if not faults(text)] + [f"the good form: {one}" for one in faults(good)]


def check(tally):
    """Every law of this file."""
    forms = [file for file in sorted(FOLDER.glob("*.yml")) if file.name != "config.yml"]
    tally.law("the law of issue forms notices what is wrong", unnoticed())
    found = [f"{file.name}: {one}" for file in forms for one in faults(file.read_text())]
    tally.law("issue forms have what the host requires", found if forms else ["there are none"])
    config = dict(keys((FOLDER / "config.yml").read_text(), 0))
    tally.law("an issue starts with a form", [] if config.get("blank_issues_enabled") == "false" else ["config.yml"])
