import type { SandboxOptions, Served } from './served.js';
import { type AddressParts, addressOf } from '../control/client.cjs';
import type { Words, WordsOf } from '../control/words.cjs';
import { Teams, type WorldDirectory } from '../control/index.js';
import { PackCache } from '../pack/index.js';
import { LocalWorlds } from './local-worlds.js';
import { firstWorld, firstWorldName, Programs } from './programs.js';
import { type IdleClock, processClock } from './calls.js';
import { type SandboxServer, served } from './serve-world.js';
import { Directory } from './worlds.js';

/** A running sandbox: its first world, and further ones. */
export interface Sandbox<W extends Words = Words> extends Served<W> {
  /** The parts of `url` that official clients take separately, such as host and port. */
  readonly address: AddressParts;
  /** Further worlds have an address each. */
  readonly worlds: WorldDirectory;
}

/**
 * Starts a sandbox.
 * @throws PackInvalid if the pack has errors; LedgerMismatch if the stored world belongs to another pack; StoreError if the
 * store can't read it; the listening error (`code: EADDRINUSE`) if the port is taken
 */
export function createSandbox<const Pack extends string>(
  options: SandboxOptions<Pack>,
): Promise<Sandbox<WordsOf<Pack>>>;
export function createSandbox(options: SandboxOptions): Promise<Sandbox> {
  return createSandboxWith(options, processClock);
}

/** Starts a sandbox with another clock for idle checks. */
export async function createSandboxWith(given: SandboxOptions, idleClock: IdleClock): Promise<Sandbox> {
  const { publicUrl } = given;
  const options = publicUrl === undefined ? given : { ...given, publicUrl: plainAddress(publicUrl) };
  const { vars, cache = PackCache.ofInstallation({ readOnly: true }), onPhase, key, store } = options;
  if (key?.trim() === '') throw new TypeError("'key' must not be empty");
  // Checks the type for callers in JavaScript.
  if (typeof options.pack !== 'string')
    throw new TypeError(`'pack' must be a folder or the name of a pack (given: ${Object.keys(options).join(', ')})`);
  const programs = new Programs({ pack: options.pack, packs: options.packs, vars, cache, onPhase });
  const { program: pack, folder } = programs.first;
  const local: LocalWorlds = new LocalWorlds({
    store,
    idleMs: options.idleMs ?? defaultIdleMs,
    idleClock,
    packs: programs.names,
    serve: ({ record, beginning, opened, rest }) => {
      const { program, folder } = programs.of(record.pack);
      const { seed, t0, fork } = beginning;
      const { keeper: _keeper, kept: _kept, ...common } = options;
      const own = {
        ...common,
        pack: folder,
        cache,
        port: 0,
        key: record.key,
        seed,
        t0: t0 === undefined ? options.t0 : new Date(t0).toISOString(),
      };
      return served(program, own, { known: record, opened, fork, host, rest });
    },
  });
  const { seed = 'sandbox', expiresMs, teams = [] } = options;
  const worlds = new Directory(local, { programs, seed, maxWorlds: Infinity, expiresMs });
  const host: SandboxServer = {
    teams: new Teams(teams),
    worlds,
    wake: (asked) => local.wake(asked),
    packs: programs.all,
    idleClock,
  };
  const opened = store && (await store.open((await firstWorld(store, programs, key)).id));
  try {
    const { name } = pack.model.settings;
    const record = opened?.record ?? { id: 'w1', name: firstWorldName, pack: name, expires: null };
    const world = await served(pack, { ...options, pack: folder, cache }, { known: record, opened, host });
    await local.open({ record: { ...record, key: world.key }, world });
    const close = async (drainMs?: number): Promise<void> => {
      await local.close();
      await world.close(drainMs);
    };
    // Inherits from `world` instead of copying it, so that its getters are evaluated on access.
    const address = { get: () => addressOf(world.url), enumerable: true };
    return Object.defineProperty(Object.assign(Object.create(world) as Sandbox, { worlds, close }), 'address', address);
  } catch (error) {
    await opened?.release().catch(() => undefined);
    throw error;
  }
}

/** Milliseconds without calls after which a world leaves memory, by default. */
export const defaultIdleMs = 600_000;

/** The public address without a slash at its end, since paths are added to it. @throws TypeError if it is no address */
function plainAddress(publicUrl: string): string {
  if (/^https?:$/.test(URL.canParse(publicUrl) ? new URL(publicUrl).protocol : ''))
    return publicUrl.replace(/\/+$/, '');
  throw new TypeError(`'publicUrl' must be an address such as https://shop.example/vendors, not '${publicUrl}'`);
}
