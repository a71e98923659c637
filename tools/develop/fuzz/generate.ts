import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Json } from '../../../engine/values/index.js';
import type { Operation, Program, WholeBody } from '../../../engine/program/index.js';
import { type FuzzCall, http, type HttpCall, KEY, withQuery } from './call.js';
import { ControlCalls } from './control-calls.js';
import { Dice } from '../simulate/dice.js';
import { encode, formOf } from '../simulate/form.js';
import { framesOf, replyOf } from './frames.js';
import { McpCalls } from './mcp-calls.js';
import { MultipliedCalls } from './multiplied-calls.js';
import { NUMBERS, odd, TEXTS } from './oddities.js';
import { ParameterValues } from './values.js';

/** Maximum number of remembered sets of path parameters, and of links read from one response. */
const [MOST_PLACES, MOST_LINKS] = [100, 20];
/** Percentages with which each kind of call is generated. */
const SHARES = { control: 30, raw: 2, page: 4, frames: 4, mcp: 6, multiplied: 6, mutated: 35, host: 2, origin: 3 };
/** A compressed body that grows when it is decompressed. */
const GZIP = `base64:${gzipSync(Buffer.alloc(3_000_000, 0x5b)).toString('base64')}`;
const BROTLI = `base64:${brotliCompressSync(Buffer.alloc(2_000_000, 0x5b)).toString('base64')}`;
const BOUNDARY = 'sandbox-fuzz';

const RAW = [
  'GET / HTTP/1.1\r\n\r\n',
  'GET /\r\n\r\n',
  'POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  'GARBAGE\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: a\r\nX: ' + 'y'.repeat(20_000) + '\r\n\r\n',
  'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\nabc',
  'OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n',
  'GET http://a/__admin__ HTTP/1.1\r\nHost: a\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
  'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFF\r\n',
  '\u0000\u0001\u0002',
  'POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n',
  'GET /%zz%ff HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(50),
];

/** Host names for which no page may be served. */
export const FOREIGN_HOSTS: readonly string[] = [
  'shop.example.com',
  'localhost@evil.example',
  '127.0.0.1.evil.example',
];
/** IP addresses as host names. They can't be rebound to another server, so pages are served. */
const ADDRESSES: readonly string[] = ['169.254.169.254', '[::ffff:1.2.3.4]:80'];

/** Origins of other sites' pages. */
const ORIGINS = ['https://shop.example.com', 'http://localhost.evil.example', 'null', 'x'];

/** Generates calls of both APIs of a pack, valid and damaged ones. */
export class Generator {
  private readonly dice: Dice;
  private readonly values: ParameterValues;
  readonly #control: ControlCalls;
  readonly #mcp: McpCalls;
  readonly #multiplied: MultipliedCalls;
  readonly #versions: readonly string[];
  /** Patterns of the operations' paths, which find parameter values in links. */
  readonly #paths: readonly RegExp[];
  /** Path parameter values from links in responses. */
  readonly #places: Readonly<Record<string, string>>[] = [];
  /** WebSocket paths from links in responses. */
  readonly #sockets: string[] = [];
  #seeds = 0;

