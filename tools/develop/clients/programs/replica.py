"""What the programs share that play tests and tasks of a replica of the vendor's chat: its seeds as seed data, calls of a person, the control API."""
import json
import os
import urllib.error
import urllib.parse
import urllib.request

URL, KEY = os.environ["SANDBOX_URL"], os.environ["SANDBOX_KEY"]
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


def control(path, body=None):
    status, answer = send("GET" if body is None else "POST", f"/__admin__{path}", body)
    if status >= 300:
        raise RuntimeError(f"{path}: {status} {answer.decode()[:300]}")
    return json.loads(answer or "null")


def seeds(file, people):
    """The replica's tables as seed data of the pack, and tokens of people. Its general channel is the workspace's."""
    tables = json.load(open(file))
    users = [
        {"id": row["user_id"], "name": row["username"], **{key: row[key] for key in ("display_name", "real_name", "email")}}
        for row in tables["users"]
    ]
    channels = [
        {
            "id": row["channel_id"],
            "name": None if row.get("is_dm") else row["channel_name"],
            "kind": "im" if row.get("is_dm") else "private" if row.get("is_private") else "public",
            "state": "archived" if row.get("is_archived") else "open",
            "is_general": row["channel_name"] == "general",
            "topic": {"value": row.get("topic_text") or "", "creator": "", "last_set": 0},
            "purpose": {"value": row.get("purpose_text") or "", "creator": "", "last_set": 0},
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
            "parent": row.get("parent_id"),
        }
        for row in tables["messages"]
    ]
    reactions = [
        {
            "id": ".".join([row["message_id"], row["reaction_type"], row["user_id"]]),
            "message": row["message_id"],
            "name": row["reaction_type"],
            "user": row["user_id"],
        }
        for row in tables.get("message_reactions", [])
    ]
    tokens = [{"id": f"tok_{user}", "kind": "user", "token": f"xoxp-{user}", "user": user, "scopes": SCOPES} for user in people]
    return {
        "users": users,
        "channels": channels,
        "channel_members": members,
        "messages": messages,
        "message_reactions": reactions,
        "tokens": tokens,
    }
