/** `npm run kills:replicas`: kills, stops and cuts off replicas of one PostgreSQL under load, and judges every response. */
import { Command } from 'commander';
import { startPostgres } from '../clients/postgres.js';
import { WebhookCounter } from './receiver.js';
import { type Disturbance, DISTURBANCES, ReplicaCampaign } from './replica-campaign.js';

const options = new Command('kills:replicas')
  .description(
    'Three replicas and a real PostgreSQL under load from clients that call any of them; kills, stops, restarts and cuts.',
  )
  .option('--times <n>', 'how often', '200')
  .option('--worlds <n>', 'how many worlds', '64')
  .option('--clients <n>', 'how many clients', '32')
  .option('--kinds <list>', `which of ${DISTURBANCES.join(',')}`, DISTURBANCES.join(','))
  .parse()
  .opts<{ times: string; worlds: string; clients: string; kinds: string }>();
const kinds = DISTURBANCES.filter((kind): kind is Disturbance => options.kinds.split(',').includes(kind));
const times = Number(options.times);
const database = await startPostgres({ isDurable: true, connections: 200 });
if (database === undefined) {
  console.error('PostgreSQL is not installed: apt-get install postgresql');
  process.exit(2);
}
const receiver = await WebhookCounter.start(0);
const campaign = new ReplicaCampaign({
  database,
  receiver,
  replicas: 3,
  worlds: Number(options.worlds),
  clients: Number(options.clients),
});
const started = performance.now();
let isEnough = false;
process.once('SIGINT', () => {
  isEnough = true;
});
try {
  await campaign.begin();
  for (let time = 0; time < times && !isEnough; time++) {
    await campaign.disturb(kinds[time % kinds.length]);
    const { served, repeated } = campaign.report;
    if ((time + 1) % 10 === 0)
      console.error(
        `${time + 1} of ${times} in ${Math.round((performance.now() - started) / 1000)} s: ${served} answered, ${repeated} repeated`,
      );
  }
  await campaign.end();
  const { report } = campaign;
  console.log(JSON.stringify({ seconds: Math.round((performance.now() - started) / 1000), ...report }, null, 2));
  const { lost, doubled, disordered, undelivered, neverServed } = report;
  if (lost + doubled + disordered + undelivered + neverServed > 0) process.exitCode = 1;
} finally {
  receiver.stop();
  database.stop();
}
process.exit();
