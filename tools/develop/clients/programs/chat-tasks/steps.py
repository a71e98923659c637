"""
Plays the tasks of a benchmark for agents: each in a world with its seeds, by the fewest calls that its assertions ask for, as the person that it names.
The benchmark's own program judges the sandbox's diff. It must fail with no calls, and without the last of them. Each task is imported, too
(`sandbox import-tasks`): with the same calls `sandbox eval` must have the same verdicts.
"""
import importlib.util
import json
import os
import re
import subprocess
import sys
import types

import replica
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


class Imported:
    """The tasks of both suites as tasks of the sandbox, run by lines of JSON."""

    def __init__(self):
        self.command = [os.environ.get("NODE", "node"), os.environ["SANDBOX_COMMAND"]]
        for name in SUITES:
            files = [f"backend/seeds/testsuites/{name}.json", "--out", "imported"]
            subprocess.run([*self.command, "import-tasks", *files], stdout=subprocess.DEVNULL, check=True)
        line = [*self.command, "eval", "imported", "--serve", "--quiet"]
        self.process = subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, **request):
        print(json.dumps({"id": 1, **request}), file=self.process.stdin, flush=True)
        answer = json.loads(self.process.stdout.readline())
        if "error" in answer:
            raise LookupError(answer["error"])
        return answer

    def passes(self, name, calls, person):
        run = self.ask(begin=name)
        before, replica.URL = replica.URL, run["url"]
        try:
            for method, args in calls:
                call(method, args, person)
        finally:
            replica.URL = before
            verdict = self.ask(finish=run["run"])
        return verdict["pass"]


def judged(spec, resources, calls, person):
    control("/reset", {})
    control("/seed", {"resources": resources})
    control("/moments", {"name": "begin"})
    for method, args in calls:
        call(method, args, person)
    return JUDGE(spec).evaluate(differences("begin"))


def played(task, suite, tables, resources):
    """The benchmark's verdicts, by what is done: all calls, none, all but the last."""
    spec = COMPILER(f"{ENGINE}/dsl_schema.json").normalize({"assertions": task["assertions"], "ignore_fields": suite["ignore_fields"]})
    person = task["impersonate_user_id"]
    calls = Plan(task, tables).calls
    return [(part, judged(spec, resources, part, person)) for part in (calls, [], calls[:-1])]


def should(done, nothing, fewer):
    if not done[1]["passed"]:
        raise RuntimeError("; ".join(done[1]["failures"]))
    for name, (_, verdict) in (("no calls", nothing), ("all calls but the last", fewer)):
        if verdict["passed"]:
            raise RuntimeError(f"it passes with {name}, too")


def step(name, run):
    try:
        value = run()
        print(json.dumps({"step": name, "ok": True}), flush=True)
        return value
    except Exception as error:  # whatever is raised is what became of the task
        print(json.dumps({"step": name, "ok": False, "why": f"{type(error).__name__} {error}"[:300]}), flush=True)


def same(name, verdicts, person):
    ours = [imported.passes(name, calls, person) for calls, _ in verdicts]
    theirs = [verdict["passed"] for _, verdict in verdicts]
    if ours != theirs:
        raise RuntimeError(f"with all calls, none, all but the last: {ours}, the benchmark {theirs}")


imported = Imported()
for name in SUITES:
    suite = json.load(open(f"backend/seeds/testsuites/{name}.json"))
    for task in suite["tests"]:
        file = f"backend/seeds/slack/{task['seed_template']}.json"
        tables = json.load(open(file))
        verdicts = []

        def both():
            verdicts[:] = played(task, suite, tables, seeds(file, [row["user_id"] for row in tables["users"]]))
            should(*verdicts)

        step(f"{name}.{task['id']}", both)
        own = re.sub(r"[^a-z0-9]+", "-", f"{suite['id']}-{task['id']}".lower())
        step(f"{name}.{task['id']}, imported: the same verdicts", lambda: same(own, verdicts, task["impersonate_user_id"]))
