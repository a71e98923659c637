/** `npm run kills`: kills a server with a file store repeatedly at random moments, and prints lost data, which must be none. */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { wholeNumber } from '../../command/options.js';
import { Campaign, type StoreDisturbance, STORE_DISTURBANCES } from './campaign.js';
import { WebhookCounter } from './receiver.js';
import { takeRounds } from './rounds.js';

const options = new Command('kills')
  .description(
    'Kills a server with a file store under load, at random moments, and compares the responses with the state afterwards.',
  )
  .option('--times <n>', 'how often', wholeNumber, 300)
  .option('--kinds <list>', `which of ${STORE_DISTURBANCES.join(',')}, in turn`, STORE_DISTURBANCES.join(','))
  .option(
    '--company <file>',
    'a company with payments in the place of the pack alone; code-hosting and team-chat are called too',
  )
  .parse()
  .opts<{ times: number; kinds: string; company?: string }>();
const kinds = STORE_DISTURBANCES.filter((kind): kind is StoreDisturbance => options.kinds.split(',').includes(kind));
const folder = mkdtempSync(join(tmpdir(), 'sandbox-kills-'));
const file = join(folder, 'killed.db');
const receiver = new WebhookCounter();
const campaign = new Campaign(file, receiver, options.company && resolve(options.company));
const { report } = campaign;
try {
  await campaign.begin();
  const { rounds } = await takeRounds(
    options.times,
    (round) => campaign.round(kinds[round % kinds.length]),
    () =>
      `${report.served} answered, ${report.lost} lost, ${report.doubled} doubled, ${report.wrongReplays} wrong replays`,
  );
  await campaign.end();
  console.log(JSON.stringify({ total: rounds, ...report, fileBytes: statSync(file).size }, null, 2));
  const { lost, doubled, wrongReplays, undelivered, acknowledgedWithoutStore, flipsSilent } = report;
  if (lost + doubled + wrongReplays + undelivered + acknowledgedWithoutStore + flipsSilent > 0) process.exitCode = 1;
} finally {
  await receiver.stop();
  rmSync(folder, { recursive: true, force: true });
}
