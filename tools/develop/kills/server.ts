/** A server that is going to be killed: `server.js FILE`. Reports its address to its parent. */
import { join } from 'node:path';
import { createSandbox, FileStore, PackCache } from '../../../engine/index.js';
import { installation } from '../../command/installation.js';

const store = await FileStore.open(process.argv[2], { worker: new URL('./failing-worker.js', import.meta.url) });
const { url, key } = await createSandbox({
  pack: join(installation(), 'packs', 'payments'),
  cache: PackCache.ofInstallation(),
  store,
  // That nothing can be kept any more is what is being tried.
  onDefect: () => undefined,
});
process.send?.({ url, key, leftOut: await store.leftOut() });
