import type { PackSource } from '../pack/index.js';
import type { RequestInfo } from './errors.js';
import type { PackFile, ResourceFile } from './files.js';

/** Headers that make a change conditional (RFC 9110, 13.1). They are read like those that a pack names, under names it cannot have. */
const CONDITIONS = ['If-Match', 'If-Unmodified-Since'] as const;

/** A pack that reads the headers of conditional changes where a resource has version tags. */
export function withConditions(file: PackFile, source: PackSource): PackFile {
  if (!source.all('resource').some(({ data }) => (data as ResourceFile).tag !== undefined)) return file;
  const headers = Object.fromEntries(CONDITIONS.map((name) => [name, name]));
  return { ...file, request_headers: { ...file.request_headers, ...headers } };
}

/** What a call says of the object that it changes: its tag, and since when it is not changed. */
export function conditionHeaders({ headers }: RequestInfo): Record<'match' | 'unmodified', string | null> {
  const [match, unmodified] = CONDITIONS.map((name) => {
    const value = headers[name];
    return typeof value === 'string' ? value : null;
  });
  return { match, unmodified };
}
