import { type Block, blocksOf, placeOf } from './blocks.js';
import { difference, parseSamples, parseValues } from './documented-samples.js';
import { call as callWorld, type Called } from '../support/http.js';
import { startSandbox } from '../support/start-sandbox.js';

/** The bodies that docs/reference/control-api.md shows: requests are sent (`POST /faults`), responses compared (`of=GET /...`). */

const sandbox = startSandbox('payments', { packs: ['task-automation'] });
let tasks: { readonly url: string; readonly key: string };
/** Ids of objects that the page has as `pi_...`. */
let ids: Readonly<Record<string, string>> = {};

interface World {
  readonly url: string | null;
  readonly key: string;
}

const call = (world: World, line: string, body?: string | URLSearchParams): Promise<Called> =>
  callWorld(world, line, body);

const idOf = ({ body }: Called): string => String(body['id']);

beforeAll(async () => {
  const made = await call(sandbox, 'POST /__admin__/worlds', '{"pack": "task-automation"}');
  tasks = made.body as unknown as typeof tasks;
  const agent = { id: 'agt_Bookkeeper000001', name: 'Bookkeeper' };
  const task = { id: 'task_FetchInvoice0001', agent_id: agent.id, name: 'Fetch' };
  await call(tasks, 'POST /__admin__/seed', JSON.stringify({ resources: { agents: [agent], tasks: [task] } }));
  const run = idOf(await call(tasks, 'POST /task-runs', JSON.stringify({ task_id: task.id })));
  const pay = new URLSearchParams({ amount: '500', currency: 'usd', payment_method: 'pm_card_visa' });
  const intent = idOf(await call(sandbox, 'POST /v1/payment_intents', pay));
  ids = { pi_: intent, trun_: run };
});

const json = blocksOf('docs/reference/control-api.md').filter(({ language }) => language === 'json');
const of = (start: string): readonly Block[] => json.filter(({ attribute }) => attribute.startsWith(start));

/** A body of the page, with ids of this world. */
function here(value: unknown): string {
  return JSON.stringify(value).replace(/"(\w+_)\.\.\."/g, (_, prefix: string) => JSON.stringify(ids[prefix]));
}

test.each(of('POST ').map((block) => [placeOf(block), block] as const))('%s is taken', async (_place, block) => {
  const [method, path] = block.attribute.split(' ');
  for (const value of parseValues(block.text)) {
    const body = here(value);
    const world = body.includes('task_runs') ? tasks : sandbox;
    const response = await call(world, `${method} /__admin__${path}`, body);
    expect({ body, status: response.status, error: response.status < 300 ? '' : response.text }).toMatchObject({
      error: '',
    });
  }
});

async function pins(): Promise<readonly { readonly id: string }[]> {
  const listed = await call(sandbox, 'GET /__admin__/exogenous/pins');
  return listed.body['data'] as { id: string }[];
}

const RESPONSES: Readonly<Record<string, () => Promise<unknown>>> = {
  'of=POST /seed': async () => {
    const body = '{"resource": "customers", "objects": [{"id": "cus_Jenny000000001", "emial": "j"}]}';
    return (await call(sandbox, 'POST /__admin__/seed', body)).body;
  },
  'of=GET /world/next': async () => (await call(sandbox, `GET /__admin__/world/next?id=${ids['pi_']}`)).body,
  'of=GET /trace/{id}': async () => {
    // Those that the page shows for requests.
    for (const { id } of await pins()) await call(sandbox, `DELETE /__admin__/exogenous/pins/${id}`);
    const pin = '{"resource": "charges", "path": "outcome.risk_level", "value": "elevated"}';
    await call(sandbox, 'POST /__admin__/exogenous/pins', pin);
    const params = new URLSearchParams({ payment_method: 'pm_card_mastercard' });
    const paid = await call(sandbox, `POST /v1/payment_intents/${ids['pi_']}/confirm`, params);
    return (await call(sandbox, `GET /__admin__/trace/${paid.headers.get('x-mock-resolution-trace')}`)).body;
  },
};

test.each(of('of=').map((block) => [placeOf(block), block] as const))('%s is returned', async (_place, block) => {
  // Faults of the page must not strike here.
  await call(sandbox, 'DELETE /__admin__/faults');
  const value = await RESPONSES[block.attribute]();
  expect(parseSamples(block.text).map((sample) => difference(sample, value))).toEqual([undefined]);
});

test('every body of the page is one or the other', () => {
  expect(json.filter((block) => !of('POST ').includes(block) && !of('of=').includes(block)).map(placeOf)).toEqual([]);
});
