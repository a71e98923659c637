/**
 * `node --import @vendor-sandbox/sandbox/redirect app.js`: connections to the vendor's machines go to the sandbox, whose address and
 * key are in the environment (SANDBOX_URL, SANDBOX_KEY). The application believes that it speaks TLS; what it writes goes to the
 * sandbox as it is. So everything that speaks HTTP/1.1 over `node:tls` comes here: http, https, fetch, undici.
 */
import http from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import tls from 'node:tls';

const { SANDBOX_URL, SANDBOX_KEY, SANDBOX_HOSTS } = process.env;
if (SANDBOX_URL === undefined || (SANDBOX_KEY === undefined && SANDBOX_HOSTS === undefined))
  throw new Error(
    'redirect needs a sandbox: set SANDBOX_URL and SANDBOX_KEY, or run the program by `sandbox exec PACK --redirect -- COMMAND`',
  );

const { hostname, port } = new URL(SANDBOX_URL);
const place = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port === '' ? 80 : port) };
const hosts = new Set(
  SANDBOX_HOSTS === undefined ? await hostsOf(SANDBOX_URL, SANDBOX_KEY ?? '') : SANDBOX_HOSTS.split(','),
);

const connect = tls.connect;

function redirected(...given: unknown[]): tls.TLSSocket {
  // As `net.connect` takes them: options, or a port and perhaps a host; a callback at the end. The types of `connect` are overloads.
  const options = given.find((each): each is tls.ConnectionOptions => typeof each === 'object' && each !== null);
  const host = typeof given[1] === 'string' ? given[1] : (options?.servername ?? options?.host);
  if (host === undefined || !hosts.has(host.toLowerCase()) || options?.socket !== undefined)
    return Reflect.apply(connect, tls, given) as tls.TLSSocket;
  const socket = Object.assign(net.connect(place), SECURE) as unknown as tls.TLSSocket;
  socket.once('connect', () => socket.emit('secureConnect'));
  const callback = given.findLast((each): each is () => void => typeof each === 'function');
  if (callback) socket.once('secureConnect', callback);
  return socket;
}

/** What clients ask of a connection over TLS. */
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

tls.connect = redirected;
syncBuiltinESMExports();

/** The vendor's machines, as the pack of a sandbox names them. */
function hostsOf(url: string, key: string): Promise<readonly string[]> {
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
          const { pack } = JSON.parse(text) as { pack: { name: string; hosts?: readonly string[] } };
          if (pack.hosts) return resolve(pack.hosts);
          failed(`serves the pack ${pack.name}, which names no hosts: set SANDBOX_HOSTS=api.vendor.com`);
        });
      },
    );
    call.on('error', (error) => failed(`does not respond: ${error.message}`));
  });
}
