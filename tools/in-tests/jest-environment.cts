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
class SandboxEnvironment extends TestEnvironment {
  async handleTestEvent({ name, error }: TestEvent): Promise<void> {
    if (name !== 'test_fn_failure') return;
    const sandboxes = (this.global as { [REGISTRY]?: Iterable<{ explanation(): Promise<string> }> })[REGISTRY] ?? [];
    for (const sandbox of sandboxes) addTo(error, await sandbox.explanation().catch(() => ''));
  }
}

/** Adds lines below the message of an error: to its stack, which begins with the message and is what Jest prints. */
function addTo(error: unknown, lines: string): void {
  if (lines === '' || !isError(error) || error.message.includes(lines)) return;
  const { message, stack } = error;
  const longer = `${message}\n\n${lines}`;
  if (stack?.includes(message)) error.stack = stack.replace(message, () => longer);
  else error.message = longer;
}

/** Errors of a test are those of another realm. */
function isError(error: unknown): error is Error {
  return typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string';
}

export = SandboxEnvironment;
