"""
OpenEnv's own programs against environments of the sandbox. They import libraries that only their servers, models and progress bars need: those have
stand-ins. The policies are scripts, so that nothing needs a model or a network.
"""
import ast
import asyncio
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import types

from kit import equal, step

sys.path.insert(0, "src")
NODE = shutil.which("node")
COMMAND = os.environ["SANDBOX_COMMAND"]
TASKS = 24


class Anything:
    """A stand-in for whatever a library has."""

    def __init__(self, *_, **__):
        pass

    def __getattr__(self, _):
        return Anything()

    def __call__(self, *_, **__):
        return Anything()

    def __enter__(self):
        return Anything()

    def __exit__(self, *_):
        pass


def stand_in(name):
    made = types.ModuleType(name)
    made.__getattr__ = lambda _: Anything
    made.__path__ = []
    sys.modules[name] = made


for name in ("fastapi", "fastmcp", "fastmcp.client", "fastmcp.client.client", "mcp", "mcp.types", "openai", "rich", "rich.progress"):
    stand_in(name)

# The package's own __init__ loads its server, which nobody needs here.
from openenv.core import GenericEnvClient, MCPToolClient  # noqa: E402
from openenv.core.env_server.mcp_types import CallToolAction  # noqa: E402
from openenv.core.evals.types import EvalConfig, EvalResult  # noqa: E402
from openenv.core.harness import (  # noqa: E402
    HarnessRunLimits,
    MCPHarnessAdapter,
    ModelStepResult,
    ResourceSessionFactory,
    StepEnvSessionAdapter,
    ToolResult,
    build_harness_rollout_func,
)
from openenv.core.harness.collect import CollectRunner, RolloutSerializer  # noqa: E402
from openenv.core.llm_client import LLMResponse, ToolCall  # noqa: E402

server = subprocess.Popen([NODE, COMMAND, "serve", "payments", "--openenv", "--port", "0", "--json"], stdout=subprocess.PIPE, text=True)
URL = json.loads(server.stdout.readline())["url"]


