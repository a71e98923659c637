import type { ByteStore, StoredBytes } from '../values/index.js';

/** Limit of file contents in one export, in bytes; the smallest files are included first. */
const MOST_BYTES = 8 * 2 ** 20;

/** Files of a world in an export; absent if it has none. */
export interface ExportedFiles {
  /** Contents of exported files in base64, by hash. */
  readonly included: Readonly<Record<string, string>>;
  /** Files that would exceed the limit: a replay gets their size, and the digests that were computed of them. */
  readonly left_out: readonly StoredBytes[];
  readonly digests: readonly (readonly [string, string])[];
}

/** The files of a world for an export; undefined if there are none. */
export function exportedFiles(files: ByteStore | null): ExportedFiles | undefined {
  if (files === null || files.total === 0) return undefined;
  const included: Record<string, string> = {};
  const leftOut: StoredBytes[] = [];
  let left = MOST_BYTES;
  for (const each of [...files.all()].sort((a, b) => a.size - b.size || (a.sha256 < b.sha256 ? -1 : 1))) {
    if (each.size > left) leftOut.push(each);
    else {
      included[each.sha256] = files.read(each).toString('base64');
      left -= each.size;
    }
  }
  const digests = leftOut.length === 0 ? [] : [...files.digests()];
  return { included, left_out: leftOut, digests };
}

/** Makes the files of an export available to a replay while it runs. */
export function takeFiles(exported: ExportedFiles | undefined, files: ByteStore | null): void {
  const { included = {}, left_out = [], digests = [] } = exported ?? {};
  for (const base64 of Object.values(included)) files?.hold(files.put(Buffer.from(base64, 'base64')));
  files?.expect(left_out, digests);
}
