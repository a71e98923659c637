import type { ControlCommand, Given } from '../command.js';
import { at, type Column, fields, instantText, rowsOf, shownValue, textTable } from '../tables.js';

const COLUMNS: readonly Column[] = [
  ['id', 'id'],
  ['name', 'name'],
  ['pack', 'pack'],
  ['now', ({ now }) => instantText(now)],
  ['entries', 'head'],
  ['from', ({ from }) => origin(from)],
  ['url', ({ url }) => url ?? 'not in memory'],
  ['key', 'key'],
];

/** The commands for additional worlds. */
export const WORLDS: readonly ControlCommand[] = [
  {
    name: 'world',
    group: 'Worlds',
    operations: ['getWorld', 'listWorlds'],
    summary: 'List worlds, or show one',
    args: [['[id]', 'id or name of the world (default: list all)']],
    view: (response) => ('data' in response ? textTable(rowsOf(response['data']), COLUMNS, '') : worldFields(response)),
  },
  {
    name: 'new-world',
    group: 'Worlds',
    operations: ['createWorld'],
    summary: 'Create a world with its own address and key',
    args: [['[name]', 'name of the new world']],
    hidden: ['from', 'count'],
    view: worldFields,
  },
  {
    name: 'fork',
    group: 'Worlds',
    operations: ['createWorld'],
    summary: 'Copy a world at any moment',
    args: [['[name]', 'name of the new world']],
    options: [
      ['--world <id>', 'id or name of the world to copy (default: the first)'],
      ['--at <moment>', 'moment of that world (default: the present)'],
      ['--same-ids', 'generate the same ids as the original from there on'],
      ['--send-webhooks', 'send the webhooks of the copy'],
    ],
    hidden: ['from', 'pack', 'seed', 't0', 'count'],
    order: ({ name, expires, world, at: moment, same_ids, send_webhooks }) => ({
      name,
      expires,
      from: { world, at: moment, same_ids, send_webhooks },
    }),
    view: worldFields,
    examples: ['sandbox fork try-1 --at paid --same-ids'],
  },
  {
    name: 'end-world',
    group: 'Worlds',
    operations: ['deleteWorld'],
    summary: 'Delete a world',
    args: [['<id>', 'id or name of the world']],
    view: fields,
  },
];

/** Formats the origin of a fork, in the notation of moments of other worlds. */
function origin(from: unknown): string {
  return at(from, 'world') === undefined ? '' : `${shownValue(at(from, 'world'))}@${shownValue(at(from, 'entry'))}`;
}

function worldFields({ head, ...world }: Given): string[] {
  return fields({ ...world, now: instantText(world['now']), from: origin(world['from']), entries: head });
}
