/** The sandbox in Playwright: the fixture `sandbox` is a world of the test's own. */
import { expect as plainExpect, test as plainTest } from '@playwright/test';
import { TestSandbox } from './in-tests.cjs';
import { matchers } from './matchers.cjs';

export type { SandboxWish, TestSandbox } from './in-tests.cjs';

/** `test` of Playwright with the fixture `sandbox`. */
export const test = plainTest.extend<{ readonly sandbox: TestSandbox }>({
  // Playwright reads from the braces which fixtures this one needs: none.
  // eslint-disable-next-line no-empty-pattern
  sandbox: async ({}, use, info) => {
    const sandbox = new TestSandbox();
    await sandbox.begin(info.titlePath.join(' '));
    await use(sandbox);
    const lines = info.status === info.expectedStatus ? '' : await sandbox.explanation();
    if (lines !== '') await info.attach('sandbox', { body: lines, contentType: 'text/plain' });
    for (const error of info.errors) if (lines !== '') error.message = `${error.message ?? ''}\n\n${lines}`;
    await sandbox.end();
    await sandbox.close();
  },
});

/** `expect` of Playwright with `toHaveDelivered` and `toBeInState`. */
export const expect = plainExpect.extend(matchers);
