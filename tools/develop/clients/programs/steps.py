"""What the programs in Python have: a step's outcome is a line of JSON."""
import json


def step(name, run):
    try:
        value = run()
        print(json.dumps({"step": name, "ok": True}), flush=True)
        return value
    except Exception as error:  # whatever the client raises is what became of the step
        print(json.dumps({"step": name, "ok": False, "why": str(error)[:300]}), flush=True)
        return None


def equal(value, expected):
    if value != expected:
        raise AssertionError(f"{value!r}, not {expected!r}")
