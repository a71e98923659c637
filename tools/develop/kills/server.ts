/** A server that is going to be killed: `server.js STORE [COMPANY]`. Reports the addresses of its packs to its parent. */
import { join } from 'node:path';
import { createCompany, createSandbox, FileStore, PackCache } from '../../../engine/index.js';
import { installation } from '../../command/installation.js';
import type { CallAddress } from '../kit/calls.js';

/** The server's message when it serves. */
export interface VictimStart {
  /** By pack. */
  readonly vendors: Readonly<Record<string, CallAddress>>;
  readonly leftOut: readonly string[];
}

const [, , file, company] = process.argv;
const store = await FileStore.open(file, { worker: new URL('./failing-worker.js', import.meta.url) });
const common = {
  cache: PackCache.ofInstallation(),
  store,
  // That nothing can be kept any more is what is being tried.
  onDefect: () => undefined,
};
const served =
  company === undefined
    ? [await createSandbox({ pack: join(installation(), 'packs', 'payments'), ...common })]
    : Object.values((await createCompany({ file: company, ...common })).vendors);
const vendors = Object.fromEntries(served.map(({ url, key, pack }) => [pack.name, { url, key }]));
if (!('payments' in vendors)) throw new Error(`${company} has no vendor with the pack payments`);
process.send?.({ vendors, leftOut: await store.leftOut() } satisfies VictimStart);
