import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createSandbox, type Sandbox } from '../../../engine/index.js';
import { loadPack } from '../../../engine/load.js';
import type { Problem } from '../../../engine/pack/index.js';

/** A small pack of an invented boat hire whose bookings have a page. */
const HIRE: Readonly<Record<string, string>> = {
  'pack.yaml': `name: hire
title: Boat hire
version: 0.1.0
encoding: { requests: json }
events: { resource: notice, with: { type: "\${type}", data: "\${snapshot}" } }
ids:
  long: { parts: [{ random: 20 }] }
delivery:
  endpoint: { resource: hook, events: "['*']", register: { url: "\${url}" } }
  transports: { http: { url: endpoint.url, body: "\${rest(event)}" } }
`,
  'errors.yaml': `errors:
  api_key_missing: { status: 401 }
  api_key_invalid: { status: 401 }
  unknown_route: { status: 404 }
  not_found: { status: 404 }
  parameter_missing: { status: 400, args: { param: string }, body: { missing: "\${param}" } }
  parameter_unknown: { status: 400, args: { param: string }, body: { unknown: "\${param}" } }
  parameter_invalid: { status: 400, args: { param: string }, body: { invalid: "\${param}" } }
  wrong_state: { status: 409 }
  internal_error: { status: 500 }
  body_malformed: { status: 400 }
  unlucky: { status: 400, args: { message: string } }
  fault: { status: "\${status}", args: { status: integer } }
`,
  'resources/booking.yaml': `resource: booking
collection: bookings
id: { prefix: bk_, format: long }
fields:
  boat: string
  guests: { type: integer, default: 0 }
  extras: { type: array, items: string }
  note: string?
  back_url: string?
  url: { type: string, default: "\${base_url}/book/\${self.id}" }
  status: { enum: [open, taken, refused], machine: true }
machine:
  initial: open
  states: { open: { on: { take: taken, refuse: refused } }, taken: {}, refused: { on: { take: taken } } }
operations:
  create:
    params: { boat: { type: string, required: true }, back_url: string, extras: { type: array, items: string }, note: string }
  retrieve: {}
  list: {}
events:
  booking.taken: { enter: taken }
`,
  'resources/hook.yaml': `resource: hook
collection: hooks
fields: { url: string }
operations: [list]
`,
  'resources/notice.yaml': `resource: notice
collection: notices
fields: { type: string, data: any }
operations: [list]
`,
  'causes.yaml': `causes:
  booking.taken:
    subject: { param: booking_id, resource: booking }
    params: { guests: { type: integer, min: 1, required: true }, boat: string, calm: boolean }
    when: "self.status != 'taken'"
    do:
      - { fail: unlucky, with: { message: "No boat takes 13." }, when: "params.guests == 13" }
      - set: self
        to: { guests: "\${params.guests}", boat: "\${default(params.boat, self.boat)}" }
      - { send: refuse, when: "params.guests > 9 && self.status == 'open'" }
      - { send: take, when: "params.guests <= 9" }
  extra.dropped:
    subject: { param: booking_id, resource: booking }
    params: { extra: { type: string, required: true } }
    do:
      - set: self
        to: { extras: "\${self.extras.filter(e, e != params.extra)}" }
`,
  'pages/book.yaml': `page: book
route: GET /book/{id}
resource: booking
title: "Hire \${self.boat}"
body:
  - { alert: "Too many for this boat.", when: "self.status == 'refused'" }
  - text: "\${self.note}"
  - rows: { Boat: "\${self.boat}", Note: "\${self.note}", Guests: "\${self.guests}" }
  - for: extra
    in: self.extras
    parts:
      - form: { button: "Without \${extra}", style: plain, cause: extra.dropped, with: { extra: "\${extra}" } }
  - when: "self.status != 'taken'"
    form:
      button: Take it
      cause: booking.taken
      fields:
        guests: { label: How many?, type: number, required: true }
        boat: { label: Boat, options: { Gull: A gull, Tern: "A <tern>" }, value: "\${self.boat}" }
        calm: { label: Calm water only, type: checkbox }
      then: "\${self.back_url}"
      stay: "self.status != 'taken'"
  - link: { text: Back, to: "\${self.back_url}" }
`,
  'pages/paper.yaml': `page: paper
route: GET /book/{id}/paper.pdf
resource: booking
format: pdf
title: "Booking of \${self.boat}"
body:
  - rows: { Boat: "\${self.boat} (hired)" }
`,
};

function write(changes: Readonly<Record<string, string>>): string {
  const dir = mkdtempSync(join(tmpdir(), 'hire-'));
  for (const [name, text] of Object.entries({ ...HIRE, ...changes })) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), text);
  }
  return dir;
}

/** `code file:line:column message`, one per problem of the pack with some files changed. */
export function problemsOf(change: (page: string) => string): string[] {
  const dir = write({ 'pages/book.yaml': change(HIRE['pages/book.yaml']) });
  try {
    return loadPack(dir).problems.map(
      ({ code, file, line, column, message }: Problem) => `${code} ${file}:${line}:${column} ${message}`,
    );
  } finally {
    rmSync(dir, { recursive: true });
  }
}

/** A served boat hire. */
export async function serveHire(): Promise<Sandbox> {
  return createSandbox({ pack: write({}), key: 'key_hire', t0: '2026-01-01T00:00:00Z' });
}
