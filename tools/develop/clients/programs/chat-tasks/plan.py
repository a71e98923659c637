"""The fewest calls that make what the assertions of a task expect, made from the assertions and the seeds alone."""
from wording import blocks_with, joined, predicate, texts_of


def least(assertion):
    count = assertion.get("expected_count")
    return count.get("min", 1) if isinstance(count, dict) else 1 if count is None else count


def exact(value):
    """What the predicate names, as a list; nothing: it names none."""
    given = {} if value is None else predicate(value)
    return [given["eq"]] if "eq" in given else list(given.get("in", []))


class Plan:
    """
    Calls `(method, arguments)`. A room that a call makes is a map, which gets its `id` then; `caller` is who calls, where the vendor lets nobody else
    (only its author changes a message; the replica lets everybody).
    """

    def __init__(self, task, tables):
        self.me = task["impersonate_user_id"]
        self.tables = tables
        self.assertions = task["assertions"]
        self.begins, self.acts, self.ends = [], [], []
        self.rooms = []
        self.changed_channels()
        self.people()
        self.messages()
        self.changed_messages()
        self.removed_messages()
        self.reactions()
        self.removed_members()
        self.calls = self.begins + [call for room in self.rooms for call in self.calls_of(room)] + self.acts + self.ends

    def asked(self, kind, entity):
        return [each for each in self.assertions if (each["diff_type"], each["entity"]) == (kind, entity)]

    def act(self, method, **args):
        if (method, args) not in self.acts:
            self.acts.append((method, args))

    # channels

    def changed_channels(self):
        for each in self.asked("changed", "channels"):
            [channel] = exact(each["where"]["channel_id"])
            for field, change in each["expected_changes"].items():
                to = change["to"] if isinstance(change, dict) else change
                if field == "is_archived":
                    [is_archived] = exact(to)
                    if is_archived:
                        self.ends.append(("conversations.archive", {"channel": channel}))
                    else:
                        self.begins.insert(0, ("conversations.unarchive", {"channel": channel}))
                elif field == "topic_text":
                    self.begins.append(("conversations.setTopic", {"channel": channel, "topic": joined(texts_of(to))}))
                else:
                    self.begins.append(("conversations.rename", {"channel": channel, "name": joined(texts_of(to))}))

    def people(self):
        """Rooms that are to be made, and who is to be in them or in those that are there."""
        for each in self.asked("added", "channels"):
            where = each["where"]
            kind = "im" if exact(where.get("is_dm")) == [True] else "mpim" if exact(where.get("is_gc")) == [True] else "channel"
            for _ in range(least(each)):
                name = joined(texts_of(where.get("channel_name"))) or "made"
                self.rooms.append({"kind": kind, "name": name, "topic": joined(texts_of(where.get("topic_text"))), "people": []})
        asked = self.asked("added", "channel_members")
        forbidden = {user for each in asked if least(each) == 0 for user in exact(each["where"].get("user_id"))}
        named = {user for each in asked for user in exact(each["where"].get("user_id"))}
        for each in asked:
            where, channels, users = each["where"], exact(each["where"].get("channel_id")), exact(each["where"].get("user_id"))
            if least(each) == 0:
                continue
            if channels:
                for user in users:
                    self.begins.append(("conversations.join", {"channel": channels[0]}) if user == self.me else ("conversations.invite", {"channel": channels[0], "users": user}))
                continue
            for user in users:
                is_private_talk = "regex" in predicate(where.get("channel_id", {}))
                for _ in range(1 if len(users) > 1 else least(each)):
                    self.place(user, is_private_talk)
            if not users and not self.rooms:
                channel, user = self.not_yet_in()
                self.begins.append(("conversations.invite", {"channel": channel, "users": user}))
        free = [row["user_id"] for row in self.tables["users"] if row["user_id"] not in named | forbidden | {self.me} | self.talked_to()]
        for room in self.rooms:
            fewest = {"im": 1, "mpim": 2, "channel": 0}[room["kind"]]
            while len(room["people"]) < fewest:
                room["people"].append(free.pop(0))

    def place(self, user, is_private_talk):
        """Puts a person into a room that is to be made anyway; into a talk of two of its own where there is none."""
        if user == self.me and self.rooms:
            return
        order = ["im"] if is_private_talk else ["channel", "mpim", "im"]
        for kind in order:
            for room in self.rooms:
                has_place = kind != "im" or not room["people"]
                if room["kind"] == kind and has_place and user not in room["people"]:
                    room["people"].append(user)
                    return
        self.rooms.append({"kind": "im", "name": "", "topic": "", "people": [user]})

    def talked_to(self):
        talks = [row["channel_id"] for row in self.tables["channels"] if row.get("is_dm")]
        return {row["user_id"] for row in self.tables["channel_members"] if row["channel_id"] in talks}

    def not_yet_in(self):
        here = {(row["channel_id"], row["user_id"]) for row in self.tables["channel_members"]}
        return next(
            (channel["channel_id"], user["user_id"])
            for channel in self.tables["channels"]
            if (channel["channel_id"], self.me) in here
            for user in self.tables["users"]
            if (channel["channel_id"], user["user_id"]) not in here
        )

    def calls_of(self, room):
        """A call that makes a room keeps its id in `room`."""
        if room["kind"] != "channel":
            return [("conversations.open", {"users": ",".join(room["people"]), "room": room})]
        calls = [("conversations.create", {"name": room["name"], "room": room})]
        if room["topic"]:
            calls.append(("conversations.setTopic", {"channel": room, "topic": room["topic"]}))
        return calls + [("conversations.invite", {"channel": room, "users": user}) for user in room["people"]]

    # messages

    def messages(self):
        """Assertions of one place are one message, as far as their counts allow."""
        groups = {}
        for each in self.asked("added", "messages"):
            if least(each) == 0:
                continue
            where = each["where"]
            place = (*exact(where.get("channel_id")), *(["talk"] if "regex" in predicate(where.get("channel_id", {})) else []))
            group = groups.setdefault((place, *exact(where.get("parent_id"))), {"where": where, "texts": [], "blocks": [], "least": 1})
            group["texts"] += texts_of(where.get("message_text"))
            group["blocks"] += texts_of(where.get("blocks"))
            group["least"] = max(group["least"], least(each))
        anywhere = groups.get(((),))
        if anywhere and not anywhere["texts"]:
            # Messages of other places count here too.
            anywhere["least"] -= sum(group["least"] for key, group in groups.items() if key != ((),))
        for group in groups.values():
            where = group["where"]
            [channel] = exact(where.get("channel_id")) or [self.room_for_talk()]
            args = {"channel": channel, "text": joined(group["texts"]) or "text"}
            if group["blocks"]:
                args["blocks"] = blocks_with(group["blocks"])
            if where.get("parent_id"):
                [args["thread_ts"]] = exact(where["parent_id"])
            for number in range(group["least"]):
                self.acts.append(("chat.postMessage", args if number == 0 else {**args, "text": f"text {number}"}))

    def room_for_talk(self):
        for kind in ["im", "mpim", "channel"]:
            for room in self.rooms:
                if room["kind"] == kind:
                    return room
        return self.tables["channels"][0]["channel_id"]

    def message(self, message_id):
        return next(row for row in self.tables["messages"] if row["message_id"] == message_id)

    def changed_messages(self):
        texts = {}
        for each in self.asked("changed", "messages"):
            where = each["where"]
            [message] = exact(where.get("message_id")) or [self.own_message(exact(where["channel_id"])[0])]
            texts.setdefault(message, []).extend(texts_of(each["expected_changes"]["message_text"]["to"]))
        for message, asked in texts.items():
            row = self.message(message)
            self.act("chat.update", channel=row["channel_id"], ts=message, text=joined(asked), caller=row["user_id"])

    def own_message(self, channel):
        """A message that nothing else is asked of, the caller's own where there is one."""
        gone = {row["message_id"] for each in self.asked("removed", "messages") for row in self.matching(each)}
        rows = [row for row in self.tables["messages"] if row["channel_id"] == channel and row["message_id"] not in gone]
        return min(rows, key=lambda row: row["user_id"] != self.me)["message_id"]

    def matching(self, assertion):
        where = assertion["where"]
        rows = [row for row in self.tables["messages"] if all(row[key] in exact(where[key]) for key in ("channel_id", "message_id") if key in where)]
        asked = [text.lower() for text in texts_of(where.get("message_text"))]
        return [row for row in rows if all(text in row["message_text"].lower() for text in asked)]

    def removed_messages(self):
        for each in self.asked("removed", "messages"):
            if least(each) == 0:
                continue
            for row in sorted(self.matching(each), key=lambda row: row["user_id"] != self.me)[: least(each)]:
                self.act("chat.delete", channel=row["channel_id"], ts=row["message_id"], caller=row["user_id"])

    def reactions(self):
        for kind, method in (("added", "reactions.add"), ("removed", "reactions.remove")):
            for each in self.asked(kind, "message_reactions"):
                if least(each) == 0:
                    continue
                where = each["where"]
                [message, *_] = exact(where.get("message_id")) or [self.tables["messages"][0]["message_id"]]
                [name, *_] = exact(where.get("reaction_type")) or ["thumbsup"]
                self.act(method, channel=self.message(message)["channel_id"], timestamp=message, name=name)

    def removed_members(self):
        for each in self.asked("removed", "channel_members"):
            if least(each) == 0:
                continue
            [channel], [user] = exact(each["where"]["channel_id"]), exact(each["where"]["user_id"])
            self.act("conversations.leave", channel=channel) if user == self.me else self.act("conversations.kick", channel=channel, user=user)
