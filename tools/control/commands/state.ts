import { readSeedFile } from '../../command/seed-file.js';
import type { ControlCommand } from '../command.js';
import { at, type Column, fields, instantText, isGiven, rowsOf, shownValue, textTable } from '../tables.js';

/** The commands for the state of a world, and seeds. */
export const STATE: readonly ControlCommand[] = [
  {
    name: 'about',
    group: 'Data',
    operations: ['about'],
    summary: "Show the server's pack, clock and object counts",
    view: (response) => [
      ...fields({
        pack: isGiven(response['pack'])
          ? `${shownValue(at(response, 'pack.name'))} ${shownValue(at(response, 'pack.version'))}`
          : null,
        now: instantText(at(response, 'world.now') ?? response['now']),
        clock: at(response, 'world.clock'),
        seed: at(response, 'world.seed'),
        // Lists the vendors of a company.
        ...(isGiven(response['vendors']) &&
          Object.fromEntries(Object.entries(response['vendors']).map(([name, vendor]) => [name, at(vendor, 'url')]))),
      }),
      ...(isGiven(response['world']) ? counted(at(response, 'world.objects')) : []),
    ],
  },
  {
    name: 'seed',
    group: 'Data',
    operations: ['seed'],
    summary: 'Add objects without events or webhooks, all or none',
    args: [['[file]', 'file of objects: JSON or YAML, like the body of POST /__admin__/seed; - for standard input']],
    hidden: ['resource', 'objects', 'resources', 't0', 'now', 'deleted', 'timers'],
    ofFile: true,
    order: async ({ file, ...given }) => ({ ...given, ...(file !== undefined && (await readSeedFile(String(file)))) }),
    view: ({ seeded }) => [
      `seeded ${there(seeded)
        .map(([name, count]) => `${name} (${shownValue(count)})`)
        .join(', ')}`,
    ],
    examples: [
      'sandbox seed customers.yaml',
      'sandbox seed --name small-shop',
      'sandbox state --json | sandbox seed - --url http://localhost:8802',
    ],
  },
  {
    name: 'reset',
    group: 'Data',
    operations: ['reset'],
    summary: 'Delete all data and reset the clock',
    view: ({ now }) => [`the world is empty, at ${instantText(now)}`],
    examples: ['sandbox reset --t0 2025-01-01', 'sandbox reset --keep endpoints,durations'],
  },
  {
    name: 'state',
    group: 'Data',
    operations: ['state'],
    summary: 'List all objects, or show one (at an earlier moment: --at)',
    args: [['[resource]', 'name of a collection, such as customers']],
    view: (response, { id }) => {
      const collections = Object.entries(isGiven(response['resources']) ? response['resources'] : {});
      const all = collections.flatMap(([collection, objects]) =>
        rowsOf(objects).map((object) => ({ collection, object })),
      );
      if (id !== undefined && all.length === 1) return JSON.stringify(all[0].object, null, 2).split('\n');
      return textTable(
        all,
        [
          ['collection', 'collection'],
          ['id', 'object.id'],
          ['status', 'object.status'],
          ['created', ({ object }) => instantText(at(object, 'created') ?? at(object, 'created_at'))],
        ],
        'there are no objects',
      );
    },
    examples: ['sandbox state', 'sandbox state customers --limit 5', 'sandbox state --id cus_1 --at paid'],
  },
  {
    name: 'objects',
    group: 'Data',
    operations: ['objects'],
    summary: 'List or search objects, newest first',
    args: [['<resource>', 'name of a collection, such as customers']],
    view: ({ data, fields: names, total }, { fields: chosen }) => [
      ...textTable(
        rowsOf(data),
        [
          ...(chosen === undefined
            ? ([
                ['id', 'id'],
                ['status', 'status'],
              ] as const)
            : []),
          ...(Array.isArray(names) ? names : []).map((name): Column => [String(name), `fields.${name}`]),
          ...(chosen === undefined ? [['at', (row) => instantText(row['at'])] as Column] : []),
        ],
        'no objects',
      ),
      `${shownValue(total)} in all`,
    ],
    examples: [
      'sandbox objects customers --search jenny',
      'sandbox objects subscriptions --fields id,status,current_period_end',
    ],
  },
  {
    name: 'object',
    group: 'Data',
    operations: ['object'],
    summary: 'Show an object: fields, timers, possible events, history',
    args: [['<id>', 'id of the object']],
    view: ({ id, collection, status, timers, next, history }) => [
      ...fields({ id, collection, status }),
      '',
      ...textTable(
        rowsOf(timers),
        [
          ['timer', 'timer'],
          ['due', (row) => instantText(row['due'])],
        ],
        'no timer runs',
      ),
      '',
      ...textTable(
        rowsOf(next),
        [
          ['can happen', 'cause'],
          ['needs', 'also_needs'],
          ['', 'description'],
        ],
        'no external events apply right now',
      ),
      '',
      ...textTable(
        rowsOf(history),
        [
          ['entry', 'entry'],
          ['at', (row) => instantText(row['at'])],
          ['who', 'command'],
          ['change', 'change'],
          ['fields', (row) => rowsOf(row['fields']).map((each) => shownValue(each['field']))],
        ],
        'the ledger does not reach back to it',
      ),
    ],
    examples: ['sandbox object pi_1'],
  },
];

/** Lists collections that contain objects, with counts; of the others only the names, as help for writing calls. */
function counted(objects: unknown): string[] {
  const some = there(objects).map(([collection, count]) => ({ collection, count }));
  const none = Object.entries(isGiven(objects) ? objects : {}).filter(([, count]) => count === 0);
  return [
    '',
    ...textTable(
      some,
      [
        ['collection', 'collection'],
        ['objects', 'count'],
      ],
      'there are no objects',
    ),
    '',
    `empty: ${none.map(([name]) => name).join(', ')}`,
  ];
}

function there(counts: unknown): [string, unknown][] {
  return Object.entries(isGiven(counts) ? counts : {}).filter(([, count]) => count !== 0);
}
