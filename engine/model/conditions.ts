import type { PackSource } from '../pack/index.js';
import type { RequestInfo } from './errors.js';
import type { PackFile, ResourceFile } from './files.js';

/**
 * Headers of conditional requests (RFC 9110, 13.1). They are read like those that a pack declares, under names that packs can't
 * use.
 */
const CONDITIONS = ['If-Match', 'If-Unmodified-Since'] as const;

/** Adds the headers of conditional requests to a pack with entity tags. */
export function withConditions(file: PackFile, source: PackSource): PackFile {
  if (!source.all('resource').some(({ data }) => (data as ResourceFile).tag !== undefined)) return file;
  const headers = Object.fromEntries(CONDITIONS.map((name) => [name, name]));
  return { ...file, request_headers: { ...file.request_headers, ...headers } };
}

/** Reads the conditions of a conditional request: the expected tag, and the date since which the object is unchanged. */
export function conditionHeaders({ headers }: RequestInfo): Record<'match' | 'unmodified', string | null> {
  const [match, unmodified] = CONDITIONS.map((name) => {
    const value = headers[name];
    return typeof value === 'string' ? value : null;
  });
  return { match, unmodified };
}
