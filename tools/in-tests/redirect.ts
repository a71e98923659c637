/**
 * `node --import @vendor-sandbox/sandbox/redirect app.js`: redirects connections to the vendor's hosts to the sandbox, whose address and key are in
 * the environment (SANDBOX_URL, SANDBOX_KEY). The application uses TLS as before, but its data is sent to the sandbox unencrypted. Works for every
 * HTTP/1.1 client on `node:tls` or `node:net`: http, https, fetch, undici. Other protocols to these hosts end with an error and never reach the
 * network.
 */
import http from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import tls from 'node:tls';
import vm from 'node:vm';
import workers from 'node:worker_threads';
import { targetFor, placesIn, type RedirectPlaces, targetAt } from './redirect-places.js';

const { SANDBOX_URL, SANDBOX_KEY, SANDBOX_HOSTS, SANDBOX_PROXY } = process.env;
if (SANDBOX_URL === undefined || (SANDBOX_KEY === undefined && SANDBOX_HOSTS === undefined))
  throw new Error(
    'redirect needs a sandbox: set SANDBOX_URL and SANDBOX_KEY, or run the program by `sandbox exec PACK --redirect -- COMMAND`',
  );

/** The vendors' host names, each with the address of its pack. */
const places = await placesOf(SANDBOX_URL, SANDBOX_KEY ?? '');

/** The loopback port of the proxy that `sandbox exec --redirect` and `sandbox up` start; null if there is none. */
const proxyPort = SANDBOX_PROXY === undefined ? null : targetAt(SANDBOX_PROXY).port;

const connect = tls.connect;
// Called with the socket as `this`.
// eslint-disable-next-line typescript/unbound-method
const { connect: dial } = net.Socket.prototype;

/** Returns the options in a call of `connect`: an object, port and host, or a list, as node:net passes them on. */
function optionsOf(given: readonly unknown[]): tls.ConnectionOptions {
  const [first, second] = (Array.isArray(given[0]) ? given[0] : given) as readonly unknown[];
  if (typeof first === 'object' && first !== null) return first;
  const rest = given.find((each): each is tls.ConnectionOptions => typeof each === 'object' && each !== null);
  return { ...rest, host: typeof second === 'string' ? second : rest?.host };
}

function redirected(...given: unknown[]): tls.TLSSocket {
  const { host, servername, socket: under, ALPNProtocols: protocols } = optionsOf(given);
  const place = targetFor(places, host) ?? targetFor(places, servername);
  const callback = given.findLast((each): each is () => void => typeof each === 'function');
  if (place && under instanceof net.Socket && (leadsToProxy(under) || dialedHere.has(under)))
    return plainly(under, callback);
  if (under !== undefined || !place) return Reflect.apply(connect, tls, given) as tls.TLSSocket;
  if (Array.isArray(protocols) && !protocols.includes('http/1.1')) throw stopped(String(protocols), host);
  const socket = Object.assign(new net.Socket(), SECURE) as unknown as tls.TLSSocket;
  Reflect.apply(dial, socket, [place]);
  socket.once('connect', () => socket.emit('secureConnect'));
  if (callback) socket.once('secureConnect', callback);
  return socket;
}

/** Whether a connection leads to the proxy of this run, which accepts plain HTTP for vendors' hosts, for programs that use proxies. */
function leadsToProxy({ remoteAddress, remotePort }: net.Socket): boolean {
  return proxyPort !== null && remotePort === proxyPort && /^(::ffff:)?127\.0\.0\.1$/.test(remoteAddress ?? '');
}

/** For a TLS connection to a vendor over the proxy, returns the plain connection to the proxy, which expects no TLS. */
function plainly(under: net.Socket, callback: (() => void) | undefined): tls.TLSSocket {
  const socket = Object.assign(under, SECURE) as unknown as tls.TLSSocket;
  if (callback) socket.once('secureConnect', callback);
  process.nextTick(() => socket.emit('secureConnect'));
  return socket;
}

/** Creates the error for a connection that would bypass the sandbox. */
function stopped(what: string, host: unknown): Error {
  return new Error(`redirect: the sandbox speaks HTTP/1.1, not ${what}; the call to ${String(host)} was stopped`);
}

