import type { LifeReport, Member } from './parts.js';
import type { CompanyActor } from './program.js';
import { NUMBER, objectType, STRING } from '../expression/index.js';
import type { Engine } from '../runtime/index.js';
import type { Json, JsonObject } from '../values/index.js';
import { RandomStream, type Row, seedOf, stableShare } from '../world/index.js';
import { runStep, StepRejected } from './begin.js';
import type { Names } from './values.js';

/** Statistics of an actor. */
interface ActorReport {
  times: number;
  /** Numbers of rejections by vendors, by error code. */
  readonly rejected: Record<string, number>;
}

/** A running company with actors. */
interface LivingCompany {
  readonly lead: Engine;
  readonly vendors: Readonly<Record<string, Member>>;
  readonly seed: string;
  readonly names: () => Names;
}

/** A moment at which an actor acts. */
interface Turn {
  readonly actor: CompanyActor;
  /** Simulated time in milliseconds. */
  due: number;
  /** Number of the actor's turn. */
  time: number;
}

/** Number of objects that are tried until one matches. */
const MOST_LOOKS = 50;

/**
 * Runs the actors up to a time, each at the times in its schedule. Random decisions depend on the company's seed, the actor and
 * the number of its turn: other actors and vendors don't affect them. Objects beyond their resource's retention are deleted.
 * @param toMs simulated time in milliseconds
 */
export async function letLive(
  company: LivingCompany,
  actors: readonly CompanyActor[],
  toMs: number,
): Promise<LifeReport> {
  const { world } = company.lead;
  const seed = seedOf(company.seed);
  const [{ clock }] = Object.values(company.vendors);
  const report = new Map<string, ActorReport>(actors.map(({ name }) => [name, { times: 0, rejected: {} }]));
  let [acts, fired] = [0, 0];
  const advance = async (due: number): Promise<void> => {
    while (world.nowMs < due) {
      const before = world.nowMs;
      const advanced = await clock.advance(due, { why: { args: { live: new Date(due).toISOString() } } });
      fired += advanced.fired;
      if (world.nowMs === before && advanced.fired === 0)
        throw new Error(`the clock stays at ${new Date(before).toISOString()}`);
    }
    for (const { engine } of Object.values(company.vendors)) engine.expire();
  };
  // Skips turns up to the present time: the actors of this company may have run before.
  const start = world.nowMs;
  const turns = actors.map((actor): Turn => {
    const turn = { actor, due: world.t0, time: 0 };
    do next(turn, seed);
    while (turn.due <= start);
    return turn;
  });
  for (;;) {
    const turn = turns.reduce<Turn | undefined>(
      (first, each) => (each.due < (first?.due ?? Infinity) ? each : first),
      undefined,
    );
    if (turn === undefined || turn.due > toMs) break;
    await advance(turn.due);
    const own = report.get(turn.actor.name);
    if (own) {
      own.times++;
      acts += await act(company, seed, turn, own.rejected);
    }
    next(turn, seed);
  }
  await advance(toMs);
  return { acts, fired, actors: Object.fromEntries(report) };
}

/** Sets an actor's next moment, after a random gap in whole seconds. */
function next(turn: Turn, seed: number): void {
  const { name, everyMs, most } = turn.actor;
  turn.time++;
  const share = stableShare(seed, `${name} ${turn.time} gap`);
  turn.due =
    turn.time > most ? Infinity : turn.due + Math.max(1, Math.round((-Math.log(1 - share) * everyMs) / 1000)) * 1000;
}

