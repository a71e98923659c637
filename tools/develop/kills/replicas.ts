/** `npm run kills:replicas`: kills, stops and disconnects replicas of one PostgreSQL database under load, and checks every response. */
import { appendFileSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { wholeNumber } from '../../command/options.js';
import { installation } from '../../command/installation.js';
import { startPostgres } from '../clients/postgres.js';
import { WebhookCounter } from './receiver.js';
import { takeRounds } from './rounds.js';
import { type Disturbance, DISTURBANCES, ReplicaCampaign } from './replica-campaign.js';

const options = new Command('kills:replicas')
  .description(
    'Three replicas and a real PostgreSQL under load from clients that call any of them; kills, stops, restarts and cuts.',
  )
  .option('--times <n>', 'how often', wholeNumber, 200)
  .option('--worlds <n>', 'how many worlds', wholeNumber, 64)
  .option('--clients <n>', 'how many clients', wholeNumber, 32)
  .option('--heap-mb <n>', 'megabytes of the heap of each replica', wholeNumber)
  .option('--beside <packs>', 'packs that are beside payments in every world: worlds are companies')
  .option('--kinds <list>', `which of ${DISTURBANCES.join(',')}`, DISTURBANCES.join(','))
  .parse()
  .opts<{
    times: number;
    worlds: number;
    clients: number;
    kinds: string;
    heapMb?: number;
    beside?: string;
  }>();
const beside = options.beside?.split(',') ?? [];
// Excludes upgrades for companies, whose worlds don't migrate to changed packs.
const kinds = DISTURBANCES.filter(
  (kind): kind is Disturbance => options.kinds.split(',').includes(kind) && !(kind === 'upgrade' && beside.length > 0),
);
const database = await startPostgres({ isDurable: true, connections: 200 });
if (database === undefined) {
  console.error('PostgreSQL is not installed: apt-get install postgresql');
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), 'sandbox-kills-'));
const packs = [join(installation(), 'packs', 'payments'), changedPack(join(folder, 'payments'))];
const receiver = new WebhookCounter(0);
const campaign = new ReplicaCampaign({
  database,
  packs,
  beside,
  heapMb: options.heapMb,
  receiver,
  replicas: 3,
  worlds: options.worlds,
  clients: options.clients,
});
const { report } = campaign;
try {
  await campaign.begin();
  const { seconds } = await takeRounds(
    options.times,
    (round) => campaign.disturb(kinds[(round - 1) % kinds.length]),
    () => `${report.served} answered, ${report.repeated} repeated`,
  );
  await campaign.end();
  console.log(JSON.stringify({ seconds, ...report }, null, 2));
  const { lost, doubled, disordered, undelivered, neverServed } = report;
  if (lost + doubled + disordered + undelivered + neverServed > 0) process.exitCode = 1;
} finally {
  await receiver.stop();
  database.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exit();

/** Copies the pack to a folder, and changes some of its texts. */
function changedPack(copy: string): string {
  cpSync(join(installation(), 'packs', 'payments'), copy, { recursive: true });
  appendFileSync(join(copy, 'errors.yaml'), '# The next version.\n');
  return copy;
}
