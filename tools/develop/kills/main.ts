/** `npm run kills`: kills a server with a file store again and again, at random moments, and prints what was lost: nothing. */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { Campaign } from './campaign.js';
import { WebhookCounter } from './receiver.js';

const options = new Command('kills')
  .description(
    'Kills a server with a file store under load, at random moments, and compares what was answered with what is there.',
  )
  .option('--times <n>', 'how often', '300')
  .option('--errors <share>', 'share of the rounds in which the disk breaks before the kill', '0')
  .parse()
  .opts<{ times: string; errors: string }>();
const times = Number(options.times);
const folder = mkdtempSync(join(tmpdir(), 'sandbox-kills-'));
const file = join(folder, 'killed.db');
const receiver = await WebhookCounter.start();
const campaign = new Campaign(file, receiver);
const started = performance.now();
let isEnough = false;
process.once('SIGINT', () => {
  isEnough = true;
});
let rounds = 0;
try {
  await campaign.begin();
  for (let round = 1; round <= times && !isEnough; round++) {
    await campaign.round(Math.random() < Number(options.errors));
    rounds = round;
    if (round % 20 === 0) {
      const { served, lost, doubled, wrongReplays } = campaign.report;
      console.error(
        `${round} of ${times} in ${Math.round((performance.now() - started) / 1000)} s: ${served} answered, ${lost} lost, ${doubled} doubled, ${wrongReplays} wrong replays`,
      );
    }
  }
  await campaign.end();
  const { report } = campaign;
  console.log(JSON.stringify({ rounds, ...report, fileBytes: statSync(file).size }, null, 2));
  const { lost, doubled, wrongReplays, undelivered } = report;
  if (lost + doubled + wrongReplays + undelivered > 0) process.exitCode = 1;
} finally {
  receiver.stop();
  rmSync(folder, { recursive: true, force: true });
}
