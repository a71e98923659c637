import type { TaskFile } from '../../../engine/model/index.js';
import type { JsonObject } from '../../../engine/values/index.js';

/** A task of a benchmark as a task of ours; a map until it is written, since nothing of it is checked yet. */
export interface ImportedTask {
  readonly name: string;
  /** Null: it could not be imported. */
  readonly task: (Partial<TaskFile> & JsonObject) | null;
  /** What was left out, and why. */
  readonly notes: readonly string[];
}

/** A name as tasks have it. */
export function taskName(...parts: readonly string[]): string {
  return parts
    .join('-')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
