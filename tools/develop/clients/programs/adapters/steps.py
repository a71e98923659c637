"""
The adapters of docs/guides/agent-frameworks.md, whose libraries are not installed: each imported name and each argument is looked up in the library's
source, and each adapter runs a task with stand-ins for the library's classes.
"""
import ast
import asyncio
import json
import os
import pathlib
import re
import sys
import types
import urllib.request

from kit import equal, step

COMMAND = pathlib.Path(os.environ["SANDBOX_COMMAND"])
PAGE = (COMMAND.parents[2] / "docs/guides/agent-frameworks.md").read_text()
BLOCKS = dict(re.findall(r"```python[^\n]*\n# (\w+)\.py\n(.*?)```", PAGE, re.S))
SOURCE = pathlib.Path("src")


def definition(module, name, seen=()):
    """The node that defines a name of a module, wherever it is imported from."""
    path = SOURCE / module.replace(".", "/")
    is_package = (path / "__init__.py").exists()
    tree = ast.parse((path / "__init__.py" if is_package else path.with_suffix(".py")).read_text())
    found = None
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name == name and node in tree.body:
            found = node  # the last one: those before it are overloads
        if isinstance(node, ast.ImportFrom) and found is None:
            for each in node.names:
                if (each.asname or each.name) == name:
                    base = module.split(".") if is_package else module.split(".")[:-1]
                    base = base[: len(base) - node.level + 1] if node.level else []
                    return definition(".".join([*base, *([node.module] if node.module else [])]), each.name)
    if found is None:
        raise LookupError(f"{module} has no {name}")
    return module, found


def accepted(module, node):
    """Names of arguments that a function or class takes; None: any."""
    if isinstance(node, ast.ClassDef):
        made = next((each for each in node.body if isinstance(each, ast.FunctionDef) and each.name == "__init__"), None)
        if made is None:
            fields = {each.target.id for each in node.body if isinstance(each, ast.AnnAssign)}
            for base in node.bases:
                try:
                    fields |= accepted(*definition(module, ast.unparse(base).split("[")[0])) or set()
                except (LookupError, FileNotFoundError):
                    pass  # of another library
            return fields
        node = made
    given = node.args
    if given.kwarg is not None:
        return None
    return {each.arg for each in [*given.posonlyargs, *given.args, *given.kwonlyargs]}


def compared(name, library):
    tree = ast.parse(BLOCKS[name])
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module.split(".")[0] == library:
            for each in node.names:
                found[each.name] = step(f"{node.module}: {each.name}", lambda: definition(node.module, each.name))
    own = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    for node in ast.walk(tree):
        called = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else None
        fields = set()
        if called in own:  # a class of the adapter takes its own fields and those of the library's class
            fields = {each.target.id for each in own[called].body if isinstance(each, ast.AnnAssign)}
            called = own[called].bases[0].id
        if not found.get(called) or not node.keywords:
            continue

        def check():
            takes = accepted(*found[called])
            unknown = [each.arg for each in node.keywords if takes is not None and each.arg not in takes | fields]
            equal(unknown, [])

        step(f"{ast.unparse(node)[:80]}", check)


class Fields:
    """A stand-in for the libraries' classes of fields."""

    def __init__(self, **fields):
        self.__dict__.update(fields)


def module(name, **members):
    made = types.ModuleType(name)
    made.__dict__.update(members)
    sys.modules[name] = made


def refund(prompt, use):
    """What an agent does: the response of the refund is lost, and it was made all the same."""
    payment = re.search(r"pi_\w+", prompt)[0]
    account = {"stripe_context": json.loads(use("list_available_accounts_or_orgs", {}))["accounts"][0]["stripe_context"], "livemode": False}
    write = {"stripe_api_operation_id": "PostRefunds", "parameters": {"payment_intent": payment, "amount": 7500}}
    equal(use("stripe_api_write", {**write, **account}).startswith("connection lost"), True)
    read = {"stripe_api_operation_id": "GetPaymentIntents", "parameters": {}}
    equal(payment in use("stripe_api_read", {**read, **account}), True)


def run_inspect():
    scope = {}

    def react(tools):
        async def agent(state):
            def use(name, arguments):
                message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": arguments}}
                headers = {"Authorization": "Bearer " + tools[0].authorization, "Content-Type": "application/json"}
                request = urllib.request.Request(tools[0].url, json.dumps(message).encode(), headers)
                with urllib.request.urlopen(request) as response:
                    return json.load(response)["result"]["content"][0]["text"]

            refund(state.user_prompt.text, use)
            return state

        return agent

    def same(value):
        return value

    def as_solver(agent):
        return lambda state, generate: agent(state)

    module("inspect_ai", Task=Fields, task=same)
    module("inspect_ai.agent", as_solver=as_solver, react=react)
    module("inspect_ai.dataset", Sample=Fields)
    module("inspect_ai.scorer", Score=Fields, Target=Fields, accuracy=lambda: None, mean=lambda: None, scorer=lambda metrics: same)
    module("inspect_ai.solver", Generate=Fields, TaskState=Fields, solver=same)
    module("inspect_ai.tool", mcp_server_http=lambda **fields: Fields(**fields))
    exec(BLOCKS["sandbox_inspect"], scope)
    task = scope["payments"]()
    sample = next(each for each in task.dataset if each.metadata["task"] == "refund-once")
    kept = {}
    store = types.SimpleNamespace(set=kept.__setitem__, get=kept.__getitem__)
    state = Fields(metadata=sample.metadata, store=store, user_prompt=Fields(text=sample.input))
    state = asyncio.run(task.solver(state, None))
    equal(asyncio.run(task.scorer(state, None)).value, 1)


compared("sandbox_inspect", "inspect_ai")
# The page's own class, with the command of this checkout.
module("sandbox_tasks")
exec(BLOCKS["sandbox_tasks"].replace('("npx", "sandbox")', repr((os.environ.get("NODE", "node"), str(COMMAND)))), sys.modules["sandbox_tasks"].__dict__)
step("Inspect AI: a run with stand-ins has its score", run_inspect)
