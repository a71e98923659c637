import type { TaskFile } from '../../../engine/model/index.js';
import type { JsonObject } from '../../../engine/values/index.js';

/** A converted task of a benchmark; a plain map, since it is checked only once written. */
export interface ImportedTask {
  readonly name: string;
  /** The imported task; null if it couldn't be imported. */
  readonly task: (Partial<TaskFile> & JsonObject) | null;
  /** Parts of the task that weren't imported, with the reason. */
  readonly notes: readonly string[];
}

/** Joins texts to a valid name for a task. */
export function taskName(...parts: readonly string[]): string {
  return parts
    .join('-')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
