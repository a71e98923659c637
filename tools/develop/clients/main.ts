/**
 * `npm run test:clients`: installs public programs outside of the project, runs their steps against packs, and prints the results. `--write` updates
 * docs/internals/clients.md.
 */
import { join } from 'node:path';
import { Command } from 'commander';
import { createSandbox, PackCache } from '../../../engine/index.js';
import { findPack, installation } from '../../command/installation.js';
import { writeFigures } from '../prose/figures.js';
import { type Postgres, startPostgres } from './postgres.js';
import { FETCHED, install, type Outcome, play, programsIn } from './program.js';
import { clientsTable } from './page.js';

const program = new Command('test:clients')
  .description('Runs programs of other people against the packs.')
  .argument('[names...]', 'which programs (default: all)')
  .option('--fetch <folder>', 'where repositories of programs are, or are fetched to', FETCHED)
  .option('--write', 'write docs/internals/clients.md')
  .parse();
const options = program.opts<{ fetch: string; write?: true }>();
const from = join(installation(), 'tools', 'develop', 'clients', 'programs');
const all = programsIn(from);
const unknown = program.args.filter((name) => !all.some((each) => each.name === name));
if (unknown.length > 0)
  program.error(`There is no ${unknown.join(', ')}; there are ${all.map(({ name }) => name).join(', ')}.`);

const outcomes: Outcome[] = [];
for (const each of all) {
  if (program.args.length > 0 && !program.args.includes(each.name)) continue;
  console.error(`${each.name}: ${each.title}`);
  const outcome = await outcomeOf(each);
  outcomes.push(outcome);
  if (outcome.skipped !== null) console.error(`  SKIPPED: ${outcome.skipped}`);
  for (const { step, ok, why } of outcome.steps) if (!ok) console.error(`  failed: ${step}: ${why ?? ''}`);
  console.error(`  ${outcome.steps.filter(({ ok }) => ok).length} of ${outcome.steps.length} steps passed`);
}
if (options.write) writeFigures(installation(), 'clients.md', [clientsTable(outcomes)]);
process.exitCode = outcomes.some(({ steps }) => steps.some(({ ok }) => !ok)) ? 1 : 0;

async function outcomeOf(each: Outcome['program']): Promise<Outcome> {
  const installed = await install(each, from, options.fetch);
  if ('skipped' in installed) return { program: each, steps: [], skipped: installed.skipped };
  let postgres: Postgres | undefined;
  if (each.needs.includes('postgres')) {
    postgres = await startPostgres();
    if (!postgres) return { program: each, steps: [], skipped: 'install PostgreSQL (Debian: postgresql)' };
  }
  const sandbox = await createSandbox({
    pack: await findPack(each.pack ?? 'payments'),
    cache: PackCache.ofInstallation(),
    vars: each.pack === undefined ? { vendor: 'stripe', ...each.vars } : each.vars,
    seed: each.name,
    t0: each.t0,
  });
  try {
    const env = {
      SANDBOX_URL: sandbox.url,
      SANDBOX_KEY: sandbox.key,
      SANDBOX_COMMAND: join(installation(), 'dist', 'app', 'cli.cjs'),
      ...(postgres ? { DATABASE_URL: postgres.url } : {}),
    };
    return { program: each, steps: await play(each, installed.folder, env), skipped: null };
  } finally {
    await sandbox.close();
    postgres?.stop();
  }
}
