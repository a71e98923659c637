/**
 * `npm run months -- --before FOLDER`: sends the calls of the same months to two builds, for both packs, and compares every response and delivery
 * byte for byte. The calls come from stories of the simulation, which this build plays first.
 */
import { resolve } from 'node:path';
import { Command } from 'commander';
import { wholeNumber } from '../../command/options.js';
import { installation } from '../../command/installation.js';
import { PAYMENTS } from '../simulate/payments/kit.js';
import { TASK_AUTOMATION } from '../simulate/task-automation/kit.js';
import { freePort } from '../kit/free-port.js';
import { recordStories } from './calls.js';
import { compareStories } from './compare.js';
import { type Played, playStories, MonthReceivers } from './play.js';

const options = new Command('months')
  .description('Compares responses and deliveries of two builds over simulated months, byte for byte.')
  .requiredOption('--before <folder>', 'a checkout that is built')
  .option('--seeds <n>', 'how many stories of each pack', wholeNumber, 10)
  .option('--steps <n>', 'steps of a story; 60 are more than a month', wholeNumber, 60)
  .parse()
  .opts<{ before: string; seeds: number; steps: number }>();

/** Maximum number of printed lines per story. */
const MOST = 40;
const seeds = Array.from({ length: options.seeds }, (_none, number) => number + 1);
const folders = [resolve(options.before), installation()];
let total = 0;
for (const kit of [PAYMENTS, TASK_AUTOMATION]) {
  const stories = await recordStories(kit, seeds, options.steps);
  const receivers = await new MonthReceivers().start();
  const port = await freePort();
  const sides: (readonly (readonly Played[])[])[] = [];
  for (const folder of folders) sides.push(await playStories(folder, kit.pack, stories, port, receivers));
  await receivers.stop();
  const found = stories.flatMap((_calls, story) => {
    const divergence = compareStories(sides[0][story], sides[1][story]);
    return divergence ? [{ seed: seeds[story], ...divergence }] : [];
  });
  total += found.length;
  const played = sides[0].flat();
  const successes = played.filter(({ response }) => response.status < 300).length;
  const deliveries = played.reduce((sum, each) => sum + each.deliveries.length, 0);
  console.log(
    `${kit.pack}: ${seeds.length} stories, ${played.length} responses (${successes} of success), ${deliveries} deliveries: ${found.length} stories differ`,
  );
  for (const { seed, number, line, patch } of found) {
    console.log(`  seed ${seed}, call ${number}: ${line}`);
    for (const each of patch.slice(0, MOST)) console.log(`    ${each.slice(0, 300)}`);
    if (patch.length > MOST) console.log(`    and ${patch.length - MOST} lines more`);
  }
}
process.exitCode = total > 0 ? 1 : 0;
