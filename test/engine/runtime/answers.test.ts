import type { JsonObject } from '../../../engine/values/index.js';
import { publicValue } from '../../../engine/model/index.js';
import { PackWorld, problemsOf } from '../../support/pack-world.js';

const ORDER = `resource: order
collection: orders
fields:
  bread: string
  recipe: { type: string, nullable: true, hidden: true }
  oven: { type: string, nullable: true, internal: true }
  steps: { type: array, items: { type: object, fields: { name: string, secret: { type: string, hidden: true } } } }
operations:
  create: { params: { bread: { type: string, required: true } } }
  retrieve: {}
  list: {}
  delete: {}
  count: { route: GET /orders/count, return: "\${count(order)}" }
  nothing: { route: GET /orders/nothing, return: {} }
`;
const ADD = 'answers: { add: { request_id: "${request.id}", kind: answer } }\n';

function worldOf(): PackWorld {
  return new PackWorld({ 'pack.yaml': ADD, 'resources/order.yaml': ORDER });
}

describe('answers.add', () => {
  test('every successful answer that is one object has the keys at its end', () => {
    const made = worldOf();
    const { id } = made.do('orders.create', { bread: 'rye' }) as { id: string };
    const expected = `{"id":"${id}","bread":"rye","steps":[],"request_id":"req_1","kind":"answer"}`;
    expect(made.call('orders.retrieve', {}, { id }).body).toBe(expected);
    expect(made.call('orders.retrieve', {}, { id }).body).toBe(expected);
    expect(made.call('orders.nothing').body).toBe('{"request_id":"req_1","kind":"answer"}');
    expect(made.call('orders.count').body).toBe('1');
    expect(made.do('orders.delete', {}, { id })).toEqual({ id, deleted: true, request_id: 'req_1', kind: 'answer' });
  });

  test('lists, their items, errors and stored texts have none', () => {
    const made = worldOf();
    const { id } = made.do('orders.create', { bread: 'rye' }) as { id: string };
    const list = made.do('orders.list');
    expect(Object.keys(list)).toEqual(['data', 'has_more', 'next_cursor']);
    expect(list['data']).toEqual([{ id, bread: 'rye', steps: [] }]);
    expect(made.call('orders.retrieve', {}, { id: 'none' }).body).not.toContain('kind');
    expect(made.engine.text(made.rows('orders')[0])).not.toContain('kind');
  });

  test('its mistakes are told', () => {
    const pack = 'answers: { add: { bread: 1, by: "${request.idd}" } }\n';
    expect(problemsOf({ 'pack.yaml': pack, 'resources/order.yaml': ORDER })).toEqual([
      "duplicate-key pack.yaml:3 order has a field 'bread' of its own",
      "expression pack.yaml:3 request has no field 'idd'",
    ]);
  });
});

describe('secrets', () => {
  test('errors do not repeat the value of a secret parameter, or of one inside', () => {
    const params =
      '{ key: { type: integer, secret: true }, login: { type: object, secret: true, fields: { pin: { type: integer } } } }';
    const order = `resource: order\ncollection: orders\nfields: {}\noperations: { open: { route: POST /open, params: ${params}, return: "=params.key == 1 && params.login == null" } }\n`;
    const made = new PackWorld({ 'resources/order.yaml': order });
    const calls: JsonObject[] = [{ key: 'hush' }, { login: 'hush' }, { login: { pin: 'hush' } }];
    for (const given of calls) {
      const { status, body } = made.call('orders.open', given);
      expect([status, body]).toEqual([400, expect.not.stringContaining('hush')]);
    }
  });

  test('hidden fields are no part of what tests see of the state, internal ones no part of answers', () => {
    const made = worldOf();
    made.engine.seed({
      orders: [{ id: 'a', bread: 'rye', recipe: 'hush', oven: 'north', steps: [{ name: 'knead', secret: 'hush' }] }],
    });
    const [row] = made.rows('orders');
    const { def } = made.engine.pack.resources[row.resource];
    expect(row.value['recipe']).toBe('hush');
    expect(publicValue(def, row.value)).toEqual({ id: 'a', bread: 'rye', oven: 'north', steps: [{ name: 'knead' }] });
    expect(made.do('orders.retrieve', {}, { id: 'a' })).not.toHaveProperty('oven');
  });
});

test('the common envelope of errors may read any key that some error has', () => {
  const errors = (body: string) => `envelope: { message: "\${error.${body}}", param: "\${error.param}" }\nerrors:
  api_key_missing: { status: 401 }
  api_key_invalid: { status: 401 }
  unknown_route: { status: 404, body: { message: gone } }
  not_found: { status: 404 }
  parameter_missing: { status: 400, args: { param: string }, body: { message: missing, param: "\${param}" } }
  parameter_unknown: { status: 400 }
  parameter_invalid: { status: 400 }
  wrong_state: { status: 409 }
  internal_error: { status: 500 }
  body_malformed: { status: 400 }
  fault: { status: 500 }
`;
  const made = new PackWorld({ 'errors.yaml': errors('message'), 'resources/order.yaml': ORDER });
  expect(JSON.parse(made.call('orders.create').body ?? '')).toEqual({ message: 'missing', param: 'bread' });
  expect(problemsOf({ 'errors.yaml': errors('mesage') })).toEqual([
    expect.stringContaining("there is no 'mesage' here"),
  ]);
});

test('an answer at once tells what the steps left, before waits of no length end', () => {
  const loaf = (answer: string) => `resource: loaf
collection: loaves
fields: { status: { enum: [dough, bread], machine: true } }
machine: { initial: dough, states: { dough: { after: { baking: bread } }, bread: {} } }
operations: { create: {${answer}}, retrieve: {} }
`;
  for (const [answer, told] of [
    ['', 'bread'],
    [' answer: at_once ', 'dough'],
  ]) {
    const made = new PackWorld({ 'pack.yaml': 'durations: { baking: 0s }\n', 'resources/loaf.yaml': loaf(answer) });
    const { id, status } = made.do('loaves.create') as { id: string; status: string };
    expect(status).toBe(told);
    expect(made.do('loaves.retrieve', {}, { id })).toMatchObject({ status: 'bread' });
  }
});
