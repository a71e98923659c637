import { type Company, createCompany, PackCache, type Sandbox } from '../../engine/index.js';
import type { Engine } from '../../engine/runtime/index.js';

/** A pack of a world, with the address of its API. */
interface Callable {
  readonly url: string;
  readonly key: string;
  readonly engine: Engine;
}

/** The world of a task or run, of one pack or several. */
export interface TaskWorld {
  readonly id: string;
  /** Address of the world's control API. */
  readonly url: string;
  readonly key: string;
  /** The packs of the task by the prefix of their names; '' if there is one pack. */
  readonly vendors: ReadonlyMap<string, Callable>;
  /** The engine of one of the world's packs; all packs share its clock and ledger. */
  readonly lead: Engine;
  /** Forks the world. New objects in the fork get the ids that they would get in the original. */
  fork(sendsWebhooks: boolean): Promise<TaskWorld>;
  drop(): Promise<void>;
}

/** How the world of a task starts. */
export interface TaskStart {
  readonly seed: string;
  /** Start of the world's clock, in milliseconds. */
  readonly t0: number | undefined;
}

/** The name of the only pack of a world, whose names have no prefix. */
export const ONLY = '';

/** Creates a world of one pack on a server. */
export async function worldOfPack(
  sandbox: Sandbox,
  options: Parameters<Sandbox['worlds']['create']>[0],
): Promise<TaskWorld> {
  const { id, key } = await sandbox.worlds.create(options);
  const found = await sandbox.worlds.find(id);
  if (!found) throw new Error(`there is no world ${id}`);
  const { url } = sandbox;
  const { engine } = found;
  return {
    ...{ id, url, key, lead: engine },
    vendors: new Map([[ONLY, { url, key, engine }]]),
    fork: (send_webhooks) => worldOfPack(sandbox, { from: { world: id, same_ids: true, send_webhooks } }),
    drop: async () => void (await sandbox.worlds.delete(id)),
  };
}

/** Creates a world of several packs, or of a company file. */
export async function worldOfCompany(
  of: { readonly packs: readonly string[] } | { readonly file: string },
  { seed, t0 }: TaskStart,
): Promise<TaskWorld> {
  const start = t0 === undefined ? {} : { t0: new Date(t0).toISOString() };
  const more = { ...of, ...start, seed, pacedStreams: false, cache: PackCache.ofInstallation() };
  return worldOf(await createCompany(more));
}

function worldOf(company: Company): TaskWorld {
  const { url, key } = company;
  const vendors = new Map<string, Callable>(Object.entries(company.vendors));
  const [{ engine: lead }] = vendors.values();
  return {
    ...{ id: ONLY, url, key, lead, vendors },
    fork: async (sendsWebhooks) => worldOf(await company.fork(undefined, true, sendsWebhooks)),
    drop: () => company.close(0),
  };
}

/** Splits a name into its pack and the rest; in a world of one pack names have no prefix. */
export function namedIn(
  { vendors }: Pick<TaskWorld, 'vendors'>,
  name: string,
): readonly [vendor: string, rest: string] {
  if (vendors.has(ONLY)) return [ONLY, name];
  const cut = name.indexOf('/');
  return [name.slice(0, Math.max(cut, 0)), name.slice(cut + 1)];
}
