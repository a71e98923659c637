/** A server that will be killed: `server.js STORE [COMPANY]`. Sends the addresses of its packs to its parent process. */
import { join } from 'node:path';
import { createCompany, createSandbox, FileStore, PackCache } from '../../../engine/index.js';
import { installation } from '../../command/installation.js';
import type { CallAddress } from '../kit/calls.js';

/** The server's message once it serves. */
export interface VictimStart {
  /** Address and key of each pack. */
  readonly vendors: Readonly<Record<string, CallAddress>>;
  readonly leftOut: readonly string[];
}

const [, , file, company] = process.argv;
const store = await FileStore.open(file, { worker: new URL('./failing-worker.js', import.meta.url) });
const common = {
  cache: PackCache.ofInstallation(),
  store,
  // Ignores errors of the store: the test makes its disk fail.
  onDefect: () => undefined,
};
const served =
  company === undefined
    ? [await createSandbox({ pack: join(installation(), 'packs', 'payments'), ...common })]
    : Object.values((await createCompany({ file: company, ...common })).vendors);
const vendors = Object.fromEntries(served.map(({ url, key, pack }) => [pack.name, { url, key }]));
if (!('payments' in vendors)) throw new Error(`${company} has no vendor with the pack payments`);
process.send?.({ vendors, leftOut: await store.leftOut() } satisfies VictimStart);
