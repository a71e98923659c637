import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A small sound pack of an invented shop with a bit of everything. */
export const SHOP: Readonly<Record<string, string>> = {
  'pack.yaml': `name: shop
version: 0.1.0
vars: { vendor: acme }
timestamps: unix
base_path: /v1
routes: { update: POST }
ids:
  short: { parts: [{ random: 14 }] }
formats:
  email: { pattern: "^[^@ ]+@[^@ ]+$", title: email address }
durations: { pack_time: 2h }
auth: { schemes: [bearer, basic], key: { prefix: sk_, random: 24 } }
encoding: { requests: form }
lists:
  envelope: { object: list, data: "\${data}", has_more: "\${has_more}" }
  cursors: { after: starting_after, before: ending_before }
request_id: { prefix: req_, format: short, header: Request-Id }
headers: { "\${vars.vendor}-Version": "1" }
tombstone: { id: "\${self.id}", deleted: true }
events:
  resource: event
  with: { type: "\${type}", data: { object: "\${snapshot}", previous: "\${previous}" } }
delivery:
  endpoint:
    resource: endpoint
    active: "endpoint.enabled"
    events: "endpoint.events"
    register: { url: "\${url}", events: "\${events}" }
    secret: "endpoint.secret"
  transports:
    http:
      url: "endpoint.url"
      body: "\${rest(event)}"
      headers: { Acme-Signature: "t=\${timestamp},v1=\${signature}" }
      signature: { content: "\${timestamp}.\${body}", key: utf8, digest: hex }
  retries: [1m, 5m]
`,
  'types.yaml': `metadata: { type: map, values: string, update: merge }
address: { type: object, fields: { street: string, city: string? } }
`,
  'errors.yaml': `envelope: { error: "\${error}" }
errors:
  api_key_missing: { status: 401, body: { message: no key } }
  api_key_invalid: { status: 401, args: { key: string }, body: { message: "key \${mask(key)}" } }
  unknown_route: { status: 404, args: { method: string, path: string }, body: { message: "no \${method} \${path}" } }
  not_found: { status: 404, args: { title: string, id: string }, body: { message: "No such \${title}: '\${id}'" } }
  parameter_invalid: { status: 400, args: { param: string, kind: string? }, body: { param: "\${param}", message: "Invalid \${kind}" } }
  body_malformed: { status: 400, body: { message: malformed } }
  wrong_state: { status: 400, args: { action: string, status: string }, body: { message: "cannot \${action} when \${status}" } }
  too_dear: { status: 402, args: { amount: integer }, body: { message: "\${amount} is too much" } }
  fault: { status: "\${status}", args: { status: integer, error: map }, body: "\${merge({'message': 'broken'}, error)}" }
  internal_error: { status: 500, body: { message: oops } }
`,
  'resources/order.yaml': `resource: order
collection: orders
id: { prefix: or_, format: short }
order: created
indexes: [customer]
fields:
  object: { const: order }
  amount: integer
  customer: { ref: customer, nullable: true }
  status: { machine: true }
  risk: { enum: [low, high], default: low }
  note: string?
  address: address?
  created: { type: timestamp, default: "\${now}" }
machine:
  initial: open
  states:
    open:
      on:
        pay:
          - { target: refused, guard: forced_to_refuse }
          - { target: paid, guard: is_small }
          - held
      after: { pack_time: lost }
    held: { on: { release: paid } }
    paid: { entry: thank }
    refused: {}
    lost: {}
guards:
  is_small: "self.amount < 1000"
  forced_to_refuse: "pinned('branch') == 'refused'"
actions:
  thank:
    - set: self
      to: { note: "thanks for \${self.amount}" }
refusals:
  release: { error: wrong_state, with: { action: released, status: "\${self.status}" } }
operations:
  create:
    params:
      amount: { type: integer, required: true, min: 1 }
      customer: { ref: customer }
      address: address
    do:
      - fail: too_dear
        when: "params.amount > 100000"
        with: { amount: "\${params.amount}" }
      - create: order
        from: params
  retrieve: {}
  list: { filters: { customer: {}, status: {}, created: { range: true } } }
  pay: { do: [{ send: pay }] }
  release:
    route: POST /v1/orders/{id}/release
    params: { why: { type: string, max_length: 20 } }
    do:
      - let: { why: "default(params.why, 'none')" }
      - send: release
      - run: note_it
        with: { order: "\${self}", text: "released: \${why}" }
events:
  order.created: { on: created }
  order.paid: { enter: paid }
  order.lost: { enter: lost }
  order.noted: { emit: true }
pins:
  risk: { at: created }
branches: [refused]
`,
  'resources/customer.yaml': `resource: customer
collection: customers
id: { prefix: cus_, format: short }
order: created
indexes: [email]
fields:
  object: { const: customer }
  email: string?
  created: { type: timestamp, default: "\${now}" }
  metadata: metadata
operations:
  create: { params: { email: { type: string, format: email }, metadata: metadata } }
  retrieve: {}
  update: { params: { email: { type: string, unset: true }, metadata: metadata } }
  delete: {}
  list: { filters: { email: {} } }
events:
  customer.created: { on: created }
  customer.updated: { on: updated }
`,
  'resources/endpoint.yaml': `resource: endpoint
collection: endpoints
id: { prefix: we_, format: short }
fields:
  url: string
  events: { type: array, items: string, default: ["*"] }
  enabled: { type: boolean, default: true }
  secret: { type: string, default: "sec_\${hash(self.id, 16)}" }
operations: [create, retrieve, list, delete]
`,
  'resources/event.yaml': `resource: event
collection: events
id: { prefix: evt_, format: short }
order: created
fields:
  type: string
  created: { type: timestamp, default: "\${now}" }
  data: { type: object, fields: { object: any, previous: { type: any, optional: true } } }
operations: { list: { filters: { type: {} } }, retrieve: {} }
`,
  'flows/note_it.yaml': `flow: note_it
args: { order: order, text: string }
do:
  - set: order
    to: { note: "\${text}" }
  - emit: order.noted
    object: order
`,
  'flows/make_test_customer.yaml': `flow: make_test_customer
args: { email: string }
returns: customer
do:
  - create: customer
    with: { email: "\${email}" }
    silent: true
  - return: "\${customer}"
`,
  'tables/people.yaml': `table: people
key: name
columns: { name: string, email: string }
rows:
  - { name: ann, email: ann@shop.test }
  - { name: bob, email: bob@shop.test }
`,
  'causes.yaml': `causes:
  order.released:
    description: Somebody looks at a held order.
    variants:
      - subject: { param: order_id, resource: order }
        when: "self.status == 'held'"
        do: [{ send: release }]
`,
  'magic.yaml': `families:
  test_customers:
    stands_for: customer
    looks_like: "^cus_test_"
    values:
      - { from: { person: people }, value: "cus_test_\${person.name}", run: make_test_customer, with: { email: "\${person.email}" } }
`,
  'scenarios.yaml': `scenarios:
  - { name: broken, fail: internal_error }
  - { name: refused, pins: { order.branch: refused } }
`,
  'examples/pay.yaml': `example: a small order is paid
calls:
  - call: POST /v1/orders
    form: { amount: 500, customer: cus_test_ann }
    expect: { body: { status: open, amount: 500, id: "\${it.startsWith('or_')}" } }
    save: { order: id }
  - call: POST /v1/orders/\${order}/pay
    expect: { status: 200, body: { id: "\${order}", status: paid, note: thanks for 500 } }
  - call: GET /state
    plane: control
    query: { resource: orders }
    expect: { body: { resources: { orders: [{ id: "\${order}" }] } } }
`,
};

const made: string[] = [];

/** Writes the shop with some files changed (null removes one) and returns its folder. */
export function writeShop(changes: Readonly<Record<string, string | null>> = {}): string {
  const dir = mkdtempSync(join(tmpdir(), 'shop-'));
  made.push(dir);
  for (const [path, text] of Object.entries({ ...SHOP, ...changes })) {
    if (text === null) continue;
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  return dir;
}

/** The shop with texts of one file replaced; each must be there. */
export function changed(file: string, ...replacements: readonly (readonly [string, string])[]): Record<string, string> {
  let text = SHOP[file];
  for (const [from, to] of replacements) {
    if (!text.includes(from)) throw new Error(`${file} has no '${from}'`);
    text = text.replace(from, () => to);
  }
  return { [file]: text };
}

/** Removes the folders that tests wrote. */
export function removeShops(): void {
  for (const dir of made.splice(0)) rmSync(dir, { recursive: true, force: true });
}
