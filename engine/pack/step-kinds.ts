// Written by `npm run types:pack` from schemas/*.schema.yaml; a test compares. Change the schemas, not this file.
import type { FileKind } from './pack-files.js';

/** Every kind of step: the keys that go with it, and those of them that hold steps. */
export const STEP_KINDS = {
  let: { keys: ['when'], steps: [] },
  if: { keys: ['then', 'else', 'when'], steps: ['then', 'else'] },
  for: { keys: ['in', 'do', 'collect', 'as', 'when'], steps: ['do'] },
  within: { keys: ['do', 'when'], steps: ['do'] },
  create: { keys: ['as', 'from', 'with', 'id', 'silent', 'when'], steps: [] },
  set: { keys: ['to', 'from', 'when'], steps: [] },
  delete: { keys: ['when'], steps: [] },
  move: { keys: ['id', 'when'], steps: [] },
  send: { keys: ['to', 'with', 'when'], steps: [] },
  emit: { keys: ['object', 'snapshot', 'only_to', 'stored', 'as', 'when'], steps: [] },
  run: { keys: ['with', 'as', 'internal', 'dry', 'when'], steps: [] },
  fail: { keys: ['with', 'keep', 'when'], steps: [] },
  return: { keys: ['when'], steps: [] },
  pin: { keys: ['to', 'value', 'once', 'when'], steps: [] },
  unpin: { keys: ['to', 'when'], steps: [] },
  wait: { keys: ['to', 'stop', 'when'], steps: [] },
  advance_clock: { keys: ['begins', 'of', 'when'], steps: [] },
  unsupported: { keys: ['kind', 'when'], steps: [] },
  delay: { keys: ['when'], steps: [] },
  call: { keys: ['with', 'headers', 'as', 'when'], steps: [] },
} as const;

/** Where the step lists of each kind of file are; `*` is any name, or any index of a list. */
export const STEP_LISTS: Readonly<Partial<Record<FileKind, readonly (readonly string[])[]>>> = {
  pack: [
    ['delivery', 'endpoint', 'exhausted'],
    ['delivery', 'transports', '*', 'on_response'],
    ['delivery', 'transports', '*', 'on_failure'],
  ],
  causes: [
    ['causes', '*', 'variants', '*', 'do'],
    ['causes', '*', 'do'],
    ['flows', '*', 'do'],
  ],
  magic: [['flows', '*', 'do']],
  resource: [
    ['actions', '*'],
    ['waits', '*', 'do'],
    ['seeded', 'do'],
    ['operations', '*', 'do'],
    ['operations', '*', 'stream', 'closed'],
    ['flows', '*', 'do'],
  ],
  flow: [['do'], ['flows', '*', 'do']],
};
