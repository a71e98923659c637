/** What an unpinned run brings back: valid by its task's `output_schema`, the same for the same task and input. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { type Body, refusal, serveAutomation, T0, type TaskRun } from './served-automation.js';
import { inScenario } from '../../support/http.js';

const automation = serveAutomation();
const ajv = new Ajv2020({ strict: false, validateFormats: false, addUsedSchema: false });

const NAME = fc.constantFrom('invoice', 'total', 'paid', 'lines', 'due_on', 'reference', 'notes');
// No lists or maps: the test environment clones them with constructors that are not those of its JSON.
const SCALAR = fc.jsonValue({ maxDepth: 0 });

/** Schemas of every kind that something fits. */
const SCHEMA = fc.letrec<{ leaf: Body; any: Body; object: Body }>((tie) => ({
  leaf: fc.oneof(
    fc
      .tuple(fc.nat(12), fc.nat(12))
      .map(([minLength, more]) => ({ type: 'string', minLength, maxLength: minLength + more })),
    fc
      .constantFrom('^[A-Z]{2}-[0-9]{4}$', '^(red|green)$', '^[a-f0-9]{8}$', '^\\d{3,5}$', '^x+y?z*$')
      .map((pattern) => ({ type: 'string', pattern })),
    fc
      .constantFrom('date', 'date-time', 'email', 'uri', 'uuid', 'time', 'ipv4')
      .map((format) => ({ type: 'string', format })),
    fc
      .tuple(fc.integer({ min: -1000, max: 1000 }), fc.nat(1000))
      .map(([minimum, more]) => ({ type: 'integer', minimum, maximum: minimum + more })),
    fc
      .tuple(fc.nat(50), fc.integer({ min: 1, max: 20 }))
      .map(([low, multipleOf]) => ({ type: 'integer', minimum: low, maximum: low + 2 * multipleOf, multipleOf })),
    fc
      .tuple(fc.integer({ min: -9, max: 9 }), fc.integer({ min: 1, max: 90 }))
      .map(([low, more]) => ({ type: 'number', exclusiveMinimum: low, maximum: low + more })),
    fc.constant({ type: 'boolean' }),
    fc.constant({ type: 'null' }),
    fc.uniqueArray(SCALAR, { minLength: 1, maxLength: 4 }).map((values) => ({ enum: values })),
    SCALAR.map((value) => ({ const: value })),
    fc.constantFrom({ type: ['string', 'null'] }, { type: ['integer', 'string'] }, { $ref: '#/$defs/money' }),
  ),
  any: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    tie('leaf'),
    tie('object'),
    fc
      .tuple(tie('any'), fc.nat(3), fc.nat(3))
      .map(([items, minItems, more]) => ({ type: 'array', items, minItems, maxItems: minItems + more })),
    fc.integer({ min: 1, max: 4 }).map((minItems) => ({
      type: 'array',
      items: { type: 'string', minLength: 6 },
      minItems,
      uniqueItems: true,
    })),
    fc.array(tie('any'), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
    tie('object').map((object) => ({ allOf: [object] })),
  ),
  object: fc
    .tuple(fc.uniqueArray(fc.tuple(NAME, tie('any')), { selector: ([name]) => name, maxLength: 4 }), fc.boolean())
    .chain(([properties, closed]) =>
      fc.subarray(properties.map(([name]) => name)).map((required) => ({
        type: 'object',
        properties: Object.fromEntries(properties),
        required,
        ...(closed ? { additionalProperties: false } : {}),
      })),
    ),
}));

const DEFS = {
  $defs: {
    money: {
      type: 'object',
      required: ['amount', 'currency'],
      properties: { amount: { type: 'integer', minimum: 0 }, currency: { type: 'string', pattern: '^[A-Z]{3}$' } },
      additionalProperties: false,
    },
  },
};

const AGENT = 'agt_0000000000000001';

/** In an empty world: a task with this schema whose runs are over; gives their outputs. */
async function outputsOf(output_schema: Body, inputs: readonly Body[]): Promise<unknown[]> {
  await automation.control.reset({ t0: T0 });
  await automation.control.seed({ resource: 'agents', objects: [{ id: AGENT, name: 'Clerk' }] });
  const task = { id: 'task_0000000000000001', agent_id: AGENT, output_schema, input_schema: {} };
  const { id: task_id } = await automation.task(task);
  const runs: string[] = [];
  for (const input of inputs) runs.push((await automation.run({ task_id, input })).id);
  await automation.advance('1m');
  return Promise.all(
    runs.map(async (id) => {
      const { status, output } = await automation.runOf(id);
      expect(status).toBe('completed');
      return output;
    }),
  );
}

test('is valid by the schema, and the same in another world and another run', async () => {
  await fc.assert(
    fc.asyncProperty(
      SCHEMA.object,
      fc.dictionary(NAME, fc.jsonValue({ maxDepth: 1 }), { maxKeys: 2 }),
      async (object, input) => {
        const schema = { ...object, ...DEFS };
        const validate = ajv.compile(schema);
        const [first, second] = await outputsOf(schema, [input, input]);
        expect([first, validate(first), validate.errors]).toEqual([first, true, null]);
        expect(second).toEqual(first);
        expect(await outputsOf(schema, [input as Body])).toEqual([first]);
      },
    ),
    { numRuns: 25, seed: 20260609, endOnFailure: true },
  );
});

