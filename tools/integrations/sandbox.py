"""Vendors of an application in its tests, with Python's standard library alone.

    with Sandbox("payments") as sandbox:
        stripe.api_base, stripe.api_key = sandbox.url, sandbox.key
        sandbox.fault("charges", "create", status=503, count=1)
        sandbox.advance("32d")

Copy this file into the project. It needs Node 20.12 or newer beside Python. Where SANDBOX_URL and SANDBOX_KEY are set, as by
`sandbox up -- pytest` and `sandbox exec payments -- pytest`, `Sandbox.from_environment()` is the one that runs.
"""

import json
import os
import shlex
import subprocess
import urllib.error
import urllib.request


class SandboxError(Exception):
    """A call of the control API that was rejected; `code` and `status` say why."""

    def __init__(self, status, error):
        super().__init__(f"{status} {error.get('code')}: {error.get('message')}")
        self.status, self.code = status, error.get("code")


class Vendor:
    """A vendor that is served: its address, its key, and the control API of its world."""

    def __init__(self, url, key):
        self.url, self.key = url, key

    def call(self, method, path, body=None):
        """Calls the control API, such as call("GET", "/webhooks/deliveries")."""
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"}
        request = urllib.request.Request(f"{self.url}/__admin__{path}", data, headers, method=method)
        # Ignores proxies in the environment, which can't reach this machine.
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            raise SandboxError(error.code, json.load(error)["error"]) from None

    def reset(self, **options):
        """Empties the world."""
        return self.call("POST", "/reset", options)

    def seed(self, **objects):
        """Adds objects without events."""
        return self.call("POST", "/seed", objects)

    def advance(self, duration=None, **until):
        """Advances the clock, by `32d`, or until an event: advance(until="invoice.paid", at_most="60d")."""
        return self.call("POST", "/clock/advance", {**({"duration": duration} if duration else {}), **until})

    def fault(self, resource, operation, **fault):
        """Makes an operation fail: fault("charges", "create", status=503, count=1)."""
        return self.call("POST", "/faults", {"resource": resource, "operation": operation, **fault})

    def clear_faults(self):
        return self.call("DELETE", "/faults")

    def deliveries(self):
        """Waits until all due webhooks are sent, and lists them, newest first."""
        self.call("POST", "/webhooks/flush", {})
        return self.call("GET", "/webhooks/deliveries")["data"]


class Sandbox(Vendor):
    """A server of its own for one vendor, or for several in one world (`vendors` has each). It ends with the block, and with the process."""

    def __init__(self, *packs, command=None, options=()):
        self.vendors = {}
        start = shlex.split(command or os.environ.get("SANDBOX_COMMAND", "npx --yes @vendor-sandbox/sandbox"))
        together = ["--together"] if len(packs) > 1 else []
        args = [*start, "serve", *packs, *together, "--port", "0", "--json", "--with-stdin", *options]
        self._process = subprocess.Popen(args, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        # The file is written once the server is ready.
        line = self._process.stdout.readline()
        if not line:
            self.close()
            raise RuntimeError(f"{' '.join(args)} ended with {self._process.returncode}")
        about = json.loads(line)
        super().__init__(about["url"], about["key"])
        self.vendors = {name: Vendor(each["url"], each["key"]) for name, each in about.get("vendors", {}).items()}

    @staticmethod
    def from_environment():
        """What runs already, by SANDBOX_URL and SANDBOX_KEY."""
        return Vendor(os.environ["SANDBOX_URL"], os.environ["SANDBOX_KEY"])

    def close(self):
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
