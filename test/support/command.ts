import { Output } from '../../tools/command/output.js';
import { run } from '../../tools/command/program.js';
import { type RunOptions, withoutSettings } from './processes.js';
import { ROOT } from './root.js';

/** Exit code and output of a command. */
export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs the `sandbox` command in this process, with its own working directory and environment. Commands that start a thread or wait for a signal
 * (`serve`, `lsp`) need a process instead (processes.ts). Calls with `cwd` or `env` must not overlap.
 */
export async function runCommand(
  args: readonly string[],
  { cwd = ROOT, env = {} }: RunOptions = {},
): Promise<CommandResult> {
  const written = { stdout: '', stderr: '' };
  const sink = (stream: keyof typeof written) => ({
    write: (text: string) => void (written[stream] += text),
    on: () => undefined,
  });
  const [folder, environment] = [process.cwd(), process.env];
  process.chdir(cwd);
  process.env = { ...withoutSettings(environment), ...env };
  try {
    const code = await run(args, new Output(sink('stdout'), sink('stderr')));
    return { code, ...written };
  } finally {
    process.chdir(folder);
    process.env = environment;
  }
}