test('has every property that the schema names, differs with the input, and repeats what the input says', async () => {
  const properties = {
    account: { type: 'string' },
    reference: { type: 'string', pattern: '^[A-Z0-9]{12}$' },
    paid: { type: 'boolean' },
  };
  const inputs = ['INV-1', 'INV-2', 'INV-3'].map((account) => ({ account }));
  const outputs = (await outputsOf({ type: 'object', properties }, inputs)) as Body[];
  expect(outputs.map((output) => Object.keys(output))).toEqual(inputs.map(() => ['account', 'reference', 'paid']));
  expect(outputs.map(({ account }) => ({ account }))).toEqual(inputs);
  expect(new Set(outputs.map(({ reference }) => reference)).size).toBe(3);
});

test('can be pinned to anything that is valid by the schema; the rest is 422', async () => {
  let [taken, refused] = [0, 0];
  await fc.assert(
    fc.asyncProperty(SCHEMA.object, fc.jsonValue({ maxDepth: 2 }), fc.boolean(), async (object, any, fitting) => {
      const schema = { ...object, ...DEFS };
      const validate = ajv.compile(schema);
      // A value of any kind hardly ever fits.
      const value = fitting ? (await outputsOf(schema, [{}]))[0] : any;
      await automation.control.reset({ t0: T0 });
      const run = await automation.run({ task_id: (await automation.task({ output_schema: schema })).id });
      if (validate(value)) {
        await automation.pin(run.id, 'output', value);
        await automation.advance('1m');
        expect((await automation.runOf(run.id)).output).toEqual(value);
        taken++;
      } else {
        expect(await refusal(automation.pin(run.id, 'output', value))).toMatchObject({ status: 422 });
        refused++;
      }
    }),
    { numRuns: 20, seed: 20260609, endOnFailure: true },
  );
  expect(taken * refused).toBeGreaterThan(0);
});

const task = async (): Promise<string> => (await automation.task()).id;

async function run(taskId: string, scenario?: string): Promise<TaskRun> {
  const headers = scenario === undefined ? {} : inScenario(scenario);
  return automation.body(`POST /tasks/${taskId}/run`, { input: { invoice: 'INV-1' } }, headers);
}

test('a run brings back what its schema asks for, what is pinned in it, and what its input says', async () => {
  const { id } = await run(await task());
  await automation.admin('POST /exogenous/pins', { resource: id, path: 'output.total', value: 42 });
  await automation.advance('1m');
  expect(await automation.runOf(id)).toMatchObject({ status: 'completed', result: 'success', output: { invoice: 'INV-1', total: 42 } });
});

test('the same task and input bring back the same', async () => {
  const taskId = await task();
  const outputs: unknown[] = [];
  for (const { id } of [await run(taskId), await run(taskId)]) {
    await automation.advance('1m');
    outputs.push((await automation.runOf(id)).output);
  }
  expect(outputs[0]).toEqual(outputs[1]);
});

test('a pinned output has to fit the schema of the task', async () => {
  const { id } = await run(await task());
  const pin = { resource: id, path: 'output', value: { invoice: 'INV-1', total: 'much' } };
  const { status, body } = await automation.admin('POST /exogenous/pins', pin);
  expect([status, body]).toMatchObject([422, { error: { code: 'invalid_value', path: 'output.total' } }]);
});

test('schemas and inputs are checked, problems stand at their members', async () => {
  const bad = await automation.call('POST /tasks', { name: 'Fetch', agent_id: 'none', output_schema: { type: 'bread' } });
  expect(Object.keys(bad.body['errors'] as Body)).toEqual(['output_schema']);
  const missing = await automation.call('POST /task-runs', { task_id: await task(), input: {} });
  expect(missing.body['errors']).toEqual({ 'input.invoice': ['The value is required.'] });
});

test('a challenge that says only its type asks what such a challenge usually asks', async () => {
  const { id } = await run(await task(), 'mfa_required');
  await automation.advance('1m');
  expect(await automation.runOf(id)).toMatchObject({
    status: 'interaction_required',
    interaction: { type: 'mfa', fields: [{ name: 'code' }] },
  });
  const wrong = await automation.call(`POST /task-runs/${id}/interaction`, { input: {} });
  expect(wrong.body['errors']).toEqual({ 'input.code': ['The value is required.'] });
  const right = await automation.call(`POST /task-runs/${id}/interaction`, { input: { code: '123456' } });
  expect(right.body['status']).toBe('running');
});

test('waits that a test takes away never end', async () => {
  await automation.admin('POST /clock/durations', { durations: { run_time: 'none', run_timeout: 'none' } });
  const { id } = await run(await task());
  await automation.advance('365d');
  expect((await automation.runOf(id)).status).toBe('running');
  await automation.admin('POST /clock/durations', { durations: { run_time: null, run_timeout: null } });
});
