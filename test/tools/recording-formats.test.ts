import { fromReplayData } from '../../tools/develop/recordings/replay-data.js';
import { fromWireMock } from '../../tools/develop/recordings/wiremock.js';
import { recordingIn } from '../../tools/recordings/read.js';

const mapping = (method: string, index: number, more: object = {}): string =>
  JSON.stringify({
    request: { url: '/repos/octo/tide/issues', method, ...more },
    response: {
      status: method === 'GET' ? 200 : 201,
      bodyFileName: `${index}.json`,
      headers: { Date: 'Thu, 22 Sep 2022 09:56:30 GMT' },
    },
    insertionIndex: index,
  });

test('a WireMock recording has its calls in order, with their bodies', () => {
  const folder = 'IssueTest/wiremock/close';
  const body = { bodyPatterns: [{ equalToJson: '{"title":"a"}' }] };
  const files = new Map([
    [`${folder}/mappings/10-b.json`, mapping('GET', 10)],
    [`${folder}/mappings/2-a.json`, mapping('POST', 2, body)],
    [`${folder}/__files/10.json`, '[]'],
    [`${folder}/__files/2.json`, '{"number":1}'],
  ]);
  const [{ group, name, calls }] = fromWireMock(files, 'a/b');
  expect({ group, name }).toEqual({ group: 'IssueTest', name: folder });
  expect(calls).toMatchObject([
    { method: 'POST', body: '{"title":"a"}', status: 201, text: '{"number":1}', at: Date.UTC(2022, 8, 22, 9, 56, 30) },
    { method: 'GET', body: '', status: 200, text: '[]' },
  ]);
});

test('replayed data begins with the set-up of its class', () => {
  const record = (method: string, path: string, body: string, status: number, text: string): string =>
    [
      'https',
      method,
      'api.github.com',
      'None',
      path,
      "{'User-Agent': 'x'}",
      body,
      status,
      "[('ETag', 'a')]",
      text,
      '',
      '',
    ].join('\n');
  const files = new Map([
    ['Issue.setUp.txt', record('GET', '/user', 'None', 200, '{}')],
    ['Issue.testEdit.txt', record('PATCH', '/repos/a/b/issues/1', '{"state":"closed"}', 200, '{"number":1}')],
  ]);
  const [setUp, edit] = fromReplayData(files, 'a/b');
  expect(setUp.before).toEqual([]);
  expect(edit.before).toMatchObject([{ method: 'GET', body: '' }]);
  expect(edit.calls).toMatchObject([
    { method: 'PATCH', body: '{"state":"closed"}', status: 200, responseHeaders: { etag: 'a' }, text: '{"number":1}' },
  ]);
});

test('steps of a scenario refer to what was recorded before', () => {
  const step = (line: string, params: object, recorded_body: object, more: object = {}): object => {
    const [method, path] = line.split(' ');
    return {
      method,
      path,
      params,
      recorded_status: 200,
      recorded_stripe_version: '2026-08-26.dahlia',
      recorded_body,
      ...more,
    };
  };
  const $ref = { step: 'boat', field: 'parts.data[1].id' };
  const launched = Date.UTC(2026, 8, 19, 22, 8, 17) / 1000;
  const due = { $ref: { step: 'boat', field: 'due', offset: -3600 } };
  const scenario = {
    scenario: 'boats',
    recorded_at: '2026-09-19T22:08:43+00:00',
    stripe_version_pin: '2026-08-26.dahlia',
    steps: [
      step(
        'POST /v1/boats',
        { name: 'Ada', crew: { size: 2 } },
        { id: 'bo_1', due: launched + 86_400, parts: { data: [{ id: 'pa_1' }, { id: 'pa_2', launched }] } },
        {
          binds_as: 'boat',
          idempotency_key: 'k1',
        },
      ),
      step(
        'GET /v1/boats/{boat}',
        { part: { $ref }, due },
        { id: 'bo_1', old: launched - 90_000 },
        { path_refs: { boat: { step: 'boat', field: 'id' } } },
      ),
    ],
  };
  const calls = recordingIn('boats.json', JSON.stringify(scenario));
  expect(calls.map(({ method, url, body }) => [method, url.href, body])).toEqual([
    ['POST', 'https://api.stripe.com/v1/boats', 'name=Ada&crew%5Bsize%5D=2'],
    ['GET', `https://api.stripe.com/v1/boats/bo_1?part=pa_2&due=${launched + 82_800}`, ''],
  ]);
  expect(calls[0]).toMatchObject({
    headers: { 'stripe-version': '2026-08-26.dahlia', 'idempotency-key': 'k1' },
  });
  expect(calls[1]).toMatchObject({ status: 200, text: expect.stringMatching(/^{"id":"bo_1"/) });
  // Steps have the time of the latest moment that was seen, else the recording's.
  expect(calls.map(({ at }) => at)).toEqual([launched * 1000, launched * 1000]);
  const [bare] = recordingIn('boats.json', JSON.stringify({ ...scenario, steps: [step('GET /v1/boats', {}, {})] }));
  expect(bare.at).toBe(Date.UTC(2026, 8, 19, 22, 8, 43));
});
