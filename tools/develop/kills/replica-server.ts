/** A replica that is going to be killed: `replica-server.js DATABASE PORT KEY`. Reports to its parent when it is ready. */
import { join } from 'node:path';
import { createReplica, PackCache } from '../../../engine/index.js';
import { installation } from '../../command/installation.js';

const [database, port, key] = process.argv.slice(2);
const replica = await createReplica({
  pack: join(installation(), 'packs', 'payments'),
  cache: PackCache.ofInstallation(),
  database,
  port: Number(port),
  key,
  // That worlds are lost is what is being tried.
  onDefect: (error, what) => {
    if (!what.includes('goes on as soon as') && !what.includes('answers nothing any more')) console.error(what, error);
  },
});
process.once('SIGTERM', () => void replica.close(2000).then(() => process.exit(0)));
process.send?.({ url: replica.url });
