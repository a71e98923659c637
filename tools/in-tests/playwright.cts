/** The sandbox in Playwright: the fixture `sandbox` gives each test its own world. */
import { expect as plainExpect, test as plainTest } from '@playwright/test';
import type { TestPacks } from './company-words.cjs';
import { type TestCompanyOptions, type TestSandboxOptions, TestCompany, TestSandbox } from './in-tests.cjs';
import { matchers } from './matchers.cjs';
import type { WordsOf } from './words.cjs';

export type { TestCompanyOptions, TestSandboxOptions, TestCompany, TestSandbox, TestVendor } from './in-tests.cjs';
export type { Words, WordsOf } from './words.cjs';

/** Creates Playwright's `test` with the fixture `sandbox`: a world of this pack, or of several (`{ packs: [...] }`), starting at this time. */
export function testWith<const Packs extends TestPacks>(
  options: TestCompanyOptions<Packs>,
): TestWith<TestCompany<Packs>>;
export function testWith<const Pack extends string = string>(
  options?: TestSandboxOptions<Pack>,
): TestWith<TestSandbox<WordsOf<Pack>>>;
export function testWith(
  options: TestSandboxOptions | TestCompanyOptions = {},
): TestWith<TestSandbox> | TestWith<TestCompany> {
  return 'packs' in options ? testOf(() => new TestCompany(options)) : testOf(() => new TestSandbox(options));
}

/** The type of Playwright's `test` with a fixture. */
type TestWith<S> = ReturnType<typeof plainTest.extend<{ readonly sandbox: S }>>;

function testOf<S extends TestSandbox | TestCompany>(make: () => S): TestWith<S> {
  return plainTest.extend<{ readonly sandbox: S }>({
    // Playwright parses the parameter to find the required fixtures; this fixture needs none.
    // oxlint-disable-next-line no-empty-pattern
    sandbox: async ({}, use, info) => {
      const sandbox = make();
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

/** Playwright's `test` with the fixture `sandbox`. */
export const test = testWith();

/** Playwright's `expect` with `toHaveDelivered`, `toHaveBeenAsked`, `toBeInState` and `toHaveChanged`. */
export const expect = plainExpect.extend(matchers);
