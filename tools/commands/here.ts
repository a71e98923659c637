import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { installation, packsIn } from '../command/installation.js';
import { Exit, type Output } from '../command/output.js';
import { runningFor } from '../up/running.js';
import { applicationFiles } from '../up/used-packages.js';
import { vendorsOf } from '../up/vendors.js';

/** Prints the possible commands in a folder: for running vendors, an application's vendors, or packs. */
export async function here(folder: string, output: Output): Promise<number> {
  const rows: (readonly [command: string, what: string])[] = [];
  const found = await runningFor(folder);
  const shipped = packsIn(join(installation(), 'packs'));
  const own = folder === installation() ? [] : packsIn(join(folder, 'packs'));
  const used = folder === installation() ? [] : vendorsOf(applicationFiles(folder), shipped).map(({ pack }) => pack);
  if (found !== null)
    rows.push(
      ['sandbox status', `the vendors of this folder, which run at ${found.running.url}`],
      ['sandbox logs --follow', 'their calls as they come'],
      ['sandbox up -- npm test', 'run a command with them'],
      ['sandbox advance 1d', 'let their time pass'],
      ['sandbox down', 'stop them'],
    );
  else if (existsSync(join(folder, 'sandbox.yaml')) || used.length > 0)
    rows.push(
      ['sandbox up', `start what this application uses: ${used.join(', ') || 'what sandbox.yaml names'}`],
      ['sandbox up -- npm run dev', 'run the application with them, its calls redirected'],
      ['sandbox up --detach', 'leave them running'],
    );
  if (own.length > 0) {
    const [first] = own.map((each) => basename(each));
    rows.push(
      [`sandbox serve packs/${first} --watch`, 'serve a pack of this folder, and follow its files'],
      ['sandbox validate-pack', `check ${own.length === 1 ? 'it' : `the ${own.length} packs here`}`],
    );
  }
  if (rows.length === 0)
    rows.push(
      ['sandbox serve payments', `start a vendor: ${shipped.map((each) => basename(each)).join(', ')}`],
      ['sandbox exec payments -- npm test', 'run tests with one of their own'],
      ['sandbox init-pack my-vendor', 'write a pack for another vendor'],
      ['sandbox import-openapi api.yaml packs/my-vendor', 'make one of an OpenAPI document'],
    );
  rows.push(['sandbox --help', 'all commands']);
  const width = Math.max(...rows.map(([command]) => command.length));
  for (const [command, what] of rows) output.print(`${command.padEnd(width)}  ${what}`);
  return Exit.done;
}
