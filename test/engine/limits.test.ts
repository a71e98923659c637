import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { jest } from '@jest/globals';
import { createTransport } from 'nodemailer';
import { WebSocket } from 'ws';
import type { Sandbox, SandboxOptions } from '../../engine/index.js';
import { EventStream } from '../support/event-stream.js';
import type { Limit } from '../../engine/limits.js';
import { call as callWorld, type Called } from '../support/http.js';
import { turns } from '../support/waiting.js';

/*
 * Every limit of `engine/limits.ts` at one less, at the limit and at one more, through HTTP. Limits whose own values would
 * take minutes are small here: the engine is loaded with these values instead.
 */
const SMALL = {
  worldsAtOnce: 3,
  seedBody: 20_000,
  formBody: 1000,
  files: 2000,
  smtpMail: 2000,
  smtpRecipients: 3,
  smtpClients: 3,
  headersTime: 600,
  requestTime: 1200,
  connections: 12,
  listeners: 3,
  listenerMessage: 200,
  drain: 800,
  patternProgram: 500,
  commandSteps: 1000,
  immediateTimers: 50,
  advanceTimers: 20,
  advanceEvents: 20,
  advanceTold: 5,
  failuresTold: 3,
  failuresKept: 6,
  flush: 1000,
  slice: 100,
  ledger: 20,
  traces: 20,
  deliveries: 20,
  streams: 3,
  longPolls: 3,
  streamReaders: 3,
  streamEvents: 50,
  streamSize: 2000,
} as const;

const { LIMITS: REAL } = await import('../../engine/limits.js');
type Name = keyof typeof REAL;
const LIMITS = Object.fromEntries(
  Object.entries<Limit>(REAL).map(([name, limit]) => [
    name,
    { ...limit, value: name in SMALL ? SMALL[name as keyof typeof SMALL] : limit.value },
  ]),
) as unknown as Readonly<Record<Name, Limit>>;
jest.unstable_mockModule('../../engine/limits.js', () => ({ LIMITS }));
const { createSandbox } = await import('../../engine/index.js');
const { openSmtp } = await import('../../engine/hosting/index.js');
const { samplePack } = await import('../support/sample-pack.js');
const { temporaryBytes } = await import('../../engine/store/index.js');
const { Exchanges } = await import('../../engine/http/index.js');
const { ActivityBoard } = await import('../../engine/runtime/activity.js');
const { isHeapFull, isMemoryShort } = await import('../../engine/runtime/heap.js');
const { jsonWithin, Slices } = await import('../../engine/runtime/index.js');
const { DocumentBudget } = await import('../../engine/graphql/budget.js');
const { KeylessCalls } = await import('../../engine/api/keyless-calls.js');
const { mustEnd } = await import('../../engine/http/unread.js');
const { Watchdog } = await import('../../tools/command/watchdog.js');

