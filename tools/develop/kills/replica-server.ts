/** A replica that will be killed: `replica-server.js OPTIONS`. Notifies its parent process when it is ready. */

/** The options of a replica. */
export interface ReplicaStart {
  readonly database: string;
  readonly port: number;
  readonly key: string;
  /** Folder of the served pack. */
  readonly pack: string;
  /** Folders of further packs in every world; none by default. */
  readonly beside?: readonly string[];
  /** Offset of the machine's clock, in milliseconds. */
  readonly skewMs: number;
}

const { skewMs, beside = [], ...options } = JSON.parse(process.argv[2]) as ReplicaStart;
skewClock(skewMs);
// Sets the clock before the engine is loaded.
const { createCompanyReplica, createReplica, PackCache } = await import('../../../engine/index.js');
const common = {
  ...options,
  cache: PackCache.ofInstallation(),
  // Ignores lost worlds, which are part of the test.
  onDefect: (error: unknown, what: string) => {
    if (!what.includes('goes on as soon as') && !what.includes('serves nothing any more')) console.error(what, error);
  },
};
const replica =
  beside.length === 0
    ? await createReplica(common)
    : await createCompanyReplica({ ...common, packs: [options.pack, ...beside] });
process.once('SIGTERM', () => void replica.close(2000).then(() => process.exit(0)));
process.send?.({ url: replica.url });

function skewClock(byMs: number): void {
  const { Date: TrueDate } = globalThis;
  const now = (): number => TrueDate.now() + byMs;
  globalThis.Date = new Proxy(TrueDate, {
    construct: (target, args: []) => (args.length === 0 ? new target(now()) : new target(...args)),
    get: (target, name): unknown => (name === 'now' ? now : Reflect.get(target, name)),
  });
}
