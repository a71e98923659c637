import { createRequire } from 'node:module';
import { join } from 'node:path';

/** What is used of an environment of Jest. */
interface Environment {
  readonly global: object;
}

type EnvironmentClass = new (...args: readonly unknown[]) => Environment;

interface TestEvent {
  readonly name: string;
  readonly error?: unknown;
  readonly test?: { readonly errors: readonly unknown[] };
}

const REGISTRY = Symbol.for('@vendor-sandbox/sandbox worlds');

/** Jest's own environment for Node, found from the project: a strict package manager hides it from this package. */
const { TestEnvironment } = createRequire(join(process.cwd(), 'package.json'))('jest-environment-node') as {
  TestEnvironment: EnvironmentClass;
};

/** `testEnvironment` of Jest: puts the last failing call and why it failed under the message of a test that fails. */
export default class SandboxEnvironment extends TestEnvironment {
  async handleTestEvent({ name, error }: TestEvent): Promise<void> {
    if (name !== 'test_fn_failure') return;
    const sandboxes = (this.global as { [REGISTRY]?: Iterable<{ explanation(): Promise<string> }> })[REGISTRY] ?? [];
    for (const sandbox of sandboxes) addTo(error, await sandbox.explanation().catch(() => ''));
  }
}

/** Adds lines to the message of an error, and to its stack, which is what Jest prints. */
function addTo(error: unknown, lines: string): void {
  if (lines === '' || typeof error !== 'object' || error === null) return;
  if (!('message' in error) || typeof error.message !== 'string' || error.message.includes(lines)) return;
  const before = error.message;
  error.message = `${before}\n\n${lines}`;
  if ('stack' in error && typeof error.stack === 'string')
    error.stack = error.stack.replace(before, () => `${before}\n\n${lines}`);
}