const minimal = samplePack('minimal');
/** A pack whose calls do as much as they are told. */
const WORKS = {
  'pack.yaml': `${minimal.files['pack.yaml']}
auth: { key: { prefix: key_ }, others: { web: { prefix: web_, parameter: key } } }
durations: { hour: { default: 1h } }
`,
  'errors.yaml': `${minimal.files['errors.yaml']}  body_too_large: { status: 413 }
`,
  'resources/thing.yaml': `resource: thing
collection: things
path: /things
id: { prefix: thg_ }
fields:
  status: { enum: [a, b], machine: true }
  next: string?
machine:
  initial: a
  states:
    a:
      after: { soon: b }
      on: { poke: { actions: pass_on } }
    b: {}
delays: { soon: "self.next == 'now' ? seconds(0) : null" }
actions:
  pass_on:
    - { send: poke, to: "get(thing, self.next)", when: "self.next != null" }
operations:
  retrieve: {}
  create:
    keys: [web]
    params: { next: string, note: string }
    do: [{ create: thing, with: { next: "\${params.next}" } }]
  poke: { do: [{ send: poke }] }
  steps:
    kind: action
    route: POST /steps
    params: { n: { type: integer, required: true } }
    do: [{ for: i, in: "range(params.n)", do: [{ let: { x: i } }] }]
    return: { done: true }
  turns:
    kind: action
    route: POST /turns
    params: { n: { type: integer, required: true } }
    # 1,000 for the range, 1,000 for the loop, 4,990 for each turn; and the rest.
    return: { done: "\${size(range(1000).map(i, size(range(4990)))) + size(range(params.n - 4992000))}" }
  beats:
    kind: action
    route: POST /beats
    params: { n: { type: integer, required: true }, text: { type: string, default: '' } }
    stream: { events: "range(params.n).map(i, params.text)" }
  hours:
    kind: action
    route: POST /hours
    stream: { events: "['one', 'two']", every: 1m }
  waits:
    kind: action
    route: GET /hours/wait
    wait: { until: "false", at_most: minutes(1) }
  many:
    kind: action
    route: POST /many
    params: { n: { type: integer, required: true } }
    do: [{ for: i, in: "range(params.n)", do: [{ create: thing, with: { next: now } }] }]
    return: { done: true }
  schema:
    kind: action
    route: POST /schema
    params: { schema: { type: json_schema, required: true }, value: any }
    do:
      - let: { problems: "concat(synthesis_problems(params.schema, 's'), params.value == null ? [] : schema_problems(params.schema, params.value, 'v'))" }
    return: { problems: "\${problems}" }
`,
  'resources/bomb.yaml': `resource: bomb
collection: bombs
path: /bombs
id: { prefix: bmb_ }
fields: { status: { enum: [a, b], machine: true }, zero: { type: integer, default: 0 } }
machine:
  initial: a
  states:
    a: { after: { hour: { target: b, actions: burst } } }
    b: {}
actions: { burst: [{ set: self, to: { zero: "\${1 / self.zero}" } }] }
operations: { create: {} }
`,
  'pages/sheet.yaml': `page: sheet
route: GET /sheet/{id}
resource: thing
title: Sheet
body: [{ text: "\${self.id}" }]
`,
};

const KEY = 'key_limits';
const defects: string[] = [];
let folder: string;
let works: Sandbox;
let parcels: Sandbox;
let receiver: Server;
/** What the receiver answers, and when. */
let answer: { status: number; headers: Record<string, string>; afterMs?: number } = { status: 200, headers: {} };

beforeAll(async () => {
  const onDefect = (error: unknown): void => void defects.push(String(error));
  const served = (pack: string, more: Partial<SandboxOptions> = {}): Promise<Sandbox> =>
    createSandbox({ pack, key: KEY, seed: 's', t0: '2025-01-01T00:00:00Z', onDefect, ...more });
  folder = minimal.write(WORKS);
  works = await served(folder);
  parcels = await served('test/packs/parcels');
  receiver = createServer((req, res) => {
    req.resume();
    const { status, headers, afterMs = 0 } = answer;
    if (afterMs < Infinity) setTimeout(() => res.writeHead(status, headers).end(), afterMs);
  });
  await once(receiver.listen(0, '127.0.0.1'), 'listening');
});

afterAll(async () => {
  receiver.closeAllConnections();
  receiver.close();
  await Promise.all([works.close(), parcels.close()]);
});

beforeEach(async () => {
  defects.length = 0;
  answer = { status: 200, headers: {} };
  for (const sandbox of [works, parcels]) await call('POST /__admin__/reset', { t0: '2025-01-01T00:00:00Z' }, sandbox);
});

/** A call with the key; `body` is sent as JSON, or as it is when it is text. */
const call = (
  line: string,
  body?: unknown,
  of: Sandbox = works,
  headers: Record<string, string | undefined> = {},
): Promise<Called> => callWorld(of, line, body, headers);

const ok = async (line: string, body: unknown, sandbox = works): Promise<boolean> =>
  (await call(line, body, sandbox)).status < 300;
/** A JSON text with spaces behind it, so many bytes long. */
const padded = (body: unknown, length: number): string => JSON.stringify(body).padEnd(length, ' ');
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const data = (said: Called): unknown[] => said.body['data'] as unknown[];
const PARCEL = { to: { street: 'Dam 1', town: 'Amsterdam' }, weight: 5 };

/** Whether a schema is one that the sandbox takes on. */
async function takes(schema: unknown, value?: unknown): Promise<boolean> {
  const { status, body } = await call('POST /schema', { schema, ...(value === undefined ? {} : { value }) });
  return status === 200 && (body['problems'] as unknown[]).length === 0;
}

