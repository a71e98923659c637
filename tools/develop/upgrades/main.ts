/**
 * `npm run test:upgrades -- OLDEST ... NEWEST`: later builds, and this one, continue worlds of earlier builds, in a file and in PostgreSQL, where the
 * older build serves until the newer one is ready. Prints which store continues, and with what error others are rejected.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { installation } from '../../command/installation.js';
import { newDatabase, startPostgres } from '../clients/postgres.js';
import type { ServedBuild } from '../kit/served.js';
import { type Release, releaseIn, type RejectedStart, startRelease } from './release.js';
import { KnownWorlds } from './worlds.js';

const command = new Command('test:upgrades')
  .description('Worlds of earlier builds are taken over by later ones and by this one.')
  .argument('<folders...>', 'checkouts that are built, the oldest first')
  .parse();
const releases = [...command.args.map((folder) => resolve(folder)), installation()].map(releaseIn);
const newest = releases[releases.length - 1];
/** Sequences of releases: from each release to this one and back, and all releases one after another. */
const ways = [...releases.slice(0, -1).map((each) => [each, newest, each]), releases];
const folder = mkdtempSync(join(tmpdir(), 'sandbox-upgrades-'));
const database = await startPostgres();
let lost = 0;
try {
  for (const [number, way] of ways.entries()) {
    await along('file', way, join(folder, `${number}.db`));
    if (database !== undefined) await along('PostgreSQL', way, await newDatabase(database.url, `way_${number}`));
  }
} finally {
  database?.stop();
  rmSync(folder, { recursive: true, force: true });
}
if (database === undefined) console.error('PostgreSQL is not installed: apt-get install postgresql');
process.exitCode = lost > 0 ? 1 : 0;

/** Upgrades a store through several releases. */
async function along(kind: 'file' | 'PostgreSQL', way: readonly Release[], store: string): Promise<void> {
  const first = await startRelease(way[0], store);
  if ('code' in first) {
    console.log(`${kind}: ${way[0].name} does not start, ${first.code}: ${first.message}`);
    return;
  }
  let serving = first;
  const worlds = new KnownWorlds([serving]);
  await worlds.addWorld();
  for (let each = 0; each < 20; each++) await worlds.add();
  for (const [at, next] of way.slice(1).entries()) {
    const hop = `${kind}: ${way[at].name} -> ${next.name}`;
    const taken = kind === 'file' ? await replaced(serving, next, store) : await rolled(serving, next, store, worlds);
    if ('rejected' in taken) {
      console.log(`${hop}: rejected, ${taken.rejected.code}: ${taken.rejected.message}`);
      return;
    }
    serving = taken.served;
    worlds.servers = [serving];
    const before = worlds.wrong.length;
    await worlds.check();
    await worlds.add();
    const wrong = worlds.wrong.slice(before);
    lost += wrong.length;
    console.log(
      `${hop}: ${taken.how}; ${worlds.objects} objects, ${worlds.repeated} calls repeated, ${wrong.length} wrong`,
    );
    for (const each of wrong.slice(0, 10)) console.log(`  ${each}`);
  }
  await serving.stop();
}

/** A server that continues with a store, or the error of its start. */
type Taken = { readonly served: ServedBuild; readonly how: string } | { readonly rejected: RejectedStart };

/** Stops one server, then starts the next. */
async function replaced(serving: ServedBuild, next: Release, store: string): Promise<Taken> {
  await serving.stop();
  const served = await startRelease(next, store);
  if ('url' in served) return { served, how: 'continues' };
  if (served.code !== 'store_mismatch') return { rejected: served };
  const moved = await startRelease(next, store, ['--changed-pack', 'move']);
  if ('code' in moved) return { rejected: served };
  return { served: moved, how: `continues with --changed-pack move (without it ${served.code}: ${served.message})` };
}

/** Keeps the older server running under load until the newer one is ready, unless they can't share the database. */
async function rolled(serving: ServedBuild, next: Release, store: string, worlds: KnownWorlds): Promise<Taken> {
  let isOver = false;
  const load = async (): Promise<void> => {
    while (!isOver) await worlds.add();
  };
  const loading = load();
  try {
    const beside = await startRelease(next, store);
    if ('url' in beside) {
      worlds.servers = [serving, beside];
      for (let each = 0; each < 5; each++) await worlds.addWorld();
      await worlds.add();
      worlds.servers = [beside];
      await serving.stop();
      return { served: beside, how: 'continues, rolled' };
    }
    isOver = true;
    await loading;
    await serving.stop();
    const served = await startRelease(next, store);
    if ('code' in served) return { rejected: served };
    return {
      served,
      how: `continues once the older release has stopped (before that ${beside.code}: ${beside.message})`,
    };
  } finally {
    isOver = true;
    await loading;
  }
}
