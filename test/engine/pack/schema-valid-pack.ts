import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type PackSource, type Problem, readPack, validateSchemas } from '../../../engine/pack/index.js';

/** A small sound pack of an invented lending library. */
export const LIBRARY: Readonly<Record<string, string>> = {
  'pack.yaml': `name: library
title: Library
version: 0.1.0
vars: { vendor: library }
base_path: /v1
ids:
  short: { parts: [{ random: 8 }], pattern: "[a-z]{8}" }
durations:
  loan_time: { default: 21d, description: "how long a book is lent" }
  grace: 1d12h
auth: { schemes: [bearer], key: { prefix: lib_, random: 12 } }
lists: { envelope: { data: "\${data}" }, size: { param: limit, default: 10, min: 1, max: 50 } }
`,
  'types.yaml': `shelf: { type: object, fields: { room: string, row: { type: integer, min: 1 } } }
labels: { type: map, values: string, update: merge }
`,
  'errors.yaml': `envelope: { error: "\${error}" }
errors:
  not_found: { status: 404, args: { id: string }, body: { message: "No \${id}." } }
  lent_out: { status: 409, empty: true }
`,
  'resources/loan.yaml': `resource: loan
collection: loans
id: { prefix: loan_, format: short }
indexes: [book]
fields:
  book: { ref: book }
  due: timestamp?
  fee: { type: integer, default: 0 }
  status: { enum: [open, late, closed], machine: true }
machine:
  initial: open
  states:
    open: { after: { loan_time: late }, on: { give_back: closed } }
    late:
      entry: [charge]
      on: { give_back: { target: closed, guard: paid } }
    closed: {}
guards: { paid: "self.fee == 0" }
actions:
  charge:
    - set: self
      to: { fee: "\${self.fee + 5}" }
operations:
  retrieve: {}
  list: { filters: { book: {}, due: { range: true } } }
  close:
    route: POST /v1/loans/{id}/close
    params: { fine: { type: integer, min: 0 } }
    do:
      - if: has(params.fine)
        then: [{ set: self, to: { fee: "\${params.fine}" } }]
      - send: give_back
events:
  loan.late: { enter: late }
  loan.changed: { on: updated }
pins:
  outcome.*: { at: created }
`,
  'flows/lend.yaml': `flow: lend
args: { book: string }
returns: loan
do:
  - create: loan
    with: { book: "\${book}" }
  - return: "\${loan}"
`,
  'tables/rooms.yaml': `table: rooms
key: name
columns: { name: string, floor: integer? }
rows:
  - { name: attic }
  - { name: hall, floor: 0 }
`,
  'causes.yaml': `causes:
  book.lost: { params: { id: string }, do: [{ fail: lent_out }] }
  book.found:
    description: Somebody brings it.
    variants:
      - { subject: { param: loan_id, resource: loan }, when: "self.fee > 0", do: [] }
`,
  'magic.yaml': `families:
  test_loans:
    stands_for: loan
    looks_like: "^loan_test_"
    values: [{ from: { room: rooms }, value: "loan_test_\${room.name}", run: lend, with: { book: b } }]
`,
  'scenarios.yaml': `scenarios:
  - { name: lent_out, fail: lent_out }
  - { name: slow, delay: 2s }
`,
  'examples/close.yaml': `example: close a loan
calls:
  - call: POST /v1/loans/loan_1/close
    form: { fine: 5 }
    expect: { status: 200, body: { fee: 5 } }
    save: { fee: fee }
`,
};

const made: string[] = [];

/** Writes the library pack with some files changed (null removes one) and returns its folder. */
export function writePack(changes: Readonly<Record<string, string | null>> = {}): string {
  const dir = mkdtempSync(join(tmpdir(), 'pack-'));
  made.push(dir);
  for (const [path, text] of Object.entries({ ...LIBRARY, ...changes })) {
    if (text === null) continue;
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  return dir;
}

/** Everything that reading and the schemas have against the library pack with some files changed. */
export function check(changes: Readonly<Record<string, string | null>> = {}): {
  source: PackSource;
  problems: Problem[];
} {
  const { source, problems } = readPack(writePack(changes));
  return { source, problems: [...problems, ...validateSchemas(source)] };
}

/** Removes the folders that tests wrote. */
export function removePacks(): void {
  for (const dir of made.splice(0)) rmSync(dir, { recursive: true, force: true });
}