/** Takes an actor's turn. @returns the number of calls and external events */
async function act(
  { vendors, names: namesOf }: LivingCompany,
  seed: number,
  { actor, time }: Turn,
  rejected: Record<string, number>,
): Promise<number> {
  const share = (what: string): number => stableShare(seed, `${actor.name} ${time} ${what}`);
  const known: Names = {
    ...namesOf(),
    chosen: chosenOf(actor, share),
    drawn: drawnOf(share, `${actor.name}${time}`),
  };
  const self = actor.of && subjectOf(actor.of, vendors[actor.of.vendor].engine, known, share);
  if (self === undefined) return 0;
  const names: Names = { ...known, self };
  let made = 0;
  for (const [at, { step, holds, percent }] of actor.acts.entries()) {
    const member = vendors[step.vendor];
    if (share(`chance ${at}`) * 100 >= percent) continue;
    if (holds && holds(names, member.engine) !== true) continue;
    made++;
    try {
      await runStep(step, member, names);
    } catch (error) {
      if (!(error instanceof StepRejected)) throw error;
      rejected[error.code] = (rejected[error.code] ?? 0) + 1;
      return made;
    }
  }
  return made;
}

/** Finds an object that matches, as the vendor API returns it; undefined if none of those tried matches. */
function subjectOf(
  { resource, holds }: Pick<NonNullable<CompanyActor['of']>, 'resource' | 'holds'>,
  engine: Engine,
  names: Names,
  share: (what: string) => number,
): JsonObject | undefined {
  const rows: readonly Row[] = engine.world.collections[resource].ordered().all();
  for (let look = 0; look < MOST_LOOKS && rows.length > 0; look++) {
    const self = engine.responseOf(rows[Math.floor(share(`look ${look}`) * rows.length)]);
    if (!holds || holds({ ...names, self }, engine) === true) return self;
  }
  return undefined;
}

function chosenOf({ choose }: CompanyActor, share: (what: string) => number): JsonObject {
  return Object.fromEntries(
    Object.entries(choose).map(([name, weights]) => {
      const all = Object.entries(weights);
      let left = share(`choose ${name}`) * all.reduce((sum, [, weight]) => sum + weight, 0);
      const [value] = all.find(([, weight]) => (left -= weight) < 0) ?? all[all.length - 1];
      return [name, value];
    }),
  );
}

/** The type of the result of `drawnOf`. */
export const DRAWN = objectType([
  ...['name', 'login', 'email', 'sentence'].map((name) => [name, STRING] as const),
  ['number', NUMBER],
]);

/** Returns the random values for one turn of an actor, such as a name and an email address. */
function drawnOf(share: (what: string) => number, unique: string): Readonly<Record<string, Json>> {
  const stream = new RandomStream(Math.floor(share('drawn') * 2 ** 32));
  const one = (words: readonly string[]): string => words[stream.integer(0, words.length - 1)];
  const [first, last] = [one(FIRST_NAMES), one(LAST_NAMES)];
  const sentence = `${one(SUBJECTS)} ${one(VERBS)} ${one(PLACES)}`;
  const login = `${first}-${unique}`.toLowerCase().replaceAll(/[^a-z0-9-]/g, '-');
  return { name: `${first} ${last}`, login, email: `${login}@example.com`, sentence, number: stream.integer(0, 99) };
}

const FIRST_NAMES = [
  'Ada',
  'Bo',
  'Chen',
  'Dora',
  'Emil',
  'Fatou',
  'Goran',
  'Hana',
  'Ines',
  'Jun',
  'Kofi',
  'Lena',
  'Mira',
  'Noor',
];
const LAST_NAMES = [
  'Arendt',
  'Byron',
  'Costa',
  'Diaz',
  'Eriksen',
  'Fofana',
  'Garcia',
  'Hopper',
  'Ito',
  'Jansen',
  'Kaya',
  'Lund',
];
const SUBJECTS = [
  'The login page',
  'The export',
  'The report',
  'A search',
  'The calendar',
  'The import',
  'A reminder',
  'The menu',
];
const VERBS = [
  'is slow',
  'shows twice',
  'stays empty',
  'loses its title',
  'needs a test',
  'looks wrong',
  'cannot be found',
];
const PLACES = [
  'on phones',
  'in the dark theme',
  'for new accounts',
  'after midnight',
  'with long names',
  'since Monday',
];
