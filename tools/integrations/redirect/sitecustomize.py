"""The redirect for programs in Python: `sandbox exec --redirect` and `sandbox up -- COMMAND` put this folder on PYTHONPATH.

Connections to the vendors' machines go to the sandbox, whose addresses are in SANDBOX_HOSTS. The program believes that it speaks TLS;
what it writes goes to the sandbox as it is. All that connects by `socket` and `ssl` comes here: http.client, requests, urllib3, httpx,
aiohttp. gevent and uvloop look up names themselves: with uvloop such a call ends with an error, with gevent it goes to the vendor.
"""

import os
import sys


def redirect(given):
    """@param given hosts with the addresses of their packs: `api.vendor.com=http://127.0.0.1:8801,*.vendor.com=...`"""
    import socket
    import ssl
    from urllib.parse import urlsplit

    places = {}
    for each in given.split(","):
        name, _, address = each.partition("=")
        parts = urlsplit(address)
        places[name] = (parts.hostname, parts.port or 80)
    targets = {(found[4][0], found[4][1]) for place in set(places.values()) for found in socket.getaddrinfo(*place)}
    # The proxy of this run accepts plain HTTP for vendors' hosts from clients that use proxies.
    if os.environ.get("SANDBOX_PROXY"):
        targets.add((urlsplit(os.environ["SANDBOX_PROXY"]).hostname, urlsplit(os.environ["SANDBOX_PROXY"]).port))
    look_up, connect, connect_ex = socket.getaddrinfo, socket.socket.connect, socket.socket.connect_ex
    wrap_socket, wrap_bio = ssl.SSLContext.wrap_socket, ssl.SSLContext.wrap_bio

    def place_of(host):
        if isinstance(host, (bytes, bytearray)):
            host = bytes(host).decode("ascii", "ignore")
        if not isinstance(host, str):
            return None
        name = host.lower().rstrip(".")
        for each, place in places.items():
            if name.endswith(each[1:]) if each.startswith("*.") else name == each:
                return place
        return None

    # Placeholder addresses of vendors' hosts: some libraries look up the name first. Connections to them are redirected.
    stand_ins = {place: f"127.88.0.{at}" for at, place in enumerate(sorted(set(places.values())), 1)}
    behind = {address: place for place, address in stand_ins.items()}

    def address_of(address):
        if not isinstance(address, tuple):
            return address
        return behind.get(address[0]) or place_of(address[0]) or address

    def getaddrinfo(host, port, *rest, **options):
        place = place_of(host)
        return look_up(host if place is None else stand_ins[place], port, *rest, **options)

    class Pretended:
        """What clients ask a connection with TLS."""

        session, session_reused = None, False

        def do_handshake(self, block=False):
            pass

        def getpeercert(self, binary_form=False):
            return b"" if binary_form else {"subjectAltName": (("DNS", self.server_hostname),)}

        def cipher(self):
            return ("TLS_AES_256_GCM_SHA384", self.version(), 256)

        def version(self):
            return "TLSv1.3"

        def pending(self):
            return 0

        def nothing(self, *_):
            return None

        compression = shared_ciphers = get_channel_binding = nothing
        selected_alpn_protocol = selected_npn_protocol = nothing

    class Socket(Pretended, socket.socket):
        def __init__(self, under, context, server_hostname):
            timeout = under.gettimeout()
            super().__init__(under.family, under.type, under.proto, fileno=under.detach())
            self.settimeout(timeout)
            self.context, self.server_hostname = context, server_hostname

        def read(self, size=1024, buffer=None):
            return self.recv(size) if buffer is None else self.recv_into(buffer, size)

        def write(self, data):
            return self.send(data)

        def unwrap(self):
            return self

    class Pipe(Pretended):
        """The same for asyncio, which moves the bytes itself."""

        def __init__(self, incoming, outgoing, context, server_hostname):
            self.incoming, self.outgoing = incoming, outgoing
            self.context, self.server_hostname = context, server_hostname

        def read(self, size=1024, buffer=None):
            if not self.incoming.pending and not self.incoming.eof:
                raise ssl.SSLWantReadError("no data yet")
            data = self.incoming.read(size)
            if buffer is None:
                return data
            buffer[: len(data)] = data
            return len(data)

        def write(self, data):
            return self.outgoing.write(data)

        def pending(self):
            return self.incoming.pending

        def unwrap(self):
            pass

    def reaches_sandbox(sock):
        try:
            return sock.getpeername()[:2] in targets
        except OSError:
            return False

    def plain_socket(context, sock, server_side=False, *rest, **options):
        name = options.get("server_hostname") or (rest[2] if len(rest) > 2 else None)
        if server_side or place_of(name) is None or not reaches_sandbox(sock):
            return wrap_socket(context, sock, server_side, *rest, **options)
        return Socket(sock, context, name)

    def plain_bio(context, incoming, outgoing, server_side=False, server_hostname=None, session=None):
        if server_side or place_of(server_hostname) is None:
            return wrap_bio(context, incoming, outgoing, server_side, server_hostname, session)
        loop = sys.modules["asyncio"].get_running_loop() if "asyncio" in sys.modules else None
        if type(loop).__module__.startswith("uvloop"):
            raise ConnectionError(f"redirect: uvloop looks up names itself; the call to {server_hostname} was stopped")
        return Pipe(incoming, outgoing, context, server_hostname)

    socket.getaddrinfo = getaddrinfo
    socket.socket.connect = lambda self, address: connect(self, address_of(address))
    socket.socket.connect_ex = lambda self, address: connect_ex(self, address_of(address))
    ssl.SSLContext.wrap_socket, ssl.SSLContext.wrap_bio = plain_socket, plain_bio


def next_sitecustomize():
    """Runs the one that this file hides."""
    from importlib import machinery, util

    own = os.path.dirname(os.path.abspath(__file__))
    spec = machinery.PathFinder.find_spec("sitecustomize", [each for each in sys.path if os.path.abspath(each) != own])
    if spec is not None and spec.loader is not None:
        spec.loader.exec_module(util.module_from_spec(spec))


if os.environ.get("SANDBOX_HOSTS"):
    redirect(os.environ["SANDBOX_HOSTS"])
next_sitecustomize()
