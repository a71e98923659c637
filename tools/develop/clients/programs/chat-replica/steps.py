"""Runs the tests of a replica against the pack: its seeds become the world's, its test clients call the sandbox as the person they are."""
import asyncio
import importlib.util
import inspect
import json
import os
import sys
import types
import urllib.parse
import urllib.request

URL, KEY = os.environ["SANDBOX_URL"], os.environ["SANDBOX_KEY"]
TESTS = "backend/tests/integration/test_slack_api.py"
SEEDS = "backend/seeds/slack/slack_default.json"
PEOPLE = {"slack_client": "U01AGENBOT9", "slack_client_john": "U02JOHNDOE1"}
SCOPES = [f"{kind}:{right}" for kind in ("channels", "groups", "im", "mpim") for right in ("read", "history", "write")]
SCOPES += ["chat:write", "reactions:read", "reactions:write", "users:read", "users:read.email", "search:read"]


def send(method, path, body=None, token=KEY):
    data = None if body is None else json.dumps(body).encode()
    headers = {"Authorization": f"Bearer {token}", **({} if data is None else {"Content-Type": "application/json"})}
    address = URL + urllib.parse.quote(path, safe="/?&=%:,<>@")
    try:
        with urllib.request.urlopen(urllib.request.Request(address, data, headers, method=method)) as response:
            return response.status, response.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


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


def seeds():
    """The replica's tables as seed data of the pack. Its general channel is the workspace's."""
    tables = json.load(open(SEEDS))
    users = [
        {"id": row["user_id"], "name": row["username"], **{key: row[key] for key in ("display_name", "real_name", "email")}}
        for row in tables["users"]
    ]
    channels = [
        {
            "id": row["channel_id"],
            "name": row["channel_name"],
            "is_general": row["channel_name"] == "general",
            "topic": {"value": row["topic_text"], "creator": "", "last_set": 0},
            "purpose": {"value": row["purpose_text"], "creator": "", "last_set": 0},
        }
        for row in tables["channels"]
    ]
    members = [
        {"id": f"{row['channel_id']}.{row['user_id']}", "channel": row["channel_id"], "user": row["user_id"]}
        for row in tables["channel_members"]
    ]
    messages = [
        {
            "id": row["message_id"],
            "at": int(float(row["message_id"])),
            "channel": row["channel_id"],
            "user": row["user_id"],
            "text": row["message_text"],
        }
        for row in tables["messages"]
    ]
    tokens = [
        {"id": f"tok_{user}", "kind": "user", "token": f"xoxp-{user}", "user": user, "scopes": SCOPES} for user in PEOPLE.values()
    ]
    return {"users": users, "channels": channels, "channel_members": members, "messages": messages, "tokens": tokens}


def control(path, body):
    status, answer = send("POST", f"/__admin__{path}", body)
    if status >= 300:
        raise RuntimeError(f"{path}: {status} {answer.decode()[:300]}")


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


resources = seeds()
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