  constructor(
    private readonly program: Program,
    seed: number,
  ) {
    this.dice = new Dice(seed);
    this.values = new ParameterValues(program, this.dice);
    this.#control = new ControlCalls(program, this.dice, this.values);
    this.#mcp = new McpCalls(program, this.dice, this.values);
    this.#multiplied = new MultipliedCalls(program, this.dice);
    this.#versions = program.versions?.all.map(({ name }) => name) ?? [];
    const routes = program.operations.flatMap((operation) => operation.routes).filter(({ names }) => names.length > 0);
    this.#paths = routes.map(
      ({ path }) => new RegExp(`^${path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
    );
  }

  /** Collects the ids, names and links in a response. */
  addIds(text: string): void {
    this.values.addIds(text);
    const links = [...text.matchAll(/"https?:\/\/[^"/]+(\/[^"?#{]*)"/g)].slice(0, MOST_LINKS);
    for (const [, link] of links) {
      const found = this.#paths.map((path) => path.exec(link)?.groups).find((groups) => groups !== undefined);
      if (found) this.#places.push(found);
    }
    for (const [, path] of text.matchAll(/"wss?:\/\/[^"/]+(\/[^"?#]*)"/g)) this.#sockets.push(path);
    this.#sockets.splice(0, Math.max(0, this.#sockets.length - MOST_LINKS));
    this.#places.splice(0, Math.max(0, this.#places.length - MOST_PLACES));
  }

  /** Generates the initial calls for a world: one of the pack's seeds, or none. */
  beginning(): FuzzCall[] {
    const names = [...this.program.seeds().keys()];
    const name = names.at(this.#seeds++ % (names.length + 1));
    const type = { 'content-type': 'application/json' };
    return name === undefined ? [] : [http('POST', '/__admin__/seed', type, JSON.stringify({ name }))];
  }

  /** Discards collected ids, since the world was reset. */
  forget(): void {
    this.values.forget();
    this.#places.length = 0;
    this.#sockets.length = 0;
  }

  next(): FuzzCall {
    const { dice } = this;
    const share = dice.below(100);
    if (share < SHARES.raw) return { kind: 'raw', bytes: Buffer.from(dice.one(RAW), 'latin1').toString('base64') };
    const call = this.#fromElsewhere(this.#whole(share - SHARES.raw));
    return dice.chance(SHARES.mutated) ? this.#mutated(call) : call;
  }

  #whole(share: number): FuzzCall {
    let left = share;
    const isNext = (part: number): boolean => (left -= part) < 0;
    if (isNext(SHARES.control)) return this.#control.next();
    if (isNext(SHARES.multiplied)) return this.#multiplied.next();
    if (isNext(SHARES.page)) return this.#page();
    if (isNext(SHARES.frames)) return this.#streamed();
    return isNext(SHARES.mcp) ? this.#mcp.next() : this.#vendor();
  }

  /** Sends some calls with another origin or host name. */
  #fromElsewhere(call: FuzzCall): FuzzCall {
    const { dice } = this;
    if (call.kind !== 'http') return call;
    const headers = { ...call.headers };
    if (dice.chance(SHARES.host)) headers['host'] = dice.one([...FOREIGN_HOSTS, ...ADDRESSES]);
    if (dice.chance(SHARES.origin)) headers['origin'] = dice.one(ORIGINS);
    return { ...call, headers };
  }

  /** Calls with endless responses: a connecting listener, the control API's stream, a stream of the vendor. */
  #streamed(): FuzzCall {
    const { dice, program } = this;
    const plans = [...(program.delivery()?.transports.values() ?? [])].flatMap((plan) =>
      plan.kind === 'socket' ? [plan.socket] : [],
    );
    if (plans.length > 0 && dice.chance(70)) {
      const { path: begin, protocol } = dice.one(plans);
      const path = this.#sockets.length > 0 && dice.chance(85) ? dice.one(this.#sockets) : begin + this.values.anyId();
      const frames = framesOf(dice, () => this.values.anyId()).toString('base64');
      return { kind: 'socket', path, protocol: dice.chance(95) ? protocol : 'other', frames, reply: replyOf(dice) };
    }
    const cutMs = dice.below(60);
    const streams = program.operations.filter(({ stream }) => stream !== null);
    if (streams.length > 0 && dice.chance(70)) {
      const call = this.#operation(dice.one(streams));
      return { ...call, cutMs, headers: { ...call.headers, accept: dice.one(['text/event-stream', '*/*']) } };
    }
    const last = dice.one<Record<string, string>>([
      {},
      { 'last-event-id': dice.one(['0', '1-1', '99999', '-1', 'x']) },
    ]);
    return { ...http('GET', '/__admin__/stream', last), cutMs };
  }

  #vendor(): FuzzCall {
    return this.#operation(this.dice.one(this.program.operations));
  }

  #operation(operation: Operation): HttpCall {
    const { dice } = this;
    const route = dice.one(operation.routes);
    const place = this.#places.length > 0 && dice.chance(80) ? dice.one(this.#places) : {};
    const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(place[name] ?? this.#idFor(operation, name)),
    );
    const params = { ...this.values.params(operation.params(), route.names), ...this.#keyParams() };
    const headers = this.#headers();
    const isRead = route.method === 'GET' || route.method === 'DELETE';
    if (isRead) return http(route.method, withQuery(path, formOf(params)), headers);
    const { whole } = operation;
    if (whole !== null) {
      const { [whole.as]: body = null, ...query } = params;
      const type = { 'content-type': whole.contentType };
      return http(
        route.method,
        withQuery(path, formOf(query)),
        { ...headers, ...type },
        wholeBody(dice, whole.type, body),
      );
    }
    if (dice.chance(3)) {
      const type = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
      return http(route.method, path, { ...headers, ...type }, multipartOf(params));
    }
    const isForm = (this.program.model.settings.requests === 'form') !== dice.chance(2);
    headers['content-type'] = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
    return http(route.method, path, headers, isForm ? formOf(params) : JSON.stringify(params));
  }

  #headers(): Record<string, string> {
    const { dice, program } = this;
    const { versions, auth } = program.model.settings;
    const headers = this.#keyHeaders();
    if (dice.chance(8)) headers['idempotency-key'] = `k${dice.below(20)}`;
    if (dice.chance(3)) headers['x-mock-scenario'] = dice.one([...program.scenarios().keys(), 'nope']);
    if (versions !== null && dice.chance(40))
      headers[dice.one(versions.headers)] = dice.one([...this.#versions, '2020-01-01', '9999-99-99.x', '']);
    if (dice.chance(3)) headers['if-none-match'] = dice.one(['*', '"x"', 'W/"1"', '']);
    if (dice.chance(2)) headers['range'] = 'bytes=0-1';
    for (const { name } of auth.keyHeaders) if (dice.chance(5)) headers[name] = dice.one(['', 'x', 'sk_fuzz']);
    return headers;
  }

  /** Returns headers with the world's key where the pack expects it; empty for bearer tokens, which every call has. */
  #keyHeaders(): Record<string, string> {
    const { schemes, basic, keyHeaders } = this.program.model.settings.auth;
    const headers: Record<string, string> = {};
    const given = Buffer.from(basic === 'password' ? `x:${KEY}` : `${KEY}:`).toString('base64');
    if (!schemes.includes('bearer') && schemes.includes('basic')) headers['authorization'] = `Basic ${given}`;
    for (const { name, prefix } of keyHeaders) headers[name] = prefix + KEY;
    return headers;
  }

  /** Returns query parameters with the world's key, if the pack expects the key there. */
  #keyParams(): Record<string, string> {
    const { schemes, keyPlaces } = this.program.model.settings.auth;
    if (schemes.length > 0) return {};
    const places = keyPlaces.flatMap(
      ({ name, beside }) => [[name, KEY], ...beside.map((each) => [each, 'x'])] as const,
    );
    return Object.fromEntries(places) as Record<string, string>;
  }

  /** Requests a page of the pack, submits its form, or loads its library. */
  #page(): FuzzCall {
    const { dice, program } = this;
    const scripts = program.browser?.paths ?? [];
    if (program.pages.length === 0 || (scripts.length > 0 && dice.chance(20)))
      return http('GET', scripts.length > 0 ? dice.one(scripts) : '/', {});
    const page = dice.one(program.pages);
    const path = page.path.replace('{id}', encodeURIComponent(this.values.refTo([page.resource.name])));
    if (dice.chance(60)) return http('GET', path, {});
    const fields = { form: dice.one(TEXTS), token: this.values.anyId(), number: '4242424242424242', x: odd(dice) };
    return http('POST', path, { 'content-type': 'application/x-www-form-urlencoded' }, formOf(fields));
  }

  #idFor(operation: Operation, name: string): string {
    const schema = operation.params().get(name);
    const named = schema?.kind === 'ref' ? undefined : this.values.named(name);
    if (named !== undefined) return named;
    return this.values.refTo(schema?.kind === 'ref' ? schema.refs : [operation.resource.name]);
  }

  #mutated(call: FuzzCall): FuzzCall {
    const { dice } = this;
    if (call.kind !== 'http') return call;
    const { method, path, headers, body } = call;
    switch (dice.below(12)) {
      case 0:
        return { ...call, method: dice.one(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'TRACE']) };
      case 1:
        return { ...call, path: path.replace(/[^/]+$/, encode(dice.one(TEXTS).slice(0, 2000))) };
      case 2:
        return {
          ...call,
          path: `${path}${path.includes('?') ? '&' : '?'}${dice.one(['limit', 'a[b][c]', 'expand[]', '__proto__[x]', 'a[]', 'Limit'])}=${encode(dice.one(TEXTS).slice(0, 2000))}`,
        };
      case 3:
        return { ...call, body: body === null ? null : body.slice(0, dice.below(body.length + 1)) };
      case 4:
        return {
          ...call,
          headers: {
            ...headers,
            'content-type': dice.one(['text/plain', 'application/xml', 'application/json', 'multipart/form-data', '']),
          },
        };
      case 5:
        return { ...call, headers: { ...headers, authorization: dice.one(['', 'Bearer x', 'Basic eDo=', 'Bearer']) } };
      case 6:
        return {
          ...call,
          headers: { ...headers, 'content-encoding': 'gzip' },
          body: GZIP,
        };
      case 7:
        return {
          ...call,
          headers: { ...headers, 'content-encoding': 'br' },
          body: BROTLI,
        };
      case 8:
        return { ...call, body: body === null ? null : body.replace(/\d+/, String(dice.one(NUMBERS))) };
      case 9:
        return {
          ...call,
          body: body === null ? null : body.replace(/[\w.]+(?=["&]|$)/, dice.one(TEXTS).slice(0, 5000)),
        };
      case 10:
        return { ...call, body: method === 'GET' ? body : `${'['.repeat(100_000)}` };
      default:
        return { ...call, body: body === null ? null : `${body}&${'x[y]'.repeat(3)}=1&${'a=1&'.repeat(1200)}` };
    }
  }
}

/** Encodes one parameter as a whole body in its content type; sometimes with an invalid line or byte. */
function wholeBody(dice: Dice, type: WholeBody['type'], value: Json): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (type !== 'lines') return type === 'list' ? JSON.stringify(value) : text;
  const lines = Array.isArray(value) ? value.map((each) => JSON.stringify(each)) : [text];
  if (dice.chance(30))
    lines.splice(dice.below(lines.length + 1), 0, dice.one(['', '{', 'null null', '\u0000', ...TEXTS]));
  return lines.join(dice.one(['\n', '\r\n', '\n\n']));
}

/** Encodes a form with files as a browser does. */
function multipartOf(params: Readonly<Record<string, Json>>): string {
  const parts = Object.entries(params).map(([name, value]) => {
    const isFile = name === 'file';
    const about = `Content-Disposition: form-data; name="${name}"${isFile ? '; filename="a.png"' : ''}`;
    return `--${BOUNDARY}\r\n${about}\r\n\r\n${typeof value === 'string' ? value : JSON.stringify(value)}\r\n`;
  });
  return `${parts.join('')}--${BOUNDARY}--\r\n`;
}
