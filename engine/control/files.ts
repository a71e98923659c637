import type { ByteStore, StoredBytes } from '../values/index.js';

/** Bytes of files that an export has; the smallest come first. */
const MOST_BYTES = 8 * 2 ** 20;

/** Files of a world in an export. Absent where it has none. */
export interface ExportedFiles {
  /** Their bytes in base64, by the hashes of their content. */
  readonly included: Readonly<Record<string, string>>;
  /** Those that would make the export too large: a replay has their size and the digests that were asked of them. */
  readonly left_out: readonly StoredBytes[];
  readonly digests: readonly (readonly [string, string])[];
}

/** What an export has of a world's files; undefined: there are none. */
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

/** Gives a replay the files of an export, for as long as it runs. */
export function takeFiles(exported: ExportedFiles | undefined, files: ByteStore | null): void {
  const { included = {}, left_out = [], digests = [] } = exported ?? {};
  for (const base64 of Object.values(included)) files?.hold(files.put(Buffer.from(base64, 'base64')));
  files?.expect(left_out, digests);
}
