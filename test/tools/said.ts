import { Output } from '../../tools/command/output.js';
import { run } from '../../tools/command/program.js';

/** What a command has said, and how it ended. */
export interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command in this process; not for those that start a thread (`serve`). */
export async function said(...args: string[]): Promise<Said> {
  let out = '';
  let err = '';
  const sink = (add: (text: string) => void) => ({ write: add, on: () => undefined });
  const output = new Output(
    sink((text) => (out += text)),
    sink((text) => (err += text)),
  );
  const code = await run(args, output);
  return { code, out, err };
}
