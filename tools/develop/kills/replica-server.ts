/** A replica that is going to be killed: `replica-server.js OPTIONS`. Reports to its parent when it is ready. */

/** What a replica is started with. */
export interface ReplicaStart {
  readonly database: string;
  readonly port: number;
  readonly key: string;
  /** Folder of its pack. */
  readonly pack: string;
  /** Packs that are beside it in every world; none unless given. */
  readonly beside?: readonly string[];
  /** What the clock of its machine is ahead: milliseconds. */
  readonly skewMs: number;
}

const { skewMs, beside = [], ...options } = JSON.parse(process.argv[2]) as ReplicaStart;
skewClock(skewMs);
// The engine must not see the true time.
const { createCompanyReplica, createReplica, PackCache } = await import('../../../engine/index.js');
const common = {
  ...options,
  cache: PackCache.ofInstallation(),
  // That worlds are lost is what is being tried.
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
