import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder that is gone after the tests of a file. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-test-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
