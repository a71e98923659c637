import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Exit, type Output } from '../command/output.js';
import { spaceFiles } from '../openenv/card.js';
import { readEnvironment } from './serve-openenv.js';

/** The parsed options of `sandbox export-openenv`. */
export interface ExportOpenenvOptions {
  readonly out: string;
}

/** Writes the card, the spec file and the container of an environment. @throws Failure if a task is invalid */
export async function exportOpenenv(
  given: readonly string[],
  { out }: ExportOpenenvOptions,
  output: Output,
): Promise<number> {
  const { about } = await readEnvironment(given, output);
  mkdirSync(out, { recursive: true });
  for (const [name, text] of spaceFiles(about, given)) {
    writeFileSync(join(out, name), text);
    output.print(join(out, name));
  }
  return Exit.done;
}
