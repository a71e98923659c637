/** A server that is going to be killed: `server.js STORE [COMPANY]`. Reports the address of its payments to its parent. */
import { join } from 'node:path';
import { createCompany, createSandbox, FileStore, PackCache } from '../../../engine/index.js';
import { installation } from '../../command/installation.js';

const [, , file, company] = process.argv;
const store = await FileStore.open(file, { worker: new URL('./failing-worker.js', import.meta.url) });
const common = {
  cache: PackCache.ofInstallation(),
  store,
  // That nothing can be kept any more is what is being tried.
  onDefect: () => undefined,
};
const { url, key } =
  company === undefined
    ? await createSandbox({ pack: join(installation(), 'packs', 'payments'), ...common })
    : await paymentsOf(company);
process.send?.({ url, key, leftOut: await store.leftOut() });

async function paymentsOf(company: string): Promise<{ readonly url: string; readonly key: string }> {
  const { vendors } = await createCompany({ file: company, ...common });
  const payments = Object.values(vendors).find(({ pack }) => pack.name === 'payments');
  if (payments === undefined) throw new Error(`${company} has no vendor with the pack payments`);
  return payments;
}