/** Sockets to vendors that this redirect has connected to the sandbox; a program may begin TLS over one of them. */
const dialedHere = new WeakSet<net.Socket>();

/** Redirects sockets without TLS. TLS that arrives here bypassed `tls.connect`, and would reach the real vendor. */
function dialed(this: net.Socket, ...given: unknown[]): net.Socket {
  const { host } = optionsOf(given);
  const place = targetFor(places, host);
  if (!place) return Reflect.apply(dial, this, given) as net.Socket;
  if (this instanceof tls.TLSSocket) throw stopped('TLS', host);
  const callback = given.flat().findLast((each): each is () => void => typeof each === 'function');
  dialedHere.add(this);
  return Reflect.apply(dial, this, callback ? [place, callback] : [place]) as net.Socket;
}

/** Members that clients expect of TLS sockets, for plain sockets in their place. */
const SECURE = {
  encrypted: true,
  authorized: true,
  alpnProtocol: false,
  getSession: () => undefined,
  isSessionReused: () => false,
  getPeerCertificate: () => ({}),
  getProtocol: () => 'TLSv1.3',
  setServername: () => undefined,
};

/** Returns the code of a worker, given as a text, so that it loads the redirect first: Node loads no modules before such code. */
function withRedirect(code: string, arguments_: readonly string[]): string {
  const own = JSON.stringify(import.meta.url);
  if (/--input-type[= ]module/.test(arguments_.join(' ')) || !isScript(code)) return `import ${own}; ${code}`;
  const named = `${code}\n//# sourceURL=[worker eval]`;
  return `import(${own}).then(() => (0, eval)(${JSON.stringify(named)}))`;
}

function isScript(code: string): boolean {
  try {
    return new vm.Script(code) instanceof vm.Script;
  } catch {
    return false;
  }
}

class RedirectedWorker extends workers.Worker {
  constructor(file: string | URL, options?: workers.WorkerOptions) {
    const isText = options?.eval === true && typeof file === 'string';
    super(isText ? withRedirect(file, options.execArgv ?? process.execArgv) : file, options);
  }
}

workers.Worker = Object.defineProperty(RedirectedWorker, 'name', { value: 'Worker' });
tls.connect = redirected;
Object.assign(net.Socket.prototype, { connect: dialed });
syncBuiltinESMExports();

/** Reads the host names in SANDBOX_HOSTS (`host`, or `host=address`), or else those of the sandbox's packs. */
async function placesOf(url: string, key: string): Promise<RedirectPlaces> {
  return SANDBOX_HOSTS === undefined ? askPlaces(url, key) : placesIn(SANDBOX_HOSTS, url);
}

/** Description of a pack or company, as the control API returns it. */
interface About {
  readonly pack: { readonly name: string; readonly hosts?: readonly string[] };
  readonly vendors?: Readonly<Record<string, { readonly url: string; readonly hosts: readonly string[] }>>;
}

function askPlaces(url: string, key: string): Promise<RedirectPlaces> {
  targetAt(url);
  return new Promise((resolve, reject) => {
    const failed = (reason: string): void => reject(new Error(`redirect: the sandbox at ${url} ${reason}`));
    const call = http.get(
      `${url}/__admin__/`,
      { agent: false, headers: { Authorization: `Bearer ${key}` } },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.on('end', () => {
          if (response.statusCode !== 200)
            return failed(`returned ${String(response.statusCode)}: is SANDBOX_KEY its key?`);
          const { pack, vendors } = JSON.parse(text) as About;
          if (vendors)
            return resolve(
              Object.values(vendors).flatMap((each) => each.hosts.map((host) => [host, targetAt(each.url)] as const)),
            );
          if (pack.hosts) return resolve(pack.hosts.map((host) => [host, targetAt(url)] as const));
          failed(`serves the pack ${pack.name}, which names no hosts: set SANDBOX_HOSTS=api.vendor.com`);
        });
      },
    );
    call.on('error', (error) => failed(`does not respond: ${error.message}`));
  });
}
