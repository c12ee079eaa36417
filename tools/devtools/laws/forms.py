"""The law that the host shows the issue forms: a form with a fault is left out without a word.

The keys and their meaning: GitHub documentation, "Syntax for GitHub's form schema".
"""
import yaml

from ..common import ROOT

FOLDER = ROOT / ".github/ISSUE_TEMPLATE"
TOP = {"name", "description", "title", "labels", "assignees", "projects", "type", "body"}
# Type of a field → the attributes that it needs, and those that it may have.
FIELDS = {"markdown": ({"value"}, set()), "input": ({"label"}, {"description", "placeholder", "value"}),
          "textarea": ({"label"}, {"description", "placeholder", "value", "render"}),
          "dropdown": ({"label", "options"}, {"description", "multiple", "default"}), "checkboxes": ({"label", "options"}, {"description"})}
FIELD_KEYS = {"type", "id", "attributes", "validations"}


class Strict(yaml.SafeLoader):
    """Refuses a key that stands twice."""

    def construct_mapping(self, node, deep=False):
        names = [key.value for key, _ in node.value]
        if len(set(names)) != len(names):
            raise yaml.constructor.ConstructorError(None, None, "a key stands twice", node.start_mark)
        return super().construct_mapping(node, deep)


def field(one):
    """What is wrong with one field."""
    kind, attributes, validations = one.get("type"), one.get("attributes") or {}, one.get("validations") or {}
    if kind not in FIELDS:
        return [f"unknown type {kind}"]
    needed, further = FIELDS[kind]
    unknown = [*(one.keys() - FIELD_KEYS), *(attributes.keys() - needed - further), *(validations.keys() - {"required"})]
    wrong = [f"{kind}: no {key}" for key in sorted(needed - attributes.keys())] + [f"{kind}: unknown key {key}" for key in sorted(unknown)]
    wrong += [f"{kind}: no id"] * (kind != "markdown" and not one.get("id"))
    return wrong + ["required is true or false"] * (not isinstance(validations.get("required", True), bool))


def faults(text):
    """What is wrong with the text of a form."""
    try:
        form = yaml.load(text, Strict)
    except yaml.YAMLError as error:
        return [str(error)]
    body = form.get("body") or []
    ids = [one["id"] for one in body if one.get("id")]
    wrong = [f"no {key}" for key in ("name", "description") if not form.get(key)] + [f"unknown key {key}" for key in sorted(form.keys() - TOP)]
    wrong += [fault for one in body for fault in field(one)]
    return wrong + ["an id stands twice"] * (len(set(ids)) != len(ids)) + ["no field that is answered"] * (not ids)


def unnoticed():
    """Broken forms that the law does not notice."""
    good = "name: A\ndescription: B\nbody:\n  - type: input\n    id: one\n    attributes:\n      label: C\n"
    broken = {"no name": good.replace("name: A\n", ""), "a type": good.replace("input", "inputs"), "an id": good.replace("    id: one\n", ""),
              "no label": good.replace("label", "title"), "twice": good + good.split("body:\n")[1], "a key": good.replace("description", "about"),
              "a key twice": good.replace("name: A\n", "name: A\nname: B\n"),
              "required": good + "    validations:\n      required: maybe\n"}
    return [name for name, text in broken.items() if not faults(text)] + [f"the good form: {one}" for one in faults(good)]


def check(tally):
    forms = [file for file in sorted(FOLDER.glob("*.yml")) if file.name != "config.yml"]
    tally.law("the law of issue forms notices what is wrong", unnoticed())
    found = [f"{file.name}: {one}" for file in forms for one in faults(file.read_text())]
    tally.law("issue forms have what the host requires", found if forms else ["there are none"])
    config = yaml.load((FOLDER / "config.yml").read_text(), Strict)
    tally.law("an issue starts with a form", [] if config.get("blank_issues_enabled") is False else ["config.yml"])
