import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import http, { type IncomingMessage } from 'node:http';
import net, { type AddressInfo, type Server, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import tls from 'node:tls';
import { promisify } from 'node:util';
import * as x509 from '@peculiar/x509';
import { issueCertificate } from '../../tools/command/certificates.js';
import { createAuthority } from '../../tools/redirect/authority.js';
import { type CommandProxy, startCommandProxy } from '../../tools/redirect/command-proxy.js';
import { startProxy } from '../../tools/redirect/proxy.js';
import { Upstream } from '../../tools/redirect/upstream.js';
import { scratchFolder } from '../support/scratch-folder.js';
import { skipped } from '../support/skipped.js';

/** The proxy of a command, for programs that can't be redirected from inside. */

const folder = scratchFolder();
const started: { close(): unknown }[] = [];
afterAll(() => started.forEach((each) => each.close()));

/** A server that says which host and path it was asked for, and what else it was told. */
async function echo(): Promise<number> {
  return listening(http.createServer((request, response) => response.end(`${request.headers.host} ${request.url}`)));
}

async function listening(server: Server): Promise<number> {
  started.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

let pack: number;
let proxy: CommandProxy;
beforeAll(async () => {
  pack = await echo();
  proxy = await startCommandProxy(`*.vendor.com=http://127.0.0.1:${pack}`, {}, () => undefined);
  started.push(proxy);
});

/** Asks a proxy for a connection. @returns its status and the connection */
async function connected(
  target: string,
  { env } = proxy,
): Promise<{ readonly status: number | undefined; readonly socket: Socket }> {
  const { port, username, password } = new URL(env['HTTPS_PROXY']);
  const headers = { 'Proxy-Authorization': `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` };
  const request = http.request({ host: '127.0.0.1', port, method: 'CONNECT', path: target, headers, agent: false });
  request.end();
  const [response, socket] = (await once(request, 'connect')) as [IncomingMessage, Socket];
  return { status: response.statusCode, socket };
}

/** What a server responds on a connection. */
async function asked(socket: Socket, host: string): Promise<string> {
  socket.write(`GET /v1/things HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  let text = '';
  for await (const part of socket) text += String(part);
  return text;
}

/** TLS over a connection, as a program starts it. */
async function secured(socket: Socket, options: tls.ConnectionOptions): Promise<tls.TLSSocket> {
  const secure = tls.connect({ socket, ...options });
  await once(secure, 'secureConnect');
  return secure;
}

test('a program that trusts SSL_CERT_FILE speaks TLS to the pack under the name of the vendor, by HTTP/1.1', async () => {
  const { socket } = await connected('API.vendor.com.:443');
  const ca = readFileSync(proxy.env['SSL_CERT_FILE']);
  const secure = await secured(socket, { ca, servername: 'api.vendor.com', ALPNProtocols: ['h2', 'http/1.1'] });
  expect([secure.authorized, secure.alpnProtocol]).toEqual([true, 'http/1.1']);
  expect(await asked(secure, 'api.vendor.com')).toContain('api.vendor.com /v1/things');
});

test('a program that is redirected from inside speaks plain HTTP on such a connection', async () => {
  const { socket } = await connected('api.vendor.com:443');
  expect(await asked(socket, 'api.vendor.com')).toContain('api.vendor.com /v1/things');
});

test('what a program sends with its CONNECT is not lost, and hosts and ports that cannot be end nothing', async () => {
  const { port, username, password } = new URL(proxy.env['HTTPS_PROXY']);
  const basic = Buffer.from(`${username}:${password}`).toString('base64');
  const socket = net.connect(Number(port), '127.0.0.1');
  socket.write(`CONNECT api.vendor.com:443 HTTP/1.1\r\nHost: x\r\nProxy-Authorization: Basic ${basic}\r\n\r\n`);
  expect(await asked(socket, 'api.vendor.com')).toMatch(/^HTTP\/1.1 200 .*api\.vendor\.com \/v1\/things/s);
  expect((await connected('other.invalid:99999')).status).toBe(400);
  const { socket: odd } = await connected('a..vendor.com:443');
  await expect(secured(odd, { servername: 'a..vendor.com' })).rejects.toThrow();
  expect((await connected('api.vendor.com:443')).status).toBe(200);
});

test('a program that speaks HTTP/2 alone is rejected', async () => {
  const { socket } = await connected('api.vendor.com:443');
  const offered = { ALPNProtocols: ['h2'], rejectUnauthorized: false, servername: 'api.vendor.com' };
  await expect(secured(socket, offered)).rejects.toThrow('no application protocol');
});

test('certificates name the keys that signed them, which strict clients require', async () => {
  const valid = { from: new Date(), until: new Date(Date.now() + 60_000) };
  const authority = await issueCertificate({ ...valid, name: 'authority', isAuthority: true });
  const hosts = ['api.vendor.com', '127.0.0.1', '::1'];
  const issued = await issueCertificate({ ...valid, name: 'server', isAuthority: false, hosts, by: authority });
  const [by, own] = [authority, issued].map(({ cert }) => new x509.X509Certificate(cert));
  const signer = own.getExtension(x509.AuthorityKeyIdentifierExtension)?.keyId;
  expect(signer).toMatch(/^[0-9a-f]{40}$/);
  expect(by.getExtension(x509.SubjectKeyIdentifierExtension)?.keyId).toBe(signer);
  const read = new X509Certificate(issued.cert);
  expect(read.verify(new X509Certificate(authority.cert).publicKey)).toBe(true);
  expect([read.checkHost(hosts[0]), read.checkIP(hosts[1]), read.checkIP(hosts[2])]).toEqual(hosts);
});

/** Requests a whole URL from the proxy. */
async function got(url: string, { env } = proxy): Promise<string> {
  const { port, username, password } = new URL(env['HTTP_PROXY']);
  const headers = {
    Host: 'told.invalid',
    'Proxy-Authorization': `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
  };
  const request = http.get({ host: '127.0.0.1', port, path: url, headers, agent: false });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  let text = String(response.statusCode);
  for await (const part of response) text += ` ${String(part)}`;
  return text;
}

test('requests with a whole URL go to the pack or to their host, which is not told the password', async () => {
  expect(await got('http://api.vendor.com/v1/things?a=1')).toBe('200 api.vendor.com /v1/things?a=1');
  expect(await got('https://api.vendor.com/v1')).toBe('200 api.vendor.com /v1');
  const told: string[] = [];
  const port = await listening(
    http.createServer(({ rawHeaders }, response) => {
      told.push(...rawHeaders);
      response.end('other');
    }),
  );
  expect(await got(`http://127.0.0.1:${port}/`)).toBe('200 other');
  expect(told.filter((each) => /^proxy/i.test(each))).toEqual([]);
  expect(await got('http://other.invalid/')).toMatch(/^502 sandbox: other\.invalid was not reached/);
  expect((await connected('other.invalid:443')).status).toBe(502);
  const { socket } = await connected(`127.0.0.1:${port}`);
  expect(await asked(socket, 'x')).toContain('other');
});

test('other hosts are reached through the proxy that the user has, with its password, but for those of NO_PROXY', async () => {
  const seen: string[] = [];
  const upstream = http.createServer(({ url }, response) => {
    seen.push(`GET ${url}`);
    response.end('by the other proxy');
  });
  upstream.on('connect', ({ url, headers }: IncomingMessage, socket: Socket) => {
    seen.push(`CONNECT ${url} ${headers['proxy-authorization']}`);
    socket.end('HTTP/1.1 200 OK\r\n\r\n');
  });
  const address = `http://me:secret@127.0.0.1:${await listening(upstream)}`;
  const env = {
    https_proxy: address,
    HTTP_PROXY: address,
    NO_PROXY: '.internal,vendor.com,*',
    no_proxy: '.internal,vendor.com',
  };
  const own = await startCommandProxy(`*.vendor.com=http://127.0.0.1:${pack}`, env, () => undefined);
  started.push(own);
  expect((await connected('other.invalid:443', own)).status).toBe(200);
  expect(await got('http://other.invalid/path', own)).toBe('200 by the other proxy');
  expect((await connected('db.internal:443', own)).status).toBe(502);
  expect(await got('http://api.vendor.com/v1', own)).toBe('200 api.vendor.com /v1');
  const basic = `Basic ${Buffer.from('me:secret').toString('base64')}`;
  expect(seen).toEqual([`CONNECT other.invalid:443 ${basic}`, 'GET http://other.invalid/path']);
  // The program doesn't go around the proxy to the vendor.
  expect(own.env['NO_PROXY']).toBe('localhost,127.0.0.1,::1,.internal');
});

test.each([
  ['https', 'a.com', { ALL_PROXY: 'proxy:3128' }, 'http://proxy:3128'],
  ['http', 'a.com', { HTTPS_PROXY: 'http://proxy' }, undefined],
  ['https', 'a.com', { HTTPS_PROXY: 'socks5://proxy' }, undefined],
  ['https', 'localhost', { HTTPS_PROXY: 'http://proxy' }, undefined],
  ['https', 'a.com', { HTTPS_PROXY: 'http://proxy', NO_PROXY: '*' }, undefined],
  ['https', 'b.a.com', { HTTPS_PROXY: 'http://proxy', NO_PROXY: 'x, a.com:443' }, undefined],
  ['https', 'ba.com', { HTTPS_PROXY: 'http://proxy', NO_PROXY: 'a.com,ba.com:80' }, 'http://proxy'],
] as const)('the way of %s to %s with %j', (scheme, host, env, way) => {
  expect(new Upstream(env).wayTo(scheme, host, 443)?.origin).toBe(way);
});

test('the files that programs trust have no key, only this user reads them, and they go with the command', async () => {
  const mine = join(folder, 'mine.pem');
  const { cert } = await createAuthority();
  writeFileSync(mine, cert);
  const lines: string[] = [];
  const env = { CURL_CA_BUNDLE: mine, ALL_PROXY: 'socks5://127.0.0.1:1' };
  const own = await startCommandProxy(`api.vendor.com=http://127.0.0.1:${pack}`, env, (line) => lines.push(line));
  const file = own.env['SSL_CERT_FILE'];
  expect(own.env['CURL_CA_BUNDLE']).toBe(file);
  const text = readFileSync(file, 'utf8');
  expect([text.match(/BEGIN CERTIFICATE/g)?.length, text.includes(cert.trim()), text.includes('KEY')]).toEqual([
    2,
    true,
    false,
  ]);
  expect((statSync(dirname(file)).mode & 0o077) + (statSync(file).mode & 0o077)).toBe(0);
  expect(lines).toEqual([expect.stringContaining('the proxy socks5://127.0.0.1:1 is not used')]);
  own.close();
  expect(existsSync(dirname(file))).toBe(false);
});

test('who may call: this user, on Linux without the password, as browsers and Java do; another user with it', async () => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return skipped('the proxy of a command against another user. It needs Linux and its user root.');
  const withoutPassword = await startProxy({
    places: [['api.vendor.com', { host: '127.0.0.1', port: pack }]],
    authority: await createAuthority(),
    upstream: new Upstream({}),
    secret: null,
    onDistrust: () => undefined,
  });
  const { port, username, password } = new URL(proxy.env['HTTPS_PROXY']);
  const basic = (text: string): string => `Proxy-Authorization: Basic ${Buffer.from(text).toString('base64')}`;
  const ways = [
    [port, 'CONNECT api.vendor.com:443', ''],
    [port, `CONNECT 127.0.0.1:${pack}`, basic('sandbox:guess')],
    [port, 'GET http://api.vendor.com/', ''],
    [port, 'CONNECT api.vendor.com:443', basic(`${username}:${password}`)],
    [withoutPassword.port, 'CONNECT api.vendor.com:443', ''],
  ] as const;
  const program = `Promise.all(${JSON.stringify(ways)}.map(([port, line, header]) => new Promise((done) => {
      const socket = require('node:net').connect(port, '127.0.0.1');
      socket.write(line + ' HTTP/1.1\\r\\nHost: x\\r\\n' + (header && header + '\\r\\n') + '\\r\\n');
      socket.once('data', (text) => { done(String(text).split(' ')[1]); socket.destroy(); });
    }))).then((all) => console.log(all.join(' ')))`;
  const asking = (uid: number): Promise<{ readonly stdout: string }> =>
    promisify(execFile)(process.execPath, ['-e', program], { uid });
  expect((await asking(0)).stdout).toBe('200 200 200 200 200\n');
  expect((await asking(65_534)).stdout).toBe('407 407 407 200 403\n');
  withoutPassword.close();
});
