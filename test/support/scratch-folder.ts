import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates a temporary folder that is removed after the tests of the file. Call it outside of tests. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-test-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const made: string[] = [];
let suite: string | undefined;
const clear = (): void => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
};
process.once('exit', clear);

/**
 * Creates a temporary folder during a test, where `afterAll` can't be called. It is removed when a test of another file creates one, or when the
 * process exits.
 */
export function folderOfTest(): string {
  const { testPath } = expect.getState();
  if (testPath !== suite) clear();
  suite = testPath;
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-test-'));
  made.push(folder);
  return folder;
}
