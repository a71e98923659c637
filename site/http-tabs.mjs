import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Beside each block of commands that call a running sandbox: the same calls over HTTP, as the command itself writes them (`--curl`). */

const run = promisify(execFile);
const BLOCK = /^```(sh|console)\n([\s\S]*?)^```$/gm;
const COMMAND = /^(\$ )?npx sandbox (.+)$/;
/** Programs around a command: what they read is its output. */
const PIPED = /\$\(|[|&;<>`]/;

/**
 * @param text of a page
 * @param root of the repository, which is built
 * @param names of the subcommands that make one call of the control API
 * @returns the page, with a second block behind each of which the first one has such commands
 */
export async function withHttp(text, root, names) {
  const calls = new Map();
  for (const [, , body] of text.matchAll(BLOCK))
    for (const line of body.split('\n')) {
      const [, , command] = COMMAND.exec(line) ?? [];
      if (command !== undefined && names.has(command.split(' ')[0]) && !PIPED.test(command)) calls.set(line, command);
    }
  const curls = new Map(
    await Promise.all([...calls].map(async ([line, command]) => [line, await curlOf(command, root)])),
  );
  return text.replace(BLOCK, (block, language, body) => {
    const lines = body.trimEnd().split('\n');
    if (!lines.some((line) => curls.has(line))) return block;
    // What a command printed below itself is not what the call returns.
    const sent = lines.filter((line) => language === 'sh' || line.startsWith('$ '));
    const http = sent.map((line) => curls.get(line) ?? line.replace(/^\$ /, ''));
    return `${block}\n\n\`\`\`sh http\n${http.join('\n')}\n\`\`\``;
  });
}

/** A command of the page as a line for curl. Variables of the shell stay what they are. */
async function curlOf(command, root) {
  const variables = [];
  const held = command.replace(/\$(\w+)/g, (_, name) => `heldvariable${variables.push(name) - 1}x`);
  const env = { ...process.env, SANDBOX_URL: undefined };
  const shell = `set -f; node "$CLI" ${held} --curl`;
  const { stdout } = await run('bash', ['-c', shell], { env: { ...env, CLI: join(root, 'dist', 'app', 'cli.cjs') } });
  const [address, ...rest] = stdout.trimEnd().split(' --json ');
  const back = (part, around) => part.replace(/heldvariable(\d+)x/g, (_, at) => `${around}$${variables[at]}${around}`);
  return [back(address, ''), ...rest.map((each) => back(each, "'"))].join(' --json ');
}
