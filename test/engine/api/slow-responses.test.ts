import { problemsOf } from '../../support/pack-world.js';
import { startSandbox } from '../../support/start-sandbox.js';

interface Said {
  readonly said: { readonly status: number; readonly body: unknown }[];
  readonly kept: number;
  readonly path: string;
}

/** What a pack says about the time of its responses, and about what it has no answer for: an oracle that thinks first. */

const ORACLE = {
  'pack.yaml': `ids: { short: { parts: [{ random: 8 }] } }
durations:
  thinking: { default: 400ms, description: how long the oracle thinks }
  breath: { default: none, description: between two words }
`,
  'errors.yaml': `errors: { speechless: { status: 404, body: { error: speechless } } }
`,
  'resources/saying.yaml': `resource: saying
collection: sayings
path: /sayings
id: { prefix: say_, format: short }
fields: { words: { type: array, items: string } }
operations:
  create:
    params: { text: { type: string, required: true }, slowly: boolean }
    do:
      - { delay: duration(thinking), when: params.slowly == true }
      - { delay: duration(breath) }
      - { unsupported: "omen \${params.text}", kind: case, when: params.text == 'raven' }
      - { unsupported: slowly, when: params.text == 'hare' && params.slowly == true }
      - { fail: speechless, when: params.text == 'nothing' }
      - { create: saying, with: { words: "=split(params.text, ' ')" } }
      - { fail: speechless, when: params.text == 'stutter' }
  retrieve: {}
  again:
    route: POST /sayings/{id}/again
    do:
      - { call: sayings.retrieve, with: { id: =self.id }, as: seen }
      - { call: sayings.retrieve, with: { id: say_nobody00 }, as: gone }
      - { return: { seen: =seen, gone: =gone.status } }
  create_many:
    kind: action
    route: POST /sayings/many
    params: { all: { type: array, items: any } }
    do:
      - { for: each, in: params.all, collect: =said, as: said_all, do: [{ call: sayings.create, with: =each, as: said }] }
      - { return: { said: =said_all, kept: "=count(saying, {})", path: =request.path } }
  tell: { route: 'GET /sayings/{id}/told', stream: { events: self.words, every: duration(breath) } }
  math:
    kind: action
    route: GET /math
    params: { s: string, pattern: string, n: number }
    return: { found: "=groups(params.s, params.pattern)", problems: "=pattern_problems(params.pattern, 'pattern')", root: "=sqrt(params.n)",
      bytes: "=float32([params.n, -1])" }
`,
};

describe('a response', () => {
  const sandbox = startSandbox(ORACLE, { reset: {} });
  const { call, body } = sandbox;

  test.each(['anything', 'nothing'])('is delayed by a step, also an error: %s', async (text) => {
    const order: string[] = [];
    const slow = call('POST /sayings', { text, slowly: true }).then(({ status }) => order.push(`slow ${status}`));
    await call('POST /sayings', { text: 'quick' }).then(() => order.push('quick'));
    await slow;
    expect(order).toEqual(['quick', text === 'nothing' ? 'slow 404' : 'slow 200']);
  });

  test('names what the steps say is unsupported, in its header, the trace and the list', async () => {
    const { headers } = await call('POST /sayings', { text: 'raven' });
    expect(headers.get('x-mock-unsupported')).toBe('case omen raven');
    expect((await call('POST /sayings', { text: 'crow' })).headers.get('x-mock-unsupported')).toBeNull();
    expect((await call('POST /sayings', { text: 'hare', slowly: true })).headers.get('x-mock-unsupported')).toBe(
      'parameter slowly',
    );
    const { data } = (await sandbox.control.call('GET', '/unsupported')) as { data: object[] };
    expect(data).toContainEqual({ kind: 'case', name: 'omen raven', operation: 'sayings.create', count: 1 });
  });

  test('an operation calls another one: its parameters are checked, an error takes back what it did and ends nothing', async () => {
    const all = [
      { text: 'one two' },
      { text: 5 },
      {},
      7,
      { text: 'stutter' },
      { text: 'raven' },
      { text: 'x', slowly: 'a' },
    ];
    const { said, kept, path } = await body<Said>('POST /sayings/many', { all });
    expect([said.map(({ status }) => status), kept, path]).toEqual([
      [200, 400, 400, 400, 404, 200, 400],
      2,
      '/sayings/many',
    ]);
    expect([said[0].body, said[4].body]).toEqual([
      { id: expect.any(String), words: ['one', 'two'] },
      { error: 'speechless' },
    ]);
    expect((await body<{ resources: { sayings: object[] } }>('GET /__admin__/state')).resources.sayings).toHaveLength(
      2,
    );
    const { id } = said[0].body as { id: string };
    expect(await body(`POST /sayings/${id}/again`, {})).toEqual({
      seen: { status: 200, body: said[0].body },
      gone: 404,
    });
    const { headers } = await call('POST /sayings/many', { all: [{ text: 'raven' }, { text: 'hare', slowly: true }] });
    expect(headers.get('x-mock-unsupported')).toBe('case omen raven, parameter slowly');
  });

  test('a stream whose pause is none comes at once', async () => {
    const { id } = await body<{ id: string }>('POST /sayings', { text: 'one two' });
    expect((await call(`GET /sayings/${id}/told`)).text).toBe('data: one\n\ndata: two\n\n');
  });

  test.each([
    ['order 17 of ann', 'order (\\d+) of (\\w+)', ['order 17 of ann', '17', 'ann'], 0],
    ['order', '\\d', null, 0],
    ['aaa', '(', null, 1],
    ['aaa', '(a)\\1', null, 1],
  ])('patterns that are data: %s, %s', async (s, pattern, found, problems) => {
    const got = await body<{ found: unknown; problems: unknown[] }>(
      `GET /math?${new URLSearchParams({ s, pattern, n: '9' }).toString()}`,
    );
    expect([got.found, got.problems.length]).toEqual([found, problems]);
  });

  test('roots and numbers as bytes', async () => {
    const { root, bytes } = await body<{ root: number; bytes: string }>('GET /math?s=a&pattern=a&n=9');
    const read = Buffer.from(bytes, 'base64');
    expect([root, read.readFloatLE(0), read.readFloatLE(4)]).toEqual([3, 9, -1]);
  });
});

describe('a strict world', () => {
  const { status } = startSandbox(ORACLE, { strict: true });

  test('rejects a case that has no answer', async () => {
    expect([await status('POST /sayings', { text: 'raven' }), await status('POST /sayings', { text: 'crow' })]).toEqual(
      [400, 200],
    );
  });
});

test.each([
  ['{ delay: soon }', "'soon'"],
  ['{ delay: "\'1s\'" }', 'this must be a duration'],
  ['{ unsupported: a, kind: omen }', 'case'],
  ['{ call: sayings.crate }', "unknown operation 'sayings.crate'"],
  ['{ call: sayings.create, with: 5 }', 'this must be a map of parameters'],
  ['{ call: sayings.create, headers: { tone: low } }', "unknown argument 'tone'"],
])('%s is a problem of the pack', (step, message) => {
  const resource = ORACLE['resources/saying.yaml'].replace('- { delay: duration(breath) }', `- ${step}`);
  expect(problemsOf({ ...ORACLE, 'resources/saying.yaml': resource }).join('\n')).toContain(message);
});
