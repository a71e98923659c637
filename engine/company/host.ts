import type { CompanyStart, CompanyOptions, CompanyPart, Member } from './parts.js';
import type { Beginning, WorldDirectory } from '../control/index.js';
import { createApp, type Guard, holdResponses, hostCheck } from '../http/index.js';
import { CompanyOutside, type HostedWorld, hostWorld } from '../hosting/index.js';
import { LIMITS } from '../limits.js';
import { ClockTurns, type Engine, worldOf } from '../runtime/index.js';
import type { LedgerHeader, MemberConfig } from '../world/index.js';
import { isHashOfKey } from '../codecs/index.js';
import { temporaryBytes } from '../store/index.js';
import type { JsonObject } from '../values/index.js';
import { begin } from './begin.js';
import { companyPlane } from './plane.js';
import type { CompanyPlan } from './program.js';
import { CompanyRules } from './rules.js';
import { companyHeader, type CompanyState } from './store.js';
import type { Names } from './values.js';

/** The keys of a company's pack. */
interface MemberAccess {
  /** The pack's key, or only its hash if no process has the key itself. */
  readonly key: string;
  readonly alsoKeys?: readonly string[];
  readonly madeOf?: (own: string) => readonly string[];
}

/** The keys of a company. */
export interface CompanyAccess {
  /** Checks keys for the control API of all packs. */
  readonly guard: Guard;
  /** The keys of each pack, in the order of the packs. */
  readonly members: readonly MemberAccess[];
  /** Keys that the next start needs, by pack name. */
  readonly kept: Readonly<Record<string, string>>;
}

/** An assembled pack of a company that isn't served yet. */
export interface HostedMember {
  readonly name: string;
  readonly world: HostedWorld;
  /** The address of the pack, set once it is served. */
  readonly located: { origin: string };
}

/** An assembled company. */
export interface HostedCompany {
  readonly members: readonly HostedMember[];
  /** The control API of all packs. */
  readonly app: HostedWorld['app'];
  readonly header: LedgerHeader;
  readonly lead: Engine;
  /** Saved responses of the setup, and the number of its last ledger entry. */
  readonly begun: () => { readonly names: Names; readonly entry: number | undefined };
  /** Whether the company continues from a store, so that its setup is complete. */
  readonly hasBegun: boolean;
  /** Runs the setup unless it is complete, and starts the rules. */
  begin(vendors: Readonly<Record<string, Member>>): Promise<void>;
  /** Stops the packs, then calls `leave`, then ends the rest of the company. */
  close(leave: () => Promise<unknown>): Promise<void>;
}

