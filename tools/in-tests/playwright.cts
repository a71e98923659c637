/** The sandbox in Playwright: the fixture `sandbox` is a world of the test's own. */
import { expect as plainExpect, test as plainTest } from '@playwright/test';
import { type SandboxWish, TestSandbox } from './in-tests.cjs';
import { matchers } from './matchers.cjs';
import type { WordsOf } from './words.cjs';

export type { SandboxWish, TestSandbox } from './in-tests.cjs';
export type { Words, WordsOf } from './words.cjs';

/** `test` of Playwright with the fixture `sandbox`: a world of this pack, at this time. */
export function testWith<const Pack extends string = string>(wish: SandboxWish<Pack> = {}) {
  return plainTest.extend<{ readonly sandbox: TestSandbox<WordsOf<Pack>> }>({
    // Playwright reads from the braces which fixtures this one needs: none.
    // oxlint-disable-next-line no-empty-pattern
    sandbox: async ({}, use, info) => {
      const sandbox = new TestSandbox<WordsOf<Pack>>(wish);
      await sandbox.begin(info.titlePath.join(' '));
      await use(sandbox);
      const lines = info.status === info.expectedStatus ? '' : await sandbox.explanation();
      if (lines !== '') await info.attach('sandbox', { body: lines, contentType: 'text/plain' });
      for (const error of info.errors) if (lines !== '') error.message = `${error.message ?? ''}\n\n${lines}`;
      await sandbox.end();
      await sandbox.close();
    },
  });
}

/** `test` of Playwright with the fixture `sandbox`. */
export const test = testWith();

/** `expect` of Playwright with `toHaveDelivered` and `toBeInState`. */
export const expect = plainExpect.extend(matchers);
