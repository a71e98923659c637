/** The files of a new pack: one resource with a lifecycle, an operation, an event, a webhook, a fault and an example. */
export function newPack(name: string): Record<string, string> {
  return {
    'pack.yaml': PACK.replaceAll('NAME', name),
    'errors.yaml': ERRORS,
    'resources/parcel.yaml': PARCEL,
    'resources/event.yaml': EVENT,
    'resources/webhook.yaml': WEBHOOK,
    'scenarios.yaml': SCENARIOS,
    'examples/parcel.yaml': EXAMPLE,
  };
}

const PACK = `# What all calls have in common. Every key: docs/reference/pack-language.md.
name: NAME
version: 0.1.0
timestamps: iso8601
base_path: /v1
durations:
  # Waits of the machines; a test shortens them with POST /__admin__/clock/durations.
  travel_time: { default: 2d, description: "from shipping to delivery" }
auth: { schemes: [bearer], key: { prefix: key_, random: 24 } }
encoding: { requests: json }
lists:
  envelope: { data: =data, has_more: =has_more, next: =next_cursor }
  size: { param: limit, default: 20, min: 1, max: 100 }
  cursors: { after: after }

# Events are ordinary objects of a resource, made like this.
events:
  resource: event
  with: { type, data: =snapshot }

# Where events are sent, and how they are signed.
delivery:
  endpoint:
    resource: webhook
    events: "endpoint.events"
    register: { url: =url, events: =events }
    secret: "endpoint.secret"
  transports:
    http:
      url: "endpoint.url"
      body: =rest(event)
      headers: { X-Signature: "t=\${timestamp},v1=\${signature}" }
      signature: { content: "\${timestamp}.\${body}", key: utf8, digest: hex }
  retries: [1m, 10m, 1h]
`;

const ERRORS = `envelope: { error: =error }
defaults:
  status: 400
  body: { code: invalid, param: null, message: null }

errors:
  # Your own: raised by a \`fail\` step. Those that the engine raises (a missing key, an unknown id or parameter, a wrong state ...) have
  # defaults in this form; write one here where the vendor's differs, such as \`not_found: { status: 410, message: Gone. }\`.
  too_heavy: { status: 422, args: { grams: integer }, code: too_heavy, message: "\${grams} g is more than we carry." }
`;

const PARCEL = `resource: parcel
collection: parcels
id: { prefix: pcl_ }
order: created_at                 # lists show the newest first

fields:                           # \`id\` comes first by itself
  grams: integer
  to: string
  status: { machine: true }       # moved by the machine only
  note: string?                   # null unless somebody sets it
  created_at: { type: timestamp, default: =now }
  delivered_at: timestamp?

machine:                          # XState's notation
  initial: ready
  states:
    ready: { on: { ship: traveling, cancel: canceled } }
    traveling: { after: { travel_time: delivered } }
    delivered: { entry: stamp }
    canceled: {}
actions:
  stamp:
    - { set: self, to: { delivered_at: =now } }
refusals:                         # what a call gets when the state does not allow it
  cancel: { error: wrong_state, with: { action: cancel, status: =self.status, title: parcel } }

operations:
  create:                         # POST /v1/parcels
    # \`to\` and \`note\` are of the type of their fields; !: the call must send it.
    params: { grams!: { type: integer, min: 1 }, to!, note }
    do:
      - { fail: too_heavy, when: params.grams > 30000, with: { grams: =params.grams } }
      - { create: parcel, from: params }
  retrieve: {}
  list: { filters: { status: {} } }
  ship: { do: [{ send: ship }] }  # POST /v1/parcels/{id}/ship
  cancel: { do: [{ send: cancel }] }

events:
  parcel.created: { on: created }
  parcel.delivered: { enter: delivered }
  parcel.canceled: { enter: canceled }
`;

const EVENT = `resource: event
collection: events
id: { prefix: evt_ }
order: created_at
fields:
  type: string
  created_at: { type: timestamp, default: =now }
  data: any
operations:
  retrieve: {}
  list: { filters: { type: {} } }
`;

const WEBHOOK = `resource: webhook
collection: webhooks
id: { prefix: whk_ }
fields:
  url: string
  events: { type: array, items: string, default: ["*"] }
  secret: { type: string, default: "whsec_\${hash(self.id, 24)}" }
operations: [create, retrieve, list, delete]
`;

const SCENARIOS = `# Calls with the header \`X-Mock-Scenario: NAME\` go another way.
scenarios:
  - { name: too_heavy, description: "Any parcel is too heavy.", fail: too_heavy, with: { grams: 99999 } }
  - { name: slow, description: "The answer takes two seconds.", delay: 2s }
`;

const EXAMPLE = `example: a parcel travels, a fault and a refusal
calls:
  - { plane: control, call: POST /webhooks/endpoints, json: { url: "\${receiver}" }, expect: { status: 201 } }
  - call: POST /v1/parcels
    json: { grams: 800, to: Lisbon }
    expect: { body: { status: ready, id: "\${it.startsWith('pcl_')}" } }
    save: { parcel: id }
  - { call: "POST /v1/parcels/\${parcel}/ship", expect: { body: { status: traveling } } }
  - call: POST /v1/parcels/\${parcel}/cancel
    expect: { status: 409, body: { error: { code: wrong_state } } }
  - { plane: control, call: POST /clock/advance, json: { duration: 2d } }
  - { call: "GET /v1/parcels/\${parcel}", expect: { body: { status: delivered, delivered_at: "2025-01-03T00:00:00.000Z" } } }
  - call: GET /v1/events
    expect: { body: { data: [{ type: parcel.delivered }, { type: parcel.created }] } }
  # The event reached the webhook.
  - { plane: control, call: POST /webhooks/flush }
  - call: GET /webhooks/deliveries
    plane: control
    expect: { body: { data: [{ event: { type: parcel.delivered }, status: delivered }, { status: delivered }] } }
  # The next two calls of parcels.create fail.
  - { plane: control, call: POST /faults, json: { resource: parcels, operation: create, status: 503, count: 2 }, expect: { status: 201 } }
  - { call: POST /v1/parcels, json: { grams: 800, to: Lisbon }, expect: { status: 503, body: { error: { code: unavailable } } } }
`;
