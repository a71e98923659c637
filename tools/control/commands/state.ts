import { readSeedFile } from '../../seed-file.js';
import type { ControlCommand } from '../command.js';
import { at, fields, instant, isMap, rowsOf, shown, table } from '../tables.js';

/** What the world holds, and putting things into it. */
export const STATE: readonly ControlCommand[] = [
  {
    name: 'about',
    group: 'World',
    operations: ['about'],
    summary: 'tell which pack and world a server has',
    view: (answer) => [
      ...fields({
        pack: `${shown(at(answer, 'pack.name'))} ${shown(at(answer, 'pack.version'))}`,
        now: instant(at(answer, 'world.now')),
        clock: at(answer, 'world.clock'),
        seed: at(answer, 'world.seed'),
      }),
      ...counted(at(answer, 'world.objects')),
    ],
  },
  {
    name: 'seed',
    group: 'World',
    operations: ['seed'],
    summary: 'insert objects silently, all or none',
    args: [['<file>', 'JSON or YAML, as the body of POST /__admin__/seed; - is standard input']],
    hidden: ['resource', 'objects', 'resources', 't0', 'now', 'deleted', 'timers'],
    order: async ({ file }) => ({ ...(await readSeedFile(String(file))) }),
    view: ({ seeded }) => [
      `seeded ${there(seeded)
        .map(([name, count]) => `${shown(count)} ${name}`)
        .join(', ')}`,
    ],
    examples: ['sandbox seed customers.yaml', 'sandbox state --json | sandbox seed - --url http://localhost:8802'],
  },
  {
    name: 'reset',
    group: 'World',
    operations: ['reset'],
    summary: 'empty the world and rewind its clock',
    view: ({ now }) => [`the world is empty, at ${instant(now)}`],
    examples: ['sandbox reset --t0 2025-01-01', 'sandbox reset --keep endpoints,durations'],
  },
  {
    name: 'state',
    group: 'World',
    operations: ['state'],
    summary: 'list objects, or show one',
    args: [['[resource]', 'a collection, such as customers']],
    view: (answer, { id }) => {
      const collections = Object.entries(isMap(answer['resources']) ? answer['resources'] : {});
      const all = collections.flatMap(([collection, objects]) =>
        rowsOf(objects).map((object) => ({ collection, object })),
      );
      if (id !== undefined && all.length === 1) return JSON.stringify(all[0].object, null, 2).split('\n');
      return table(
        all,
        [
          ['collection', 'collection'],
          ['id', 'object.id'],
          ['status', 'object.status'],
          ['created', ({ object }) => instant(at(object, 'created') ?? at(object, 'created_at'))],
        ],
        'there are no objects',
      );
    },
    examples: ['sandbox state', 'sandbox state customers --limit 5', 'sandbox state --id cus_1 --at paid'],
  },
];

/** A world's collections that hold something; a name of each other one helps to write calls. */
function counted(objects: unknown): string[] {
  const some = there(objects).map(([collection, count]) => ({ collection, count }));
  const none = Object.entries(isMap(objects) ? objects : {}).filter(([, count]) => count === 0);
  return [
    '',
    ...table(
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
  return Object.entries(isMap(counts) ? counts : {}).filter(([, count]) => count !== 0);
}