/** Assembles a company: one world, with an engine, deliveries and both APIs for each pack. */
export function hostCompany(
  options: Omit<CompanyOptions, 'packs' | 'file' | 'key' | 'port'> & { readonly hostNames?: readonly string[] },
  parts: readonly CompanyPart[],
  { seed, t0, state, branched: before, fork: branch }: CompanyStart,
  plan: CompanyPlan,
  access: CompanyAccess,
  worlds?: WorldDirectory,
): HostedCompany {
  const { host = '127.0.0.1', hostNames = [], keeper, kept, transports, pacedStreams } = options;
  const temporary = temporaryBytes();
  const files = options.files ?? temporary;
  if (branch?.files) files.adopt(branch.files);
  const onDefect = options.onDefect ?? ((error: unknown, what: string) => console.error(`sandbox: ${what}:`, error));
  const common = {
    t0,
    ledgerLimit: options.ledgerLimit ?? LIMITS.ledger.value,
    traceLimit: options.traceLimit ?? LIMITS.traces.value,
  };
  const configs = parts.map((part) => configOf(part, seed));
  const [first, ...beside] = configs;
  const fork = branch?.fork;
  const programs = new Map(parts.map((part) => [part.name, part.program]));
  const branched = branch?.header ?? before;
  const keep = (now: Omit<CompanyState, 'keys'>): void =>
    keeper?.begin(companyHeader(programs, { seed, t0, fork: branched }, { keys: access.kept, ...now }));
  const continues = fork !== undefined || (kept !== undefined && (kept.base !== undefined || kept.entries.length > 0));
  const hasBegun = fork !== undefined || (continues && state?.names !== null);
  if (branch) keep({ names: branch.names, begun: branch.begun ?? null });
  const lead = worldOf({ ...common, ...first, beside, keeper }, kept, fork);
  if (kept && !fork) lead.restore(kept.journal, kept.moments);
  let names = branch?.names ?? state?.names ?? { people: plan.people };
  const rules = new CompanyRules(plan.rules, () => names, onDefect);
  const beginning: Beginning = { seeds: null, entry: branch?.begun ?? state?.begun ?? undefined };
  const keys = access.members.map(({ key }) => key);
  const header = companyHeader(programs, { seed, t0, fork: branched }, { packs: packsOf(parts, keys) });
  const shared = {
    keeper,
    header,
    follow: rules.run,
    company: [] as Engine[],
    turns: new ClockTurns(),
    outside: new CompanyOutside(),
    vendors: new Map<Engine, string>(),
  };
  const members = parts.map(({ program, name }, at): HostedMember => {
    const located = { origin: '', admits: hostCheck([host, ...hostNames, ...program.model.settings.hosts]) };
    const member = { ...shared, world: lead.timeline.worlds[at], continues };
    const own = { files, ...access.members[at], seed: configs[at].seed, address: located, member, branched, beginning };
    const world = hostWorld(program, { ...common, ...own, transports, pacedStreams, onDefect });
    return { name, world, located };
  });
  const journal = fork?.journal ?? kept?.journal;
  if (journal) shared.outside.restore(journal);
  const about = (): JsonObject => ({
    company: plan.name,
    title: plan.title,
    names,
    rules: rules.reports.map((each) => ({ ...each })),
  });
  const plane = companyPlane(
    members.map(({ name, world }) => ({ name, context: { ...world.control, guard: access.guard, worlds } })),
    shared.vendors,
    plan.name === '' ? null : about,
  );
  const app = createApp([plane]);
  if (keeper?.kept) {
    const lost = (error: unknown): void => onDefect(error, 'the store of this company, which serves nothing any more');
    holdResponses(app, () => keeper.kept?.(), lost);
  }
  const [{ world: leading }] = members;
  return {
    members,
    app,
    header,
    lead: leading.engine,
    hasBegun,
    begun: () => ({ names, entry: beginning.entry }),
    begin: async (vendors) => {
      if (!hasBegun) {
        const [{ control }] = Object.values(vendors);
        // Repeats the whole setup if a crash interrupted it.
        if (continues) await control.call('POST', '/reset');
        keep({ names: null, begun: null });
        if (plan.steps.length > 0) {
          names = await begin(plan, { vendors });
          await control.saveMoment('begin');
          beginning.entry = leading.engine.world.ledger.count;
        }
        keep({ names, begun: beginning.entry ?? null });
      }
      rules.follow(shared.vendors);
    },
    close: async (leave) => {
      for (const { world } of members) {
        world.clock.close();
        world.endStreams();
        world.outbox.hangUp();
      }
      await leave();
      await Promise.all(members.map(({ world }) => world.outbox.close()));
      lead.leave();
      temporary.remove();
    },
  };
}

/** The configuration of a pack in the company's world. A further member with the same pack gets another seed, for other ids. */
function configOf({ given, name, program, isFurther }: CompanyPart, seed: string): MemberConfig {
  const { resources, model } = program;
  return {
    pack: name,
    collections: resources.map(({ collection }) => collection),
    timeFormat: model.settings.time,
    seed: given.seed ?? (isFurther ? `${seed}/${name}` : seed),
  };
}

/** The packs for the header of an exported company, with keys (unless only hashes are known) and random seeds. */
function packsOf(parts: readonly CompanyPart[], keys: readonly string[]): JsonObject {
  return Object.fromEntries(
    parts.map(({ name, program, given: { seed } }, at) => [
      name,
      {
        pack: program.model.settings.name,
        ...(isHashOfKey(keys[at]) ? {} : { key: keys[at] }),
        ...(seed === undefined ? {} : { seed }),
      },
    ]),
  );
}
