import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder that is gone after the tests of a file. */
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

/** As `scratchFolder`, for tests, which cannot say what comes after them: it is gone when the next file makes one, or at the end. */
export function folderOfTest(): string {
  const { testPath } = expect.getState();
  if (testPath !== suite) clear();
  suite = testPath;
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-test-'));
  made.push(folder);
  return folder;
}
