import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Json } from '../../engine/expression/index.js';
import type { Schema } from '../../engine/model/index.js';
import type { Cause, Operation, Program } from '../../engine/program/index.js';
import { Random } from '../mutants/random.js';
import type { Call } from './call.js';

/** Ids that are kept to be used again. */
const MOST_IDS = 400;
/** How many of a hundred calls are what. */
const SHARES = { control: 25, raw: 2, mutated: 35 };
/** How many of a hundred optional parameters a call gives: with none most calls succeed, with many hardly one does. */
const OPTIONAL = [0, 5, 15, 40];
/** Bodies that grow when they are unpacked. */
const GZIP = `base64:${gzipSync(Buffer.alloc(3_000_000, 0x5b)).toString('base64')}`;
const BROTLI = `base64:${brotliCompressSync(Buffer.alloc(2_000_000, 0x5b)).toString('base64')}`;

const BIG = 'a'.repeat(70_000);
const TEXTS = [
  '',
  ' ',
  'null',
  'true',
  '-1',
  '0',
  '1e9',
  '9007199254740991',
  '9007199254740993',
  '1e308',
  'NaN',
  '\u0000',
  '\ud800',
  '😀',
  '__proto__',
  'constructor',
  '../../etc',
  '${now}',
  '<b>',
  '%',
  '%00',
  '[]',
  '{}',
  '"',
  "'",
  '\r\nX: y',
  'http://',
  `http://${BIG} b`,
  'javascript:alert(1)',
  '9999-12-31T23:59:59Z',
  '0000-00-00',
  '2024-02-30T00:00:00Z',
  '999999999999',
  BIG,
  '☃'.repeat(300),
  '*',
  '(a+)+$',
  'a@b',
];
const NUMBERS = [
  0,
  -0,
  1,
  -1,
  2,
  99,
  100,
  1e3,
  1e9,
  1e12,
  2 ** 31,
  2 ** 53 - 1,
  -(2 ** 53),
  2 ** 53,
  1e21,
  0.1,
  1.5,
  1e308,
];
const SCHEMAS: readonly Json[] = [
  { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } },
  { type: 'array', minItems: 10_000_000 },
  { minLength: 1e9 },
  { $ref: '#' },
  { not: {} },
  { type: 'array', uniqueItems: true, minItems: 200 },
  { $defs: { a: { anyOf: [{ $ref: '#/$defs/b' }] }, b: { allOf: [{ $ref: '#/$defs/a' }] } }, $ref: '#/$defs/a' },
  { type: 'object', required: ['a'], properties: { a: { $ref: '#' } } },
  { enum: [] },
  { type: 'string', format: 'email', maxLength: 3 },
  { patternProperties: { '^((a{100}){100}){100}$': {} } },
  { type: ['string', 'null'], default: 5 },
  { allOf: [{ type: 'string' }, { type: 'integer' }] },
  {
    type: 'object',
    additionalProperties: { type: 'array', items: { type: 'array', items: {}, minItems: 9000 }, minItems: 9000 },
    minProperties: 9000,
  },
];
const DURATIONS = [
  '1s',
  '0s',
  '60s',
  '1h',
  '32d',
  '400d',
  '5w',
  '-1s',
  '99999999999999999999999d',
  'abc',
  '1d12h',
  '2900000d',
];
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

/** Makes calls of both planes of a pack: those that it takes, and what comes of them when they are damaged. */
export class Generator {
  readonly #random: Random;
  readonly #ids: string[] = [];
  readonly #byPrefix = new Map<string, string[]>();
  readonly #magic: readonly string[];

  constructor(
    private readonly program: Program,
    seed: number,
  ) {
    this.#random = new Random(seed);
    this.#magic = program.magic.families.flatMap((family) => [...family.values().keys()]);
  }

