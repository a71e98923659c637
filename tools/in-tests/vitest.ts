/** The sandbox in Vitest: `const sandbox = useSandbox()` gives each test of a file its own world. */
import { afterAll, afterEach, beforeEach, expect } from 'vitest';
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

/**
 * Creates a world for each test of this file: of one pack, or of several with an address each (`{ packs: [...] }`). Call it
 * where hooks may be defined.
 */
export function useSandbox<const Packs extends TestPacks>(options: TestCompanyOptions<Packs>): TestCompany<Packs>;
export function useSandbox<const Pack extends string = string>(
  options?: TestSandboxOptions<Pack>,
): TestSandbox<WordsOf<Pack>>;
export function useSandbox(options: TestSandboxOptions | TestCompanyOptions = {}): TestSandbox | TestCompany {
  const sandbox = 'packs' in options ? new TestCompany(options) : new TestSandbox(options);
  expect.extend(matchers);
  beforeEach(() => sandbox.begin(expect.getState().currentTestName ?? 'test'), START_TIMEOUT_MS);
  afterEach(async ({ task }) => {
    for (const error of task.result?.errors ?? []) {
      const lines = await sandbox.explanation();
      if (lines !== '' && !error.message.includes(lines)) error.message += `\n\n${lines}`;
    }
    await sandbox.end();
  });
  afterAll(() => sandbox.close());
  return sandbox;
}

declare module 'vitest' {
  // oxlint-disable-next-line typescript/no-explicit-any
  interface Matchers<T = any> {
    /** Checks that a webhook with this event arrived, with these fields at some depth. */
    toHaveDelivered(event: EventOf<T>, fields?: object): Promise<void>;
    /** Checks that a call (of this operation) contained this text, or parameters with these fields at some depth. */
    toHaveBeenAsked(asked: string | object, operation?: string): Promise<void>;
    /** Checks that the object, or the one with this id, is in this state. */
    toBeInState(state: string): Promise<void>;
    /** Checks that the world has changed as expected since its start, or since a saved moment. */
    toHaveChanged(expected: ChangesOf<T>): Promise<void>;
  }
}
