import { spawn } from 'node:child_process';
import { type AddressedWorld, envOfWorld } from './world-env.js';

/** The result of a check command. */
export type Checked = 'passed' | 'failed' | 'late';

/**
 * Runs a check command with the address and key of a world in SANDBOX_URL and SANDBOX_KEY, and those of a company's packs.
 * @param seconds time limit, after which it is killed with its child processes
 * @param onOutput called with its output
 */
export function runCheck(
  check: string,
  world: AddressedWorld,
  seconds: number,
  onOutput?: (text: string) => void,
): Promise<Checked> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, ...envOfWorld(world), SANDBOX_API_KEY: world.key };
    const output = onOutput ? 'pipe' : 'ignore';
    const child = spawn(check, { shell: true, stdio: ['ignore', output, output], env, detached: true });
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => onOutput?.(text));
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      // Kills the command and its child processes.
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    }, seconds * 1000);
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve(isLate ? 'late' : code === 0 ? 'passed' : 'failed');
    });
  });
}
