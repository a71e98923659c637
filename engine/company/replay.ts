import { loadPack } from '../compile/index.js';
import { type Bug, takeFiles } from '../control/index.js';
import {
  BugPlayer,
  CompanyOutside,
  LedgerMismatch,
  type Replayed,
  type ReplayOptions,
  replayTransports,
  withAddressesOf,
} from '../hosting/index.js';
import { PackCache, packFolder } from '../pack/index.js';
import { isObject } from '../values/index.js';
import { startCompany } from './company.js';
import { type Company, type MemberOptions } from './parts.js';

/** Options of a company's replay. */
export interface CompanyReplayOptions extends Pick<
  ReplayOptions,
  'until' | 'only' | 'port' | 'host' | 'key' | 'cache' | 'onDefect'
> {
  /** Folders of packs, by their names in the company; by default the packs in the file. */
  readonly packs?: Readonly<Record<string, string>>;
}

/** The result of replaying a company's file. */
export type ReplayedCompany = Omit<Replayed, 'sandbox'> & {
  /** The company of the replay, which sends nothing and has no rules, since their effects are in the file. */
  readonly company: Company;
};

/** Replays a file of a company in a new one. @throws LedgerMismatch if its packs are different; errors of `createCompany` */
export async function playCompany(
  bug: Bug,
  { until = Infinity, only, packs = {}, ...common }: CompanyReplayOptions,
): Promise<ReplayedCompany> {
  const { header, begins, steps } = bug;
  const members = membersOf(bug, packs);
  const { cache = PackCache.ofInstallation({ readOnly: true }) } = common;
  const programs = members.flatMap(({ pack, vars }) => loadPack(packFolder(pack), { vars, cache }).pack ?? []);
  const exact = only === undefined;
  const company = await startCompany({
    ...common,
    cache,
    packs: members,
    seed: header.seed,
    t0: new Date(header.t0).toISOString(),
    kept: begins ? { entries: [begins.entry], journal: begins.journal } : undefined,
    transports: replayTransports(bug, programs, exact, exact),
    pacedStreams: false,
    ledgerLimit: Infinity,
  });
  try {
    if (JSON.stringify(company.header.pack) !== JSON.stringify(header.pack))
      throw new LedgerMismatch(`the file was written with other packs, or other files of them: ${header.pack.name}`);
    const { vendors } = company;
    const [first] = Object.values(vendors);
    const outside = new CompanyOutside();
    for (const [name, { outbox }] of Object.entries(vendors)) outside.add(name, outbox);
    const of = (pack: string | undefined): typeof first => (pack === undefined ? first : vendors[pack]);
    const player = new BugPlayer({ of, outside }, { exact });
    const played = (): ReturnType<BugPlayer['play']> => player.play(only ?? steps, until);
    takeFiles(bug.files, first.engine.runtime.surroundings.files);
    const engines = Object.values(vendors).map(({ engine }) => engine);
    const unlike = await (exact ? withAddressesOf(engines, bug, played) : played());
    return { company, orders: player.orders, unlike };
  } catch (error) {
    await company.close();
    throw error;
  }
}

/** The packs in a file. */
function membersOf({ header }: Bug, folders: Readonly<Record<string, string>>): MemberOptions[] {
  const packs = header.company?.['packs'];
  return Object.entries(isObject(packs) ? packs : {}).map(([name, given]) => {
    const { pack, key, seed } = isObject(given) ? given : {};
    const own = Object.entries(header.pack.vars).flatMap(([key, value]) =>
      key.startsWith(`${name}/`) ? [[key.slice(name.length + 1), value] as const] : [],
    );
    const vars = Object.fromEntries(own);
    return {
      name,
      pack: folders[name] ?? String(pack),
      vars,
      ...(typeof key === 'string' ? { key } : {}),
      ...(typeof seed === 'string' ? { seed } : {}),
    };
  });
}
