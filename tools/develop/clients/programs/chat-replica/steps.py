"""Runs the tests of a replica against the pack: its seeds become the world's, its test clients call the sandbox as the person they are."""
import asyncio
import importlib.util
import inspect
import json
import sys
import types

from replica import control, seeds, send

TESTS = "backend/tests/integration/test_slack_api.py"
SEEDS = "backend/seeds/slack/slack_default.json"
PEOPLE = {"slack_client": "U01AGENBOT9", "slack_client_john": "U02JOHNDOE1"}


class Response:
    def __init__(self, status_code, body):
        self.status_code, self.text = status_code, body.decode()

    def json(self):
        return json.loads(self.text)


class AsyncClient:
    """What the tests use of httpx."""

    def __init__(self, token):
        self.token = token

    async def get(self, path):
        return Response(*send("GET", f"/api{path}", token=self.token))

    async def post(self, path, json=None):
        return Response(*send("POST", f"/api{path}", json, self.token))


def loaded():
    """The tests, with stand-ins for the two modules that they import."""
    sys.modules["pytest"] = types.SimpleNamespace(mark=types.SimpleNamespace(asyncio=lambda each: each))
    sys.modules["httpx"] = types.SimpleNamespace(AsyncClient=AsyncClient)
    spec = importlib.util.spec_from_file_location("tests", TESTS)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return [
        (f"{group.__name__}.{name}", getattr(group(), name))
        for group in vars(module).values()
        if inspect.isclass(group) and group.__name__.startswith("Test")
        for name in vars(group)
        if name.startswith("test_")
    ]


resources = seeds(SEEDS, PEOPLE.values())
for name, test in loaded():
    try:
        control("/reset", {})
        control("/seed", {"resources": resources})
        asked = inspect.signature(test).parameters
        asyncio.run(test(**{each: AsyncClient(f"xoxp-{PEOPLE[each]}") if each in PEOPLE else None for each in asked}))
        print(json.dumps({"step": name, "ok": True}), flush=True)
    except Exception as error:  # whatever a test raises is what became of it
        line = [frame for frame in inspect.trace() if frame.filename.endswith("test_slack_api.py")]
        why = f"{type(error).__name__} {error}".strip() + (f": {line[-1].code_context[0].strip()}" if line else "")
        print(json.dumps({"step": name, "ok": False, "why": why[:300]}), flush=True)
