/** The sandbox in Jest: `const sandbox = useSandbox()` gives each test of a file its own world. */
import type { WordsOf } from './words.cjs';
import type { TestPacks } from './company-words.cjs';
import {
  type TestCompanyOptions,
  START_TIMEOUT_MS,
  type TestSandboxOptions,
  TestCompany,
  TestSandbox,
} from './in-tests.cjs';
import { type ChangesOf, type EventOf, matchers } from './matchers.cjs';

export type { Words, WordsOf } from './words.cjs';
export type { TestCompanyOptions, TestSandboxOptions, TestCompany, TestSandbox, TestVendor } from './in-tests.cjs';
export { ControlClient, ControlError } from '../../engine/control/client.cjs';

/** The members of Jest that are used; `@jest/globals` is available in every test. */
interface JestGlobals {
  readonly beforeEach: (hook: () => Promise<void>, timeout?: number) => void;
  readonly afterEach: (hook: () => Promise<void>) => void;
  readonly afterAll: (hook: () => Promise<void>) => void;
  readonly expect: { extend(matchers: object): void; getState(): { readonly currentTestName?: string } };
}

/**
 * Creates a world for each test of this file: of one pack, or of several with an address each (`{ packs: [...] }`). Call it where hooks may be
 * defined.
 */
export function useSandbox<const Packs extends TestPacks>(options: TestCompanyOptions<Packs>): TestCompany<Packs>;
export function useSandbox<const Pack extends string = string>(
  options?: TestSandboxOptions<Pack>,
): TestSandbox<WordsOf<Pack>>;
export function useSandbox(options: TestSandboxOptions | TestCompanyOptions = {}): TestSandbox | TestCompany {
  // The module exists only inside tests.
  // oxlint-disable-next-line typescript/no-require-imports
  const { beforeEach, afterEach, afterAll, expect } = require('@jest/globals') as JestGlobals;
  const sandbox = 'packs' in options ? new TestCompany(options) : new TestSandbox(options);
  expect.extend(matchers);
  beforeEach(() => sandbox.begin(expect.getState().currentTestName ?? 'test'), START_TIMEOUT_MS);
  afterEach(() => sandbox.end());
  afterAll(() => sandbox.close());
  return sandbox;
}

declare global {
  // Jest's types are extended by declaration merging.
  // oxlint-disable-next-line typescript/no-namespace
  namespace jest {
    interface Matchers<R, T> {
      /** Checks that a webhook with this event arrived, with these fields at some depth. */
      toHaveDelivered(event: EventOf<T>, fields?: object): Promise<R>;
      /** Checks that a call (of this operation) contained this text, or parameters with these fields at some depth. */
      toHaveBeenAsked(asked: string | object, operation?: string): Promise<R>;
      /** Checks that the object, or the one with this id, is in this state. */
      toBeInState(state: string): Promise<R>;
      /** Checks that the world has changed as expected since its start, or since a saved moment. */
      toHaveChanged(expected: ChangesOf<T>): Promise<R>;
    }
  }
}
