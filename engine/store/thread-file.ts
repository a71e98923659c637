import { basename } from 'node:path';

/** Returns a worker thread's file: beside the module that starts it, or, in the bundle, beside its chunk. */
export function threadFile(path: string, from: string): URL {
  return from.endsWith('.cjs') ? new URL(`./${basename(path, '.js')}.cjs`, from) : new URL(path, from);
}