/** Seeds so many parcels, each of which is collected two hours later, with an event, and delivered after another day and a half. */
async function parcelsDue(count: number): Promise<void> {
  const objects = Array.from({ length: count }, (_, n) => ({ ...PARCEL, id: `par_${String(n).padStart(10, '0')}` }));
  await call('POST /__admin__/seed', { resource: 'parcels', objects }, parcels);
}

/** Makes deliveries to the receiver: an endpoint, and a parcel for each. */
async function deliveries(count: number): Promise<void> {
  const { port } = receiver.address() as AddressInfo;
  await call('POST /__admin__/webhooks/endpoints', { url: `http://127.0.0.1:${port}/h` }, parcels);
  for (let n = 0; n < count; n++) await call('POST /api/parcels', PARCEL, parcels);
}

/** A socket that has said something, and what is answered until it ends. */
function speak(text: string, { url } = works): { readonly socket: Socket; readonly ended: Promise<string> } {
  const { port } = new URL(url);
  const socket = connect(Number(port), '127.0.0.1');
  let heard = '';
  socket.on('data', (bytes) => (heard += String(bytes)));
  socket.on('error', () => undefined);
  socket.write(text);
  return { socket, ended: new Promise((resolve) => socket.on('close', () => resolve(heard))) };
}

/** Whether something is over soon. What must be over is waited for as long as it takes, since a machine under load is late. */
const isOver = (ending: Promise<unknown>, must: boolean): Promise<boolean> =>
  Promise.race([ending.then(() => true), ...(must ? [] : [wait(100).then(() => false)])]);

/** Whether a request is answered in the ordinary way whose rest follows at once, or never. */
async function answeredWith(ms: number, first: string, rest: string): Promise<boolean> {
  const { socket, ended } = speak(first);
  if (ms < Infinity) socket.write(rest);
  const heard = await Promise.race([ended, once(socket, 'data').then(([bytes]) => String(bytes))]);
  socket.destroy();
  return !/^HTTP\/1.1 408|^$/.test(heard);
}