  /** Remembers the ids that a response tells of. */
  learn(text: string): void {
    for (const [, id] of text.matchAll(/"id":\s*"([\w-]{3,80})"/g)) {
      if (this.#ids.includes(id)) continue;
      this.#ids.push(id);
      if (this.#ids.length > MOST_IDS) this.#ids.splice(0, MOST_IDS / 4);
      const prefix = /^[a-z]+_/.exec(id)?.[0] ?? '';
      const known = this.#byPrefix.get(prefix) ?? [];
      known.push(id);
      this.#byPrefix.set(prefix, known.slice(-40));
    }
  }

  /** Nothing that was answered exists any more. */
  forget(): void {
    this.#ids.length = 0;
    this.#byPrefix.clear();
  }

  next(): Call {
    const share = this.#random.below(100);
    if (share < SHARES.raw) return { kind: 'raw', bytes: Buffer.from(this.#one(RAW), 'latin1').toString('base64') };
    const call = share < SHARES.raw + SHARES.control ? this.#control() : this.#vendor();
    return this.#random.below(100) < SHARES.mutated ? this.#mutated(call) : call;
  }

  #vendor(): Call {
    const operation = this.#one(this.program.operations);
    const route = this.#one(operation.routes);
    const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(this.#idFor(operation, name)),
    );
    const params = this.#params(operation.params, route.names);
    const headers: Record<string, string> = {};
    if (this.#chance(8)) headers['idempotency-key'] = `k${this.#random.below(20)}`;
    if (this.#chance(3)) headers['x-mock-scenario'] = this.#one([...this.program.scenarios().keys(), 'nope']);
    const isRead = route.method === 'GET' || route.method === 'DELETE';
    if (isRead) return http(route.method, withQuery(path, formOf(params)), headers);
    const isForm = this.program.model.settings.requests === 'form';
    headers['content-type'] = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
    return http(route.method, path, headers, isForm ? formOf(params) : JSON.stringify(params));
  }

  #params(schemas: ReadonlyMap<string, Schema>, except: readonly string[]): Record<string, Json> {
    const made: Record<string, Json> = {};
    const share = Math.min(this.#one(OPTIONAL), 600 / schemas.size);
    for (const [name, schema] of schemas) {
      if (except.includes(name)) continue;
      if (this.#chance(schema.required === true ? 95 : share)) made[name] = this.#value(schema, 0);
    }
    return made;
  }

  #value(schema: Schema, depth: number): Json {
    if (this.#chance(4)) return this.#odd();
    if (depth > 5) return null;
    switch (schema.kind) {
      case 'ref':
        return this.#refTo(schema.refs);
      case 'enum':
        return this.#one(schema.values.length > 0 ? schema.values : ['x']);
      case 'const':
        return schema.constant;
      case 'integer':
      case 'number':
        return this.#chance(70) ? (schema.min ?? 1) + this.#random.below(3000) : this.#one(NUMBERS);
      case 'boolean':
        return this.#chance(50);
      case 'timestamp':
        return this.#chance(70) ? 1_736_942_400 + this.#random.below(40_000_000) : this.#one(NUMBERS);
      case 'json_schema':
        return this.#one(SCHEMAS);
      case 'array':
        return Array.from({ length: this.#random.below(4) }, () => this.#value(schema.items, depth + 1));
      case 'map':
        return { a: schema.of ? this.#value(schema.of, depth + 1) : 'b' };
      case 'object':
        return Object.fromEntries(
          [...schema.fields]
            .filter(([, field]) => field.required === true || this.#chance(40))
            .map(([name, field]) => [name, this.#value(field, depth + 1)]),
        );
      case 'one_of':
        return this.#value(this.#one(schema.options), depth + 1);
      default:
        return this.#chance(60)
          ? this.#one(['usd', 'Ann', 'a@example.com', 'https://example.com/x', 'card', 'US', ...this.#magic])
          : this.#one(TEXTS);
    }
  }

  #odd(): Json {
    const odd: Json[] = [
      this.#one(TEXTS),
      this.#one(NUMBERS),
      null,
      true,
      [],
      {},
      [[[[]]]],
      { a: { b: { c: 1 } } },
      nested(80),
      this.#one(SCHEMAS),
    ];
    return this.#one(odd);
  }

  #refTo(refs: readonly string[]): string {
    const def = this.program.model.byName.get(this.#one(refs));
    const known = this.#byPrefix.get(def?.ids.prefix ?? '') ?? [];
    if (known.length > 0 && this.#chance(85)) return this.#one(known);
    return this.#chance(50) && this.#magic.length > 0 ? this.#one(this.#magic) : `${def?.ids.prefix ?? ''}none`;
  }

  #idFor(operation: Operation, name: string): string {
    const schema = operation.params.get(name);
    return schema?.kind === 'ref' ? this.#refTo(schema.refs) : this.#refTo([operation.resource.name]);
  }

  #control(): Call {
    const resource = this.#one(this.program.model.resources);
    const { collection } = resource;
    const id = this.#ids.length > 0 ? this.#one(this.#ids) : 'x';
    const operation = this.#one(this.program.operations);
    const calls: (() => [string, string, Json?])[] = [
      () => ['POST', '/clock/advance', { duration: this.#one(DURATIONS) }],
      () => [
        'POST',
        '/clock/durations',
        {
          durations: {
            [this.#one([...this.program.model.settings.durations.keys(), 'x'])]: this.#one([
              ...DURATIONS,
              'none',
              null,
            ]),
          },
        },
      ],
      () => ['GET', '/clock'],
      () => ['GET', `/state?resource=${collection}&limit=5`],
      () => [
        'POST',
        '/faults',
        {
          resource: operation.resource.collection,
          operation: operation.name,
          status: this.#one([402, 429, 503, 999]),
          count: 1,
          error: this.#one<Json>([{}, { code: 'x' }, { code: 5, type: [], message: {} }]),
        },
      ],
      () => ['DELETE', '/faults'],
      () => [
        'POST',
        '/exogenous/pins',
        {
          resource: this.#one([collection, id]),
          path: this.#one([
            ...(this.program.resources[resource.index]?.pins ?? []).map(({ path }) => path),
            'branch',
            'a..b',
            '__proto__',
          ]),
          value: this.#odd(),
        },
      ],
      () => ['GET', '/exogenous/pins'],
      () => ['POST', '/world/events', this.#cause()],
      () => ['GET', '/world/next?limit=20'],
      () => ['POST', '/seed', { resource: collection, objects: [this.#seedOf(collection)] }],
      () => [
        'POST',
        '/webhooks/endpoints',
        {
          url: this.#one(['http://127.0.0.1:9/', 'http://127.0.0.1:1/x', 'x', `http://${BIG}`]),
          events: [this.#one(['*', 'x*', '*a*b*c*'.repeat(50)])],
        },
      ],
      () => ['GET', '/webhooks/deliveries?limit=5'],
      () => ['POST', '/webhooks/flush', {}],
      () => ['GET', '/traces?limit=5'],
      () => ['GET', `/trace/${id}`],
      () => ['GET', '/'],
    ];
    const [method, path, body] = this.#one(calls)();
    const type = { 'content-type': 'application/json' };
    return http(
      method,
      `/__admin__${path}`,
      body === undefined ? {} : type,
      body === undefined ? null : JSON.stringify(body),
    );
  }

  #cause(): Json {
    const cause: Cause = this.#one([...this.program.causes.values()]);
    const variant = this.#one(cause.variants);
    const params = this.#params(variant.params, []);
    if (variant.subject) params[variant.subject.param] = this.#refTo([variant.subject.resource.name]);
    return { cause: cause.name, params };
  }

  /** An object of a collection with some of its fields. */
  #seedOf(collection: string): Json {
    const def = this.program.model.byCollection.get(collection);
    const made: Record<string, Json> = {};
    for (const [name, field] of def?.schema.fields ?? []) if (this.#chance(35)) made[name] = this.#value(field, 1);
    return { ...made, id: `${def?.ids.prefix ?? ''}${'A'.repeat(this.#one([14, 16, 24]))}` };
  }

  #mutated(call: Call): Call {
    if (call.kind !== 'http') return call;
    const { method, path, headers, body } = call;
    switch (this.#random.below(12)) {
      case 0:
        return { ...call, method: this.#one(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'TRACE']) };
      case 1:
        return { ...call, path: path.replace(/[^/]+$/, encode(this.#one(TEXTS).slice(0, 2000))) };
      case 2:
        return {
          ...call,
          path: `${path}${path.includes('?') ? '&' : '?'}${this.#one(['limit', 'a[b][c]', 'expand[]', '__proto__[x]', 'a[]', 'Limit'])}=${encode(this.#one(TEXTS).slice(0, 2000))}`,
        };
      case 3:
        return { ...call, body: body === null ? null : body.slice(0, this.#random.below(body.length + 1)) };
      case 4:
        return {
          ...call,
          headers: {
            ...headers,
            'content-type': this.#one(['text/plain', 'application/xml', 'application/json', 'multipart/form-data', '']),
          },
        };
      case 5:
        return { ...call, headers: { ...headers, authorization: this.#one(['', 'Bearer x', 'Basic eDo=', 'Bearer']) } };
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
        return { ...call, body: body === null ? null : body.replace(/\d+/, String(this.#one(NUMBERS))) };
      case 9:
        return {
          ...call,
          body: body === null ? null : body.replace(/[\w.]+(?=["&]|$)/, this.#one(TEXTS).slice(0, 5000)),
        };
      case 10:
        return { ...call, body: method === 'GET' ? body : `${'['.repeat(100_000)}` };
      default:
        return { ...call, body: body === null ? null : `${body}&${'x[y]'.repeat(3)}=1&${'a=1&'.repeat(1200)}` };
    }
  }

  #chance(percent: number): boolean {
    return this.#random.below(100) < percent;
  }

  #one<T>(items: readonly T[]): T {
    return items[this.#random.below(items.length)];
  }
}

function http(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: string | null = null,
): Call {
  return { kind: 'http', method, path, headers, body };
}

function withQuery(path: string, query: string): string {
  return query === '' ? path : `${path}?${query.slice(0, 6000)}`;
}

/** A value as a form writes it. */
function formOf(value: Json, prefix = ''): string {
  const pairs: string[] = [];
  const add = (key: string, each: Json): void => {
    if (typeof each === 'object' && each !== null) {
      for (const [inner, item] of Object.entries(each)) add(key === '' ? inner : `${key}[${inner}]`, item);
    } else pairs.push(`${encode(key)}=${encode(each === null ? '' : String(each))}`);
  };
  add(prefix, value);
  return pairs.join('&');
}

/** Percent-encoded, half of a character pair too. */
function encode(text: string): string {
  return encodeURIComponent(text.replace(/[\ud800-\udfff]/g, '?'));
}

function nested(levels: number): Json {
  let made: Json = 1;
  for (let level = 0; level < levels; level++) made = [made];
  return made;
}