def sandbox(*args):
    done = subprocess.run([NODE, COMMAND, *args], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def validated():
    """The validator's own file, without the commands beside it."""
    source = pathlib.Path("src/openenv/cli/_validation.py")
    scope = {"__name__": "openenv.cli._validation"}
    exec(compile(source.read_text(), str(source), "exec"), scope)
    report = scope["validate_running_environment"](URL)
    equal([each["id"] for each in report["criteria"] if not each["passed"]], [])
    equal((report["passed"], report["mode"], report["standard_profile"]), (True, "simulation", "openenv-http/1.x"))


step("openenv validate --url: every criterion of a running environment", validated)


async def generic():
    async with GenericEnvClient(base_url=URL) as env:
        began = await env.reset(task="refund-once", seed=7)
        equal((began.done, began.observation["task"]), (False, "refund-once"))
        listed = await env.step({"type": "list_tools"})
        equal(len(listed.observation["tools"]) > 1, True)
        called = await env.step({"type": "call_tool", "tool_name": "list_available_accounts_or_orgs", "arguments": {}})
        equal((called.observation["error"], called.done), (None, False))
        state = await env.state()
        equal((state["step_count"], state["changes"], state["seed"]), (1, [], "7"))
        done = await env.step({"type": "finish"})
        equal((done.done, done.reward), (True, 0.333))
        again = await env.reset(task="refund-once", seed=7)
        equal(again.observation["prompt"], began.observation["prompt"])
        other = await env.reset(task="refund-once", seed=8)
        equal(other.observation["prompt"] == began.observation["prompt"], False)


step("GenericEnvClient: reset, step, state, the same world for the same seed", lambda: asyncio.run(generic()))


def context(env):
    account = env.call_tool("list_available_accounts_or_orgs")["accounts"][0]
    return {"stripe_context": account["stripe_context"], "livemode": False}


def by_tools():
    with MCPToolClient(base_url=URL).sync() as env:
        equal("stripe_api_write" in [tool.name for tool in env.list_tools()], True)
        prompt = env.reset(task="refund-the-rest").observation.metadata["prompt"]
        where = context(env)
        payment = re.search(r"pi_\w+", prompt)[0]
        write = {"stripe_api_operation_id": "PostRefunds", "parameters": {"payment_intent": payment}}
        equal(env.call_tool("stripe_api_write", **write, **where)["object"], "refund")
        changes = env.state()
        equal(changes.step_count, 2)
        unknown = env.step(CallToolAction(tool_name="no_such_tool", arguments={}))
        equal(unknown.observation.error.error_type.value, "tool_not_found")
        equal(env.step(CallToolAction(tool_name="finish")).done, True)


step("MCPToolClient: its tools, a change, a tool that does not exist, the end", by_tools)


async def many(count):
    envs = [GenericEnvClient(base_url=URL) for _ in range(count)]
    for env in envs:
        await env.connect()
    await asyncio.gather(*(env.reset(task="one-customer-one-key") for env in envs))

    async def one(env, at):
        listed = await env.step({"type": "call_tool", "tool_name": "list_available_accounts_or_orgs", "arguments": {}})
        where = {"stripe_context": listed.observation["result"]["data"]["accounts"][0]["stripe_context"], "livemode": False}
        given = {"stripe_api_operation_id": "PostCustomers", "parameters": {"name": f"Customer {at}"}, **where}
        await env.step({"type": "call_tool", "tool_name": "stripe_api_write", "arguments": given})
        state = await env.state()
        return sum(len(each["objects"]) for each in state["changes"])

    changed = await asyncio.gather(*(one(env, at) for at, env in enumerate(envs)))
    equal(set(changed), {changed[0]})
    for env in envs:
        await env.close()


step("300 environments at once, each with changes of its own", lambda: asyncio.run(many(300)))


class Policy:
    """Refunds what is asked for. A careless one repeats a call whose response was lost."""

    def __init__(self, careful):
        self.careful, self.where = careful, None

    def next(self, prompt, heard):
        """The next call after what was heard; None: it is done."""
        refund = {"payment_intent": re.search(r"pi_\w+", prompt)[0], "amount": 7500}
        write = lambda: ("stripe_api_write", {"stripe_api_operation_id": "PostRefunds", "parameters": refund, **self.where})
        if not heard:
            return "list_available_accounts_or_orgs", {}
        if len(heard) == 1:
            account = re.search(r"acct_\w+", heard[0])[0]
            self.where = {"stripe_context": account, "livemode": False}
            return write()
        if len(heard) == 2 and self.careful:
            return "stripe_api_read", {"stripe_api_operation_id": "GetRefunds", "parameters": {"payment_intent": refund["payment_intent"]}, **self.where}
        if len(heard) == 2:
            return write()
        return ("finish", {}) if len(heard) == 3 else None


class Sessions(ResourceSessionFactory):
    """Sessions of tasks, as OpenEnv's harness asks for them."""

    def create(self, task, seed=None, episode_id=None):
        with MCPToolClient(base_url=URL).sync() as listing:
            tools = listing.list_tools()
        return StepEnvSessionAdapter(
            MCPToolClient(base_url=URL),
            task=task,
            episode_id=episode_id,
            tool_specs=tools,
            reset_kwargs=task,
            action_builder=lambda name, given: CallToolAction(tool_name=name, arguments=given),
            initial_messages_builder=lambda result, _: [{"role": "user", "content": result.observation.metadata["prompt"]}],
            tool_result_builder=lambda name, given, result, _: ToolResult(
                data=result.observation.result, done=result.done, metadata={"reward": result.reward}
            ),
        )


def steps_of(careful):
    """A model's step: the calls of a policy in the form of a model's response."""

    def model_step(messages, tools, sampling):
        heard = [each["content"] for each in messages if each["role"] == "tool"]
        call = Policy.next(policies.setdefault(messages[0]["content"] + str(careful), Policy(careful)), messages[0]["content"], heard)
        calls = [] if call is None else [ToolCall(id=f"call_{len(heard)}", name=call[0], args=call[1])]
        return ModelStepResult(response=LLMResponse(content="", tool_calls=calls))

    return model_step


policies = {}
TASK = {"task": "refund-once"}
EVERY = pathlib.Path("collected")
shutil.rmtree(EVERY, ignore_errors=True)


def collect():
    serializer = RolloutSerializer(EVERY)
    runner = CollectRunner(session_factory=Sessions(), harness_adapter=MCPHarnessAdapter(), serializer=serializer, tasks=[TASK] * 4)
    result = runner.run(model_step=steps_of(True), num_episodes=4)
    equal((result.num_collected, result.num_failed, result.avg_reward, result.success_rate), (4, 0, 1.0, 1.0))


step("CollectRunner: 4 episodes of a scripted policy, all with the reward 1", collect)


def judged_again():
    code, said = sandbox("eval", "payments", "--rollouts", str(EVERY / "results.jsonl"), "-q")
    equal((code, "4 runs of 4 passed" in said), (0, True))


step("sandbox eval --rollouts: what OpenEnv collected passes again", judged_again)


def trained():
    """What OpenEnv gives to TRL: a function from prompts to rollouts with rewards."""
    rewards = []
    for careful in (True, False):
        rollout = build_harness_rollout_func(
            session_factory=Sessions(),
            harness_adapter=MCPHarnessAdapter(),
            model_step_builder=lambda trainer, session: steps_of(careful),
            limits=HarnessRunLimits(max_turns=8),
        )
        rewards += rollout([TASK, TASK], None)["env_reward"]
    equal(rewards, [1.0, 1.0, 0.333, 0.333])


step("build_harness_rollout_func: the careful policy gets more than the careless one", trained)


def method_of(file, owner, name):
    """A method as its file has it."""
    tree = ast.parse(pathlib.Path(file).read_text())
    cls = next(node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == owner)
    found = next(node for node in cls.body if isinstance(node, ast.FunctionDef) and node.name == name)
    scope = {"asyncio": asyncio, "parse_response": lambda tokenizer, ids, prefix=None: tokenizer[ids[0]]}
    exec(compile(ast.Module([found], []), file, "exec"), scope)
    return scope[name]


class RefundEnvironment:
    """An environment as TRL's trainer wants it: public methods are tools."""

    def reset(self, **given):
        self.reward = 0.0
        self.env = MCPToolClient(base_url=URL).sync()
        self.env.connect()
        self.prompt = self.env.reset(**given).observation.metadata["prompt"]
        return self.prompt

    def use(self, name, arguments):
        result = self.env.step(CallToolAction(tool_name=name, arguments=arguments))
        self.reward = result.reward or 0.0
        return json.dumps(result.observation.result)


class Trainer:
    """What the loop of the trainer reads and calls of it; tokens are places in a list of messages."""

    max_tool_calling_iterations, use_vllm, _is_vlm, max_completion_length = 8, False, False, 1_000_000
    model = types.SimpleNamespace(config=types.SimpleNamespace(max_position_embeddings=1_000_000))
    _tool_call_loop = method_of("trl/trainer/grpo_trainer.py", "GRPOTrainer", "_tool_call_loop")

    def __init__(self, policies):
        self.policies, self._tokenizer = policies, []
        self.environments = [RefundEnvironment() for _ in policies]
        self._sync_tool_dicts = [{"use": each.use} for each in self.environments]
        self._async_tool_dicts = [{} for _ in policies]
        self.heard = [[] for _ in policies]

    def turn(self, at):
        call = self.policies[at].next(self.environments[at].prompt, self.heard[at])
        message = {"role": "assistant", "content": ""}
        if call is not None:
            message["tool_calls"] = [{"type": "function", "function": {"name": "use", "arguments": {"name": call[0], "arguments": call[1]}}}]
        self._tokenizer.append(message)
        return [len(self._tokenizer) - 1]

    def _get_tool_suffix_ids(self, messages):
        return [-1] * len(messages)

    def _generate_single_turn(self, prompt_ids, images, fields):
        self.active = [at for at in range(len(self.policies)) if self.completions[at][-1]["role"] == "tool"]
        for at in self.active:
            self.heard[at] = [each["content"] for each in self.completions[at] if each["role"] == "tool"]
        return [self.turn(at) for at in self.active], None

    def run(self):
        prompts = [[{"role": "user", "content": each.reset(task="refund-once")}] for each in self.environments]
        ids = [self.turn(at) for at in range(len(self.policies))]
        self.completions = [[self._tokenizer[each[0]]] for each in ids]
        counted = self._tool_call_loop(prompts, [[0]] * len(ids), ids, self.completions, None, None, {})
        for each in self.environments:
            each.env.close()
        return [each.reward for each in self.environments], counted[4], counted[5]


def loop():
    rewards, calls, failures = Trainer([Policy(True), Policy(False), Policy(True), Policy(False)]).run()
    equal((rewards, calls, failures), ([1.0, 0.333, 1.0, 0.333], 16, 0))


step("TRL: GRPOTrainer's loop of tool calls, with the reward of each environment", loop)


def written():
    shutil.rmtree("rollouts", ignore_errors=True)
    code, said = sandbox("eval", "payments", "--check", "-q", "--openenv", "rollouts")
    equal(code, 0)
    result = EvalResult.model_validate_json(pathlib.Path("rollouts/eval-result.json").read_text())
    equal((len(result.scores["tasks"]), result.config.dataset), (TASKS, "payments"))
    equal(len(RolloutSerializer("rollouts").collected_episode_ids()), sum(each["runs"] for each in result.scores["tasks"]))
    equal(pathlib.Path("rollouts/README.md").read_text().startswith("---\nconfigs:\n"), True)


step("sandbox eval --openenv: OpenEnv reads its rollouts and its result", written)


def configured():
    config = EvalConfig(harness_name="sandbox", harness_version="1", library_versions={}, dataset="payments", eval_parameters={"runs": 2, "min": 0})
    pathlib.Path("config.json").write_text(config.model_dump_json())
    code, said = sandbox("eval", "config.json", "-q", "--", "true")
    equal((code, f"of {2 * TASKS} passed" in said), (0, True))


step("sandbox eval CONFIG.json: an EvalConfig says the tasks and the runs", configured)


def exported():
    code, said = sandbox("export-openenv", "payments", "--out", "space")
    equal(code, 0)
    files = sorted(each.name for each in pathlib.Path("space").iterdir())
    equal(files, ["Dockerfile", "README.md", "openenv.yaml", "tasks.jsonl"])
    head = pathlib.Path("space/README.md").read_text().split("---\n")[1]
    equal([line for line in ("sdk: docker", "app_port: 8000", "  - openenv") if line not in head.splitlines()], [])
    spec = dict(line.split(": ", 1) for line in pathlib.Path("space/openenv.yaml").read_text().splitlines())
    equal((spec["spec_version"], spec["name"], spec["type"], spec["port"]), ("1", "payments_env", "space", "8000"))
    rows = [json.loads(line) for line in pathlib.Path("space/tasks.jsonl").read_text().splitlines()]
    equal(len(rows), TASKS)


step("sandbox export-openenv: card, spec file, container, rows of a data set", exported)
server.terminate()
server.wait()