/** A listener, and whether it was let in. */
function tunedIn({ url }: Sandbox, set: string): { readonly socket: WebSocket; readonly taken: Promise<boolean> } {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/air/${set}`, 'radio-v1');
  const taken = new Promise<boolean>((resolve) => {
    socket.on('open', () => resolve(true));
    socket.on('error', () => resolve(false));
  });
  return { socket, taken };
}

/** How many failed timers are told, of so many. */
async function bombs(count: number): Promise<Called> {
  for (let n = 0; n < count; n++) await call('POST /bombs', {});
  return call('POST /__admin__/clock/advance', { duration: '1h' });
}

/** Whether a document of GraphQL is not refused for such a reason. */
async function asked(query: string, reason: string): Promise<boolean> {
  const other = await createSandbox({ pack: 'test/packs/greenhouse', key: KEY, seed: 's' });
  const { text } = await callWorld(other, 'POST /graphql', { query });
  await other.close();
  return !text.includes(reason);
}

/** Whether a GraphQL document may take so much. */
async function within(take: (budget: InstanceType<typeof DocumentBudget>) => Promise<void>): Promise<boolean> {
  const budget = new DocumentBudget();
  const taken = await take(budget).then(
    () => true,
    () => false,
  );
  budget.end();
  return taken;
}

function fits(text: string): boolean {
  try {
    return jsonWithin(text) === text;
  } catch {
    return false;
  }
}

/** Whether a world may have so many bytes of files. */
function hasRoom(size: number): boolean {
  const files = temporaryBytes();
  try {
    return files.put(Buffer.alloc(size)).size === size;
  } catch {
    return false;
  } finally {
    files.remove();
  }
}

/** A door for mail, and how to close it with its sandbox. */
async function smtpDoor(): Promise<{
  readonly port: number;
  readonly key: string;
  readonly close: () => Promise<void>;
}> {
  const sandbox = await createSandbox({ pack: 'test/packs/letters', key: KEY, seed: 's' });
  const domain = { id: 'dom_domain01-0001-000000000001', name: 'example.com', status: 'verified' };
  await sandbox.control.seed({ resource: 'domains', objects: [domain] });
  const door = await openSmtp(sandbox, { port: 0, host: '127.0.0.1', onDefect: () => undefined });
  const close = async (): Promise<void> => {
    await door.close();
    await sandbox.close();
  };
  return { port: door.port, key: sandbox.key, close };
}

/** Whether a mail isn't refused with this code. */
async function mailed(mail: object, code: number): Promise<boolean> {
  const { port, key, close } = await smtpDoor();
  const transport = createTransport({ host: '127.0.0.1', port, auth: { user: 'sandbox', pass: key } });
  const codes: number[] = [];
  const note = (error: unknown): void => {
    const { responseCode, rejectedErrors = [] } = error as {
      responseCode?: number;
      rejectedErrors?: readonly object[];
    };
    codes.push(responseCode ?? 0);
    rejectedErrors.forEach(note);
  };
  const to = 'to' in mail ? mail.to : 'b@example.com';
  const envelope = { from: 'a@example.com', to: to as string[] };
  const sent = { from: 'a@example.com', to: envelope.to, subject: 'x', text: 'x', envelope, ...mail };
  await transport.sendMail(sent).then(note, note);
  transport.close();
  await close();
  return !codes.includes(code);
}

/** Whether so much is taken; what is beyond is refused, dropped or not told. */
type Taken = (amount: number) => Promise<boolean>;

const ROWS: Readonly<Record<Name, Taken>> = {
  body: (n) => ok('POST /things', padded({}, n)),
  seedBody: (n) => ok('POST /__admin__/seed', padded({ resource: 'things', objects: [] }, n)),
  files: (n) => Promise.resolve(hasRoom(n)),
  formBody: async (n) => (await call('POST /sheet/none', 'a'.repeat(n))).status === 404,
  bodyDepth: async (n) => {
    const nested = Array.from({ length: n - 1 }).reduce((inner: unknown) => [inner], 1);
    return ok('POST /schema', { schema: {}, value: nested });
  },
  parameters: async (n) => {
    const query = Array.from({ length: n }, (_, at) => `a${at}=1`).join('&');
    // What cannot be read is 400.
    return (await call(`GET /things/thg_none?${query}`)).status === 404;
  },
  parameterDepth: async (n) => (await call(`GET /things/thg_none?a${'[b]'.repeat(n)}=1`)).status === 404,

  smtpMail: (n) => mailed({ raw: `From: a@example.com\r\n\r\n${'x\r\n'.padStart(n - 23, 'y')}` }, 552),
  smtpRecipients: (n) => mailed({ to: Array.from({ length: n }, (_, at) => `a${at}@example.com`) }, 452),
  smtpClients: async (n) => {
    const { port, close } = await smtpDoor();
    const open = Array.from({ length: n }, () => connect(port, '127.0.0.1'));
    const greetings = await Promise.all(open.map((socket) => once(socket, 'data').then(([text]) => String(text))));
    for (const socket of open) socket.destroy();
    await close();
    return greetings.every((each) => each.startsWith('220'));
  },

  graphqlTokens: (n) => asked(`{${' a'.repeat(n - 2)} }`, 'tokens'),
  graphqlDepth: (n) => asked(`{ ${'a { '.repeat(n - 1)}b${' }'.repeat(n)}`, 'nested deeper'),
  graphqlFields: (n) => asked(`{${' __typename'.repeat(n)} }`, 'more than'),
  graphqlCalls: (n) =>
    asked(`{ ${Array.from({ length: n }, (_, at) => `a${at}: plant(id: "x") { id }`).join(' ')} }`, 'calls more'),

  graphqlValues: (n) => within((budget) => budget.values(n)),
  graphqlRead: (n) => within((budget) => budget.read(n)),
  response: (n) => Promise.resolve(fits('x'.repeat(n))),

  headersTime: (n) => answeredWith(n, 'GET / HTTP/1.1\r\nHost: x\r\n', '\r\n'),
  requestTime: (n) =>
    answeredWith(
      n,
      `POST /things HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${KEY}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n`,
      '{}',
    ),
  openCalls: (n) => {
    const strangers = new KeylessCalls();
    const problems = Array.from({ length: n }, () => strangers.problemOf('::1', {}));
    return Promise.resolve(problems.every((each) => each === null));
  },
  unread: (n) => Promise.resolve(!mustEnd({ stalledMs: 1_001, waitedMs: 1_001 }, n)),
  unreadTime: (n) => Promise.resolve(!mustEnd({ stalledMs: n, waitedMs: n }, 0)),
  connections: async (n) => {
    const other = await createSandbox({ pack: minimal.folder, key: KEY, seed: 's' });
    const open = Array.from({ length: n }, () =>
      speak(`GET /__admin__/clock HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${KEY}\r\n\r\n`, other),
    );
    const last = open[open.length - 1];
    const heard = await Promise.race([
      once(last.socket, 'data').then(
        () => true,
        () => false,
      ),
      last.ended.then(() => false),
    ]);
    for (const { socket } of open) socket.destroy();
    await other.close();
    return heard;
  },
  listeners: async (n) => {
    const other = await createSandbox({ pack: 'test/samples/radio', key: KEY, seed: 's' });
    for (let at = 0; at < n; at++) await call('POST /v1/ears', { set: `set${at}` }, other);
    const sets = Array.from({ length: n }, (_, at) => tunedIn(other, `set${at}`));
    const taken = await Promise.all(sets.map(({ taken: each }) => each));
    for (const { socket } of sets) socket.terminate();
    await other.close();
    return !taken.includes(false);
  },
  listenerMessage: async (n) => {
    const other = await createSandbox({ pack: 'test/samples/radio', key: KEY, seed: 's' });
    await call('POST /v1/ears', { set: 'one' }, other);
    const { socket, taken } = tunedIn(other, 'one');
    await taken;
    const ended = once(socket, 'close').then(() => false);
    socket.send(padded({}, n));
    const heard = once(socket, 'pong').then(() => true);
    socket.ping();
    const isOpen = await Promise.race([ended, heard]);
    socket.terminate();
    await other.close();
    return isOpen;
  },
  drain: async (n) => {
    const other = await createSandbox({ pack: folder, key: KEY, seed: 's' });
    const delay_ms = n < Infinity ? 1500 : LIMITS.faultDelay.value;
    await call('POST /__admin__/faults', { resource: 'things', operation: 'create', delay_ms }, other);
    const finishes = ok('POST /things', {}, other).catch(() => false);
    await turns();
    await other.close(n < Infinity ? 60_000 : LIMITS.drain.value);
    return finishes;
  },
  stall: (n) => {
    const board = new ActivityBoard();
    const lines: string[] = [];
    const watchdog = new Watchdog(board, (line) => lines.push(line));
    watchdog.close();
    board.write('POST /x');
    watchdog.look(0);
    watchdog.look(n - 1);
    return Promise.resolve(lines.length === 0);
  },

  pattern: (n) => takes({ type: 'string', pattern: `^[${'a'.repeat(n - 3)}]` }),
  patternProgram: (n) => takes({ type: 'string', pattern: `b{${n - 2}}` }),
  schema: (n) => {
    const empty = JSON.stringify({ description: '' }).length;
    return takes({ description: 'x'.repeat(n - empty) });
  },
  schemaItems: (n) => takes({ type: 'array', minItems: n, items: { type: 'boolean' } }),
  schemaLength: (n) => takes({ type: 'string', minLength: n }),
  schemaSteps: (n) => takes({ items: {} }, Array.from({ length: n - 1 }).fill(1)),
  synthesisValues: (n) =>
    takes({
      type: 'array',
      minItems: 2,
      items: false,
      prefixItems: [
        { type: 'array', minItems: 10_000, items: { type: 'boolean' } },
        { type: 'array', minItems: n - 10_003, items: { type: 'boolean' } },
      ],
    }),
  synthesisText: (n) => {
    const lengths = [100_000, 100_000, 100_000, 100_000, n - 400_000];
    return takes({
      type: 'array',
      minItems: 5,
      prefixItems: lengths.map((minLength) => ({ type: 'string', minLength })),
    });
  },

  commandSteps: (n) => ok('POST /steps', { n: n - 1 }),
  commandDepth: async (n) => {
    let next: unknown = null;
    // Two levels for each: what is sent, and what it does.
    for (let depth = 0; depth < n / 2; depth++)
      next = (await call('POST /things', next === null ? {} : { next })).body['id'];
    return ok(`POST /things/${String(next)}/poke`, {});
  },
  expressionSteps: (n) => ok('POST /turns', { n }),
  immediateTimers: (n) => ok('POST /many', { n }),

  advanceTimers: async (n) => {
    await parcelsDue(n);
    return ok('POST /__admin__/clock/advance', { duration: '2h' }, parcels);
  },
  advanceEvents: async (n) => {
    await parcelsDue(n);
    return ok('POST /__admin__/clock/advance', { duration: '2h' }, parcels);
  },
  advanceMemory: (n) => Promise.resolve(!isHeapFull(() => n)),
  heavyMemory: (n) => Promise.resolve(!isMemoryShort(() => n)),
  advanceTold: async (n) => {
    await parcelsDue(n);
    const { body } = await call('POST /__admin__/clock/advance', { duration: '2h' }, parcels);
    expect(body['events_total']).toBe(n);
    return (body['events'] as unknown[]).length === n;
  },
  failuresTold: async (n) => {
    const { body } = await bombs(n);
    expect(body['failed_total'] ?? (body['failed'] as unknown[]).length).toBe(n);
    return (body['failed'] as unknown[]).length === n;
  },
  failuresKept: async (n) => {
    await bombs(n);
    return ((await call('GET /__admin__/clock')).body['failed'] as unknown[]).length === n;
  },

  flush: async (n) => {
    await deliveries(0);
    answer = { status: 200, headers: {}, afterMs: n };
    await call('POST /api/parcels', PARCEL, parcels);
    const { body } = await call('POST /__admin__/webhooks/flush', {}, parcels);
    receiver.closeAllConnections();
    return body['flushed'] === true;
  },
  retryAfter: async (n) => {
    answer = { status: 503, headers: { 'Retry-After': String(n / 1000) } };
    await deliveries(1);
    await call('POST /__admin__/webhooks/flush', {}, parcels);
    const [{ next_attempt_at }] = data(await call('GET /__admin__/webhooks/deliveries', undefined, parcels)) as [
      { next_attempt_at: string },
    ];
    return Date.parse(next_attempt_at) - Date.parse('2025-01-01T00:00:00Z') === n;
  },
  slice: (n) => {
    const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
    // A step that takes so long, and another one.
    const steps = function* (): Generator<void, string> {
      clock.mockReturnValue(n - 1);
      yield;
      return 'done';
    };
    const finished = new Slices(steps()).run(LIMITS.slice.value);
    clock.mockRestore();
    return Promise.resolve(finished);
  },
  duration: (n) => ok('POST /__admin__/clock/durations', { durations: { hour: `${n}ms` } }),
  latest: (n) => ok('POST /__admin__/reset', { t0: n / 1000 }),
  faultDelay: (n) => ok('POST /__admin__/faults', { resource: 'things', operation: 'create', delay_ms: n }),
  copies: (n) => ok('POST /__admin__/webhooks/faults', { kind: 'duplicate', times: n }, parcels),
  controlList: (n) => ok(`GET /__admin__/webhooks/deliveries?limit=${n}`, undefined, parcels),
  worldsAtOnce: (n) => ok('POST /__admin__/worlds', { count: n }, parcels),

  ledger: async (n) => {
    const other = await createSandbox({ pack: folder, key: KEY, seed: 's' });
    // Twice as many: then all that may be dropped is dropped.
    const count = 2 * LIMITS.ledger.value;
    for (let entry = 0; entry < count; entry++) await call('POST /things', {}, other);
    const { status } = await call(`GET /__admin__/ledger/${count - n + 1}`, undefined, other);
    await other.close();
    return status === 200;
  },
  traces: async (n) => {
    for (let each = 0; each < n; each++) await call('GET /things/thg_none');
    return data(await call('GET /__admin__/traces?limit=1000')).length === n;
  },
  deliveries: async (n) => {
    await deliveries(n);
    return data(await call('GET /__admin__/webhooks/deliveries?limit=1000', undefined, parcels)).length === n;
  },
  exchanges: async (n) => exchanged(Array.from({ length: n }, () => 1)).find('0') !== undefined,
  exchangeBody: async (n) => exchanged([n]).find('0')?.request.body !== null,
  exchangeBodies: async (n) => {
    const whole = Math.floor(n / LIMITS.exchangeBody.value);
    const sizes = Array.from({ length: whole }, () => LIMITS.exchangeBody.value);
    return exchanged([...sizes, n % LIMITS.exchangeBody.value]).find('0') !== undefined;
  },
  streams: async (n) => {
    const streams: Response[] = [];
    const headers = { authorization: `Bearer ${KEY}` };
    for (let each = 0; each < n; each++) streams.push(await fetch(`${works.url}/hours`, { method: 'POST', headers }));
    await call('GET /__admin__/health');
    const cut = await isOver(
      streams[0].text().catch(() => ''),
      n > LIMITS.streams.value,
    );
    await call('POST /__admin__/reset', {});
    for (const { body } of streams) await body?.cancel().catch(() => undefined);
    return !cut;
  },
  longPolls: async (n) => {
    const calls: Promise<unknown>[] = [];
    for (let each = 0; each < n; each++) calls.push(call('GET /hours/wait').catch(() => undefined));
    await call('GET /__admin__/health');
    const cut = await isOver(Promise.race(calls), n > LIMITS.longPolls.value);
    await call('POST /__admin__/reset', {});
    await Promise.all(calls);
    return !cut;
  },
  streamEvents: (n) => ok('POST /beats', { n }),
  // `data: `, and an empty line behind it.
  streamSize: (n) => ok('POST /beats', { n: 1, text: 'x'.repeat(n - 8) }),
  streamReaders: async (n) => {
    const headers = { Authorization: `Bearer ${KEY}` };
    const readers: EventStream[] = [];
    for (let each = 0; each < n; each++) readers.push(await EventStream.open(`${works.url}/__admin__/stream`, headers));
    const cut = await isOver(readers[0].ended, n > LIMITS.streamReaders.value);
    for (const reader of readers) await reader.close();
    return !cut;
  },
  streamWaiting: async (n) => {
    const { engine, url } = works;
    const stream = await EventStream.open(`${url}/__admin__/stream`, { Authorization: `Bearer ${KEY}` });
    await stream.find(({ type }) => type === 'clock');
    const change = (name: string): unknown =>
      engine.command('durations', 'control', ({ transaction, world }) => {
        transaction.write(world.durations, 'hour', name === 'last' ? undefined : 1);
      });
    // One turn of the loop: nobody can read meanwhile.
    for (let each = 0; each < n; each++) change('more');
    await wait(50);
    change('last');
    await stream.find(({ data: { entry } }) => entry === engine.world.ledger.count);
    await stream.close();
    return stream.events.every(({ type }) => type !== 'gap');
  },
};

/** Calls with bodies of these sizes; their traces are their numbers. */
function exchanged(sizes: readonly number[]): InstanceType<typeof Exchanges> {
  const exchanges = new Exchanges([]);
  for (const [at, size] of sizes.entries())
    exchanges.add(String(at), {
      url: '/',
      headers: [],
      body: Buffer.alloc(size),
      responseHeaders: [],
      response: '',
      responseBytes: 0,
    });
  return exchanges;
}

/** How far from the limit is tried: one, or so much that whole seconds can tell. */
const STEPS: Partial<Record<Name, number>> = { retryAfter: 1000, latest: 1000 };
/** Times of the real clock: what comes at once and what never comes are tried, since a machine under load is late. */
const REAL_TIMES: readonly Name[] = ['headersTime', 'requestTime', 'drain', 'flush'];

test('every limit has a row', () => {
  expect(Object.keys(ROWS)).toEqual(Object.keys(REAL));
});

describe.each(Object.keys(ROWS) as Name[])('%s', (name) => {
  const { value } = LIMITS[name];
  const step = STEPS[name] ?? 1;
  test.each([
    ...(REAL_TIMES.includes(name)
      ? [['below', 0, true] as const, ['above', Infinity, false] as const]
      : [
          ['below', value - step, true] as const,
          ['at', value, true] as const,
          ['above', value + step, false] as const,
        ]),
  ] as const)('%s the limit: %d is taken: %s', async (_where, amount, taken) => {
    expect(await ROWS[name](amount)).toBe(taken);
  });
});
