"""
Plays the tasks of a benchmark for agents: each in a world with its seeds, by the fewest calls that its assertions ask for, as the person that it names.
The benchmark's own program judges the sandbox's diff. It must fail with no calls, and without the last of them.
"""
import importlib.util
import json
import sys
import types

from plan import Plan
from replica import control, seeds, send

ENGINE = "backend/src/platform/evaluationEngine"
SUITES = ["slack_bench", "slack_bench_v2"]


def module(name):
    spec = importlib.util.spec_from_file_location(name, f"{ENGINE}/{name}.py")
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


sys.modules["jsonschema"] = types.SimpleNamespace(validate=lambda **_: None)
JUDGE, COMPILER = module("assertion").AssertionEngine, module("compiler").DSLCompiler


def row_of(collection, at):
    """An object of the sandbox as a row of the benchmark's table."""
    if collection == "messages":
        shown = {"message_id": at["id"], "channel_id": at["channel"], "user_id": at["user"], "message_text": at["text"]}
        return {**shown, "parent_id": at.get("parent"), "blocks": at.get("blocks")}
    if collection == "channels":
        kind = at["kind"]
        shown = {"channel_id": at["id"], "channel_name": at.get("name"), "topic_text": at["topic"]["value"]}
        return {**shown, "is_archived": at["state"] == "archived", "is_private": kind != "public", "is_dm": kind == "im", "is_gc": kind == "mpim"}
    if collection == "channel_members":
        return {"channel_id": at["channel"], "user_id": at["user"]}
    return {"message_id": at["message"], "reaction_type": at["name"], "user_id": at["user"]}


TABLES = ("messages", "channels", "channel_members", "message_reactions")


def differences(since):
    """The sandbox's diff as the benchmark's."""
    found = {"inserts": [], "updates": [], "deletes": []}
    changes = [each for each in control(f"/diff?from={since}")["objects"] if each["collection"] in TABLES]
    present = control("/state")["resources"] if any(each["change"] == "changed" for each in changes) else {}
    for each in changes:
        table = each["collection"]
        if each["change"] == "created":
            found["inserts"].append({"__table__": table, **row_of(table, each["value"])})
        elif each["change"] == "deleted":
            found["deletes"].append({"__table__": table, **row_of(table, each["value"])})
        else:
            after = next(at for at in present[table] if at["id"] == each["id"])
            before = json.loads(json.dumps(after))
            for field in each["fields"]:
                *path, name = field["field"].split(".")
                holder = before
                for key in path:
                    holder = holder[key]
                holder[name] = field["from"]
            rows = {"before": row_of(table, before), "after": row_of(table, after)}
            if rows["before"] != rows["after"]:
                found["updates"].append({"__table__": table, **rows})
    return found


def call(method, args, person):
    token = f"xoxp-{args.get('caller', person)}"
    sent = {key: value["id"] if isinstance(value, dict) else value for key, value in args.items() if key not in ("room", "caller")}
    answer = json.loads(send("POST", f"/api/{method}", sent, token)[1])
    if answer.get("error") == "not_in_channel":
        # The vendor wants a member; the replica does not.
        call("conversations.join", {"channel": sent["channel"]}, person)
        answer = json.loads(send("POST", f"/api/{method}", sent, token)[1])
    if not answer["ok"]:
        raise RuntimeError(f"{method} {sent}: {answer['error']}")
    if "room" in args:
        args["room"]["id"] = answer["channel"]["id"]


def judged(spec, resources, calls, person):
    control("/reset", {})
    control("/seed", {"resources": resources})
    control("/moments", {"name": "begin"})
    for method, args in calls:
        call(method, args, person)
    return JUDGE(spec).evaluate(differences("begin"))


def played(task, suite, tables, resources):
    spec = COMPILER(f"{ENGINE}/dsl_schema.json").normalize({"assertions": task["assertions"], "ignore_fields": suite["ignore_fields"]})
    person = task["impersonate_user_id"]
    calls = Plan(task, tables).calls
    done = judged(spec, resources, calls, person)
    if not done["passed"]:
        raise RuntimeError("; ".join(done["failures"]))
    for name, fewer in (("no calls", []), ("all calls but the last", calls[:-1])):
        if judged(spec, resources, fewer, person)["passed"]:
            raise RuntimeError(f"it passes with {name}, too")


for name in SUITES:
    suite = json.load(open(f"backend/seeds/testsuites/{name}.json"))
    for task in suite["tests"]:
        try:
            file = f"backend/seeds/slack/{task['seed_template']}.json"
            tables = json.load(open(file))
            played(task, suite, tables, seeds(file, [row["user_id"] for row in tables["users"]]))
            print(json.dumps({"step": f"{name}.{task['id']}", "ok": True}), flush=True)
        except Exception as error:  # whatever is raised is what became of the task
            print(json.dumps({"step": f"{name}.{task['id']}", "ok": False, "why": f"{type(error).__name__} {error}"[:300]}), flush=True)
