/**
 * `npm run bench:tasks`: runs three scripted agents of different care on all tasks, undisturbed and with the response of their first change lost.
 * Prints a table of their scores; `--write` puts it into docs/internals/agents.md.
 */
import { join } from 'node:path';
import { Command } from 'commander';
import type { TaskAgent, TaskEvent } from '../../../engine/model/index.js';
import { installation } from '../../command/installation.js';
import { Output } from '../../command/output.js';
import type { Prepared } from '../../eval/prepared.js';
import { type ReadTask, taskFiles } from '../../eval/read-tasks.js';
import { runTask } from '../../eval/run.js';
import { type Trajectory } from '../../eval/verdicts.js';
import { readAll, TaskServer } from '../../eval/task-server.js';
import { namedIn } from '../../eval/task-world.js';
import { tableLines } from '../kit/table.js';
import { writeFigures } from '../prose/figures.js';

const program = new Command('bench:tasks').option('--write', 'write docs/internals/agents.md').parse();
const { write = false } = program.opts<{ write?: true }>();

/** Columns of the table: an agent, and whether a response is lost. */
const COLUMNS = ['careful', 'careful, lost', 'repeats, lost', 'careless'] as const;
type Column = (typeof COLUMNS)[number];

const LEVELS = ['easy', 'medium', 'hard'] as const;

interface Reached {
  readonly task: ReadTask;
  readonly runs: ReadonlyMap<Column, Trajectory>;
}

const output = new Output();
const root = installation();
const tasks = await readAll(taskFiles([join(root, 'packs'), join(root, 'tasks')]), output);
const server = await TaskServer.start(tasks, 0, output);
const reached: Reached[] = [];
for (const read of tasks) {
  const prepared = await server.prepare(read);
  reached.push(await reach(prepared));
  await prepared.world.drop();
}
await server.close();
const lines = table(reached);
console.log(lines.join('\n'));
if (write) writeFigures(root, 'agents.md', [lines]);

/** Runs each agent on a task, undisturbed and with a lost response, and returns their scores. */
async function reach(prepared: Prepared): Promise<Reached> {
  const { read } = prepared;
  const all = Object.entries(read.task.agents ?? {});
  const careful = all.find(([, { passes }]) => passes)?.[1];
  const careless = all.find(([, { passes }]) => !passes)?.[1];
  const lost = careful && lossOf(prepared, careful);
  const again = careful && {
    ...careful,
    calls: careful.calls.flatMap((call, at) => (at === lost?.at ? [call, call] : [call])),
  };
  const wanted: readonly (readonly [Column, TaskAgent | undefined, TaskEvent | undefined])[] = [
    ['careful', careful, undefined],
    ['careful, lost', lost && careful, lost?.event],
    ['repeats, lost', lost && again, lost?.event],
    ['careless', careless, undefined],
  ];
  const runs = new Map<Column, Trajectory>();
  for (const [column, agent, event] of wanted) {
    if (!agent) continue;
    const script = [...prepared.script, ...(event ? [event] : [])];
    const worker = { kind: 'script' as const, name: column, agent };
    const options = { worker, log: undefined, keep: false, signal: new AbortController().signal };
    const { trajectory } = await runTask({ ...prepared, script }, 1, options);
    runs.set(column, trajectory);
  }
  return { task: read, runs };
}

/** Finds an agent's first write whose response it doesn't use, and the fault that loses that response; undefined if there is no such write. */
function lossOf(
  { world }: Prepared,
  { calls }: TaskAgent,
): { readonly at: number; readonly event: TaskEvent } | undefined {
  const at = calls.findIndex(({ call, as }) => {
    const [vendor, name] = namedIn(world, call);
    const operation = world.vendors.get(vendor)?.engine.pack.operations.find(({ key }) => key === name);
    return as === undefined && operation !== undefined && !operation.reads && operation.routes[0].method !== 'GET';
  });
  if (at < 0) return undefined;
  const [resource, operation] = calls[at].call.split('.');
  return { at, event: { after_calls: 0, fault: { resource, operation, kind: 'lost_response', count: 1 } } };
}

function table(all: readonly Reached[]): string[] {
  const groups: readonly (readonly [string, (each: Reached) => boolean])[] = [
    ...LEVELS.map((level) => [level, ({ task }: Reached) => (task.task.level ?? 'medium') === level] as const),
    ['all', () => true],
  ];
  const rows = groups.map(([name, has]) => {
    const own = all.filter(has);
    const cells = COLUMNS.map((column) => {
      const ran = own.flatMap(({ runs }) => runs.get(column) ?? []);
      const passed = ran.filter(({ pass }) => pass).length;
      const mean = ran.reduce((sum, { reward }) => sum + reward, 0) / Math.max(1, ran.length);
      return `${passed} of ${ran.length}, ${mean.toFixed(2)}`;
    });
    return [name, own.length, ...cells];
  });
  return tableLines(['Level', 'Tasks', ...COLUMNS], rows);
}
