import { createRequire } from 'node:module';
import { join } from 'node:path';
import { importLibrary } from './engine.cjs';

/** The members of a Jest environment that are used here. */
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
const IMPORT = Symbol.for('@vendor-sandbox/sandbox import');

/** Jest's own environment for Node, resolved from the project: strict package managers hide it from this package. */
const { TestEnvironment } = createRequire(join(process.cwd(), 'package.json'))('jest-environment-node') as {
  TestEnvironment: EnvironmentClass;
};

/**
 * `testEnvironment` for Jest: imports the library for CommonJS tests, and adds the last failed call, with its explanation, to the message of a failed
 * test.
 */
class SandboxEnvironment extends TestEnvironment {
  constructor(...args: readonly unknown[]) {
    super(...args);
    (this.global as { [IMPORT]?: typeof importLibrary })[IMPORT] = importLibrary;
  }

  async handleTestEvent({ name, error }: TestEvent): Promise<void> {
    if (name !== 'test_fn_failure') return;
    const sandboxes = (this.global as { [REGISTRY]?: Iterable<{ explanation(): Promise<string> }> })[REGISTRY] ?? [];
    for (const sandbox of sandboxes) addTo(error, await sandbox.explanation().catch(() => ''));
  }
}

/** Adds lines to an error: to its stack, which begins with the message and which Jest prints. */
function addTo(error: unknown, lines: string): void {
  if (lines === '' || !isError(error) || error.message.includes(lines)) return;
  const { message, stack } = error;
  const longer = `${message}\n\n${lines}`;
  if (stack?.includes(message)) error.stack = stack.replace(message, () => longer);
  else error.message = longer;
}

/** Whether a value is an error. Checks members, since a test's errors come from another realm, where `instanceof` fails. */
function isError(error: unknown): error is Error {
  return typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string';
}

export = SandboxEnvironment;
