import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { stringify } from 'yaml';
import type { JsonObject } from '../../engine/values/index.js';
import { readInputFile } from '../command/input-file.js';
import { counted, Exit, Failure, type Output } from '../command/output.js';
import { importAgentDiff, isAgentDiff } from '../eval/imports/agent-diff.js';
import type { ImportedTask } from '../eval/imports/imported.js';
import { importPome } from '../eval/imports/pome.js';

/** The parsed options of `sandbox import-tasks`. */
export interface ImportTasksOptions {
  readonly out: string;
  /** Folder of the tables that contain the initial data of a suite's tasks. */
  readonly seeds?: string;
  readonly json?: boolean;
}

/**
 * Converts tasks of public benchmarks to tasks of the sandbox.
 * @returns 1 if none could be imported
 * @throws Failure if a file belongs to no known benchmark
 */
export function importTasks(
  files: readonly string[],
  { out, seeds, json }: ImportTasksOptions,
  output: Output,
): number {
  const all = files.flatMap((file) => tasksOf(file, seeds));
  mkdirSync(out, { recursive: true });
  for (const { name, task, notes } of all) {
    if (task !== null) {
      const head = notes.map((note) => `# Not imported: ${note.replaceAll('\n', ' ')}\n`).join('');
      writeFileSync(
        join(out, `${name}.task.yaml`),
        `${head}${stringify(task, { lineWidth: 0, aliasDuplicateObjects: false })}`,
      );
    }
    if (json) continue;
    for (const note of notes) output.print(`${name}: ${task === null ? 'not imported: ' : ''}${note}`);
  }
  const imported = all.filter(({ task }) => task !== null);
  if (json)
    output.print(
      JSON.stringify({ tasks: all.map(({ name, task, notes }) => ({ name, imported: task !== null, notes })) }),
    );
  else output.print(`${counted(imported.length, 'task')} of ${all.length} in ${out}`);
  return imported.length > 0 ? Exit.done : Exit.wrongInput;
}

function tasksOf(file: string, seeds: string | undefined): readonly ImportedTask[] {
  const text = readInputFile(file, 'task_file');
  if (file.endsWith('.md')) {
    const beside = file.replace(/\.md$/, '.seed.json');
    const seed = existsSync(beside) ? (JSON.parse(readInputFile(beside, 'task_file')) as JsonObject) : null;
    return [importPome(text, basename(file), seed)];
  }
  const suite = jsonOf(text, file);
  if (!isAgentDiff(suite))
    throw new Failure(
      Exit.cannotRun,
      'unknown_format',
      `${file} is no file of a benchmark that is known`,
      'Known are suites of agent-diff (testsuites/*.json) and tasks of pome (tasks/*.md).',
    );
  const folder = seeds ?? join(dirname(file), '..', suite.service);
  const read = new Map<string, JsonObject>();
  return importAgentDiff(suite, (template) => {
    const path = join(folder, `${template}.json`);
    const tables = read.get(path) ?? (JSON.parse(readInputFile(path, 'task_file')) as JsonObject);
    read.set(path, tables);
    return tables;
  });
}

function jsonOf(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Failure(Exit.cannotRun, 'unknown_format', `${file} is not JSON`);
  }
}
