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

/** Number of calls in progress, and of those with `cwd` or `env`. */
const inProgress = { calls: 0, settings: 0 };

/**
 * Runs the `sandbox` command in this process, with its own working directory and environment. Commands that start a thread or wait for a signal
 * (`serve`, `lsp`) need a process instead (processes.ts).
 * @throws Error if a call with `cwd` or `env` overlaps another one: both would change the process's working directory and environment
 */
export async function runCommand(
  args: readonly string[],
  { cwd = ROOT, env = {} }: RunOptions = {},
): Promise<CommandResult> {
  const settings = cwd === ROOT && Object.keys(env).length === 0 ? 0 : 1;
  if (inProgress.settings > 0 || (settings > 0 && inProgress.calls > 0))
    throw new Error('calls with cwd or env must not overlap others: use runSandbox for one of them');
  const written = { stdout: '', stderr: '' };
  const sink = (stream: keyof typeof written) => ({
    write: (text: string) => void (written[stream] += text),
    on: () => undefined,
  });
  const [folder, environment] = [process.cwd(), process.env];
  inProgress.calls++;
  inProgress.settings += settings;
  process.chdir(cwd);
  process.env = { ...withoutSettings(environment), ...env };
  try {
    const code = await run(args, new Output(sink('stdout'), sink('stderr')));
    return { code, ...written };
  } finally {
    process.chdir(folder);
    process.env = environment;
    inProgress.calls--;
    inProgress.settings -= settings;
  }
}
